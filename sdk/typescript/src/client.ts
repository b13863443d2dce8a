// The client: tokens, keys, retries, pages.
import { urlOf, type Call } from "./calls.js";
import { ApiError, ConnectionFailed, InvalidArgument, Unauthenticated, errorOf } from "./errors.js";
import type { ImportedStop, StopDraftInput } from "./models.js";
import { Operations } from "./operations.js";

const BASE_PATH = "/api/2024-07";
const LONGEST_PAUSE_SECONDS = 30;
// Who is asked to wait for longer is told at once: a retry before its time is of no use.
const LONGEST_ASKED_SECONDS = 120;
const RENEWED_EARLIER_SECONDS = 60;
export const MOST_IMPORTED_AT_ONCE = 200;

/** Where a service is; the documentation's BASE, which has the interface in it, is taken. */
function rootOf(url: string): string {
  const address = url.replace(/\/+$/, "");
  return address.endsWith(BASE_PATH) ? address.slice(0, -BASE_PATH.length) : address;
}

/** What a program may want to log or count of each answer; nothing in it is secret. */
export interface Answered {
  method: string;
  /** As the interface names it, without ids. */
  path: string;
  status: number;
  requestId: string;
  idempotencyKey: string | undefined;
  /** Whether an earlier request with this key had the effect, and this is its answer. */
  wasReplayed: boolean;
}

export interface Settings {
  /** Of the service, such as https://plan.example.com; with /api/2024-07 at its end it is taken, too. */
  url: string;
  clientId: string;
  clientSecret: string;
  /** How often a call is tried; 5 without it. */
  tries?: number;
  timeoutSeconds?: number;
  fetch?: typeof globalThis.fetch;
  sleep?: (seconds: number) => Promise<void>;
  onAnswer?: (answered: Answered) => void;
}

/**
 * Asks a service as one API client. Tokens are got and renewed by themselves. A change has an
 * idempotency key before its first try, and is tried again after a lost connection, 429 and 503.
 */
export class Roundsman extends Operations {
  readonly #settings: Required<Settings>;
  #token = "";
  #renewAt = 0;
  #signingIn: Promise<void> | null = null;

