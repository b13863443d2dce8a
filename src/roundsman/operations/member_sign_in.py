"""Signing members in: by password, by a link, and out again (decisions §13 and §22).

What is told of a wrong e-mail address is what is told of a wrong password, after the same time.
"""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

import msgspec

from roundsman.domain.errors import (
    FailedPrecondition,
    NotFound,
    PermissionDenied,
    PreconditionViolation,
    Unauthenticated,
)
from roundsman.domain.member import (
    SIGN_IN_LINK_LIFETIME,
    Member,
    MemberStatus,
    email_key,
)
from roundsman.domain.member_session import MEMBER_SEEN_EVERY, MemberSession
from roundsman.domain.organization import Organization
from roundsman.domain.password import LONGEST_PASSWORD, normalized, require_good_password
from roundsman.domain.principal import Principal, link_holder
from roundsman.domain.principal import member as member_principal
from roundsman.domain.security_event import (
    SecurityEventDetails,
    SecurityEventKind,
)
from roundsman.kit.ids import new_id
from roundsman.kit.passwords import NOBODYS_HASH, hash_password, is_password, needs_rehash
from roundsman.kit.secrets import hash_secret, new_secret
from roundsman.operations.request import Request
from roundsman.operations.second_factors import LINK, PASSWORD, TOTP, require_code
from roundsman.operations.security_events import record
from roundsman.operations.sign_in_failures import FailedSignIn
from roundsman.operations.sign_in_limits import SignInLimits
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import UnitOfWork, begin_work
from roundsman.storage import members
from roundsman.storage.database import Transaction
from roundsman.storage.member_links import (
    LinkKind,
    MemberLink,
    find_link,
    replace_link,
    take_link,
)
from roundsman.storage.member_sessions import (
    add_member_session,
    find_signed_in,
    list_member_sessions,
    note_session_seen,
    remove_member_session,
    remove_session_of_token,
)
from roundsman.storage.members import Membership
from roundsman.storage.organizations import find_organization
from roundsman.storage.tables import as_micros

SIGN_IN_PATH = "/members/sign-in"

_WRONG = "email and password do not match"


@dataclass(frozen=True, kw_only=True, slots=True)
class SignedInMember:
    """A member in one browser; `token` goes into its cookie, `csrf_token` into its requests."""

    member: Member
    organization: Organization
    token: str
    csrf_token: str


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenInvitation:
    """An invitation that may be taken up."""

    member: Member
    organization: Organization
    has_password: bool
    """Whether the person has a password: the link then asks for it, and sets none."""


def csrf_token_of(token: str) -> str:
    """Return what a page must send beside the cookie: made from the session's token, not kept."""
    digest = hashlib.sha256(f"csrf:{token}".encode("utf-8", "surrogatepass")).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


@dataclass(frozen=True, kw_only=True, slots=True)
class PasswordSignIn:
    """What somebody signs in with: `organization_id` may be empty for who plans for one."""

    email: str
    password: str
    code: str = ""
    """Of an app, or a recovery code, where the person has set that up."""

    organization_id: str = ""


def sign_in(tools: Tools, request: Request, given: PasswordSignIn) -> SignedInMember:
    """Sign a member in by password, and by a code where one is wanted."""
    with _guesses_counted(tools, request, given.email):
        _require_password(tools, given.email, given.password)
        with tools.database.reading() as tx:
            known = choose_active(tx, given.email, given.organization_id)
        if known is None:  # who is deactivated is told what nobody is told
            raise PermissionDenied(_WRONG)
        has_code = require_code(tools, request, given.email, given.code)
    with tools.database.writing() as tx:
        current = members.find_member(tx, known.organization_id, known.member.id, locked=True)
        if current is None or current.member.status is not MemberStatus.ACTIVE:
            raise PermissionDenied(_WRONG)
        return open_session(tools, tx, request, current, TOTP if has_code else PASSWORD)


def confirm_password(tools: Tools, request: Request, email: str, password: str) -> None:
    """Refuse who is signed in and does not know the password; guesses count as at sign-in."""
    with _guesses_counted(tools, request, email):
        _require_password(tools, email, password)


@contextmanager
def _guesses_counted(tools: Tools, request: Request, email: str) -> Iterator[None]:
    """Refuse who has guessed too often; count and write down what the block refuses."""
    limits = SignInLimits(tools.buckets, "sign-in")
    now = tools.clock.now()
    limits.check(request.address, email_key(email), as_micros(now))
    try:
        yield
    except PermissionDenied:
        limits.count_failure(request.address, email_key(email), as_micros(now))
        tools.failures.note(
            FailedSignIn(
                kind=SecurityEventKind.MEMBER_SIGN_IN_FAILED,
                claimed=email_key(email),
                find=partial(find_principals, email),
                at=now,
                address=request.address,
                user_agent=request.user_agent,
            )
        )
        raise
    limits.count_success(request.address, email_key(email), as_micros(now))


