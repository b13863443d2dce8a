// Who is signed in. A member is kept by a cookie that no script can read. Whoever comes with API
// credentials has an access token, kept for this tab alone, which ends with it; the secret is in no
// storage at all: the page remembers it until it is reloaded, so that an open board can ask for the
// next hour's token by itself.
import { MEMBERS, Refusal, ask } from "./interface.js";
import { knownZone } from "./times.js";

const KEY = "roundsman.session", EARLY = 5 * 60_000;
let credentials = null;
let session = read();

function read() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY));
    return kept && kept.expiresAt > Date.now() ? kept : null;
  } catch {
    return null;
  }
}

function keep(made) {
  session = made;
  try {
    if (made) sessionStorage.setItem(KEY, JSON.stringify(made));
    else sessionStorage.removeItem(KEY);
  } catch {
    // A browser that keeps nothing signs in again after each reload.
  }
}

export const organization = () => session?.organization ?? null;
export const member = () => session?.member ?? null;

function keepMember({ member, organization, csrfToken }) {
  credentials = null;
  keep(null);
  session = { member, csrf: csrfToken, organization: { ...organization, timezone: knownZone(organization.timezone) } };
}

// Find out whether the browser is signed in as a member already.
export async function resume() {
  if (session) return;
  try {
    keepMember((await ask("/session", { base: MEMBERS })).body);
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== "session") throw error;
  }
}

export async function signInMember(email, password, organization) {
  const body = organization ? { email, password, organization } : { email, password };
  keepMember((await ask("/session", { base: MEMBERS, body })).body);
}

export async function signIn(clientId, clientSecret) {
  const { body } = await ask("/authenticate", { body: { clientId, clientSecret } });
  const shown = await ask("/organization", { token: body.accessToken });
  credentials = { clientId, clientSecret };
  const expiresAt = Date.now() + Number(body.expiresInSeconds) * 1000;
  keep({ token: body.accessToken, expiresAt, organization: { ...shown.body, timezone: knownZone(shown.body.timezone) } });
}

// Forget who is signed in: the server has ended the session already.
export function forget() {
  credentials = null;
  keep(null);
}

// Forget who is signed in, and have the server end the token too.
export async function signOut() {
  const { token, csrf } = session ?? {};
  forget();
  try {
    if (csrf) await ask("/session", { base: MEMBERS, method: "DELETE", csrf });
    else if (token) await ask("/sign-out", { token, body: {} });
  } catch (error) {
    // A server that is away cannot end it, and then it ends within its hour.
    if (!(error instanceof Refusal)) throw error;
  }
}

let renewing = null;

// One renewal at a time, however many requests find that the token is over.
async function renew() {
  if (!credentials) throw over();
  renewing ??= signIn(credentials.clientId, credentials.clientSecret).finally(() => { renewing = null; });
  try {
    await renewing;
  } catch (error) {
    throw error instanceof Refusal && error.kind === "credentials" ? over() : error;
  }
}

function over() {
  forget();
  return new Refusal("session", "You have been signed out.", "Your hour is over, or the secret you signed in with was taken back. Sign in to go on.");
}

// Ask as whoever is signed in; a session that cannot go on is ended.
export async function askSignedIn(path, signal) {
  if (session?.member) return askAsMember(path, signal);
  const left = session ? session.expiresAt - Date.now() : 0;
  if (left <= 0 || (credentials && left < EARLY)) await renew();
  try {
    return await ask(path, { token: session.token, signal });
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== "session") throw error;
  }
  await renew();
  return ask(path, { token: session.token, signal });
}

async function askAsMember(path, signal) {
  try {
    return await ask(path, { signal });
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== "session") throw error;
  }
  forget();
  throw new Refusal("session", "You have been signed out.", "Your session has ended. Sign in to go on.");
}
