"""Invites and sessions at the driver's door."""

import msgspec
from starlette.responses import Response

from roundsman.domain.events import Actor
from roundsman.doors.bodies import require_json
from roundsman.doors.door import Arrival
from roundsman.driver.answering import answer
from roundsman.operations import sign_up
from roundsman.operations.driver_request import DriverRequest
from roundsman.operations.sign_up import SignedIn
from roundsman.operations.work import Tools
from roundsman.wire.driver.answers import (
    AcceptBody,
    InviteAnswer,
    InvitedShown,
    OrganizationShown,
    SessionAnswer,
    SignedInAnswer,
)
from roundsman.wire.reading import read_body
from roundsman.wire.v2024_07.answers import DriverSessionsAnswer


def show_invite(tools: Tools, arrival: Arrival) -> Response:
    """Say who invites whom."""
    invite = sign_up.look_at_invite(tools, arrival.parameters["token"])
    return answer(
        InviteAnswer(
            driver=InvitedShown(
                first_name=invite.driver.first_name, last_name=invite.driver.last_name
            ),
            organization=OrganizationShown(
                id=invite.organization_id, name=invite.organization_name
            ),
            expires_at=invite.expires_at,
        )
    )


def accept_invite(tools: Tools, arrival: Arrival) -> Response:
    """Sign up, or sign in on one more device."""
    device = ""
    if arrival.body.strip():
        require_json(arrival.headers)
        device = read_body(arrival.body, AcceptBody).device
    signed_in = accept(tools, arrival, device)
    return answer(
        SignedInAnswer(
            driver=signed_in.driver,
            organization=OrganizationShown(
                id=signed_in.organization_id, name=signed_in.organization_name
            ),
            session=signed_in.session,
            token=signed_in.token,
        )
    )


def accept(tools: Tools, arrival: Arrival, device: str) -> SignedIn:
    """Use the invite of a path up."""
    actor = Actor(
        ip_address=arrival.address or msgspec.UNSET,
        user_agent=arrival.headers.get("user-agent", "")[:500] or msgspec.UNSET,
    )
    return sign_up.accept_invite(tools, arrival.parameters["token"], device, actor)


def show_session(tools: Tools, arrival: Arrival, request: DriverRequest) -> Response:
    """Say who is signed in."""
    del arrival
    driver = sign_up.get_driver_of(tools, request.signed)
    return answer(SessionAnswer(driver=driver, session_id=request.signed.session_id))


def list_sessions(tools: Tools, arrival: Arrival, request: DriverRequest) -> Response:
    """List the driver's devices."""
    del arrival
    devices = sign_up.list_devices(tools, request.organization_id, request.driver_id)
    return answer(DriverSessionsAnswer(sessions=devices))


def end_session(tools: Tools, arrival: Arrival, request: DriverRequest) -> Response:
    """Sign a device out, this one where none is named."""
    session_id = arrival.parameters.get("sessionId", request.signed.session_id)
    sign_up.sign_out(tools, request.as_request(), request.driver_id, session_id)
    return answer({})
