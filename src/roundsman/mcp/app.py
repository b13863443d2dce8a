"""The assistants' door put together: one address, which speaks the Model Context Protocol.

Whoever holds an access token comes in by it, as by the public interface; which tools there are
depends on its scopes (decisions §19).
"""

from starlette.responses import Response

from roundsman.domain.errors import FailedPrecondition
from roundsman.domain.principal import Scope
from roundsman.endpoints.access import ApiClient, HttpRequest
from roundsman.endpoints.application import Door
from roundsman.endpoints.operation import Operations, Pool
from roundsman.kit.loading import load
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools

PREFIX = "/mcp"
_MOST_BYTES = 1024 * 1024

OPERATIONS = Operations("Assistants", ApiClient(), Scope.READ)


@OPERATIONS.add(
    "POST",
    "",
    summary="Speak the Model Context Protocol by streamable HTTP",
    keeps_answers=False,
    pool=Pool.CHANGE,
    most_body_bytes=_MOST_BYTES,
)
def talk_to_assistant(tools: Tools, request: Request, http: HttpRequest) -> Response:
    """Answer one message; a stream of the server's own there is none, so GET is not allowed."""
    try:
        answer = load("roundsman.mcp.server:answer_message")
    except ModuleNotFoundError as error:
        raise FailedPrecondition(
            "assistants need the extra roundsman[mcp]; install requirements/mcp.txt on the server"
        ) from error
    response: Response = answer(tools, request, http)
    return response


def open_assistants_door() -> Door:
    """Return what stands behind `/mcp`."""
    return Door(prefix=PREFIX, operations=OPERATIONS.listed, access=ApiClient())
