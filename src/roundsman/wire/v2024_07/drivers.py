"""Pages of drivers, and what an invitation answers."""

import msgspec
from msgspec.structs import asdict

from roundsman.domain.change import DriverPosition
from roundsman.domain.driver import Driver
from roundsman.domain.driver_session import DriverSession
from roundsman.domain.model import Model


class DriversAnswer(Model):
    """A page of drivers."""

    drivers: tuple[Driver, ...] = ()
    next_cursor: str = ""


class DriverPositionsAnswer(Model):
    """Where drivers are who are on a route, as far as they say so."""

    positions: tuple[DriverPosition, ...] = ()


class NewDriver(Model):
    """A driver just added, and the link to sign up with."""

    driver: Driver
    invite_url: str


class InvitedDriver(Driver):
    """A driver, and the new link to sign up with."""

    invite_url: str


def encode_drivers(drivers: tuple[Driver, ...], next_cursor: str) -> bytes:
    """Return a page of drivers as JSON."""
    return msgspec.json.encode(DriversAnswer(drivers=drivers, next_cursor=next_cursor))


def encode_new_driver(driver: Driver, invite_url: str) -> bytes:
    """Return a driver and the invitation, as adding one answers."""
    return msgspec.json.encode(NewDriver(driver=driver, invite_url=invite_url))


def encode_invited_driver(driver: Driver, invite_url: str) -> bytes:
    """Return a driver with the invitation in it, as inviting again answers."""
    return msgspec.json.encode(InvitedDriver(**asdict(driver), invite_url=invite_url))


class DriverSessionsAnswer(Model):
    """The devices on which a driver is signed in, oldest first."""

    sessions: tuple[DriverSession, ...] = ()
