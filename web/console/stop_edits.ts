// What is said of a stop, changed so that it can be taken back: only what differs is sent, and nothing
// is put over what somebody else has said of it since.
import { newKey, Refusal, wordsOf, type Answer } from "../kit/http";
import type { TimeWindow } from "../kit/times";
import { t } from "../kit/words";
import { versionOf } from "./day";
import { act, cameBack, change, forgetting, idNow, pairing, removeAgain } from "./edits";
import { call, get, send, unlessGone, type Place } from "./session";
import type { CalendarDay, Contact, ImportedStop, RouteStop } from "./shapes";

/** What a planner can say of a stop; what it does not say is left out. */
export interface Told {
  orderName?: string; contact?: Contact | undefined; note?: string; duration?: string | undefined; priority?: number; timeWindows?: TimeWindow[];
  deliveryDate?: CalendarDay | undefined; locked?: boolean;
}
type Field = keyof Told;

const FIELDS: readonly Field[] = ["orderName", "contact", "note", "duration", "priority", "timeWindows", "deliveryDate"];

// What says nothing is left out, as it is by whoever wrote it otherwise: of a time its zeros, of a contact its blanks.
const isSaid = (value: unknown) => value !== undefined && value !== "" && value !== 0 && value !== false && !(Array.isArray(value) && !value.length);

const sorted = (_: string, value: unknown): unknown => (typeof value === "object" && value !== null && !Array.isArray(value)
  ? Object.fromEntries(Object.entries(value).filter(([, one]) => isSaid(one)).sort(([one], [other]) => (one < other ? -1 : 1)))
  : value);

const isSame = (one: Told, other: Told) => JSON.stringify(one, sorted) === JSON.stringify(other, sorted);

/** The fields in which two differ. */
export const differing = (before: Told, after: Told): Field[] => FIELDS.filter((field) => !isSame(only(before, [field]), only(after, [field])));

const only = (told: Told, fields: readonly Field[]): Told => Object.fromEntries(fields.map((field) => [field, told[field]]));

// Where a stop stands, and how its fields are written there.
interface Writer { read: () => Promise<{ told: Told; version: string }>; write: (told: Told, fields: readonly Field[], version: string) => Promise<Told> }

function atRoute(routeId: string, stopId: string): Writer {
  const made = pairing();
  return {
    // By the whole route, whose version keeps others from writing in between.
    async read() {
      const { body, tag }: Answer<{ stops: RouteStop[] }> = await call(`/routes/${idNow(routeId)}`);
      const told = body.stops.find((one) => one.id === idNow(stopId));
      if (!told) throw new Refusal("refused", "", [], 404);
      return { told, version: tag };
    },
    async write(routeStop, fields, version) {
      const { body, tag } = await call<RouteStop>(`/routes/${idNow(routeId)}/stops/${idNow(stopId)}`, { method: "PATCH", body: { routeStop, updateMask: fields.join() }, version });
      made(idNow(routeId), tag);
      return body;
    },
  };
}

const pathInPool = (id: string) => `/stops/imports/${idNow(id)}`;

const inPool = (id: string, name: string): Writer => ({
  async read() {
    await stillLoose(id, name);
    return { told: await get<ImportedStop>(pathInPool(id)), version: "" };
  },
  write: (importedStop, fields) => send<ImportedStop>("PATCH", pathInPool(id), { importedStop, updateMask: fields.join() }),
});

// A stop of a route is a copy: what becomes of the one that it was made of shows nowhere any more.
async function stillLoose(id: string, name: string): Promise<void> {
  const { routes } = await get<{ routes: unknown[] }>(`${pathInPool(id)}/routes`);
  if (routes.length) throw new Refusal("refused", t("isOnRoute", { name }));
}

async function swap(where: Writer, fields: readonly Field[], from: Told, to: Told): Promise<Told> {
  const { told, version } = await where.read();
  if (!isSame(only(told, fields), only(from, fields))) return whereMade(told, fields, to);
  try {
    return await where.write(only(to, fields), fields, version);
  } catch (error) {
    // Sent again by itself, it meets the version that it made the first time.
    if (!(error instanceof Refusal) || error.kind !== "conflict") throw error;
    return whereMade((await where.read()).told, fields, to);
  }
}

