// What the phone keeps: the journal, the files that it names, and the last answer about each route.
// On a phone without room what can be had again goes, what was recorded stays, and what was answered
// is held as long as the app is open: sending needs no room, and makes some.
//
// Whatever a driver does is one transaction with strict durability: action, number and file rows
// are there together or not at all, and the screen changes after it has committed. Bytes are kept
// as ArrayBuffers in rows of 256 KB, never as Files or Blobs, which some phones lose.
import { openDB, type IDBPDatabase } from "idb";
import type { Looked } from "./news";
import { addToDraft, reopenDrafts, splitDrafts, type Draft, type Drafts, type Recorded } from "./drafts";
import { forgetTiles, isFull, room } from "./space";
import type { Action, Result, RouteSummary } from "./shapes";
import { cameToNothing, noneUnwritten, proofIn, renewed, type Contents, type Journal, type KeptRoute, type Meta, type Name, type NewDeed, type NewFile, type Offer, type Registry, type Schema, type Session, type Settled, type StoredAction, type StoredFile, type Undoable, type Writing } from "./stored";

const ROW_BYTES = 256 * 1024;
const SETTLED_KEPT = 500;
const TRIAL = "trial"; // where it is tried whether there is room
const MOST_RANDOM = 65_536; // bytes that a browser makes at once
const EVERY: Name[] = ["meta", "actions", "files", "rows", "settled", "routes"];

export class Store {
  private ticks = 0;
  private unwritten = noneUnwritten();

  private constructor(private readonly database: IDBPDatabase<Schema>, private readonly newId: () => string) {}

  // The order of what was asked and what was answered, whatever the clock does.
  tick(): number {
    this.ticks += 1;
    return this.ticks;
  }

  static async open(name = "roundsman-driver", newId: () => string = () => crypto.randomUUID(), lost: () => void = () => undefined): Promise<Store> {
    const database = await openDB<Schema>(name, 1, {
      upgrade(made) {
        made.createObjectStore("meta", { keyPath: "key" });
        made.createObjectStore("actions", { keyPath: "sequence" });
        made.createObjectStore("files", { keyPath: "uploadId" });
        made.createObjectStore("rows", { keyPath: ["uploadId", "index"] });
        made.createObjectStore("settled", { keyPath: "id" });
        made.createObjectStore("routes", { keyPath: "id" });
      },
      terminated: lost, // a phone that closed the database while the app was away
    });
    const store = new Store(database, newId);
    store.ticks = Math.max(0, ...(await database.getAll("settled")).map(({ settledAt }) => settledAt));
    return store;
  }

  close(): void {
    this.database.close();
  }

  async readContents(): Promise<Contents> {
    const tx = this.database.transaction(["meta", "routes"], "readonly");
    const [metas, routes] = await Promise.all([tx.objectStore("meta").getAll(), tx.objectStore("routes").getAll()]);
    const meta = Object.fromEntries(metas.map(({ key, value }) => [key, value])) as Partial<Meta>;
    const { routes: newer, list } = this.unwritten;
    const kept = [...routes.filter(({ id }) => !newer.has(id)), ...newer.values()];
    return { session: meta.session ?? null, list: list ?? meta.list ?? [], drafts: meta.drafts ?? {}, choices: meta.choices ?? {}, routes: kept };
  }

  async readJournal(): Promise<Journal> {
    const tx = this.database.transaction(["meta", "actions", "files", "settled"], "readonly");
    const [undoable, looked, storedActions, storedFiles, storedSettled] = await Promise.all([
      tx.objectStore("meta").get("undoable"), tx.objectStore("meta").get("looked"), tx.objectStore("actions").getAll(), tx.objectStore("files").getAll(), tx.objectStore("settled").getAll(),
    ]);
    const actions = storedActions.map((stored) => ({ ...stored, isSent: this.isSent(stored) }));
    const files = storedFiles.map((file) => this.asNoted(file));
    const settled = renewed(storedSettled, this.unwritten.settled);
    files.sort((one, other) => (one.takenAt < other.takenAt ? -1 : 1));
    settled.sort((one, other) => one.action.sequence - other.action.sequence);
    return { actions, files, settled, undoable: (undoable?.value as Undoable | null | undefined) ?? null, looked: (looked?.value as Looked | undefined) ?? {} };
  }

