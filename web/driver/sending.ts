// Sending the journal. Two pumps run side by side: one for actions, which are small and say early
// what happened, and one for files. Either goes on by itself where the other is stuck; a single
// pump (files of a batch first) was measured to stand still at 15 % lost answers.
//
// A step does one thing and says how long to wait for the next: whoever runs the pumps waits, and
// a test runs the steps in whatever order it likes.
import type { Result, UploadState } from "./shapes";
import type { Store } from "./store";
import type { StoredAction, StoredFile } from "./stored";

export const DOOR = "/driver/api";
const MOST_AT_ONCE = 100;
const MOST_PART_BYTES = 1024 * 1024;
const LEAST_PART_BYTES = 64 * 1024; // 12 kbit/s bring it before a request ends
const PART_STEP = 4;
const PAUSES_MS = [1_000, 2_000, 5_000, 15_000, 30_000, 60_000];
const ASK_AGAIN_MS = 500;
const REQUEST_ENDS_MS = 45_000; // a connection in a dead zone may hang for ever
const FAST_MS = 5_000; // a larger part would arrive in time as well
const MOST_KNOWN = 1_000;
const SIGNED_OUT_MS = 60_000; // a driver who may not drive for now may do so again, with the same session

export interface Surroundings {
  fetch: (path: string, init: RequestInit) => Promise<Response>;
  now: () => number; // goes on evenly
  clock: () => number; // the phone's own, by which actions say when they were
  token: () => string; // "" while nobody is signed in
  hasNetwork: () => boolean; // false where the phone knows that there is none
  reached: (isReached: boolean) => void; // whether the last request found the service
  signedOut: (token: string) => void; // the session of this token is refused; by now there may be another
  signedIn: (token: string) => void; // it is taken
  settled: (routeIds: string[]) => void; // what is known of these routes has changed there
  stored: () => void; // what is kept has changed
}

export type Wait = number; // milliseconds; Infinity until somebody wakes the pump

// What a request came to: the network's failure is no status.
interface Heard { status: number; body: unknown; retryAfterMs: number; token: string }

// What the service has of this session's journal.
interface JournalThere { lastSequence: number; missing: Set<number> }

const has = ({ lastSequence, missing }: JournalThere, sequence: number) => sequence <= lastSequence && !missing.has(sequence);

const isSame = (one: JournalThere, other: JournalThere) =>
  one.lastSequence === other.lastSequence && one.missing.size === other.missing.size && [...one.missing].every((number) => other.missing.has(number));

// Whether what waits follows what the service has, without a hole and without going back.
function fits(there: JournalThere, actions: StoredAction[], next: number): boolean {
  const ahead = actions.find(({ sequence }) => sequence > there.lastSequence)?.sequence ?? next;
  return ahead === there.lastSequence + 1;
}

export class Sender {
  private readonly failures = { actions: 0, files: 0 };
  private most = MOST_AT_ONCE;
  private partBytes = MOST_PART_BYTES;
  private isReconciled = false;

  constructor(private readonly store: Store, private readonly around: Surroundings) {}

  // Compare numbers with the service again before the next batch, as after a new sign-up.
  startAgain(): void {
    this.isReconciled = false;
  }

  // Tried again at once: the network is back, or somebody asks.
  hurry(): void {
    this.failures.actions = 0;
    this.failures.files = 0;
  }

  async stepActions(): Promise<Wait> {
    if (!this.around.token() || !this.around.hasNetwork()) return Infinity;
    if (!this.isReconciled) {
      const wait = await this.reconcile();
      if (wait > 0) return wait;
      this.isReconciled = true;
    }
    const batch = await this.store.takeBatch(this.most, this.around.now());
    if (batch.length === 0) return this.untilReleased((await this.store.readJournal()).actions);
    this.around.stored();
    const sentAt = new Date(this.around.clock()).toISOString();
    const heard = await this.ask("POST", "/actions", { actions: batch, sentAt });
    if (heard?.status === 400 || heard?.status === 413) return this.refused(batch.map(({ id }) => id), heard);
    const wait = this.waitAfter(heard, "actions");
    if (wait > 0) return wait;
    this.most = MOST_AT_ONCE;
    await this.store.settle((heard!.body as { results: Result[] }).results, this.store.tick());
    this.around.stored();
    this.around.settled([...new Set(batch.map(({ routeId }) => routeId))]);
    return 0;
  }

