// What the service answers, as far as the console reads it.
import type { CalendarDay, TimeWindow } from "../kit/times";
import { t } from "../kit/words";

export { dayOf, type CalendarDay } from "../kit/times";

export interface Coordinates { latitude: number; longitude: number }
export interface Address { address1: string; address2: string; city: string; provinceCode: string; countryCode: string; zip: string }
export interface Contact { firstName: string; lastName: string; company: string; phone: string; email: string }
export interface Geocoding { matchType: string; matchedAddress: string; distanceMeters?: number }

export interface StopColumns {
  ids: string[]; names: string[]; statuses: string[]; latitudes: number[]; longitudes: number[];
  plannedArrivals: (string | null)[]; updatedArrivals: (string | null)[]; late: boolean[]; matchTypes: (string | null)[];
}

export interface RouteDriver { id: string; firstName: string; lastName: string; phone?: string; status: string }
export interface Vehicle {
  id: string; name: string; license: string; isArchived: boolean; capacities?: Record<string, number>; skills?: string[];
  start?: { address?: Address; coordinates?: Coordinates }; end?: { address?: Address; coordinates?: Coordinates };
  shift?: TimeWindow; breaks?: { timeWindow: TimeWindow; duration: string }[];
}

export interface DayRoute {
  id: string; name: string; color: string; estimated: boolean; driver?: RouteDriver; vehicle?: Vehicle; status: string; start: Coordinates; end?: Coordinates;
  scheduledFor?: string; dispatchedUntil?: string; plannedEnd?: string; expectedEnd?: string; late: number; lateness: Record<string, string>; stops: StopColumns;
}

export interface UnroutedStop {
  importedStopId?: string; storeOrderId?: string; name: string; address?: Address; latitude?: number; longitude?: number;
  timeWindows: TimeWindow[]; duration?: string; undated: boolean; matchType?: string;
}

export const sayNowhere = () => `${t("matchGiven")} 0,0`;

// No map should be drawn so wide as to show the sea at 0,0.
export const leaveOutNowhere = <Place,>(places: Place[], isThere: (place: Place) => boolean): Place[] => {
  const somewhere = places.filter((place) => !isThere(place));
  return somewhere.length ? somewhere : places;
};

// A stop that is on no route, as it is moved.
export const looseStop = (stop: { importedStopId?: string; storeOrderId?: string }) => ({ id: unroutedId(stop), importedStopId: stop.importedStopId ?? "", storeOrderId: stop.storeOrderId ?? "", routeId: "", index: 0 });

// Where such a stop is shown.
export const placeOfLoose = (stop: { importedStopId?: string; storeOrderId?: string }) => (stop.importedStopId ? `unrouted/${stop.importedStopId}` : `order/${encodeURIComponent(stop.storeOrderId ?? "")}`);

/** The id of the imported stop or the order that is on no route; empty for what is on one. */
export const unroutedId = (stop: { importedStopId?: string; storeOrderId?: string }) => stop.importedStopId || stop.storeOrderId || "";

export interface Day {
  date: string; timezone: string; routes: DayRoute[]; nextColors: string[]; unrouted: { count: number; stops: UnroutedStop[] }; version: number;
}

export interface Attachment { id: string; createdAt: string; url: string }
export interface Item { name: string; quantity: number; grams?: number; sku?: string }
export interface TaskItem { title: string; completed?: boolean }
export interface Task {
  id: string; title: string; type: string; items?: TaskItem[]; requiredToMarkStopAsDelivered: boolean; requiredToMarkStopAsAttempted: boolean;
  input?: { value: string };
}


export interface RouteStop {
  id: string; type: string; deliveryStatus: string; breakStatus: string; duration?: string; plannedArrival?: string; updatedArrival?: string;
  plannedLateness?: string; note: string; address?: Address; contact?: Contact; plannedCoordinates: Coordinates; geocoding?: Geocoding;
  items: Item[]; importedStopId: string; storeOrderId: string; clientStopId: string; proofOfDeliveryNote: string;
  proofOfDeliveryPhotos: Attachment[]; proofOfDeliverySignatures: Attachment[]; proofOfDeliveryBarcodes: { value: string }[];
  tasks: Task[]; priority: number; locked: boolean; orderName: string; timeWindows: TimeWindow[]; attemptedReason: string; attemptedNote: string;
  customerNote?: { note: string; at: string }; arrivedAt?: string; leftWith?: string; recipientName?: string;
  proofOfDeliveryBarcodeIssues: { reason: string; note: string }[]; customerRating?: { rating: number; comment: string };
  arrivalWindow?: { start: string; end: string }; deliveryDate?: CalendarDay; orderReferenceUrl: string;
  storeOrder?: { orderNote: string; customerNote: string; address?: Address; deliveryDate?: CalendarDay; timeWindows?: TimeWindow[] }; attributes: unknown[]; tags: string[]; customSignatureDisclosure: string;
}

