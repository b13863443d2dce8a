// The state of the app: a mirror of what the store holds, and everything that changes it.
import { batch, computed, signal } from "@preact/signals";
import { addToDraft, isForgotten, splitDrafts, type Draft, type Drafts, type Recorded } from "./drafts";
import { lookedAfter, lookedOnceRead, newsOf, orderOf, type Looked, type News } from "./news";
import { deniedBy } from "./overtaken";
import { isAt, path, stopAddress } from "./places";
import { DOOR } from "./sending";
import { endsRoute, isDone, parcelOf, showRoute } from "./shown_route";
import { countWaiting, waitingActions, waitingPictures } from "./journals";
import { UNDO_MS, emptyJournal, hasNetwork, hurry, isSignedOut, noteSignedIn, noteSignedOut, openJournals, runPumps, sendAside, store, useJournalOf, wake } from "./pumps";
import { isFull, room, unlessFull } from "./space";
import { steadyNow } from "./steady";
import type { Journal, KeptRoute, NewDeed, Session, Settled, StoredAction, StoredFile, Undoable } from "./stored";
import type { Action, Deed, Driver, Fix, Organization, Route, RouteSummary } from "./shapes";
import { t } from "./words";

export type Phase = "starting" | "insecure" | "noStorage" | "lost" | "elsewhere" | "ready";

const READ_EVERY_MS = 30_000;
const LOOK_EVERY_MS = 5_000; // while the list of routes is on the screen: somebody waits for one
const POSITION_OFFLINE_MS = 300_000;
const MISSED_IS_OFFLINE = 2;
const FIX_IS_FRESH_MS = 60_000;

export const phase = signal<Phase>("starting");
const isLeft = () => phase.peek() === "elsewhere"; // another tab has the journal
export const session = signal<Session | null>(null);
export const actions = signal<StoredAction[]>([]);
export const files = signal<StoredFile[]>([]);
export const settled = signal<Settled[]>([]);
export const list = signal<RouteSummary[]>([]);
export const routes = signal<Record<string, KeptRoute>>({});
export const drafts = signal<Drafts>({});
export const choices = signal<Record<string, string>>({});
export const looked = signal<Looked>({}); // how the driver saw each started route last
export const trouble = signal("");
export const lastFix = signal<{ fix: Fix; at: number } | null>(null);
const missed = signal(0);

export const isOffline = computed(() => !hasNetwork.value || missed.value >= MISSED_IS_OFFLINE);
export const waitingCount = computed(() => waitingActions({ actions: actions.value }).length);
export const waitingFiles = computed(() => waitingPictures({ files: files.value }).length);
export const unsentCount = computed(() => countWaiting({ actions: actions.value, files: files.value }));

// What was refused, until the driver has read why and puts it away.
export const unreadActions = computed(() => settled.value.filter(({ result, isRead }) => result.outcome === "REFUSED" && !isRead).map(({ id }) => id));
export const unreadFiles = computed(() => files.value.filter(({ trouble: why, isRead }) => why && !isRead).map(({ uploadId }) => uploadId));
export const refusedCount = computed(() => unreadActions.value.length + unreadFiles.value.length);

export async function putAway(actionIds: string[], uploadIds: string[]): Promise<void> {
  await store.noteRead(actionIds, uploadIds).catch(unlessFull);
  await mirrorJournal();
}

// What came to nothing, until the driver has read so.
export const unseen = computed(() => settled.value.filter(({ isUnseen }) => isUnseen));

export async function seeUnseen(): Promise<void> {
  await store.noteSeen(unseen.value.map(({ id }) => id)).catch(unlessFull);
  await mirrorJournal();
}

// What stands on top of the last answer: waiting actions, and answered ones that no answer about
// their route shows yet.
const overlay = computed<Action[]>(() => [
  ...settled.value.filter(({ isShown, result }) => !isShown && (result.outcome === "APPLIED" || result.reason === "WAITING")).map(({ action }) => action),
  ...actions.value.map(({ action }) => action),
]);

// A route that is not on the list is gone; before the list is read after a start nobody knows.
const listReadOf = signal(""); // of which session
export const isRouteGone = (id: string) => !!session.value && listReadOf.value === session.value.id && !list.value.some((route) => route.id === id && !route.claimable);

