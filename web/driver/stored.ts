// The form in which the phone keeps things.
import type { DBSchema, IDBPTransaction } from "idb";
import type { Drafts, Recorded } from "./drafts";
import type { Looked } from "./news";
import type { Action, Deed, Driver, Organization, Result, Route, RouteSummary } from "./shapes";

export interface Session { id: string; token: string; driver: Driver; organization: Organization; device: string }

export interface StoredAction {
  sequence: number;
  action: Action;
  isSent: boolean; // it was handed to the network at least once, so it may have arrived
  holdUntil: number; // nothing is sent before, so that a slip can be taken back
  name?: string; // of its stop or route, which may be gone when it is looked at
}

export interface StoredFile {
  uploadId: string; actionId: string; routeId: string; stopId: string; kind: string; type: string; size: number; sha256: string; rows: number;
  isComplete: boolean; trouble: string; takenAt: string; isRead?: boolean; // isRead: its driver has read what is wrong with it
}

// What became of an action that was answered.
export interface Settled {
  id: string; action: Action; result: Result; isShown: boolean; // isShown: no answer about its route is newer
  settledAt: number; name?: string; isUnseen?: boolean; // isUnseen: it came to nothing, and its driver has not read so yet
  isRead?: boolean; // it was refused, and its driver has read why
}

export interface KeptRoute { id: string; route: Route; tag: string }

// What was recorded last, as long as one tap takes it back.
export interface Undoable {
  ids: string[]; label: string; name: string; routeId: string; stopId: string; until: number;
  correct: Deed[]; // what takes it back when it was sent already
  drafts?: Drafts; // what was typed before
  proof?: Recorded[]; // what of that no later action corrects once it was sent
}

export type Offer = Omit<Undoable, "ids" | "drafts" | "proof">;

// Which journals there are on this phone: the open one, and by driver those that were put aside.
export interface Registry { current: string; aside: Record<string, string> }

export interface Meta {
  session: Session; nextNumber: number; list: RouteSummary[]; drafts: Drafts; choices: Record<string, string>; undoable: Undoable | null; looked: Looked;
  journals: Registry; // in the first journal alone
}

export interface Schema extends DBSchema {
  meta: { key: keyof Meta; value: { key: keyof Meta; value: Meta[keyof Meta] } };
  actions: { key: number; value: StoredAction };
  files: { key: string; value: StoredFile };
  rows: { key: [string, number]; value: { uploadId: string; index: number; bytes: ArrayBuffer } };
  settled: { key: string; value: Settled };
  routes: { key: string; value: KeptRoute };
}

export type Name = "meta" | "actions" | "files" | "rows" | "settled" | "routes";
export type Writing = IDBPTransaction<Schema, Name[], "readwrite">;

// What a deed brings along: the bytes of a picture, hashed.
export interface NewFile { uploadId: string; type: string; bytes: ArrayBuffer; sha256: string }

export interface NewDeed { deed: Deed; file?: NewFile; holdUntil?: number; name?: string }

export interface Journal { actions: StoredAction[]; files: StoredFile[]; settled: Settled[]; undoable: Undoable | null; looked: Looked }

// The rest of what is kept, but for the bytes.
export interface Contents {
  session: Session | null; list: RouteSummary[]; drafts: Drafts; choices: Record<string, string>; routes: KeptRoute[];
}

// What there was no room to write.
export const noneUnwritten = () => ({ sent: new Set<string>(), settled: [] as Settled[], files: new Map<string, Partial<StoredFile>>(), routes: new Map<string, KeptRoute>(), list: null as RouteSummary[] | null });

// What is kept, with what is newer in its place or behind it.
export function renewed(kept: Settled[], newer: Settled[]): Settled[] {
  const ids = new Set(newer.map(({ id }) => id));
  return [...kept.filter(({ id }) => !ids.has(id)), ...newer];
}

// Whether nothing will come of an action any more: one that waits may still be applied.
export const cameToNothing = ({ outcome, reason }: Result) => outcome === "REFUSED" || (outcome === "KEPT" && reason !== "WAITING");

// The drafts that became codes and signatures.
export function proofIn(deeds: NewDeed[]): Recorded[] {
  return deeds.flatMap(({ deed: { kind, stopId = "" } }): Recorded[] => (kind === "BARCODE" ? [{ key: stopId, only: { code: true } }] : kind === "SIGNATURE" ? [{ key: stopId, only: { signature: true } }] : []));
}
