// Written by scripts/clients.py from the description of the interface; not by hand.

/** A plan that waits, with the stops that were named, found by the filter, or are on routes. */
export interface AcceptedPlan {
  "id": string;
  "name": string;
  "status": PlanStatus;
  "createdAt": string;
  "startedAt"?: string;
  "finishedAt"?: string;
  "expiresAt"?: string;
  "options": PlanOptions;
  "basedOn": string;
  "skippedOrders": Array<SkippedOrder>;
  "stopCount": number;
  "vehicleCount": number;
  "progress": PlanProgress;
  "statistics"?: PlanStatistics;
  "error"?: PlanError;
  "routes": Array<PlanRoute>;
  "unassigned": Array<UnassignedStop>;
  "stops": Array<AcceptedStop>;
}

/** A stop that a plan is of, by all its ids; one that it does not have is empty. */
export interface AcceptedStop {
  "importedStopId": string;
  "clientStopId": string;
  "storeOrderId": string;
  "routeStopId": string;
}

/** What a driver can do. */
export type ActionKind = "ROUTE_STARTED" | "STOP_ARRIVED" | "STOP_DELIVERED" | "STOP_ATTEMPTED" | "STOP_REOPENED" | "STOPS_REORDERED" | "PROOF_NOTE" | "PHOTO" | "SIGNATURE" | "BARCODE" | "BARCODE_ISSUE" | "TASK_COMPLETED" | "TASK_ITEM_COMPLETED" | "BREAK_COMPLETED" | "END_COMPLETED" | "POSITION" | (string & {});

/** Who did it, as far as is known (specification, Events, `user`). */
export interface Actor {
  "storeUserId"?: string;
  "email"?: string;
  "driverId"?: string;
  "ipAddress"?: string;
  "userAgent"?: string;
}

/** Names an order of the storefront, and which of its items go. */
export interface AddOrderBodyInput {
  "storeOrderId": string;
  "itemSelection"?: ItemSelectionInput;
}

/** Names an imported stop, by its id or by the client's own, and where it goes. */
export interface AddStopBodyInput {
  "importedStopId"?: string;
  "clientStopId"?: string;
  "index"?: number;
}

/** A postal address; any part may be empty. */
export interface Address {
  "address1": string;
  "address2": string;
  "city": string;
  "provinceCode": string;
  "countryCode": string;
  "zip": string;
}

/** A postal address; any part may be empty. */
export interface AddressInput {
  "address1"?: string;
  "address2"?: string;
  "city"?: string;
  "provinceCode"?: string;
  "countryCode"?: string;
  "zip"?: string;
}

/** The routes that were made of a plan, in the order of its vehicles, and the plan. */
export interface AppliedPlanAnswer {
  "routes": Array<Route>;
  "plan": ProposedPlan;
}

/** Which vehicles' routes to make, all where none is named, and what they are given beside. */
export interface ApplyPlanBodyInput {
  "vehicles"?: Array<string>;
  "routeDetails"?: PlanRouteDetailsInput;
}

/** Arrivals as they were expected with so many stops ahead. */
export interface ArrivalBucket {
  "stopsAhead": number;
  "count": number;
  "held": number;
  "share"?: number;
  "medianErrorSeconds"?: number;
}

/** From when until when the driver is expected. */
export interface ArrivalWindow {
  "start": string;
  "end": string;
}

/** Whether windows held, by how many stops were ahead when they were shown first. */
export interface ArrivalsReport {
  "buckets": Array<ArrivalBucket>;
}

/** An order as it would arrive; one that is not wanted is left in its shop. */
export interface ArrivingOrder {
  "storeOrder": StoreOrder;
  "isWanted": boolean;
}

/** A stored file; `url` is stable and unguessable (decisions §10). */
export interface Attachment {
  "id": string;
  "createdAt": string;
  "url": string;
}

/** Why a delivery was attempted only (decisions §8). */
export type AttemptedReason = "UNKNOWN" | "NOT_AVAILABLE" | "REFUSED" | "WRONG_ADDRESS" | "NO_ACCESS" | "UNSAFE" | "DAMAGED" | "OTHER" | (string & {});

/** A key and a value that mean something to the client. */
export interface Attribute {
  "key": string;
  "value": string;
}

/** A key and a value that mean something to the client. */
export interface AttributeInput {
  "key"?: string;
  "value"?: string;
}

/** A fresh access token; the lifetime is a string of digits (specification). */
export interface AuthenticateAnswer {
  "accessToken": string;
  "expiresInSeconds": string;
  "organization": string;
}

/** Credentials to exchange for an access token. */
export interface AuthenticateBodyInput {
  "clientId"?: string;
  "clientSecret"?: string;
}

/** What makes a route the longest. */
export type BalanceBy = "DURATION" | "STOPS" | (string & {});

/** What makes a route the longest. */
export type BalanceByInput = "DURATION" | "STOPS";

/** A scanned code. */
export interface Barcode {
  "value": string;
  "createdAt": string;
}

/** A code that could not be scanned. */
export interface BarcodeIssue {
  "reason": BarcodeIssueReason;
  "note": string;
  "createdAt": string;
}

/** Why a barcode was not scanned (decisions §8). */
export type BarcodeIssueReason = "UNKNOWN" | "ITEM_MISSING" | "ITEM_DAMAGED" | "BARCODE_UNREADABLE" | "OTHER" | (string & {});

/** What one vehicle would break with one stop more, at the place where it breaks least. */
export interface BindingLimit {
  "vehicle": string;
  "type": UnassignedReasonType;
  "subject": string;
  "amount": number;
}

/** A break without which a vehicle would have time for a stop. */
export interface BlockingBreak {
  "vehicle": string;
  "timeWindow": BreakSpan;
  "duration": string;
}

/** Between which moments a break begins. */
export interface BreakSpan {
  "start": string;
  "end": string;
}

/** Between which moments a break begins. */
export interface BreakSpanInput {
  "start": string;
  "end": string;
}

/** Whether a break was taken. */
export type BreakStatus = "UNKNOWN" | "COMPLETED" | (string & {});

/** What to change: a field of the stop or route that is meant, or which stops there are. */
export type ChangeKind = "timeWindows" | "scheduledFor" | "maxDuration" | "maxStops" | "maxItemCount" | "maxKilograms" | "removeStop" | (string & {});

/** A member as changed, and what somebody who may no longer make credentials has left behind. */
export interface ChangedMember {
  "name": string;
  "role": Role;
  "id": string;
  "email": string;
  "status": MemberStatus;
  "createdAt": string;
  "lastSeenAt"?: string;
  "credentials": Array<ListedCredentials>;
}

/** How a customer is told. */
export type Channel = "EMAIL" | "SMS" | (string & {});

/** How a customer is told. */
export type ChannelInput = "EMAIL" | "SMS";

/** The best plan that was found with so many moved stops at most. */
export interface ChurnCost {
  "maxMovedStops": number;
  "movedStops": number;
  "cost": number;
  "unassigned": number;
}

/** Changes that are enough together, and not one by one. */
export interface Combination {
  "changes": Array<SuggestedChange>;
}

/** With which plans; CURRENT stands for the routes as they are now. */
export interface ComparePlanBodyInput {
  "with": Array<string>;
}

/** What went wrong with a shop the last time, and what helps. */
export interface ConnectionFailure {
  "at": string;
  "code": string;
  "message": string;
  "remedy": string;
}

/** The person or company at a door. */
export interface Contact {
  "firstName": string;
  "lastName": string;
  "company": string;
  "phone": string;
  "email": string;
}

/** The person or company at a door. */
export interface ContactInput {
  "firstName"?: string;
  "lastName"?: string;
  "company"?: string;
  "phone"?: string;
  "email"?: string;
}

/** A point in WGS 84 degrees; always named, never positional. */
export interface Coordinates {
  "latitude": number;
  "longitude": number;
}

/** A point in WGS 84 degrees; always named, never positional. */
export interface CoordinatesInput {
  "latitude": number;
  "longitude": number;
}

/** A new route, and which one it is a copy of. */
export interface CopiedRoute {
  "id": string;
  "name": string;
  "copiedFrom": string;
  "stopCount": number;
  "etag": string;
}

/** Something of a route that is not on its copy as it was. */
export interface CopyWarning {
  "type": CopyWarningType;
  "routeId": string;
  "subject": string;
  "count": number;
  "message": string;
}

/** What of a route could not be copied as it was. */
export type CopyWarningType = "VEHICLE_LEFT_OUT" | "DRIVER_LEFT_OUT" | "ORDERS_LEFT_OUT" | "DEPARTURE_ASSUMED" | (string & {});

/** What a route or a plan costs, by what it is for. */
export interface CostsByPart {
  "fixed": number;
  "perHour": number;
  "perTraveledHour": number;
  "perKilometer": number;
  "perStop": number;
  "lateness": number;
  "priorityInversions": number;
  "preferences": number;
  "compactness": number;
  "balance": number;
  "unassigned": number;
  "movedStops": number;
  "total": number;
}

/** The credentials of an organization, oldest first; there are few. */
export interface CredentialsAnswer {
  "credentials": Array<ListedCredentials>;
}

/** What new credentials may do; every scope where none is named. */
export interface CredentialsDraftInput {
  "scopes"?: Array<ScopeInput>;
}

/** The customer's note at a stop, beside the planner's own. */
export interface CustomerNote {
  "note": string;
  "at": string;
}

/** What the customer said afterwards. */
export interface CustomerRating {
  "rating": number;
  "comment": string;
  "createdAt": string;
}

/** A break that begins in its window, where the vehicle stands then. */
export interface DailyBreak {
  "timeWindow": TimeWindow;
  "duration": string;
}

/** A break that begins in its window, where the vehicle stands then. */
export interface DailyBreakInput {
  "timeWindow": TimeWindowInput;
  "duration": string;
}

/** When a vehicle may be on the road on any day; an end before its start is on the next. */
export interface DailyShift {
  "start": TimeOfDay;
  "end": TimeOfDay;
  "latestStart"?: TimeOfDay;
}

/** When a vehicle may be on the road on any day; an end before its start is on the next. */
export interface DailyShiftInput {
  "start": TimeOfDayInput;
  "end": TimeOfDayInput;
  "latestStart"?: TimeOfDayInput;
}

/** A calendar day. */
export interface Date {
  "year": number;
  "month": number;
  "day": number;
}

/** A calendar day. */
export interface DateInput {
  "year": number;
  "month": number;
  "day": number;
}

/** The routes of a day by the clocks of the organization, and what is still to be routed. */
export interface Day {
  "date": string;
  "timezone": string;
  "routes": Array<DayRoute>;
  "nextColors": Array<string>;
  "unrouted": UnroutedStops;
  "version": number;
}

/** Which routes a day got from another one. */
export interface DayCopy {
  "date": string;
  "routes": Array<CopiedRoute>;
  "warnings": Array<CopyWarning>;
}

/** Which day's routes are copied, and which of them; all of them where none is named. */
export interface DayCopyBodyInput {
  "from": string;
  "routeIds"?: Array<string>;
}

/** What a day can be taken away as. */
export type DayFileFormatInput = "CSV" | "XLSX" | "GEOJSON";

/** What of a day has a text in it. */
export interface DayMatches {
  "routes": Array<RouteMatch>;
  "unroutedIds": Array<string>;
}

/** A route as a day shows it. */
export interface DayRoute {
  "id": string;
  "name": string;
  "color": string;
  "driver"?: RouteDriver;
  "vehicle"?: Vehicle;
  "status": RouteStatus;
  "start": Coordinates;
  "end"?: Coordinates;
  "scheduledFor"?: string;
  "updatedStart"?: string;
  "dispatchedUntil"?: string;
  "plannedEnd"?: string;
  "expectedEnd"?: string;
  "late": number;
  "lateness": Record<string, string>;
  "estimated": boolean;
  "stops": StopColumns;
}

/** A day by the organization's clocks. */
export interface DaySummary {
  "routes": number;
  "stops": number;
  "delivered": number;
  "attempted": number;
  "open": number;
  "onTime": number;
  "late": number;
  "onTimeShare"?: number;
  "distanceMeters": number;
  "secondsOnTheRoad": number;
  "stopsPerHour"?: number;
  "failedReasons": Array<ReasonCount>;
  "ratings": number;
  "averageRating"?: number;
  "date": string;
}

/** Each day of the report on which there are routes, the first first. */
export interface DaysReport {
  "days": Array<DaySummary>;
}

/** A stop that is reached later than before. */
export interface DelayedStop {
  "stopId": string;
  "delay": string;
}

/** A page of deliveries. */
export interface DeliveriesAnswer {
  "deliveries": Array<Delivery>;
  "nextCursor": string;
}

/** One event on its way to one webhook: PENDING, DELIVERED, or DROPPED after the last retry. */
export interface Delivery {
  "eventId": string;
  "topic": Topic;
  "status": DeliveryState;
  "attempts": Array<DeliveryAttempt>;
  "nextAttemptAt"?: string;
}

/** When an event was sent; the receiver's status, or why there is none. */
export interface DeliveryAttempt {
  "at": string;
  "status"?: number;
  "error"?: string;
  "type"?: IssueType;
}

