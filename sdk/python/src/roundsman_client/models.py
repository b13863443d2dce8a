"""What is sent and answered, as types of dictionaries.

Written by scripts/clients.py from the description of the interface; not by hand.
"""

from typing import Any, Literal, NotRequired, TypedDict


AcceptedPlan = TypedDict(
    "AcceptedPlan",
    {
        "id": "str",
        "name": "str",
        "status": "PlanStatus",
        "createdAt": "str",
        "startedAt": "NotRequired[str]",
        "finishedAt": "NotRequired[str]",
        "expiresAt": "NotRequired[str]",
        "options": "PlanOptions",
        "basedOn": "str",
        "skippedOrders": "list[SkippedOrder]",
        "stopCount": "int",
        "vehicleCount": "int",
        "progress": "PlanProgress",
        "statistics": "NotRequired[PlanStatistics]",
        "error": "NotRequired[PlanError]",
        "routes": "list[PlanRoute]",
        "unassigned": "list[UnassignedStop]",
        "stops": "list[AcceptedStop]",
    },
)
"""A plan that waits, with the stops that were named, found by the filter, or are on routes."""


AcceptedStop = TypedDict(
    "AcceptedStop",
    {
        "importedStopId": "str",
        "clientStopId": "str",
        "storeOrderId": "str",
        "routeStopId": "str",
    },
)
"""A stop that a plan is of, by all its ids; one that it does not have is empty."""


type ActionKind = Literal['ROUTE_STARTED', 'STOP_ARRIVED', 'STOP_DELIVERED', 'STOP_ATTEMPTED', 'STOP_REOPENED', 'STOPS_REORDERED', 'PROOF_NOTE', 'PHOTO', 'SIGNATURE', 'BARCODE', 'BARCODE_ISSUE', 'TASK_COMPLETED', 'TASK_ITEM_COMPLETED', 'BREAK_COMPLETED', 'END_COMPLETED', 'POSITION'] | str
"""What a driver can do."""


Actor = TypedDict(
    "Actor",
    {
        "storeUserId": "NotRequired[str]",
        "email": "NotRequired[str]",
        "driverId": "NotRequired[str]",
        "ipAddress": "NotRequired[str]",
        "userAgent": "NotRequired[str]",
    },
)
"""Who did it, as far as is known (specification, Events, `user`)."""


AddOrderBodyInput = TypedDict(
    "AddOrderBodyInput",
    {
        "storeOrderId": "str",
        "itemSelection": "NotRequired[ItemSelectionInput]",
    },
)
"""Names an order of the storefront, and which of its items go."""


AddStopBodyInput = TypedDict(
    "AddStopBodyInput",
    {
        "importedStopId": "NotRequired[str]",
        "clientStopId": "NotRequired[str]",
        "index": "NotRequired[int]",
    },
)
"""Names an imported stop, by its id or by the client's own, and where it goes."""


Address = TypedDict(
    "Address",
    {
        "address1": "str",
        "address2": "str",
        "city": "str",
        "provinceCode": "str",
        "countryCode": "str",
        "zip": "str",
    },
)
"""A postal address; any part may be empty."""


AddressInput = TypedDict(
    "AddressInput",
    {
        "address1": "NotRequired[str]",
        "address2": "NotRequired[str]",
        "city": "NotRequired[str]",
        "provinceCode": "NotRequired[str]",
        "countryCode": "NotRequired[str]",
        "zip": "NotRequired[str]",
    },
)
"""A postal address; any part may be empty."""


AppliedPlanAnswer = TypedDict(
    "AppliedPlanAnswer",
    {
        "routes": "list[Route]",
        "plan": "ProposedPlan",
    },
)
"""The routes that were made of a plan, in the order of its vehicles, and the plan."""


ApplyPlanBodyInput = TypedDict(
    "ApplyPlanBodyInput",
    {
        "vehicles": "NotRequired[list[str]]",
        "routeDetails": "NotRequired[PlanRouteDetailsInput]",
    },
)
"""Which vehicles' routes to make, all where none is named, and what they are given beside."""


ArrivalBucket = TypedDict(
    "ArrivalBucket",
    {
        "stopsAhead": "int",
        "count": "int",
        "held": "int",
        "share": "NotRequired[float]",
        "medianErrorSeconds": "NotRequired[int]",
    },
)
"""Arrivals as they were expected with so many stops ahead."""


ArrivalWindow = TypedDict(
    "ArrivalWindow",
    {
        "start": "str",
        "end": "str",
    },
)
"""From when until when the driver is expected."""


ArrivalsReport = TypedDict(
    "ArrivalsReport",
    {
        "buckets": "list[ArrivalBucket]",
    },
)
"""Whether windows held, by how many stops were ahead when they were shown first."""


ArrivingOrder = TypedDict(
    "ArrivingOrder",
    {
        "storeOrder": "StoreOrder",
        "isWanted": "bool",
    },
)
"""An order as it would arrive; one that is not wanted is left in its shop."""


Attachment = TypedDict(
    "Attachment",
    {
        "id": "str",
        "createdAt": "str",
        "url": "str",
    },
)
"""A stored file; `url` is stable and unguessable (decisions §10)."""


type AttemptedReason = Literal['UNKNOWN', 'NOT_AVAILABLE', 'REFUSED', 'WRONG_ADDRESS', 'NO_ACCESS', 'UNSAFE', 'DAMAGED', 'OTHER'] | str
"""Why a delivery was attempted only (decisions §8)."""


Attribute = TypedDict(
    "Attribute",
    {
        "key": "str",
        "value": "str",
    },
)
"""A key and a value that mean something to the client."""


AttributeInput = TypedDict(
    "AttributeInput",
    {
        "key": "NotRequired[str]",
        "value": "NotRequired[str]",
    },
)
"""A key and a value that mean something to the client."""


AuthenticateAnswer = TypedDict(
    "AuthenticateAnswer",
    {
        "accessToken": "str",
        "expiresInSeconds": "str",
        "organization": "str",
    },
)
"""A fresh access token; the lifetime is a string of digits (specification)."""


AuthenticateBodyInput = TypedDict(
    "AuthenticateBodyInput",
    {
        "clientId": "NotRequired[str]",
        "clientSecret": "NotRequired[str]",
    },
)
"""Credentials to exchange for an access token."""


type BalanceBy = Literal['DURATION', 'STOPS'] | str
"""What makes a route the longest."""


type BalanceByInput = Literal['DURATION', 'STOPS']
"""What makes a route the longest."""


Barcode = TypedDict(
    "Barcode",
    {
        "value": "str",
        "createdAt": "str",
    },
)
"""A scanned code."""


BarcodeIssue = TypedDict(
    "BarcodeIssue",
    {
        "reason": "BarcodeIssueReason",
        "note": "str",
        "createdAt": "str",
    },
)
"""A code that could not be scanned."""


type BarcodeIssueReason = Literal['UNKNOWN', 'ITEM_MISSING', 'ITEM_DAMAGED', 'BARCODE_UNREADABLE', 'OTHER'] | str
"""Why a barcode was not scanned (decisions §8)."""


BindingLimit = TypedDict(
    "BindingLimit",
    {
        "vehicle": "str",
        "type": "UnassignedReasonType",
        "subject": "str",
        "amount": "float",
    },
)
"""What one vehicle would break with one stop more, at the place where it breaks least."""


BlockingBreak = TypedDict(
    "BlockingBreak",
    {
        "vehicle": "str",
        "timeWindow": "BreakSpan",
        "duration": "str",
    },
)
"""A break without which a vehicle would have time for a stop."""


BreakSpan = TypedDict(
    "BreakSpan",
    {
        "start": "str",
        "end": "str",
    },
)
"""Between which moments a break begins."""


BreakSpanInput = TypedDict(
    "BreakSpanInput",
    {
        "start": "str",
        "end": "str",
    },
)
"""Between which moments a break begins."""


type BreakStatus = Literal['UNKNOWN', 'COMPLETED'] | str
"""Whether a break was taken."""


type ChangeKind = Literal['timeWindows', 'scheduledFor', 'maxDuration', 'maxStops', 'maxItemCount', 'maxKilograms', 'removeStop'] | str
"""What to change: a field of the stop or route that is meant, or which stops there are."""


ChangedMember = TypedDict(
    "ChangedMember",
    {
        "name": "str",
        "role": "Role",
        "id": "str",
        "email": "str",
        "status": "MemberStatus",
        "createdAt": "str",
        "lastSeenAt": "NotRequired[str]",
        "credentials": "list[ListedCredentials]",
    },
)
"""A member as changed, and what somebody who may no longer make credentials has left behind."""


type Channel = Literal['EMAIL', 'SMS'] | str
"""How a customer is told."""


type ChannelInput = Literal['EMAIL', 'SMS']
"""How a customer is told."""


ChurnCost = TypedDict(
    "ChurnCost",
    {
        "maxMovedStops": "int",
        "movedStops": "int",
        "cost": "float",
        "unassigned": "int",
    },
)
"""The best plan that was found with so many moved stops at most."""


Combination = TypedDict(
    "Combination",
    {
        "changes": "list[SuggestedChange]",
    },
)
"""Changes that are enough together, and not one by one."""


ComparePlanBodyInput = TypedDict(
    "ComparePlanBodyInput",
    {
        "with": "list[str]",
    },
)
"""With which plans; CURRENT stands for the routes as they are now."""


ConnectionFailure = TypedDict(
    "ConnectionFailure",
    {
        "at": "str",
        "code": "str",
        "message": "str",
        "remedy": "str",
    },
)
"""What went wrong with a shop the last time, and what helps."""


Contact = TypedDict(
    "Contact",
    {
        "firstName": "str",
        "lastName": "str",
        "company": "str",
        "phone": "str",
        "email": "str",
    },
)
"""The person or company at a door."""


ContactInput = TypedDict(
    "ContactInput",
    {
        "firstName": "NotRequired[str]",
        "lastName": "NotRequired[str]",
        "company": "NotRequired[str]",
        "phone": "NotRequired[str]",
        "email": "NotRequired[str]",
    },
)
"""The person or company at a door."""


Coordinates = TypedDict(
    "Coordinates",
    {
        "latitude": "float",
        "longitude": "float",
    },
)
"""A point in WGS 84 degrees; always named, never positional."""


CoordinatesInput = TypedDict(
    "CoordinatesInput",
    {
        "latitude": "float",
        "longitude": "float",
    },
)
"""A point in WGS 84 degrees; always named, never positional."""


CopiedRoute = TypedDict(
    "CopiedRoute",
    {
        "id": "str",
        "name": "str",
        "copiedFrom": "str",
        "stopCount": "int",
        "etag": "str",
    },
)
"""A new route, and which one it is a copy of."""


CopyWarning = TypedDict(
    "CopyWarning",
    {
        "type": "CopyWarningType",
        "routeId": "str",
        "subject": "str",
        "count": "int",
        "message": "str",
    },
)
"""Something of a route that is not on its copy as it was."""


type CopyWarningType = Literal['VEHICLE_LEFT_OUT', 'DRIVER_LEFT_OUT', 'ORDERS_LEFT_OUT', 'DEPARTURE_ASSUMED'] | str
"""What of a route could not be copied as it was."""


CostsByPart = TypedDict(
    "CostsByPart",
    {
        "fixed": "float",
        "perHour": "float",
        "perTraveledHour": "float",
        "perKilometer": "float",
        "perStop": "float",
        "lateness": "float",
        "priorityInversions": "float",
        "preferences": "float",
        "compactness": "float",
        "balance": "float",
        "unassigned": "float",
        "movedStops": "float",
        "total": "float",
    },
)
"""What a route or a plan costs, by what it is for."""


CredentialsAnswer = TypedDict(
    "CredentialsAnswer",
    {
        "credentials": "list[ListedCredentials]",
    },
)
"""The credentials of an organization, oldest first; there are few."""


CredentialsDraftInput = TypedDict(
    "CredentialsDraftInput",
    {
        "scopes": "NotRequired[list[ScopeInput]]",
    },
)
"""What new credentials may do; every scope where none is named."""


CustomerNote = TypedDict(
    "CustomerNote",
    {
        "note": "str",
        "at": "str",
    },
)
"""The customer's note at a stop, beside the planner's own."""


CustomerRating = TypedDict(
    "CustomerRating",
    {
        "rating": "int",
        "comment": "str",
        "createdAt": "str",
    },
)
"""What the customer said afterwards."""


DailyBreak = TypedDict(
    "DailyBreak",
    {
        "timeWindow": "TimeWindow",
        "duration": "str",
    },
)
"""A break that begins in its window, where the vehicle stands then."""


DailyBreakInput = TypedDict(
    "DailyBreakInput",
    {
        "timeWindow": "TimeWindowInput",
        "duration": "str",
    },
)
"""A break that begins in its window, where the vehicle stands then."""


DailyShift = TypedDict(
    "DailyShift",
    {
        "start": "TimeOfDay",
        "end": "TimeOfDay",
        "latestStart": "NotRequired[TimeOfDay]",
    },
)
"""When a vehicle may be on the road on any day; an end before its start is on the next."""


DailyShiftInput = TypedDict(
    "DailyShiftInput",
    {
        "start": "TimeOfDayInput",
        "end": "TimeOfDayInput",
        "latestStart": "NotRequired[TimeOfDayInput]",
    },
)
"""When a vehicle may be on the road on any day; an end before its start is on the next."""


Date = TypedDict(
    "Date",
    {
        "year": "int",
        "month": "int",
        "day": "int",
    },
)
"""A calendar day."""


DateInput = TypedDict(
    "DateInput",
    {
        "year": "int",
        "month": "int",
        "day": "int",
    },
)
"""A calendar day."""


Day = TypedDict(
    "Day",
    {
        "date": "str",
        "timezone": "str",
        "routes": "list[DayRoute]",
        "nextColors": "list[str]",
        "unrouted": "UnroutedStops",
        "version": "int",
    },
)
"""The routes of a day by the clocks of the organization, and what is still to be routed."""


DayCopy = TypedDict(
    "DayCopy",
    {
        "date": "str",
        "routes": "list[CopiedRoute]",
        "warnings": "list[CopyWarning]",
    },
)
"""Which routes a day got from another one."""


DayCopyBodyInput = TypedDict(
    "DayCopyBodyInput",
    {
        "from": "str",
        "routeIds": "NotRequired[list[str]]",
    },
)
"""Which day's routes are copied, and which of them; all of them where none is named."""


type DayFileFormatInput = Literal['CSV', 'XLSX', 'GEOJSON']
"""What a day can be taken away as."""


DayMatches = TypedDict(
    "DayMatches",
    {
        "routes": "list[RouteMatch]",
        "unroutedIds": "list[str]",
    },
)
"""What of a day has a text in it."""


DayRoute = TypedDict(
    "DayRoute",
    {
        "id": "str",
        "name": "str",
        "color": "str",
        "driver": "NotRequired[RouteDriver]",
        "vehicle": "NotRequired[Vehicle]",
        "status": "RouteStatus",
        "start": "Coordinates",
        "end": "NotRequired[Coordinates]",
        "scheduledFor": "NotRequired[str]",
        "updatedStart": "NotRequired[str]",
        "dispatchedUntil": "NotRequired[str]",
        "plannedEnd": "NotRequired[str]",
        "expectedEnd": "NotRequired[str]",
        "late": "int",
        "lateness": "dict[str, str]",
        "estimated": "bool",
        "stops": "StopColumns",
    },
)
"""A route as a day shows it."""


DaySummary = TypedDict(
    "DaySummary",
    {
        "routes": "int",
        "stops": "int",
        "delivered": "int",
        "attempted": "int",
        "open": "int",
        "onTime": "int",
        "late": "int",
        "onTimeShare": "NotRequired[float]",
        "distanceMeters": "int",
        "secondsOnTheRoad": "int",
        "stopsPerHour": "NotRequired[float]",
        "failedReasons": "list[ReasonCount]",
        "ratings": "int",
        "averageRating": "NotRequired[float]",
        "date": "str",
    },
)
"""A day by the organization's clocks."""


DaysReport = TypedDict(
    "DaysReport",
    {
        "days": "list[DaySummary]",
    },
)
"""Each day of the report on which there are routes, the first first."""


DelayedStop = TypedDict(
    "DelayedStop",
    {
        "stopId": "str",
        "delay": "str",
    },
)
"""A stop that is reached later than before."""


DeliveriesAnswer = TypedDict(
    "DeliveriesAnswer",
    {
        "deliveries": "list[Delivery]",
        "nextCursor": "str",
    },
)
"""A page of deliveries."""


