"""The members' door put together: what pages ask, and the pages that links open."""

from functools import cache

from starlette.responses import Response

from roundsman.endpoints.access import Anybody, HttpRequest, MemberAccess
from roundsman.endpoints.application import Door
from roundsman.endpoints.files import answer_file
from roundsman.endpoints.openapi import Description
from roundsman.endpoints.operation import Operation, Operations, Pool
from roundsman.members import links, openid, pages, second_factors, sessions
from roundsman.operations.tools import USUAL_ADDRESS, Tools
from roundsman.wire.current_version import INTERFACE_VERSION

PREFIX = "/members"
API_PREFIX = f"{PREFIX}/api"

OPERATIONS: tuple[Operation, ...] = tuple(
    operation for file in (sessions, second_factors, links) for operation in file.OPERATIONS.listed
)


def describe(server: str = USUAL_ADDRESS) -> bytes:
    """Return the description of the members' interface as JSON."""
    return Description(
        title="Roundsman, members' interface",
        version=INTERFACE_VERSION,
        summary="How planners sign in and out.",
        base_path=API_PREFIX,
        operations=OPERATIONS,
        session_cookie="__Host-roundsman-session",
    ).render(server)


_files = Operations("Description", Anybody())
_render = cache(describe)


@_files.add("GET", "/openapi.json", pool=Pool.CHANGE)
def show_members_description(tools: Tools, http: HttpRequest) -> Response:
    """Answer the description; making it the first time takes longer than a read may."""
    return answer_file(http, _render(tools.address.url), "application/json", {})


def open_members_door() -> tuple[Door, Door]:
    """Return what pages ask, and the pages beside it."""
    return (
        Door(
            prefix=API_PREFIX,
            operations=(*OPERATIONS, *openid.OPERATIONS.listed, *_files.listed),
            access=MemberAccess(),
        ),
        Door(prefix=PREFIX, operations=pages.OPERATIONS.listed),
    )