/** Where a delivery stands. */
export type DeliveryState = "PENDING" | "DELIVERED" | "DROPPED" | (string & {});

/** Where a delivery stands. */
export type DeliveryStateInput = "PENDING" | "DELIVERED" | "DROPPED";

/** How far a stop has come (decisions §8). */
export type DeliveryStatus = "UNKNOWN" | "READY_FOR_DELIVERY" | "OUT_FOR_DELIVERY" | "ATTEMPTED_DELIVERY" | "DELIVERED" | (string & {});

/** Until when a route is dispatched; absent: 24 hours past the later of now and its end. */
export interface DispatchBodyInput {
  "dispatchedUntil"?: string;
}

/** A route that a driver has, or had. */
export interface DrivenRoute {
  "id": string;
  "name": string;
  "scheduledFor": string;
  "status": RouteStatus;
}

/** A person who drives for the organization. */
export interface Driver {
  "firstName": string;
  "lastName": string;
  "phone": string;
  "email": string;
  "id": string;
  "status": DriverStatus;
}

/** Names a driver. */
export interface DriverBodyInput {
  "driverId": string;
}

/** What a planner may say of a driver. */
export interface DriverDetailsInput {
  "firstName"?: string;
  "lastName"?: string;
  "phone"?: string;
  "email"?: string;
  "id"?: unknown;
  "status"?: unknown;
}

/** A new driver; the first name is needed to speak of them. */
export interface DriverDraftInput {
  "firstName": string;
  "lastName"?: string;
  "phone"?: string;
  "email"?: string;
  "id"?: unknown;
  "status"?: unknown;
}

/** An event of a driver. */
export interface DriverEvent {
  "eventId": string;
  "topic": Topic;
  "eventTimestamp": string;
  "apiVersion": string;
  "organization": string;
  "objectId": string;
  "user": Actor;
  "payload"?: Driver;
}

/** Everything that is stored of a driver, as far as it is still kept. */
export interface DriverExport {
  "driver": Driver;
  "devices": Array<DriverSession>;
  "routes": Array<DrivenRoute>;
  "positions": Array<DriverTrackPoint>;
  "actions": Array<Record<string, unknown>>;
}

/** Where a driver was, and when. */
export interface DriverFix {
  "coordinates": Coordinates;
  "accuracyMeters": number;
  "at": string;
}

/** Where a driver was last, who is on a route. */
export interface DriverPosition {
  "driverId": string;
  "routeId": string;
  "coordinates": Coordinates;
  "at": string;
}

/** Where drivers are who are on a route, as far as they say so. */
export interface DriverPositionsAnswer {
  "positions": Array<DriverPosition>;
}

/** One device; `device` is what it calls itself. */
export interface DriverSession {
  "id": string;
  "device": string;
  "createdAt": string;
}

/** The devices on which a driver is signed in, oldest first. */
export interface DriverSessionsAnswer {
  "sessions": Array<DriverSession>;
}

/** Where a driver stands (decisions §8): PENDING until signed up. */
export type DriverStatus = "UNKNOWN" | "PENDING" | "ACTIVE" | "DEACTIVATED" | "ARCHIVED" | (string & {});

/** Where a driver stands (decisions §8): PENDING until signed up. */
export type DriverStatusInput = "UNKNOWN" | "PENDING" | "ACTIVE" | "DEACTIVATED" | "ARCHIVED";

/** The days of a driver; without an id the routes that nobody drove. */
export interface DriverSummary {
  "routes": number;
  "stops": number;
  "delivered": number;
  "attempted": number;
  "open": number;
  "onTime": number;
  "late": number;
  "onTimeShare"?: number;
  "distanceMeters": number;
  "secondsOnTheRoad": number;
  "stopsPerHour"?: number;
  "failedReasons": Array<ReasonCount>;
  "ratings": number;
  "averageRating"?: number;
  "driverId"?: string;
  "name": string;
}

/** Where a driver was, when, and on which route. */
export interface DriverTrackPoint {
  "coordinates": Coordinates;
  "at": string;
  "routeId": string;
}

/** A page of drivers. */
export interface DriversAnswer {
  "drivers": Array<Driver>;
  "nextCursor": string;
}

/** Each driver who has routes on the days of the report, by name. */
export interface DriversReport {
  "drivers": Array<DriverSummary>;
}

/** An object without fields. */
export interface EmptyBodyInput {
}

/** Whether the driver has completed the end. */
export type EndStatus = "UNKNOWN" | "COMPLETED" | (string & {});

/** An erasure as its client sees it. */
export interface Erasure {
  "id": string;
  "status": ErasureStatus;
  "createdAt"?: string;
  "driverId"?: string;
  "percentDone"?: number;
  "attempts"?: number;
  "error"?: string;
  "receipt"?: ErasureReceipt;
}

/** Whose data are to be erased, and why. */
export interface ErasureDraftInput {
  "phone"?: string;
  "email"?: string;
  "clientStopId"?: string;
  "importedStopId"?: string;
  "driverId"?: string;
  "reason"?: string;
}

/** What was erased, when and why, without a word of what it was. */
export interface ErasureReceipt {
  "erasedAt": string;
  "reason": string;
  "importedStops": number;
  "routeStops": number;
  "orders": number;
  "documents": number;
  "pictures": number;
  "evidenceRecords": number;
  "positions": number;
  "journalEntries": number;
  "devices": number;
}

/** How far an erasure is. */
export type ErasureStatus = "QUEUED" | "RUNNING" | "COMPLETED" | "FAILED" | (string & {});

/** A page of erasures, newest first. */
export interface ErasuresAnswer {
  "erasures": Array<Erasure>;
  "nextCursor": string;
}

/** Every failed request answers this. */
export interface Error {
  "code": number;
  "message": string;
  "details"?: Array<ErrorDetail>;
}

/** One detail of an error, in a google.rpc shape named by its @type, or our Advice. */
export interface ErrorDetail {
  "@type": string;
  "fieldViolations"?: Array<FieldViolation>;
  "violations"?: Array<PreconditionViolation>;
  "requestId"?: string;
  "changes"?: Array<SuggestedChange>;
  "combinations"?: Array<Combination>;
  "conflicts"?: Array<WindowConflict>;
}

/** A page of events, oldest first. */
export interface EventsAnswer {
  "events": Array<WebhookEvent>;
  "nextCursor": string;
}

/** With what an organization's checkpoints are verified (decisions §17). */
export interface EvidenceKey {
  "algorithm": string;
  "publicKey": string;
  "createdAt": string;
}

/** What a sentence about a broken limit, window or rule names; its type says which one. */
export interface ExcessValues {
  "name"?: string;
  "actual"?: number;
  "most"?: number;
  "excess"?: number;
  "serviceStart"?: string;
  "windows"?: Array<TimeWindow>;
}

/** One thing wrong with a request: where, and what would be right. */
export interface FieldViolation {
  "field": string;
  "description": string;
  "type"?: IssueType;
  "values"?: IssueValues;
}

/** How a place was found, and how far given coordinates are from what its address means. */
export interface Geocoding {
  "matchType": MatchLevel;
  "matchedAddress": string;
  "distanceMeters"?: number;
}

/** A page of what happened to a route, newest first. */
export interface HistoryAnswer {
  "entries": Array<HistoryEntry>;
  "nextCursor": string;
}

/** One thing that happened, and to which stops, at most five of which are named. */
export interface HistoryChange {
  "kind": HistoryKind;
  "stops": Array<HistoryStop>;
  "stopCount": number;
  "before": string;
  "after": string;
}

/** One change, or one message to a customer; a change may be several things at once. */
export interface HistoryEntry {
  "id": string;
  "at": string;
  "who": string;
  "topics": Array<Topic>;
  "changes": Array<HistoryChange>;
  "message"?: HistoryMessage;
}

/** What happened. */
export type HistoryKind = "CREATED" | "RENAMED" | "DRIVER_CHANGED" | "VEHICLE_CHANGED" | "DEPARTURE_CHANGED" | "STOPS_ADDED" | "STOPS_REMOVED" | "STOPS_REORDERED" | "STOPS_CHANGED" | "DISPATCHED" | "UNDISPATCHED" | "ARCHIVED" | "UNARCHIVED" | "STARTED" | "COMPLETED" | "START_CHANGED" | "END_CHANGED" | "OPTIONS_CHANGED" | "STOPS_READY" | "STOPS_SENT_OUT" | "STOPS_ARRIVED" | "STOPS_DELIVERED" | "STOPS_ATTEMPTED" | "STOPS_REOPENED" | "BREAK_COMPLETED" | "PROOF_CHANGED" | "MESSAGE" | "OTHER" | (string & {});

/** A message to a customer, and whether it arrived. */
export interface HistoryMessage {
  "moment": Trigger;
  "channel": Channel;
  "status": MessageStatus;
}

/** A stop by its id, and by what it was called then. */
export interface HistoryStop {
  "stopId": string;
  "name": string;
}

/** A stop in the organization's pool; `address` or `coordinates` were given, both are known. */
export interface ImportedStop {
  "clientStopId": string;
  "address"?: Address;
  "contact"?: Contact;
  "coordinates"?: Coordinates;
  "items": Array<Item>;
  "note": string;
  "duration"?: string;
  "priority": number;
  "orderName": string;
  "timeWindows": Array<TimeWindow>;
  "deliveryDate"?: Date;
  "attributes": Array<Attribute>;
  "tags": Array<string>;
  "tasks": Array<TaskTemplate>;
  "type": StopType;
  "customSignatureDisclosure": string;
  "orderReferenceUrl": string;
  "loads"?: Record<string, number>;
  "requiredSkills": Array<string>;
  "id": string;
  "importedAt": string;
  "geocoding"?: Geocoding;
  "copiedFrom"?: string;
  "customerNote"?: CustomerNote;
}

/** An event of a stop of the pool. */
export interface ImportedStopEvent {
  "eventId": string;
  "topic": Topic;
  "eventTimestamp": string;
  "apiVersion": string;
  "organization": string;
  "objectId": string;
  "user": Actor;
  "payload"?: ImportedStop;
}

/** The stops of an import, in the order they were sent, and what is doubtful about them. */
export interface ImportedStopsAnswer {
  "stops": Array<ImportedStop>;
  "warnings": Array<StopWarning>;
  "rejectedRows"?: Array<RefusedRow>;
  "columns"?: Array<SheetColumn>;
  "fields"?: Array<string>;
  "rows"?: Array<number>;
  "country"?: string;
}

/** A page of imported stops. */
export interface ImportedStopsPage {
  "stops": Array<ImportedStop>;
  "nextCursor": string;
}

/** How a driver gave an input. */
export type InputMethod = "UNKNOWN" | "TYPED" | "SCANNED" | (string & {});

/** The best place on one route, its order being as it is. */
export interface Insertion {
  "routeId": string;
  "index": number;
  "extraTravelSeconds": number;
  "extraLatenessSeconds": number;
  "cost": number;
  "addedDistanceMeters": number;
  "plannedArrival": string;
  "delayed": Array<DelayedStop>;
  "violations": Array<PreconditionViolation>;
  "newViolations": Array<PreconditionViolation>;
}

/** A stop of a route, an imported stop, or an order, and what holds of it here (PlanStop). */
export interface InsertionStopInput {
  "stopId"?: string;
  "importedStopId"?: string;
  "clientStopId"?: string;
  "storeOrderId"?: string;
  "loads"?: Record<string, number>;
  "requiredSkills"?: Array<string>;
  "allowedVehicles"?: Array<string>;
  "excludedVehicles"?: Array<string>;
  "unassignedCost"?: number;
  "latenessCostPerHour"?: number;
  "maxLateness"?: string;
}

/** The places of each stop, in the order of the request. */
export interface InsertionsAnswer {
  "stops": Array<StopInsertions>;
}

/** Which stops, and on which routes they could go. */
export interface InsertionsBodyInput {
  "stops": Array<InsertionStopInput>;
  "routeIds": Array<string>;
}

/** A driver, and the new link to sign up with. */
export interface InvitedDriver {
  "firstName": string;
  "lastName": string;
  "phone": string;
  "email": string;
  "id": string;
  "status": DriverStatus;
  "inviteUrl": string;
}

/** A member who is to take up an invitation, and the link to do it with. */
export interface InvitedMember {
  "member": Member;
  "inviteUrl": string;
}

