// What was typed or chosen and is not recorded yet: at a stop under its id, at the start and the end
// of a route under the route's.
import type { PointGroup } from "signature_pad";

export interface Draft {
  note?: string; recipientName?: string; leftWith?: string;
  tasks?: Record<string, string>; // what was typed into tasks, by their ids
  code?: string; // typed into the open scanner
  signature?: PointGroup[]; // the lines of one that is being drawn, some 20 KB
  routeId?: string; typedAt?: number;
  isOfOpen?: boolean; // it was typed while the stop was open: once somebody else has ended the visit, it is of no use
}

export type Drafts = Record<string, Draft>;

// What becomes a record and so is no draft any more: all that was typed, or some of it alone.
interface Only { note?: boolean; code?: boolean; signature?: boolean; taskIds?: string[] }
// Where the driver has ended the visit with it, what is left is no longer of an open stop.
export interface Recorded { key: string; only?: Only; isEnding?: boolean }

// What a failed delivery says; whom the goods are for and a signature it leaves, should it be a slip.
export const saidByFailing = (key: string, taskIds: string[]): Recorded => ({ key, only: { note: true, code: true, taskIds }, isEnding: true });

// Planners take a route back and give it again: what was typed on it waits so long for its return.
const KEPT_WITHOUT_ROUTE_MS = 24 * 3_600_000;

// A draft in two: what `only` names, and the rest.
function halve(draft: Draft, only: Only): [Draft, Draft] {
  const { routeId, typedAt, isOfOpen, tasks = {} } = draft;
  const tasksThat = (isNamed: boolean) => Object.fromEntries(Object.entries(tasks).filter(([id]) => (only.taskIds ?? []).includes(id) === isNamed));
  const taken = { routeId, typedAt, isOfOpen, tasks: tasksThat(true) };
  const left = { ...draft, tasks: tasksThat(false) };
  for (const part of ["note", "code", "signature"] as const) {
    if (!only[part] || draft[part] === undefined) continue;
    Object.assign(taken, { [part]: draft[part] });
    delete left[part];
  }
  return [taken, left];
}

// Split drafts into those that are left and those that are now recorded.
export function splitDrafts(drafts: Drafts, recorded: Recorded[]): { left: Drafts; taken: Drafts } {
  const left = { ...drafts };
  const taken: Drafts = {};
  for (const { key, only, isEnding } of recorded) {
    const draft = left[key];
    if (!draft) continue;
    if (only) [taken[key], left[key]] = halve(draft, only);
    else {
      taken[key] = draft;
      delete left[key];
    }
    if (isEnding && left[key]) left[key] = { ...left[key], isOfOpen: false };
  }
  return { left, taken };
}

// Add what is typed to a draft, over what was typed before.
export function addToDraft(drafts: Drafts, key: string, typed: Draft): Drafts {
  const before = drafts[key];
  return before ? restoreDrafts({ ...drafts, [key]: typed }, { [key]: before }) : { ...drafts, [key]: typed };
}

// Put drafts back under what was typed since.
export function restoreDrafts(drafts: Drafts, taken: Drafts): Drafts {
  const restored = Object.entries(taken).map(([key, draft]) => {
    const since = drafts[key];
    const tasks = draft.tasks || since?.tasks ? { tasks: { ...draft.tasks, ...since?.tasks } } : {};
    return [key, { ...draft, ...since, ...tasks }] as const;
  });
  return { ...drafts, ...Object.fromEntries(restored) };
}

// Put back what was recorded and is taken back: the stop is again as it was when that was typed.
export function reopenDrafts(drafts: Drafts, taken: Drafts): Drafts {
  const restored = restoreDrafts(drafts, taken);
  for (const [key, { isOfOpen }] of Object.entries(taken)) if (isOfOpen !== undefined) restored[key] = { ...restored[key], isOfOpen };
  return restored;
}

// Whether nothing will come of a draft any more, of a stop that is done or of a route that is gone.
export function isForgotten(draft: Draft, { isDone, isGone, now }: { isDone: boolean; isGone: boolean; now: number }): boolean {
  if (isGone) return draft.typedAt !== undefined && now - draft.typedAt > KEPT_WITHOUT_ROUTE_MS;
  return isDone && draft.isOfOpen === true;
}
