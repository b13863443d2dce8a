// Being told, while the app is closed, that a planner has changed something. The signal has no content:
// the service worker shows words that are kept here, and the app reads the route itself.
import { effect } from "@preact/signals";
import { ask, choices, keepChoice, messageOf, session } from "./app";
import { t } from "./words";

const CHOICE = "pushes";
const WORDS = "roundsman-notice";
const NOTICE_WORDS = "/driver/notice.json";

interface PushState { publicKey: string; isSubscribed: boolean }

export const canBeTold = (): boolean => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
export const isTold = (): boolean => choices.value[CHOICE] === "on";

// Return what is in the way, "" when this phone is told from now on.
export async function beTold(): Promise<string> {
  if (await Notification.requestPermission() !== "granted") return t("noticesBlocked");
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

// Browsers end subscriptions, and so does a new session: whoever wants to be told goes on to be.
export function stayTold(): void {
  let known = "";
  effect(() => {
    const id = session.value?.id ?? "";
    if (id === known) return;
    known = id;
    subscribeAgain().catch((error: unknown) => { console.warn(error); }); // the next start tries again
  });
}

async function subscribeAgain(): Promise<void> {
  if (!canBeTold() || !isTold() || !session.value || Notification.permission !== "granted") return;
  await subscribe();
}

async function subscribe(): Promise<void> {
  const response = await ask("/push-subscriptions");
  if (!response.ok) throw new Error(await messageOf(response));
  const { publicKey, isSubscribed } = (await response.json()) as PushState;
  await keepWords();
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  if (known && isSubscribed) return;
  // One that the server does not have was called off by the push service, or is another driver's.
  await known?.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const told = await ask("/push-subscriptions", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ endpoint: made.endpoint }),
  });
  if (!told.ok) throw new Error(await messageOf(told));
}

// The worker knows no language: what it says is kept beside the app's files.
async function keepWords(): Promise<void> {
  const words = { title: t("noticeTitle"), body: t("noticeBody") };
  await (await caches.open(WORDS)).put(NOTICE_WORDS, Response.json(words));
}