def find_principals(email: str, tx: Transaction) -> Sequence[Principal]:
    """Return a person as the member of each organization that they plan for."""
    return [principal_of(known) for known in members.list_memberships(tx, email)]


def principal_of(known: Membership, session_id: str = "") -> Principal:
    """Return a member as who asks."""
    found = known.member
    return member_principal(known.organization_id, found.id, found.email, found.role, session_id)


def _require_password(tools: Tools, email: str, password: str) -> None:
    """Refuse a wrong password, and somebody unknown; a hash made with old parameters is renewed."""
    with tools.database.reading() as tx:
        stored = members.find_password_hash(tx, email)
    given = normalized(password[:LONGEST_PASSWORD])
    is_right = is_password(given, stored or NOBODYS_HASH)
    if stored is None or not is_right:
        raise PermissionDenied(_WRONG)
    if needs_rehash(stored):
        renewed = hash_password(given)
        with tools.database.writing() as tx:
            members.save_password_hash(tx, email, renewed)


def choose_active(tx: Transaction, email: str, organization_id: str) -> Membership | None:
    """Return the active membership that is meant, if any; of several refuse to choose."""
    active = [
        known for known in list_active(tx, email) if organization_id in {"", known.organization_id}
    ]
    return choose_membership(active)


def choose_membership(known: Sequence[Membership]) -> Membership | None:
    """Return the only membership, if any; refuse who plans for several and names none."""
    if len(known) <= 1:
        return known[0] if known else None
    organizations = [one.organization_id for one in known]
    raise FailedPrecondition(
        f"name an organization, one of: {', '.join(organizations)}",
        [
            PreconditionViolation(
                type="organization", subject=one, description="a member of this organization"
            )
            for one in organizations
        ],
    )


def open_session(
    tools: Tools, tx: Transaction, request: Request, known: Membership, factor: str
) -> SignedInMember:
    """Sign a member in in one more browser, within a transaction.

    What the same browser was signed in with before ends.
    """
    now = tools.clock.now()
    organization = find_organization(tx, known.organization_id)
    if organization is None:
        raise PermissionDenied(_WRONG)
    if request.session_token:
        remove_session_of_token(tx, hash_secret(request.session_token))
    token = new_secret(tools.ids)
    session = MemberSession(id=new_id(tools.ids, "ses"), created_at=now, last_seen_at=now)
    add_member_session(tx, known.member.id, session, hash_secret(token))
    members.note_member_seen(tx, known.member.id, now)
    origin = replace(request, principal=principal_of(known)).origin()
    details = SecurityEventDetails(session_id=session.id, factor=factor)
    record(tx, origin, SecurityEventKind.MEMBER_SIGNED_IN, now, tools.ids, details)
    return SignedInMember(
        member=msgspec.structs.replace(known.member, last_seen_at=now),
        organization=organization,
        token=token,
        csrf_token=csrf_token_of(token),
    )


def identify_member(tools: Tools, token: str) -> Principal:
    """Return who is signed in with this token; raise Unauthenticated.

    That the browser was heard of is noted every few minutes, which keeps its session alive.
    """
    now = tools.clock.now()
    found = find_signed_in(tools.database, hash_secret(token), now)
    if found is None:
        raise Unauthenticated("session is invalid, ended or expired; sign in again")
    if now - found.seen_at >= MEMBER_SEEN_EVERY:
        with tools.database.writing() as tx:
            note_session_seen(tx, found.principal.session_id, now)
            members.note_member_seen(tx, found.principal.id, now)
    return found.principal


def show_session(tools: Tools, principal: Principal, token: str) -> SignedInMember:
    """Return what signing in answered."""
    with tools.database.reading() as tx:
        known = members.find_member(tx, principal.organization_id, principal.id)
        organization = find_organization(tx, principal.organization_id)
    if known is None or organization is None:
        raise NotFound("member not found")
    return SignedInMember(
        member=known.member,
        organization=organization,
        token=token,
        csrf_token=csrf_token_of(token),
    )


def list_browsers(tools: Tools, principal: Principal) -> Sequence[MemberSession]:
    """Return the browsers in which a member is signed in."""
    with tools.database.reading() as tx:
        return list_member_sessions(tx, principal.id, tools.clock.now())


def end_session(tools: Tools, request: Request, session_id: str) -> None:
    """Sign one of the member's browsers out, at once."""
    with begin_work(tools, request) as work:
        if not remove_member_session(work.tx, request.principal.id, session_id):
            raise NotFound("session not found")
        details = SecurityEventDetails(session_id=session_id)
        work.record_security(SecurityEventKind.MEMBER_SIGNED_OUT, details)
        work.done(None)