  // A batch that is refused as a whole is sent in smaller ones, so that one action that cannot be
  // read keeps none of the others back. It stays on the phone, with what was said of it.
  private async refused(ids: string[], heard: Heard): Promise<Wait> {
    this.failures.actions = 0;
    if (ids.length > 1) {
      this.most = Math.max(1, Math.floor(ids.length / 2));
      return 0;
    }
    const message = (heard.body as { message?: string } | null)?.message ?? `status ${heard.status}`;
    await this.store.settle([{ id: ids[0]!, outcome: "REFUSED", reason: "", message }], this.store.tick());
    this.most = MOST_AT_ONCE;
    this.around.stored();
    return 0;
  }

  private untilReleased(actions: StoredAction[]): Wait {
    const first = actions[0];
    return first ? Math.max(1, first.holdUntil - this.around.now()) : Infinity;
  }

  // Numbers that the service has under other ids (a phone restored from a backup), that neither side
  // has any more (a service restored from one), or that arrived under an earlier session, are given
  // anew: the service is asked which of the waiting actions it knows, and the rest follows what it
  // has.
  private async reconcile(): Promise<Wait> {
    const before = await this.readJournalThere();
    if (typeof before === "number") return before;
    const { actions } = await this.store.readJournal();
    const next = await this.store.readNextNumber();
    if (fits(before, actions, next) && !actions.some(({ isSent }) => isSent)) return 0;
    const known = new Set<string>();
    for (let at = 0; at < actions.length; at += MOST_KNOWN) {
      const ids = actions.slice(at, at + MOST_KNOWN).map(({ action }) => action.id);
      const answer = await this.ask("POST", "/journal/known", { ids });
      const wait = this.waitAfter(answer, "actions");
      if (wait > 0) return wait;
      for (const id of (answer!.body as { known: string[] }).known) known.add(id);
    }
    // What was still under way may have arrived between the questions, whose answers then do not
    // belong together: an action would look unknown under a number that is taken, by itself.
    const after = await this.readJournalThere();
    if (typeof after === "number") return after;
    if (!isSame(before, after)) return ASK_AGAIN_MS;
    const isTheirs = ({ sequence, action }: StoredAction) => known.has(action.id) === has(after, sequence);
    if (fits(after, actions, next) && actions.every(isTheirs)) return 0; // only answers were lost
    await this.store.restartJournal([...known], after.lastSequence + 1);
    this.around.stored();
    return 0;
  }

  private async readJournalThere(): Promise<JournalThere | Wait> {
    const heard = await this.ask("GET", "/journal");
    const wait = this.waitAfter(heard, "actions");
    if (wait > 0) return wait;
    const { lastSequence, gaps } = heard!.body as { lastSequence: number; gaps: number[] };
    return { lastSequence, missing: new Set(gaps) };
  }

  async stepFiles(): Promise<Wait> {
    if (!this.around.token() || !this.around.hasNetwork()) return Infinity;
    const { files, actions } = await this.store.readJournal();
    const held = new Map(actions.map(({ action, holdUntil }) => [action.uploadId, holdUntil]));
    const open = files.filter(({ isComplete, trouble }) => !isComplete && !trouble);
    const file = open.find(({ uploadId }) => (held.get(uploadId) ?? 0) <= this.around.now());
    if (!file) return open.length ? Math.max(1, Math.min(...open.map(({ uploadId }) => held.get(uploadId) ?? 0)) - this.around.now()) : Infinity;
    const state = await this.ask("GET", `/uploads/${file.uploadId}`);
    const received = state?.status === 404 ? 0 : (state?.body as UploadState | undefined)?.received ?? 0;
    if (state?.status !== 404) {
      const wait = this.waitAfter(state, "files");
      if (wait > 0) return wait;
      if ((state!.body as UploadState).complete) return this.arrived(file);
    }
    return this.sendPart(file, received);
  }