Delivery = TypedDict(
    "Delivery",
    {
        "eventId": "str",
        "topic": "Topic",
        "status": "DeliveryState",
        "attempts": "list[DeliveryAttempt]",
        "nextAttemptAt": "NotRequired[str]",
    },
)
"""One event on its way to one webhook: PENDING, DELIVERED, or DROPPED after the last retry."""


DeliveryAttempt = TypedDict(
    "DeliveryAttempt",
    {
        "at": "str",
        "status": "NotRequired[int]",
        "error": "NotRequired[str]",
        "type": "NotRequired[IssueType]",
    },
)
"""When an event was sent; the receiver's status, or why there is none."""


type DeliveryState = Literal['PENDING', 'DELIVERED', 'DROPPED'] | str
"""Where a delivery stands."""


type DeliveryStateInput = Literal['PENDING', 'DELIVERED', 'DROPPED']
"""Where a delivery stands."""


type DeliveryStatus = Literal['UNKNOWN', 'READY_FOR_DELIVERY', 'OUT_FOR_DELIVERY', 'ATTEMPTED_DELIVERY', 'DELIVERED'] | str
"""How far a stop has come (decisions §8)."""


DispatchBodyInput = TypedDict(
    "DispatchBodyInput",
    {
        "dispatchedUntil": "NotRequired[str]",
    },
)
"""Until when a route is dispatched; absent: 24 hours past the later of now and its end."""


DrivenRoute = TypedDict(
    "DrivenRoute",
    {
        "id": "str",
        "name": "str",
        "scheduledFor": "str",
        "status": "RouteStatus",
    },
)
"""A route that a driver has, or had."""


Driver = TypedDict(
    "Driver",
    {
        "firstName": "str",
        "lastName": "str",
        "phone": "str",
        "email": "str",
        "id": "str",
        "status": "DriverStatus",
    },
)
"""A person who drives for the organization."""


DriverBodyInput = TypedDict(
    "DriverBodyInput",
    {
        "driverId": "str",
    },
)
"""Names a driver."""


DriverDetailsInput = TypedDict(
    "DriverDetailsInput",
    {
        "firstName": "NotRequired[str]",
        "lastName": "NotRequired[str]",
        "phone": "NotRequired[str]",
        "email": "NotRequired[str]",
        "id": "NotRequired[Any]",
        "status": "NotRequired[Any]",
    },
)
"""What a planner may say of a driver."""


DriverDraftInput = TypedDict(
    "DriverDraftInput",
    {
        "firstName": "str",
        "lastName": "NotRequired[str]",
        "phone": "NotRequired[str]",
        "email": "NotRequired[str]",
        "id": "NotRequired[Any]",
        "status": "NotRequired[Any]",
    },
)
"""A new driver; the first name is needed to speak of them."""


DriverEvent = TypedDict(
    "DriverEvent",
    {
        "eventId": "str",
        "topic": "Topic",
        "eventTimestamp": "str",
        "apiVersion": "str",
        "organization": "str",
        "objectId": "str",
        "user": "Actor",
        "payload": "NotRequired[Driver]",
    },
)
"""An event of a driver."""


DriverExport = TypedDict(
    "DriverExport",
    {
        "driver": "Driver",
        "devices": "list[DriverSession]",
        "routes": "list[DrivenRoute]",
        "positions": "list[DriverTrackPoint]",
        "actions": "list[dict[str, Any]]",
    },
)
"""Everything that is stored of a driver, as far as it is still kept."""


DriverFix = TypedDict(
    "DriverFix",
    {
        "coordinates": "Coordinates",
        "accuracyMeters": "float",
        "at": "str",
    },
)
"""Where a driver was, and when."""


DriverPosition = TypedDict(
    "DriverPosition",
    {
        "driverId": "str",
        "routeId": "str",
        "coordinates": "Coordinates",
        "at": "str",
    },
)
"""Where a driver was last, who is on a route."""


DriverPositionsAnswer = TypedDict(
    "DriverPositionsAnswer",
    {
        "positions": "list[DriverPosition]",
    },
)
"""Where drivers are who are on a route, as far as they say so."""


DriverSession = TypedDict(
    "DriverSession",
    {
        "id": "str",
        "device": "str",
        "createdAt": "str",
    },
)
"""One device; `device` is what it calls itself."""


DriverSessionsAnswer = TypedDict(
    "DriverSessionsAnswer",
    {
        "sessions": "list[DriverSession]",
    },
)
"""The devices on which a driver is signed in, oldest first."""


type DriverStatus = Literal['UNKNOWN', 'PENDING', 'ACTIVE', 'DEACTIVATED', 'ARCHIVED'] | str
"""Where a driver stands (decisions §8): PENDING until signed up."""


type DriverStatusInput = Literal['UNKNOWN', 'PENDING', 'ACTIVE', 'DEACTIVATED', 'ARCHIVED']
"""Where a driver stands (decisions §8): PENDING until signed up."""


DriverSummary = TypedDict(
    "DriverSummary",
    {
        "routes": "int",
        "stops": "int",
        "delivered": "int",
        "attempted": "int",
        "open": "int",
        "onTime": "int",
        "late": "int",
        "onTimeShare": "NotRequired[float]",
        "distanceMeters": "int",
        "secondsOnTheRoad": "int",
        "stopsPerHour": "NotRequired[float]",
        "failedReasons": "list[ReasonCount]",
        "ratings": "int",
        "averageRating": "NotRequired[float]",
        "driverId": "NotRequired[str]",
        "name": "str",
    },
)
"""The days of a driver; without an id the routes that nobody drove."""


DriverTrackPoint = TypedDict(
    "DriverTrackPoint",
    {
        "coordinates": "Coordinates",
        "at": "str",
        "routeId": "str",
    },
)
"""Where a driver was, when, and on which route."""


DriversAnswer = TypedDict(
    "DriversAnswer",
    {
        "drivers": "list[Driver]",
        "nextCursor": "str",
    },
)
"""A page of drivers."""


DriversReport = TypedDict(
    "DriversReport",
    {
        "drivers": "list[DriverSummary]",
    },
)
"""Each driver who has routes on the days of the report, by name."""


EmptyBodyInput = TypedDict(
    "EmptyBodyInput",
    {
    },
)
"""An object without fields."""


type EndStatus = Literal['UNKNOWN', 'COMPLETED'] | str
"""Whether the driver has completed the end."""


Erasure = TypedDict(
    "Erasure",
    {
        "id": "str",
        "status": "ErasureStatus",
        "createdAt": "NotRequired[str]",
        "driverId": "NotRequired[str]",
        "percentDone": "NotRequired[int]",
        "attempts": "NotRequired[int]",
        "error": "NotRequired[str]",
        "receipt": "NotRequired[ErasureReceipt]",
    },
)
"""An erasure as its client sees it."""


ErasureDraftInput = TypedDict(
    "ErasureDraftInput",
    {
        "phone": "NotRequired[str]",
        "email": "NotRequired[str]",
        "clientStopId": "NotRequired[str]",
        "importedStopId": "NotRequired[str]",
        "driverId": "NotRequired[str]",
        "reason": "NotRequired[str]",
    },
)
"""Whose data are to be erased, and why."""


ErasureReceipt = TypedDict(
    "ErasureReceipt",
    {
        "erasedAt": "str",
        "reason": "str",
        "importedStops": "int",
        "routeStops": "int",
        "orders": "int",
        "documents": "int",
        "pictures": "int",
        "evidenceRecords": "int",
        "positions": "int",
        "journalEntries": "int",
        "devices": "int",
    },
)
"""What was erased, when and why, without a word of what it was."""


type ErasureStatus = Literal['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED'] | str
"""How far an erasure is."""


ErasuresAnswer = TypedDict(
    "ErasuresAnswer",
    {
        "erasures": "list[Erasure]",
        "nextCursor": "str",
    },
)
"""A page of erasures, newest first."""


Error = TypedDict(
    "Error",
    {
        "code": "int",
        "message": "str",
        "details": "NotRequired[list[ErrorDetail]]",
    },
)
"""Every failed request answers this."""


ErrorDetail = TypedDict(
    "ErrorDetail",
    {
        "@type": "str",
        "fieldViolations": "NotRequired[list[FieldViolation]]",
        "violations": "NotRequired[list[PreconditionViolation]]",
        "requestId": "NotRequired[str]",
        "changes": "NotRequired[list[SuggestedChange]]",
        "combinations": "NotRequired[list[Combination]]",
        "conflicts": "NotRequired[list[WindowConflict]]",
    },
)
"""One detail of an error, in a google.rpc shape named by its @type, or our Advice."""


EventsAnswer = TypedDict(
    "EventsAnswer",
    {
        "events": "list[WebhookEvent]",
        "nextCursor": "str",
    },
)
"""A page of events, oldest first."""


EvidenceKey = TypedDict(
    "EvidenceKey",
    {
        "algorithm": "str",
        "publicKey": "str",
        "createdAt": "str",
    },
)
"""With what an organization's checkpoints are verified (decisions §17)."""


ExcessValues = TypedDict(
    "ExcessValues",
    {
        "name": "NotRequired[str]",
        "actual": "NotRequired[float]",
        "most": "NotRequired[float]",
        "excess": "NotRequired[float]",
        "serviceStart": "NotRequired[str]",
        "windows": "NotRequired[list[TimeWindow]]",
    },
)
"""What a sentence about a broken limit, window or rule names; its type says which one."""


FieldViolation = TypedDict(
    "FieldViolation",
    {
        "field": "str",
        "description": "str",
        "type": "NotRequired[IssueType]",
        "values": "NotRequired[IssueValues]",
    },
)
"""One thing wrong with a request: where, and what would be right."""


Geocoding = TypedDict(
    "Geocoding",
    {
        "matchType": "MatchLevel",
        "matchedAddress": "str",
        "distanceMeters": "NotRequired[int]",
    },
)
"""How a place was found, and how far given coordinates are from what its address means."""


HistoryAnswer = TypedDict(
    "HistoryAnswer",
    {
        "entries": "list[HistoryEntry]",
        "nextCursor": "str",
    },
)
"""A page of what happened to a route, newest first."""


HistoryChange = TypedDict(
    "HistoryChange",
    {
        "kind": "HistoryKind",
        "stops": "list[HistoryStop]",
        "stopCount": "int",
        "before": "str",
        "after": "str",
    },
)
"""One thing that happened, and to which stops, at most five of which are named."""


HistoryEntry = TypedDict(
    "HistoryEntry",
    {
        "id": "str",
        "at": "str",
        "who": "str",
        "topics": "list[Topic]",
        "changes": "list[HistoryChange]",
        "message": "NotRequired[HistoryMessage]",
    },
)
"""One change, or one message to a customer; a change may be several things at once."""


type HistoryKind = Literal['CREATED', 'RENAMED', 'DRIVER_CHANGED', 'VEHICLE_CHANGED', 'DEPARTURE_CHANGED', 'STOPS_ADDED', 'STOPS_REMOVED', 'STOPS_REORDERED', 'STOPS_CHANGED', 'DISPATCHED', 'UNDISPATCHED', 'ARCHIVED', 'UNARCHIVED', 'STARTED', 'COMPLETED', 'START_CHANGED', 'END_CHANGED', 'OPTIONS_CHANGED', 'STOPS_READY', 'STOPS_SENT_OUT', 'STOPS_ARRIVED', 'STOPS_DELIVERED', 'STOPS_ATTEMPTED', 'STOPS_REOPENED', 'BREAK_COMPLETED', 'PROOF_CHANGED', 'MESSAGE', 'OTHER'] | str
"""What happened."""


HistoryMessage = TypedDict(
    "HistoryMessage",
    {
        "moment": "Trigger",
        "channel": "Channel",
        "status": "MessageStatus",
    },
)
"""A message to a customer, and whether it arrived."""


HistoryStop = TypedDict(
    "HistoryStop",
    {
        "stopId": "str",
        "name": "str",
    },
)
"""A stop by its id, and by what it was called then."""


ImportedStop = TypedDict(
    "ImportedStop",
    {
        "clientStopId": "str",
        "address": "NotRequired[Address]",
        "contact": "NotRequired[Contact]",
        "coordinates": "NotRequired[Coordinates]",
        "items": "list[Item]",
        "note": "str",
        "duration": "NotRequired[str]",
        "priority": "int",
        "orderName": "str",
        "timeWindows": "list[TimeWindow]",
        "deliveryDate": "NotRequired[Date]",
        "attributes": "list[Attribute]",
        "tags": "list[str]",
        "tasks": "list[TaskTemplate]",
        "type": "StopType",
        "customSignatureDisclosure": "str",
        "orderReferenceUrl": "str",
        "loads": "NotRequired[dict[str, float]]",
        "requiredSkills": "list[str]",
        "id": "str",
        "importedAt": "str",
        "geocoding": "NotRequired[Geocoding]",
        "copiedFrom": "NotRequired[str]",
        "customerNote": "NotRequired[CustomerNote]",
    },
)
"""A stop in the organization's pool; `address` or `coordinates` were given, both are known."""


ImportedStopEvent = TypedDict(
    "ImportedStopEvent",
    {
        "eventId": "str",
        "topic": "Topic",
        "eventTimestamp": "str",
        "apiVersion": "str",
        "organization": "str",
        "objectId": "str",
        "user": "Actor",
        "payload": "NotRequired[ImportedStop]",
    },
)
"""An event of a stop of the pool."""


ImportedStopsAnswer = TypedDict(
    "ImportedStopsAnswer",
    {
        "stops": "list[ImportedStop]",
        "warnings": "list[StopWarning]",
        "rejectedRows": "NotRequired[list[RefusedRow]]",
        "columns": "NotRequired[list[SheetColumn]]",
        "fields": "NotRequired[list[str]]",
        "rows": "NotRequired[list[int]]",
        "country": "NotRequired[str]",
    },
)
"""The stops of an import, in the order they were sent, and what is doubtful about them."""


ImportedStopsPage = TypedDict(
    "ImportedStopsPage",
    {
        "stops": "list[ImportedStop]",
        "nextCursor": "str",
    },
)
"""A page of imported stops."""


type InputMethod = Literal['UNKNOWN', 'TYPED', 'SCANNED'] | str
"""How a driver gave an input."""


Insertion = TypedDict(
    "Insertion",
    {
        "routeId": "str",
        "index": "int",
        "extraTravelSeconds": "int",
        "extraLatenessSeconds": "int",
        "cost": "float",
        "addedDistanceMeters": "int",
        "plannedArrival": "str",
        "delayed": "list[DelayedStop]",
        "violations": "list[PreconditionViolation]",
        "newViolations": "list[PreconditionViolation]",
    },
)
"""The best place on one route, its order being as it is."""


InsertionStopInput = TypedDict(
    "InsertionStopInput",
    {
        "stopId": "NotRequired[str]",
        "importedStopId": "NotRequired[str]",
        "clientStopId": "NotRequired[str]",
        "storeOrderId": "NotRequired[str]",
        "loads": "NotRequired[dict[str, float]]",
        "requiredSkills": "NotRequired[list[str]]",
        "allowedVehicles": "NotRequired[list[str]]",
        "excludedVehicles": "NotRequired[list[str]]",
        "unassignedCost": "NotRequired[float]",
        "latenessCostPerHour": "NotRequired[float]",
        "maxLateness": "NotRequired[str]",
    },
)
"""A stop of a route, an imported stop, or an order, and what holds of it here (PlanStop)."""


InsertionsAnswer = TypedDict(
    "InsertionsAnswer",
    {
        "stops": "list[StopInsertions]",
    },
)
"""The places of each stop, in the order of the request."""


InsertionsBodyInput = TypedDict(
    "InsertionsBodyInput",
    {
        "stops": "list[InsertionStopInput]",
        "routeIds": "list[str]",
    },
)
"""Which stops, and on which routes they could go."""


InvitedDriver = TypedDict(
    "InvitedDriver",
    {
        "firstName": "str",
        "lastName": "str",
        "phone": "str",
        "email": "str",
        "id": "str",
        "status": "DriverStatus",
        "inviteUrl": "str",
    },
)
"""A driver, and the new link to sign up with."""


InvitedMember = TypedDict(
    "InvitedMember",
    {
        "member": "Member",
        "inviteUrl": "str",
    },
)
"""A member who is to take up an invitation, and the link to do it with."""