export function routeOf(id: string): Route | null {
  const kept = routes.value[id];
  return kept ? showRoute(kept.route, overlay.value) : null;
}

export async function openStore(): Promise<void> {
  await openJournals({ reached: noteReached, settled: () => { void readRoutes(); }, stored: () => { void mirrorJournal(); } }, () => { phase.value = "lost"; });
  await mirrorAll();
  await mirrorDrafts();
}

// Not with the rest: a key may be pressed while that is read.
async function mirrorDrafts(): Promise<void> {
  drafts.value = (await store.readContents()).drafts;
}

async function mirrorJournal(): Promise<void> {
  const own = store;
  const journal = await own.readJournal();
  if (own !== store) return; // somebody else has signed in meanwhile
  showJournal(journal);
}

function showJournal(journal: Journal): void {
  // In one go: a route that the driver has put into another order is no news in between.
  batch(() => {
    looked.value = journal.looked;
    actions.value = journal.actions;
    files.value = journal.files;
    settled.value = journal.settled;
    offerUndo(journal);
  });
}

// Both in one go: an answer about a route stands beside what it does not show yet.
async function mirrorAll(): Promise<void> {
  const own = store;
  const [contents, journal] = await Promise.all([own.readContents(), own.readJournal()]);
  if (own !== store) return;
  batch(() => {
    session.value = contents.session;
    list.value = contents.list;
    choices.value = contents.choices;
    routes.value = Object.fromEntries(contents.routes.map((kept) => [kept.id, kept]));
    showJournal(journal);
  });
}

function noteReached(isReached: boolean): void {
  missed.value = isReached ? 0 : missed.value + 1;
}

// --- recording -----------------------------------------------------------------------------------

export const undoable = signal<Undoable | null>(null);
let undoEnds = 0;

// What no later action can correct waits as long as it can be taken back, as does what ends the route:
// the service corrects no stop of a completed one. The rest goes at once.
const HELD = new Set(["PHOTO", "SIGNATURE", "BARCODE", "PROOF_NOTE", "TASK_COMPLETED", "STOP_ARRIVED"]);

export interface Recording {
  deeds: NewDeed[];
  correct?: Deed[]; // what takes it back when it was sent already
  label?: string; // without one it cannot be taken back
  typed?: Recorded[]; // what was typed and is in these deeds
}

// How the driver finds again what an action was about: its stop's parcel, else the route.
function nameOfDeed({ routeId, stopId, taskId }: Deed): string {
  const route = routeOf(routeId);
  const stop = route?.stops.find(({ id, tasks }) => (taskId ? tasks.some((task) => task.id === taskId) : id === stopId));
  return (stop ? parcelOf(stop) : route?.name) ?? "";
}

let recording: Recorded[] = []; // what of the drafts is being written
// What is typed and goes along with the next tap: nothing that the one before it has taken already.
export const draftsLeft = (): Drafts => splitDrafts(drafts.value, recording).left;

// Record what the driver did; the screen changes when the phone has it for good.
export async function record({ deeds, correct = [], label = "", typed = [] }: Recording): Promise<boolean> {
  const fix = lastFix.value && steadyNow() - lastFix.value.at < FIX_IS_FRESH_MS ? lastFix.value.fix : undefined;
  const first = (deeds.find(({ deed }) => deed.stopId) ?? deeds[0]!).deed;
  const isLast = endsRoute(routeOf(first.routeId), deeds.map(({ deed }) => deed));
  const until = steadyNow() + UNDO_MS;
  const stamped = deeds.map(({ deed, file, name = nameOfDeed(deed) }) => ({
    deed: fix ? { ...deed, position: fix } : deed, ...(file ? { file } : {}), name, holdUntil: label && (isLast || HELD.has(deed.kind)) ? until : 0,
  }));
  recording = [...recording, ...typed];
  try {
    if (undoable.value) await store.release();
    const names = [...new Set(stamped.map(({ name }) => name))].join(", ");
    const offer = label ? { label, name: names, routeId: first.routeId, stopId: first.stopId ?? "", correct: isLast ? [] : correct, until } : null;
    const seen = (known: Looked) => lookedAfter(known, deeds.map(({ deed }) => deed), routeOf);
    await store.record(stamped, new Date().toISOString(), { typed, offer, looked: seen });
    trouble.value = "";
    if (room.value === "none") room.value = "little";
    if (typed.length) drafts.value = splitDrafts(drafts.value, typed).left;
    await mirrorJournal();
  } catch (error) {
    // That the phone is full is said for as long as it is.
    trouble.value = isFull(error) ? "" : t("failedToSave", { reason: error instanceof Error ? error.message || error.name : String(error) });
    return false;
  } finally {
    recording = recording.filter((one) => !typed.includes(one));
  }
  wake();
  return true;
}

