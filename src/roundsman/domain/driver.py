"""Who drives a route, and how a driver's status may move."""

from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar, Self

from msgspec.structs import replace

from roundsman.domain.address import Email, Phone
from roundsman.domain.errors import FailedPrecondition, PreconditionViolation
from roundsman.domain.model import Line, Model, Name, UnsetType


class DriverStatus(StrEnum):
    """Where a driver stands (decisions §8): PENDING until signed up."""

    UNKNOWN = "UNKNOWN"
    PENDING = "PENDING"
    ACTIVE = "ACTIVE"
    DEACTIVATED = "DEACTIVATED"
    ARCHIVED = "ARCHIVED"


_ANY = (DriverStatus.PENDING, DriverStatus.ACTIVE, DriverStatus.DEACTIVATED, DriverStatus.ARCHIVED)

_MOVES: Mapping[str, tuple[tuple[DriverStatus, ...], DriverStatus]] = {
    "signed up": (_ANY[:2], DriverStatus.ACTIVE),
    "activated": (_ANY[:3], DriverStatus.ACTIVE),
    "deactivated": (_ANY[1:3], DriverStatus.DEACTIVATED),
    "archived": (_ANY, DriverStatus.ARCHIVED),
}
"""From which statuses each move is allowed, and where it leads; archived is for good."""


class DriverDetails(Model):
    """What a planner may say of a driver."""

    server_set: ClassVar[frozenset[str]] = frozenset({"id", "status"})

    first_name: Line = ""
    last_name: Line = ""
    phone: Phone = ""
    email: Email = ""


class DriverDraft(DriverDetails):
    """A new driver; the first name is needed to speak of them."""

    first_name: Name


class RouteDriver(Model):
    """What a route shows of its driver."""

    id: str
    """The driver's id."""

    first_name: str = ""
    """The driver's first name."""

    last_name: str = ""
    """The driver's last name."""

    phone: str = ""
    """Under which the driver is reached, in E.164 form."""

    status: DriverStatus = DriverStatus.UNKNOWN
    """Whether the driver may drive."""


class Driver(DriverDetails):
    """A person who drives for the organization."""

    id: str
    status: DriverStatus = DriverStatus.PENDING

    def as_shown_on_route(self) -> RouteDriver:
        """Return what a route shows of the driver."""
        return RouteDriver(
            id=self.id,
            first_name=self.first_name,
            last_name=self.last_name,
            phone=self.phone,
            status=self.status,
        )

    def may_drive(self) -> bool:
        """Say whether a route may be dispatched to this driver."""
        return self.status is DriverStatus.ACTIVE

    def require_may_drive(self) -> None:
        """Refuse a dispatch to this driver unless they are active."""
        if self.may_drive():
            return
        status = self.status.value
        violation = PreconditionViolation(
            type="driverStatus", subject=self.id, description=f"is {status}, not ACTIVE"
        )
        raise FailedPrecondition(
            f"driver is {status}; only an ACTIVE driver can be dispatched to", [violation]
        )

    def may_be_invited(self) -> bool:
        """Say whether a link to sign up or in would work."""
        return self.status in _ANY[:2]

    def is_archived(self) -> bool:
        """Say whether the driver is gone for good."""
        return self.status is DriverStatus.ARCHIVED

    def is_pending(self) -> bool:
        """Say whether the driver has yet to sign up."""
        return self.status is DriverStatus.PENDING

    def invited(self) -> Self:
        """Send for a driver, to sign up or to sign in on one more device; it moves nothing."""
        if not self.may_be_invited():
            raise _refused(self, "invited", _ANY[:2])
        return self

    def signed_up(self) -> Self:
        """Accept an invite."""
        return self._moved("signed up")

    def activated(self) -> Self:
        """Let the driver drive."""
        return self._moved("activated")

    def deactivated(self) -> Self:
        """Keep the driver from driving for now."""
        return self._moved("deactivated")

    def archived(self) -> Self:
        """Take the driver off the fleet for good."""
        return self._moved("archived")

    def require_not_archived(self) -> None:
        """Refuse to change a driver who is gone."""
        if self.is_archived():
            raise _refused(self, "changed", _ANY[:3])

    def _moved(self, verb: str) -> Self:
        allowed, status = _MOVES[verb]
        if self.status not in allowed:
            raise _refused(self, verb, allowed)
        return replace(self, status=status)


def _refused(driver: Driver, verb: str, allowed: tuple[DriverStatus, ...]) -> FailedPrecondition:
    named = " or ".join(status.value for status in allowed)
    description = f"driver is {driver.status.value}; only {named} can be {verb}"
    violation = PreconditionViolation(
        type="driverStatus", subject=driver.id, description=description
    )
    return FailedPrecondition(description, [violation])


def name_of_driver(driver: Driver | RouteDriver | UnsetType | None) -> str:
    """Return what a driver is called; empty for nobody."""
    if not isinstance(driver, Driver | RouteDriver):
        return ""
    return f"{driver.first_name} {driver.last_name}".strip()
