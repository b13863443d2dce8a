"""The members of an organization: invited, changed, let in or not, and listed (decisions §13).

A role is a set of scopes. Whoever gives one, by an invitation, a change or letting somebody in
again, needs every scope of it: else credentials with SETTINGS alone could make themselves an owner.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import asdict, replace

from roundsman.domain.api_client import ListedCredentials
from roundsman.domain.errors import FailedPrecondition, NotFound, PreconditionViolation
from roundsman.domain.member import (
    MEMBER_INVITE_LIFETIME,
    ChangedMember,
    Member,
    MemberDraft,
    MemberStatus,
)
from roundsman.domain.model import UNSET
from roundsman.domain.principal import SCOPES_OF_ROLE, Role, Scope
from roundsman.domain.queries import ListMembers, Query
from roundsman.domain.security_event import SecurityEventDetails, SecurityEventKind
from roundsman.kit.ids import new_id
from roundsman.kit.secrets import hash_secret, new_secret
from roundsman.operations.api_clients import list_credentials_of
from roundsman.operations.paging import Page, list_page
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import UnitOfWork, begin_work
from roundsman.storage import members
from roundsman.storage.database import Transaction
from roundsman.storage.keyset import Position
from roundsman.storage.member_links import LinkKind, MemberLink, remove_links, replace_link
from roundsman.storage.member_sessions import remove_member_sessions
from roundsman.storage.members import Membership

INVITE_PATH = "/members/invite"
_MOST_NAMED = 20
"""Credentials in one security event."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MemberInvitation:
    """A member who is to take up an invitation, and the link to do it with; shown this once."""

    member: Member
    url: str


def list_members(tools: Tools, organization_id: str, query: Query[ListMembers]) -> Page[Member]:
    """Return a page of members, oldest first."""

    def fetch(
        tx: Transaction, _asked: ListMembers, after: Position | None, count: int
    ) -> list[tuple[Position, Member]]:
        return members.select_members(tx, organization_id, after, count)

    return list_page(tools, organization_id, "members", query, fetch)


def add_member(tools: Tools, request: Request, draft: MemberDraft) -> MemberInvitation:
    """Invite somebody; an e-mail address is a member of an organization once."""
    _require_to_give(request, draft.role)
    with begin_work(tools, request) as work:
        member = Member(
            id=new_id(work.ids, "mem"),
            email=draft.email.strip(),
            name=draft.name.strip(),
            role=draft.role,
            created_at=work.now,
        )
        if not members.insert_member(work.tx, work.organization_id, member):
            raise FailedPrecondition(f"{draft.email} is a member of the organization already")
        work.record_security(SecurityEventKind.MEMBER_INVITED, _details(member))
        return work.done(_invite(tools, work, member))


def invite_member(tools: Tools, request: Request, member_id: str) -> MemberInvitation:
    """Make a new link for somebody who has not taken up the invitation; the one before is void."""
    with begin_work(tools, request) as work:
        member = _load(work, member_id).member
        _require_to_give(request, member.role)
        member.require_invitable()
        work.record_security(SecurityEventKind.MEMBER_INVITED, _details(member))
        return work.done(_invite(tools, work, member))


def _invite(tools: Tools, work: UnitOfWork, member: Member) -> MemberInvitation:
    token = new_secret(work.ids)
    link = MemberLink(
        kind=LinkKind.INVITE,
        email=member.email,
        member_id=member.id,
        expires_at=work.now + MEMBER_INVITE_LIFETIME,
    )
    replace_link(work.tx, link, hash_secret(token))
    return MemberInvitation(member=member, url=f"{tools.address.url}{INVITE_PATH}/{token}")


def update_member(
    tools: Tools, request: Request, member_id: str, values: Mapping[str, Any]
) -> ChangedMember:
    """Change a member's name or role."""
    return _change(tools, request, member_id, lambda known: replace(known.member, **values))


