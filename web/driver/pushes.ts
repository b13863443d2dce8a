// Being told, while the app is closed, that a planner has changed something. The signal has no content:
// the service worker shows words that are kept here, and the app reads the route itself.
import { effect, signal } from "@preact/signals";
import { ask, choices, keepChoice, messageOf, session } from "./app";
import { isSignedOut } from "./pumps";
import { isUnreached } from "./signing_in";
import { t } from "./words";

const CHOICE = "pushes";
const WORDS = "roundsman-notice";
const NOTICE_WORDS = "/driver/notice.json";

interface PushState { publicKey: string; isSubscribed: boolean }

export const canBeTold = (): boolean => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
const isWanted = (): boolean => choices.value[CHOICE] === "on";

// What the browser allows by now: its settings change beside the app.
const permission = signal("Notification" in window ? Notification.permission : "denied");
const failure = signal(""); // why the browser or its push service does not do it

export const isTold = (): boolean => isWanted() && permission.value === "granted" && !failure.value;

// What keeps this phone from being told though its driver wants to be, "" where nothing does.
export function whyNotTold(): string {
  if (!isWanted()) return "";
  if (permission.value !== "granted") return t("noticesBlocked");
  return failure.value && t("noticesFail", { reason: failure.value });
}

function readPermission(): void {
  permission.value = Notification.permission;
}

// Return what is in the way, "" when this phone is told from now on.
export async function beTold(): Promise<string> {
  permission.value = await Notification.requestPermission();
  if (permission.value !== "granted") return t("noticesBlocked");
  try {
    await subscribe();
  } catch (error) {
    if (error instanceof DOMException && error.name === "NotAllowedError") return t("noticesBlocked");
    return error instanceof TypeError ? t("noNetwork") : error instanceof Error ? error.message : String(error);
  }
  await keepChoice(CHOICE, "on");
  return "";
}

export async function beToldNoMore(): Promise<void> {
  await keepChoice(CHOICE, "");
  const registration = await navigator.serviceWorker.ready;
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  await ask("/push-subscriptions", { method: "DELETE" });
}

// Browsers and their push services end subscriptions, and so does a new session: whoever wants to be
// told goes on to be.
export function stayTold(): void {
  if (!canBeTold()) return;
  document.addEventListener("visibilitychange", () => {
    readPermission();
    if (document.visibilityState === "visible") void subscribeAgain();
  });
  navigator.permissions?.query({ name: "notifications" }).then((status) => {
    status.addEventListener("change", readPermission);
    readPermission(); // it may have changed while the browser was asked
  }, (error: unknown) => { console.warn(error); }); // then it is read when the app is put in front
  let known = "";
  effect(() => {
    const now = `${session.value?.id ?? ""} ${permission.value}`;
    if (now === known) return;
    known = now;
    void subscribeAgain();
  });
}

let asking: Promise<void> | null = null; // of two at once each would call off what the other has made

// Ask the server whether it still tells this phone, and subscribe anew where it does not.
export async function subscribeAgain(): Promise<void> {
  if (!canBeTold() || !isWanted() || !session.value || permission.value !== "granted") return;
  asking ??= subscribe().catch((error: unknown) => {
    // Without a network, or while signed out, what there was goes on to hold; it is asked about again.
    if (!isUnreached(error) && !isSignedOut.value) failure.value = error instanceof Error ? error.message : String(error);
  }).finally(() => { asking = null; });
  await asking;
}

async function subscribe(): Promise<void> {
  const response = await ask("/push-subscriptions");
  if (!response.ok) throw new Error(await messageOf(response));
  const { publicKey, isSubscribed } = (await response.json()) as PushState;
  await keepWords();
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  if (known && isSubscribed) { failure.value = ""; return; }
  // One that the server does not have was called off by the push service, or is another driver's.
  await known?.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const told = await ask("/push-subscriptions", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ endpoint: made.endpoint }),
  });
  if (!told.ok) throw new Error(await messageOf(told));
  failure.value = "";
}

// The worker knows no language: what it says is kept beside the app's files.
async function keepWords(): Promise<void> {
  const words = { title: t("noticeTitle"), body: t("noticeBody") };
  await (await caches.open(WORDS)).put(NOTICE_WORDS, Response.json(words));
}
