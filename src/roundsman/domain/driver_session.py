"""A device on which a driver is signed in."""

from datetime import datetime, timedelta

from roundsman.domain.model import Model

LIFETIME = timedelta(days=90)
IDLE_LIFETIME = timedelta(days=30)
"""A device that was not heard of for so long is lost, broken or replaced."""

SEEN_EVERY = timedelta(hours=1)
"""How exactly it is kept when a device was last heard of: a request should not cost a write."""


class DriverSession(Model):
    """One device; `device` is what it calls itself."""

    id: str
    device: str = ""
    created_at: datetime