  constructor(settings: Settings) {
    super();
    this.#settings = {
      tries: 5,
      timeoutSeconds: 60,
      fetch: globalThis.fetch.bind(globalThis),
      onAnswer: () => {},
      sleep: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
      ...settings,
      url: rootOf(settings.url),
    };
  }

  /**
   * Import any number of stops, in pieces of 200; each piece is imported whole or not. With a key
   * of your own the same stops may be sent again after a crash. A refusal names stops by their index
   * in `stops`; the pieces before it are imported.
   */
  async *importAllStops(stops: Iterable<StopDraftInput>, key: string = crypto.randomUUID()): AsyncGenerator<ImportedStop> {
    const all = [...stops];
    for (let start = 0; start < all.length; start += MOST_IMPORTED_AT_ONCE) {
      const idempotencyKey = `${key}-${start / MOST_IMPORTED_AT_ONCE}`;
      const piece = all.slice(start, start + MOST_IMPORTED_AT_ONCE);
      const answer = await this.importStops(piece, {}, { idempotencyKey }).catch((error: unknown) => {
        if (error instanceof InvalidArgument) error.countFrom(start);
        throw error;
      });
      yield* answer.stops as ImportedStop[];
    }
  }

  protected override async *walk<T>(call: Call, rows: string): AsyncGenerator<T> {
    let cursor = "";
    do {
      // The arguments go along: a service that forgets them would begin anew.
      const query = cursor ? { ...call.query, cursor } : call.query ?? {};
      const page: Record<string, unknown> = await this.send({ ...call, query });
      yield* page[rows] as T[];
      cursor = String(page["nextCursor"] ?? "");
    } while (cursor);
  }

  protected override async send<T>(call: Call): Promise<T> {
    const key = call.options?.idempotencyKey ?? (call.takesKey ? crypto.randomUUID() : undefined);
    const isSafe = call.method === "GET" || key !== undefined;
    let hasSignedInAgain = false;
    for (let failures = 0; ;) {
      const token = await this.#signInInTime(key);
      let failure: ApiError | ConnectionFailed | null = null;
      let response: Response | null = null;
      let answer: unknown;
      try {
        response = await this.#fetch(call, key, token);
        if (response.ok) answer = call.answersFile ? new Uint8Array(await response.arrayBuffer()) : await response.json();
        else failure = await errorOf(response);
      } catch (error) {
        failure = new ConnectionFailed(error instanceof Error ? error.message : String(error), { cause: error });
      }
      if (response) this.#report(call, key, response); // what a program throws there is its own, and nothing is tried again
      if (!failure) return answer as T;
      failure.idempotencyKey = key;
      if (failure instanceof Unauthenticated && !hasSignedInAgain) {
        hasSignedInAgain = true;
        if (this.#token === token) this.#token = ""; // another call may have got a new one meanwhile
        continue;
      }
      failures += 1;
      if (failures >= this.#settings.tries || !mayHelp(failure, isSafe)) throw failure;
      await this.#settings.sleep(pauseAfter(failures, failure));
    }
  }

  #report(call: Call, key: string | undefined, response: Response): void {
    this.#settings.onAnswer({
      method: call.method,
      path: call.template,
      status: response.status,
      requestId: response.headers.get("x-request-id") ?? "",
      idempotencyKey: key,
      wasReplayed: response.headers.get("idempotency-replayed") === "true",
    });
  }

  #fetch(call: Call, key: string | undefined, token: string): Promise<Response> {
    const headers: Record<string, string> = { Authorization: `Bearer ${token}`, Accept: "application/json" };
    if (key !== undefined) headers["Idempotency-Key"] = key;
    if (call.options?.ifMatch) headers["If-Match"] = call.options.ifMatch;
    const init: RequestInit = { method: call.method, headers, signal: AbortSignal.timeout(this.#settings.timeoutSeconds * 1000) };
    if (call.body instanceof Uint8Array) {
      headers["Content-Type"] = "application/octet-stream";
      init.body = call.body as Uint8Array<ArrayBuffer>;
    } else if (call.body !== undefined) {
      headers["Content-Type"] = "application/json";
      init.body = JSON.stringify(call.body);
    }
    return this.#settings.fetch(urlOf(this.#settings.url + BASE_PATH, call), init);
  }

  // Once, however many calls find that there is no token.
  async #signInInTime(key: string | undefined): Promise<string> {
    while (!this.#token || Date.now() >= this.#renewAt) {
      this.#signingIn ??= this.#signIn().finally(() => { this.#signingIn = null; });
      try {
        await this.#signingIn;
      } catch (error) {
        throw ownError(error, key);
      }
    }
    return this.#token;
  }

  async #signIn(): Promise<void> {
    const { url, clientId, clientSecret, tries, timeoutSeconds, sleep } = this.#settings;
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    for (let failures = 1; ; failures += 1) {
      let failure: ApiError | ConnectionFailed;
      try {
        const response = await this.#settings.fetch(`${url}${BASE_PATH}/oauth/token`, {
          method: "POST",
          headers: { Authorization: `Basic ${btoa(pair)}`, "Content-Type": "application/x-www-form-urlencoded" },
          body: "grant_type=client_credentials",
          signal: AbortSignal.timeout(timeoutSeconds * 1000),
        });
        if (response.ok) {
          const answer = await response.json() as { access_token: string; expires_in: number };
          this.#token = answer.access_token;
          this.#renewAt = Date.now() + Math.max(answer.expires_in - RENEWED_EARLIER_SECONDS, 1) * 1000;
          return;
        }
        failure = await errorOf(response);
      } catch (error) {
        failure = new ConnectionFailed(error instanceof Error ? error.message : String(error), { cause: error });
      }
      if (failures >= tries || !mayHelp(failure, true)) throw failure;
      await sleep(pauseAfter(failures, failure));
    }
  }
}

// Callers that waited for one sign-in each get an error of their own: their keys differ.
function ownError(error: unknown, key: string | undefined): unknown {
  if (error instanceof ApiError) {
    const Kind = error.constructor as typeof ApiError;
    const own = new Kind(error.status, error.code, error.message, error.details, error.requestId, error.retryAfter);
    return Object.assign(own, { idempotencyKey: key });
  }
  if (!(error instanceof ConnectionFailed)) return error;
  return Object.assign(new ConnectionFailed(error.message, { cause: error }), { idempotencyKey: key });
}

// Where nothing happened, or what happened will not happen twice.
function mayHelp(failure: ApiError | ConnectionFailed, isSafe: boolean): boolean {
  if (failure instanceof ConnectionFailed) return isSafe;
  if ((failure.retryAfter ?? 0) > LONGEST_ASKED_SECONDS) return false;
  if (failure.status === 429 || failure.status === 503) return true;
  return isSafe && (failure.code === 10 || failure.status === 502 || failure.status === 504);
}

// As long as the service says, else longer each time, and not all alike.
function pauseAfter(failures: number, failure: ApiError | ConnectionFailed): number {
  if (failure instanceof ApiError && failure.retryAfter !== undefined) return failure.retryAfter;
  const longest = Math.min(0.25 * 2 ** failures, LONGEST_PAUSE_SECONDS);
  return longest / 2 + Math.random() * longest / 2;
}