// Nothing takes back what was sent and no later action corrects.
function offerUndo({ undoable: offered, actions: waiting }: Journal): void {
  clearTimeout(undoEnds);
  const unsent = new Set(waiting.filter(({ isSent }) => !isSent).map(({ action }) => action.id));
  const canUndo = !!offered && (offered.correct.length > 0 || offered.ids.every((id) => unsent.has(id)));
  const left = canUndo ? offered.until - steadyNow() : 0;
  undoable.value = left > 0 ? offered : null;
  if (left > 0) undoEnds = window.setTimeout(() => { undoable.value = null; }, left);
}

// Take the last recording back, with what was typed before it.
export async function undo(): Promise<void> {
  if (!undoable.value) return;
  const { correct } = undoable.value;
  undoable.value = null;
  const seen = (known: Looked) => lookedAfter(known, correct, routeOf);
  try {
    const { drafts: restored } = await store.takeBack(new Date().toISOString(), seen);
    await mirrorJournal();
    drafts.value = restored; // not before the stop is shown as open again, which they were typed at
  } catch (error) {
    unlessFull(error);
  }
  wake();
}

// A position is the last that was told, not one of a line: it is no action that a driver did.
export async function recordPosition(routeId: string, position: Fix): Promise<void> {
  if (isLeft()) return;
  if (isOffline.value && actions.value.some(({ action, isSent }) => action.kind === "POSITION" && !isSent && Math.abs(Date.now() - Date.parse(action.at)) < POSITION_OFFLINE_MS)) return;
  await store.record([{ deed: { kind: "POSITION", routeId, position } }], new Date().toISOString());
  await mirrorJournal();
  wake();
}

// Keep what was typed, as it is typed: the phone may close the app before the next tap.
async function keepDraft(key: string, routeId: string, change: Partial<Draft>): Promise<void> {
  const stop = routeOf(routeId)?.stops.find(({ id }) => id === key);
  const typed: Draft = { ...change, routeId, typedAt: Date.now(), isOfOpen: !!stop && !isDone(stop) };
  drafts.value = addToDraft(drafts.value, key, typed);
  await store.saveDraft(key, typed).catch(unlessFull);
}

export const keepStopDraft = (stop: { routeId: string; stopId: string }, change: Pick<Draft, "note" | "recipientName" | "leftWith" | "code" | "signature">): Promise<void> =>
  keepDraft(stop.stopId, stop.routeId, change);

export const keepTaskDraft = (key: string, routeId: string, taskId: string, text: string): Promise<void> =>
  keepDraft(key, routeId, { tasks: { [taskId]: text } });

// Forget what was typed at stops that somebody else has ended, but for the one on the screen, and on
// routes that have left the phone.
async function forgetDrafts(): Promise<void> {
  const isOver = ([key, draft]: [string, Draft]) => {
    const { routeId = "" } = draft;
    const stop = routeOf(routeId)?.stops.find(({ id }) => id === key);
    const isEnded = !!stop && isDone(stop) && !isAt(stopAddress(routeId, key));
    return isForgotten(draft, { isDone: isEnded, isGone: isRouteGone(routeId), now: Date.now() });
  };
  const over = Object.entries(drafts.value).filter(isOver).map(([key]) => ({ key }));
  if (over.length) await dropDrafts(over);
}

// What is put away is gone from the screen once the phone has forgotten it.
export async function dropDrafts(dropped: Recorded[]): Promise<void> {
  await store.dropDrafts(dropped).catch(unlessFull);
  drafts.value = splitDrafts(drafts.value, dropped).left;
}

export const OPENED = "openedRoute"; // the choice that names the route that was on the screen last

export async function keepOpened(routeId: string): Promise<void> {
  if (choices.peek()[OPENED] !== routeId) await keepChoice(OPENED, routeId);
}

