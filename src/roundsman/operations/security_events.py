"""Recording security events: in the transaction of what happened, where it changes something.

Whatever strangers can repeat is counted rather than listed: what happens to one principal from one
network is one event an hour. Past sixty networks an hour and organization the others share one
more, which names no address. So nobody can fill a disk, with whatever they guess.
"""

from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

from msgspec.structs import replace

from roundsman.domain.model import UNSET
from roundsman.domain.principal import Principal
from roundsman.domain.security_event import (
    NO_DETAILS,
    RequestOrigin,
    SecurityEvent,
    SecurityEventDetails,
    SecurityEventKind,
    describe_principal,
)
from roundsman.kit.ids import IdSource, new_id
from roundsman.kit.peers import counted_as
from roundsman.storage.database import Transaction
from roundsman.storage.security_events import (
    add_security_event,
    count_security_events,
    has_security_event,
)

MOST_SOURCES_AN_HOUR: Final = 60
_LONGEST_USER_AGENT = 500
_HOURLY = UUID("6f2b1d0e-5a53-4c0b-9b0a-9a1b6a7a5c11")
"""The namespace of ids that stand for an hour; any constant (RFC 9562, section 5.5)."""


def record(
    tx: Transaction,
    origin: RequestOrigin,
    kind: SecurityEventKind,
    at: datetime,
    ids: IdSource,
    details: SecurityEventDetails = NO_DETAILS,
) -> None:
    """Store what happened, for the organization of who did it."""
    event = _describe(new_id(ids, "sev"), origin, kind, at, details)
    add_security_event(tx, origin.principal.organization_id, event)


def record_hourly(
    tx: Transaction, origin: RequestOrigin, kind: SecurityEventKind, at: datetime, times: int = 1
) -> None:
    """Store what happened, or count it where it happened within the hour already."""
    principal = origin.principal
    owner = principal.organization_id
    hour = at.replace(minute=0, second=0, microsecond=0)
    event_id = _hourly_id(owner, kind, hour, principal.id, counted_as(origin.address))
    if (
        not has_security_event(tx, event_id)
        and count_security_events(tx, owner, kind, hour) >= MOST_SOURCES_AN_HOUR
    ):
        nobody = Principal(kind=principal.kind, organization_id=owner)
        origin = RequestOrigin(principal=nobody)
        event_id = _hourly_id(owner, kind, hour)
    add_security_event(tx, owner, _describe(event_id, origin, kind, at, NO_DETAILS), times)


def _hourly_id(owner: str, kind: SecurityEventKind, hour: datetime, *source: str) -> str:
    """Return the id of what may happen many times: every process makes the same one of it."""
    name = "|".join((owner, kind, hour.isoformat(), *source))
    return f"sev-{uuid5(_HOURLY, name)}"


def _describe(
    event_id: str,
    origin: RequestOrigin,
    kind: SecurityEventKind,
    at: datetime,
    details: SecurityEventDetails,
) -> SecurityEvent:
    return SecurityEvent(
        id=event_id,
        kind=kind,
        at=at,
        principal=describe_principal(origin.principal),
        address=origin.address or UNSET,
        user_agent=origin.user_agent[:_LONGEST_USER_AGENT] or UNSET,
        details=replace(details, command=origin.command or UNSET),
    )