// A change whose answer was lost is made already.
function whereMade(told: Told, fields: readonly Field[], to: Told): Told {
  if (!isSame(only(told, fields), only(to, fields))) throw new Refusal("conflict", "");
  return told;
}

/** Make a change of a stop; null where it is made, else why it is not. */
async function tell(name: string, where: Writer, fields: readonly Field[], before: Told, after: Told, changed: () => Promise<unknown>): Promise<Refusal | null> {
  let kept = after;
  return made(name, async () => { kept = await swap(where, fields, before, after); await changed(); }, async () => { await swap(where, fields, kept, before); await changed(); });
}

async function made(name: string, make: () => Promise<unknown>, takeBack: () => Promise<unknown>): Promise<Refusal | null> {
  let refusal: Refusal | null = null;
  const noting = async () => {
    try {
      await make();
    } catch (error) {
      if (error instanceof Refusal) refusal = error;
      throw error;
    }
  };
  return await change({ name, make: noting, takeBack }) ? null : refusal ?? new Refusal("session", "");
}

const nothing = () => Promise.resolve();

export const tellRouteStop = (routeId: string, stop: RouteStop, name: string, after: Told) => tell(name, atRoute(routeId, stop.id), differing(stop, after), stop, after, nothing);

export const tellImportedStop = (stop: ImportedStop, name: string, after: Told, changed: () => Promise<unknown>) =>
  tell(name, inPool(stop.id, name), differing(stop, after), stop, after, changed);

// A stop gets the day and windows that its shop has its order arrive in by now.
export function takeNewTime(routeId: string, stop: RouteStop): Promise<boolean> {
  const { read } = atRoute(routeId, stop.id);
  const write = (told: Told, version: string) => send<RouteStop>("POST", `/routes/${idNow(routeId)}/stops/${idNow(stop.id)}/resync-windows`, told, version);
  let taken = stop;
  return change({
    make: async () => { taken = await write({}, versionOf(routeId)); },
    takeBack: () => swap({ read, write: (told, _, version) => write(told, version) }, ["deliveryDate", "timeWindows"], taken, stop),
  });
}

const locking = new Set<string>();

/** Let a stop keep its place among the open ones, or no more. A press on what is not drawn anew yet is none. */
export async function lockStop(routeId: string, stop: RouteStop, name: string): Promise<void> {
  if (locking.has(stop.id)) return;
  locking.add(stop.id);
  await tell(name, atRoute(routeId, stop.id), ["locked"], stop, { locked: !stop.locked }, nothing).finally(() => locking.delete(stop.id));
}

/** Make a stop that is on no route. `key` is that of an attempt before that nobody answered. */
export function addStop(name: string, told: Told & Place, key: string): Promise<Refusal | null> {
  let kept: ImportedStop | undefined;
  let next = key;
  return made(name, async () => {
    const { body } = await call<{ stops: ImportedStop[] }>("/stops/imports", { body: [told], key: next });
    const added = body.stops[0]!;
    if (kept) cameBack(kept.id, added.id);
    kept = added;
  }, async () => {
    await removeUnchanged(kept!, name);
    next = newKey(); // another one, when it is made again
  });
}

async function removeUnchanged(stop: ImportedStop, name: string): Promise<void> {
  const now = await unlessGone<ImportedStop>(pathInPool(stop.id));
  if (!now) return;
  await stillLoose(stop.id, name);
  if (differing(stop, now).length) throw new Refusal("conflict", "");
  await removeAgain(pathInPool(stop.id));
}

/** Delete stops that are on no route. One that somebody has put on a route since stays, and that is said. */
export function deleteStops(stops: { id: string; name: string }[]): Promise<boolean> {
  return act("", async () => {
    const moved: string[] = [];
    let failure = "";
    try {
      for (const { id, name } of stops) {
        const found = await unlessGone<{ routes: unknown[] }>(`${pathInPool(id)}/routes`);
        if (found?.routes.length) moved.push(name);
        else if (found) await forgetting(removeAgain(pathInPool(id)));
      }
    } catch (error) {
      // The next one would fail as well.
      if (!(error instanceof Refusal) || error.kind === "session") throw error;
      failure = wordsOf(error);
    }
    const said = [moved.length ? t("movedMeanwhile", { name: moved.join(", ") }) : "", failure].filter(Boolean);
    if (said.length) throw new Refusal("refused", said.join(" "));
  });
}
