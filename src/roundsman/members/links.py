"""Invitations and new passwords: what the pages that links open ask for."""

from roundsman.endpoints.access import HttpRequest
from roundsman.endpoints.operation import Operations
from roundsman.members.sessions import SIGNED_IN, STRANGER, SignedInBrowser
from roundsman.operations import member_sign_in
from roundsman.operations.work import Tools
from roundsman.wire.members.sessions import (
    AcceptBody,
    AskForResetBody,
    InvitationAnswer,
    ResetBody,
    show_organization,
)

OPERATIONS = Operations("Links", STRANGER)


@OPERATIONS.add("GET", "/invites/{token}", summary="See who invites whom, as what")
def show_invitation(tools: Tools, token: str) -> InvitationAnswer:
    invitation = member_sign_in.find_invitation(tools, token)
    return InvitationAnswer(
        email=invitation.member.email,
        name=invitation.member.name,
        role=invitation.member.role,
        organization=show_organization(invitation.organization),
        has_password=invitation.has_password,
    )


@OPERATIONS.add(
    "POST",
    "/invites/{token}",
    summary="Take up an invitation, once, and sign in",
    answer=SIGNED_IN,
)
def accept_invitation(
    tools: Tools, http: HttpRequest, token: str, body: AcceptBody
) -> SignedInBrowser:
    signed_in = member_sign_in.accept_invitation(
        tools, token, body.name, body.password, http.address
    )
    return SignedInBrowser(signed_in, http)


@OPERATIONS.add("POST", "/password-resets", summary="Ask for a link to choose a new password with")
def ask_for_reset(tools: Tools, http: HttpRequest, body: AskForResetBody) -> None:
    member_sign_in.ask_for_reset(tools, body.email, http.address)


@OPERATIONS.add(
    "POST",
    "/password-resets/{token}",
    summary="Choose a new password, once, and end every session",
)
def reset_password(tools: Tools, token: str, body: ResetBody) -> None:
    member_sign_in.reset_password(tools, token, body.password)