def find_invitation(tools: Tools, token: str) -> OpenInvitation:
    """Return what a link invites to; raise NotFound for one that cannot be taken up."""
    with tools.database.reading() as tx:
        known = _invited(tools, tx, token)
        organization = find_organization(tx, known.organization_id)
        if organization is None:
            raise unknown_link()
        return OpenInvitation(
            member=known.member,
            organization=organization,
            has_password=members.find_password_hash(tx, known.member.email) is not None,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Acceptance:
    """What somebody takes up an invitation with; without a name the invited one stays."""

    name: str
    password: str
    code: str = ""


def accept_invitation(
    tools: Tools, request: Request, token: str, given: Acceptance
) -> SignedInMember:
    """Take up an invitation, once, and sign in.

    Who has a password already must give it, with a code where one is wanted, and none is set:
    nobody who invites can take over an account (decisions §22).
    """
    invitation = find_invitation(tools, token)
    email = invitation.member.email
    new_hash, factor = None, PASSWORD
    if invitation.has_password:
        with _guesses_counted(tools, request, email):
            _require_password(tools, email, given.password)
            if require_code(tools, request, email, given.code):
                factor = TOTP
    else:
        with tools.database.reading() as tx:
            _require_newcomer(tx, email)
        require_good_password(given.password, email)
        new_hash = hash_password(normalized(given.password))
    request = replace(request, principal=link_holder(invitation.organization.id))
    with begin_work(tools, request) as work:
        known = _invited(tools, work.tx, token)
        if not take_link(work.tx, hash_secret(token)):
            raise unknown_link()
        if new_hash is not None:
            if members.find_password_hash(work.tx, email) is not None:
                raise unknown_link()  # another invitation of the same person was faster
            members.save_password_hash(work.tx, email, new_hash)
            # Once the person is locked: the provider may have signed them in somewhere meanwhile.
            _require_newcomer(work.tx, email)
        return work.done(join(tools, work, request, known, (given.name, factor)))


def join(
    tools: Tools,
    work: UnitOfWork,
    request: Request,
    known: Membership,
    named_by: tuple[str, str],
) -> SignedInMember:
    """Make an invited member active under a name, and sign them in by a factor."""
    name, factor = named_by
    accepted = known.member.accepted(name.strip())
    members.save_member(work.tx, work.organization_id, accepted)
    members.note_accepted(work.tx, accepted.id, work.now)
    joined = replace(known, member=accepted)
    work.record_security(SecurityEventKind.MEMBER_JOINED, by=principal_of(joined))
    return open_session(tools, work.tx, request, joined, factor)


def _require_newcomer(tx: Transaction, email: str) -> None:
    """Refuse to give a password to who signs in without one, by OpenID Connect."""
    known = members.list_memberships(tx, email)
    if any(one.has_accepted for one in known):
        raise FailedPrecondition("sign in as you do elsewhere; the link sets no password for you")


def _invited(tools: Tools, tx: Transaction, token: str) -> Membership:
    link = live_link(tools, tx, LinkKind.INVITE, token)
    known = members.find_member_anywhere(tx, link.member_id or "")
    if known is None or known.member.status is not MemberStatus.INVITED:
        raise unknown_link()
    return known


def list_active(tx: Transaction, email: str) -> Sequence[Membership]:
    """Return the memberships in which a person may sign in."""
    known = members.list_memberships(tx, email)
    return [one for one in known if one.member.status is MemberStatus.ACTIVE]


def make_sign_in_link(tools: Tools, organization_id: str, member_id: str) -> str:
    """Return a link that signs a browser in once, for 24 hours; one made before is void."""
    token = new_secret(tools.ids)
    with tools.database.writing() as tx:
        known = members.find_member(tx, organization_id, member_id)
        if known is None:
            raise NotFound("member not found")
        link = MemberLink(
            kind=LinkKind.SIGN_IN,
            email=known.member.email,
            member_id=member_id,
            expires_at=tools.clock.now() + SIGN_IN_LINK_LIFETIME,
        )
        replace_link(tx, link, hash_secret(token))
    return f"{tools.address.url}{SIGN_IN_PATH}/{token}"


def find_sign_in_link(tools: Tools, token: str) -> None:
    """Raise NotFound unless a link still signs a member in; it is not taken up."""
    with tools.database.reading() as tx:
        live_link(tools, tx, LinkKind.SIGN_IN, token)


def sign_in_by_link(tools: Tools, request: Request, token: str) -> SignedInMember:
    """Sign a member in by a link, once."""
    with tools.database.writing() as tx:
        link = live_link(tools, tx, LinkKind.SIGN_IN, token)
        known = members.find_member_anywhere(tx, link.member_id or "")
        if known is None or known.member.status is not MemberStatus.ACTIVE:
            raise unknown_link()
        if not take_link(tx, hash_secret(token)):
            raise unknown_link()
        return open_session(tools, tx, request, known, LINK)


def live_link(tools: Tools, tx: Transaction, kind: LinkKind, token: str) -> MemberLink:
    """Return a link that still works; raise NotFound."""
    link = find_link(tx, kind, hash_secret(token))
    if link is None or link.expires_at <= tools.clock.now():
        raise unknown_link()
    return link


def unknown_link() -> NotFound:
    """Return the refusal of a link that does not work, whatever is wrong with it."""
    return NotFound("link is unknown, expired, replaced or used up; ask for a new one")