/** What is wrong or doubtful; there may be more of them one day. */
export type IssueType = "SPREADSHEET_ERROR" | "FORMULA_WITHOUT_RESULT" | "TOO_LONG" | "NOT_A_NUMBER" | "NOT_A_WHOLE_NUMBER" | "NOT_COUNTABLE" | "NOT_DEGREES" | "NOT_COORDINATES" | "OUT_OF_RANGE" | "WEIGHT_WITHOUT_UNIT" | "UNKNOWN_WEIGHT_UNIT" | "TOO_HEAVY" | "NOT_A_DURATION" | "DURATION_TOO_LONG" | "NOT_A_DATE" | "DATE_OUT_OF_RANGE" | "ANOTHER_DAY" | "NOT_A_TIME" | "NOT_A_TIME_WINDOW" | "NOT_A_PHONE_NUMBER" | "NOT_AN_EMAIL" | "UNKNOWN_STOP_TYPE" | "BREAK_OF_A_ROUTE" | "NOT_JSON" | "TWO_ADDRESSES" | "OTHER_COORDINATE_MISSING" | "OUT_OF_BOUNDS" | "COLUMN_OF_PLANS" | "COLUMN_LIKE_LOAD" | "TOO_MANY_CELLS" | "TOO_MANY_ORDER_LINES" | "ORDER_LEFT_OUT" | "REPEATED_ID" | "LOCATION_REQUIRED" | "ADDRESS_NOT_FOUND" | "ADDRESS_AMBIGUOUS" | "CITY_REQUIRED" | "CITY_LOOKS_LIKE_STREET" | "UNKNOWN_CITY" | "UNKNOWN_ZIP" | "UNKNOWN_PROVINCE" | "UNKNOWN_COUNTRY" | "ZIP_IS_ELSEWHERE" | "NOT_ON_MAP" | "NO_MAP" | "MATCH_TOO_COARSE" | "COORDINATES_ZERO" | "COORDINATES_SWAPPED" | "FAR_FROM_OTHERS" | "FAR_FROM_ADDRESS" | "SINGLE_TIME" | "READ_AS_AFTERNOON" | "SPANS_MIDNIGHT" | "NO_LENGTH" | "NO_ANSWER_IN_TIME" | "URL_NOT_ALLOWED" | "ADDRESS_NOT_ALLOWED" | "HOST_UNKNOWN" | "HOST_UNREACHABLE" | "CONNECTION_REFUSED" | "CONNECTION_BROKEN" | "CERTIFICATE_NOT_TRUSTED" | "NOT_ENCRYPTED" | "NOT_HTTP" | "SENDER_STOPPED" | (string & {});

/** What a sentence about an issue names; each type has its own of these. */
export interface IssueValues {
  "value"?: string;
  "readAs"?: string;
  "windows"?: Array<TimeWindow>;
  "choices"?: Array<string>;
  "least"?: number;
  "most"?: number;
  "row"?: number;
  "column"?: string;
  "distanceMeters"?: number;
  "detail"?: string;
}

/** A line of goods; `grams` is the weight of one unit (decisions §7). */
export interface Item {
  "name": string;
  "quantity": number;
  "grams": number;
  "sku": string;
}

/** A line of goods; `grams` is the weight of one unit (decisions §7). */
export interface ItemInput {
  "name"?: string;
  "quantity"?: number;
  "grams"?: number;
  "sku"?: string;
}

/** Which items of an order go to its stop; UNKNOWN is PREFER_UNFULFILLED (decisions §8). */
export type ItemSelectionInput = "UNKNOWN" | "PREFER_UNFULFILLED" | "ALL";

/** A page of actions, oldest first. */
export interface JournalAnswer {
  "actions": Array<JournalLine>;
  "nextCursor": string;
}

/** What became of an action, and the action as the device submitted it. */
export interface JournalLine {
  "id": string;
  "driverId": string;
  "sessionId": string;
  "sequence": number;
  "kind": ActionKind;
  "routeId": string;
  "at": string;
  "receivedAt": string;
  "outcome": Outcome;
  "reason": Reason;
  "message": string;
  "resolvedAt"?: string;
  "resolvedBy"?: string;
  "action": unknown;
  "stop"?: KeptStop;
}

/** What of a route stays when it is reoptimized (decisions §15). */
export type KeepInput = "NONE" | "ORDER" | "ASSIGNMENT";

/** The stop of a kept action, wherever it is now. */
export interface KeptStop {
  "id": string;
  "name": string;
  "routeId": string;
  "importedStopId": string;
}

/** A language that customers' pages speak (decisions §16). */
export type Language = "en" | "de" | "fr" | "es" | "it" | "nl" | "pl" | "pt" | (string & {});

/** A language that customers' pages speak (decisions §16). */
export type LanguageInput = "en" | "de" | "fr" | "es" | "it" | "nl" | "pl" | "pt";

/** With whom, or where, goods were left. */
export type LeftWith = "RECIPIENT" | "NEIGHBOUR" | "RECEPTION" | "SAFE_PLACE" | "OTHER" | (string & {});

/** How many recipients are sent messages again. */
export interface LiftedSuppressions {
  "lifted": number;
}

/** Credentials that can be signed in with; nobody is shown a secret again. */
export interface ListedCredentials {
  "id": string;
  "email": string;
  "scopes": Array<Scope>;
  "createdAt": string;
  "current": boolean;
}

/** A location as a client gives it: an address, coordinates, or both. */
export interface Location {
  "address"?: Address;
  "coordinates"?: Coordinates;
}

/** A location as a client gives it: an address, coordinates, or both. */
export interface LocationInput {
  "address"?: AddressInput;
  "coordinates"?: CoordinatesInput;
}

/** What is planned at one place; only a stop has an id, and only stops are waited at. */
export interface LocationTimes {
  "stopId": string;
  "timezone": string;
  "arrival"?: string;
  "waiting"?: string;
  "departure"?: string;
  "lateness"?: string;
}

/** What of an address was found; GIVEN are coordinates that came with it. */
export type MatchLevel = "ROOFTOP" | "STREET" | "LOCALITY" | "GIVEN" | (string & {});

/** A person who plans for one organization. */
export interface Member {
  "name": string;
  "role": Role;
  "id": string;
  "email": string;
  "status": MemberStatus;
  "createdAt": string;
  "lastSeenAt"?: string;
}

/** What an owner may change of a member. */
export interface MemberDetailsInput {
  "name"?: string;
  "role"?: RoleInput;
  "createdAt"?: unknown;
  "email"?: unknown;
  "id"?: unknown;
  "lastSeenAt"?: unknown;
  "status"?: unknown;
}

/** Who is to be invited. */
export interface MemberDraftInput {
  "name"?: string;
  "role"?: RoleInput;
  "email": string;
  "createdAt"?: unknown;
  "id"?: unknown;
  "lastSeenAt"?: unknown;
  "status"?: unknown;
}

/** Where a member stands: INVITED until the invitation is taken up. */
export type MemberStatus = "INVITED" | "ACTIVE" | "DEACTIVATED" | (string & {});

/** A page of members. */
export interface MembersAnswer {
  "members": Array<Member>;
  "nextCursor": string;
}

/** One message to the customer of one stop. */
export interface Message {
  "id": string;
  "stopId": string;
  "routeId": string;
  "moment": Trigger;
  "channel": Channel;
  "status": MessageStatus;
  "attempts": number;
  "lastError"?: string;
  "createdAt": string;
  "sentAt"?: string;
}

/** Which message to show, filled in with an example; without a language in the usual one. */
export interface MessageDraftInput {
  "moment": TriggerInput;
  "channel": ChannelInput;
  "language"?: LanguageInput;
}

/** Whether customers are told of a moment by a channel. */
export interface MessageRule {
  "moment": Trigger;
  "channel": Channel;
  "enabled": boolean;
}

/** Whether customers are told of a moment by a channel. */
export interface MessageRuleInput {
  "moment": TriggerInput;
  "channel": ChannelInput;
  "enabled"?: boolean;
}

/** What an organization has decided about messages to its customers. */
export interface MessageSettings {
  "rules": Array<MessageRule>;
  "templates": Array<MessageTemplate>;
  "quietHours"?: QuietHours;
  "language"?: Language;
  "smsGateway"?: SmsGateway;
}

/** What an organization has decided about messages; headers of its gateway are hidden. */
export interface MessageSettingsAnswerInput {
  "rules"?: Array<MessageRuleInput>;
  "templates"?: Array<MessageTemplateInput>;
  "quietHours"?: QuietHoursInput;
  "language"?: LanguageInput;
  "smsGateway"?: SmsGatewayInput;
}

/** What has become of a message. */
export type MessageStatus = "WAITING" | "SENT" | "FAILED" | "SUPPRESSED" | (string & {});

/** What has become of a message. */
export type MessageStatusInput = "WAITING" | "SENT" | "FAILED" | "SUPPRESSED";

/** An organization's own words for a moment, in a language; empty is the built-in text. */
export interface MessageTemplate {
  "moment": Trigger;
  "channel": Channel;
  "language": Language;
  "subject": string;
  "text": string;
}

/** An organization's own words for a moment, in a language; empty is the built-in text. */
export interface MessageTemplateInput {
  "moment": TriggerInput;
  "channel": ChannelInput;
  "language": LanguageInput;
  "subject"?: string;
  "text"?: string;
}

/** What a message says. */
export interface MessageText {
  "subject"?: string;
  "text": string;
  "segments"?: number;
}

/** A page of messages, newest first. */
export interface MessagesAnswer {
  "messages": Array<Message>;
  "nextCursor": string;
}

/** The least that may be found of an address. */
export type MinimumMatchInput = "ROOFTOP" | "STREET" | "LOCALITY";

/** Where a stop goes; with an index alone within its route, with neither off its route. */
export interface MoveBodyInput {
  "stopId"?: string;
  "importedStopId"?: string;
  "storeOrderId"?: string;
  "fromRouteId"?: string;
  "toRouteId"?: string;
  "index"?: number;
}

/** New credentials; the secret is shown this once. */
export interface NewCredentials {
  "clientId": string;
  "clientSecret": string;
  "scopes": Array<Scope>;
}

/** A driver just added, and the link to sign up with. */
export interface NewDriver {
  "driver": Driver;
  "inviteUrl": string;
}

/** The answer of an operation that has nothing to say (decisions §1, Success). */
export interface Nothing {
}

/** Why there is no token (RFC 6749, section 5.2). */
export interface OAuthError {
  "error": string;
  "error_description": string;
}

/** A fresh access token, as RFC 6749 names its parts (section 5.1). */
export interface OAuthToken {
  "access_token": string;
  "token_type": string;
  "expires_in": number;
  "scope": string;
}

/** The ids of all stops of a route that are not done, each once, in the order to drive them. */
export interface OrderBodyInput {
  "stopIds": Array<string>;
}

/** What may be written into an order for the people of its shop, under a name of ours. */
export type OrderField = "ROUTE" | "STOP_NUMBER" | "ARRIVAL" | "DRIVER" | "STATUS" | "TRACKING_URL" | (string & {});

/** What may be written into an order for the people of its shop, under a name of ours. */
export type OrderFieldInput = "ROUTE" | "STOP_NUMBER" | "ARRIVAL" | "DRIVER" | "STATUS" | "TRACKING_URL";

/** A line of an order, and how much of it has left already. */
export interface OrderItem {
  "name": string;
  "quantity": number;
  "grams": number;
  "sku": string;
  "fulfilledQuantity": number;
}

/** A line of an order, and how much of it has left already. */
export interface OrderItemInput {
  "name"?: string;
  "quantity"?: number;
  "grams"?: number;
  "sku"?: string;
  "fulfilledQuantity"?: number;
}

/** The stops of an order, oldest route first, and what its shop is told, oldest first. */
export interface OrderProgress {
  "storeOrderId": string;
  "stops": Array<OrderStop>;
  "reports": Array<StorefrontReport>;
}

/** A stop that was made of an order, and the route that it is on. */
export interface OrderStop {
  "routeId": string;
  "routeName": string;
  "isArchived": boolean;
  "stopId": string;
  "index": number;
  "deliveryStatus": DeliveryStatus;
  "isElsewhere": boolean;
  "isAtAnotherTime": boolean;
}

/** Who asks, by which clocks their day is, and what their customers' pages look like. */
export interface OrganizationAnswer {
  "phone": string;
  "color": string;
  "language": Language;
  "start"?: Location;
  "shareDriverPosition": PositionSharing;
  "failureReasons": Array<string>;
  "proofRules": ProofRules;
  "retention"?: Retention;
  "id": string;
  "name": string;
  "timezone": string;
  "logoUrl": string;
}

/** What an owner may change of an organization. */
export interface OrganizationUpdateInput {
  "phone"?: string;
  "color"?: string;
  "language"?: LanguageInput;
  "start"?: LocationInput;
  "shareDriverPosition"?: PositionSharingInput;
  "failureReasons"?: Array<string>;
  "proofRules"?: ProofRulesInput;
  "retention"?: RetentionInput;
  "name"?: string;
  "id"?: unknown;
  "logoUrl"?: unknown;
  "timezone"?: unknown;
}

/** What became of an action. */
export type Outcome = "APPLIED" | "KEPT" | "REFUSED" | (string & {});

/** What became of an action. */
export type OutcomeInput = "APPLIED" | "KEPT" | "REFUSED";

/** What an event's body holds of its object. */
export type PayloadForm = "FULL" | "THIN" | (string & {});

/** What an event's body holds of its object. */
export type PayloadFormInput = "FULL" | "THIN";

/** Everything that is stored of one person: a customer's objects, or a driver's. */
export interface PersonExport {
  "importedStops": Array<Record<string, unknown>>;
  "stops": Array<Record<string, unknown>>;
  "orders": Array<Record<string, unknown>>;
  "driver"?: DriverExport;
}

/** Where on its route a stop has to be. */
export type PinPositionInput = "FIRST" | "LAST";

