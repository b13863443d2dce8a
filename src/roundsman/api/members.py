"""Members at the door."""

from roundsman.domain.member import ChangedMember, Member, MemberDetails, MemberDraft
from roundsman.domain.principal import Scope
from roundsman.domain.queries import ListMembers, Query
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Answer, Operations
from roundsman.operations import members
from roundsman.operations.members import MemberInvitation
from roundsman.operations.paging import Page
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import (
    InvitedMember,
    MembersAnswer,
    encode_invited_member,
    encode_members,
)
from roundsman.wire.field_mask import Changes, UpdateShape

OPERATIONS = Operations("Members", ApiClient(), Scope.SETTINGS)

_UPDATE = UpdateShape("member", MemberDetails, ("name", "role"))


def _encode_page(page: Page[Member]) -> bytes:
    return encode_members(page.rows, page.next_cursor)


def _encode_invited(invitation: MemberInvitation) -> bytes:
    return encode_invited_member(invitation.member, invitation.url)


_INVITED = Answer(InvitedMember, _encode_invited)


@OPERATIONS.add(
    "GET",
    "/members",
    summary="List the people who plan for the organization, page by page, oldest first",
    answer=Answer(MembersAnswer, _encode_page),
)
def list_members(tools: Tools, request: Request, query: Query[ListMembers]) -> Page[Member]:
    """Walk the people who plan for the organization, oldest first."""
    return members.list_members(tools, request.organization_id, query)


@OPERATIONS.add(
    "POST",
    "/members",
    summary="Invite somebody to plan, and get the link to sign up with",
    answer=_INVITED,
)
def add_member(tools: Tools, request: Request, body: MemberDraft) -> MemberInvitation:
    """Invite somebody to plan with you; the answer has the link. An e-mail address is a member
    once.
    """
    return members.add_member(tools, request, body)


@OPERATIONS.add(
    "PATCH", "/members/{memberId}", summary="Change a member's name or role", update=_UPDATE
)
def update_member(tools: Tools, request: Request, member_id: str, body: Changes) -> ChangedMember:
    """Change the name or the role of a member; the mask says which. The last active owner stays
    one. Credentials of who loses SETTINGS go on; `credentials` names them.
    """
    return members.update_member(tools, request, member_id, body.values)


@OPERATIONS.add(
    "POST",
    "/members/{memberId}/invite",
    summary="Get a new link for a member who has not taken up the invitation",
    answer=_INVITED,
)
def invite_member(tools: Tools, request: Request, member_id: str) -> MemberInvitation:
    """Make another link for somebody who was invited and has not come; the one before works no
    more.
    """
    return members.invite_member(tools, request, member_id)


@OPERATIONS.add(
    "POST",
    "/members/{memberId}/deactivate",
    summary="Keep a member from signing in, and sign them out at once",
)
def deactivate_member(tools: Tools, request: Request, member_id: str) -> ChangedMember:
    """Keep a member from signing in, and sign them out at once. The last active owner is
    refused. Credentials that they made go on; `credentials` names them, to be removed.
    """
    return members.deactivate_member(tools, request, member_id)


@OPERATIONS.add("POST", "/members/{memberId}/activate", summary="Let a deactivated member in again")
def activate_member(tools: Tools, request: Request, member_id: str) -> ChangedMember:
    """Let a member in again who was kept out."""
    return members.activate_member(tools, request, member_id)
