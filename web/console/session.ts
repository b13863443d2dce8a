// Who is signed in. A member is kept by a cookie that no script can read; whoever comes with API
// credentials has an access token that this tab forgets when it is closed.
import { batch, computed, signal } from "@preact/signals";
import { MEMBERS, Refusal, ask, newKey, type Answer, type Asking, type Caller } from "../kit/http";
import { usePasskey } from "./passkeys";
import { knownZone } from "../kit/times";

export interface Organization {
  id: string; name: string; timezone: string; start?: Place; phone?: string; color?: string;
  language: string; shareDriverPosition: string; logoUrl: string;
}
export interface Place { coordinates?: { latitude: number; longitude: number }; address?: Record<string, string> }
export interface Member { id: string; email: string; name: string; role: "OWNER" | "PLANNER" | "VIEWER" }

interface Session {
  organization: Organization;
  member: Member | null;
  clientId?: string; // where it is known: a tab that was loaded anew has the token alone
  caller: Caller;
}

export const session = signal<Session | null>(null);
// Whether it has ended by itself. What is open stays, behind the form to sign in again.
export const isOver = signal(false);
export const zone = computed(() => session.value?.organization.timezone ?? "UTC");
export const isViewer = computed(() => session.value?.member?.role === "VIEWER");
export const isOwner = computed(() => session.value?.member == null || session.value.member.role === "OWNER");

interface MemberSession { member: Member; organization: Organization; csrfToken: string }

const KEY = "roundsman.session";

function keepMember({ member, organization, csrfToken }: MemberSession): void {
  begin({ member, organization: { ...organization, timezone: knownZone(organization.timezone) }, caller: { csrf: csrfToken } });
}

// Who plans where: what one has open or can take back is nothing of another's.
const plannerOf = ({ organization, member, clientId }: Session) => [organization.id, member?.id ?? "", clientId ?? ""].join(" ");
export const planner = computed(() => (session.value ? plannerOf(session.value) : ""));

// Begin as somebody. Where somebody else signs in than is here, the page is loaded anew: nothing that
// was open, typed or asked by the one before is left.
function begin(found: Session): void {
  const before = session.peek();
  if (before && plannerOf(before) !== plannerOf(found)) {
    isOver.value = true; // nothing is asked until it is gone
    return location.reload();
  }
  batch(() => {
    session.value = found;
    isOver.value = false;
  });
  for (const go of waiting.splice(0)) go();
}

const waiting: (() => void)[] = [];

// Nothing is asked until the same planner has signed in again; what was refused for want of a session
// changed nothing, and can be asked once more.
function signedInAgain(): Promise<void> {
  isOver.value = true;
  keepToken("");
  return new Promise((resolve) => { waiting.push(resolve); });
}

// Another tab may have signed in: the cookie is this tab's, too.
async function isSignedInElsewhere(): Promise<boolean> {
  if (!session.value?.member) return false;
  try {
    keepMember((await ask<MemberSession>("/session", { base: MEMBERS })).body);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

addEventListener("focus", () => { if (isOver.value) void isSignedInElsewhere(); });

export async function resume(): Promise<void> {
  try {
    keepMember((await ask<MemberSession>("/session", { base: MEMBERS })).body);
    return;
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) throw error;
  }
  const kept = readToken();
  if (kept) await startWithToken(kept);
}

function readToken(): string {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return ""; // a browser that keeps nothing signs in again after each reload
  }
}

function keepToken(token: string): void {
  try {
    if (token) sessionStorage.setItem(KEY, token);
    else sessionStorage.removeItem(KEY);
  } catch {
    // as above
  }
}

async function startWithToken(token: string, clientId = ""): Promise<void> {
  try {
    const { body } = await ask<Organization>("/organization", { caller: { token } });
    keepToken(token);
    begin({ member: null, clientId, organization: { ...body, timezone: knownZone(body.timezone) }, caller: { token } });
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) throw error;
    keepToken("");
  }
}

export async function signInMember(email: string, password: string, organization: string, code: string): Promise<void> {
  const body = { email, password, ...(organization ? { organization } : {}), ...(code ? { code } : {}) };
  keepMember((await ask<MemberSession>("/session", { base: MEMBERS, body })).body);
}