/** A plan without its routes. */
export interface Plan {
  "id": string;
  "name": string;
  "status": PlanStatus;
  "createdAt": string;
  "startedAt"?: string;
  "finishedAt"?: string;
  "expiresAt"?: string;
  "options": PlanOptions;
  "basedOn": string;
  "skippedOrders": Array<SkippedOrder>;
  "stopCount": number;
  "vehicleCount": number;
  "progress": PlanProgress;
  "statistics"?: PlanStatistics;
  "error"?: PlanError;
}

/** A price on the longest route: work moves from it to others as far as that pays. */
export interface PlanBalance {
  "by": BalanceBy;
  "costPerHour"?: number;
  "costPerStop"?: number;
}

/** A price on the longest route: work moves from it to others as far as that pays. */
export interface PlanBalanceInput {
  "by"?: BalanceByInput;
  "costPerHour"?: number;
  "costPerStop"?: number;
}

/** A break that begins in its window, where the vehicle stands then. */
export interface PlanBreakInput {
  "timeWindow": BreakSpanInput;
  "duration": string;
}

/** Plans side by side. */
export interface PlanComparison {
  "plans": Array<PlanSummary>;
  "differences": Array<PlanDifference>;
}

/** A stop that is on another vehicle, or elsewhere in its order; absent where it stays out. */
export interface PlanDifference {
  "plan": string;
  "stop": string;
  "from"?: PlannedPosition;
  "to"?: PlannedPosition;
}

/** What to plan. */
export interface PlanDraftInput {
  "name"?: string;
  "stops"?: Array<PlanStopInput>;
  "stopFilter"?: PlanStopFilterInput;
  "vehicles"?: Array<PlanVehicleInput>;
  "routes"?: Array<PlanRouteChoiceInput>;
  "pins"?: Array<PlanPinInput>;
  "basedOn"?: string;
  "fixes"?: Array<number>;
  "options"?: PlanOptionsInput;
}

/** How long to search: about 2, 10 and 60 processor seconds for 500 stops. */
export type PlanEffort = "QUICK" | "NORMAL" | "THOROUGH" | (string & {});

/** How long to search: about 2, 10 and 60 processor seconds for 500 stops. */
export type PlanEffortInput = "QUICK" | "NORMAL" | "THOROUGH";

/** Why a plan failed. */
export interface PlanError {
  "code": number;
  "message": string;
}

/** An event of a plan. */
export interface PlanEvent {
  "eventId": string;
  "topic": Topic;
  "eventTimestamp": string;
  "apiVersion": string;
  "organization": string;
  "objectId": string;
  "user": Actor;
  "payload"?: Plan;
}

/** A change that was tried: a search served the stop with it, and all that were served. */
export interface PlanFix {
  "type": PlanFixType;
  "index": number;
  "subject": string;
  "name": string;
  "amount": number;
  "timeWindow"?: TimeWindow;
  "break"?: BlockingBreak;
  "costDifference": number;
  "alsoServes": Array<string>;
  "servesInstead": Array<string>;
  "leavesOut": Array<string>;
  "unassignedCost"?: number;
  "minimal": boolean;
}

/** A change of what was asked, with which a stop could be served. */
export type PlanFixType = "CLOSE_LATER" | "OPEN_EARLIER" | "EXTEND_SHIFT" | "RAISE_CAPACITY" | "RAISE_LIMIT" | "GRANT_SKILL" | "ADD_VEHICLE" | "UNPIN" | "DROP_STOP" | "START_BREAK_EARLIER" | "START_BREAK_LATER" | "SHORTEN_BREAK" | (string & {});

/** What a plan costs beside its vehicles, and how long to search for it. */
export interface PlanOptions {
  "effort": PlanEffort;
  "moves"?: number;
  "maxSeconds": number;
  "seed": number;
  "unassignedCost"?: number;
  "latenessCostPerHour"?: number;
  "maxLateness"?: string;
  "priorityInversionCost": number;
  "maxMovedStops"?: number;
  "movedStopCost": number;
  "churnCurve": boolean;
  "compactness": number;
  "balance"?: PlanBalance;
  "territories": Array<PlanTerritory>;
  "otherVehicleCost": number;
  "allowUnusedLoads": boolean;
  "explain": boolean;
}

/** What a plan costs beside its vehicles, and how long to search for it. */
export interface PlanOptionsInput {
  "effort"?: PlanEffortInput;
  "moves"?: number;
  "maxSeconds"?: number;
  "seed"?: number;
  "unassignedCost"?: number;
  "latenessCostPerHour"?: number;
  "maxLateness"?: string;
  "priorityInversionCost"?: number;
  "maxMovedStops"?: number;
  "movedStopCost"?: number;
  "churnCurve"?: boolean;
  "compactness"?: number;
  "balance"?: PlanBalanceInput;
  "territories"?: Array<PlanTerritoryInput>;
  "otherVehicleCost"?: number;
  "allowUnusedLoads"?: boolean;
  "explain"?: boolean;
}

/** What a running plan is doing; to explain takes in the lines of its routes. */
export type PlanPhase = "MATRIX" | "BUILD" | "SEARCH" | "EXPLAIN" | (string & {});

/** Where a stop has to be: on a vehicle, first or last on its route, or both. */
export interface PlanPinInput {
  "stop": string;
  "vehicle"?: string;
  "position"?: PinPositionInput;
}

/** How far a plan is, and its best so far. */
export interface PlanProgress {
  "phase": PlanPhase;
  "share": number;
  "cost"?: number;
  "unassigned": number;
  "vehiclesUsed": number;
  "improvedAt"?: string;
}

/** Where a vehicle may load again, and how long that takes. */
export interface PlanReloadInput {
  "address"?: AddressInput;
  "coordinates"?: CoordinatesInput;
  "duration"?: string;
}

/** The route of one vehicle, as proposed. */
export interface PlanRoute {
  "vehicle": string;
  "vehicleId": string;
  "driverId": string;
  "routeId": string;
  "departure": string;
  "end": string;
  "steps": Array<PlanStep>;
  "loads": Record<string, number>;
  "costs": CostsByPart;
  "durations": RouteDurations;
  "totalDistanceMeters": number;
  "polyline"?: string;
}

/** A route that exists and takes part with its vehicle; what is done stays done. */
export interface PlanRouteChoiceInput {
  "routeId": string;
  "lock"?: RouteLockInput;
  "keepFirst"?: number;
}

/** What the routes of a plan are given beside what was planned. */
export interface PlanRouteDetailsInput {
  "note"?: string;
  "tags"?: Array<string>;
  "stopTasks"?: Array<TaskTemplateInput>;
}

/** When a vehicle may be on the road. */
export interface PlanShiftInput {
  "start": string;
  "end": string;
  "latestStart"?: string;
}

/** What a plan costs, and how it was found. */
export interface PlanStatistics {
  "cost": number;
  "costs": CostsByPart;
  "vehiclesUsed": number;
  "unassigned": number;
  "movedStops": number;
  "churnCurve"?: Array<ChurnCost>;
  "totalDistanceMeters": number;
  "moves": number;
  "seconds": number;
  "stoppedBy": StopReason;
  "seed": number;
  "engineVersion": string;
  "inputDigest": string;
  "estimated": boolean;
  "lowerBound"?: number;
  "gap"?: number;
  "reproducible": boolean;
}

/** Where a plan stands. */
export type PlanStatus = "QUEUED" | "RUNNING" | "COMPLETED" | "CANCELLED" | "FAILED" | "APPLIED" | (string & {});

/** Where a plan stands. */
export type PlanStatusInput = "QUEUED" | "RUNNING" | "COMPLETED" | "CANCELLED" | "FAILED" | "APPLIED";

/** One thing that a vehicle does on its route. */
export interface PlanStep {
  "type": PlanStepType;
  "importedStopId": string;
  "clientStopId": string;
  "storeOrderId": string;
  "routeStopId": string;
  "reloadIndex"?: number;
  "plannedArrival": string;
  "plannedDeparture": string;
  "waiting"?: string;
  "lateness"?: string;
  "distanceMeters": number;
  "loads": Record<string, number>;
}

/** What a vehicle does. */
export type PlanStepType = "STOP" | "BREAK" | "RELOAD" | (string & {});

/** Which stops to plan: those that are all of what is given here. */
export interface PlanStopFilterInput {
  "unrouted"?: boolean;
  "deliveryDate"?: DateInput | string;
  "tags"?: Array<string>;
  "importedAfter"?: string;
  "storeOrders"?: boolean;
}

/** A stop to plan, and what holds of it in this plan instead of what it inherits. */
export interface PlanStopInput {
  "importedStopId"?: string;
  "clientStopId"?: string;
  "storeOrderId"?: string;
  "loads"?: Record<string, number>;
  "requiredSkills"?: Array<string>;
  "allowedVehicles"?: Array<string>;
  "excludedVehicles"?: Array<string>;
  "preferredVehicles"?: Array<string>;
  "unassignedCost"?: number;
  "latenessCostPerHour"?: number;
  "maxLateness"?: string;
}

/** A plan that is compared; the routes as they are now have no statistics. */
export interface PlanSummary {
  "id": string;
  "statistics"?: PlanStatistics;
}

/** A part of the map that belongs to some vehicles; others may serve it, too, for a price. */
export interface PlanTerritory {
  "polygon": Array<Coordinates>;
  "vehicles": Array<string>;
  "cost": number;
}

/** A part of the map that belongs to some vehicles; others may serve it, too, for a price. */
export interface PlanTerritoryInput {
  "polygon": Array<CoordinatesInput>;
  "vehicles": Array<string>;
  "cost": number;
}

/** A vehicle that may be used, or several alike; a route begins at its first stop without start. */
export interface PlanVehicleInput {
  "id"?: string;
  "vehicleId"?: string;
  "driverId"?: string;
  "count"?: number;
  "start"?: LocationInput;
  "end"?: LocationInput;
  "shift"?: PlanShiftInput;
  "capacities"?: Record<string, number>;
  "skills"?: Array<string>;
  "breaks"?: Array<PlanBreakInput>;
  "maxStops"?: number;
  "maxDuration"?: string;
  "maxDistanceMeters"?: number;
  "maxReloads"?: number;
  "reloads"?: Array<PlanReloadInput>;
  "costs"?: VehicleCostsInput;
  "avoidTolls"?: boolean;
  "avoidUTurns"?: boolean;
  "speedFactor"?: number;
}

/** Where a stop is in a plan. */
export interface PlannedPosition {
  "vehicle": string;
  "index": number;
  "plannedArrival"?: string;
}

/** A page of plans without their routes, newest first. */
export interface PlansAnswer {
  "plans": Array<Plan>;
  "nextCursor": string;
}

/** The final index of a stop among the stops, from 0. */
export interface PositionBodyInput {
  "index": number;
}

/** When customers may see where the driver is (decisions §16). */
export type PositionSharing = "NEVER" | "NEXT_STOP" | (string & {});

/** When customers may see where the driver is (decisions §16). */
export type PositionSharingInput = "NEVER" | "NEXT_STOP";

/** One thing about the present state that forbids the request. */
export interface PreconditionViolation {
  "type": string;
  "subject": string;
  "description": string;
  "values"?: ExcessValues;
}

/** A stop that would be added: an imported one, an order, or one that is on another route. */
export interface PreviewAdditionInput {
  "importedStopId"?: string;
  "clientStopId"?: string;
  "stopId"?: string;
  "storeOrderId"?: string;
  "index"?: number;
}

/** A change that is not made: stops taken off, the rest ordered, others added, a schedule. */
export interface PreviewBodyInput {
  "order"?: Array<string>;
  "add"?: Array<PreviewAdditionInput>;
  "remove"?: Array<string>;
  "scheduledFor"?: string;
}

/** What somebody comes with. */
export type PrincipalKind = "API_CLIENT" | "MEMBER" | "DRIVER_DEVICE" | "LINK_HOLDER" | "STOREFRONT" | "OPERATOR" | (string & {});

/** What the driver's app does about a proof: ask for it, warn without it, offer it, or not. */
export type ProofRule = "REQUIRED" | "WARN" | "OFFERED" | "OFF" | (string & {});

/** What the driver's app does about a proof: ask for it, warn without it, offer it, or not. */
export type ProofRuleInput = "REQUIRED" | "WARN" | "OFFERED" | "OFF";

/** The rule for each proof at a stop; the app holds them, not the journal (decisions §22). */
export interface ProofRules {
  "photo": ProofRule;
  "signature": ProofRule;
  "barcode": ProofRule;
  "note": ProofRule;
  "recipientName": ProofRule;
}

/** The rule for each proof at a stop; the app holds them, not the journal (decisions §22). */
export interface ProofRulesInput {
  "photo"?: ProofRuleInput;
  "signature"?: ProofRuleInput;
  "barcode"?: ProofRuleInput;
  "note"?: ProofRuleInput;
  "recipientName"?: ProofRuleInput;
}

