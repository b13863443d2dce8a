"""Who drives a route."""

from enum import StrEnum

from roundsman.domain.noun import Noun


class DriverStatus(StrEnum):
    """Where a driver stands (decisions §8): PENDING until signed up."""

    UNKNOWN = "UNKNOWN"
    PENDING = "PENDING"
    ACTIVE = "ACTIVE"
    DEACTIVATED = "DEACTIVATED"
    ARCHIVED = "ARCHIVED"


class Driver(Noun):
    """A person who drives for the organization."""

    id: str
    first_name: str = ""
    last_name: str = ""
    phone: str = ""
    email: str = ""
    status: DriverStatus = DriverStatus.PENDING

    def may_drive(self) -> bool:
        """Say whether a route may be dispatched to this driver."""
        return self.status is DriverStatus.ACTIVE
