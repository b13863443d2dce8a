// Where a stop is, changed so that it can be taken back.
import { Refusal, type Answer } from "../kit/http";
import { versionOf } from "./day";
import { change } from "./edits";
import { metersBetween } from "./ground";
import { call, send, type Place } from "./session";
import type { Address, Coordinates, Geocoding, ImportedStop, RouteStop } from "./shapes";

interface Located { address?: Address; geocoding?: Geocoding; place?: Coordinates }

const SAME_METERS = 1;

type Location = { address?: Address | Place["address"]; coordinates?: Coordinates };
type Write<Stop> = (location: Location, version?: string) => Promise<Stop>;

// How a location is written where coordinates have one of two names.
const named = ({ address, coordinates }: Location, field: string) => ({ ...(address ? { address } : {}), ...(coordinates ? { [field]: coordinates } : {}) });

const patching = <Stop>(path: string, field: string): Write<Stop> => (to, version = "") => {
  const location = named(to, field);
  return send<Stop>("PATCH", path, { location, updateMask: Object.keys(location).join() }, version);
};

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

function relocate<Stop>(write: Write<Stop>, before: Located, after: Place, placeOf: (stop: Stop) => Coordinates | undefined, changed: () => Promise<unknown>, version: () => string): Promise<boolean> {
  return change({
    // Refused where somebody else has changed what is on the screen.
    make: () => write(after.coordinates ? { coordinates: after.coordinates } : after, version()).then(changed),
    takeBack: () => putBack(write, before, placeOf).then(changed),
  });
}

const plannedPlace = (stop: RouteStop): Coordinates | undefined => stop.plannedCoordinates;

export const relocateRouteStop = (routeId: string, stop: RouteStop, after: Place) =>
  relocate<RouteStop>(patching(`/routes/${routeId}/stops/${stop.id}/location`, "plannedCoordinates"), { ...stop, place: stop.plannedCoordinates }, after, plannedPlace, () => Promise.resolve(), () => versionOf(routeId));

export const relocateImportedStop = (stop: ImportedStop, after: Place, changed: () => Promise<unknown>) =>
  relocate<ImportedStop>(patching(`/stops/imports/${stop.id}/location`, "coordinates"), { ...stop, place: stop.coordinates }, after, (found) => found.coordinates, changed, () => "");

// Where an order of a shop goes, and where its shop has it go if that was corrected here.
export interface OrderLocation { id: string; address?: Address; coordinates?: Coordinates; shopLocation?: { address?: Address; coordinates?: Coordinates } }

export const orderPath = (id: string) => `/store-orders/${encodeURIComponent(id)}`;

const resyncPath = (routeId: string, stop: RouteStop) => `/routes/${routeId}/stops/${stop.id}/resync-location`;

const putStopBack = (routeId: string, stop: RouteStop) =>
  putBack<RouteStop>((to) => send("POST", resyncPath(routeId, stop), { location: named(to, "plannedCoordinates") }), { ...stop, place: stop.plannedCoordinates }, plannedPlace);

// An order goes elsewhere, and its open stops with it. `shown` is the order as it was when its planner
// began to type: it is refused where that has changed since.
export function relocateOrder(orderId: string, after: Place, changed: () => Promise<unknown>, shown?: Answer<OrderLocation>, on?: { routeId: string; stop: RouteStop }): Promise<boolean> {
  const put = (location: Location, updateMask: string, version = "") => send("PATCH", `${orderPath(orderId)}/location`, { location, updateMask }, version);
  let before = shown;
  return change({
    async make() {
      before ??= await call<OrderLocation>(orderPath(orderId));
      try {
        await put(after, after.coordinates ? "coordinates" : "address", before.tag);
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
