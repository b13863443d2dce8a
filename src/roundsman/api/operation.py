"""One operation of the interface: what a request to it holds, who handles it, what it answers.

The list of operations is the interface: requests are dispatched by it, and the description and the
tests are made from it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from roundsman.domain.caller import Caller
from roundsman.domain.errors import FieldViolation
from roundsman.domain.noun import Noun
from roundsman.doors.bodies import MOST_BODY_BYTES, MOST_OPEN_BODY_BYTES
from roundsman.operations.work import Receipt, Request, Tools


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One authenticated request to an operation, its body read and checked."""

    tools: Tools
    caller: Caller
    path: Mapping[str, str]
    body: Any = None
    query: Any = None
    receipt: Receipt | None = None
    cancelled: Callable[[], bool] | None = None
    address: str = ""
    """Where the request came from."""

    token: str = ""
    """The access token it came with."""

    @property
    def organization_id(self) -> str:
        """Return whose data the call may touch."""
        return self.caller.organization_id

    @property
    def request(self) -> Request:
        """Return what a mutating operation needs to know of the call."""
        return Request(caller=self.caller, receipt=self.receipt, cancelled=self.cancelled)


def answer_nothing(_result: object) -> bytes:
    """Render the answer of a delete (decisions §1, Success)."""
    return b"{}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Operation:
    """A method and a path template, and what stands behind them."""

    id: str
    method: str
    path: str
    summary: str
    tag: str
    handle: Callable[[Call], object]
    answer: Any
    body: Any = None
    """The type of the body, or an UpdateShape."""
    query: type[Noun] | None = None
    """The type of the query arguments, for lists."""
    review: Callable[[Tools, Caller, Any], Sequence[FieldViolation]] | None = None
    """What else is wrong with a body of which some could not be read: every violation is told."""

    body_may_be_absent: bool = False
    render: Callable[[Any], bytes] = field(default=msgspec.json.encode)
    searches: bool = False
    """Keeps a core busy for longer than an ordinary request may."""

    asks_roads: bool = False
    """May wait seconds for a road engine, though it only reads."""

    is_public: bool = False
    """Needs no access token."""

    @property
    def parameters(self) -> list[str]:
        """Return the names of the path's parameters, in order."""
        return re.findall(r"\{(\w+)\}", self.path)

    @property
    def most_body_bytes(self) -> int:
        """Return how long a body may be (decisions §1, "Body errors")."""
        return MOST_OPEN_BODY_BYTES if self.is_public else MOST_BODY_BYTES

    @property
    def changes(self) -> bool:
        """Say whether the operation changes anything."""
        return self.method != "GET"