export interface RouteEndShape { address?: Address; coordinates: Coordinates; plannedArrival?: string; updatedArrival?: string; scheduledStart?: string; updatedStart?: string; status: string }

export interface Route {
  id: string; name: string; driver?: RouteDriver; vehicle?: Vehicle; start: RouteEndShape; end?: RouteEndShape; stops: RouteStop[];
  scheduledFor?: string; archivedAt?: string; dispatchedUntil?: string; totalDistanceMeters: number; optimized: boolean; status: string; note: string;
  stopTasks?: Task[]; createdAt: string; updatedAt?: string;
}

export interface ImportedStop {
  id: string; clientStopId: string; address?: Address; contact?: Contact; coordinates?: Coordinates; geocoding?: Geocoding;
  items: Item[]; note: string; duration?: string; priority: number; orderName: string; timeWindows: TimeWindow[]; tasks: Task[];
  deliveryDate?: CalendarDay; orderReferenceUrl: string; customerNote?: RouteStop["customerNote"];
}

export interface Insertion {
  routeId: string; index: number; extraTravelSeconds: number; extraLatenessSeconds: number; newViolations: { type: string; subject: string; description: string; values?: { name?: string; excess?: number } }[];
}

export interface PlanStep { type: string; importedStopId: string; storeOrderId: string; clientStopId: string; routeStopId: string; plannedArrival: string; lateness?: string }
export interface PlanFix {
  type: "CLOSE_LATER" | "OPEN_EARLIER" | "EXTEND_SHIFT" | "RAISE_CAPACITY" | "RAISE_LIMIT" | "GRANT_SKILL" | "ADD_VEHICLE" | "UNPIN" | "DROP_STOP"
    | "START_BREAK_EARLIER" | "START_BREAK_LATER" | "SHORTEN_BREAK";
  index: number; subject: string; name: string; amount: number; costDifference: number; timeWindow?: TimeWindow; break?: PlanBreak;
}
export interface PlanBreak { vehicle: string; timeWindow: { start: string; end: string }; duration: string }
export interface PlanReason {
  vehicle: string; type: string; description: string; limits: { vehicle: string; type: string; subject: string; amount: number }[]; break?: PlanBreak;
}
export interface Plan {
  id: string; status: string; progress: { phase: string; share: number; cost?: number; unassigned: number; vehiclesUsed: number };
  routes: { vehicle: string; vehicleId: string; routeId: string; departure: string; end: string; steps: PlanStep[]; totalDistanceMeters: number; polyline?: string }[];
  unassigned: { importedStopId: string; storeOrderId: string; clientStopId: string; routeStopId: string; reasons: PlanReason[]; fixes: PlanFix[] }[];
  statistics?: { cost: number; costs: { unassigned: number }; vehiclesUsed: number; totalDistanceMeters: number; movedStops: number; estimated: boolean; churnCurve?: { maxMovedStops: number; movedStops: number; cost: number }[] };
  options: Record<string, unknown>;
  error?: { message: string };
}

export const FINISHED = new Set(["ATTEMPTED_DELIVERY", "DELIVERED", "COMPLETED"]);
export const isDone = (stop: RouteStop) => FINISHED.has(stop.deliveryStatus) || stop.breakStatus === "COMPLETED";

// By what people call a stop; empty where nothing is said of it, as the service has it.
export function nameOfStop(stop: { orderName: string; contact?: Contact; address?: Address; clientStopId?: string; type?: string }): string {
  const person = [stop.contact?.firstName, stop.contact?.lastName].filter(Boolean).join(" ");
  return person || stop.contact?.company || stop.orderName || stop.address?.address1 || sayAddress(stop.address) || stop.clientStopId || (stop.type === "BREAK" ? t("breakWord") : "");
}

// A stop of a route that nobody has named is called by its number there, the same on every screen.
export const nameByNumber = (name: string | undefined, number: number) => name || `${t("stop")} ${number}`;

export function sayAddress(address: Address | undefined): string {
  if (!address) return "";
  return [address.address1, address.address2, [address.zip, address.city].filter(Boolean).join(" "), address.provinceCode, address.countryCode]
    .filter(Boolean).join(", ");
}

// Of a driver who was erased nothing is left to call them by.
export function nameOfDriver(driver: { firstName: string; lastName: string }): string {
  return `${driver.firstName} ${driver.lastName}`.trim() || t("erasedDriver");
}