  private async sendPart(file: StoredFile, received: number): Promise<Wait> {
    const rows = await this.store.readBytes(file.uploadId);
    const whole = new Uint8Array(await new Blob(rows).arrayBuffer());
    const part = whole.subarray(received, received + this.partBytes);
    const range = `bytes ${received}-${received + part.byteLength - 1}/${file.size}`;
    const begunAt = this.around.now();
    const heard = await this.ask("PUT", `/uploads/${file.uploadId}`, part, {
      "Content-Type": "application/octet-stream", "Content-Range": range, "X-Content-SHA256": file.sha256,
    });
    this.fitPart(heard !== null, this.around.now() - begunAt);
    const refusal = heard?.body as { code?: number; message?: string } | null | undefined;
    // Code 9 says where to go on, or that the file is here under another hash: the next step asks.
    if (heard?.status === 400 && refusal?.code !== 9) {
      await this.store.noteFile(file.uploadId, { trouble: refusal?.message ?? "refused" });
      this.around.stored();
      return 0;
    }
    const wait = this.waitAfter(heard, "files");
    if (wait > 0) return wait;
    return (heard!.body as UploadState).complete ? this.arrived(file) : 0;
  }

  // The service keeps parts that are whole: one that never arrives in time on a weak line is sent in
  // smaller ones, each of which counts.
  private fitPart(isAnswered: boolean, tookMs: number): void {
    if (!isAnswered) this.partBytes = Math.max(LEAST_PART_BYTES, this.partBytes / PART_STEP);
    else if (tookMs < FAST_MS) this.partBytes = Math.min(MOST_PART_BYTES, this.partBytes * PART_STEP);
  }

  private async arrived(file: StoredFile): Promise<Wait> {
    await this.store.noteFile(file.uploadId, { isComplete: true });
    this.around.stored();
    this.around.settled([file.routeId]);
    return 0;
  }

  // How long to wait before what failed is tried again; 0 where it did not fail.
  private waitAfter(heard: Heard | null, pump: "actions" | "files"): Wait {
    if (heard && heard.status >= 200 && heard.status < 300) {
      this.failures[pump] = 0;
      this.around.signedIn(heard.token);
      return 0;
    }
    if (heard?.status === 401) {
      this.around.signedOut(heard.token);
      this.isReconciled = false; // asked about first: what was not sent can still be taken back
      return SIGNED_OUT_MS;
    }
    const pause = PAUSES_MS[Math.min(this.failures[pump], PAUSES_MS.length - 1)]!;
    this.failures[pump] += 1;
    return Math.max(pause, heard?.retryAfterMs ?? 0);
  }

  private async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Heard | null> {
    const isJson = body !== undefined && !(body instanceof Uint8Array);
    const token = this.around.token();
    const init: RequestInit = {
      method, cache: "no-store", credentials: "omit", redirect: "error", signal: AbortSignal.timeout(REQUEST_ENDS_MS),
      headers: { Authorization: `Bearer ${token}`, ...(isJson ? { "Content-Type": "application/json" } : {}), ...headers },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as BodyInit) }),
    };
    try {
      const response = await this.around.fetch(DOOR + path, init);
      const text = await response.text();
      this.around.reached(true);
      return { status: response.status, body: readJson(text), retryAfterMs: (Number(response.headers.get("Retry-After")) || 0) * 1000, token };
    } catch {
      // No answer, or half of one. The next batch waits until the service is heard of: what was not
      // sent can still be taken back.
      this.around.reached(false);
      this.isReconciled = false;
      return null;
    }
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // what a proxy says in its own words
  }
}