/** A plan with its routes, and what stays out of them. */
export interface ProposedPlan {
  "id": string;
  "name": string;
  "status": PlanStatus;
  "createdAt": string;
  "startedAt"?: string;
  "finishedAt"?: string;
  "expiresAt"?: string;
  "options": PlanOptions;
  "basedOn": string;
  "skippedOrders": Array<SkippedOrder>;
  "stopCount": number;
  "vehicleCount": number;
  "progress": PlanProgress;
  "statistics"?: PlanStatistics;
  "error"?: PlanError;
  "routes": Array<PlanRoute>;
  "unassigned": Array<UnassignedStop>;
}

/** When nobody is disturbed, by the clocks at the stop; they may go past midnight. */
export interface QuietHours {
  "start": TimeOfDay | string;
  "end": TimeOfDay | string;
}

/** When nobody is disturbed, by the clocks at the stop; they may go past midnight. */
export interface QuietHoursInput {
  "start": TimeOfDayInput | string;
  "end": TimeOfDayInput | string;
}

/** Where a stop's customer may rate it. */
export interface RatingLink {
  "url": string;
}

/** Why an action was kept without an effect. */
export type Reason = "" | "WAITING" | "SUPERSEDED" | "ROUTE_GONE" | "ROUTE_ARCHIVED" | "ROUTE_NOT_DISPATCHED" | "ROUTE_NOT_YOURS" | "ROUTE_COMPLETED" | "STOP_GONE" | "TASK_GONE" | (string & {});

/** How often deliveries failed for a reason. */
export interface ReasonCount {
  "reason": AttemptedReason;
  "count": number;
}

/** Why a row is no stop; a row with several cells that are wrong stands here once for each. */
export interface RefusedRow {
  "row": number;
  "column": string;
  "reason": string;
  "type": IssueType;
  "values"?: IssueValues;
  "orderRow"?: number;
  "cells"?: Array<string>;
}

/** What a reoptimization leaves out of account, what is to stay, and what to say of the rest. */
export interface ReoptimizeBodyInput {
  "ignoreCompletedStops"?: boolean;
  "ignoreRoutingConstraints"?: boolean;
  "keep"?: KeepInput;
  "maxMoves"?: number;
  "tradeoffs"?: boolean;
  "dryRun"?: boolean;
}

/** A route after it was reoptimized, and how many stops that moved (decisions §15). */
export interface ReoptimizedRouteAnswer {
  "id": string;
  "name": string;
  "driver"?: RouteDriver;
  "start": RouteStart;
  "end"?: RouteEnd;
  "stops": Array<RouteStop>;
  "createdAt": string;
  "updatedAt": string;
  "archivedAt"?: string;
  "scheduledFor"?: string;
  "totalDistanceMeters": number;
  "totalItemQuantity": number;
  "totalItemGrams": string;
  "optimized": boolean;
  "dispatchedUntil"?: string;
  "note": string;
  "tags": Array<string>;
  "defaultStopDuration"?: string;
  "maxDuration"?: string;
  "maxStops": number;
  "maxItemCount": number;
  "maxKilograms": number;
  "avoidTolls": boolean;
  "avoidUTurns": boolean;
  "speedFactor": number;
  "stopTasks": Array<TaskTemplate>;
  "vehicle"?: Vehicle;
  "status": RouteStatus;
  "lastPosition"?: DriverFix;
  "moved": number;
  "tradeoffs"?: Array<Tradeoff>;
}

/** How many events are sent again, and from when on there are more than one call may send. */
export interface Replay {
  "replayed": number;
  "nextSince"?: string;
}

/** Which events to send again: all since an instant that the webhook wants, or these. */
export interface ReplayBodyInput {
  "since"?: string;
  "eventIds"?: Array<string>;
}

/** As what a report is answered. */
export type ReportFormatInput = "JSON" | "CSV";

/** How many reports a shop has still to be told, and how many it would not take. */
export interface ReportQueue {
  "waiting": number;
  "failed": number;
}

/** Whether a shop knows: it still has to be told, was told, or would not hear of it. */
export type ReportStatus = "WAITING" | "REPORTED" | "FAILED" | (string & {});

/** Whether a shop knows: it still has to be told, was told, or would not hear of it. */
export type ReportStatusInput = "WAITING" | "REPORTED" | "FAILED";

/** What became of a stop, as its shop is told. */
export type ReportedStep = "OUT_FOR_DELIVERY" | "DELIVERED" | "ATTEMPTED" | "CORRECTED" | (string & {});

/** A page of what a shop is told. */
export interface ReportsAnswer {
  "reports": Array<StorefrontReport>;
  "nextCursor": string;
}

/** Where a stop of an order is to be, if not where its order goes. */
export interface ResyncLocationBodyInput {
  "location"?: RouteStopLocationInput;
}

/** When a stop of an order is to be served, if not when its order is to arrive. */
export interface ResyncWindowsBodyInput {
  "deliveryDate"?: DateInput;
  "timeWindows"?: Array<TimeWindowInput>;
}

/** For how many days what is kept (decisions §17). */
export interface Retention {
  "positionsDays": number;
  "eventsDays": number;
  "proofDays": number;
  "customersDays": number;
}

/** For how many days what is kept (decisions §17). */
export interface RetentionInput {
  "positionsDays"?: number;
  "eventsDays"?: number;
  "proofDays"?: number;
  "customersDays"?: number;
}

/** What a member is to an organization (decisions §13). */
export type Role = "OWNER" | "PLANNER" | "VIEWER" | (string & {});

/** What a member is to an organization (decisions §13). */
export type RoleInput = "OWNER" | "PLANNER" | "VIEWER";

/** A route (specification, Route). */
export interface Route {
  "id": string;
  "name": string;
  "driver"?: RouteDriver;
  "start": RouteStart;
  "end"?: RouteEnd;
  "stops": Array<RouteStop>;
  "createdAt": string;
  "updatedAt": string;
  "archivedAt"?: string;
  "scheduledFor"?: string;
  "totalDistanceMeters": number;
  "totalItemQuantity": number;
  "totalItemGrams": string;
  "optimized": boolean;
  "dispatchedUntil"?: string;
  "note": string;
  "tags": Array<string>;
  "defaultStopDuration"?: string;
  "maxDuration"?: string;
  "maxStops": number;
  "maxItemCount": number;
  "maxKilograms": number;
  "avoidTolls": boolean;
  "avoidUTurns": boolean;
  "speedFactor": number;
  "stopTasks": Array<TaskTemplate>;
  "vehicle"?: Vehicle;
  "status": RouteStatus;
  "lastPosition"?: DriverFix;
}

/** A new, empty route. */
export interface RouteDraftInput {
  "scheduledFor"?: string;
  "note"?: string;
  "tags"?: Array<string>;
  "defaultStopDuration"?: string;
  "maxDuration"?: string;
  "maxStops"?: number;
  "maxItemCount"?: number;
  "maxKilograms"?: number;
  "avoidTolls"?: boolean;
  "avoidUTurns"?: boolean;
  "speedFactor"?: number;
  "stopTasks"?: Array<TaskTemplateInput>;
  "name"?: string;
  "start": RouteEndDraftInput;
  "end"?: RouteEndDraftInput;
  "vehicleId"?: string;
  "driverId"?: string;
  "archivedAt"?: unknown;
  "createdAt"?: unknown;
  "dispatchedUntil"?: unknown;
  "driver"?: unknown;
  "id"?: unknown;
  "lastPosition"?: unknown;
  "moved"?: unknown;
  "optimized"?: unknown;
  "status"?: unknown;
  "stops"?: unknown;
  "totalDistanceMeters"?: unknown;
  "totalItemGrams"?: unknown;
  "totalItemQuantity"?: unknown;
  "tradeoffs"?: unknown;
  "updatedAt"?: unknown;
  "vehicle"?: unknown;
}

/** What a route shows of its driver. */
export interface RouteDriver {
  "id": string;
  "firstName": string;
  "lastName": string;
  "phone": string;
  "status": DriverStatus;
}

/** How the time of a route is spent. */
export interface RouteDurations {
  "travel": string;
  "service": string;
  "waiting": string;
  "break": string;
}

/** Where a route ends, when it does not end at its last stop. */
export interface RouteEnd {
  "address"?: Address;
  "coordinates": Coordinates;
  "geocoding"?: Geocoding;
  "tasks": Array<Task>;
  "plannedArrival"?: string;
  "distanceMeters": number;
  "updatedArrival"?: string;
  "status": EndStatus;
  "photos": Array<Attachment>;
}

/** Where a new route starts or ends: an address, coordinates, or both. */
export interface RouteEndDraftInput {
  "address"?: AddressInput;
  "coordinates"?: CoordinatesInput;
  "tasks"?: Array<TaskTemplateInput>;
  "distanceMeters"?: unknown;
  "geocoding"?: unknown;
  "photos"?: unknown;
  "plannedArrival"?: unknown;
  "scheduledStart"?: unknown;
  "status"?: unknown;
  "updatedArrival"?: unknown;
  "updatedStart"?: unknown;
}

/** An event of a route, or of a stop on it. */
export interface RouteEvent {
  "eventId": string;
  "topic": Topic;
  "eventTimestamp": string;
  "apiVersion": string;
  "organization": string;
  "objectId": string;
  "user": Actor;
  "payload"?: Route;
}

/** What a route can be taken away as. */
export type RouteFileFormatInput = "CSV" | "XLSX" | "GPX" | "GEOJSON" | "ICS";

/** A line to draw: along roads, or straight from place to place where it is `estimated`. */
export interface RouteLine {
  "points": Array<Coordinates>;
  "estimated": boolean;
}

/** All routes of something, unpaged. */
export interface RouteListAnswer {
  "routes": Array<Route>;
}

/** What a plan may change of a route that exists. */
export type RouteLockInput = "ALL" | "SEQUENCE" | "VEHICLE" | "NONE";

/** A route that was searched for, and which of its stops were. */
export interface RouteMatch {
  "id": string;
  "stopIds": Array<string>;
}

/** All lines from the start over every stop to the end, and who must be named beside them. */
export interface RoutePath {
  "lines": Array<RouteLine>;
  "attribution": string;
}

/** The times of a route as it would be, and what it would break. */
export interface RoutePreview {
  "timetable": Timetable;
  "lateness": number;
  "violations": Array<PreconditionViolation>;
  "totals": RouteTotals;
}

/** Where and when a route begins. */
export interface RouteStart {
  "address"?: Address;
  "coordinates": Coordinates;
  "geocoding"?: Geocoding;
  "tasks": Array<Task>;
  "status": StartStatus;
  "updatedStart"?: string;
  "scheduledStart"?: string;
  "photos": Array<Attachment>;
}

/** How far a route has come. */
export type RouteStatus = "UNSTARTED" | "READY" | "STARTED" | "COMPLETED" | (string & {});

/** How far a route has come. */
export type RouteStatusInput = "UNSTARTED" | "READY" | "STARTED" | "COMPLETED";

/** One stop of a route, in the interface's own shape (specification, RouteStop). */
export interface RouteStop {
  "id": string;
  "type": StopType;
  "deliveryStatus": DeliveryStatus;
  "breakStatus": BreakStatus;
  "updatedAt": string;
  "duration"?: string;
  "plannedArrival"?: string;
  "updatedArrival"?: string;
  "arrivalWindow"?: ArrivalWindow;
  "plannedLateness"?: string;
  "note": string;
  "address"?: Address;
  "contact"?: Contact;
  "plannedCoordinates": Coordinates;
  "arrivedAt"?: string;
  "deliveredCoordinates"?: Coordinates;
  "geocoding"?: Geocoding;
  "items": Array<Item>;
  "source": StopSource;
  "storeOrderId": string;
  "savedStopId": string;
  "importedStopId": string;
  "clientStopId": string;
  "copiedFrom"?: string;
  "recipientName"?: string;
  "leftWith"?: LeftWith;
  "proofOfDeliveryNote": string;
  "proofOfDeliveryPhotos": Array<Attachment>;
  "proofOfDeliverySignatures": Array<Attachment>;
  "proofOfDeliveryBarcodes": Array<Barcode>;
  "proofOfDeliveryBarcodeIssues": Array<BarcodeIssue>;
  "tasks": Array<Task>;
  "priority": number;
  "locked": boolean;
  "orderName": string;
  "orderReferenceUrl": string;
  "distanceMeters": number;
  "timeWindows": Array<TimeWindow>;
  "deliveryDate"?: Date;
  "attributes": Array<Attribute>;
  "tags": Array<string>;
  "attemptedReason": AttemptedReason;
  "attemptedNote": string;
  "customerRating"?: CustomerRating;
  "customerNote"?: CustomerNote;
  "customSignatureDisclosure": string;
  "storeOrder"?: StoreOrderNotes;
}

/** Where a route stop is planned to be. */
export interface RouteStopLocationInput {
  "address"?: AddressInput;
  "plannedCoordinates"?: CoordinatesInput;
}

