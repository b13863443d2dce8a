"""The driver's door: what a device may do, and the pages that an invite opens."""

from roundsman.driver import actions, pages, routes, sessions, uploads
from roundsman.endpoints.access import DriverDevice
from roundsman.endpoints.application import Door
from roundsman.endpoints.openapi import Description
from roundsman.endpoints.operation import Operation

PREFIX = "/driver"
API_PREFIX = f"{PREFIX}/api"

OPERATIONS: tuple[Operation, ...] = tuple(
    operation
    for file in (sessions, routes, actions, uploads)
    for operation in file.OPERATIONS.listed
)


def describe() -> bytes:
    """Return the description of the driver's interface as JSON."""
    return Description(
        title="Roundsman, driver's interface",
        version="2024-07",
        summary="What a driver's device asks for and submits.",
        base_path=API_PREFIX,
        operations=OPERATIONS,
    ).render()


def open_driver_door() -> tuple[Door, Door]:
    """Return the interface of devices, and the pages beside it."""
    return (
        Door(prefix=API_PREFIX, operations=OPERATIONS, access=DriverDevice()),
        Door(prefix=PREFIX, operations=pages.OPERATIONS.listed),
    )