  private readonly isSent = ({ isSent, action }: StoredAction) => isSent || this.unwritten.sent.has(action.id);
  private readonly asNoted = (file: StoredFile): StoredFile => ({ ...file, ...this.unwritten.files.get(file.uploadId) });

  // Add what the driver did to the journal, in one transaction; numbers follow without a gap. With
  // an offer it can be taken back, with null nothing can be any more.
  async record(deeds: NewDeed[], at: string, { typed = [], offer, looked }: { typed?: Recorded[]; offer?: Offer | null; looked?: (known: Looked) => Looked } = {}): Promise<StoredAction[]> {
    return this.write(["meta", "actions", "files", "rows"], async (tx) => {
      const recorded = await this.append(tx, deeds, at);
      if (looked) await this.changeMeta(tx, "looked", {}, looked);
      let drafts: Drafts = {};
      if (typed.length) await this.changeMeta(tx, "drafts", {}, (kept) => { const { left, taken } = splitDrafts(kept, typed); drafts = taken; return left; });
      if (offer !== undefined) await this.setUndoable(tx, offer && { ...offer, ids: recorded.map(({ action }) => action.id), drafts, proof: proofIn(deeds) });
      return recorded;
    });
  }

  private async append(tx: Writing, deeds: NewDeed[], at: string): Promise<StoredAction[]> {
    let sequence = await this.nextNumber(tx);
    const recorded: StoredAction[] = [];
    for (const { deed, file, holdUntil, name } of deeds) {
      const action: Action = { ...deed, id: this.newId(), sequence, at, ...(file ? { uploadId: file.uploadId } : {}) };
      const stored = { sequence, action, isSent: false, holdUntil: holdUntil ?? 0, ...(name ? { name } : {}) };
      await tx.objectStore("actions").put(stored);
      if (file) await this.addFile(tx, file, action);
      recorded.push(stored);
      sequence += 1;
    }
    await this.setNextNumber(tx, sequence);
    return recorded;
  }

  private async readUndoable(tx: Writing): Promise<Undoable | null> {
    return ((await tx.objectStore("meta").get("undoable"))?.value as Undoable | null | undefined) ?? null;
  }

  private async setUndoable(tx: Writing, value: Undoable | null): Promise<void> {
    if (value) await tx.objectStore("meta").put({ key: "undoable", value });
    else await tx.objectStore("meta").delete("undoable");
  }

  private async addFile(tx: Writing, file: NewFile, action: Action): Promise<void> {
    const rows = Math.ceil(file.bytes.byteLength / ROW_BYTES);
    for (let index = 0; index < rows; index++) {
      const bytes = file.bytes.slice(index * ROW_BYTES, (index + 1) * ROW_BYTES);
      await tx.objectStore("rows").put({ uploadId: file.uploadId, index, bytes });
    }
    await tx.objectStore("files").put({
      uploadId: file.uploadId, actionId: action.id, routeId: action.routeId, stopId: action.stopId ?? "", kind: action.kind, type: file.type,
      size: file.bytes.byteLength, sha256: file.sha256, rows, isComplete: false, trouble: "", takenAt: action.at,
    });
  }

  // Take back what was recorded last: dropped where it was never sent, corrected where it was and so
  // may have arrived. What was typed at the stop before is there again, under what was typed since, but
  // for codes and signatures that were sent: they stay recorded, and would be recorded twice.
  // Return whether it was dropped, and the drafts.
  async takeBack(at: string, looked?: (known: Looked) => Looked): Promise<{ isDropped: boolean; drafts: Drafts }> {
    return this.write(["meta", "actions", "files", "rows"], async (tx) => {
      if (looked) await this.changeMeta(tx, "looked", {}, looked);
      const taken = await this.readUndoable(tx);
      const isDropped = taken !== null && await this.drop(tx, taken.ids);
      if (taken && !isDropped) await this.append(tx, taken.correct.map((deed) => ({ deed, name: taken.name })), at);
      await this.setUndoable(tx, null);
      const typed = splitDrafts(taken?.drafts ?? {}, isDropped ? [] : taken?.proof ?? []).left;
      let drafts: Drafts = {};
      await this.changeMeta(tx, "drafts", {}, (kept) => (drafts = reopenDrafts(kept, typed)));
      return { isDropped, drafts };
    });
  }