/** What a planner may change of a route stop (decisions §12); bounds as on import. */
export interface RouteStopUpdateInput {
  "timeWindows"?: Array<TimeWindowInput>;
  "attributes"?: Array<AttributeInput>;
  "priority"?: number;
  "duration"?: string;
  "orderName"?: string;
  "deliveryDate"?: DateInput;
  "type"?: StopTypeInput;
  "customSignatureDisclosure"?: string;
  "orderReferenceUrl"?: string;
  "note"?: string;
  "contact"?: ContactInput;
  "tags"?: Array<string>;
  "locked"?: boolean;
  "address"?: unknown;
  "arrivalWindow"?: unknown;
  "arrivedAt"?: unknown;
  "attemptedNote"?: unknown;
  "attemptedReason"?: unknown;
  "breakStatus"?: unknown;
  "clientStopId"?: unknown;
  "copiedFrom"?: unknown;
  "customerNote"?: unknown;
  "customerRating"?: unknown;
  "deliveredCoordinates"?: unknown;
  "deliveryStatus"?: unknown;
  "distanceMeters"?: unknown;
  "geocoding"?: unknown;
  "id"?: unknown;
  "importedStopId"?: unknown;
  "items"?: unknown;
  "leftWith"?: unknown;
  "plannedArrival"?: unknown;
  "plannedCoordinates"?: unknown;
  "plannedLateness"?: unknown;
  "proofOfDeliveryBarcodeIssues"?: unknown;
  "proofOfDeliveryBarcodes"?: unknown;
  "proofOfDeliveryNote"?: unknown;
  "proofOfDeliveryPhotos"?: unknown;
  "proofOfDeliverySignatures"?: unknown;
  "recipientName"?: unknown;
  "savedStopId"?: unknown;
  "source"?: unknown;
  "storeOrder"?: unknown;
  "storeOrderId"?: unknown;
  "tasks"?: unknown;
  "updatedArrival"?: unknown;
  "updatedAt"?: unknown;
}

/** How far and how long a route is; of a route under way, what is ahead of its driver. */
export interface RouteTotals {
  "distanceMeters": number;
  "travelSeconds": number;
  "durationSeconds": number;
}

/** Where the drivers of a route were, oldest first. */
export interface RouteTrack {
  "points": Array<TrackPoint>;
}

/** What a planner may change of a route; the rest of what a read answers is ignored. */
export interface RouteUpdateInput {
  "scheduledFor"?: string;
  "note"?: string;
  "tags"?: Array<string>;
  "defaultStopDuration"?: string;
  "maxDuration"?: string;
  "maxStops"?: number;
  "maxItemCount"?: number;
  "maxKilograms"?: number;
  "avoidTolls"?: boolean;
  "avoidUTurns"?: boolean;
  "speedFactor"?: number;
  "stopTasks"?: Array<TaskTemplateInput>;
  "name"?: string;
  "archivedAt"?: unknown;
  "createdAt"?: unknown;
  "dispatchedUntil"?: unknown;
  "driver"?: unknown;
  "end"?: unknown;
  "id"?: unknown;
  "lastPosition"?: unknown;
  "moved"?: unknown;
  "optimized"?: unknown;
  "start"?: unknown;
  "status"?: unknown;
  "stops"?: unknown;
  "totalDistanceMeters"?: unknown;
  "totalItemGrams"?: unknown;
  "totalItemQuantity"?: unknown;
  "tradeoffs"?: unknown;
  "updatedAt"?: unknown;
  "vehicle"?: unknown;
}

/** A page of routes. */
export interface RoutesAnswer {
  "routes": Array<Route>;
  "nextCursor": string;
}

/** What of an order a rule looks at. */
export type RuleSubject = "TAG" | "CUSTOMER_TAG" | "ATTRIBUTE" | "DELIVERY_METHOD" | "LOCATION" | (string & {});

/** What of an order a rule looks at. */
export type RuleSubjectInput = "TAG" | "CUSTOMER_TAG" | "ATTRIBUTE" | "DELIVERY_METHOD" | "LOCATION";

/** What credentials may be allowed; a role is a set of them. */
export type Scope = "READ" | "WRITE" | "DISPATCH" | "SETTINGS" | (string & {});

/** What credentials may be allowed; a role is a set of them. */
export type ScopeInput = "READ" | "WRITE" | "DISPATCH" | "SETTINGS";

/** Who did what to whom may do what, when and from where. */
export interface SecurityEvent {
  "id": string;
  "kind": SecurityEventKind;
  "at": string;
  "principal": SecurityPrincipal;
  "address"?: string;
  "userAgent"?: string;
  "details"?: SecurityEventDetails;
}

/** What else is known: the command, what it was done to, and how often; never a secret. */
export interface SecurityEventDetails {
  "command"?: string;
  "clientId"?: string;
  "clientIds"?: string;
  "scopes"?: string;
  "driverId"?: string;
  "memberId"?: string;
  "role"?: Role;
  "sessionId"?: string;
  "webhookId"?: string;
  "storefrontId"?: string;
  "email"?: string;
  "factor"?: string;
  "lifted"?: number;
  "times"?: number;
  "lastAt"?: string;
}

/** What happened. */
export type SecurityEventKind = "CLIENT_SIGNED_IN" | "CLIENT_SIGN_IN_FAILED" | "CLIENT_SIGNED_OUT" | "CREDENTIALS_CREATED" | "CREDENTIALS_ROTATION_STARTED" | "CREDENTIALS_ROTATION_FINISHED" | "CREDENTIALS_ROTATION_CANCELLED" | "CREDENTIALS_DELETED" | "DRIVER_INVITED" | "DRIVER_ACTIVATED" | "DRIVER_DEACTIVATED" | "DRIVER_ARCHIVED" | "DRIVER_SIGNED_IN" | "DRIVER_SIGNED_OUT" | "MEMBER_INVITED" | "MEMBER_JOINED" | "MEMBER_CHANGED" | "MEMBER_DEACTIVATED" | "MEMBER_ACTIVATED" | "MEMBER_SIGNED_IN" | "MEMBER_SIGN_IN_FAILED" | "MEMBER_SIGNED_OUT" | "PASSWORD_RESET_REQUESTED" | "PASSWORD_RESET_LINK_MADE" | "PASSWORD_CHANGED" | "SECOND_FACTOR_ADDED" | "SECOND_FACTOR_REMOVED" | "RECOVERY_CODES_MADE" | "RECOVERY_CODE_USED" | "WEBHOOK_CREATED" | "WEBHOOK_REMOVED" | "WEBHOOK_ROTATION_STARTED" | "WEBHOOK_ROTATION_FINISHED" | "WEBHOOK_ROTATION_CANCELLED" | "STOREFRONT_CONNECTED" | "STOREFRONT_CHANGED" | "STOREFRONT_DISCONNECTED" | "SUPPRESSIONS_LIFTED" | "CUSTOMER_ERASED" | "DRIVER_ERASED" | "ORGANIZATION_CREATED" | "COMMAND_RUN" | (string & {});

/** What happened. */
export type SecurityEventKindInput = "CLIENT_SIGNED_IN" | "CLIENT_SIGN_IN_FAILED" | "CLIENT_SIGNED_OUT" | "CREDENTIALS_CREATED" | "CREDENTIALS_ROTATION_STARTED" | "CREDENTIALS_ROTATION_FINISHED" | "CREDENTIALS_ROTATION_CANCELLED" | "CREDENTIALS_DELETED" | "DRIVER_INVITED" | "DRIVER_ACTIVATED" | "DRIVER_DEACTIVATED" | "DRIVER_ARCHIVED" | "DRIVER_SIGNED_IN" | "DRIVER_SIGNED_OUT" | "MEMBER_INVITED" | "MEMBER_JOINED" | "MEMBER_CHANGED" | "MEMBER_DEACTIVATED" | "MEMBER_ACTIVATED" | "MEMBER_SIGNED_IN" | "MEMBER_SIGN_IN_FAILED" | "MEMBER_SIGNED_OUT" | "PASSWORD_RESET_REQUESTED" | "PASSWORD_RESET_LINK_MADE" | "PASSWORD_CHANGED" | "SECOND_FACTOR_ADDED" | "SECOND_FACTOR_REMOVED" | "RECOVERY_CODES_MADE" | "RECOVERY_CODE_USED" | "WEBHOOK_CREATED" | "WEBHOOK_REMOVED" | "WEBHOOK_ROTATION_STARTED" | "WEBHOOK_ROTATION_FINISHED" | "WEBHOOK_ROTATION_CANCELLED" | "STOREFRONT_CONNECTED" | "STOREFRONT_CHANGED" | "STOREFRONT_DISCONNECTED" | "SUPPRESSIONS_LIFTED" | "CUSTOMER_ERASED" | "DRIVER_ERASED" | "ORGANIZATION_CREATED" | "COMMAND_RUN";

/** A page of security events, newest first. */
export interface SecurityEventsAnswer {
  "securityEvents": Array<SecurityEvent>;
  "nextCursor": string;
}

/** Who it was; of a failed sign-in, whose sign-in failed. */
export interface SecurityPrincipal {
  "kind": PrincipalKind;
  "id"?: string;
  "email"?: string;
}

/** A header, and the field that it was taken for; empty when it is not used. */
export interface SheetColumn {
  "header": string;
  "field": string;
}

/** A store order that cannot be planned, and why. */
export interface SkippedOrder {
  "storeOrderId": string;
  "type": string;
  "description": string;
}

/** An HTTP service that sends text messages: how it is asked. */
export interface SmsGateway {
  "method": string;
  "url": string;
  "headers": Record<string, string>;
  "body": string;
}

/** An HTTP service that sends text messages: how it is asked. */
export interface SmsGatewayInput {
  "method"?: string;
  "url": string;
  "headers"?: Record<string, string>;
  "body"?: string;
}

/** What a list is sorted by (specification, GET /routes); UNKNOWN is CREATED_AT. */
export type SortKeyInput = "UNKNOWN" | "CREATED_AT" | "UPDATED_AT" | "SCHEDULED_AT";

/** Whether the driver has left. */
export type StartStatus = "UNKNOWN" | "STARTED" | (string & {});

/** The stops of a route in driving order, one list a property; all lists are equally long. */
export interface StopColumns {
  "ids": Array<string>;
  "names": Array<string>;
  "statuses": Array<string>;
  "latitudes": Array<number>;
  "longitudes": Array<number>;
  "plannedArrivals": Array<string | null>;
  "updatedArrivals": Array<string | null>;
  "late": Array<boolean>;
  "matchTypes": Array<MatchLevel | null>;
}

/** What a client says of a stop; bounds in decisions §1. */
export interface StopDraftInput {
  "clientStopId"?: string;
  "address"?: AddressInput;
  "contact"?: ContactInput;
  "coordinates"?: CoordinatesInput;
  "items"?: Array<ItemInput>;
  "note"?: string;
  "duration"?: string;
  "priority"?: number;
  "orderName"?: string;
  "timeWindows"?: Array<TimeWindowInput>;
  "deliveryDate"?: DateInput;
  "attributes"?: Array<AttributeInput>;
  "tags"?: Array<string>;
  "tasks"?: Array<TaskTemplateInput>;
  "type"?: StopTypeInput;
  "customSignatureDisclosure"?: string;
  "orderReferenceUrl"?: string;
  "loads"?: Record<string, number>;
  "requiredSkills"?: Array<string>;
  "copiedFrom"?: unknown;
  "customerNote"?: unknown;
  "geocoding"?: unknown;
  "id"?: unknown;
  "importedAt"?: unknown;
}

/** Why a stop is reached when it is, as data and as a sentence. */
export interface StopExplanation {
  "stopId": string;
  "plannedArrival"?: string;
  "updatedArrival"?: string;
  "delaySeconds": number;
  "latenessSeconds": number;
  "slackSeconds"?: number;
  "plannedSlackSeconds"?: number;
  "waitingSeconds": number;
  "opensAt"?: string;
  "delays": Array<TimePart>;
  "plan": Array<TimePart>;
  "sentence": string;
}

/** The best place of each route for one stop, the best route first. */
export interface StopInsertions {
  "stopId"?: string;
  "importedStopId"?: string;
  "clientStopId"?: string;
  "storeOrderId"?: string;
  "places": Array<Insertion>;
  "reasons": Array<UnassignedReason>;
}

/** Why a search ended. */
export type StopReason = "MOVES" | "SECONDS" | "CANCEL" | "PROVEN" | (string & {});

/** Where a route stop came from. */
export type StopSource = "UNKNOWN" | "IMPORTED_STOP" | "STORE_ORDER" | "SAVED_STOP" | "MANUAL" | (string & {});

/** What is done at a stop (decisions §8). */
export type StopType = "UNKNOWN" | "DELIVERY" | "PICKUP" | "TASK" | "BREAK" | (string & {});

/** What is done at a stop (decisions §8). */
export type StopTypeInput = "UNKNOWN" | "DELIVERY" | "PICKUP" | "TASK" | "BREAK";

/** What is doubtful about a stop of an import. */
export interface StopWarning {
  "index": number;
  "field": string;
  "message": string;
  "type": IssueType;
  "values"?: IssueValues;
  "leftOut": boolean;
  "row"?: number;
}

/** An order; `id` is the storefront's own, unique in its organization. */
export interface StoreOrder {
  "name": string;
  "address"?: Address;
  "contact"?: Contact;
  "items": Array<OrderItem>;
  "orderNote": string;
  "customerNote": string;
  "tags": Array<string>;
  "state": StoreOrderState;
  "deliveryDate"?: Date;
  "timeWindows": Array<TimeWindow>;
  "attributes": Array<Attribute>;
  "orderReferenceUrl": string;
  "location": string;
  "coordinates"?: Coordinates;
  "type": StopType;
  "duration"?: string;
  "priority": number;
  "requiredSkills": Array<string>;
  "id": string;
  "connectionId": string;
  "remarks": Array<string>;
  "shopLocation"?: Location;
}