type IssueType = Literal['SPREADSHEET_ERROR', 'FORMULA_WITHOUT_RESULT', 'TOO_LONG', 'NOT_A_NUMBER', 'NOT_A_WHOLE_NUMBER', 'NOT_COUNTABLE', 'NOT_DEGREES', 'NOT_COORDINATES', 'OUT_OF_RANGE', 'WEIGHT_WITHOUT_UNIT', 'UNKNOWN_WEIGHT_UNIT', 'TOO_HEAVY', 'NOT_A_DURATION', 'DURATION_TOO_LONG', 'NOT_A_DATE', 'DATE_OUT_OF_RANGE', 'ANOTHER_DAY', 'NOT_A_TIME', 'NOT_A_TIME_WINDOW', 'NOT_A_PHONE_NUMBER', 'NOT_AN_EMAIL', 'UNKNOWN_STOP_TYPE', 'BREAK_OF_A_ROUTE', 'NOT_JSON', 'TWO_ADDRESSES', 'OTHER_COORDINATE_MISSING', 'OUT_OF_BOUNDS', 'COLUMN_OF_PLANS', 'COLUMN_LIKE_LOAD', 'TOO_MANY_CELLS', 'TOO_MANY_ORDER_LINES', 'ORDER_LEFT_OUT', 'REPEATED_ID', 'LOCATION_REQUIRED', 'ADDRESS_NOT_FOUND', 'ADDRESS_AMBIGUOUS', 'CITY_REQUIRED', 'CITY_LOOKS_LIKE_STREET', 'UNKNOWN_CITY', 'UNKNOWN_ZIP', 'UNKNOWN_PROVINCE', 'UNKNOWN_COUNTRY', 'ZIP_IS_ELSEWHERE', 'NOT_ON_MAP', 'NO_MAP', 'MATCH_TOO_COARSE', 'COORDINATES_ZERO', 'COORDINATES_SWAPPED', 'FAR_FROM_OTHERS', 'FAR_FROM_ADDRESS', 'SINGLE_TIME', 'READ_AS_AFTERNOON', 'SPANS_MIDNIGHT', 'NO_LENGTH', 'NO_ANSWER_IN_TIME', 'URL_NOT_ALLOWED', 'ADDRESS_NOT_ALLOWED', 'HOST_UNKNOWN', 'HOST_UNREACHABLE', 'CONNECTION_REFUSED', 'CONNECTION_BROKEN', 'CERTIFICATE_NOT_TRUSTED', 'NOT_ENCRYPTED', 'NOT_HTTP', 'SENDER_STOPPED'] | str
"""What is wrong or doubtful; there may be more of them one day."""


IssueValues = TypedDict(
    "IssueValues",
    {
        "value": "NotRequired[str]",
        "readAs": "NotRequired[str]",
        "windows": "NotRequired[list[TimeWindow]]",
        "choices": "NotRequired[list[str]]",
        "least": "NotRequired[float]",
        "most": "NotRequired[float]",
        "row": "NotRequired[int]",
        "column": "NotRequired[str]",
        "distanceMeters": "NotRequired[float]",
        "detail": "NotRequired[str]",
    },
)
"""What a sentence about an issue names; each type has its own of these."""


Item = TypedDict(
    "Item",
    {
        "name": "str",
        "quantity": "int",
        "grams": "int",
        "sku": "str",
    },
)
"""A line of goods; `grams` is the weight of one unit (decisions §7)."""


ItemInput = TypedDict(
    "ItemInput",
    {
        "name": "NotRequired[str]",
        "quantity": "NotRequired[int]",
        "grams": "NotRequired[int]",
        "sku": "NotRequired[str]",
    },
)
"""A line of goods; `grams` is the weight of one unit (decisions §7)."""


type ItemSelectionInput = Literal['UNKNOWN', 'PREFER_UNFULFILLED', 'ALL']
"""Which items of an order go to its stop; UNKNOWN is PREFER_UNFULFILLED (decisions §8)."""


JournalAnswer = TypedDict(
    "JournalAnswer",
    {
        "actions": "list[JournalLine]",
        "nextCursor": "str",
    },
)
"""A page of actions, oldest first."""


JournalLine = TypedDict(
    "JournalLine",
    {
        "id": "str",
        "driverId": "str",
        "sessionId": "str",
        "sequence": "int",
        "kind": "ActionKind",
        "routeId": "str",
        "at": "str",
        "receivedAt": "str",
        "outcome": "Outcome",
        "reason": "Reason",
        "message": "str",
        "resolvedAt": "NotRequired[str]",
        "resolvedBy": "NotRequired[str]",
        "action": "Any",
        "stop": "NotRequired[KeptStop]",
    },
)
"""What became of an action, and the action as the device submitted it."""


type KeepInput = Literal['NONE', 'ORDER', 'ASSIGNMENT']
"""What of a route stays when it is reoptimized (decisions §15)."""


KeptStop = TypedDict(
    "KeptStop",
    {
        "id": "str",
        "name": "str",
        "routeId": "str",
        "importedStopId": "str",
    },
)
"""The stop of a kept action, wherever it is now."""


type Language = Literal['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt'] | str
"""A language that customers' pages speak (decisions §16)."""


type LanguageInput = Literal['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt']
"""A language that customers' pages speak (decisions §16)."""


type LeftWith = Literal['RECIPIENT', 'NEIGHBOUR', 'RECEPTION', 'SAFE_PLACE', 'OTHER'] | str
"""With whom, or where, goods were left."""


LiftedSuppressions = TypedDict(
    "LiftedSuppressions",
    {
        "lifted": "int",
    },
)
"""How many recipients are sent messages again."""


ListedCredentials = TypedDict(
    "ListedCredentials",
    {
        "id": "str",
        "email": "str",
        "scopes": "list[Scope]",
        "createdAt": "str",
        "current": "bool",
    },
)
"""Credentials that can be signed in with; nobody is shown a secret again."""


Location = TypedDict(
    "Location",
    {
        "address": "NotRequired[Address]",
        "coordinates": "NotRequired[Coordinates]",
    },
)
"""A location as a client gives it: an address, coordinates, or both."""


LocationInput = TypedDict(
    "LocationInput",
    {
        "address": "NotRequired[AddressInput]",
        "coordinates": "NotRequired[CoordinatesInput]",
    },
)
"""A location as a client gives it: an address, coordinates, or both."""


LocationTimes = TypedDict(
    "LocationTimes",
    {
        "stopId": "str",
        "timezone": "str",
        "arrival": "NotRequired[str]",
        "waiting": "NotRequired[str]",
        "departure": "NotRequired[str]",
        "lateness": "NotRequired[str]",
    },
)
"""What is planned at one place; only a stop has an id, and only stops are waited at."""


type MatchLevel = Literal['ROOFTOP', 'STREET', 'LOCALITY', 'GIVEN'] | str
"""What of an address was found; GIVEN are coordinates that came with it."""


Member = TypedDict(
    "Member",
    {
        "name": "str",
        "role": "Role",
        "id": "str",
        "email": "str",
        "status": "MemberStatus",
        "createdAt": "str",
        "lastSeenAt": "NotRequired[str]",
    },
)
"""A person who plans for one organization."""


MemberDetailsInput = TypedDict(
    "MemberDetailsInput",
    {
        "name": "NotRequired[str]",
        "role": "NotRequired[RoleInput]",
        "createdAt": "NotRequired[Any]",
        "email": "NotRequired[Any]",
        "id": "NotRequired[Any]",
        "lastSeenAt": "NotRequired[Any]",
        "status": "NotRequired[Any]",
    },
)
"""What an owner may change of a member."""


MemberDraftInput = TypedDict(
    "MemberDraftInput",
    {
        "name": "NotRequired[str]",
        "role": "NotRequired[RoleInput]",
        "email": "str",
        "createdAt": "NotRequired[Any]",
        "id": "NotRequired[Any]",
        "lastSeenAt": "NotRequired[Any]",
        "status": "NotRequired[Any]",
    },
)
"""Who is to be invited."""


type MemberStatus = Literal['INVITED', 'ACTIVE', 'DEACTIVATED'] | str
"""Where a member stands: INVITED until the invitation is taken up."""


MembersAnswer = TypedDict(
    "MembersAnswer",
    {
        "members": "list[Member]",
        "nextCursor": "str",
    },
)
"""A page of members."""


Message = TypedDict(
    "Message",
    {
        "id": "str",
        "stopId": "str",
        "routeId": "str",
        "moment": "Trigger",
        "channel": "Channel",
        "status": "MessageStatus",
        "attempts": "int",
        "lastError": "NotRequired[str]",
        "createdAt": "str",
        "sentAt": "NotRequired[str]",
    },
)
"""One message to the customer of one stop."""


MessageDraftInput = TypedDict(
    "MessageDraftInput",
    {
        "moment": "TriggerInput",
        "channel": "ChannelInput",
        "language": "NotRequired[LanguageInput]",
    },
)
"""Which message to show, filled in with an example; without a language in the usual one."""


MessageRule = TypedDict(
    "MessageRule",
    {
        "moment": "Trigger",
        "channel": "Channel",
        "enabled": "bool",
    },
)
"""Whether customers are told of a moment by a channel."""


MessageRuleInput = TypedDict(
    "MessageRuleInput",
    {
        "moment": "TriggerInput",
        "channel": "ChannelInput",
        "enabled": "NotRequired[bool]",
    },
)
"""Whether customers are told of a moment by a channel."""


MessageSettings = TypedDict(
    "MessageSettings",
    {
        "rules": "list[MessageRule]",
        "templates": "list[MessageTemplate]",
        "quietHours": "NotRequired[QuietHours]",
        "language": "NotRequired[Language]",
        "smsGateway": "NotRequired[SmsGateway]",
    },
)
"""What an organization has decided about messages to its customers."""


MessageSettingsAnswerInput = TypedDict(
    "MessageSettingsAnswerInput",
    {
        "rules": "NotRequired[list[MessageRuleInput]]",
        "templates": "NotRequired[list[MessageTemplateInput]]",
        "quietHours": "NotRequired[QuietHoursInput]",
        "language": "NotRequired[LanguageInput]",
        "smsGateway": "NotRequired[SmsGatewayInput]",
    },
)
"""What an organization has decided about messages; headers of its gateway are hidden."""


type MessageStatus = Literal['WAITING', 'SENT', 'FAILED', 'SUPPRESSED'] | str
"""What has become of a message."""


type MessageStatusInput = Literal['WAITING', 'SENT', 'FAILED', 'SUPPRESSED']
"""What has become of a message."""


MessageTemplate = TypedDict(
    "MessageTemplate",
    {
        "moment": "Trigger",
        "channel": "Channel",
        "language": "Language",
        "subject": "str",
        "text": "str",
    },
)
"""An organization's own words for a moment, in a language; empty is the built-in text."""


MessageTemplateInput = TypedDict(
    "MessageTemplateInput",
    {
        "moment": "TriggerInput",
        "channel": "ChannelInput",
        "language": "LanguageInput",
        "subject": "NotRequired[str]",
        "text": "NotRequired[str]",
    },
)
"""An organization's own words for a moment, in a language; empty is the built-in text."""


MessageText = TypedDict(
    "MessageText",
    {
        "subject": "NotRequired[str]",
        "text": "str",
        "segments": "NotRequired[int]",
    },
)
"""What a message says."""


MessagesAnswer = TypedDict(
    "MessagesAnswer",
    {
        "messages": "list[Message]",
        "nextCursor": "str",
    },
)
"""A page of messages, newest first."""


type MinimumMatchInput = Literal['ROOFTOP', 'STREET', 'LOCALITY']
"""The least that may be found of an address."""


MoveBodyInput = TypedDict(
    "MoveBodyInput",
    {
        "stopId": "NotRequired[str]",
        "importedStopId": "NotRequired[str]",
        "storeOrderId": "NotRequired[str]",
        "fromRouteId": "NotRequired[str]",
        "toRouteId": "NotRequired[str]",
        "index": "NotRequired[int]",
    },
)
"""Where a stop goes; with an index alone within its route, with neither off its route."""


NewCredentials = TypedDict(
    "NewCredentials",
    {
        "clientId": "str",
        "clientSecret": "str",
        "scopes": "list[Scope]",
    },
)
"""New credentials; the secret is shown this once."""


NewDriver = TypedDict(
    "NewDriver",
    {
        "driver": "Driver",
        "inviteUrl": "str",
    },
)
"""A driver just added, and the link to sign up with."""


Nothing = TypedDict(
    "Nothing",
    {
    },
)
"""The answer of an operation that has nothing to say (decisions §1, Success)."""


OAuthError = TypedDict(
    "OAuthError",
    {
        "error": "str",
        "error_description": "str",
    },
)
"""Why there is no token (RFC 6749, section 5.2)."""


OAuthToken = TypedDict(
    "OAuthToken",
    {
        "access_token": "str",
        "token_type": "str",
        "expires_in": "int",
        "scope": "str",
    },
)
"""A fresh access token, as RFC 6749 names its parts (section 5.1)."""


OrderBodyInput = TypedDict(
    "OrderBodyInput",
    {
        "stopIds": "list[str]",
    },
)
"""The ids of all stops of a route that are not done, each once, in the order to drive them."""


type OrderField = Literal['ROUTE', 'STOP_NUMBER', 'ARRIVAL', 'DRIVER', 'STATUS', 'TRACKING_URL'] | str
"""What may be written into an order for the people of its shop, under a name of ours."""


type OrderFieldInput = Literal['ROUTE', 'STOP_NUMBER', 'ARRIVAL', 'DRIVER', 'STATUS', 'TRACKING_URL']
"""What may be written into an order for the people of its shop, under a name of ours."""


OrderItem = TypedDict(
    "OrderItem",
    {
        "name": "str",
        "quantity": "int",
        "grams": "int",
        "sku": "str",
        "fulfilledQuantity": "int",
    },
)
"""A line of an order, and how much of it has left already."""


OrderItemInput = TypedDict(
    "OrderItemInput",
    {
        "name": "NotRequired[str]",
        "quantity": "NotRequired[int]",
        "grams": "NotRequired[int]",
        "sku": "NotRequired[str]",
        "fulfilledQuantity": "NotRequired[int]",
    },
)
"""A line of an order, and how much of it has left already."""


OrderProgress = TypedDict(
    "OrderProgress",
    {
        "storeOrderId": "str",
        "stops": "list[OrderStop]",
        "reports": "list[StorefrontReport]",
    },
)
"""The stops of an order, oldest route first, and what its shop is told, oldest first."""


OrderStop = TypedDict(
    "OrderStop",
    {
        "routeId": "str",
        "routeName": "str",
        "isArchived": "bool",
        "stopId": "str",
        "index": "int",
        "deliveryStatus": "DeliveryStatus",
        "isElsewhere": "bool",
        "isAtAnotherTime": "bool",
    },
)
"""A stop that was made of an order, and the route that it is on."""


OrganizationAnswer = TypedDict(
    "OrganizationAnswer",
    {
        "phone": "str",
        "color": "str",
        "language": "Language",
        "start": "NotRequired[Location]",
        "shareDriverPosition": "PositionSharing",
        "failureReasons": "list[str]",
        "proofRules": "ProofRules",
        "retention": "NotRequired[Retention]",
        "id": "str",
        "name": "str",
        "timezone": "str",
        "logoUrl": "str",
    },
)
"""Who asks, by which clocks their day is, and what their customers' pages look like."""


OrganizationUpdateInput = TypedDict(
    "OrganizationUpdateInput",
    {
        "phone": "NotRequired[str]",
        "color": "NotRequired[str]",
        "language": "NotRequired[LanguageInput]",
        "start": "NotRequired[LocationInput]",
        "shareDriverPosition": "NotRequired[PositionSharingInput]",
        "failureReasons": "NotRequired[list[str]]",
        "proofRules": "NotRequired[ProofRulesInput]",
        "retention": "NotRequired[RetentionInput]",
        "name": "NotRequired[str]",
        "id": "NotRequired[Any]",
        "logoUrl": "NotRequired[Any]",
        "timezone": "NotRequired[Any]",
    },
)
"""What an owner may change of an organization."""


type Outcome = Literal['APPLIED', 'KEPT', 'REFUSED'] | str
"""What became of an action."""


type OutcomeInput = Literal['APPLIED', 'KEPT', 'REFUSED']
"""What became of an action."""


type PayloadForm = Literal['FULL', 'THIN'] | str
"""What an event's body holds of its object."""


type PayloadFormInput = Literal['FULL', 'THIN']
"""What an event's body holds of its object."""


PersonExport = TypedDict(
    "PersonExport",
    {
        "importedStops": "list[dict[str, Any]]",
        "stops": "list[dict[str, Any]]",
        "orders": "list[dict[str, Any]]",
        "driver": "NotRequired[DriverExport]",
    },
)
"""Everything that is stored of one person: a customer's objects, or a driver's."""


type PinPositionInput = Literal['FIRST', 'LAST']
"""Where on its route a stop has to be."""


