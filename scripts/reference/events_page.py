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
| `payload` | the object as that change left it; absent for TEST |
"""


def events_page() -> str:
    """Return the page."""
    rows = [(code(topic), *MEANINGS[topic]) for topic in Topic]
    return page("Events", _INTRO, table(["Topic", "Tells", "Payload"], rows), _BODY)
