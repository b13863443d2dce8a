// Signing in on this phone by an invite or by its cookie, and signing out.
import { actions, ask, forgetSession, keepSignedIn, messageOf, unsentCount, waitingFiles, type SignedIn } from "./app";
import { isSignedOut, store } from "./pumps";
import type { Driver } from "./shapes";
import { t } from "./words";

const SIGN_IN_BYTES = 16 * 1024;

export interface Invite { driver: Driver; organization: { id: string; name: string } }

// The network's failure says nothing of what was asked.
export const isUnreached = (error: unknown): boolean => error instanceof TypeError || (error instanceof DOMException && ["TimeoutError", "AbortError"].includes(error.name));

export async function lookAtInvite(token: string): Promise<Invite> {
  const response = await ask(`/invites/${encodeURIComponent(token)}`);
  if (response.status >= 500 || response.status === 429) throw new TypeError(`status ${response.status}`); // nor does a service that is busy or down
  if (!response.ok) throw new Error(await messageOf(response));
  return (await response.json()) as Invite;
}

// A link works once: it is not used up by a phone that cannot keep the session.
export async function acceptInvite(token: string, device: string): Promise<void> {
  if (!await store.hasRoomFor(SIGN_IN_BYTES)) throw new Error(t("storageFull"));
  const response = await ask(`/invites/${encodeURIComponent(token)}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ device }),
  });
  if (!response.ok) throw new Error(await messageOf(response));
  await keepSignedIn((await response.json()) as SignedIn);
}

// A phone that has lost its storage still has the cookie that was set when it signed up.
export async function restoreSession(): Promise<boolean> {
  try {
    const response = await ask("/session/restore", { method: "POST" });
    if (!response.ok) return false;
    await keepSignedIn((await response.json()) as SignedIn);
    return true;
  } catch {
    return false; // no network: the next start tries again
  }
}

// Sign out; return what still waits as words, "" when it is done. Where the session is over nothing
// would ever be sent: whoever has the phone next signs in beside it.
export async function signOut(): Promise<string> {
  if (isSignedOut.value && unsentCount.value) return t("signOutOver", { count: unsentCount.value });
  if (!isSignedOut.value && actions.value.length) return t("signOutWaits", { count: actions.value.length });
  if (waitingFiles.value) return t("signOutFiles", { count: waitingFiles.value });
  try {
    if (!isSignedOut.value) await ask("/session", { method: "DELETE" });
  } catch {
    return t("noNetwork");
  }
  await forgetSession();
  return "";
}
