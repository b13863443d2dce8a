"""What a call is, and how it is carried out: tokens, keys, retries. Nothing here sends anything.

`carry_out` yields what is to be done, a request or a pause, and is handed what came of it; a client
that blocks and one that awaits drive the same steps.
"""

import base64
import json
import random
import uuid
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

from roundsman_client.errors import ApiError, ConnectionFailed, RoundsmanError, error_of

BASE_PATH = "/api/2024-07"
_FIRST_FAILURE = 300
_NOTHING_HAPPENED = frozenset({429, 503})
_NOBODY_KNOWS = frozenset({502, 504})
"""What a proxy answers that has lost the service."""

_RENEWED_EARLIER_SECONDS = 60
_ABORTED = 10
_UNAUTHENTICATED = 16
_LONGEST_PAUSE_SECONDS = 30.0
_LONGEST_ASKED_SECONDS = 120.0
"""Who is asked to wait for longer is told at once: a retry before its time is of no use."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of an operation, before anything was sent."""

    method: str
    template: str
    path: Mapping[str, str] = field(default_factory=dict)
    """What stands for the names in the template."""

    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    if_match: str | None = None
    takes_key: bool = False
    idempotency_key: str | None = None
    answers_file: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class OutgoingRequest:
    """A request to be sent."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class IncomingResponse:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    """Under lower-case names."""

    content: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class Pause:
    """So long to wait before the next step."""

    seconds: float


@dataclass(frozen=True, kw_only=True, slots=True)
class SignIn:
    """A token is to be got, by these steps: one caller at a time takes them, the others wait.

    Answered by what kept them from their end, if anything did.
    """

    steps: Generator[OutgoingRequest | Pause, IncomingResponse | Exception | None, None]


type Steps = Generator[OutgoingRequest | Pause | SignIn, IncomingResponse | Exception | None, Any]
"""A request is answered by a response, or by what kept it from being sent or answered."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Answered:
    """What a program may want to log or count of each answer; nothing in it is secret."""

    method: str
    path: str
    """As the interface names it, without ids."""

    status: int
    request_id: str
    idempotency_key: str | None
    was_replayed: bool
    """Whether an earlier request with this key had the effect, and this is its answer."""


@dataclass(kw_only=True, slots=True)
class Access:
    """Whose calls these are, and the token they have now."""

    url: str
    client_id: str
    client_secret: str = field(repr=False)
    tries: int = 5
    on_answer: Callable[[Answered], None] | None = None
    token: str = field(default="", repr=False)
    renew_at: float = 0.0
    """By the clock that is handed to `carry_out`: a minute before the token ends."""

    def token_at(self, now: float) -> str:
        """Return the token, or nothing where a new one is needed."""
        return self.token if now < self.renew_at else ""

    def forget(self, token: str) -> None:
        """Use a token no more; one that another caller has got meanwhile is kept."""
        if self.token == token:
            self.token = ""


def carry_out(access: Access, call: Call, clock: Callable[[], float]) -> Steps:
    """Yield what is to be done for a call; return its answer, or raise ApiError.

    A change has its key before the first try, so however often it is sent it has one effect. What
    takes no key is sent again only where it surely had none.
    """
    key = call.idempotency_key or (str(uuid.uuid4()) if call.takes_key else None)
    is_safe = call.method == "GET" or key is not None
    has_signed_in_again = False
    failures = 0
    while True:
        while not (token := access.token_at(clock())):
            refused = yield SignIn(steps=_sign_in(access, clock))
            if isinstance(refused, RoundsmanError):
                refused.idempotency_key = key
                raise refused
        came = yield _request_of(access, call, key, token)
        _report(access, call, key, came)
        if isinstance(came, IncomingResponse) and came.status < _FIRST_FAILURE:
            return came.content if call.answers_file else _read(came)
        error = _failure_of(came)
        error.idempotency_key = key
        if _is_unknown(error) and not has_signed_in_again:
            has_signed_in_again = True
            access.forget(token)
            continue
        failures += 1
        if failures >= access.tries or not _may_help(error, is_safe=is_safe):
            raise error
        yield Pause(seconds=_pause_after(failures, error))


def _report(
    access: Access, call: Call, key: str | None, came: IncomingResponse | Exception | None
) -> None:
    if access.on_answer is None or not isinstance(came, IncomingResponse):
        return
    access.on_answer(
        Answered(
            method=call.method,
            path=call.template,
            status=came.status,
            request_id=came.headers.get("x-request-id", ""),
            idempotency_key=key,
            was_replayed=came.headers.get("idempotency-replayed") == "true",
        )
    )


