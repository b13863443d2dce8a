// Where a stop is, changed so that it can be taken back.
import { Refusal, type Answer } from "../kit/http";
import { versionOf } from "./day";
import { change, idNow } from "./edits";
import { metersBetween } from "./ground";
import { call, get, send, type Place } from "./session";
import type { Address, Coordinates, Geocoding, ImportedStop, RouteStop } from "./shapes";

interface Located { address?: Address; geocoding?: Geocoding; place?: Coordinates }

const SAME_METERS = 1;

type Location = { address?: Address | Place["address"]; coordinates?: Coordinates };
type Write<Stop> = (location: Location, version?: string) => Promise<Stop>;

// How a location is written where coordinates have one of two names.
const named = ({ address, coordinates }: Location, field: string) => ({ ...(address ? { address } : {}), ...(coordinates ? { [field]: coordinates } : {}) });

// The path is asked for each time: a stop that left and came back has another id.
const patching = <Stop>(path: () => string, field: string): Write<Stop> => (to, version = "") => {
  const location = named(to, field);
  return send<Stop>("PATCH", `${path()}/location`, { location, updateMask: Object.keys(location).join() }, version);
};

// Whether something is where it was sent: every line that was written, or the point.
function isAt({ address, place }: Located, to: Location): boolean {
  if (to.coordinates) return !!place && metersBetween(place, to.coordinates) <= SAME_METERS;
  const lines = Object.entries(to.address ?? {});
  return lines.length > 0 && lines.every(([name, line]) => address?.[name as keyof Address] === line);
}

// A change that is sent again by itself, for its answer was lost, meets the version that it made.
async function unlessMade(write: () => Promise<unknown>, before: Located, read: () => Promise<Located>, to: Location): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== "conflict" || isAt(before, to) || !isAt(await read(), to)) throw error;
  }
}

// A stop that was found by its address is looked up again when it goes back, so that it says so; where
// that leads elsewhere by now, it is put where it was.
async function putBack<Stop>(write: Write<Stop>, { address, geocoding, place }: Located, placeOf: (stop: Stop) => Coordinates | undefined): Promise<unknown> {
  const putWhereItWas = () => write({ ...(address ? { address } : {}), ...(place ? { coordinates: place } : {}) });
  if (!address || !geocoding || geocoding.matchType === "GIVEN") return putWhereItWas();
  try {
    const found = placeOf(await write({ address }));
    if (found && place && metersBetween(found, place) <= SAME_METERS) return found;
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== "refused") throw error;
  }
  return putWhereItWas();
}

const plannedPlace = (stop: RouteStop): Coordinates | undefined => stop.plannedCoordinates;
const whereOf = ({ address, coordinates }: Place): Location => (coordinates ? { coordinates } : { ...(address ? { address } : {}) });

const pathOnRoute = (routeId: string, stop: RouteStop) => `/routes/${idNow(routeId)}/stops/${idNow(stop.id)}`;

export function relocateRouteStop(routeId: string, stop: RouteStop, after: Place): Promise<boolean> {
  const path = () => pathOnRoute(routeId, stop);
  const write = patching<RouteStop>(path, "plannedCoordinates");
  const read = async () => { const now = await get<RouteStop>(path()); return { ...now, place: plannedPlace(now) }; };
  const before = { ...stop, place: stop.plannedCoordinates };
  return change({
    // Refused where somebody else has changed what is on the screen.
    make: () => unlessMade(() => write(whereOf(after), versionOf(routeId)), before, read, whereOf(after)),
    takeBack: () => putBack(write, before, plannedPlace),
  });
}

export function relocateImportedStop(stop: ImportedStop, after: Place, changed: () => Promise<unknown>): Promise<boolean> {
  const write = patching<ImportedStop>(() => `/stops/imports/${idNow(stop.id)}`, "coordinates");
  return change({
    make: () => write(whereOf(after)).then(changed),
    takeBack: () => putBack(write, { ...stop, place: stop.coordinates }, (found) => found.coordinates).then(changed),
  });
}

// Where an order of a shop goes, and where its shop has it go if that was corrected here.
export interface OrderLocation { id: string; address?: Address; coordinates?: Coordinates; shopLocation?: { address?: Address; coordinates?: Coordinates } }

export const orderPath = (id: string) => `/store-orders/${encodeURIComponent(id)}`;

const resyncPath = (routeId: string, stop: RouteStop) => `${pathOnRoute(routeId, stop)}/resync-location`;

const putStopBack = (routeId: string, stop: RouteStop) =>
  putBack<RouteStop>((to) => send("POST", resyncPath(routeId, stop), { location: named(to, "plannedCoordinates") }), { ...stop, place: stop.plannedCoordinates }, plannedPlace);

// An order goes elsewhere, and its open stops with it. `shown` is the order as it was when its planner
// began to type: it is refused where that has changed since.
export function relocateOrder(orderId: string, after: Place, changed: () => Promise<unknown>, shown?: Answer<OrderLocation>, on?: { routeId: string; stop: RouteStop }): Promise<boolean> {
  const put = (location: Location, updateMask: string, version = "") => send("PATCH", `${orderPath(orderId)}/location`, { location, updateMask }, version);
  const locatedAt = ({ coordinates, ...order }: OrderLocation): Located => ({ ...order, ...(coordinates ? { place: coordinates } : {}) });
  const read = async () => locatedAt(await get<OrderLocation>(orderPath(orderId)));
  let before = shown;
  return change({
    async make() {
      before ??= await call<OrderLocation>(orderPath(orderId));
      try {
        const { tag, body } = before;
        await unlessMade(() => put(after, after.coordinates ? "coordinates" : "address", tag), locatedAt(body), read, whereOf(after));
      } catch (error) {
        if (error instanceof Refusal && error.kind === "refused") before = undefined; // it is looked at anew
        throw error;
      }
      await changed();
    },
    async takeBack() {
      const { address, coordinates, shopLocation } = before!.body;
      // Without either it goes where its shop has it go.
      await put(shopLocation ? named({ ...(address ? { address } : {}), ...(coordinates ? { coordinates } : {}) }, "coordinates") : {}, "address,coordinates");
      if (on?.stop.storeOrder?.address) await putStopBack(on.routeId, on.stop); // it stood elsewhere than its order
      before = undefined;
      await changed();
    },
  });
}

// A stop goes where its shop has its order go by now.
export const takeNewAddress = (routeId: string, stop: RouteStop) =>
  change({
    make: () => send("POST", resyncPath(routeId, stop), {}, versionOf(routeId)),
    takeBack: () => putStopBack(routeId, stop),
  });