Plan = TypedDict(
    "Plan",
    {
        "id": "str",
        "name": "str",
        "status": "PlanStatus",
        "createdAt": "str",
        "startedAt": "NotRequired[str]",
        "finishedAt": "NotRequired[str]",
        "expiresAt": "NotRequired[str]",
        "options": "PlanOptions",
        "basedOn": "str",
        "skippedOrders": "list[SkippedOrder]",
        "stopCount": "int",
        "vehicleCount": "int",
        "progress": "PlanProgress",
        "statistics": "NotRequired[PlanStatistics]",
        "error": "NotRequired[PlanError]",
    },
)
"""A plan without its routes."""


PlanBalance = TypedDict(
    "PlanBalance",
    {
        "by": "BalanceBy",
        "costPerHour": "NotRequired[float]",
        "costPerStop": "NotRequired[float]",
    },
)
"""A price on the longest route: work moves from it to others as far as that pays."""


PlanBalanceInput = TypedDict(
    "PlanBalanceInput",
    {
        "by": "NotRequired[BalanceByInput]",
        "costPerHour": "NotRequired[float]",
        "costPerStop": "NotRequired[float]",
    },
)
"""A price on the longest route: work moves from it to others as far as that pays."""


PlanBreakInput = TypedDict(
    "PlanBreakInput",
    {
        "timeWindow": "BreakSpanInput",
        "duration": "str",
    },
)
"""A break that begins in its window, where the vehicle stands then."""


PlanComparison = TypedDict(
    "PlanComparison",
    {
        "plans": "list[PlanSummary]",
        "differences": "list[PlanDifference]",
    },
)
"""Plans side by side."""


PlanDifference = TypedDict(
    "PlanDifference",
    {
        "plan": "str",
        "stop": "str",
        "from": "NotRequired[PlannedPosition]",
        "to": "NotRequired[PlannedPosition]",
    },
)
"""A stop that is on another vehicle, or elsewhere in its order; absent where it stays out."""


PlanDraftInput = TypedDict(
    "PlanDraftInput",
    {
        "name": "NotRequired[str]",
        "stops": "NotRequired[list[PlanStopInput]]",
        "stopFilter": "NotRequired[PlanStopFilterInput]",
        "vehicles": "NotRequired[list[PlanVehicleInput]]",
        "routes": "NotRequired[list[PlanRouteChoiceInput]]",
        "pins": "NotRequired[list[PlanPinInput]]",
        "basedOn": "NotRequired[str]",
        "fixes": "NotRequired[list[int]]",
        "options": "NotRequired[PlanOptionsInput]",
    },
)
"""What to plan."""


type PlanEffort = Literal['QUICK', 'NORMAL', 'THOROUGH'] | str
"""How long to search: about 2, 10 and 60 processor seconds for 500 stops."""


type PlanEffortInput = Literal['QUICK', 'NORMAL', 'THOROUGH']
"""How long to search: about 2, 10 and 60 processor seconds for 500 stops."""


PlanError = TypedDict(
    "PlanError",
    {
        "code": "int",
        "message": "str",
    },
)
"""Why a plan failed."""


PlanEvent = TypedDict(
    "PlanEvent",
    {
        "eventId": "str",
        "topic": "Topic",
        "eventTimestamp": "str",
        "apiVersion": "str",
        "organization": "str",
        "objectId": "str",
        "user": "Actor",
        "payload": "NotRequired[Plan]",
    },
)
"""An event of a plan."""


PlanFix = TypedDict(
    "PlanFix",
    {
        "type": "PlanFixType",
        "index": "int",
        "subject": "str",
        "name": "str",
        "amount": "float",
        "timeWindow": "NotRequired[TimeWindow]",
        "break": "NotRequired[BlockingBreak]",
        "costDifference": "float",
        "alsoServes": "list[str]",
        "servesInstead": "list[str]",
        "leavesOut": "list[str]",
        "unassignedCost": "NotRequired[float]",
        "minimal": "bool",
    },
)
"""A change that was tried: a search served the stop with it, and all that were served."""


type PlanFixType = Literal['CLOSE_LATER', 'OPEN_EARLIER', 'EXTEND_SHIFT', 'RAISE_CAPACITY', 'RAISE_LIMIT', 'GRANT_SKILL', 'ADD_VEHICLE', 'UNPIN', 'DROP_STOP', 'START_BREAK_EARLIER', 'START_BREAK_LATER', 'SHORTEN_BREAK'] | str
"""A change of what was asked, with which a stop could be served."""


PlanOptions = TypedDict(
    "PlanOptions",
    {
        "effort": "PlanEffort",
        "moves": "NotRequired[int]",
        "maxSeconds": "int",
        "seed": "int",
        "unassignedCost": "NotRequired[float]",
        "latenessCostPerHour": "NotRequired[float]",
        "maxLateness": "NotRequired[str]",
        "priorityInversionCost": "float",
        "maxMovedStops": "NotRequired[int]",
        "movedStopCost": "float",
        "churnCurve": "bool",
        "compactness": "float",
        "balance": "NotRequired[PlanBalance]",
        "territories": "list[PlanTerritory]",
        "otherVehicleCost": "float",
        "allowUnusedLoads": "bool",
        "explain": "bool",
    },
)
"""What a plan costs beside its vehicles, and how long to search for it."""


PlanOptionsInput = TypedDict(
    "PlanOptionsInput",
    {
        "effort": "NotRequired[PlanEffortInput]",
        "moves": "NotRequired[int]",
        "maxSeconds": "NotRequired[int]",
        "seed": "NotRequired[int]",
        "unassignedCost": "NotRequired[float]",
        "latenessCostPerHour": "NotRequired[float]",
        "maxLateness": "NotRequired[str]",
        "priorityInversionCost": "NotRequired[float]",
        "maxMovedStops": "NotRequired[int]",
        "movedStopCost": "NotRequired[float]",
        "churnCurve": "NotRequired[bool]",
        "compactness": "NotRequired[float]",
        "balance": "NotRequired[PlanBalanceInput]",
        "territories": "NotRequired[list[PlanTerritoryInput]]",
        "otherVehicleCost": "NotRequired[float]",
        "allowUnusedLoads": "NotRequired[bool]",
        "explain": "NotRequired[bool]",
    },
)
"""What a plan costs beside its vehicles, and how long to search for it."""


type PlanPhase = Literal['MATRIX', 'BUILD', 'SEARCH', 'EXPLAIN'] | str
"""What a running plan is doing; to explain takes in the lines of its routes."""


PlanPinInput = TypedDict(
    "PlanPinInput",
    {
        "stop": "str",
        "vehicle": "NotRequired[str]",
        "position": "NotRequired[PinPositionInput]",
    },
)
"""Where a stop has to be: on a vehicle, first or last on its route, or both."""


PlanProgress = TypedDict(
    "PlanProgress",
    {
        "phase": "PlanPhase",
        "share": "float",
        "cost": "NotRequired[float]",
        "unassigned": "int",
        "vehiclesUsed": "int",
        "improvedAt": "NotRequired[str]",
    },
)
"""How far a plan is, and its best so far."""


PlanReloadInput = TypedDict(
    "PlanReloadInput",
    {
        "address": "NotRequired[AddressInput]",
        "coordinates": "NotRequired[CoordinatesInput]",
        "duration": "NotRequired[str]",
    },
)
"""Where a vehicle may load again, and how long that takes."""


PlanRoute = TypedDict(
    "PlanRoute",
    {
        "vehicle": "str",
        "vehicleId": "str",
        "driverId": "str",
        "routeId": "str",
        "departure": "str",
        "end": "str",
        "steps": "list[PlanStep]",
        "loads": "dict[str, float]",
        "costs": "CostsByPart",
        "durations": "RouteDurations",
        "totalDistanceMeters": "int",
        "polyline": "NotRequired[str]",
    },
)
"""The route of one vehicle, as proposed."""


PlanRouteChoiceInput = TypedDict(
    "PlanRouteChoiceInput",
    {
        "routeId": "str",
        "lock": "NotRequired[RouteLockInput]",
        "keepFirst": "NotRequired[int]",
    },
)
"""A route that exists and takes part with its vehicle; what is done stays done."""


PlanRouteDetailsInput = TypedDict(
    "PlanRouteDetailsInput",
    {
        "note": "NotRequired[str]",
        "tags": "NotRequired[list[str]]",
        "stopTasks": "NotRequired[list[TaskTemplateInput]]",
    },
)
"""What the routes of a plan are given beside what was planned."""


PlanShiftInput = TypedDict(
    "PlanShiftInput",
    {
        "start": "str",
        "end": "str",
        "latestStart": "NotRequired[str]",
    },
)
"""When a vehicle may be on the road."""


PlanStatistics = TypedDict(
    "PlanStatistics",
    {
        "cost": "float",
        "costs": "CostsByPart",
        "vehiclesUsed": "int",
        "unassigned": "int",
        "movedStops": "int",
        "churnCurve": "NotRequired[list[ChurnCost]]",
        "totalDistanceMeters": "int",
        "moves": "int",
        "seconds": "float",
        "stoppedBy": "StopReason",
        "seed": "int",
        "engineVersion": "str",
        "inputDigest": "str",
        "estimated": "bool",
        "lowerBound": "NotRequired[float]",
        "gap": "NotRequired[float]",
        "reproducible": "bool",
    },
)
"""What a plan costs, and how it was found."""


type PlanStatus = Literal['QUEUED', 'RUNNING', 'COMPLETED', 'CANCELLED', 'FAILED', 'APPLIED'] | str
"""Where a plan stands."""


type PlanStatusInput = Literal['QUEUED', 'RUNNING', 'COMPLETED', 'CANCELLED', 'FAILED', 'APPLIED']
"""Where a plan stands."""


PlanStep = TypedDict(
    "PlanStep",
    {
        "type": "PlanStepType",
        "importedStopId": "str",
        "clientStopId": "str",
        "storeOrderId": "str",
        "routeStopId": "str",
        "reloadIndex": "NotRequired[int]",
        "plannedArrival": "str",
        "plannedDeparture": "str",
        "waiting": "NotRequired[str]",
        "lateness": "NotRequired[str]",
        "distanceMeters": "int",
        "loads": "dict[str, float]",
    },
)
"""One thing that a vehicle does on its route."""


type PlanStepType = Literal['STOP', 'BREAK', 'RELOAD'] | str
"""What a vehicle does."""


PlanStopFilterInput = TypedDict(
    "PlanStopFilterInput",
    {
        "unrouted": "NotRequired[bool]",
        "deliveryDate": "NotRequired[DateInput | str]",
        "tags": "NotRequired[list[str]]",
        "importedAfter": "NotRequired[str]",
        "storeOrders": "NotRequired[bool]",
    },
)
"""Which stops to plan: those that are all of what is given here."""


PlanStopInput = TypedDict(
    "PlanStopInput",
    {
        "importedStopId": "NotRequired[str]",
        "clientStopId": "NotRequired[str]",
        "storeOrderId": "NotRequired[str]",
        "loads": "NotRequired[dict[str, float]]",
        "requiredSkills": "NotRequired[list[str]]",
        "allowedVehicles": "NotRequired[list[str]]",
        "excludedVehicles": "NotRequired[list[str]]",
        "preferredVehicles": "NotRequired[list[str]]",
        "unassignedCost": "NotRequired[float]",
        "latenessCostPerHour": "NotRequired[float]",
        "maxLateness": "NotRequired[str]",
    },
)
"""A stop to plan, and what holds of it in this plan instead of what it inherits."""


PlanSummary = TypedDict(
    "PlanSummary",
    {
        "id": "str",
        "statistics": "NotRequired[PlanStatistics]",
    },
)
"""A plan that is compared; the routes as they are now have no statistics."""


PlanTerritory = TypedDict(
    "PlanTerritory",
    {
        "polygon": "list[Coordinates]",
        "vehicles": "list[str]",
        "cost": "float",
    },
)
"""A part of the map that belongs to some vehicles; others may serve it, too, for a price."""


PlanTerritoryInput = TypedDict(
    "PlanTerritoryInput",
    {
        "polygon": "list[CoordinatesInput]",
        "vehicles": "list[str]",
        "cost": "float",
    },
)
"""A part of the map that belongs to some vehicles; others may serve it, too, for a price."""


PlanVehicleInput = TypedDict(
    "PlanVehicleInput",
    {
        "id": "NotRequired[str]",
        "vehicleId": "NotRequired[str]",
        "driverId": "NotRequired[str]",
        "count": "NotRequired[int]",
        "start": "NotRequired[LocationInput]",
        "end": "NotRequired[LocationInput]",
        "shift": "NotRequired[PlanShiftInput]",
        "capacities": "NotRequired[dict[str, float]]",
        "skills": "NotRequired[list[str]]",
        "breaks": "NotRequired[list[PlanBreakInput]]",
        "maxStops": "NotRequired[int]",
        "maxDuration": "NotRequired[str]",
        "maxDistanceMeters": "NotRequired[int]",
        "maxReloads": "NotRequired[int]",
        "reloads": "NotRequired[list[PlanReloadInput]]",
        "costs": "NotRequired[VehicleCostsInput]",
        "avoidTolls": "NotRequired[bool]",
        "avoidUTurns": "NotRequired[bool]",
        "speedFactor": "NotRequired[float]",
    },
)
"""A vehicle that may be used, or several alike; a route begins at its first stop without start."""


PlannedPosition = TypedDict(
    "PlannedPosition",
    {
        "vehicle": "str",
        "index": "int",
        "plannedArrival": "NotRequired[str]",
    },
)
"""Where a stop is in a plan."""


PlansAnswer = TypedDict(
    "PlansAnswer",
    {
        "plans": "list[Plan]",
        "nextCursor": "str",
    },
)
"""A page of plans without their routes, newest first."""


PositionBodyInput = TypedDict(
    "PositionBodyInput",
    {
        "index": "int",
    },
)
"""The final index of a stop among the stops, from 0."""


type PositionSharing = Literal['NEVER', 'NEXT_STOP'] | str
"""When customers may see where the driver is (decisions §16)."""


type PositionSharingInput = Literal['NEVER', 'NEXT_STOP']
"""When customers may see where the driver is (decisions §16)."""


PreconditionViolation = TypedDict(
    "PreconditionViolation",
    {
        "type": "str",
        "subject": "str",
        "description": "str",
        "values": "NotRequired[ExcessValues]",
    },
)
"""One thing about the present state that forbids the request."""


PreviewAdditionInput = TypedDict(
    "PreviewAdditionInput",
    {
        "importedStopId": "NotRequired[str]",
        "clientStopId": "NotRequired[str]",
        "stopId": "NotRequired[str]",
        "storeOrderId": "NotRequired[str]",
        "index": "NotRequired[int]",
    },
)
"""A stop that would be added: an imported one, an order, or one that is on another route."""


PreviewBodyInput = TypedDict(
    "PreviewBodyInput",
    {
        "order": "NotRequired[list[str]]",
        "add": "NotRequired[list[PreviewAdditionInput]]",
        "remove": "NotRequired[list[str]]",
        "scheduledFor": "NotRequired[str]",
    },
)
"""A change that is not made: stops taken off, the rest ordered, others added, a schedule."""


type PrincipalKind = Literal['API_CLIENT', 'MEMBER', 'DRIVER_DEVICE', 'LINK_HOLDER', 'STOREFRONT', 'OPERATOR'] | str
"""What somebody comes with."""


type ProofRule = Literal['REQUIRED', 'WARN', 'OFFERED', 'OFF'] | str
"""What the driver's app does about a proof: ask for it, warn without it, offer it, or not."""


type ProofRuleInput = Literal['REQUIRED', 'WARN', 'OFFERED', 'OFF']
"""What the driver's app does about a proof: ask for it, warn without it, offer it, or not."""


ProofRules = TypedDict(
    "ProofRules",
    {
        "photo": "ProofRule",
        "signature": "ProofRule",
        "barcode": "ProofRule",
        "note": "ProofRule",
        "recipientName": "ProofRule",
    },
)
"""The rule for each proof at a stop; the app holds them, not the journal (decisions §22)."""


ProofRulesInput = TypedDict(
    "ProofRulesInput",
    {
        "photo": "NotRequired[ProofRuleInput]",
        "signature": "NotRequired[ProofRuleInput]",
        "barcode": "NotRequired[ProofRuleInput]",
        "note": "NotRequired[ProofRuleInput]",
        "recipientName": "NotRequired[ProofRuleInput]",
    },
)
"""The rule for each proof at a stop; the app holds them, not the journal (decisions §22)."""


ProposedPlan = TypedDict(
    "ProposedPlan",
    {
        "id": "str",
        "name": "str",
        "status": "PlanStatus",
        "createdAt": "str",
        "startedAt": "NotRequired[str]",
        "finishedAt": "NotRequired[str]",
        "expiresAt": "NotRequired[str]",
        "options": "PlanOptions",
        "basedOn": "str",
        "skippedOrders": "list[SkippedOrder]",
        "stopCount": "int",
        "vehicleCount": "int",
        "progress": "PlanProgress",
        "statistics": "NotRequired[PlanStatistics]",
        "error": "NotRequired[PlanError]",
        "routes": "list[PlanRoute]",
        "unassigned": "list[UnassignedStop]",
    },
)
"""A plan with its routes, and what stays out of them."""


