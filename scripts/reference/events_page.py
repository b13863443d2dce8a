"""The topics of events, from `domain.topics`."""

from scripts.reference.markdown import code, page, table

from roundsman.domain.topics import MEANINGS, Topic

_INTRO = """
For the integrator. An event tells one thing that happened to one object. `GET /events` lists them,
oldest first; webhooks ask for topics. How they are recorded, ordered and promised is explained in
[Events](../explanation/events.md).
"""
_BODY = """
## Body

| Field | Holds |
|---|---|
| `eventId` | `evt-<uuid>`; the same event may be seen twice, this tells |
| `topic` | one of the above |
| `eventTimestamp` | when it happened; strictly increasing for each object |
| `apiVersion` | `V2024_07` |
| `organization` | the organization's slug |
| `objectId` | the object it is about; for topics of stops the stop's id, while the payload is its route |
| `user` | who did it: `email` of the client's developer contact, or `driverId`; empty for a change made on the command line |
| `payload` | the object as that change left it, or what a thin payload says of it; absent for TEST |
"""
_THIN = """
## Thin payloads

A webhook with `payload: THIN` gets `{id, routeId, version, status, topic}` in place of the object; the whole body
is at most 2 KB, and names no customer. `id` is the event's `objectId`.

| Topics | `routeId` | `version` | `status` |
|---|---|---|---|
| `ROUTE_…` | absent | the route's; each change is one more, deleting it too | UNSTARTED, READY, STARTED or COMPLETED, from its stops and its end |
| `STOP_…` | the stop's route | the route's | the stop's `deliveryStatus`; of a break its `breakStatus` |
| `DRIVER_…` | absent | when it changed, in microseconds since 1970 | the driver's `status` |
| `IMPORTED_STOP_…` | absent | the same | UNKNOWN: an imported stop is not delivered, its route stops are |
| `TEST` | no payload | | |

`version` never goes down for one `id`. Both were noted when the event happened, however late it is sent. An event of a route that a version of Roundsman
before this one recorded has `version` 0 and `status` UNKNOWN. In `user` a thin event leaves out `ipAddress` and `userAgent`.
"""


def events_page() -> str:
    """Return the page."""
    rows = [(code(topic), *MEANINGS[topic]) for topic in Topic]
    return page("Events", _INTRO, table(["Topic", "Tells", "Payload"], rows), _BODY, _THIN)
