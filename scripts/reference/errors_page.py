"""The errors of the interface, from the exceptions that carry their codes."""

import re
from collections.abc import Iterator

from scripts.reference.markdown import code, page, sentence, table

from roundsman.endpoints.errors import INTERNAL, STATUS_OF, UNIMPLEMENTED

_INTRO = """
For the integrator. A request that fails answers `{"code", "message", "details"}`. `code` is a canonical
RPC status code, `message` is for people, lower case, and names the field. Whatever failed, nothing
was changed.
"""
_DETAILS = """
A body that is over 8 MiB (16 KiB without credentials) answers 413, one of a media type that is not taken 415, headers over 64 KiB 431,
and a request that does not come in time 408, all with code 3; so does what is no HTTP, with 400, and the connection is closed. Every answer
carries `X-Request-Id`, which names the request in the log.

## Details

Wrong input lists **every** violation, not the first; past a hundred, one more entry without a field says how many are
left (`and 20 more`). A 404 of a request that names many stops lists the fields of those that are not there in the same form:

```json
{"code": 3, "message": "[3].contact.phone must be a phone number in E.164 form, such as +14105550123",
 "details": [{"@type": "type.googleapis.com/google.rpc.BadRequest",
   "fieldViolations": [{"field": "[3].contact.phone",
     "description": "must be a phone number in E.164 form, such as +14105550123"}]}]}
```

Where an address or a row of a file is at fault, `type` says of what kind the description is and `values` what it
names, so that a program can say it in another language; `rejectedRows` and `warnings` of an import have both, too.
There may be more types one day: show the description of one that you do not know.

```json
{"field": "rows[7].latitude", "description": "95 is outside -90 to 90",
 "type": "OUT_OF_RANGE", "values": {"value": "95", "least": -90, "most": 90}}
```

A wrong state says what stands in the way. `type` names what it is about (`archived`,
`driverStatus`, `timeWindows`, `maxDuration`, …), `subject` the object:

```json
{"code": 9, "message": "…",
 "details": [{"@type": "type.googleapis.com/google.rpc.PreconditionFailure",
   "violations": [{"type": "maxStops", "subject": "rte-…",
     "description": "the route has 12 stops, 2 more than maxStops allows (10)"}]}]}
```

## What to do

| Answer | Do |
|---|---|
| 400, 404, 405, 413, 415, 431 | correct the request; sending it again changes nothing |
| 401 | authenticate again, once |
| 408, 409, 503, 500 | send the same request again with the same `Idempotency-Key`, later and later |
| 429 | wait `Retry-After` seconds first |
"""
_AT_THE_DOOR = (
    ("UNIMPLEMENTED", UNIMPLEMENTED, 405, "A known path, another method; `Allow` names the right."),
    ("INTERNAL", INTERNAL, 500, "A bug; nothing leaks, and the log has the trace."),
)


def errors_page() -> str:
    """Return the page."""
    rows = [(str(number), code(name), str(status), says) for number, name, status, says in _codes()]
    return page("Errors", _INTRO, table(["Code", "Name", "HTTP", "Meaning"], rows), _DETAILS)


def _codes() -> Iterator[tuple[int, str, int, str]]:
    raised = [
        (kind.code, _canonical(kind.__name__), status, sentence(kind.__doc__))
        for kind, status in STATUS_OF.items()
    ]
    at_the_door = [(number, name, status, says) for name, number, status, says in _AT_THE_DOOR]
    yield from sorted([*raised, *at_the_door])


def _canonical(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()