  // Drop actions that were never sent, and give their numbers to those behind them.
  private async drop(tx: Writing, ids: string[]): Promise<boolean> {
    const actions = await tx.objectStore("actions").getAll();
    const gone = actions.filter(({ action }) => ids.includes(action.id));
    if (gone.length !== ids.length || gone.some(this.isSent)) return false;
    for (const { sequence, action } of gone) {
      await tx.objectStore("actions").delete(sequence);
      if (action.uploadId) await this.removeFileOf(tx, action);
    }
    const first = Math.min(...gone.map(({ sequence }) => sequence));
    const rest = actions.filter(({ sequence, action }) => sequence > first && !ids.includes(action.id));
    await this.renumber(tx, rest, first);
    return true;
  }

  // A picture goes with the action that brought it, not with one that names it for another stop.
  private async removeFileOf(tx: Writing, { id, uploadId }: Action): Promise<void> {
    const file = await tx.objectStore("files").get(uploadId!);
    if (file?.actionId === id) await this.removeFile(tx, file.uploadId);
  }

  // Whoever is renumbered was never sent, or never arrived: the service knows its id by no number.
  private async renumber(tx: Writing, actions: StoredAction[], first: number): Promise<void> {
    for (const { sequence } of actions) await tx.objectStore("actions").delete(sequence);
    let sequence = first;
    for (const stored of actions) {
      await tx.objectStore("actions").put({ ...stored, sequence, action: { ...stored.action, sequence } });
      sequence += 1;
    }
    await this.setNextNumber(tx, sequence);
  }

  // Forget actions that have arrived by another way, and number the others anew from a number on.
  async restartJournal(known: string[], first: number): Promise<void> {
    await this.write(["meta", "actions"], async (tx) => {
      const actions = await tx.objectStore("actions").getAll();
      const arrived = actions.filter(({ action }) => known.includes(action.id));
      for (const { sequence } of arrived) await tx.objectStore("actions").delete(sequence);
      await this.renumber(tx, actions.filter(({ action }) => !known.includes(action.id)), first);
    });
  }

  // The next actions to send, in order; they count as sent from here on.
  async takeBatch(most: number, now: number): Promise<Action[]> {
    const next = (actions: StoredAction[]) => {
      const held = actions.findIndex(({ holdUntil }) => holdUntil > now);
      return actions.slice(0, Math.min(most, held < 0 ? most : held));
    };
    try {
      return await this.write(["actions"], async (tx) => {
        const batch = next(await tx.objectStore("actions").getAll());
        for (const stored of batch) if (!stored.isSent) await tx.objectStore("actions").put({ ...stored, isSent: true });
        return batch.map(({ action }) => action);
      });
    } catch (error) {
      if (!isFull(error)) throw error;
      const batch = next(await this.database.getAll("actions")).map(({ action }) => action);
      for (const { id } of batch) this.unwritten.sent.add(id);
      return batch;
    }
  }

  // Let go of everything that is held back for an undo, or hold it until then at the latest.
  async release(latest = 0): Promise<void> {
    await this.write(["meta", "actions"], async (tx) => {
      for (const stored of await tx.objectStore("actions").getAll()) if (stored.holdUntil > latest) await tx.objectStore("actions").put({ ...stored, holdUntil: latest });
      const undoable = latest ? await this.readUndoable(tx) : null;
      if (undoable && undoable.until > latest) await this.setUndoable(tx, { ...undoable, until: latest });
    });
  }

  // Note what actions were answered: they leave the journal and are kept to be looked at.
  async settle(results: Result[], settledAt: number): Promise<void> {
    const settled: Settled[] = [];
    const leave = async (tx: Writing) => {
      settled.length = 0;
      const undoable = await this.readUndoable(tx);
      const byId = new Map((await tx.objectStore("actions").getAll()).map((stored) => [stored.action.id, stored]));
      for (const result of results) {
        const stored = byId.get(result.id);
        if (!stored) continue; // answered twice
        await tx.objectStore("actions").delete(stored.sequence);
        const isUnseen = cameToNothing(result) && result.outcome === "KEPT" && stored.action.kind !== "POSITION";
        settled.push({ id: result.id, action: stored.action, result, isShown: false, settledAt, isUnseen, ...(stored.name ? { name: stored.name } : {}) });
        if (cameToNothing(result) && undoable?.ids.includes(result.id)) await this.setUndoable(tx, null);
      }
    };
    try {
      await this.write(["meta", "actions", "settled"], async (tx) => {
        await leave(tx);
        for (const one of [...this.unwritten.settled, ...settled]) await tx.objectStore("settled").put(one);
        await this.forgetOldest(tx);
      });
      this.unwritten.settled = [];
    } catch (error) {
      if (!isFull(error)) throw error;
      await this.change(["meta", "actions"], leave);
      this.unwritten.settled.push(...settled);
    }
  }

