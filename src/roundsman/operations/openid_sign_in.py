"""Signing members in at an OpenID Connect provider (decisions §13).

The provider says whose e-mail address it is; who may come in is decided here, as by invitation.
"""

import hmac
from dataclasses import replace
from enum import StrEnum

import structlog
from msgspec import Struct

from roundsman.domain.errors import FailedPrecondition, NotAllowed, NotFound, Unavailable
from roundsman.domain.member import Member, MemberStatus
from roundsman.domain.principal import link_holder
from roundsman.domain.security_event import SecurityEventDetails, SecurityEventKind
from roundsman.kit.cursor import WrongCursor, open_cursor, seal_cursor
from roundsman.kit.ids import new_id
from roundsman.kit.openid_connect import (
    EmailNotGiven,
    IdentityRefused,
    OpenIdConnect,
    ProviderFailed,
    ProviderIdentity,
    SignInAttempt,
)
from roundsman.kit.secrets import new_secret
from roundsman.operations.member_sign_in import (
    SignedInMember,
    choose_membership,
    join,
    open_session,
)
from roundsman.operations.request import Request
from roundsman.operations.second_factors import OPENID_CONNECT, record_of_person
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.storage import members
from roundsman.storage.member_links import LinkKind, remove_links
from roundsman.storage.member_sessions import remove_sessions_of_person
from roundsman.storage.members import Membership
from roundsman.storage.organizations import select_organizations
from roundsman.storage.second_factors import remove_second_factors
from roundsman.storage.tables import as_micros

ATTEMPT_SECONDS = 600
_CALLBACK_PATH = "/members/api/oidc/callback"

_log = structlog.get_logger("roundsman.operations")


class SignInProblem(StrEnum):
    """Why somebody is not signed in, as a page says it in its reader's language."""

    DECLINED = "DECLINED"
    OUTDATED = "OUTDATED"
    UNVERIFIED = "UNVERIFIED"
    NO_EMAIL = "NO_EMAIL"
    NOT_A_MEMBER = "NOT_A_MEMBER"
    UNTRUSTED = "UNTRUSTED"
    UNAVAILABLE = "UNAVAILABLE"
    NO_PROVIDER = "NO_PROVIDER"
    ELSEWHERE = "ELSEWHERE"


class OpenIdSignInRefused(NotAllowed):
    """Who comes back from the provider is not let in."""

    def __init__(self, problem: SignInProblem, message: str) -> None:
        super().__init__(message)
        self.problem = problem


class SignInOutdated(FailedPrecondition):
    """A sign-in has to begin again: of another browser, or of long ago."""


class ProviderUnavailable(Unavailable):
    """The provider does not answer."""


class _KeptAttempt(Struct, array_like=True):
    """What a browser keeps while it is at the provider."""

    state: str
    nonce: str
    code_verifier: str
    organization_id: str
    begun_at: int


def begin_openid_sign_in(tools: Tools, organization_id: str) -> tuple[str, str]:
    """Return where to send a browser, and what it must bring back beside the provider's answer."""
    attempt = SignInAttempt(
        state=new_secret(tools.ids),
        nonce=new_secret(tools.ids),
        code_verifier=new_secret(tools.ids),
    )
    try:
        url = _provider(tools).authorization_url(attempt, _callback(tools))
    except ProviderFailed as error:
        raise _unavailable(error) from error
    kept = _KeptAttempt(
        attempt.state,
        attempt.nonce,
        attempt.code_verifier,
        organization_id,
        as_micros(tools.clock.now()),
    )
    return url, seal_cursor(kept, tools.link_key)


def finish_openid_sign_in(
    tools: Tools, request: Request, code: str, state: str, brought: str
) -> SignedInMember:
    """Sign in whom the provider sent back to the browser that began."""
    kept = _open(tools, brought, state)
    attempt = SignInAttempt(state=kept.state, nonce=kept.nonce, code_verifier=kept.code_verifier)
    try:
        identity = _provider(tools).identify(code, attempt, _callback(tools), tools.clock.now())
    except ProviderFailed as error:
        raise _unavailable(error) from error
    except EmailNotGiven as error:
        _log.warning("openid_email_not_given", reason=str(error))
        raise OpenIdSignInRefused(
            SignInProblem.NO_EMAIL,
            "the provider names no e-mail address; it has to pass on the scope email",
        ) from error
    except IdentityRefused as error:
        _log.warning("openid_identity_refused", reason=str(error))
        raise OpenIdSignInRefused(
            SignInProblem.UNTRUSTED, "the provider's answer cannot be believed"
        ) from error
    if not identity.is_verified:
        raise OpenIdSignInRefused(
            SignInProblem.UNVERIFIED,
            "the provider does not know that this e-mail address is yours",
        )
    known = _find_member(tools, identity, kept.organization_id)
    if known is None:
        return _add_newcomer(tools, request, identity)
    if known.member.status is MemberStatus.INVITED:
        return _accept(tools, request, known, identity)
    with tools.database.writing() as tx:
        current = members.find_member(tx, known.organization_id, known.member.id, locked=True)
        if current is None or current.member.status is not MemberStatus.ACTIVE:
            raise _not_a_member()
        return open_session(tools, tx, request, current, OPENID_CONNECT)


