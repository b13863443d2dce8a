"""One operation: what a request to it holds, who may call it, who handles it, what it answers.

A handler is a function with typed arguments. `tools`, `request`, `http`, `body` and `query` are
filled by their names, any other argument by the parameter of the path that has its name:

    OPERATIONS = Operations("Routes", ApiClient())

    @OPERATIONS.add("GET", "/routes/{routeId}", summary="Get a route with its stops", answer=ROUTE)
    def get_route(tools: Tools, request: Request, route_id: str) -> AssignedRoute: ...

One that returns an EventStream answers with a stream: who asks is let in, counted and described as
everywhere, and what is wrong with the request is refused before the stream begins.

The operations of a door are its interface: requests are dispatched by them, and the description and
the tests are made from them.
"""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct
from starlette.responses import Response

from roundsman.domain.errors import FieldViolation, RoundsmanError
from roundsman.domain.model import Model
from roundsman.domain.principal import Scope
from roundsman.domain.queries import Query
from roundsman.endpoints.access import Access, HttpRequest
from roundsman.endpoints.bodies import MOST_BODY_BYTES, MOST_OPEN_BODY_BYTES
from roundsman.endpoints.delayed import Delayed
from roundsman.endpoints.errors import error_response
from roundsman.endpoints.schemas import Schema, Schemas
from roundsman.endpoints.streams import MEDIA_TYPE, EventStream
from roundsman.operations.tools import Tools
from roundsman.wire.field_mask import UpdateShape

type Review = Callable[[Tools, Any, Any], Sequence[FieldViolation]]
"""Says what else is wrong with a body of which some could not be read, to whom who asks."""

_CAPITAL = re.compile(r"_([a-z])")


class Pool(Enum):
    """The threads that an operation runs in: what may wait for long is kept apart."""

    READ = auto()
    CHANGE = auto()
    SEARCH = auto()
    UPLOAD = auto()
    OUTBOUND = auto()


def no_headers(_result: object) -> Mapping[str, str]:
    """Return the headers of an answer that says nothing in headers."""
    return {}


@dataclass(frozen=True, slots=True)
class Answer[Result]:
    """How a handler's result is written as JSON."""

    shape: Any
    """The type that the description shows."""

    encode: Callable[[Result], bytes] = msgspec.json.encode
    headers: Callable[[Result], Mapping[str, str]] = no_headers
    described_headers: Mapping[str, str] = field(default_factory=dict)
    media_type: str = "application/json"


class Nothing(Model):
    """The answer of an operation that has nothing to say (decisions §1, Success)."""


NOTHING: Answer[object] = Answer(Nothing, lambda _result: b"{}")


EVENTS: Answer[object] = Answer(str, media_type=MEDIA_TYPE)
"""The answer of an operation that streams; what its events are, its summary says."""


class Call(Struct, frozen=True, kw_only=True):
    """What a handler's arguments are filled from."""

    tools: Tools
    http: HttpRequest
    request: Any = None
    """Who asks, as the operations of this door take it."""

    body: Any = None
    query: Any = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Operation:
    """A method and a path template, and what stands behind them."""

    id: str
    method: str
    path: str
    summary: str
    tag: str
    access: Access
    scope: Scope | None
    """What credentials must allow; none where there are no scopes."""

    handle: Callable[..., object]
    arguments: Mapping[str, Callable[[Call], object]]
    answer: Answer[Any] | None
    """None for a handler that returns the HTTP response itself."""

    body: Any = None
    """The type of the body, an UpdateShape, or none."""

    describe_body: Callable[[Schemas], Schema] | None = None
    """Returns the content of the body by media type, where the handler reads it by itself."""

    files: Sequence[str] = ()
    """Media types of files that it takes instead of its body, which is a SentFile then."""

    answers_files: Sequence[str] = ()
    """Media types of the files that it answers."""

    body_may_be_absent: bool = False
    ignores_query: bool = False
    """Whether unknown query arguments are ignored rather than refused."""

    query: type[Model] | None = None
    review: Review | None = None
    pool: Pool = Pool.READ
    notices_departure: bool = False
    """Takes so long that it asks whether the client is still there."""

    keeps_answers: bool = True
    """Whether an idempotency key is heeded; some operations know by themselves what they did."""

    is_versioned: bool = False
    """Whether what it changes has a tag, as every route has."""

    refusal: Any = None
    """The type of its 400 and 401, where another standard says what they are."""

    most_body_bytes: int = MOST_BODY_BYTES
    show_error: Callable[[HttpRequest, RoundsmanError], Response] = lambda _http, error: (
        error_response(error)
    )

    @property
    def parameters(self) -> list[str]:
        """Return the names of the path's parameters, in order."""
        return re.findall(r"\{(\w+)\}", self.path)

    @property
    def changes(self) -> bool:
        """Say whether the operation changes anything."""
        return self.method != "GET"

    @property
    def takes_idempotency_key(self) -> bool:
        """Say whether the answer to a key is kept, and given again."""
        return self.changes and self.keeps_answers and self.access.has_credentials

    @property
    def heeds_if_match(self) -> bool:
        """Say whether the operation may be told of which version it changes something."""
        return self.changes and (self.is_versioned or "routeId" in self.parameters)

    def call(self, call: Call) -> Any:
        """Return what the handler returns."""
        return self.handle(**{name: fill(call) for name, fill in self.arguments.items()})


