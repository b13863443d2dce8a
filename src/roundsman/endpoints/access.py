"""Who may come through a door, how often, and as whom the operations behind it see them."""

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

from msgspec import Struct
from starlette.requests import cookie_parser

from roundsman.domain.errors import NotAllowed, Unauthenticated
from roundsman.domain.principal import Principal, link_holder
from roundsman.endpoints.responses import RawHeaders
from roundsman.kit.leaky_bucket import Rate, Verdict
from roundsman.kit.peers import counted_as
from roundsman.operations.api_clients import identify_client
from roundsman.operations.driver_sessions import identify_device
from roundsman.operations.member_sign_in import csrf_token_of, identify_member
from roundsman.operations.tools import Tools

CLIENT_RATE = Rate(capacity=120, interval_micros=100_000)
"""10 requests a second for each API client, bursts of 120."""

DEVICE_RATE = CLIENT_RATE
"""The same for each device of a driver."""

MEMBER_RATE = Rate(capacity=300, interval_micros=20_000)
"""50 requests a second for each member, bursts of 300 (decisions §13)."""

CLIENT_BUCKET = "client:"
"""What the keys of clients' buckets begin with."""

NOBODY = link_holder("")
"""Who calls an operation without credentials: an organization that has nothing."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _stays() -> bool:
    return False


class HttpRequest(Struct, frozen=True, kw_only=True):
    """A request as it arrived, its body whole."""

    path: str
    """As it was sent, without the query."""

    method: str = "GET"

    parameters: Mapping[str, str]
    """Of the path, decoded."""

    headers: Mapping[str, str]
    query: str
    address: str
    """Where it came from."""

    is_https: bool = False
    """Whether the client came by HTTPS, to us or to a proxy that is believed."""

    body: bytes = b""
    has_left: Callable[[], bool] = _stays
    """Says whether the client has hung up, at operations that notice that."""


class Admitted(Struct, frozen=True, kw_only=True):
    """Who was let in."""

    principal: Principal
    idempotency_owner: str = ""
    """In whose name idempotency keys are kept; empty where there are none."""

    verdict: Verdict | None = None
    """What the bucket says; refused requests are let in no further."""

    def rate_headers(self) -> RawHeaders:
        """Return the headers of every answer to who was let in."""
        if self.verdict is None:
            return []
        return [
            (b"ratelimit-limit", b"%d" % self.verdict.rate.capacity),
            (b"ratelimit-remaining", b"%d" % self.verdict.remaining),
            (b"ratelimit-reset", b"%d" % self.verdict.reset_seconds),
        ]


class Access(Protocol):
    """Lets requests in."""

    @property
    def has_credentials(self) -> bool:
        """Say whether who comes shows credentials."""
        ...

    def admit(self, tools: Tools, http: HttpRequest) -> Admitted:
        """Say who asks; raise Unauthenticated for who may not."""
        ...


@dataclass(frozen=True, slots=True)
class Anybody:
    """Whoever knows the address; by source address at most so often."""

    name: str = ""
    rate: Rate | None = None
    has_credentials = False

    def admit(self, tools: Tools, http: HttpRequest) -> Admitted:
        """Let anybody in who does not come too often."""
        verdict = None
        if self.rate is not None:
            verdict = _take(tools, f"{self.name}:{counted_as(http.address)}", self.rate)
        return Admitted(principal=NOBODY, verdict=verdict)


@dataclass(frozen=True, slots=True)
class MemberAccess:
    """A member who is signed in in a browser, whose page says so when it changes something."""

    has_credentials = True

    def admit(self, tools: Tools, http: HttpRequest) -> Admitted:
        """Let in who has a session."""
        token = session_token_of(http)
        if not token:
            raise Unauthenticated("sign in first: there is no session cookie")
        signed_in = identify_member(tools, token)
        if http.method not in {"GET", "HEAD"}:
            _require_csrf_token(http, token)
        return Admitted(
            principal=signed_in,
            idempotency_owner=signed_in.id,
            verdict=_take(tools, f"member:{signed_in.id}", MEMBER_RATE),
        )


@dataclass(frozen=True, slots=True)
class ApiClient:
    """The holder of an access token, or a member who is signed in in a browser."""

    has_credentials = True

    def admit(self, tools: Tools, http: HttpRequest) -> Admitted:
        """Let in who holds a live token; it is looked up each time, so that revoking ends it."""
        if "authorization" not in http.headers and session_token_of(http):
            return MemberAccess().admit(tools, http)
        client = identify_client(tools, access_token_of(http))
        if client is None:
            raise Unauthenticated("access token is invalid or expired")
        return Admitted(
            principal=client,
            idempotency_owner=client.id,
            verdict=_take(tools, CLIENT_BUCKET + client.id, CLIENT_RATE),
        )


@dataclass(frozen=True, slots=True)
class DriverDevice:
    """A device on which a driver is signed in."""

    has_credentials = True

    def admit(self, tools: Tools, http: HttpRequest) -> Admitted:
        """Let in who has a session."""
        return admit_device(tools, _bearer(http.headers.get("authorization", "")))


def admit_device(tools: Tools, token: str, *, may_be_tracker: bool = False) -> Admitted:
    """Let in the device, or the tracker where that may, whose token this is."""
    if not token:
        raise Unauthenticated("send Authorization: Bearer and the session token")
    device = identify_device(tools, token, may_be_tracker=may_be_tracker)
    return Admitted(
        principal=device,
        idempotency_owner=device.id,
        verdict=_take(tools, f"device:{device.id}", DEVICE_RATE),
    )


def access_token_of(http: HttpRequest) -> str:
    """Return the token of an API client's Authorization header."""
    authorization = http.headers.get("authorization")
    if authorization is None:
        raise Unauthenticated("access token is missing; send Authorization: Bearer <ACCESS_TOKEN>")
    token = _bearer(authorization)
    if not token:
        raise Unauthenticated("Authorization must be Bearer <ACCESS_TOKEN>")
    return token


def session_token_of(http: HttpRequest) -> str:
    """Return the token of a member's session cookie; empty without one."""
    return cookie_of(http, session_cookie_name(http))


def cookie_of(http: HttpRequest, name: str) -> str:
    """Return what a browser kept under a name; empty without it."""
    return cookie_parser(http.headers.get("cookie", "")).get(name, "")


def session_cookie_name(http: HttpRequest) -> str:
    """Return what the cookie of a session is called on this way here."""
    return cookie_name("roundsman-session", is_https=http.is_https)


def cookie_name(name: str, *, is_https: bool) -> str:
    """Return a name that only this host can set; browsers refuse the prefix without HTTPS."""
    return f"__Host-{name}" if is_https else name


def _require_csrf_token(http: HttpRequest, token: str) -> None:
    """Refuse a change that another site may have had the browser send (decisions §13)."""
    given = http.headers.get("x-csrf-token", "")
    if not hmac.compare_digest(given.encode(), csrf_token_of(token).encode()):
        raise NotAllowed("X-CSRF-Token is missing or wrong; send csrfToken of the session")


def _bearer(authorization: str) -> str:
    scheme, _, token = authorization.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _take(tools: Tools, key: str, rate: Rate) -> Verdict:
    now = (tools.clock.now() - _EPOCH) // timedelta(microseconds=1)
    return tools.buckets.take(key, now, rate)
