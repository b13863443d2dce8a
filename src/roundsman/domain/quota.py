"""How much one client may store: the bounds of a stop and a route (decisions §22, quotas).

A route is rewritten, and its event stored, with every change, so its size is what each change
costs. What was larger before may become smaller, and be changed where that adds nothing.
"""

from collections.abc import Sequence
from datetime import timedelta

import msgspec

from roundsman.domain.errors import FailedPrecondition, PreconditionViolation
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop

MOST_STOPS = 1_000
MOST_STOP_BYTES = 64 * 1024
MOST_ROUTE_BYTES = 8 * 1024 * 1024


def over(quota: str, subject: str, actual: int, allowed: int) -> PreconditionViolation:
    """Say which quota is exceeded, by what, and what is allowed."""
    unit = "stops" if quota == "stops" else "bytes"
    return PreconditionViolation(
        type=quota,
        subject=subject,
        description=f"would have {actual:,} {unit}; at most {allowed:,} are allowed",
    )


def refuse_over_quota(violations: list[PreconditionViolation]) -> None:
    """Raise FailedPrecondition where there are any."""
    if not violations:
        return
    first = violations[0]
    more = f"; {len(violations) - 1} more in details" if len(violations) > 1 else ""
    raise FailedPrecondition(
        f"quota exceeded: {first.type} of {first.subject} {first.description}{more}", violations
    )


USUAL_QUOTA_BYTES = 10 * 1024**3
RATINGS_TOLD_EVERY = timedelta(minutes=1)

_FEWEST_STOPS_OF_A_LARGE_ROUTE = MOST_ROUTE_BYTES // MOST_STOP_BYTES - 8
"""A route with fewer, none of them too large, is not too large: only those are measured."""


def require_stops_fit(stops: Sequence[ImportedStop]) -> None:
    """Refuse imported stops that are too large."""
    refuse_over_quota([one for stop in stops if (one := _too_large(stop)) is not None])


def require_route_fits(before: Route, after: Route) -> None:
    """Refuse a change that makes a route, or a stop of it, too large."""
    refuse_over_quota(find_route_excess(before, after))


def find_route_excess(before: Route, after: Route) -> list[PreconditionViolation]:
    """Return where a change makes a route, or a stop of it, too large."""
    violations = []
    if len(after.stops) > max(MOST_STOPS, len(before.stops)):
        violations.append(over("stops", after.id, len(after.stops), MOST_STOPS))
    known = {stop.id: stop for stop in before.stops}
    for stop in after.stops:
        was = known.get(stop.id)
        if stop is not was and (one := _too_large(stop, was)) is not None:
            violations.append(one)
    if not violations and len(after.stops) >= _FEWEST_STOPS_OF_A_LARGE_ROUTE:
        size = _size(after)
        if size > MOST_ROUTE_BYTES and size > _size(before):
            violations.append(over("routeBytes", after.id, size, MOST_ROUTE_BYTES))
    return violations


def _too_large(
    stop: ImportedStop | RouteStop, was: RouteStop | None = None
) -> PreconditionViolation | None:
    size = _size(stop)
    if size <= MOST_STOP_BYTES or (was is not None and size <= _size(was)):
        return None
    subject = getattr(stop, "client_stop_id", "") or stop.id
    return over("stopBytes", subject, size, MOST_STOP_BYTES)


def _size(noun: object) -> int:
    return len(msgspec.json.encode(noun))
