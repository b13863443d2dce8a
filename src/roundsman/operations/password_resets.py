"""New passwords: chosen by who knows theirs, or linked to for who forgot it.

Where mail is set up a link goes out by a job, so that no outage loses it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from roundsman.domain.errors import NotFound
from roundsman.domain.member import PASSWORD_RESET_LIFETIME, email_key
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.organization import Language
from roundsman.domain.password import normalized, require_good_password
from roundsman.domain.principal import Principal, operator
from roundsman.domain.security_event import (
    RequestOrigin,
    SecurityEventDetails,
    SecurityEventKind,
)
from roundsman.kit.ids import new_id
from roundsman.kit.passwords import hash_password
from roundsman.kit.secrets import hash_secret, new_secret
from roundsman.notifications.email import Letter, send_letter
from roundsman.notifications.texts import write_password_reset
from roundsman.operations.jobs import JobKind, RunningJob, enqueue_job
from roundsman.operations.member_sign_in import (
    confirm_password,
    find_principals,
    list_active,
    live_link,
    principal_of,
    unknown_link,
)
from roundsman.operations.organizations import get_organization
from roundsman.operations.request import Request
from roundsman.operations.second_factors import PASSKEY, record_of_person, require_code
from roundsman.operations.security_events import record
from roundsman.operations.sign_in_failures import FailedSignIn
from roundsman.operations.sign_in_limits import SignInLimits
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.storage import members
from roundsman.storage.member_links import LinkKind, MemberLink, replace_link, take_link
from roundsman.storage.member_sessions import (
    remove_other_sessions_of_person,
    remove_sessions_of_person,
)
from roundsman.storage.second_factors import remove_passkeys
from roundsman.storage.tables import as_micros

RESET_PATH = "/members/reset"


class PasswordResetJob(Model):
    """Who is to be sent a link, in which language; unset it is the organization's."""

    email: str
    language: Language | UnsetType = UNSET


class LetterNotSent(Exception):
    """The mail server took no letter; the job is tried again."""


def make_reset_link(tools: Tools, email: str, command: str = "") -> str:
    """Return a link to choose a new password with; one that was made before is void."""
    token = new_secret(tools.ids)
    now = tools.clock.now()
    link = MemberLink(
        kind=LinkKind.PASSWORD_RESET,
        email=email,
        member_id=None,
        expires_at=now + PASSWORD_RESET_LIFETIME,
    )
    with tools.database.writing() as tx:
        active = list_active(tx, email)
        if not active:
            raise NotFound(f"no active member has the e-mail address {email}")
        replace_link(tx, link, hash_secret(token))
        for known in active:
            origin = RequestOrigin(principal=operator(known.organization_id), command=command)
            details = SecurityEventDetails(member_id=known.member.id, email=known.member.email)
            record(tx, origin, SecurityEventKind.PASSWORD_RESET_LINK_MADE, now, tools.ids, details)
    return f"{tools.address.url}{RESET_PATH}/{token}"


def request_reset(
    tools: Tools,
    request: Request,
    email: str,
    follow_up: Callable[[Principal], None] | None = None,
) -> None:
    """Take note that somebody forgot a password; what is told depends on nothing.

    Owners find it among the security events. `follow_up` has a link sent where mail is set up;
    `roundsman member reset-password` prints one.
    """
    limits = SignInLimits(tools.buckets, "password-reset")
    now = tools.clock.now()
    limits.check(request.address, email_key(email), as_micros(now))
    limits.count_failure(request.address, email_key(email), as_micros(now))
    tools.failures.note(
        FailedSignIn(
            kind=SecurityEventKind.PASSWORD_RESET_REQUESTED,
            claimed=email_key(email),
            find=partial(find_principals, email),
            at=now,
            address=request.address,
            user_agent=request.user_agent,
            follow_up=follow_up,
        )
    )


def find_reset(tools: Tools, token: str) -> str:
    """Return whose password a link resets; raise NotFound for a link that does not work."""
    with tools.database.reading() as tx:
        return live_link(tools, tx, LinkKind.PASSWORD_RESET, token).email