QuietHours = TypedDict(
    "QuietHours",
    {
        "start": "TimeOfDay | str",
        "end": "TimeOfDay | str",
    },
)
"""When nobody is disturbed, by the clocks at the stop; they may go past midnight."""


QuietHoursInput = TypedDict(
    "QuietHoursInput",
    {
        "start": "TimeOfDayInput | str",
        "end": "TimeOfDayInput | str",
    },
)
"""When nobody is disturbed, by the clocks at the stop; they may go past midnight."""


RatingLink = TypedDict(
    "RatingLink",
    {
        "url": "str",
    },
)
"""Where a stop's customer may rate it."""


type Reason = Literal['', 'WAITING', 'SUPERSEDED', 'ROUTE_GONE', 'ROUTE_ARCHIVED', 'ROUTE_NOT_DISPATCHED', 'ROUTE_NOT_YOURS', 'ROUTE_COMPLETED', 'STOP_GONE', 'TASK_GONE'] | str
"""Why an action was kept without an effect."""


ReasonCount = TypedDict(
    "ReasonCount",
    {
        "reason": "AttemptedReason",
        "count": "int",
    },
)
"""How often deliveries failed for a reason."""


RefusedRow = TypedDict(
    "RefusedRow",
    {
        "row": "int",
        "column": "str",
        "reason": "str",
        "type": "IssueType",
        "values": "NotRequired[IssueValues]",
        "orderRow": "NotRequired[int]",
        "cells": "NotRequired[list[str]]",
    },
)
"""Why a row is no stop; a row with several cells that are wrong stands here once for each."""


ReoptimizeBodyInput = TypedDict(
    "ReoptimizeBodyInput",
    {
        "ignoreCompletedStops": "NotRequired[bool]",
        "ignoreRoutingConstraints": "NotRequired[bool]",
        "keep": "NotRequired[KeepInput]",
        "maxMoves": "NotRequired[int]",
        "tradeoffs": "NotRequired[bool]",
        "dryRun": "NotRequired[bool]",
    },
)
"""What a reoptimization leaves out of account, what is to stay, and what to say of the rest."""


ReoptimizedRouteAnswer = TypedDict(
    "ReoptimizedRouteAnswer",
    {
        "id": "str",
        "name": "str",
        "driver": "NotRequired[RouteDriver]",
        "start": "RouteStart",
        "end": "NotRequired[RouteEnd]",
        "stops": "list[RouteStop]",
        "createdAt": "str",
        "updatedAt": "str",
        "archivedAt": "NotRequired[str]",
        "scheduledFor": "NotRequired[str]",
        "totalDistanceMeters": "float",
        "totalItemQuantity": "int",
        "totalItemGrams": "str",
        "optimized": "bool",
        "dispatchedUntil": "NotRequired[str]",
        "note": "str",
        "tags": "list[str]",
        "defaultStopDuration": "NotRequired[str]",
        "maxDuration": "NotRequired[str]",
        "maxStops": "int",
        "maxItemCount": "int",
        "maxKilograms": "float",
        "avoidTolls": "bool",
        "avoidUTurns": "bool",
        "speedFactor": "float",
        "stopTasks": "list[TaskTemplate]",
        "vehicle": "NotRequired[Vehicle]",
        "status": "RouteStatus",
        "lastPosition": "NotRequired[DriverFix]",
        "moved": "int",
        "tradeoffs": "NotRequired[list[Tradeoff]]",
    },
)
"""A route after it was reoptimized, and how many stops that moved (decisions §15)."""


Replay = TypedDict(
    "Replay",
    {
        "replayed": "int",
        "nextSince": "NotRequired[str]",
    },
)
"""How many events are sent again, and from when on there are more than one call may send."""


ReplayBodyInput = TypedDict(
    "ReplayBodyInput",
    {
        "since": "NotRequired[str]",
        "eventIds": "NotRequired[list[str]]",
    },
)
"""Which events to send again: all since an instant that the webhook wants, or these."""


type ReportFormatInput = Literal['JSON', 'CSV']
"""As what a report is answered."""


ReportQueue = TypedDict(
    "ReportQueue",
    {
        "waiting": "int",
        "failed": "int",
    },
)
"""How many reports a shop has still to be told, and how many it would not take."""


type ReportStatus = Literal['WAITING', 'REPORTED', 'FAILED'] | str
"""Whether a shop knows: it still has to be told, was told, or would not hear of it."""


type ReportStatusInput = Literal['WAITING', 'REPORTED', 'FAILED']
"""Whether a shop knows: it still has to be told, was told, or would not hear of it."""


type ReportedStep = Literal['OUT_FOR_DELIVERY', 'DELIVERED', 'ATTEMPTED', 'CORRECTED'] | str
"""What became of a stop, as its shop is told."""


ReportsAnswer = TypedDict(
    "ReportsAnswer",
    {
        "reports": "list[StorefrontReport]",
        "nextCursor": "str",
    },
)
"""A page of what a shop is told."""


ResyncLocationBodyInput = TypedDict(
    "ResyncLocationBodyInput",
    {
        "location": "NotRequired[RouteStopLocationInput]",
    },
)
"""Where a stop of an order is to be, if not where its order goes."""


ResyncWindowsBodyInput = TypedDict(
    "ResyncWindowsBodyInput",
    {
        "deliveryDate": "NotRequired[DateInput]",
        "timeWindows": "NotRequired[list[TimeWindowInput]]",
    },
)
"""When a stop of an order is to be served, if not when its order is to arrive."""


Retention = TypedDict(
    "Retention",
    {
        "positionsDays": "int",
        "eventsDays": "int",
        "proofDays": "int",
        "customersDays": "int",
    },
)
"""For how many days what is kept (decisions §17)."""


RetentionInput = TypedDict(
    "RetentionInput",
    {
        "positionsDays": "NotRequired[int]",
        "eventsDays": "NotRequired[int]",
        "proofDays": "NotRequired[int]",
        "customersDays": "NotRequired[int]",
    },
)
"""For how many days what is kept (decisions §17)."""


type Role = Literal['OWNER', 'PLANNER', 'VIEWER'] | str
"""What a member is to an organization (decisions §13)."""


type RoleInput = Literal['OWNER', 'PLANNER', 'VIEWER']
"""What a member is to an organization (decisions §13)."""


Route = TypedDict(
    "Route",
    {
        "id": "str",
        "name": "str",
        "driver": "NotRequired[RouteDriver]",
        "start": "RouteStart",
        "end": "NotRequired[RouteEnd]",
        "stops": "list[RouteStop]",
        "createdAt": "str",
        "updatedAt": "str",
        "archivedAt": "NotRequired[str]",
        "scheduledFor": "NotRequired[str]",
        "totalDistanceMeters": "float",
        "totalItemQuantity": "int",
        "totalItemGrams": "str",
        "optimized": "bool",
        "dispatchedUntil": "NotRequired[str]",
        "note": "str",
        "tags": "list[str]",
        "defaultStopDuration": "NotRequired[str]",
        "maxDuration": "NotRequired[str]",
        "maxStops": "int",
        "maxItemCount": "int",
        "maxKilograms": "float",
        "avoidTolls": "bool",
        "avoidUTurns": "bool",
        "speedFactor": "float",
        "stopTasks": "list[TaskTemplate]",
        "vehicle": "NotRequired[Vehicle]",
        "status": "RouteStatus",
        "lastPosition": "NotRequired[DriverFix]",
    },
)
"""A route (specification, Route)."""


RouteDraftInput = TypedDict(
    "RouteDraftInput",
    {
        "scheduledFor": "NotRequired[str]",
        "note": "NotRequired[str]",
        "tags": "NotRequired[list[str]]",
        "defaultStopDuration": "NotRequired[str]",
        "maxDuration": "NotRequired[str]",
        "maxStops": "NotRequired[int]",
        "maxItemCount": "NotRequired[int]",
        "maxKilograms": "NotRequired[float]",
        "avoidTolls": "NotRequired[bool]",
        "avoidUTurns": "NotRequired[bool]",
        "speedFactor": "NotRequired[float]",
        "stopTasks": "NotRequired[list[TaskTemplateInput]]",
        "name": "NotRequired[str]",
        "start": "RouteEndDraftInput",
        "end": "NotRequired[RouteEndDraftInput]",
        "vehicleId": "NotRequired[str]",
        "driverId": "NotRequired[str]",
        "archivedAt": "NotRequired[Any]",
        "createdAt": "NotRequired[Any]",
        "dispatchedUntil": "NotRequired[Any]",
        "driver": "NotRequired[Any]",
        "id": "NotRequired[Any]",
        "lastPosition": "NotRequired[Any]",
        "moved": "NotRequired[Any]",
        "optimized": "NotRequired[Any]",
        "status": "NotRequired[Any]",
        "stops": "NotRequired[Any]",
        "totalDistanceMeters": "NotRequired[Any]",
        "totalItemGrams": "NotRequired[Any]",
        "totalItemQuantity": "NotRequired[Any]",
        "tradeoffs": "NotRequired[Any]",
        "updatedAt": "NotRequired[Any]",
        "vehicle": "NotRequired[Any]",
    },
)
"""A new, empty route."""


RouteDriver = TypedDict(
    "RouteDriver",
    {
        "id": "str",
        "firstName": "str",
        "lastName": "str",
        "phone": "str",
        "status": "DriverStatus",
    },
)
"""What a route shows of its driver."""


RouteDurations = TypedDict(
    "RouteDurations",
    {
        "travel": "str",
        "service": "str",
        "waiting": "str",
        "break": "str",
    },
)
"""How the time of a route is spent."""


RouteEnd = TypedDict(
    "RouteEnd",
    {
        "address": "NotRequired[Address]",
        "coordinates": "Coordinates",
        "geocoding": "NotRequired[Geocoding]",
        "tasks": "list[Task]",
        "plannedArrival": "NotRequired[str]",
        "distanceMeters": "int",
        "updatedArrival": "NotRequired[str]",
        "status": "EndStatus",
        "photos": "list[Attachment]",
    },
)
"""Where a route ends, when it does not end at its last stop."""


RouteEndDraftInput = TypedDict(
    "RouteEndDraftInput",
    {
        "address": "NotRequired[AddressInput]",
        "coordinates": "NotRequired[CoordinatesInput]",
        "tasks": "NotRequired[list[TaskTemplateInput]]",
        "distanceMeters": "NotRequired[Any]",
        "geocoding": "NotRequired[Any]",
        "photos": "NotRequired[Any]",
        "plannedArrival": "NotRequired[Any]",
        "scheduledStart": "NotRequired[Any]",
        "status": "NotRequired[Any]",
        "updatedArrival": "NotRequired[Any]",
        "updatedStart": "NotRequired[Any]",
    },
)
"""Where a new route starts or ends: an address, coordinates, or both."""


RouteEvent = TypedDict(
    "RouteEvent",
    {
        "eventId": "str",
        "topic": "Topic",
        "eventTimestamp": "str",
        "apiVersion": "str",
        "organization": "str",
        "objectId": "str",
        "user": "Actor",
        "payload": "NotRequired[Route]",
    },
)
"""An event of a route, or of a stop on it."""


type RouteFileFormatInput = Literal['CSV', 'XLSX', 'GPX', 'GEOJSON', 'ICS']
"""What a route can be taken away as."""


RouteLine = TypedDict(
    "RouteLine",
    {
        "points": "list[Coordinates]",
        "estimated": "bool",
    },
)
"""A line to draw: along roads, or straight from place to place where it is `estimated`."""


RouteListAnswer = TypedDict(
    "RouteListAnswer",
    {
        "routes": "list[Route]",
    },
)
"""All routes of something, unpaged."""


type RouteLockInput = Literal['ALL', 'SEQUENCE', 'VEHICLE', 'NONE']
"""What a plan may change of a route that exists."""


RouteMatch = TypedDict(
    "RouteMatch",
    {
        "id": "str",
        "stopIds": "list[str]",
    },
)
"""A route that was searched for, and which of its stops were."""


RoutePath = TypedDict(
    "RoutePath",
    {
        "lines": "list[RouteLine]",
        "attribution": "str",
    },
)
"""All lines from the start over every stop to the end, and who must be named beside them."""


RoutePreview = TypedDict(
    "RoutePreview",
    {
        "timetable": "Timetable",
        "lateness": "int",
        "violations": "list[PreconditionViolation]",
        "totals": "RouteTotals",
    },
)
"""The times of a route as it would be, and what it would break."""


RouteStart = TypedDict(
    "RouteStart",
    {
        "address": "NotRequired[Address]",
        "coordinates": "Coordinates",
        "geocoding": "NotRequired[Geocoding]",
        "tasks": "list[Task]",
        "status": "StartStatus",
        "updatedStart": "NotRequired[str]",
        "scheduledStart": "NotRequired[str]",
        "photos": "list[Attachment]",
    },
)
"""Where and when a route begins."""


type RouteStatus = Literal['UNSTARTED', 'READY', 'STARTED', 'COMPLETED'] | str
"""How far a route has come."""


type RouteStatusInput = Literal['UNSTARTED', 'READY', 'STARTED', 'COMPLETED']
"""How far a route has come."""


RouteStop = TypedDict(
    "RouteStop",
    {
        "id": "str",
        "type": "StopType",
        "deliveryStatus": "DeliveryStatus",
        "breakStatus": "BreakStatus",
        "updatedAt": "str",
        "duration": "NotRequired[str]",
        "plannedArrival": "NotRequired[str]",
        "updatedArrival": "NotRequired[str]",
        "arrivalWindow": "NotRequired[ArrivalWindow]",
        "plannedLateness": "NotRequired[str]",
        "note": "str",
        "address": "NotRequired[Address]",
        "contact": "NotRequired[Contact]",
        "plannedCoordinates": "Coordinates",
        "arrivedAt": "NotRequired[str]",
        "deliveredCoordinates": "NotRequired[Coordinates]",
        "geocoding": "NotRequired[Geocoding]",
        "items": "list[Item]",
        "source": "StopSource",
        "storeOrderId": "str",
        "savedStopId": "str",
        "importedStopId": "str",
        "clientStopId": "str",
        "copiedFrom": "NotRequired[str]",
        "recipientName": "NotRequired[str]",
        "leftWith": "NotRequired[LeftWith]",
        "proofOfDeliveryNote": "str",
        "proofOfDeliveryPhotos": "list[Attachment]",
        "proofOfDeliverySignatures": "list[Attachment]",
        "proofOfDeliveryBarcodes": "list[Barcode]",
        "proofOfDeliveryBarcodeIssues": "list[BarcodeIssue]",
        "tasks": "list[Task]",
        "priority": "int",
        "locked": "bool",
        "orderName": "str",
        "orderReferenceUrl": "str",
        "distanceMeters": "int",
        "timeWindows": "list[TimeWindow]",
        "deliveryDate": "NotRequired[Date]",
        "attributes": "list[Attribute]",
        "tags": "list[str]",
        "attemptedReason": "AttemptedReason",
        "attemptedNote": "str",
        "customerRating": "NotRequired[CustomerRating]",
        "customerNote": "NotRequired[CustomerNote]",
        "customSignatureDisclosure": "str",
        "storeOrder": "NotRequired[StoreOrderNotes]",
    },
)
"""One stop of a route, in the interface's own shape (specification, RouteStop)."""


RouteStopLocationInput = TypedDict(
    "RouteStopLocationInput",
    {
        "address": "NotRequired[AddressInput]",
        "plannedCoordinates": "NotRequired[CoordinatesInput]",
    },
)
"""Where a route stop is planned to be."""