// Sign in by a passkey; false where the browser answered with none.
export async function signInByPasskey(organization: string): Promise<boolean> {
  const { options } = (await ask<{ options: string }>("/passkey-options", { base: MEMBERS, body: {} })).body;
  const credential = await usePasskey(options);
  if (!credential) return false;
  const body = organization ? { credential, organization } : { credential };
  keepMember((await ask<MemberSession>("/session/passkey", { base: MEMBERS, body })).body);
  return true;
}

// Kept until the page is reloaded, so that an open page can ask for the next hour's token by itself.
let credentials: { clientId: string; clientSecret: string } | null = null;

export async function signInClient(clientId: string, clientSecret: string): Promise<void> {
  const { body } = await ask<{ accessToken: string }>("/authenticate", { body: { clientId, clientSecret } });
  await startWithToken(body.accessToken, clientId);
  credentials = { clientId, clientSecret };
}

let renewing: Promise<void> | null = null;

// Ask for another token, once however many requests find that theirs is over.
async function renew(): Promise<boolean> {
  if (!credentials) return false;
  const { clientId, clientSecret } = credentials;
  credentials = null; // refused ones are not tried again
  renewing ??= signInClient(clientId, clientSecret).finally(() => { renewing = null; });
  try {
    await renewing;
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

export async function signOut(): Promise<void> {
  const caller = session.value?.caller;
  session.value = null;
  isOver.value = false;
  waiting.length = 0;
  credentials = null;
  keepToken("");
  try {
    if (caller?.csrf) await ask("/session", { base: MEMBERS, method: "DELETE", caller });
    else if (caller) await ask("/sign-out", { caller, body: {} });
  } catch (error) {
    // A server that is away cannot end it; it ends by itself.
    if (!(error instanceof Refusal)) throw error;
  }
}

const isOldCsrf = (error: Refusal) => error.status === 403 && error.message.includes("X-CSRF-Token");

// Ask as whoever is signed in; when the session is over, as soon as the same planner is again. It is
// the same request with the same key however often it is sent.
export async function call<T>(path: string, asking: Asking = {}): Promise<Answer<T>> {
  const key = asking.key ?? newKey();
  const who = planner.peek();
  for (let mayRenew = true; ; mayRenew = false) {
    if (planner.peek() !== who) throw new Refusal("session", "");
    const caller = session.value?.caller ?? {};
    if (!isOver.value) {
      try {
        return await ask<T>(path, { ...asking, key, caller });
      } catch (error) {
        if (!(error instanceof Refusal) || !session.value) throw error;
        if (error.kind !== "session" && !(mayRenew && isOldCsrf(error))) throw error;
      }
      if (renewing) await renewing.catch(() => undefined);
      if (mayRenew && (session.value?.caller !== caller || await renew() || await isSignedInElsewhere())) continue;
    }
    await signedInAgain();
    asking.signal?.throwIfAborted();
  }
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await call<T>(path, signal ? { signal } : {})).body;
}

export async function unlessGone<T>(path: string): Promise<T | null> {
  try {
    return await get<T>(path);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null;
    throw error;
  }
}

export async function send<T>(method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body: unknown = {}, version = ""): Promise<T> {
  return (await call<T>(path, { method, body: method === "DELETE" ? undefined : body, version })).body;
}

// What only asks, though by POST: without a key, under which the server would keep the answer.
export async function look<T>(path: string, body: unknown): Promise<T> {
  return (await call<T>(path, { body, key: "" })).body;
}

// All pages of a list.
export async function getAll<T>(path: string, field: string): Promise<T[]> {
  const all: T[] = [];
  for (let cursor = ""; ;) {
    const separator = path.includes("?") ? "&" : "?";
    const page = await get<Record<string, unknown>>(cursor ? `${path.split("?")[0]}?cursor=${encodeURIComponent(cursor)}` : `${path}${separator}query.limit=100`);
    all.push(...((page[field] as T[] | undefined) ?? []));
    cursor = String(page["nextCursor"] ?? "");
    if (!cursor) return all;
  }
}
