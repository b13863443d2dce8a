"""What parameters and tags of operations mean, by their names: one meaning each, everywhere."""

from collections.abc import Mapping

PARAMETER_MEANINGS: Mapping[str, str] = {
    "Idempotency-Key": "Of your own making; a request that is repeated with it has one effect, and "
    "the same answer for 24 hours.",
    "If-Match": "The tag of the route that the change was decided on; another version is answered "
    "412, and nothing changes.",
    "X-CSRF-Token": "`csrfToken` of the session, which another site cannot read.",
    "after": "Behind which change to go on: the `id` of the last event seen; without one from now "
    "on. `Last-Event-ID` says the same.",
    "clientId": "The id of the API client.",
    "cursor": "Where the page before ended: its `nextCursor`. It remembers the other arguments.",
    "date": "A day as YYYY-MM-DD, by the clocks of the organization.",
    "driverId": "The id of the driver.",
    "id": "The id of the object; of an imported stop also your own clientStopId, of an order the "
    "number that the shop gives it.",
    "memberId": "The id of the member.",
    "orderId": "The number that the shop gives the order.",
    "passkeyId": "The id of the passkey.",
    "query.clientStopId": "The customer of the stop that you call so.",
    "query.column": "Which column holds a field, such as `query.column.address1=Street`, where the "
    "header does not say it.",
    "query.deliveryDate": "Of this day alone, as YYYY-MM-DD; in an import the day of rows that "
    "name none.",
    "query.driverId": "Of this driver alone.",
    "query.dryRun": "Only say what would be imported; nothing is stored.",
    "query.email": "The customer with this e-mail address, in upper or lower case.",
    "query.format": "Which kind of file.",
    "query.from": "The first day of the report, as YYYY-MM-DD.",
    "query.importedStopId": "The customer of this stop of the pool.",
    "query.includeArchived": "Whether those that were put away are listed, too.",
    "query.kind": "Events of this kind alone.",
    "query.limit": "How many rows a page has at most; 0 or none is 20.",
    "query.location": "Of this location of the shop alone.",
    "query.minimumMatch": "Refuse an address that is found less exactly.",
    "query.outcome": "Actions with this outcome alone.",
    "query.partial": "Import the good rows although others are bad; without it one bad row keeps "
    "all the others out.",
    "query.phone": "The customer with this phone number, in E.164 form.",
    "query.routeId": "Of this route alone.",
    "query.since": "From this time on.",
    "query.sortKey": "By which time the list is sorted, and `timestampStart` and `timestampEnd` "
    "filter.",
    "query.state": "Orders in this state alone.",
    "query.status": "Those with this status alone.",
    "query.stopId": "Of this stop alone.",
    "query.strict": "Refuse a row for an optional cell that cannot be read, instead of leaving the "
    "cell out with a warning.",
    "query.tag": "Those with this tag alone.",
    "query.text": "Those with this text in name, company, order name or phone; case does not "
    "matter.",
    "query.timestampEnd": "Before this time.",
    "query.timestampStart": "From this time on.",
    "query.to": "The last day of the report, as YYYY-MM-DD.",
    "query.topic": "Events of this topic alone.",
    "query.unrouted": "Those alone that are on no route.",
    "query.vehicleId": "Of this vehicle alone.",
    "query.wait": "For how many seconds to wait for the next change of status, up to 30.",
    "reportId": "The id of the report.",
    "routeId": "The id of the route.",
    "sessionId": "The id of the session.",
    "stopId": "The id of the stop on its route.",
    "token": "The last part of the link.",
    "uploadId": "The id that the device has given the file.",
    "webhookId": "The id of the webhook subscription.",
}

TAG_MEANINGS: Mapping[str, str] = {
    "Actions": "What a driver's device submits, each action once however often it is sent.",
    "Authentication": "Getting an access token, and ending it.",
    "Changes": "Following what happens, as it happens.",
    "Credentials": "API clients and what each may do.",
    "Days": "A whole day in one answer.",
    "Drivers": "Who drives, and on which devices.",
    "Events": "What happened, for integrations that catch up.",
    "Evidence": "Proof of deliveries that a third party can verify.",
    "Exports": "Routes and days as files.",
    "Imported stops": "The pool of stops that routes are made of.",
    "Journal": "What a driver's device has submitted.",
    "Links": "Invitations and new passwords.",
    "Members": "The people who plan for an organization.",
    "Messages": "What customers are told by e-mail and text message.",
    "Plans": "Routes for many vehicles, proposed and applied.",
    "Positions": "Where drivers are.",
    "Privacy": "Erasing and exporting one customer's data.",
    "Reports": "How days went.",
    "Route stops": "The stops of a route.",
    "Routes": "Routes: making, ordering, dispatching and following them.",
    "Second factors": "What proves a member beside the password.",
    "Security events": "Who signed in, and who changed what others may do.",
    "Sessions": "Signing in and out.",
    "Store orders": "Orders of a shop, and the stops that follow them.",
    "Storefronts": "Connected shops.",
    "Uploads": "Photos and signatures, part by part.",
    "Vehicles": "The fleet.",
    "Webhooks": "Where events are sent, and how that went.",
}