RouteStopUpdateInput = TypedDict(
    "RouteStopUpdateInput",
    {
        "timeWindows": "NotRequired[list[TimeWindowInput]]",
        "attributes": "NotRequired[list[AttributeInput]]",
        "priority": "NotRequired[int]",
        "duration": "NotRequired[str]",
        "orderName": "NotRequired[str]",
        "deliveryDate": "NotRequired[DateInput]",
        "type": "NotRequired[StopTypeInput]",
        "customSignatureDisclosure": "NotRequired[str]",
        "orderReferenceUrl": "NotRequired[str]",
        "note": "NotRequired[str]",
        "contact": "NotRequired[ContactInput]",
        "tags": "NotRequired[list[str]]",
        "locked": "NotRequired[bool]",
        "address": "NotRequired[Any]",
        "arrivalWindow": "NotRequired[Any]",
        "arrivedAt": "NotRequired[Any]",
        "attemptedNote": "NotRequired[Any]",
        "attemptedReason": "NotRequired[Any]",
        "breakStatus": "NotRequired[Any]",
        "clientStopId": "NotRequired[Any]",
        "copiedFrom": "NotRequired[Any]",
        "customerNote": "NotRequired[Any]",
        "customerRating": "NotRequired[Any]",
        "deliveredCoordinates": "NotRequired[Any]",
        "deliveryStatus": "NotRequired[Any]",
        "distanceMeters": "NotRequired[Any]",
        "geocoding": "NotRequired[Any]",
        "id": "NotRequired[Any]",
        "importedStopId": "NotRequired[Any]",
        "items": "NotRequired[Any]",
        "leftWith": "NotRequired[Any]",
        "plannedArrival": "NotRequired[Any]",
        "plannedCoordinates": "NotRequired[Any]",
        "plannedLateness": "NotRequired[Any]",
        "proofOfDeliveryBarcodeIssues": "NotRequired[Any]",
        "proofOfDeliveryBarcodes": "NotRequired[Any]",
        "proofOfDeliveryNote": "NotRequired[Any]",
        "proofOfDeliveryPhotos": "NotRequired[Any]",
        "proofOfDeliverySignatures": "NotRequired[Any]",
        "recipientName": "NotRequired[Any]",
        "savedStopId": "NotRequired[Any]",
        "source": "NotRequired[Any]",
        "storeOrder": "NotRequired[Any]",
        "storeOrderId": "NotRequired[Any]",
        "tasks": "NotRequired[Any]",
        "updatedArrival": "NotRequired[Any]",
        "updatedAt": "NotRequired[Any]",
    },
)
"""What a planner may change of a route stop (decisions §12); bounds as on import."""


RouteTotals = TypedDict(
    "RouteTotals",
    {
        "distanceMeters": "int",
        "travelSeconds": "int",
        "durationSeconds": "int",
    },
)
"""How far and how long a route is; of a route under way, what is ahead of its driver."""


RouteTrack = TypedDict(
    "RouteTrack",
    {
        "points": "list[TrackPoint]",
    },
)
"""Where the drivers of a route were, oldest first."""


RouteUpdateInput = TypedDict(
    "RouteUpdateInput",
    {
        "scheduledFor": "NotRequired[str]",
        "note": "NotRequired[str]",
        "tags": "NotRequired[list[str]]",
        "defaultStopDuration": "NotRequired[str]",
        "maxDuration": "NotRequired[str]",
        "maxStops": "NotRequired[int]",
        "maxItemCount": "NotRequired[int]",
        "maxKilograms": "NotRequired[float]",
        "avoidTolls": "NotRequired[bool]",
        "avoidUTurns": "NotRequired[bool]",
        "speedFactor": "NotRequired[float]",
        "stopTasks": "NotRequired[list[TaskTemplateInput]]",
        "name": "NotRequired[str]",
        "archivedAt": "NotRequired[Any]",
        "createdAt": "NotRequired[Any]",
        "dispatchedUntil": "NotRequired[Any]",
        "driver": "NotRequired[Any]",
        "end": "NotRequired[Any]",
        "id": "NotRequired[Any]",
        "lastPosition": "NotRequired[Any]",
        "moved": "NotRequired[Any]",
        "optimized": "NotRequired[Any]",
        "start": "NotRequired[Any]",
        "status": "NotRequired[Any]",
        "stops": "NotRequired[Any]",
        "totalDistanceMeters": "NotRequired[Any]",
        "totalItemGrams": "NotRequired[Any]",
        "totalItemQuantity": "NotRequired[Any]",
        "tradeoffs": "NotRequired[Any]",
        "updatedAt": "NotRequired[Any]",
        "vehicle": "NotRequired[Any]",
    },
)
"""What a planner may change of a route; the rest of what a read answers is ignored."""


RoutesAnswer = TypedDict(
    "RoutesAnswer",
    {
        "routes": "list[Route]",
        "nextCursor": "str",
    },
)
"""A page of routes."""


type RuleSubject = Literal['TAG', 'CUSTOMER_TAG', 'ATTRIBUTE', 'DELIVERY_METHOD', 'LOCATION'] | str
"""What of an order a rule looks at."""


type RuleSubjectInput = Literal['TAG', 'CUSTOMER_TAG', 'ATTRIBUTE', 'DELIVERY_METHOD', 'LOCATION']
"""What of an order a rule looks at."""


type Scope = Literal['READ', 'WRITE', 'DISPATCH', 'SETTINGS'] | str
"""What credentials may be allowed; a role is a set of them."""


type ScopeInput = Literal['READ', 'WRITE', 'DISPATCH', 'SETTINGS']
"""What credentials may be allowed; a role is a set of them."""


SecurityEvent = TypedDict(
    "SecurityEvent",
    {
        "id": "str",
        "kind": "SecurityEventKind",
        "at": "str",
        "principal": "SecurityPrincipal",
        "address": "NotRequired[str]",
        "userAgent": "NotRequired[str]",
        "details": "NotRequired[SecurityEventDetails]",
    },
)
"""Who did what to whom may do what, when and from where."""


SecurityEventDetails = TypedDict(
    "SecurityEventDetails",
    {
        "command": "NotRequired[str]",
        "clientId": "NotRequired[str]",
        "clientIds": "NotRequired[str]",
        "scopes": "NotRequired[str]",
        "driverId": "NotRequired[str]",
        "memberId": "NotRequired[str]",
        "role": "NotRequired[Role]",
        "sessionId": "NotRequired[str]",
        "webhookId": "NotRequired[str]",
        "storefrontId": "NotRequired[str]",
        "email": "NotRequired[str]",
        "factor": "NotRequired[str]",
        "lifted": "NotRequired[int]",
        "times": "NotRequired[int]",
        "lastAt": "NotRequired[str]",
    },
)
"""What else is known: the command, what it was done to, and how often; never a secret."""


type SecurityEventKind = Literal['CLIENT_SIGNED_IN', 'CLIENT_SIGN_IN_FAILED', 'CLIENT_SIGNED_OUT', 'CREDENTIALS_CREATED', 'CREDENTIALS_ROTATION_STARTED', 'CREDENTIALS_ROTATION_FINISHED', 'CREDENTIALS_ROTATION_CANCELLED', 'CREDENTIALS_DELETED', 'DRIVER_INVITED', 'DRIVER_ACTIVATED', 'DRIVER_DEACTIVATED', 'DRIVER_ARCHIVED', 'DRIVER_SIGNED_IN', 'DRIVER_SIGNED_OUT', 'MEMBER_INVITED', 'MEMBER_JOINED', 'MEMBER_CHANGED', 'MEMBER_DEACTIVATED', 'MEMBER_ACTIVATED', 'MEMBER_SIGNED_IN', 'MEMBER_SIGN_IN_FAILED', 'MEMBER_SIGNED_OUT', 'PASSWORD_RESET_REQUESTED', 'PASSWORD_RESET_LINK_MADE', 'PASSWORD_CHANGED', 'SECOND_FACTOR_ADDED', 'SECOND_FACTOR_REMOVED', 'RECOVERY_CODES_MADE', 'RECOVERY_CODE_USED', 'WEBHOOK_CREATED', 'WEBHOOK_REMOVED', 'WEBHOOK_ROTATION_STARTED', 'WEBHOOK_ROTATION_FINISHED', 'WEBHOOK_ROTATION_CANCELLED', 'STOREFRONT_CONNECTED', 'STOREFRONT_CHANGED', 'STOREFRONT_DISCONNECTED', 'SUPPRESSIONS_LIFTED', 'CUSTOMER_ERASED', 'DRIVER_ERASED', 'ORGANIZATION_CREATED', 'COMMAND_RUN'] | str
"""What happened."""


type SecurityEventKindInput = Literal['CLIENT_SIGNED_IN', 'CLIENT_SIGN_IN_FAILED', 'CLIENT_SIGNED_OUT', 'CREDENTIALS_CREATED', 'CREDENTIALS_ROTATION_STARTED', 'CREDENTIALS_ROTATION_FINISHED', 'CREDENTIALS_ROTATION_CANCELLED', 'CREDENTIALS_DELETED', 'DRIVER_INVITED', 'DRIVER_ACTIVATED', 'DRIVER_DEACTIVATED', 'DRIVER_ARCHIVED', 'DRIVER_SIGNED_IN', 'DRIVER_SIGNED_OUT', 'MEMBER_INVITED', 'MEMBER_JOINED', 'MEMBER_CHANGED', 'MEMBER_DEACTIVATED', 'MEMBER_ACTIVATED', 'MEMBER_SIGNED_IN', 'MEMBER_SIGN_IN_FAILED', 'MEMBER_SIGNED_OUT', 'PASSWORD_RESET_REQUESTED', 'PASSWORD_RESET_LINK_MADE', 'PASSWORD_CHANGED', 'SECOND_FACTOR_ADDED', 'SECOND_FACTOR_REMOVED', 'RECOVERY_CODES_MADE', 'RECOVERY_CODE_USED', 'WEBHOOK_CREATED', 'WEBHOOK_REMOVED', 'WEBHOOK_ROTATION_STARTED', 'WEBHOOK_ROTATION_FINISHED', 'WEBHOOK_ROTATION_CANCELLED', 'STOREFRONT_CONNECTED', 'STOREFRONT_CHANGED', 'STOREFRONT_DISCONNECTED', 'SUPPRESSIONS_LIFTED', 'CUSTOMER_ERASED', 'DRIVER_ERASED', 'ORGANIZATION_CREATED', 'COMMAND_RUN']
"""What happened."""


SecurityEventsAnswer = TypedDict(
    "SecurityEventsAnswer",
    {
        "securityEvents": "list[SecurityEvent]",
        "nextCursor": "str",
    },
)
"""A page of security events, newest first."""


SecurityPrincipal = TypedDict(
    "SecurityPrincipal",
    {
        "kind": "PrincipalKind",
        "id": "NotRequired[str]",
        "email": "NotRequired[str]",
    },
)
"""Who it was; of a failed sign-in, whose sign-in failed."""


SheetColumn = TypedDict(
    "SheetColumn",
    {
        "header": "str",
        "field": "str",
    },
)
"""A header, and the field that it was taken for; empty when it is not used."""


SkippedOrder = TypedDict(
    "SkippedOrder",
    {
        "storeOrderId": "str",
        "type": "str",
        "description": "str",
    },
)
"""A store order that cannot be planned, and why."""


SmsGateway = TypedDict(
    "SmsGateway",
    {
        "method": "str",
        "url": "str",
        "headers": "dict[str, str]",
        "body": "str",
    },
)
"""An HTTP service that sends text messages: how it is asked."""


SmsGatewayInput = TypedDict(
    "SmsGatewayInput",
    {
        "method": "NotRequired[str]",
        "url": "str",
        "headers": "NotRequired[dict[str, str]]",
        "body": "NotRequired[str]",
    },
)
"""An HTTP service that sends text messages: how it is asked."""


type SortKeyInput = Literal['UNKNOWN', 'CREATED_AT', 'UPDATED_AT', 'SCHEDULED_AT']
"""What a list is sorted by (specification, GET /routes); UNKNOWN is CREATED_AT."""


type StartStatus = Literal['UNKNOWN', 'STARTED'] | str
"""Whether the driver has left."""


StopColumns = TypedDict(
    "StopColumns",
    {
        "ids": "list[str]",
        "names": "list[str]",
        "statuses": "list[str]",
        "latitudes": "list[float]",
        "longitudes": "list[float]",
        "plannedArrivals": "list[str | None]",
        "updatedArrivals": "list[str | None]",
        "late": "list[bool]",
        "matchTypes": "list[MatchLevel | None]",
    },
)
"""The stops of a route in driving order, one list a property; all lists are equally long."""


StopDraftInput = TypedDict(
    "StopDraftInput",
    {
        "clientStopId": "NotRequired[str]",
        "address": "NotRequired[AddressInput]",
        "contact": "NotRequired[ContactInput]",
        "coordinates": "NotRequired[CoordinatesInput]",
        "items": "NotRequired[list[ItemInput]]",
        "note": "NotRequired[str]",
        "duration": "NotRequired[str]",
        "priority": "NotRequired[int]",
        "orderName": "NotRequired[str]",
        "timeWindows": "NotRequired[list[TimeWindowInput]]",
        "deliveryDate": "NotRequired[DateInput]",
        "attributes": "NotRequired[list[AttributeInput]]",
        "tags": "NotRequired[list[str]]",
        "tasks": "NotRequired[list[TaskTemplateInput]]",
        "type": "NotRequired[StopTypeInput]",
        "customSignatureDisclosure": "NotRequired[str]",
        "orderReferenceUrl": "NotRequired[str]",
        "loads": "NotRequired[dict[str, float]]",
        "requiredSkills": "NotRequired[list[str]]",
        "copiedFrom": "NotRequired[Any]",
        "customerNote": "NotRequired[Any]",
        "geocoding": "NotRequired[Any]",
        "id": "NotRequired[Any]",
        "importedAt": "NotRequired[Any]",
    },
)
"""What a client says of a stop; bounds in decisions §1."""


StopExplanation = TypedDict(
    "StopExplanation",
    {
        "stopId": "str",
        "plannedArrival": "NotRequired[str]",
        "updatedArrival": "NotRequired[str]",
        "delaySeconds": "int",
        "latenessSeconds": "int",
        "slackSeconds": "NotRequired[int]",
        "plannedSlackSeconds": "NotRequired[int]",
        "waitingSeconds": "int",
        "opensAt": "NotRequired[str]",
        "delays": "list[TimePart]",
        "plan": "list[TimePart]",
        "sentence": "str",
    },
)
"""Why a stop is reached when it is, as data and as a sentence."""


StopInsertions = TypedDict(
    "StopInsertions",
    {
        "stopId": "NotRequired[str]",
        "importedStopId": "NotRequired[str]",
        "clientStopId": "NotRequired[str]",
        "storeOrderId": "NotRequired[str]",
        "places": "list[Insertion]",
        "reasons": "list[UnassignedReason]",
    },
)
"""The best place of each route for one stop, the best route first."""


type StopReason = Literal['MOVES', 'SECONDS', 'CANCEL', 'PROVEN'] | str
"""Why a search ended."""


type StopSource = Literal['UNKNOWN', 'IMPORTED_STOP', 'STORE_ORDER', 'SAVED_STOP', 'MANUAL'] | str
"""Where a route stop came from."""


type StopType = Literal['UNKNOWN', 'DELIVERY', 'PICKUP', 'TASK', 'BREAK'] | str
"""What is done at a stop (decisions §8)."""


type StopTypeInput = Literal['UNKNOWN', 'DELIVERY', 'PICKUP', 'TASK', 'BREAK']
"""What is done at a stop (decisions §8)."""


StopWarning = TypedDict(
    "StopWarning",
    {
        "index": "int",
        "field": "str",
        "message": "str",
        "type": "IssueType",
        "values": "NotRequired[IssueValues]",
        "leftOut": "bool",
        "row": "NotRequired[int]",
    },
)
"""What is doubtful about a stop of an import."""


StoreOrder = TypedDict(
    "StoreOrder",
    {
        "name": "str",
        "address": "NotRequired[Address]",
        "contact": "NotRequired[Contact]",
        "items": "list[OrderItem]",
        "orderNote": "str",
        "customerNote": "str",
        "tags": "list[str]",
        "state": "StoreOrderState",
        "deliveryDate": "NotRequired[Date]",
        "timeWindows": "list[TimeWindow]",
        "attributes": "list[Attribute]",
        "orderReferenceUrl": "str",
        "location": "str",
        "coordinates": "NotRequired[Coordinates]",
        "type": "StopType",
        "duration": "NotRequired[str]",
        "priority": "int",
        "requiredSkills": "list[str]",
        "id": "str",
        "connectionId": "str",
        "remarks": "list[str]",
        "shopLocation": "NotRequired[Location]",
    },
)
"""An order; `id` is the storefront's own, unique in its organization."""


StoreOrderDraftInput = TypedDict(
    "StoreOrderDraftInput",
    {
        "name": "NotRequired[str]",
        "address": "NotRequired[AddressInput]",
        "contact": "NotRequired[ContactInput]",
        "items": "NotRequired[list[OrderItemInput]]",
        "orderNote": "NotRequired[str]",
        "customerNote": "NotRequired[str]",
        "tags": "NotRequired[list[str]]",
        "state": "NotRequired[StoreOrderStateInput]",
        "deliveryDate": "NotRequired[DateInput]",
        "timeWindows": "NotRequired[list[TimeWindowInput]]",
        "attributes": "NotRequired[list[AttributeInput]]",
        "orderReferenceUrl": "NotRequired[str]",
        "location": "NotRequired[str]",
        "coordinates": "NotRequired[CoordinatesInput]",
        "type": "NotRequired[StopTypeInput]",
        "duration": "NotRequired[str]",
        "priority": "NotRequired[int]",
        "requiredSkills": "NotRequired[list[str]]",
        "connectionId": "NotRequired[Any]",
        "id": "NotRequired[Any]",
        "remarks": "NotRequired[Any]",
        "shopLocation": "NotRequired[Any]",
    },
)
"""What the storefront says of an order."""


