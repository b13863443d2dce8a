"""Which routes a driver may open, claim and drive."""

from datetime import datetime

from roundsman.domain.actions import Reason, TooLate
from roundsman.domain.driver import Driver
from roundsman.domain.errors import FailedPrecondition, NotFound, PreconditionViolation
from roundsman.domain.route import Route


def may_open(route: Route, driver_id: str, now: datetime) -> bool:
    """Say whether a driver may see a route: dispatched to them, or to whoever claims it."""
    return route.is_dispatched(now) and route.driver_id in {driver_id, ""}


def require_may_claim(route: Route, driver: Driver, now: datetime) -> None:
    """Refuse to claim what is not dispatched, or what somebody else has."""
    route.require_not_archived()
    if not route.is_dispatched(now):
        raise NotFound("route not found")
    if route.driver_id not in {driver.id, ""}:
        message = "route belongs to another driver"
        violation = PreconditionViolation(type="claimed", subject=route.id, description=message)
        raise FailedPrecondition(message, [violation])
    if not driver.may_drive():
        message = "driver is not ACTIVE"
        violation = PreconditionViolation(
            type="driverStatus", subject=driver.id, description=message
        )
        raise FailedPrecondition(message, [violation])


def require_may_drive(route: Route | None, driver_id: str, now: datetime) -> Route:
    """Return the route; say what has become of it when this driver no longer drives it."""
    if route is None:
        raise TooLate(Reason.ROUTE_GONE, "the route is deleted, or never was")
    if isinstance(route.archived_at, datetime):
        raise TooLate(Reason.ROUTE_ARCHIVED, "the route is archived")
    if route.driver_id != driver_id:
        raise TooLate(Reason.ROUTE_NOT_YOURS, "the route is not yours")
    if not route.is_dispatched(now):
        raise TooLate(Reason.ROUTE_NOT_DISPATCHED, "the route is not dispatched")
    return route
