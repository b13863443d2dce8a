// What sends the journals of this phone: two pumps for the open one, and two for each that was put
// aside, under the session of its own driver.
import { signal } from "@preact/signals";
import { Journals, countWaiting, type Aside } from "./journals";
import { Sender } from "./sending";
import type { Driver } from "./shapes";
import { unlessFull } from "./space";
import { steadyNow } from "./steady";
import { Store } from "./store";
import type { Session } from "./stored";

// What an answer about the open journal leads to.
interface Heard { reached: (isReached: boolean) => void; settled: () => void; stored: () => void }

export const UNDO_MS = 10_000; // how long a recording can be taken back

let journals: Journals;
let heard: Heard;
export let store: Store; // the open journal
const tokens = new Map<Store, string>(); // of the session under which a journal is sent
const refused = new Set<Store>(); // whose session is over, or may be used again once its driver is activated
const senders = new Map<Store, Sender>();

export const isSignedOut = signal(false);
export const hasNetwork = signal(navigator.onLine);

export async function openJournals(then: Heard, lost: () => void): Promise<void> {
  endPumps();
  tokens.clear();
  refused.clear();
  senders.clear();
  isSignedOut.value = false;
  heard = then;
  journals = await Journals.open((name) => Store.open(name, undefined, lost));
  const { session } = await journals.current.readContents();
  if (session) tokens.set(journals.current, session.token);
  for (const { store: own, session: { token } } of journals.aside) tokens.set(own, token);
  store = journals.current;
  // By a clock that was set back since, what is held would be held for hours.
  for (const own of allJournals()) await own.release(steadyNow() + UNDO_MS).catch(unlessFull);
}

// Have the journal of this driver open, and what waits in it sent under this session.
export async function useJournalOf(session: Session): Promise<void> {
  await journals.signIn(session);
  store = journals.current;
  tokens.set(store, session.token);
  refused.delete(store);
  isSignedOut.value = false;
  senderOf(store).startAgain();
  senderOf(store).hurry();
  wake();
}

export async function emptyJournal(): Promise<void> {
  await store.clear();
  tokens.delete(store);
  refused.delete(store);
  isSignedOut.value = false;
}

// Bound to one journal and the token of its driver: what one recorded never goes out as another's.
function senderOf(own: Store): Sender {
  const known = senders.get(own) ?? new Sender(own, {
    fetch: (path, init) => fetch(path, init),
    now: steadyNow,
    clock: () => Date.now(),
    hasNetwork: () => hasNetwork.value,
    token: () => tokens.get(own) ?? "",
    reached: (isReached) => { heard.reached(isReached); },
    signedOut: noteSignedOut,
    signedIn: noteSignedIn,
    settled: () => { if (own === store) heard.settled(); },
    stored: () => { if (own === store) heard.stored(); else void mirrorAside(); },
  });
  senders.set(own, known);
  return known;
}

const journalOf = (token: string): Store | undefined => [...tokens].find(([, known]) => known === token)?.[0];

// The session of this token is refused. Nobody knows for how long: it is tried again.
export function noteSignedOut(token: string): void {
  const own = journalOf(token);
  if (!own || refused.has(own)) return;
  refused.add(own);
  if (own === store) isSignedOut.value = true;
  else void mirrorAside();
}

// The session of this token is taken. Where it was refused before, what waited for that goes on.
export function noteSignedIn(token: string): void {
  const own = journalOf(token);
  if (!own || !refused.delete(own)) return;
  if (own === store) {
    isSignedOut.value = false;
    heard.settled();
  } else void mirrorAside();
  hurry();
}

let wakeUp = () => {};
let woken = new Promise<void>((resolve) => { wakeUp = resolve; });

export function wake(): void {
  wakeUp();
  woken = new Promise((resolve) => { wakeUp = resolve; });
}

// What failed is tried again at once.
export function hurry(): void {
  for (const one of senders.values()) one.hurry();
  wake();
}

let turn = 0; // of the pumps that run: a tab that is left has none

export function endPumps(): void {
  turn += 1;
  wake();
}

const FULL_MS = 15_000; // a phone without room is tried again: something may have left it

async function run(step: () => Promise<number>, isOver = () => false): Promise<void> {
  const mine = turn;
  while (turn === mine && !isOver()) {
    const until = woken; // taken before the step, so that nothing recorded during it is slept through
    const wait = await step().catch((error: unknown) => { unlessFull(error); return FULL_MS; });
    if (wait > 0) await Promise.race([until, ...(wait === Infinity ? [] : [new Promise((resolve) => { setTimeout(resolve, wait); })])]);
  }
}

export function runPumps(ended: (error: unknown) => void): void {
  run(() => senderOf(store).stepActions()).catch(ended);
  run(() => senderOf(store).stepFiles()).catch(ended);
}

// --- what was put aside --------------------------------------------------------------------------

// What waits of drivers who have signed in here before.
export interface AsideShown { id: string; name: string; count: number; isOver: boolean }
export const aside = signal<AsideShown[]>([]);
const underWay = new Set<Aside>();

export const nameOf = ({ firstName, lastName }: Pick<Driver, "firstName" | "lastName">) => `${firstName} ${lastName}`.trim();

async function mirrorAside(): Promise<void> {
  const shown: AsideShown[] = [];
  for (const one of journals.aside) {
    const count = countWaiting(await one.store.readJournal());
    if (!await journals.forget(one)) shown.push({ id: one.session.id, name: nameOf(one.session.driver), count, isOver: refused.has(one.store) });
  }
  aside.value = shown;
}

export async function sendAside(): Promise<void> {
  for (const one of journals.aside) {
    if (underWay.has(one)) continue;
    underWay.add(one);
    const isOver = () => !journals.aside.includes(one);
    const own = senderOf(one.store);
    for (const step of [() => own.stepActions(), () => own.stepFiles()]) run(step, isOver).catch((error: unknown) => { console.error(error); });
  }
  await mirrorAside();
}

// The journals on this phone, the open one first.
export const allJournals = (): Store[] => [store, ...journals.aside.map((one) => one.store)];
