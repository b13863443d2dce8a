// Where a stop is, changed so that it can be taken back.
import { Refusal } from "../kit/http";
import { versionOf } from "./day";
import { change } from "./edits";
import { metersBetween } from "./ground";
import { send, type Place } from "./session";
import type { Address, Coordinates, Geocoding, ImportedStop, RouteStop } from "./shapes";

interface Located { address?: Address; geocoding?: Geocoding; place?: Coordinates }

const SAME_METERS = 1;

// A stop that was found by its address is looked up again when it goes back, so that it says so; where
// that leads elsewhere by now, it is put where it was.
function relocate<Stop>(path: string, field: string, before: Located, after: Place, placeOf: (stop: Stop) => Coordinates | undefined, changed: () => Promise<unknown>, version: () => string): Promise<boolean> {
  const patch = (location: object, updateMask: string, known = "") => send<Stop>("PATCH", path, { location, updateMask }, known);
  const put = ({ address, coordinates }: { address?: Address | Place["address"]; coordinates?: Coordinates }, known = "") => (coordinates ? patch({ [field]: coordinates }, field, known) : patch({ address }, "address", known));
  const putWhereItWas = () => {
    const { address, place } = before;
    if (!address || !place) return put({ ...(place ? { coordinates: place } : {}), ...(address ? { address } : {}) });
    return patch({ address, [field]: place }, `address,${field}`);
  };
  async function putBack(): Promise<unknown> {
    if (!before.address || !before.geocoding || before.geocoding.matchType === "GIVEN") return putWhereItWas();
    try {
      const found = placeOf(await patch({ address: before.address }, "address"));
      if (found && before.place && metersBetween(found, before.place) <= SAME_METERS) return found;
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== "refused") throw error;
    }
    return putWhereItWas();
  }
  return change({
    // Refused where somebody else has changed what is on the screen.
    make: () => put(after, version()).then(changed),
    takeBack: () => putBack().then(changed),
  });
}

export const relocateRouteStop = (routeId: string, stop: RouteStop, after: Place) =>
  relocate<RouteStop>(`/routes/${routeId}/stops/${stop.id}/location`, "plannedCoordinates", { ...stop, place: stop.plannedCoordinates }, after,
    (found) => found.plannedCoordinates, () => Promise.resolve(), () => versionOf(routeId));

export const relocateImportedStop = (stop: ImportedStop, after: Place, changed: () => Promise<unknown>) =>
  relocate<ImportedStop>(`/stops/imports/${stop.id}/location`, "coordinates", { ...stop, place: stop.coordinates }, after, (found) => found.coordinates, changed, () => "");
