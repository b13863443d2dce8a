"""A device on which a driver is signed in."""

from datetime import datetime

from roundsman.domain.noun import Noun


class DriverSession(Noun):
    """One device; `device` is what it calls itself."""

    id: str
    device: str = ""
    created_at: datetime


class Signed(Noun):
    """Who asks at the driver's door: a driver of an organization, on one device."""

    session_id: str
    driver_id: str
    organization_id: str