/** What the storefront says of an order. */
export interface StoreOrderDraftInput {
  "name"?: string;
  "address"?: AddressInput;
  "contact"?: ContactInput;
  "items"?: Array<OrderItemInput>;
  "orderNote"?: string;
  "customerNote"?: string;
  "tags"?: Array<string>;
  "state"?: StoreOrderStateInput;
  "deliveryDate"?: DateInput;
  "timeWindows"?: Array<TimeWindowInput>;
  "attributes"?: Array<AttributeInput>;
  "orderReferenceUrl"?: string;
  "location"?: string;
  "coordinates"?: CoordinatesInput;
  "type"?: StopTypeInput;
  "duration"?: string;
  "priority"?: number;
  "requiredSkills"?: Array<string>;
  "connectionId"?: unknown;
  "id"?: unknown;
  "remarks"?: unknown;
  "shopLocation"?: unknown;
}

/** What an order-backed stop shows of its order. */
export interface StoreOrderNotes {
  "orderNote": string;
  "customerNote": string;
  "state"?: StoreOrderState;
  "address"?: Address;
  "deliveryDate"?: Date;
  "timeWindows"?: Array<TimeWindow>;
}

/** What is to be done with an order, as its storefront says. */
export type StoreOrderState = "OPEN" | "FULFILLED" | "CANCELLED" | "ON_HOLD" | (string & {});

/** What is to be done with an order, as its storefront says. */
export type StoreOrderStateInput = "OPEN" | "FULFILLED" | "CANCELLED" | "ON_HOLD";

/** A page of orders. */
export interface StoreOrdersAnswer {
  "storeOrders": Array<StoreOrder>;
  "nextCursor": string;
  "progress"?: Array<OrderProgress>;
}

/** What works of a connection, and ten of its orders as they would arrive, newest first. */
export interface StorefrontCheck {
  "isGood": boolean;
  "findings": Array<StorefrontFinding>;
  "storeOrders": Array<ArrivingOrder>;
}

/** A connected shop; of its credentials the last characters. */
export interface StorefrontConnection {
  "id": string;
  "platform": StorefrontPlatform;
  "label": string;
  "address": string;
  "state": StorefrontState;
  "prefix": string;
  "credentials": Record<string, string>;
  "settings": StorefrontSettings;
  "lastSuccessAt"?: string;
  "lastFailure"?: ConnectionFailure;
  "queue": ReportQueue;
}

/** Other credentials of a shop; a `hookSecret` that is absent stays. */
export interface StorefrontCredentialsBodyInput {
  "credentials": Record<string, string>;
}

/** What may be changed of a connection. */
export interface StorefrontDetailsInput {
  "label"?: string;
  "address"?: string;
  "credentials"?: Record<string, string>;
  "settings"?: StorefrontSettingsInput;
  "id"?: unknown;
  "lastFailure"?: unknown;
  "lastSuccessAt"?: unknown;
  "platform"?: unknown;
  "prefix"?: unknown;
  "queue"?: unknown;
  "state"?: unknown;
}

/** A shop to connect. */
export interface StorefrontDraftInput {
  "label"?: string;
  "address"?: string;
  "credentials"?: Record<string, string>;
  "settings"?: StorefrontSettingsInput;
  "platform": StorefrontPlatformInput;
  "prefix"?: string;
  "id"?: unknown;
  "lastFailure"?: unknown;
  "lastSuccessAt"?: unknown;
  "queue"?: unknown;
  "state"?: unknown;
}

/** One thing that was tried when a connection was checked. */
export interface StorefrontFinding {
  "subject": string;
  "isGood": boolean;
  "message": string;
  "remedy": string;
}

/** What a connected shop runs on. */
export type StorefrontPlatform = "SHOPIFY" | "WOOCOMMERCE" | "MEDUSA" | "VENDURE" | (string & {});

/** What a connected shop runs on. */
export type StorefrontPlatformInput = "SHOPIFY" | "WOOCOMMERCE" | "MEDUSA" | "VENDURE";

/** One thing that a shop is told about an order, and what it said. */
export interface StorefrontReport {
  "id": string;
  "storeOrderId": string;
  "stopId": string;
  "step": ReportedStep;
  "happenedAt": string;
  "status": ReportStatus;
  "attempts": number;
  "nextAttemptAt"?: string;
  "reportedAt"?: string;
  "fulfillmentId": string;
  "remark": string;
  "lastFailure"?: ConnectionFailure;
}

/** What becomes of orders that have something, or lack it. */
export interface StorefrontRule {
  "subject": RuleSubject;
  "name": string;
  "value": string;
  "isAbsent": boolean;
  "isLeft": boolean;
  "priority"?: number;
  "duration"?: string;
  "type": StopType;
  "requiredSkills": Array<string>;
}

/** What becomes of orders that have something, or lack it. */
export interface StorefrontRuleInput {
  "subject": RuleSubjectInput;
  "name": string;
  "value"?: string;
  "isAbsent"?: boolean;
  "isLeft"?: boolean;
  "priority"?: number;
  "duration"?: string;
  "type"?: StopTypeInput;
  "requiredSkills"?: Array<string>;
}

/** How the orders of a shop are read, and what it is told. */
export interface StorefrontSettings {
  "deliveryDate": Array<string>;
  "timeWindow": Array<string>;
  "statuses": Array<string>;
  "outForDeliveryStatus": string;
  "attemptedStatus": string;
  "lookBackDays": number;
  "notifyCustomer": boolean;
  "removeCancelled": boolean;
  "orderRules": Array<StorefrontRule>;
  "orderFields": Array<OrderField>;
  "outForDeliveryTag": string;
  "deliveredTag": string;
  "attemptedTag": string;
}

/** How the orders of a shop are read, and what it is told. */
export interface StorefrontSettingsInput {
  "deliveryDate"?: Array<string>;
  "timeWindow"?: Array<string>;
  "statuses"?: Array<string>;
  "outForDeliveryStatus"?: string;
  "attemptedStatus"?: string;
  "lookBackDays"?: number;
  "notifyCustomer"?: boolean;
  "removeCancelled"?: boolean;
  "orderRules"?: Array<StorefrontRuleInput>;
  "orderFields"?: Array<OrderFieldInput>;
  "outForDeliveryTag"?: string;
  "deliveredTag"?: string;
  "attemptedTag"?: string;
}

/** Whether a shop is asked; REFUSED never let us in, PAUSED did once, or a planner said so. */
export type StorefrontState = "ACTIVE" | "PAUSED" | "REFUSED" | (string & {});

/** Every connection of an organization, oldest first. */
export interface StorefrontsAnswer {
  "storefronts": Array<StorefrontConnection>;
}

/** One change; the field that `kind` names holds the new value. */
export interface SuggestedChange {
  "kind": ChangeKind;
  "subject": string;
  "description": string;
  "timeWindows"?: Array<TimeWindow>;
  "scheduledFor"?: string;
  "maxDuration"?: string;
  "maxStops"?: number;
  "maxItemCount"?: number;
  "maxKilograms"?: number;
}

/** How many recipients are sent nothing more by a channel, for one reason. */
export interface Suppression {
  "channel": Channel;
  "reason": string;
  "count": number;
}

/** Who is sent nothing more; addresses are not kept, so that they are counted alone. */
export interface Suppressions {
  "suppressions": Array<Suppression>;
}

/** Whether all orders are read again, as far back as the settings say. */
export interface SyncBodyInput {
  "full"?: boolean;
}

/** A task at a stop, a start or an end. */
export interface Task {
  "id": string;
  "title": string;
  "type": TaskType;
  "items": Array<TaskItem>;
  "requiredToMarkStopAsDelivered": boolean;
  "requiredToMarkStopAsAttempted": boolean;
  "input"?: TaskInput;
}

/** What a driver typed or scanned. */
export interface TaskInput {
  "value": string;
  "updatedAt": string;
  "inputMethod": InputMethod;
}

/** One box or button of a task at a stop, and whether the driver has done it. */
export interface TaskItem {
  "id": string;
  "title": string;
  "completed": boolean;
  "updatedAt"?: string;
}

/** One box or button. */
export interface TaskItemTemplate {
  "title": string;
}

/** One box or button. */
export interface TaskItemTemplateInput {
  "title"?: string;
  "completed"?: unknown;
  "id"?: unknown;
  "updatedAt"?: unknown;
}

/** A task before it belongs to a stop: no ids, no completion state. */
export interface TaskTemplate {
  "title": string;
  "type": TaskType;
  "items": Array<TaskItemTemplate>;
  "requiredToMarkStopAsDelivered": boolean;
  "requiredToMarkStopAsAttempted": boolean;
}

/** A task before it belongs to a stop: no ids, no completion state. */
export interface TaskTemplateInput {
  "title"?: string;
  "type"?: TaskTypeInput;
  "items"?: Array<TaskItemTemplateInput>;
  "requiredToMarkStopAsDelivered"?: boolean;
  "requiredToMarkStopAsAttempted"?: boolean;
  "id"?: unknown;
  "input"?: unknown;
}

/** How a task is answered. */
export type TaskType = "UNKNOWN" | "CHECKBOXES" | "RADIO_BUTTONS" | "TEXT_INPUT" | (string & {});

/** How a task is answered. */
export type TaskTypeInput = "UNKNOWN" | "CHECKBOXES" | "RADIO_BUTTONS" | "TEXT_INPUT";

/** Which message to send as an example, and to whom. */
export interface TestMessageInput {
  "moment": TriggerInput;
  "channel": ChannelInput;
  "language"?: LanguageInput;
  "to": string;
}

/** What time was spent on. */
export type TimeKind = "DEPARTURE" | "TRAVEL" | "WAITING" | "SERVICE" | "VISIT" | "ORDER" | (string & {});

/** A wall clock time; a missing part is 0. */
export interface TimeOfDay {
  "hours": number;
  "minutes": number;
  "seconds": number;
}

/** A wall clock time; a missing part is 0. */
export interface TimeOfDayInput {
  "hours"?: number;
  "minutes"?: number;
  "seconds"?: number;
}

/** A part of the time; less than 0 is time that was made up. */
export interface TimePart {
  "kind": TimeKind;
  "stopId"?: string;
  "seconds": number;
}

/** From `start` to `end`; a missing end is open, an end before its start spans midnight. */
export interface TimeWindow {
  "start"?: TimeOfDay;
  "end"?: TimeOfDay;
}

/** From `start` to `end`; a missing end is open, an end before its start spans midnight. */
export interface TimeWindowInput {
  "start"?: TimeOfDayInput;
  "end"?: TimeOfDayInput;
}

/** The places of a route; without a departure it has zones but no times. */
export interface Timetable {
  "places": Array<LocationTimes>;
}

/** What an event is about. */
export type Topic = "TEST" | "ROUTE_CREATED" | "ROUTE_UPDATED" | "ROUTE_DELETED" | "ROUTE_DISPATCHED" | "ROUTE_STARTED" | "ROUTE_COMPLETED" | "ROUTE_START_STOP_UPDATED" | "ROUTE_END_STOP_UPDATED" | "STOP_UPDATED" | "STOP_STATUS_UPDATED" | "DRIVER_ADDED" | "DRIVER_UPDATED" | "DRIVER_ACTIVATED" | "DRIVER_DEACTIVATED" | "DRIVER_ARCHIVED" | "IMPORTED_STOP_CREATED" | "IMPORTED_STOP_UPDATED" | "IMPORTED_STOP_DELETED" | "PLAN_COMPLETED" | "PLAN_FAILED" | "PLAN_APPLIED" | (string & {});

/** What an event is about. */
export type TopicInput = "TEST" | "ROUTE_CREATED" | "ROUTE_UPDATED" | "ROUTE_DELETED" | "ROUTE_DISPATCHED" | "ROUTE_STARTED" | "ROUTE_COMPLETED" | "ROUTE_START_STOP_UPDATED" | "ROUTE_END_STOP_UPDATED" | "STOP_UPDATED" | "STOP_STATUS_UPDATED" | "DRIVER_ADDED" | "DRIVER_UPDATED" | "DRIVER_ACTIVATED" | "DRIVER_DEACTIVATED" | "DRIVER_ARCHIVED" | "IMPORTED_STOP_CREATED" | "IMPORTED_STOP_UPDATED" | "IMPORTED_STOP_DELETED" | "PLAN_COMPLETED" | "PLAN_FAILED" | "PLAN_APPLIED";

/** Where a driver was, and when. */
export interface TrackPoint {
  "coordinates": Coordinates;
  "at": string;
}

/** Where a customer follows a delivery. */
export interface TrackingLink {
  "url": string;
  "expiresAt"?: string;
}

/** The best order found that moves so many stops at most; without `maxMoves`, any number. */
export interface Tradeoff {
  "maxMoves"?: number;
  "moved": number;
  "latenessSeconds": number;
  "priorityInversions": number;
  "travelSeconds": number;
}