StoreOrderNotes = TypedDict(
    "StoreOrderNotes",
    {
        "orderNote": "str",
        "customerNote": "str",
        "state": "NotRequired[StoreOrderState]",
        "address": "NotRequired[Address]",
        "deliveryDate": "NotRequired[Date]",
        "timeWindows": "NotRequired[list[TimeWindow]]",
    },
)
"""What an order-backed stop shows of its order."""


type StoreOrderState = Literal['OPEN', 'FULFILLED', 'CANCELLED', 'ON_HOLD'] | str
"""What is to be done with an order, as its storefront says."""


type StoreOrderStateInput = Literal['OPEN', 'FULFILLED', 'CANCELLED', 'ON_HOLD']
"""What is to be done with an order, as its storefront says."""


StoreOrdersAnswer = TypedDict(
    "StoreOrdersAnswer",
    {
        "storeOrders": "list[StoreOrder]",
        "nextCursor": "str",
        "progress": "NotRequired[list[OrderProgress]]",
    },
)
"""A page of orders."""


StorefrontCheck = TypedDict(
    "StorefrontCheck",
    {
        "isGood": "bool",
        "findings": "list[StorefrontFinding]",
        "storeOrders": "list[ArrivingOrder]",
    },
)
"""What works of a connection, and ten of its orders as they would arrive, newest first."""


StorefrontConnection = TypedDict(
    "StorefrontConnection",
    {
        "id": "str",
        "platform": "StorefrontPlatform",
        "label": "str",
        "address": "str",
        "state": "StorefrontState",
        "prefix": "str",
        "credentials": "dict[str, str]",
        "settings": "StorefrontSettings",
        "lastSuccessAt": "NotRequired[str]",
        "lastFailure": "NotRequired[ConnectionFailure]",
        "queue": "ReportQueue",
    },
)
"""A connected shop; of its credentials the last characters."""


StorefrontCredentialsBodyInput = TypedDict(
    "StorefrontCredentialsBodyInput",
    {
        "credentials": "dict[str, str]",
    },
)
"""Other credentials of a shop; a `hookSecret` that is absent stays."""


StorefrontDetailsInput = TypedDict(
    "StorefrontDetailsInput",
    {
        "label": "NotRequired[str]",
        "address": "NotRequired[str]",
        "credentials": "NotRequired[dict[str, str]]",
        "settings": "NotRequired[StorefrontSettingsInput]",
        "id": "NotRequired[Any]",
        "lastFailure": "NotRequired[Any]",
        "lastSuccessAt": "NotRequired[Any]",
        "platform": "NotRequired[Any]",
        "prefix": "NotRequired[Any]",
        "queue": "NotRequired[Any]",
        "state": "NotRequired[Any]",
    },
)
"""What may be changed of a connection."""


StorefrontDraftInput = TypedDict(
    "StorefrontDraftInput",
    {
        "label": "NotRequired[str]",
        "address": "NotRequired[str]",
        "credentials": "NotRequired[dict[str, str]]",
        "settings": "NotRequired[StorefrontSettingsInput]",
        "platform": "StorefrontPlatformInput",
        "prefix": "NotRequired[str]",
        "id": "NotRequired[Any]",
        "lastFailure": "NotRequired[Any]",
        "lastSuccessAt": "NotRequired[Any]",
        "queue": "NotRequired[Any]",
        "state": "NotRequired[Any]",
    },
)
"""A shop to connect."""


StorefrontFinding = TypedDict(
    "StorefrontFinding",
    {
        "subject": "str",
        "isGood": "bool",
        "message": "str",
        "remedy": "str",
    },
)
"""One thing that was tried when a connection was checked."""


type StorefrontPlatform = Literal['SHOPIFY', 'WOOCOMMERCE', 'MEDUSA', 'VENDURE'] | str
"""What a connected shop runs on."""


type StorefrontPlatformInput = Literal['SHOPIFY', 'WOOCOMMERCE', 'MEDUSA', 'VENDURE']
"""What a connected shop runs on."""


StorefrontReport = TypedDict(
    "StorefrontReport",
    {
        "id": "str",
        "storeOrderId": "str",
        "stopId": "str",
        "step": "ReportedStep",
        "happenedAt": "str",
        "status": "ReportStatus",
        "attempts": "int",
        "nextAttemptAt": "NotRequired[str]",
        "reportedAt": "NotRequired[str]",
        "fulfillmentId": "str",
        "remark": "str",
        "lastFailure": "NotRequired[ConnectionFailure]",
    },
)
"""One thing that a shop is told about an order, and what it said."""


StorefrontRule = TypedDict(
    "StorefrontRule",
    {
        "subject": "RuleSubject",
        "name": "str",
        "value": "str",
        "isAbsent": "bool",
        "isLeft": "bool",
        "priority": "NotRequired[int]",
        "duration": "NotRequired[str]",
        "type": "StopType",
        "requiredSkills": "list[str]",
    },
)
"""What becomes of orders that have something, or lack it."""


StorefrontRuleInput = TypedDict(
    "StorefrontRuleInput",
    {
        "subject": "RuleSubjectInput",
        "name": "str",
        "value": "NotRequired[str]",
        "isAbsent": "NotRequired[bool]",
        "isLeft": "NotRequired[bool]",
        "priority": "NotRequired[int]",
        "duration": "NotRequired[str]",
        "type": "NotRequired[StopTypeInput]",
        "requiredSkills": "NotRequired[list[str]]",
    },
)
"""What becomes of orders that have something, or lack it."""


StorefrontSettings = TypedDict(
    "StorefrontSettings",
    {
        "deliveryDate": "list[str]",
        "timeWindow": "list[str]",
        "statuses": "list[str]",
        "outForDeliveryStatus": "str",
        "attemptedStatus": "str",
        "lookBackDays": "int",
        "notifyCustomer": "bool",
        "removeCancelled": "bool",
        "orderRules": "list[StorefrontRule]",
        "orderFields": "list[OrderField]",
        "outForDeliveryTag": "str",
        "deliveredTag": "str",
        "attemptedTag": "str",
    },
)
"""How the orders of a shop are read, and what it is told."""


StorefrontSettingsInput = TypedDict(
    "StorefrontSettingsInput",
    {
        "deliveryDate": "NotRequired[list[str]]",
        "timeWindow": "NotRequired[list[str]]",
        "statuses": "NotRequired[list[str]]",
        "outForDeliveryStatus": "NotRequired[str]",
        "attemptedStatus": "NotRequired[str]",
        "lookBackDays": "NotRequired[int]",
        "notifyCustomer": "NotRequired[bool]",
        "removeCancelled": "NotRequired[bool]",
        "orderRules": "NotRequired[list[StorefrontRuleInput]]",
        "orderFields": "NotRequired[list[OrderFieldInput]]",
        "outForDeliveryTag": "NotRequired[str]",
        "deliveredTag": "NotRequired[str]",
        "attemptedTag": "NotRequired[str]",
    },
)
"""How the orders of a shop are read, and what it is told."""


type StorefrontState = Literal['ACTIVE', 'PAUSED', 'REFUSED'] | str
"""Whether a shop is asked; REFUSED never let us in, PAUSED did once, or a planner said so."""


StorefrontsAnswer = TypedDict(
    "StorefrontsAnswer",
    {
        "storefronts": "list[StorefrontConnection]",
    },
)
"""Every connection of an organization, oldest first."""


SuggestedChange = TypedDict(
    "SuggestedChange",
    {
        "kind": "ChangeKind",
        "subject": "str",
        "description": "str",
        "timeWindows": "NotRequired[list[TimeWindow]]",
        "scheduledFor": "NotRequired[str]",
        "maxDuration": "NotRequired[str]",
        "maxStops": "NotRequired[int]",
        "maxItemCount": "NotRequired[int]",
        "maxKilograms": "NotRequired[float]",
    },
)
"""One change; the field that `kind` names holds the new value."""


Suppression = TypedDict(
    "Suppression",
    {
        "channel": "Channel",
        "reason": "str",
        "count": "int",
    },
)
"""How many recipients are sent nothing more by a channel, for one reason."""


Suppressions = TypedDict(
    "Suppressions",
    {
        "suppressions": "list[Suppression]",
    },
)
"""Who is sent nothing more; addresses are not kept, so that they are counted alone."""


SyncBodyInput = TypedDict(
    "SyncBodyInput",
    {
        "full": "NotRequired[bool]",
    },
)
"""Whether all orders are read again, as far back as the settings say."""


Task = TypedDict(
    "Task",
    {
        "id": "str",
        "title": "str",
        "type": "TaskType",
        "items": "list[TaskItem]",
        "requiredToMarkStopAsDelivered": "bool",
        "requiredToMarkStopAsAttempted": "bool",
        "input": "NotRequired[TaskInput]",
    },
)
"""A task at a stop, a start or an end."""


TaskInput = TypedDict(
    "TaskInput",
    {
        "value": "str",
        "updatedAt": "str",
        "inputMethod": "InputMethod",
    },
)
"""What a driver typed or scanned."""


TaskItem = TypedDict(
    "TaskItem",
    {
        "id": "str",
        "title": "str",
        "completed": "bool",
        "updatedAt": "NotRequired[str]",
    },
)
"""One box or button of a task at a stop, and whether the driver has done it."""


TaskItemTemplate = TypedDict(
    "TaskItemTemplate",
    {
        "title": "str",
    },
)
"""One box or button."""


TaskItemTemplateInput = TypedDict(
    "TaskItemTemplateInput",
    {
        "title": "NotRequired[str]",
        "completed": "NotRequired[Any]",
        "id": "NotRequired[Any]",
        "updatedAt": "NotRequired[Any]",
    },
)
"""One box or button."""


TaskTemplate = TypedDict(
    "TaskTemplate",
    {
        "title": "str",
        "type": "TaskType",
        "items": "list[TaskItemTemplate]",
        "requiredToMarkStopAsDelivered": "bool",
        "requiredToMarkStopAsAttempted": "bool",
    },
)
"""A task before it belongs to a stop: no ids, no completion state."""


TaskTemplateInput = TypedDict(
    "TaskTemplateInput",
    {
        "title": "NotRequired[str]",
        "type": "NotRequired[TaskTypeInput]",
        "items": "NotRequired[list[TaskItemTemplateInput]]",
        "requiredToMarkStopAsDelivered": "NotRequired[bool]",
        "requiredToMarkStopAsAttempted": "NotRequired[bool]",
        "id": "NotRequired[Any]",
        "input": "NotRequired[Any]",
    },
)
"""A task before it belongs to a stop: no ids, no completion state."""


type TaskType = Literal['UNKNOWN', 'CHECKBOXES', 'RADIO_BUTTONS', 'TEXT_INPUT'] | str
"""How a task is answered."""


type TaskTypeInput = Literal['UNKNOWN', 'CHECKBOXES', 'RADIO_BUTTONS', 'TEXT_INPUT']
"""How a task is answered."""


TestMessageInput = TypedDict(
    "TestMessageInput",
    {
        "moment": "TriggerInput",
        "channel": "ChannelInput",
        "language": "NotRequired[LanguageInput]",
        "to": "str",
    },
)
"""Which message to send as an example, and to whom."""


type TimeKind = Literal['DEPARTURE', 'TRAVEL', 'WAITING', 'SERVICE', 'VISIT', 'ORDER'] | str
"""What time was spent on."""


TimeOfDay = TypedDict(
    "TimeOfDay",
    {
        "hours": "int",
        "minutes": "int",
        "seconds": "int",
    },
)
"""A wall clock time; a missing part is 0."""


TimeOfDayInput = TypedDict(
    "TimeOfDayInput",
    {
        "hours": "NotRequired[int]",
        "minutes": "NotRequired[int]",
        "seconds": "NotRequired[int]",
    },
)
"""A wall clock time; a missing part is 0."""


TimePart = TypedDict(
    "TimePart",
    {
        "kind": "TimeKind",
        "stopId": "NotRequired[str]",
        "seconds": "int",
    },
)
"""A part of the time; less than 0 is time that was made up."""


TimeWindow = TypedDict(
    "TimeWindow",
    {
        "start": "NotRequired[TimeOfDay]",
        "end": "NotRequired[TimeOfDay]",
    },
)
"""From `start` to `end`; a missing end is open, an end before its start spans midnight."""


TimeWindowInput = TypedDict(
    "TimeWindowInput",
    {
        "start": "NotRequired[TimeOfDayInput]",
        "end": "NotRequired[TimeOfDayInput]",
    },
)
"""From `start` to `end`; a missing end is open, an end before its start spans midnight."""


Timetable = TypedDict(
    "Timetable",
    {
        "places": "list[LocationTimes]",
    },
)
"""The places of a route; without a departure it has zones but no times."""


type Topic = Literal['TEST', 'ROUTE_CREATED', 'ROUTE_UPDATED', 'ROUTE_DELETED', 'ROUTE_DISPATCHED', 'ROUTE_STARTED', 'ROUTE_COMPLETED', 'ROUTE_START_STOP_UPDATED', 'ROUTE_END_STOP_UPDATED', 'STOP_UPDATED', 'STOP_STATUS_UPDATED', 'DRIVER_ADDED', 'DRIVER_UPDATED', 'DRIVER_ACTIVATED', 'DRIVER_DEACTIVATED', 'DRIVER_ARCHIVED', 'IMPORTED_STOP_CREATED', 'IMPORTED_STOP_UPDATED', 'IMPORTED_STOP_DELETED', 'PLAN_COMPLETED', 'PLAN_FAILED', 'PLAN_APPLIED'] | str
"""What an event is about."""


type TopicInput = Literal['TEST', 'ROUTE_CREATED', 'ROUTE_UPDATED', 'ROUTE_DELETED', 'ROUTE_DISPATCHED', 'ROUTE_STARTED', 'ROUTE_COMPLETED', 'ROUTE_START_STOP_UPDATED', 'ROUTE_END_STOP_UPDATED', 'STOP_UPDATED', 'STOP_STATUS_UPDATED', 'DRIVER_ADDED', 'DRIVER_UPDATED', 'DRIVER_ACTIVATED', 'DRIVER_DEACTIVATED', 'DRIVER_ARCHIVED', 'IMPORTED_STOP_CREATED', 'IMPORTED_STOP_UPDATED', 'IMPORTED_STOP_DELETED', 'PLAN_COMPLETED', 'PLAN_FAILED', 'PLAN_APPLIED']
"""What an event is about."""


TrackPoint = TypedDict(
    "TrackPoint",
    {
        "coordinates": "Coordinates",
        "at": "str",
    },
)
"""Where a driver was, and when."""


TrackingLink = TypedDict(
    "TrackingLink",
    {
        "url": "str",
        "expiresAt": "NotRequired[str]",
    },
)
"""Where a customer follows a delivery."""


Tradeoff = TypedDict(
    "Tradeoff",
    {
        "maxMoves": "NotRequired[int]",
        "moved": "int",
        "latenessSeconds": "int",
        "priorityInversions": "int",
        "travelSeconds": "int",
    },
)
"""The best order found that moves so many stops at most; without `maxMoves`, any number."""


TransferAnswer = TypedDict(
    "TransferAnswer",
    {
        "routes": "list[Route]",
        "etags": "list[str]",
    },
)
"""The routes that a transfer concerns, as it left them."""


TransferBodyInput = TypedDict(
    "TransferBodyInput",
    {
        "moves": "list[MoveBodyInput]",
    },
)
"""Moves in their sequence; each index is final at its turn."""


type Trigger = Literal['PLANNED', 'ON_THE_WAY', 'NEXT', 'SLIPPED', 'DELIVERED', 'ATTEMPTED'] | str
"""What a customer is told of."""


type TriggerInput = Literal['PLANNED', 'ON_THE_WAY', 'NEXT', 'SLIPPED', 'DELIVERED', 'ATTEMPTED']
"""What a customer is told of."""


UnassignedReason = TypedDict(
    "UnassignedReason",
    {
        "vehicle": "str",
        "type": "UnassignedReasonType",
        "subject": "str",
        "amount": "float",
        "limits": "list[BindingLimit]",
        "break": "NotRequired[BlockingBreak]",
        "description": "str",
    },
)
"""Why one kind of vehicle does not serve a stop."""