@dataclass(frozen=True, slots=True)
class Operations:
    """The operations of one file, in the order in which they are written."""

    tag: str
    access: Access
    scope: Scope | None = None
    """What changes take; what changes nothing takes READ, where there are scopes at all."""

    listed: list[Operation] = field(default_factory=list)

    def add[**P, R](
        self,
        method: str,
        path: str,
        *,
        summary: str = "",
        answer: Answer[Any] | None = None,
        update: UpdateShape | None = None,
        **options: Any,
    ) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Make a function the handler of an operation that is named after it.

        `update` is the shape of a body with a mask, which `body` then receives as Changes;
        `options` are fields of Operation.
        """

        def register(handle: Callable[P, R]) -> Callable[P, R]:
            hints = get_type_hints(handle)
            returned = hints.pop("return")
            options.setdefault("access", self.access)
            options.setdefault("tag", self.tag)
            options.setdefault("scope", self._usual_scope(method))
            self.listed.append(
                Operation(
                    id=_CAPITAL.sub(lambda found: found[1].upper(), handle.__name__),
                    method=method,
                    path=path,
                    summary=summary,
                    handle=handle,
                    arguments=_arguments(handle, path),
                    answer=answer or _answer_of(returned),
                    **_given(handle, hints, update),
                    **_by_default(method, options["access"]) | options,
                )
            )
            return handle

        return register

    def _usual_scope(self, method: str) -> Scope | None:
        return Scope.READ if self.scope and method == "GET" else self.scope


def _answer_of(returned: Any) -> Answer[Any] | None:
    if returned is type(None):
        return NOTHING
    if returned is EventStream:
        return EVENTS
    if isinstance(returned, type) and issubclass(returned, Response):
        return None
    if get_origin(returned) is Delayed:
        (returned,) = get_args(returned)
    return Answer(returned)


def _by_default(method: str, access: Access) -> dict[str, Any]:
    """Changes may wait for locks; who shows no credentials sends no long body (decisions §1)."""
    return {
        "pool": Pool.READ if method == "GET" else Pool.CHANGE,
        "most_body_bytes": MOST_BODY_BYTES if access.has_credentials else MOST_OPEN_BODY_BYTES,
    }


def _given(
    handle: Callable[..., object], hints: Mapping[str, Any], update: UpdateShape | None
) -> dict[str, Any]:
    """Return the shapes of body and query that a handler takes."""
    given: dict[str, Any] = {}
    if "body" in hints:
        given["body"] = update or hints["body"]
    if "query" in hints:
        (given["query"],) = get_args(hints["query"])
        if get_origin(hints["query"]) is not Query:
            raise TypeError(f"query of {handle.__name__} must be a Query")
    return given


def _arguments(handle: Callable[..., object], path: str) -> Mapping[str, Callable[[Call], object]]:
    """Return what fills each argument; raise TypeError for one that nothing is known for."""
    known = re.findall(r"\{(\w+)\}", path)
    return {
        name: _fill_of(name, known, handle.__name__)
        for name in inspect.signature(handle).parameters
    }


def _fill_of(name: str, parameters: Sequence[str], handler: str) -> Callable[[Call], object]:
    match name:
        case "tools" | "http" | "request" | "body" | "query":
            return lambda call: getattr(call, name)
    # A trailing underscore keeps a name apart from Python's own.
    parameter = _CAPITAL.sub(lambda found: found[1].upper(), name.rstrip("_"))
    if parameter not in parameters:
        raise TypeError(f"{handler} takes {name}, which is no parameter of its path")
    return lambda call: call.http.parameters[parameter]