/** The routes that a transfer concerns, as it left them. */
export interface TransferAnswer {
  "routes": Array<Route>;
  "etags": Array<string>;
}

/** Moves in their sequence; each index is final at its turn. */
export interface TransferBodyInput {
  "moves": Array<MoveBodyInput>;
}

/** What a customer is told of. */
export type Trigger = "PLANNED" | "ON_THE_WAY" | "NEXT" | "SLIPPED" | "DELIVERED" | "ATTEMPTED" | (string & {});

/** What a customer is told of. */
export type TriggerInput = "PLANNED" | "ON_THE_WAY" | "NEXT" | "SLIPPED" | "DELIVERED" | "ATTEMPTED";

/** Why one kind of vehicle does not serve a stop. */
export interface UnassignedReason {
  "vehicle": string;
  "type": UnassignedReasonType;
  "subject": string;
  "amount": number;
  "limits": Array<BindingLimit>;
  "break"?: BlockingBreak;
  "description": string;
}

/** What keeps a stop from a vehicle. */
export type UnassignedReasonType = "capacities" | "requiredSkills" | "timeWindows" | "shift" | "maxStops" | "maxDuration" | "maxDistanceMeters" | "allowedVehicles" | "pins" | "unreachable" | "breaks" | "CONTENTION" | "COST" | (string & {});

/** A stop that the plan leaves out, and why. */
export interface UnassignedStop {
  "importedStopId": string;
  "clientStopId": string;
  "storeOrderId": string;
  "routeStopId": string;
  "cost": number;
  "reasons": Array<UnassignedReason>;
  "fixes": Array<PlanFix>;
}

/** An imported stop, or an order of a storefront, that is on no route. */
export interface UnroutedStop {
  "importedStopId"?: string;
  "storeOrderId"?: string;
  "name": string;
  "address"?: Address;
  "latitude"?: number;
  "longitude"?: number;
  "timeWindows": Array<TimeWindow>;
  "duration"?: string;
  "undated": boolean;
  "matchType"?: MatchLevel;
}

/** What is on no route: how much, and the first of it. */
export interface UnroutedStops {
  "count": number;
  "stops": Array<UnroutedStop>;
}

export interface UpdateDriverInput {
  "driver"?: DriverDetailsInput;
  "updateMask": string;
}

export interface UpdateImportedStopInput {
  "importedStop"?: StopDraftInput;
  "updateMask": string;
}

export interface UpdateImportedStopLocationInput {
  "location"?: LocationInput;
  "updateMask": string;
}

export interface UpdateMemberInput {
  "member"?: MemberDetailsInput;
  "updateMask": string;
}

export interface UpdateMessageSettingsInput {
  "messages"?: MessageSettingsAnswerInput;
  "updateMask": string;
}

export interface UpdateOrganizationInput {
  "organization"?: OrganizationUpdateInput;
  "updateMask": string;
}

export interface UpdateRouteEndLocationInput {
  "location"?: LocationInput;
  "updateMask": string;
}

export interface UpdateRouteInput {
  "route"?: RouteUpdateInput;
  "updateMask": string;
}

export interface UpdateRouteStartLocationInput {
  "location"?: LocationInput;
  "updateMask": string;
}

export interface UpdateRouteStopInput {
  "routeStop"?: RouteStopUpdateInput;
  "updateMask": string;
}

export interface UpdateRouteStopLocationInput {
  "location"?: RouteStopLocationInput;
  "updateMask": string;
}

export interface UpdateStoreOrderLocationInput {
  "location"?: LocationInput;
  "updateMask": string;
}

export interface UpdateStorefrontInput {
  "storefront"?: StorefrontDetailsInput;
  "updateMask": string;
}

export interface UpdateVehicleInput {
  "vehicle"?: VehicleDetailsInput;
  "updateMask": string;
}

/** A vehicle of the organization's fleet. */
export interface Vehicle {
  "name": string;
  "make": string;
  "model": string;
  "year": number;
  "type": VehicleType;
  "vin": string;
  "license": string;
  "capacities"?: Record<string, number>;
  "skills": Array<string>;
  "costs"?: VehicleCosts;
  "start"?: Location;
  "end"?: Location;
  "shift"?: DailyShift;
  "breaks": Array<DailyBreak>;
  "maxStops": number;
  "maxDuration"?: string;
  "maxDistanceMeters": number;
  "id": string;
  "isArchived": boolean;
  "createdTimestamp": string;
}

/** Names a vehicle. */
export interface VehicleBodyInput {
  "vehicleId": string;
}

/** What using a vehicle costs, in the organization's own money. */
export interface VehicleCosts {
  "fixed": number;
  "perHour": number;
  "perTraveledHour": number;
  "perKilometer": number;
  "perStop": number;
}

/** What using a vehicle costs, in the organization's own money. */
export interface VehicleCostsInput {
  "fixed"?: number;
  "perHour"?: number;
  "perTraveledHour"?: number;
  "perKilometer"?: number;
  "perStop"?: number;
}

/** What a planner may say of a vehicle; a plan inherits what it does not say itself. */
export interface VehicleDetailsInput {
  "name"?: string;
  "make"?: string;
  "model"?: string;
  "year"?: number;
  "type"?: VehicleTypeInput;
  "vin"?: string;
  "license"?: string;
  "capacities"?: Record<string, number>;
  "skills"?: Array<string>;
  "costs"?: VehicleCostsInput;
  "start"?: LocationInput;
  "end"?: LocationInput;
  "shift"?: DailyShiftInput;
  "breaks"?: Array<DailyBreakInput>;
  "maxStops"?: number;
  "maxDuration"?: string;
  "maxDistanceMeters"?: number;
  "createdTimestamp"?: unknown;
  "id"?: unknown;
  "isArchived"?: unknown;
}

/** A new vehicle; it needs a name. */
export interface VehicleDraftInput {
  "name": string;
  "make"?: string;
  "model"?: string;
  "year"?: number;
  "type"?: VehicleTypeInput;
  "vin"?: string;
  "license"?: string;
  "capacities"?: Record<string, number>;
  "skills"?: Array<string>;
  "costs"?: VehicleCostsInput;
  "start"?: LocationInput;
  "end"?: LocationInput;
  "shift"?: DailyShiftInput;
  "breaks"?: Array<DailyBreakInput>;
  "maxStops"?: number;
  "maxDuration"?: string;
  "maxDistanceMeters"?: number;
  "createdTimestamp"?: unknown;
  "id"?: unknown;
  "isArchived"?: unknown;
}

/** Kinds of vehicles (decisions §8). */
export type VehicleType = "UNKNOWN" | "BIKE" | "CARGO_BIKE" | "SCOOTER" | "CAR" | "CARGO_VAN" | "PICKUP_TRUCK" | "BOX_TRUCK" | "REFRIGERATED_TRUCK" | "OTHER" | (string & {});

/** Kinds of vehicles (decisions §8). */
export type VehicleTypeInput = "UNKNOWN" | "BIKE" | "CARGO_BIKE" | "SCOOTER" | "CAR" | "CARGO_VAN" | "PICKUP_TRUCK" | "BOX_TRUCK" | "REFRIGERATED_TRUCK" | "OTHER";

/** A page of vehicles. */
export interface VehiclesAnswer {
  "vehicles": Array<Vehicle>;
  "nextCursor": string;
}

/** A break that begins in its window, where the vehicle stands then. */
export interface VroomBreakInput {
  "id": number;
  "time_windows": Array<Array<number>>;
  "service"?: number;
  "description"?: string;
}

/** Milliseconds. */
export interface VroomComputingTimes {
  "loading": number;
  "solving": number;
  "routing": number;
}

/** What using a vehicle costs: once, for an hour of driving, and for a kilometre. */
export interface VroomCostsInput {
  "fixed"?: number;
  "per_hour"?: number;
  "per_km"?: number;
}

/** A place to serve. */
export interface VroomJobInput {
  "id": number;
  "description"?: string;
  "location"?: Array<number>;
  "location_index"?: number;
  "setup"?: number;
  "service"?: number;
  "delivery"?: Array<number>;
  "pickup"?: Array<number>;
  "skills"?: Array<number>;
  "priority"?: number;
  "time_windows"?: Array<Array<number>>;
}

/** Travel times, and distances where anything looks at them, between all places by index. */
export interface VroomMatricesInput {
  "durations": Array<Array<number>>;
  "distances"?: Array<Array<number>>;
}

/** What VROOM's command line takes, by the names that its HTTP door gives it. */
export interface VroomOptionsInput {
  "g"?: boolean;
  "x"?: number;
  "l"?: number;
  "t"?: number;
  "c"?: boolean;
}

/** Jobs to serve and vehicles to serve them with. */
export interface VroomProblemInput {
  "jobs"?: Array<VroomJobInput>;
  "vehicles": Array<VroomVehicleInput>;
  "matrices"?: Record<string, VroomMatricesInput>;
  "matrix"?: Array<Array<number>>;
  "options"?: VroomOptionsInput;
}

/** The route of one vehicle. */
export interface VroomRoute {
  "vehicle": number;
  "description"?: string;
  "cost": number;
  "setup": number;
  "service": number;
  "duration": number;
  "waiting_time": number;
  "priority": number;
  "distance"?: number;
  "delivery": Array<number>;
  "pickup": Array<number>;
  "geometry"?: string;
  "steps": Array<VroomStep>;
  "violations": Array<VroomViolation>;
}

/** Routes that keep every rule, and the jobs that are on none. */
export interface VroomSolution {
  "code": number;
  "summary": VroomSummary;
  "unassigned": Array<VroomUnassigned>;
  "routes": Array<VroomRoute>;
}

/** A step of a route; sums are those upon arrival, the load is that after it. */
export interface VroomStep {
  "type": VroomStepType;
  "id"?: number;
  "description"?: string;
  "location"?: Array<number>;
  "location_index"?: number;
  "arrival": number;
  "duration": number;
  "distance"?: number;
  "setup": number;
  "service": number;
  "waiting_time": number;
  "load": Array<number>;
  "violations": Array<VroomViolation>;
}

/** What a vehicle does at a step. */
export type VroomStepType = "start" | "job" | "break" | "end" | (string & {});

/** Sums over all routes. */
export interface VroomSummary {
  "cost": number;
  "routes": number;
  "unassigned": number;
  "delivery": Array<number>;
  "pickup": Array<number>;
  "setup": number;
  "service": number;
  "duration": number;
  "waiting_time": number;
  "priority": number;
  "distance"?: number;
  "violations": Array<VroomViolation>;
  "estimated": boolean;
  "computing_times": VroomComputingTimes;
}

/** A job that is on no route. */
export interface VroomUnassigned {
  "id": number;
  "type": VroomStepType;
  "description"?: string;
  "location"?: Array<number>;
  "location_index"?: number;
}

/** A vehicle that may be used. */
export interface VroomVehicleInput {
  "id": number;
  "profile"?: string;
  "description"?: string;
  "start"?: Array<number>;
  "start_index"?: number;
  "end"?: Array<number>;
  "end_index"?: number;
  "capacity"?: Array<number>;
  "costs"?: VroomCostsInput;
  "skills"?: Array<number>;
  "time_window"?: Array<number>;
  "breaks"?: Array<VroomBreakInput>;
  "speed_factor"?: number;
  "max_tasks"?: number;
  "max_distance"?: number;
}

/** A rule that a route breaks; routes that are found break none. */
export interface VroomViolation {
  "cause": string;
  "duration"?: number;
}

/** One event (specification, Events, Body). */
export interface WebhookEvent {
  "eventId": string;
  "topic": Topic;
  "eventTimestamp": string;
  "apiVersion": string;
  "organization": string;
  "objectId": string;
  "user": Actor;
  "payload"?: unknown;
}

/** Which events of the topics are sent: of objects with one of the tags. */
export interface WebhookFilter {
  "tags": Array<string>;
}

/** Which events of the topics are sent: of objects with one of the tags. */
export interface WebhookFilterInput {
  "tags"?: Array<string>;
}

/** What signs the events that are sent to a webhook. */
export interface WebhookSecretAnswer {
  "own": boolean;
  "nextSecret"?: string;
}

/** A request to be sent events; while it is not active, nothing is sent. */
export interface WebhookSubscription {
  "url": string;
  "topics": Array<Topic>;
  "payload": PayloadForm;
  "filter"?: WebhookFilter;
  "id": string;
  "active": boolean;
}

/** The address to send to, and the topics to send. */
export interface WebhookSubscriptionDraftInput {
  "url": string;
  "topics": Array<TopicInput>;
  "payload"?: PayloadFormInput;
  "filter"?: WebhookFilterInput;
  "active"?: unknown;
  "id"?: unknown;
}

/** Which event was made to test a webhook. */
export interface WebhookTestAnswer {
  "eventId": string;
}

/** Every subscription of an organization, oldest first. */
export interface WebhooksAnswer {
  "webhooks": Array<WebhookSubscription>;
}

/** Stops whose windows cannot all be met, whatever else the route does. */
export interface WindowConflict {
  "subjects": Array<string>;
  "description": string;
}