type UnassignedReasonType = Literal['capacities', 'requiredSkills', 'timeWindows', 'shift', 'maxStops', 'maxDuration', 'maxDistanceMeters', 'allowedVehicles', 'pins', 'unreachable', 'breaks', 'CONTENTION', 'COST'] | str
"""What keeps a stop from a vehicle."""


UnassignedStop = TypedDict(
    "UnassignedStop",
    {
        "importedStopId": "str",
        "clientStopId": "str",
        "storeOrderId": "str",
        "routeStopId": "str",
        "cost": "float",
        "reasons": "list[UnassignedReason]",
        "fixes": "list[PlanFix]",
    },
)
"""A stop that the plan leaves out, and why."""


UnroutedStop = TypedDict(
    "UnroutedStop",
    {
        "importedStopId": "NotRequired[str]",
        "storeOrderId": "NotRequired[str]",
        "name": "str",
        "address": "NotRequired[Address]",
        "latitude": "NotRequired[float]",
        "longitude": "NotRequired[float]",
        "timeWindows": "list[TimeWindow]",
        "duration": "NotRequired[str]",
        "undated": "bool",
        "matchType": "NotRequired[MatchLevel]",
    },
)
"""An imported stop, or an order of a storefront, that is on no route."""


UnroutedStops = TypedDict(
    "UnroutedStops",
    {
        "count": "int",
        "stops": "list[UnroutedStop]",
    },
)
"""What is on no route: how much, and the first of it."""


UpdateDriverInput = TypedDict(
    "UpdateDriverInput",
    {
        "driver": "NotRequired[DriverDetailsInput]",
        "updateMask": "str",
    },
)


UpdateImportedStopInput = TypedDict(
    "UpdateImportedStopInput",
    {
        "importedStop": "NotRequired[StopDraftInput]",
        "updateMask": "str",
    },
)


UpdateImportedStopLocationInput = TypedDict(
    "UpdateImportedStopLocationInput",
    {
        "location": "NotRequired[LocationInput]",
        "updateMask": "str",
    },
)


UpdateMemberInput = TypedDict(
    "UpdateMemberInput",
    {
        "member": "NotRequired[MemberDetailsInput]",
        "updateMask": "str",
    },
)


UpdateMessageSettingsInput = TypedDict(
    "UpdateMessageSettingsInput",
    {
        "messages": "NotRequired[MessageSettingsAnswerInput]",
        "updateMask": "str",
    },
)


UpdateOrganizationInput = TypedDict(
    "UpdateOrganizationInput",
    {
        "organization": "NotRequired[OrganizationUpdateInput]",
        "updateMask": "str",
    },
)


UpdateRouteEndLocationInput = TypedDict(
    "UpdateRouteEndLocationInput",
    {
        "location": "NotRequired[LocationInput]",
        "updateMask": "str",
    },
)


UpdateRouteInput = TypedDict(
    "UpdateRouteInput",
    {
        "route": "NotRequired[RouteUpdateInput]",
        "updateMask": "str",
    },
)


UpdateRouteStartLocationInput = TypedDict(
    "UpdateRouteStartLocationInput",
    {
        "location": "NotRequired[LocationInput]",
        "updateMask": "str",
    },
)


UpdateRouteStopInput = TypedDict(
    "UpdateRouteStopInput",
    {
        "routeStop": "NotRequired[RouteStopUpdateInput]",
        "updateMask": "str",
    },
)


UpdateRouteStopLocationInput = TypedDict(
    "UpdateRouteStopLocationInput",
    {
        "location": "NotRequired[RouteStopLocationInput]",
        "updateMask": "str",
    },
)


UpdateStoreOrderLocationInput = TypedDict(
    "UpdateStoreOrderLocationInput",
    {
        "location": "NotRequired[LocationInput]",
        "updateMask": "str",
    },
)


UpdateStorefrontInput = TypedDict(
    "UpdateStorefrontInput",
    {
        "storefront": "NotRequired[StorefrontDetailsInput]",
        "updateMask": "str",
    },
)


UpdateVehicleInput = TypedDict(
    "UpdateVehicleInput",
    {
        "vehicle": "NotRequired[VehicleDetailsInput]",
        "updateMask": "str",
    },
)


Vehicle = TypedDict(
    "Vehicle",
    {
        "name": "str",
        "make": "str",
        "model": "str",
        "year": "int",
        "type": "VehicleType",
        "vin": "str",
        "license": "str",
        "capacities": "NotRequired[dict[str, float]]",
        "skills": "list[str]",
        "costs": "NotRequired[VehicleCosts]",
        "start": "NotRequired[Location]",
        "end": "NotRequired[Location]",
        "shift": "NotRequired[DailyShift]",
        "breaks": "list[DailyBreak]",
        "maxStops": "int",
        "maxDuration": "NotRequired[str]",
        "maxDistanceMeters": "int",
        "id": "str",
        "isArchived": "bool",
        "createdTimestamp": "str",
    },
)
"""A vehicle of the organization's fleet."""


VehicleBodyInput = TypedDict(
    "VehicleBodyInput",
    {
        "vehicleId": "str",
    },
)
"""Names a vehicle."""


VehicleCosts = TypedDict(
    "VehicleCosts",
    {
        "fixed": "float",
        "perHour": "float",
        "perTraveledHour": "float",
        "perKilometer": "float",
        "perStop": "float",
    },
)
"""What using a vehicle costs, in the organization's own money."""


VehicleCostsInput = TypedDict(
    "VehicleCostsInput",
    {
        "fixed": "NotRequired[float]",
        "perHour": "NotRequired[float]",
        "perTraveledHour": "NotRequired[float]",
        "perKilometer": "NotRequired[float]",
        "perStop": "NotRequired[float]",
    },
)
"""What using a vehicle costs, in the organization's own money."""


VehicleDetailsInput = TypedDict(
    "VehicleDetailsInput",
    {
        "name": "NotRequired[str]",
        "make": "NotRequired[str]",
        "model": "NotRequired[str]",
        "year": "NotRequired[int]",
        "type": "NotRequired[VehicleTypeInput]",
        "vin": "NotRequired[str]",
        "license": "NotRequired[str]",
        "capacities": "NotRequired[dict[str, float]]",
        "skills": "NotRequired[list[str]]",
        "costs": "NotRequired[VehicleCostsInput]",
        "start": "NotRequired[LocationInput]",
        "end": "NotRequired[LocationInput]",
        "shift": "NotRequired[DailyShiftInput]",
        "breaks": "NotRequired[list[DailyBreakInput]]",
        "maxStops": "NotRequired[int]",
        "maxDuration": "NotRequired[str]",
        "maxDistanceMeters": "NotRequired[int]",
        "createdTimestamp": "NotRequired[Any]",
        "id": "NotRequired[Any]",
        "isArchived": "NotRequired[Any]",
    },
)
"""What a planner may say of a vehicle; a plan inherits what it does not say itself."""


VehicleDraftInput = TypedDict(
    "VehicleDraftInput",
    {
        "name": "str",
        "make": "NotRequired[str]",
        "model": "NotRequired[str]",
        "year": "NotRequired[int]",
        "type": "NotRequired[VehicleTypeInput]",
        "vin": "NotRequired[str]",
        "license": "NotRequired[str]",
        "capacities": "NotRequired[dict[str, float]]",
        "skills": "NotRequired[list[str]]",
        "costs": "NotRequired[VehicleCostsInput]",
        "start": "NotRequired[LocationInput]",
        "end": "NotRequired[LocationInput]",
        "shift": "NotRequired[DailyShiftInput]",
        "breaks": "NotRequired[list[DailyBreakInput]]",
        "maxStops": "NotRequired[int]",
        "maxDuration": "NotRequired[str]",
        "maxDistanceMeters": "NotRequired[int]",
        "createdTimestamp": "NotRequired[Any]",
        "id": "NotRequired[Any]",
        "isArchived": "NotRequired[Any]",
    },
)
"""A new vehicle; it needs a name."""


type VehicleType = Literal['UNKNOWN', 'BIKE', 'CARGO_BIKE', 'SCOOTER', 'CAR', 'CARGO_VAN', 'PICKUP_TRUCK', 'BOX_TRUCK', 'REFRIGERATED_TRUCK', 'OTHER'] | str
"""Kinds of vehicles (decisions §8)."""


type VehicleTypeInput = Literal['UNKNOWN', 'BIKE', 'CARGO_BIKE', 'SCOOTER', 'CAR', 'CARGO_VAN', 'PICKUP_TRUCK', 'BOX_TRUCK', 'REFRIGERATED_TRUCK', 'OTHER']
"""Kinds of vehicles (decisions §8)."""


VehiclesAnswer = TypedDict(
    "VehiclesAnswer",
    {
        "vehicles": "list[Vehicle]",
        "nextCursor": "str",
    },
)
"""A page of vehicles."""


VroomBreakInput = TypedDict(
    "VroomBreakInput",
    {
        "id": "int",
        "time_windows": "list[list[int]]",
        "service": "NotRequired[int]",
        "description": "NotRequired[str]",
    },
)
"""A break that begins in its window, where the vehicle stands then."""


VroomComputingTimes = TypedDict(
    "VroomComputingTimes",
    {
        "loading": "int",
        "solving": "int",
        "routing": "int",
    },
)
"""Milliseconds."""


VroomCostsInput = TypedDict(
    "VroomCostsInput",
    {
        "fixed": "NotRequired[int]",
        "per_hour": "NotRequired[int]",
        "per_km": "NotRequired[int]",
    },
)
"""What using a vehicle costs: once, for an hour of driving, and for a kilometre."""


VroomJobInput = TypedDict(
    "VroomJobInput",
    {
        "id": "int",
        "description": "NotRequired[str]",
        "location": "NotRequired[list[float]]",
        "location_index": "NotRequired[int]",
        "setup": "NotRequired[int]",
        "service": "NotRequired[int]",
        "delivery": "NotRequired[list[int]]",
        "pickup": "NotRequired[list[int]]",
        "skills": "NotRequired[list[int]]",
        "priority": "NotRequired[int]",
        "time_windows": "NotRequired[list[list[int]]]",
    },
)
"""A place to serve."""


VroomMatricesInput = TypedDict(
    "VroomMatricesInput",
    {
        "durations": "list[list[int]]",
        "distances": "NotRequired[list[list[int]]]",
    },
)
"""Travel times, and distances where anything looks at them, between all places by index."""


VroomOptionsInput = TypedDict(
    "VroomOptionsInput",
    {
        "g": "NotRequired[bool]",
        "x": "NotRequired[int]",
        "l": "NotRequired[float]",
        "t": "NotRequired[int]",
        "c": "NotRequired[bool]",
    },
)
"""What VROOM's command line takes, by the names that its HTTP door gives it."""


VroomProblemInput = TypedDict(
    "VroomProblemInput",
    {
        "jobs": "NotRequired[list[VroomJobInput]]",
        "vehicles": "list[VroomVehicleInput]",
        "matrices": "NotRequired[dict[str, VroomMatricesInput]]",
        "matrix": "NotRequired[list[list[int]]]",
        "options": "NotRequired[VroomOptionsInput]",
    },
)
"""Jobs to serve and vehicles to serve them with."""


VroomRoute = TypedDict(
    "VroomRoute",
    {
        "vehicle": "int",
        "description": "NotRequired[str]",
        "cost": "int",
        "setup": "int",
        "service": "int",
        "duration": "int",
        "waiting_time": "int",
        "priority": "int",
        "distance": "NotRequired[int]",
        "delivery": "list[int]",
        "pickup": "list[int]",
        "geometry": "NotRequired[str]",
        "steps": "list[VroomStep]",
        "violations": "list[VroomViolation]",
    },
)
"""The route of one vehicle."""


VroomSolution = TypedDict(
    "VroomSolution",
    {
        "code": "int",
        "summary": "VroomSummary",
        "unassigned": "list[VroomUnassigned]",
        "routes": "list[VroomRoute]",
    },
)
"""Routes that keep every rule, and the jobs that are on none."""


VroomStep = TypedDict(
    "VroomStep",
    {
        "type": "VroomStepType",
        "id": "NotRequired[int]",
        "description": "NotRequired[str]",
        "location": "NotRequired[list[float]]",
        "location_index": "NotRequired[int]",
        "arrival": "int",
        "duration": "int",
        "distance": "NotRequired[int]",
        "setup": "int",
        "service": "int",
        "waiting_time": "int",
        "load": "list[int]",
        "violations": "list[VroomViolation]",
    },
)
"""A step of a route; sums are those upon arrival, the load is that after it."""


type VroomStepType = Literal['start', 'job', 'break', 'end'] | str
"""What a vehicle does at a step."""


VroomSummary = TypedDict(
    "VroomSummary",
    {
        "cost": "int",
        "routes": "int",
        "unassigned": "int",
        "delivery": "list[int]",
        "pickup": "list[int]",
        "setup": "int",
        "service": "int",
        "duration": "int",
        "waiting_time": "int",
        "priority": "int",
        "distance": "NotRequired[int]",
        "violations": "list[VroomViolation]",
        "estimated": "bool",
        "computing_times": "VroomComputingTimes",
    },
)
"""Sums over all routes."""


VroomUnassigned = TypedDict(
    "VroomUnassigned",
    {
        "id": "int",
        "type": "VroomStepType",
        "description": "NotRequired[str]",
        "location": "NotRequired[list[float]]",
        "location_index": "NotRequired[int]",
    },
)
"""A job that is on no route."""


VroomVehicleInput = TypedDict(
    "VroomVehicleInput",
    {
        "id": "int",
        "profile": "NotRequired[str]",
        "description": "NotRequired[str]",
        "start": "NotRequired[list[float]]",
        "start_index": "NotRequired[int]",
        "end": "NotRequired[list[float]]",
        "end_index": "NotRequired[int]",
        "capacity": "NotRequired[list[int]]",
        "costs": "NotRequired[VroomCostsInput]",
        "skills": "NotRequired[list[int]]",
        "time_window": "NotRequired[list[int]]",
        "breaks": "NotRequired[list[VroomBreakInput]]",
        "speed_factor": "NotRequired[float]",
        "max_tasks": "NotRequired[int]",
        "max_distance": "NotRequired[int]",
    },
)
"""A vehicle that may be used."""


VroomViolation = TypedDict(
    "VroomViolation",
    {
        "cause": "str",
        "duration": "NotRequired[int]",
    },
)
"""A rule that a route breaks; routes that are found break none."""


WebhookEvent = TypedDict(
    "WebhookEvent",
    {
        "eventId": "str",
        "topic": "Topic",
        "eventTimestamp": "str",
        "apiVersion": "str",
        "organization": "str",
        "objectId": "str",
        "user": "Actor",
        "payload": "NotRequired[Any]",
    },
)
"""One event (specification, Events, Body)."""


WebhookFilter = TypedDict(
    "WebhookFilter",
    {
        "tags": "list[str]",
    },
)
"""Which events of the topics are sent: of objects with one of the tags."""


WebhookFilterInput = TypedDict(
    "WebhookFilterInput",
    {
        "tags": "NotRequired[list[str]]",
    },
)
"""Which events of the topics are sent: of objects with one of the tags."""


WebhookSecretAnswer = TypedDict(
    "WebhookSecretAnswer",
    {
        "own": "bool",
        "nextSecret": "NotRequired[str]",
    },
)
"""What signs the events that are sent to a webhook."""


WebhookSubscription = TypedDict(
    "WebhookSubscription",
    {
        "url": "str",
        "topics": "list[Topic]",
        "payload": "PayloadForm",
        "filter": "NotRequired[WebhookFilter]",
        "id": "str",
        "active": "bool",
    },
)
"""A request to be sent events; while it is not active, nothing is sent."""


WebhookSubscriptionDraftInput = TypedDict(
    "WebhookSubscriptionDraftInput",
    {
        "url": "str",
        "topics": "list[TopicInput]",
        "payload": "NotRequired[PayloadFormInput]",
        "filter": "NotRequired[WebhookFilterInput]",
        "active": "NotRequired[Any]",
        "id": "NotRequired[Any]",
    },
)
"""The address to send to, and the topics to send."""


WebhookTestAnswer = TypedDict(
    "WebhookTestAnswer",
    {
        "eventId": "str",
    },
)
"""Which event was made to test a webhook."""


WebhooksAnswer = TypedDict(
    "WebhooksAnswer",
    {
        "webhooks": "list[WebhookSubscription]",
    },
)
"""Every subscription of an organization, oldest first."""


WindowConflict = TypedDict(
    "WindowConflict",
    {
        "subjects": "list[str]",
        "description": "str",
    },
)
"""Stops whose windows cannot all be met, whatever else the route does."""