def _open(tools: Tools, brought: str, state: str) -> _KeptAttempt:
    """Return what the browser kept; refuse an answer that another browser asked for."""
    try:
        kept = open_cursor(brought, _KeptAttempt, tools.link_key)
    except WrongCursor:
        raise _begin_again() from None
    age = as_micros(tools.clock.now()) - kept.begun_at
    is_same = hmac.compare_digest(kept.state.encode(), state.encode("utf-8", "surrogatepass"))
    if not is_same or not 0 <= age < ATTEMPT_SECONDS * 1_000_000:
        raise _begin_again()
    return kept


def _find_member(
    tools: Tools, identity: ProviderIdentity, organization_id: str
) -> Membership | None:
    """Return the membership that is meant; who is deactivated is told what nobody is told."""
    with tools.database.reading() as tx:
        found = [
            known
            for known in members.list_memberships(tx, identity.email)
            if organization_id in {"", known.organization_id}
        ]
    if not found:
        return None
    open_to = [one for one in found if one.member.status is not MemberStatus.DEACTIVATED]
    active = [one for one in open_to if one.member.status is MemberStatus.ACTIVE]
    candidates = active or open_to
    chosen = choose_membership(candidates)
    if chosen is None:
        raise _not_a_member()
    return chosen


def _accept(
    tools: Tools, request: Request, known: Membership, identity: ProviderIdentity
) -> SignedInMember:
    """Take up an invitation for who has shown whose address it is.

    A password that the person has may have been chosen by somebody who invited them elsewhere, so
    it ends here, and with it every session and second factor: a passkey signs in alone.
    """
    request = _acting_for(request, known.organization_id)
    with begin_work(tools, request) as work:
        current = members.find_member(work.tx, known.organization_id, known.member.id, locked=True)
        if current is None or current.member.status is not MemberStatus.INVITED:
            raise _begin_again()
        email = current.member.email
        members.remove_password(work.tx, email)
        remove_sessions_of_person(work.tx, email)
        if remove_second_factors(work.tx, email):
            removed = SecurityEventKind.SECOND_FACTOR_REMOVED
            record_of_person(tools, work.tx, request, email, removed)
        remove_links(work.tx, LinkKind.INVITE, email, current.member.id)
        return work.done(join(tools, work, request, current, (identity.name, OPENID_CONNECT)))


def _add_newcomer(tools: Tools, request: Request, identity: ProviderIdentity) -> SignedInMember:
    """Make a member of who was not invited, where a setting says as what, and it is clear where."""
    if tools.openid_role is None:
        raise _not_a_member()
    with tools.database.reading() as tx:
        organizations = select_organizations(tx)
    if len(organizations) != 1:
        raise _not_a_member()
    request = _acting_for(request, organizations[0].id)
    with begin_work(tools, request) as work:
        newcomer = Member(
            id=new_id(work.ids, "mem"),
            email=identity.email,
            name=identity.name,
            role=tools.openid_role,
            created_at=work.now,
        )
        if not members.insert_member(work.tx, work.organization_id, newcomer):
            raise _begin_again()
        details = SecurityEventDetails(
            member_id=newcomer.id, email=newcomer.email, role=newcomer.role
        )
        work.record_security(SecurityEventKind.MEMBER_INVITED, details)
        known = Membership(
            member=newcomer, organization_id=work.organization_id, has_accepted=False
        )
        return work.done(join(tools, work, request, known, ("", OPENID_CONNECT)))


def _acting_for(request: Request, organization_id: str) -> Request:
    return replace(request, principal=link_holder(organization_id))


def _provider(tools: Tools) -> OpenIdConnect:
    if tools.openid is None:
        raise NotFound("no OpenID Connect provider is set up; see ROUNDSMAN_OIDC_ISSUER")
    return tools.openid


def _callback(tools: Tools) -> str:
    return f"{tools.address.url}{_CALLBACK_PATH}"


def _unavailable(error: ProviderFailed) -> ProviderUnavailable:
    _log.warning("openid_provider_failed", reason=str(error))
    return ProviderUnavailable("the OpenID Connect provider does not answer")


def _begin_again() -> SignInOutdated:
    return SignInOutdated("this sign-in was not begun in this browser, or long ago; begin again")


def _not_a_member() -> OpenIdSignInRefused:
    return OpenIdSignInRefused(
        SignInProblem.NOT_A_MEMBER, "nobody has invited this e-mail address; ask an owner"
    )
