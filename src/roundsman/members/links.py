"""Invitations and new passwords: what the pages that links open ask for."""

from functools import partial

from roundsman.domain.organization import Language
from roundsman.endpoints.access import HttpRequest
from roundsman.endpoints.operation import Operations
from roundsman.kit.languages import find_language
from roundsman.members.sessions import SIGNED_IN, STRANGER, SignedInBrowser
from roundsman.operations import member_sign_in, password_resets
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.members.sessions import (
    AcceptInvitationBody,
    InvitationAnswer,
    RequestResetBody,
    ResetBody,
    show_organization,
)

OPERATIONS = Operations("Links", STRANGER)


@OPERATIONS.add("GET", "/invites/{token}", summary="See who invites whom, as what")
def show_invitation(tools: Tools, token: str) -> InvitationAnswer:
    """See who invites whom, as what, and whether the person has a password already."""
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
    tools: Tools, request: Request, http: HttpRequest, token: str, body: AcceptInvitationBody
) -> SignedInBrowser:
    """Take up an invitation and sign in, once. Who has a password gives it, with a code where one
    is wanted; else this one is set.
    """
    given = member_sign_in.Acceptance(name=body.name, password=body.password, code=body.code)
    signed_in = member_sign_in.accept_invitation(tools, request, token, given)
    return SignedInBrowser(signed_in, http)


@OPERATIONS.add("POST", "/password-resets", summary="Ask for a link to choose a new password with")
def request_reset(
    tools: Tools, request: Request, http: HttpRequest, body: RequestResetBody
) -> None:
    """Say that a password was forgotten. The answer is always the same; a letter goes out where
    e-mail is set up, in the language of `Accept-Language`, or else the organization's.
    """
    follow_up = None
    if tools.mail is not None:
        language = find_language(http.headers.get("accept-language", ""), Language)
        follow_up = partial(password_resets.enqueue_reset_letter, tools, body.email, language)
    password_resets.request_reset(tools, request, body.email, follow_up)


@OPERATIONS.add(
    "POST",
    "/password-resets/{token}",
    summary="Choose a new password, once, and end every session",
)
def reset_password(tools: Tools, request: Request, token: str, body: ResetBody) -> None:
    """Choose a new password by the link. Every session of the person ends."""
    password_resets.reset_password(tools, request, token, body.password)