def _read(came: IncomingResponse) -> Any:
    try:
        return json.loads(came.content)
    except ValueError:
        raise error_of(
            came.status, came.headers, b'{"message": "the answer is not JSON"}'
        ) from None


def _request_of(access: Access, call: Call, key: str | None, token: str) -> OutgoingRequest:
    content, content_type = _encode(call.body)
    headers = {
        "Authorization": f"Bearer {token}",
        "Accept": "application/json",
        "Content-Type": content_type,
        "Idempotency-Key": key,
        "If-Match": call.if_match,
    }
    return OutgoingRequest(
        method=call.method,
        url=_url_of(access, call),
        headers={name: value for name, value in headers.items() if value},
        content=content,
    )


def _failure_of(came: IncomingResponse | Exception | None) -> RoundsmanError:
    if isinstance(came, IncomingResponse):
        return error_of(came.status, came.headers, came.content)
    return came if isinstance(came, ConnectionFailed) else ConnectionFailed(str(came))


def _is_unknown(error: RoundsmanError) -> bool:
    return isinstance(error, ApiError) and error.code == _UNAUTHENTICATED


def _sign_in(
    access: Access, clock: Callable[[], float]
) -> Generator[OutgoingRequest | Pause, IncomingResponse | Exception | None, None]:
    """Get a token by client credentials (RFC 6749, section 4.4), unless another caller just did."""
    if access.token_at(clock()):
        return
    pair = f"{quote(access.client_id, safe='')}:{quote(access.client_secret, safe='')}"
    request = OutgoingRequest(
        method="POST",
        url=f"{access.url}{BASE_PATH}/oauth/token",
        headers={
            "Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}",
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": "application/json",
        },
        content=b"grant_type=client_credentials",
    )
    for failures in range(1, access.tries + 1):
        came = yield request
        if isinstance(came, IncomingResponse) and came.status < _FIRST_FAILURE:
            answer = _read(came)
            access.renew_at = clock() + max(int(answer["expires_in"]) - _RENEWED_EARLIER_SECONDS, 1)
            access.token = str(answer["access_token"])
            return
        error = _failure_of(came)
        if failures == access.tries or not _may_help(error, is_safe=True):
            raise error
        yield Pause(seconds=_pause_after(failures, error))


def _may_help(error: RoundsmanError, *, is_safe: bool) -> bool:
    """Say whether to try again: where nothing happened, or what happened will not happen twice."""
    if isinstance(error, ConnectionFailed):
        return is_safe or error.was_never_sent
    if not isinstance(error, ApiError) or (error.retry_after or 0) > _LONGEST_ASKED_SECONDS:
        return False
    if error.status in _NOTHING_HAPPENED:
        return True
    return is_safe and (error.code == _ABORTED or error.status in _NOBODY_KNOWS)


def _pause_after(failures: int, error: RoundsmanError) -> float:
    """Return how long to wait: as long as the service says, else longer each time."""
    if isinstance(error, ApiError) and error.retry_after is not None:
        return error.retry_after
    longest = min(0.25 * 2**failures, _LONGEST_PAUSE_SECONDS)
    return random.uniform(longest / 2, longest)  # noqa: S311 -- spreads retries, guards nothing


def root_of(url: str) -> str:
    """Return where a service is; the BASE of the documentation, below it, is taken, too."""
    return url.rstrip("/").removesuffix(BASE_PATH).rstrip("/")


def _url_of(access: Access, call: Call) -> str:
    path = call.template
    for name, value in call.path.items():
        path = path.replace(f"{{{name}}}", quote(value, safe=""))
    query = urlencode(list(_pairs(call.query)))
    return f"{access.url}{BASE_PATH}{path}" + (f"?{query}" if query else "")


def _pairs(query: Mapping[str, Any]) -> Generator[tuple[str, str]]:
    for name, value in query.items():
        if value is None:
            continue
        if isinstance(value, Mapping):
            yield from ((f"{name}.{part}", str(said)) for part, said in value.items())
        elif isinstance(value, bool):
            yield name, "true" if value else "false"
        else:
            yield name, str(value)


def _encode(body: Any) -> tuple[bytes | None, str]:
    if body is None:
        return None, ""
    if isinstance(body, bytes):
        return body, "application/octet-stream"
    return json.dumps(body, ensure_ascii=False).encode(), "application/json"
