"""A route with the vehicle and the driver it names."""

from datetime import datetime

from roundsman.domain.driver import Driver, DriverStatus
from roundsman.domain.errors import FailedPrecondition, NotFound, PreconditionViolation
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

    def require_vehicle(self) -> None:
        """Refuse a vehicle that is unknown or archived."""
        if self.route.vehicle_id and self.vehicle is None:
            raise NotFound("vehicle not found")
        if self.vehicle is not None and self.vehicle.is_archived:
            raise _archived("vehicle", self.vehicle.id)

    def require_driver(self, now: datetime) -> None:
        """Refuse a driver that is unknown or archived, or may not take over a running dispatch."""
        if self.route.driver_id and self.driver is None:
            raise NotFound("driver not found")
        if self.driver is None:
            return
        if self.driver.status is DriverStatus.ARCHIVED:
            raise _archived("driver", self.driver.id)
        if self.route.is_dispatched(now):
            self.driver.require_may_drive()


def _archived(noun: str, subject: str) -> FailedPrecondition:
    violation = PreconditionViolation(
        type="archived", subject=subject, description=f"choose a {noun} that is not archived"
    )
    return FailedPrecondition(f"{noun} is archived", [violation])