def deactivate_member(tools: Tools, request: Request, member_id: str) -> ChangedMember:
    """Keep a member from signing in; their sessions and invitations end at once.

    Credentials that they made go on, for integrations run on them, and are named.
    """
    return _change(tools, request, member_id, lambda known: known.member.deactivated())


def activate_member(tools: Tools, request: Request, member_id: str) -> ChangedMember:
    """Let a deactivated member in again."""
    return _change(
        tools,
        request,
        member_id,
        lambda known: known.member.activated(has_accepted=known.has_accepted),
    )


def find_organization_of_member(tools: Tools, member_id: str) -> str:
    """Return for whom a member plans; for whoever runs the installation."""
    with tools.database.reading() as tx:
        found = members.find_member_anywhere(tx, member_id)
    if found is None:
        raise _unknown_member()
    return found.organization_id


def _change(
    tools: Tools, request: Request, member_id: str, change: Callable[[Membership], Member]
) -> ChangedMember:
    with begin_work(tools, request) as work:
        known = _load(work, member_id)
        changed = change(known)
        if changed.role is not known.member.role or _lets_in(known.member, changed):
            _require_to_give(request, changed.role)
        if known.member.is_active_owner() and not changed.is_active_owner():
            _require_another_owner(work, member_id)
        left: tuple[ListedCredentials, ...] = ()
        if _loses_settings(known.member, changed) or _shuts_out(known.member, changed):
            left = list_credentials_of(work.tx, request, changed.email)
        if changed != known.member:
            members.save_member(work.tx, work.organization_id, changed)
            work.record_security(_kind(known.member, changed), _details(changed, left))
        if changed.status is MemberStatus.DEACTIVATED:
            remove_member_sessions(work.tx, member_id)
            for kind in (LinkKind.INVITE, LinkKind.SIGN_IN):
                remove_links(work.tx, kind, changed.email, member_id)
        return work.done(ChangedMember(**asdict(changed), credentials=left))


def _loses_settings(before: Member, after: Member) -> bool:
    return _may_make_credentials(before) and not _may_make_credentials(after)


def _may_make_credentials(member: Member) -> bool:
    is_let_in = member.status is MemberStatus.ACTIVE
    return is_let_in and Scope.SETTINGS in SCOPES_OF_ROLE[member.role]


def _lets_in(before: Member, after: Member) -> bool:
    deactivated = MemberStatus.DEACTIVATED
    return before.status is deactivated and after.status is not deactivated


def _shuts_out(before: Member, after: Member) -> bool:
    return _lets_in(after, before)


def _require_to_give(request: Request, role: Role) -> None:
    request.principal.require_to_give(f"role {role}", SCOPES_OF_ROLE[role])


def _kind(before: Member, after: Member) -> SecurityEventKind:
    if before.status is after.status:
        return SecurityEventKind.MEMBER_CHANGED
    if after.status is MemberStatus.DEACTIVATED:
        return SecurityEventKind.MEMBER_DEACTIVATED
    return SecurityEventKind.MEMBER_ACTIVATED


def _details(member: Member, left: Sequence[ListedCredentials] = ()) -> SecurityEventDetails:
    return SecurityEventDetails(
        member_id=member.id,
        email=member.email,
        role=member.role,
        client_ids=" ".join(one.id for one in left[:_MOST_NAMED]) or UNSET,
    )


def _require_another_owner(work: UnitOfWork, member_id: str) -> None:
    if members.count_active_owners(work.tx, work.organization_id) > 1:
        return
    description = f"the organization needs an active {Role.OWNER}, and this is the last one"
    violation = PreconditionViolation(type="lastOwner", subject=member_id, description=description)
    raise FailedPrecondition(description, [violation])


def _load(work: UnitOfWork, member_id: str) -> Membership:
    found = members.find_member(work.tx, work.organization_id, member_id, locked=True)
    if found is None:
        raise _unknown_member()
    return found


def _unknown_member() -> NotFound:
    return NotFound("member not found")