export async function keepChoice(name: string, value: string): Promise<void> {
  choices.value = { ...choices.value, [name]: value };
  await store.saveChoice(name, value).catch(unlessFull);
}

export const readFile = (uploadId: string): Promise<ArrayBuffer[]> => store.readBytes(uploadId);

// --- sending -------------------------------------------------------------------------------------

export function sendNow(): void {
  hurry();
  void readRoutes();
}

// Start both pumps, and whatever else goes on by itself. A store that was closed ends them; the
// page says so and is loaded again.
export function goOn(): void {
  const ended = (error: unknown) => { console.error(error); phase.value = "lost"; };
  runPumps(ended);
  sendAside().catch(ended);
  if (!isWatching) watch();
  void readRoutes();
  void readSession();
}

// A phone that is put away may not wake up again.
function releaseHeld(): void {
  if (!isLeft()) void store.release().catch(unlessFull).then(wake);
}

let isWatching = false; // a tab that was left and is used again goes on as it did

function watch(): void {
  isWatching = true;
  addEventListener("online", () => { hasNetwork.value = true; sendNow(); });
  addEventListener("offline", () => { hasNetwork.value = false; });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") sendNow();
    else releaseHeld();
  });
  addEventListener("pagehide", releaseHeld);
  let readAt = steadyNow();
  setInterval(() => {
    const due = !path.value.startsWith("route/") && path.value !== "sync" && !isSignedOut.value ? LOOK_EVERY_MS : READ_EVERY_MS;
    if (document.visibilityState !== "visible" || steadyNow() - readAt < due) return;
    readAt = steadyNow();
    void readRoutes();
    if (path.value === "sync") void readSession();
  }, LOOK_EVERY_MS);
}

// --- reading -------------------------------------------------------------------------------------

export async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const token = session.value?.token ?? "";
  try {
    const response = await fetch(DOOR + path, {
      ...init, cache: "no-store", credentials: "same-origin", redirect: "error", signal: AbortSignal.timeout(30_000),
      headers: { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...init.headers },
    });
    noteReached(true);
    if (response.status === 401) noteSignedOut(token);
    return response;
  } catch (error) {
    noteReached(false);
    throw error;
  }
}

// Called with each route that has been read; whoever keeps more of it sets this.
let routeLoaded: (route: Route) => void = () => {};
export function whenRouteLoaded(then: (route: Route) => void): void {
  routeLoaded = then;
}

let reading: Promise<void> | null = null;
let isAskedAgain = false;

// Read the list and every route on it; whoever asks meanwhile gets what is read after that.
export async function readRoutes(): Promise<void> {
  if (!session.value || isLeft()) return;
  isAskedAgain = true;
  reading ??= (async () => {
    while (isAskedAgain) {
      isAskedAgain = false;
      await readRoutesOnce();
    }
  })().catch(() => undefined).finally(() => { reading = null; }); // the status line says that the service is not reached
  await reading;
}

// Compared as shown, so that the driver's own doing is no news.
export const newsAbout = (id: string): News | null => newsOf(looked.value[id], routeOf(id));

async function keepLooked(change: (known: Looked) => Looked): Promise<void> {
  if (JSON.stringify(change(looked.value)) === JSON.stringify(looked.value)) return;
  await store.changeLooked(change).catch(unlessFull);
  await mirrorJournal();
}

export async function seeNews(id: string): Promise<void> {
  const route = routeOf(id);
  if (route) await keepLooked((known) => ({ ...known, [id]: orderOf(route) }));
}

async function readRoutesOnce(): Promise<void> {
  if (!session.value || isLeft()) return;
  const [{ id: own, token }, journal] = [session.value, store];
  const isOver = () => store !== journal || session.value?.id !== own || isLeft(); // somebody else has signed in meanwhile
  const response = await ask("/routes");
  if (!response.ok) return;
  noteSignedIn(token);
  const found = ((await response.json()) as { routes: RouteSummary[] }).routes;
  if (isOver()) { isAskedAgain = true; return; }
  await store.saveList(found);
  for (const { id, claimable, completed } of found) {
    if (!claimable && !(completed && (routes.value[id] || room.value !== "plenty"))) await readRoute(id, isOver);
    if (isOver()) { isAskedAgain = true; return; }
  }
  await mirrorAll();
  listReadOf.value = session.value?.id ?? "";
  await forgetDrafts();
  await keepLooked((known) => lookedOnceRead(known, found.flatMap(({ id }) => routeOf(id) ?? [])));
  await noteOvertaken(isOver);
  for (const { route } of Object.values(routes.value)) routeLoaded(route);
}