  // What came to nothing was read by the driver.
  async noteSeen(ids: string[]): Promise<void> {
    await this.changeSettled(ids, (one) => ({ ...one, isUnseen: false }));
  }

  // What had counted does not any more: another device has said otherwise.
  async noteSuperseded(ids: string[]): Promise<void> {
    await this.changeSettled(ids, (one) => ({ ...one, result: { ...one.result, outcome: "KEPT", reason: "SUPERSEDED" }, isUnseen: true }));
  }

  // The driver has read why these actions and files were refused; they stay listed.
  async noteRead(actionIds: string[], uploadIds: string[]): Promise<void> {
    await this.changeSettled(actionIds, (one) => ({ ...one, isRead: true }));
    for (const id of uploadIds) await this.noteFile(id, { isRead: true });
  }

  private async changeSettled(ids: string[], change: (one: Settled) => Settled): Promise<void> {
    const changed = (settled: Settled[]) => settled.filter(({ id }) => ids.includes(id)).map(change);
    this.unwritten.settled = renewed(this.unwritten.settled, changed(this.unwritten.settled));
    try {
      await this.write(["settled"], async (tx) => {
        for (const one of changed(renewed(await tx.objectStore("settled").getAll(), this.unwritten.settled))) await tx.objectStore("settled").put(one);
      });
    } catch (error) {
      if (!isFull(error)) throw error;
      const stored = await this.database.getAll("settled");
      this.unwritten.settled = renewed(this.unwritten.settled, changed(renewed(stored, this.unwritten.settled)));
    }
  }

  private async forgetOldest(tx: Writing): Promise<void> {
    const settled = await tx.objectStore("settled").getAll();
    const old = settled.filter(({ isShown, result }) => isShown && result.outcome === "APPLIED");
    old.sort((one, other) => one.action.sequence - other.action.sequence);
    for (const { id } of old.slice(0, Math.max(0, settled.length - SETTLED_KEPT))) await tx.objectStore("settled").delete(id);
  }

  async readBytes(uploadId: string): Promise<ArrayBuffer[]> {
    const rows = await this.database.getAll("rows", IDBKeyRange.bound([uploadId, 0], [uploadId, Infinity]));
    return rows.map(({ bytes }) => bytes);
  }

  async noteFile(uploadId: string, change: Partial<Pick<StoredFile, "isComplete" | "trouble" | "isRead">>): Promise<void> {
    try {
      await this.write(["files"], async (tx) => {
        const file = await tx.objectStore("files").get(uploadId);
        if (file) await tx.objectStore("files").put({ ...file, ...change });
      });
    } catch (error) {
      if (!isFull(error)) throw error;
      this.unwritten.files.set(uploadId, { ...this.unwritten.files.get(uploadId), ...change });
    }
  }

  // Keep an answer about a route. What was settled before it was asked for shows in it by itself,
  // and the files that arrived are the service's now. That nothing has changed is said of the last
  // answer, for which there may have been no room.
  async saveRoute(kept: KeptRoute | { id: string }, askedAt: number): Promise<void> {
    const isIn = ({ action, isShown, settledAt }: Settled) => action.routeId === kept.id && !isShown && settledAt < askedAt;
    this.unwritten.settled = this.unwritten.settled.map((one) => (isIn(one) ? { ...one, isShown: true } : one));
    const newest = "route" in kept ? kept : this.unwritten.routes.get(kept.id);
    try {
      await this.write(["actions", "routes", "settled", "files", "rows"], async (tx) => {
        await this.forgetArrived(tx, (routeId) => routeId === kept.id);
        if (newest) await tx.objectStore("routes").put(newest);
        for (const one of await tx.objectStore("settled").getAll()) if (isIn(one)) await tx.objectStore("settled").put({ ...one, isShown: true });
      });
      this.unwritten.routes.delete(kept.id);
    } catch (error) {
      if (!isFull(error)) throw error;
      if (newest) this.unwritten.routes.set(kept.id, newest);
      await this.change(["actions", "settled", "files", "rows"], async (tx) => {
        await this.forgetArrived(tx, (routeId) => routeId === kept.id);
        for (const one of await tx.objectStore("settled").getAll()) if (isIn(one) && one.result.outcome === "APPLIED") await tx.objectStore("settled").delete(one.id);
      });
    }
  }

