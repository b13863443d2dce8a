"""The driver's door: what a device may do, the app, and the page that an invite opens."""

from functools import cache

from starlette.responses import Response

from roundsman.driver import (
    actions,
    journal,
    pages,
    positions,
    pushes,
    routes,
    sessions,
    uploads,
)
from roundsman.driver.app_files import PREFIX, open_app_files
from roundsman.endpoints.access import Anybody, DriverDevice, HttpRequest
from roundsman.endpoints.application import Door
from roundsman.endpoints.files import answer_file
from roundsman.endpoints.openapi import Description
from roundsman.endpoints.operation import Operation, Operations, Pool
from roundsman.operations.tools import USUAL_ADDRESS, Tools
from roundsman.wire.current_version import INTERFACE_VERSION

API_PREFIX = f"{PREFIX}/api"

OPERATIONS: tuple[Operation, ...] = tuple(
    operation
    for file in (sessions, routes, actions, journal, positions, pushes, uploads)
    for operation in file.OPERATIONS.listed
)


def describe(server: str = USUAL_ADDRESS) -> bytes:
    """Return the description of the driver's interface as JSON."""
    return Description(
        title="Roundsman, driver's interface",
        version=INTERFACE_VERSION,
        summary="What a driver's device asks for and submits.",
        base_path=API_PREFIX,
        operations=OPERATIONS,
    ).render(server)


_files = Operations("Description", Anybody())
_render = cache(describe)


@_files.add("GET", "/openapi.json", pool=Pool.CHANGE)
def show_driver_description(tools: Tools, http: HttpRequest) -> Response:
    """Answer the description; making it the first time takes longer than a read may."""
    return answer_file(http, _render(tools.address.url), "application/json", {})


def open_driver_door() -> tuple[Door, Door]:
    """Return the interface of devices, and the app and the invite's page beside it."""
    return (
        Door(prefix=API_PREFIX, operations=(*OPERATIONS, *_files.listed), access=DriverDevice()),
        Door(prefix=PREFIX, operations=(*pages.OPERATIONS.listed, *open_app_files().listed)),
    )
