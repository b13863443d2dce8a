"""The driver's door put together: who is let in, how often, and what stands behind each path."""

from collections.abc import Callable
from dataclasses import dataclass

from starlette.responses import Response

from roundsman.domain.errors import ResourceExhausted, Unauthenticated
from roundsman.doors.bodies import MOST_BODY_BYTES
from roundsman.doors.door import Arrival, Door, Endpoint
from roundsman.doors.rate_limiting import micros, rate_headers
from roundsman.doors.transport import Transport
from roundsman.driver import actions, pages, routes, signing_in, uploads
from roundsman.kit.leaky_bucket import Buckets, Rate, Verdict
from roundsman.kit.peers import counted_as
from roundsman.operations.driver_request import DriverRequest
from roundsman.operations.sign_up import identify_device
from roundsman.operations.uploads import MOST_BYTES
from roundsman.operations.work import Tools

PREFIX = "/driver"
DEVICE_RATE = Rate(capacity=120, interval_micros=100_000)
"""10 requests a second for each device, bursts of 120, as for an API client."""

INVITE_RATE = Rate(capacity=30, interval_micros=2_000_000)
"""A request every two seconds for each address that has no session, bursts of 30."""

type Handler = Callable[[Tools, Arrival, DriverRequest], Response]
type OpenHandler = Callable[[Tools, Arrival], Response]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Gate:
    """Lets requests in."""

    tools: Tools
    buckets: Buckets

    def signed_in(self, handle: Handler) -> Callable[[Arrival], Response]:
        """Let in who has a session."""

        def run(arrival: Arrival) -> Response:
            signed = identify_device(self.tools, _bearer(arrival))
            verdict = self._take(f"device:{signed.session_id}", DEVICE_RATE)
            request = DriverRequest(
                signed=signed,
                address=arrival.address,
                user_agent=arrival.headers.get("user-agent", ""),
            )
            response = handle(self.tools, arrival, request)
            response.raw_headers += rate_headers(verdict)
            return response

        return run

    def identify(self, arrival: Arrival) -> object:
        """Refuse who has no session."""
        return identify_device(self.tools, _bearer(arrival))

    def open(self, handle: OpenHandler) -> Callable[[Arrival], Response]:
        """Let in who has an invite."""

        def run(arrival: Arrival) -> Response:
            self._take(f"invite:{counted_as(arrival.address)}", INVITE_RATE)
            return handle(self.tools, arrival)

        return run

    def _take(self, key: str, rate: Rate) -> Verdict:
        verdict = self.buckets.take(key, micros(self.tools.clock.now()), rate)
        if not verdict.is_allowed:
            raise ResourceExhausted("rate limit exceeded", verdict.retry_after_seconds)
        return verdict


def _bearer(arrival: Arrival) -> str:
    scheme, _, token = arrival.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthenticated("send Authorization: Bearer and the session token")
    return token.strip()


def open_driver_door(tools: Tools, buckets: Buckets, transport: Transport) -> Door:
    """Return the driver's door on these tools."""
    gate = _Gate(tools=tools, buckets=buckets)
    return Door(endpoints=_endpoints(gate), transport=transport, ids=tools.ids)


def _endpoints(gate: _Gate) -> tuple[Endpoint, ...]:
    open_ones: tuple[tuple[str, str, str, OpenHandler], ...] = (
        ("showInvite", "GET", "/invites/{token}", signing_in.show_invite),
        ("acceptInvite", "POST", "/invites/{token}", signing_in.accept_invite),
    )
    signed_ones: tuple[tuple[str, str, str, Handler], ...] = (
        ("showSession", "GET", "/session", signing_in.show_session),
        ("endSession", "DELETE", "/session", signing_in.end_session),
        ("listSessions", "GET", "/sessions", signing_in.list_sessions),
        ("endOtherSession", "DELETE", "/sessions/{sessionId}", signing_in.end_session),
        ("listDriverRoutes", "GET", "/routes", routes.list_routes),
        ("getDriverRoute", "GET", "/routes/{routeId}", routes.get_route),
        ("claimRoute", "POST", "/routes/{routeId}/claim", routes.claim_route),
        ("takeActions", "POST", "/actions", actions.take_actions),
        ("showUpload", "GET", "/uploads/{uploadId}", uploads.show_upload),
        ("takeUpload", "PUT", "/uploads/{uploadId}", uploads.take_upload),
    )
    return (
        *_invite_pages(gate),
        *(
            Endpoint(id=id_, method=method, path=f"{PREFIX}/api{path}", handle=gate.open(handle))
            for id_, method, path, handle in open_ones
        ),
        *(
            Endpoint(
                id=id_,
                method=method,
                path=f"{PREFIX}/api{path}",
                handle=gate.signed_in(handle),
                admit=gate.identify,
                most_body_bytes=MOST_BYTES if id_ == "takeUpload" else MOST_BODY_BYTES,
                may_be_left=id_ == "takeUpload",
            )
            for id_, method, path, handle in signed_ones
        ),
    )


def _invite_pages(gate: _Gate) -> tuple[Endpoint, ...]:
    return tuple(
        Endpoint(
            id=id_,
            method=method,
            path=f"{PREFIX}/invite/{{token}}",
            handle=gate.open(handle),
            show_error=pages.show_error_page,
        )
        for id_, method, handle in (
            ("showInvitePage", "GET", pages.show_invite_page),
            ("acceptOnPage", "POST", pages.accept_on_page),
        )
    )