  // Keep the list; routes that are no longer on it go, with the files of theirs that have arrived.
  async saveList(list: RouteSummary[]): Promise<void> {
    const forget = async (tx: Writing) => {
      const waiting = new Set((await tx.objectStore("actions").getAll()).map(({ action }) => action.routeId));
      const isOver = (id: string) => !waiting.has(id) && !list.some((route) => route.id === id && !route.claimable);
      for (const id of this.unwritten.routes.keys()) if (isOver(id)) this.unwritten.routes.delete(id);
      for (const id of await tx.objectStore("routes").getAllKeys()) if (isOver(id)) await tx.objectStore("routes").delete(id);
      await this.forgetArrived(tx, isOver);
    };
    try {
      await this.write(["meta", "actions", "routes", "files", "rows"], async (tx) => {
        await tx.objectStore("meta").put({ key: "list", value: list });
        await forget(tx);
      });
      this.unwritten.list = null;
      if (room.value === "none") room.value = "little"; // it is written every half minute, and so tells
    } catch (error) {
      if (!isFull(error)) throw error;
      await this.change(["actions", "routes", "files", "rows"], forget);
      this.unwritten.list = list;
    }
  }

  // Remove files that the service has, and that no action names which it has not.
  private async forgetArrived(tx: Writing, isOf: (routeId: string) => boolean): Promise<void> {
    const waiting = new Set((await tx.objectStore("actions").getAll()).map(({ action }) => action.uploadId));
    for (const file of await tx.objectStore("files").getAll()) {
      if (isOf(file.routeId) && this.asNoted(file).isComplete && !waiting.has(file.uploadId)) await this.removeFile(tx, file.uploadId);
    }
  }

  // Forget what can be had again: pictures that have arrived, outcomes that show in their route, and
  // routes that are completed. Nothing that was not sent.
  private async forgetOld(): Promise<void> {
    await this.change(["actions", "routes", "settled", "files", "rows"], async (tx) => {
      const waiting = new Set((await tx.objectStore("actions").getAll()).map(({ action }) => action.routeId));
      await this.forgetArrived(tx, () => true);
      for (const { id, isShown, result } of await tx.objectStore("settled").getAll()) if (isShown && result.outcome === "APPLIED") await tx.objectStore("settled").delete(id);
      for (const { id, route } of await tx.objectStore("routes").getAll()) if (route.completedAt && !waiting.has(id)) await tx.objectStore("routes").delete(id);
    });
  }

