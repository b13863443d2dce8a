// Asking the service. A refusal keeps what the server said, so that a page can show it as it is.

export const BASE = "/api/2024-07";
export const MEMBERS = "/members/api";
const TRIES = 4;
const LONGEST_WAIT_SECONDS = 15;

export type RefusalKind = "session" | "credentials" | "conflict" | "refused" | "limited" | "away";

export interface Violation {
  field?: string;
  type?: string;
  subject?: string;
  description: string;
}

export class Refusal extends Error {
  constructor(
    readonly kind: RefusalKind,
    message: string,
    readonly violations: Violation[] = [],
    readonly status = 0,
    /** What the service says to change so that it would not be refused. */
    readonly advice?: { changes?: unknown[] },
  ) {
    super(message);
  }
}

// Whether nobody knows if a change was made, so that it is to be sent again under its key.
export const isUnanswered = (error: Refusal) => error.kind === "away" || error.kind === "conflict";

// What was refused and why, each once: the message often says what the first violation does.
export function wordsOf({ message, violations }: Refusal): string {
  const said = violations.map(({ field, description }) => (field ? `${field} ${description}` : description));
  return [message, ...new Set(said.filter((words) => !message.includes(words)))].join(" · ");
}

// Who asks: with a token the browser keeps cookies to itself, so that nobody asks as two at once.
export interface Caller {
  token?: string;
  csrf?: string;
}

export interface Asking {
  base?: string;
  method?: string;
  body?: unknown;
  version?: string;
  /** By which the server knows a change that is sent again; without one, a new one. */
  key?: string;
  /** The tag of what is there already: if it is that still, the answer has no body and says so. */
  known?: string;
  signal?: AbortSignal;
  caller?: Caller;
}

export interface Answer<T> {
  body: T;
  tag: string;
  isUnchanged?: boolean;
}

interface ErrorBody {
  code?: number;
  message?: string;
  details?: { violations?: Violation[]; fieldViolations?: Violation[]; changes?: unknown[] }[];
}

// Made once before the tries of a change, so that a repeated one is not made twice.
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener("abort", () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
  });
}

export function headersOf(caller: Caller | undefined, isChange: boolean): Record<string, string> {
  const headers: Record<string, string> = {};
  if (caller?.token) headers["Authorization"] = `Bearer ${caller.token}`;
  if (caller?.csrf && isChange) headers["X-CSRF-Token"] = caller.csrf;
  return headers;
}

async function refusalOf(response: Response): Promise<Refusal> {
  const body = await response.json().catch((): ErrorBody => ({})) as ErrorBody;
  const details = body.details ?? [];
  const violations = details.flatMap((one) => one.violations ?? one.fieldViolations ?? []);
  const message = body.message ?? `The server answered with status ${response.status}.`;
  const kind: RefusalKind =
    response.status === 401 ? (body.code === 16 ? "session" : "credentials")
    : response.status === 412 || response.status === 409 ? "conflict"
    : response.status === 429 ? "limited"
    : response.status >= 500 ? "away" : "refused";
  return new Refusal(kind, message, violations, response.status, details.find((one) => one.changes));
}

// Ask and return the answer. Reading is tried again while the server is away or asks to wait a
// little; a change is sent again with the same key where the network failed.
export async function ask<T>(path: string, asking: Asking = {}): Promise<Answer<T>> {
  const method = asking.method ?? (asking.body === undefined ? "GET" : "POST");
  const isChange = method !== "GET";
  const headers = { Accept: "application/json", ...headersOf(asking.caller, isChange) } as Record<string, string>;
  const isMultipart = asking.body instanceof Blob;
  if (asking.body !== undefined) headers["Content-Type"] = isMultipart ? (asking.body as Blob).type : "application/json";
  const key = asking.key ?? newKey();
  if (method === "POST" && (asking.base ?? BASE) === BASE && key) headers["Idempotency-Key"] = key;
  if (asking.version) headers["If-Match"] = asking.version;
  if (asking.known) headers["If-None-Match"] = asking.known;
  const body = asking.body === undefined ? undefined : isMultipart ? (asking.body as Blob) : JSON.stringify(asking.body);
  for (let tried = 1; ; tried++) {
    let response: Response;
    // Made outside: what cannot be asked at all is a fault of ours, and none of the network.
    const request = new Request((asking.base ?? BASE) + path, {
      method, headers, ...(body === undefined ? {} : { body }), ...(asking.signal ? { signal: asking.signal } : {}),
      cache: "no-store", credentials: asking.caller?.token ? "omit" : "same-origin", redirect: "error", referrerPolicy: "no-referrer",
    });
    try {
      response = await fetch(request);
    } catch (error) {
      if (asking.signal?.aborted) throw error;
      if (tried === TRIES) throw new Refusal("away", "The server does not answer. Is the network there?");
      await pause(tried / 2, asking.signal);
      continue;
    }
    if (asking.known && response.status === 304) return { body: {} as T, tag: asking.known, isUnchanged: true };
    if (response.ok) {
      const text = await response.text();
      return { body: (text ? JSON.parse(text) : {}) as T, tag: response.headers.get("ETag") ?? "" };
    }
    const seconds = Number(response.headers.get("Retry-After")) || 1;
    const mayWait = response.status === 429 || (response.status === 503 && !isChange);
    if (!mayWait || tried === TRIES || seconds > LONGEST_WAIT_SECONDS) throw await refusalOf(response);
    await pause(seconds, asking.signal);
  }
}