def reset_password(tools: Tools, request: Request, token: str, password: str) -> None:
    """Set a new password by a link, once; every session and passkey of the person ends.

    Somebody who invited them elsewhere may have taken the invitation up in their place, and made a
    passkey that would sign in wherever they plan. A second factor stays: it lets nobody in alone.
    """
    email = find_reset(tools, token)
    require_good_password(password, email)
    new_hash = hash_password(normalized(password))
    now = tools.clock.now()
    with tools.database.writing() as tx:
        live_link(tools, tx, LinkKind.PASSWORD_RESET, token)
        if not take_link(tx, hash_secret(token)):
            raise unknown_link()
        members.save_password_hash(tx, email, new_hash)
        remove_sessions_of_person(tx, email)
        if remove_passkeys(tx, email):
            removed = SecurityEventKind.SECOND_FACTOR_REMOVED
            record_of_person(tools, tx, request, email, removed, PASSKEY)
        for known in list_active(tx, email):
            origin = replace(request, principal=principal_of(known)).origin()
            record(tx, origin, SecurityEventKind.PASSWORD_CHANGED, now, tools.ids)


@dataclass(frozen=True, kw_only=True, slots=True)
class PasswordChange:
    """The password that somebody has, and the one that they want; `code` where one is wanted."""

    password: str
    new_password: str
    code: str = ""


def change_password(tools: Tools, request: Request, given: PasswordChange) -> None:
    """Set a new password for who is signed in and knows the old one; other sessions end."""
    email = request.principal.email
    confirm_password(tools, request, email, given.password)
    require_code(tools, request, email, given.code)
    require_good_password(given.new_password, email)
    new_hash = hash_password(normalized(given.new_password))
    now = tools.clock.now()
    with tools.database.writing() as tx:
        members.save_password_hash(tx, email, new_hash)
        remove_other_sessions_of_person(tx, email, request.principal.session_id)
        for known in list_active(tx, email):
            origin = replace(request, principal=principal_of(known)).origin()
            record(tx, origin, SecurityEventKind.PASSWORD_CHANGED, now, tools.ids)


def enqueue_reset_letter(
    tools: Tools, email: str, language: Language | None, principal: Principal
) -> None:
    """Have a link sent to a member soon, in the language of who asked, or the organization's."""
    payload = PasswordResetJob(email=email, language=language or UNSET)
    with begin_work(tools, Request(principal=principal)) as work:
        enqueue_job(work, PASSWORD_RESETS, payload)
        work.done(None)


def send_reset_letter(tools: Tools, job: RunningJob[PasswordResetJob]) -> None:
    """Send a link to choose a new password with; an attempt that is repeated sends another.

    It goes to the member's address as it is stored, never as somebody typed it.
    """
    if tools.mail is not None:
        organization = get_organization(tools.database, job.job.organization_id)
        to = _stored_address(tools, job)
        if to:
            link = make_reset_link(tools, to)
            language = job.payload.language or organization.language
            text = write_password_reset(language, organization.name, link)
            letter = Letter(
                id=new_id(tools.ids, "msg"),
                to=to,
                subject=text.subject or "",
                text=text.text,
                headers={},
            )
            handed = send_letter(tools.mail, letter, tools.clock.now())
            if handed.error and not handed.is_final:
                raise LetterNotSent(handed.error)
    with begin_work(tools, job.completing()) as work:
        work.done(None)


def _stored_address(tools: Tools, job: RunningJob[PasswordResetJob]) -> str:
    """Return where the member's letters go; nowhere for who was deactivated since."""
    with tools.database.reading() as tx:
        active = list_active(tx, job.payload.email)
    ours = (one for one in active if one.organization_id == job.job.organization_id)
    known = next(ours, None) or next(iter(active), None)
    return "" if known is None else known.member.email


PASSWORD_RESETS = JobKind(name="password-reset", payload=PasswordResetJob, run=send_reset_letter)