  // Whether that much more can be written; tried with bytes that nothing makes smaller.
  async hasRoomFor(size: number): Promise<boolean> {
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size; at += MOST_RANDOM) crypto.getRandomValues(bytes.subarray(at, at + MOST_RANDOM));
    try {
      await this.change(["rows"], (tx) => tx.objectStore("rows").put({ uploadId: TRIAL, index: 0, bytes: bytes.buffer }));
    } catch (error) {
      if (!isFull(error)) throw error;
      return false;
    }
    await this.change(["rows"], (tx) => tx.objectStore("rows").delete([TRIAL, 0]));
    return true;
  }

  private async removeFile(tx: Writing, uploadId: string): Promise<void> {
    await tx.objectStore("files").delete(uploadId);
    await tx.objectStore("rows").delete(IDBKeyRange.bound([uploadId, 0], [uploadId, Infinity]));
  }

  async saveSession(session: Session): Promise<void> {
    await this.write(["meta"], (tx) => tx.objectStore("meta").put({ key: "session", value: session }));
  }

  // Keep the session of a sign-up. A journal is one driver's: another's is emptied, which its caller
  // has seen to hold nothing unsent, but for what was chosen for the phone.
  async signIn(session: Session, chosen?: Record<string, string>): Promise<void> {
    const isOthers = await this.write(EVERY, async (tx) => {
      const meta = tx.objectStore("meta");
      const before = (await meta.get("session"))?.value as Session | undefined;
      const isOthers = !!before && before.driver.id !== session.driver.id;
      if (isOthers) await this.empty(tx, ["choices"]);
      if (chosen) await meta.put({ key: "choices", value: chosen });
      await meta.put({ key: "session", value: session });
      return isOthers;
    });
    if (isOthers) this.unwritten = noneUnwritten();
  }

  async readRegistry(): Promise<Registry | null> {
    return ((await this.database.get("meta", "journals"))?.value as Registry | undefined) ?? null;
  }

  // In one transaction: another tab may have changed it.
  async changeRegistry(none: Registry, change: (known: Registry) => Registry): Promise<Registry> {
    return this.write(["meta"], (tx) => this.changeMeta(tx, "journals", none, change));
  }

  // What is typed is added to what is kept by then: some of that may have been recorded meanwhile.
  async saveDraft(key: string, typed: Draft): Promise<void> {
    await this.write(["meta"], (tx) => this.changeMeta(tx, "drafts", {}, (drafts) => addToDraft(drafts, key, typed)));
  }

  async dropDrafts(dropped: Recorded[]): Promise<void> {
    await this.write(["meta"], (tx) => this.changeMeta(tx, "drafts", {}, (drafts) => splitDrafts(drafts, dropped).left));
  }

  async saveChoice(name: string, value: string): Promise<void> {
    await this.write(["meta"], (tx) => this.changeMeta(tx, "choices", {}, (choices) => ({ ...choices, [name]: value })));
  }

  async changeLooked(change: (known: Looked) => Looked): Promise<void> {
    await this.write(["meta"], (tx) => this.changeMeta(tx, "looked", {}, change));
  }

  // Forget everything; refused by the caller while something waits.
  async clear(): Promise<void> {
    await this.write(EVERY, (tx) => this.empty(tx));
    this.unwritten = noneUnwritten();
  }

  private async empty(tx: Writing, but: (keyof Meta)[] = []): Promise<void> {
    for (const name of EVERY) if (name !== "meta") await tx.objectStore(name).clear();
    const kept: (keyof Meta)[] = ["journals", ...but];
    for (const key of await tx.objectStore("meta").getAllKeys()) if (!kept.includes(key)) await tx.objectStore("meta").delete(key);
  }

  private async changeMeta<Key extends "drafts" | "choices" | "looked" | "journals">(tx: Writing, key: Key, empty: Meta[Key], change: (value: Meta[Key]) => Meta[Key]): Promise<Meta[Key]> {
    const value = change(((await tx.objectStore("meta").get(key))?.value ?? empty) as Meta[Key]);
    await tx.objectStore("meta").put({ key, value });
    return value;
  }

  private async nextNumber(tx: Writing): Promise<number> {
    return ((await tx.objectStore("meta").get("nextNumber"))?.value as number | undefined) ?? 1;
  }

  private async setNextNumber(tx: Writing, value: number): Promise<void> {
    await tx.objectStore("meta").put({ key: "nextNumber", value });
  }

  async readNextNumber(): Promise<number> {
    return ((await this.database.get("meta", "nextNumber"))?.value as number | undefined) ?? 1;
  }

  // Change something; without room for it make some, and try once more.
  private async write<Answer>(names: Name[], change: (tx: Writing) => Promise<Answer>): Promise<Answer> {
    try {
      return await this.change(names, change);
    } catch (error) {
      if (!isFull(error)) throw error;
    }
    await forgetTiles();
    await this.forgetOld();
    try {
      const answer = await this.change(names, change);
      room.value = "little";
      return answer;
    } catch (error) {
      if (isFull(error)) room.value = "none";
      throw error;
    }
  }

  // By itself for what only deletes, which needs no room.
  private async change<Answer>(names: Name[], change: (tx: Writing) => Promise<Answer>): Promise<Answer> {
    const tx = this.database.transaction(names, "readwrite", { durability: "strict" });
    // Awaited together: a change that fails aborts the transaction, and its error is the one told.
    const done = tx.done.catch((error: unknown) => error);
    try {
      const answer = await change(tx as Writing);
      const failure = await done;
      if (failure) throw failure;
      return answer;
    } catch (error) {
      try { tx.abort(); } catch { /* it has ended by itself */ }
      await done;
      throw error;
    }
  }
}
