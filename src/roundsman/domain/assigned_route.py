"""A route with the vehicle and the driver it names."""

from datetime import datetime
from typing import Self

from msgspec.structs import replace

from roundsman.domain.driver import Driver, DriverStatus
from roundsman.domain.errors import (
    FailedPrecondition,
    NotFound,
    PreconditionViolation,
    RoundsmanError,
)
from roundsman.domain.model import Model
from roundsman.domain.route import Route
from roundsman.domain.vehicle import Vehicle


class AssignedRoute(Model):
    """A route together with the vehicle and the driver it names, if any."""

    route: Route
    vehicle: Vehicle | None = None
    driver: Driver | None = None
    version: int = 0
    live_revision: int | None = None

    def may_have_vehicle(self) -> bool:
        """Say whether the vehicle that the route names, if any, is known and not archived."""
        if self.vehicle is None:
            return not self.route.vehicle_id
        return not self.vehicle.is_archived

    def may_have_driver(self) -> bool:
        """Say whether the driver that the route names, if any, is known and not archived."""
        if self.driver is None:
            return not self.route.driver_id
        return self.driver.status is not DriverStatus.ARCHIVED

    def with_crew_it_may_have(self) -> Self:
        """Return the route without a vehicle or driver that it may not have."""
        vehicle = self.vehicle if self.may_have_vehicle() else None
        driver = self.driver if self.may_have_driver() else None
        route = replace(
            self.route,
            vehicle_id=vehicle.id if vehicle else "",
            driver_id=driver.id if driver else "",
        )
        return replace(self, route=route, vehicle=vehicle, driver=driver)

    def require_vehicle(self) -> None:
        """Refuse a vehicle that is unknown or archived."""
        if not self.may_have_vehicle():
            raise _unfit("vehicle", self.vehicle)

    def require_driver(self, now: datetime) -> None:
        """Refuse a driver that is unknown or archived, or may not take over a running dispatch."""
        if not self.may_have_driver():
            raise _unfit("driver", self.driver)
        if self.driver is not None and self.route.is_dispatched(now):
            self.driver.require_may_drive()


def _unfit(noun: str, found: Vehicle | Driver | None) -> RoundsmanError:
    if found is None:
        return NotFound(f"{noun} not found")
    violation = PreconditionViolation(
        type="archived", subject=found.id, description=f"choose a {noun} that is not archived"
    )
    return FailedPrecondition(f"{noun} is archived", [violation])