const MOST_ASKED = 1_000;
const askedAbout = new Set<string>(); // an action and the answer that denies it: once is enough

// What another device has said otherwise about did not count in the end: the driver reads so, once.
async function noteOvertaken(isOver: () => boolean): Promise<void> {
  const denied = Object.values(routes.value).flatMap(({ route, tag }) => deniedBy(route, settled.value).map((id) => ({ id, key: `${id} ${tag}` })));
  const open = denied.filter(({ key }) => !askedAbout.has(key)).slice(0, MOST_ASKED);
  if (open.length === 0) return;
  const body = JSON.stringify({ ids: open.map(({ id }) => id) });
  const response = await ask("/journal/known", { method: "POST", body, headers: { "Content-Type": "application/json" } });
  if (!response.ok) return;
  for (const { key } of open) askedAbout.add(key);
  const { superseded } = (await response.json()) as { superseded: string[] };
  if (superseded.length === 0 || isOver()) return;
  await store.noteSuperseded(superseded).catch(unlessFull);
  await mirrorJournal();
}

async function readRoute(id: string, isOver: () => boolean): Promise<void> {
  const tag = routes.value[id]?.tag ?? "";
  const askedAt = store.tick();
  const response = await ask(`/routes/${encodeURIComponent(id)}`, tag ? { headers: { "If-None-Match": tag } } : {});
  const route = response.ok ? (await response.json()) as Route : null;
  if (isOver()) return;
  if (response.status === 304) return store.saveRoute({ id }, askedAt);
  if (!route) return;
  await store.saveRoute({ id, route, tag: response.headers.get("ETag") ?? "" }, askedAt);
}

// Claim a route; return what is in the way, "" when it is the driver's.
export async function claim(id: string): Promise<string> {
  try {
    const response = await ask(`/routes/${encodeURIComponent(id)}/claim`, { method: "POST" });
    if (!response.ok) return ((await response.json()) as { message?: string }).message ?? `status ${response.status}`;
  } catch {
    return t("noNetwork");
  } finally {
    await readRoutes();
  }
  return "";
}

export interface Tracker { token: string; url: string }

// Get the token of a program that tells where the driver is; an earlier one is good no more.
export async function connectTracker(): Promise<Tracker> {
  const response = await ask("/tracker", { method: "POST" });
  if (!response.ok) throw new Error(await messageOf(response));
  return (await response.json()) as Tracker;
}

// --- the session -----------------------------------------------------------------------------------

export interface SignedIn { driver: Driver; organization: Organization; session: { id: string; device: string }; token: string }

export async function messageOf(response: Response): Promise<string> {
  const { message } = (await response.json().catch(() => ({}))) as { message?: string };
  return message ?? `status ${response.status}`;
}

// What waits of this driver goes on under the new session, numbered from 1: the next step of the pump
// sees to it. What waits of another one goes on under theirs.
export async function keepSignedIn(signedIn: SignedIn): Promise<void> {
  const { driver, organization, token } = signedIn;
  await useJournalOf({ id: signedIn.session.id, device: signedIn.session.device, driver, organization, token });
  await mirrorAll();
  await mirrorDrafts();
  await sendAside();
  void navigator.storage?.persist?.(); // some browsers ask, and the answer may take its time
  void readSession();
  await readRoutes();
}

export async function readSession(): Promise<void> {
  const known = session.value;
  if (!known || isLeft()) return;
  try {
    const response = await ask("/session");
    if (!response.ok) return;
    const { driver, organization } = (await response.json()) as { driver: Driver; organization: Organization };
    if (session.value?.id !== known.id) return; // somebody else has signed in meanwhile
    await store.saveSession({ ...known, driver, organization });
    await mirrorAll();
  } catch {
    // what is known from the last time goes on to hold
  }
}

// Forget all that is this driver's; what others have put aside stays.
export async function forgetSession(): Promise<void> {
  await emptyJournal();
  await mirrorAll();
  await mirrorDrafts();
}
