"""Signing a driver in on a device by an invite, once, and out again."""

from dataclasses import dataclass
from datetime import datetime

from roundsman.domain.driver import Driver
from roundsman.domain.driver_session import SEEN_EVERY, DriverSession
from roundsman.domain.errors import FailedPrecondition, NotFound, Unauthenticated
from roundsman.domain.event import Actor, driver_signed_up
from roundsman.domain.organization import Organization
from roundsman.domain.principal import Principal, driver_device, link_holder
from roundsman.domain.security_event import SecurityEventDetails, SecurityEventKind
from roundsman.kit.ids import new_id
from roundsman.kit.secrets import DEVICE_TOKEN, hash_secret, new_secret
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import UnitOfWork, begin_work
from roundsman.storage import driver_sessions as sessions
from roundsman.storage import drivers as stored
from roundsman.storage.database import Transaction
from roundsman.storage.driver_sessions import StoredInvite, find_invite, take_invite
from roundsman.storage.organizations import find_organization

TRACKER = "Tracker"
"""What the session of a tracker is called among a driver's devices."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenInvite:
    """An invite that may be accepted: who invites whom, and until when."""

    driver: Driver
    organization: Organization
    expires_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class SignedIn:
    """A device signed in; both tokens are shown this once.

    The second one does nothing but sign the same device in again when it has lost what it kept.
    """

    driver: Driver
    organization: Organization
    session: DriverSession
    token: str
    restore_token: str


def look_at_invite(tools: Tools, token: str) -> OpenInvite:
    """Return what an invite invites to; say what is wrong with one that cannot be accepted."""
    with tools.database.reading() as tx:
        return _open(tx, token, tools.clock.now())


def accept_invite(tools: Tools, token: str, device: str, actor: Actor) -> SignedIn:
    """Use an invite up: the driver is ACTIVE and signed in on this device."""
    with tools.database.reading() as tx:
        invite = _open(tx, token, tools.clock.now())
    who = Request(
        principal=link_holder(invite.organization.id),
        address=actor.ip_address or "",
        user_agent=actor.user_agent or "",
        actor=Actor(
            driver_id=invite.driver.id, ip_address=actor.ip_address, user_agent=actor.user_agent
        ),
    )
    with begin_work(tools, who) as work:
        driver = _sign_up(work, invite.driver.id)
        if not take_invite(work.tx, hash_secret(token)):
            raise _unknown_invite()
        return work.done(_sign_in(work, driver, device.strip()))


def restore_session(tools: Tools, restore_token: str, actor: Actor) -> SignedIn:
    """Sign a device in again that has lost what it kept; what it was signed in with ends.

    The new session has a journal of its own: nobody knows any more what the old one still held.
    """
    token_hash = hash_secret(restore_token)
    with tools.database.reading() as tx:
        lost = sessions.find_restorable(tx, token_hash, tools.clock.now())
    if lost is None:
        raise _nothing_to_restore()
    who = Request(
        principal=link_holder(lost.organization_id),
        address=actor.ip_address or "",
        user_agent=actor.user_agent or "",
        actor=Actor(
            driver_id=lost.driver_id, ip_address=actor.ip_address, user_agent=actor.user_agent
        ),
    )
    with begin_work(tools, who) as work:
        driver = stored.find_driver(work.tx, work.organization_id, lost.driver_id, locked=True)
        found = sessions.find_restorable(work.tx, token_hash, work.now)
        if driver is None or found is None:
            raise _nothing_to_restore()
        sessions.remove_session(work.tx, driver.id, found.session_id)
        return work.done(_sign_in(work, driver, found.device))


def _nothing_to_restore() -> Unauthenticated:
    return Unauthenticated("there is no session to restore; ask for a new invite")


def _sign_in(work: UnitOfWork, driver: Driver, device: str) -> SignedIn:
    organization = find_organization(work.tx, work.organization_id)
    if organization is None:
        raise _unknown_invite()
    token, restore_token = (new_secret(work.ids, DEVICE_TOKEN) for _ in range(2))
    session = DriverSession(id=new_id(work.ids, "ses"), device=device, created_at=work.now)
    hashes = (hash_secret(token), hash_secret(restore_token))
    sessions.add_session(work.tx, driver.id, session, *hashes)
    work.record_security(
        SecurityEventKind.DRIVER_SIGNED_IN,
        SecurityEventDetails(session_id=session.id),
        by=driver_device(work.organization_id, session.id, driver.id),
    )
    return SignedIn(
        driver=driver,
        organization=organization,
        session=session,
        token=token,
        restore_token=restore_token,
    )


def _sign_up(work: UnitOfWork, driver_id: str) -> Driver:
    """Make a pending driver active, with an event; an active one signs in on one more device."""
    driver = stored.find_driver(work.tx, work.organization_id, driver_id, locked=True)
    if driver is None:
        raise _unknown_invite()
    signed_up = driver.signed_up()
    if signed_up != driver:
        stored.save_driver(work.tx, work.organization_id, signed_up)
        work.record(driver_signed_up(signed_up))
    return signed_up


def _open(tx: Transaction, token: str, now: datetime) -> OpenInvite:
    invite = find_invite(tx, hash_secret(token))
    if invite is None:
        raise _unknown_invite()
    if invite.expires_at <= now:
        raise FailedPrecondition("invite has expired; ask for a new one")
    return _of(tx, invite)


def _of(tx: Transaction, invite: StoredInvite) -> OpenInvite:
    organization_id = stored.find_driver_organization(tx, invite.driver_id) or ""
    driver = stored.find_driver(tx, organization_id, invite.driver_id)
    organization = find_organization(tx, organization_id)
    if driver is None or organization is None:
        raise _unknown_invite()
    return OpenInvite(
        driver=driver,
        organization=organization,
        expires_at=invite.expires_at,
    )


def _unknown_invite() -> NotFound:
    return NotFound("invite is unknown, replaced or used up; ask for a new one")


def identify_device(tools: Tools, token: str, *, may_be_tracker: bool = False) -> Principal:
    """Return who is signed in with this token; a driver who may not drive is not.

    That the device was heard of is noted once an hour, which keeps its session alive.
    """
    now = tools.clock.now()
    with tools.database.reading() as tx:
        found = sessions.find_signed(tx, hash_secret(token), now, may_be_tracker=may_be_tracker)
    if found is None:
        raise Unauthenticated(
            "session token is invalid, revoked or expired, or the driver is not active"
        )
    signed, seen_at = found
    if now - seen_at >= SEEN_EVERY:
        with tools.database.writing() as tx:
            sessions.note_seen(tx, signed.id, now)
    return signed


def connect_tracker(tools: Tools, request: Request) -> str:
    """Return the token of a program that tells where the driver is, in place of an earlier one."""
    with begin_work(tools, request) as work:
        driver_id = request.principal.driver_id
        sessions.remove_trackers(work.tx, driver_id)
        token = new_secret(work.ids, DEVICE_TOKEN)
        session = DriverSession(id=new_id(work.ids, "ses"), device=TRACKER, created_at=work.now)
        sessions.add_session(work.tx, driver_id, session, hash_secret(token), is_tracker=True)
        details = SecurityEventDetails(session_id=session.id)
        work.record_security(SecurityEventKind.DRIVER_SIGNED_IN, details)
        return work.done(token)


def get_driver_of(tools: Tools, signed: Principal) -> tuple[Driver, Organization]:
    """Return the driver who is signed in, and for whom they drive."""
    with tools.database.reading() as tx:
        driver = stored.find_driver(tx, signed.organization_id, signed.driver_id)
        organization = find_organization(tx, signed.organization_id)
    if driver is None or organization is None:
        raise NotFound("driver not found")
    return driver, organization


def list_devices(tools: Tools, organization_id: str, driver_id: str) -> tuple[DriverSession, ...]:
    """Return the devices on which a driver is signed in."""
    with tools.database.reading() as tx:
        if stored.find_driver(tx, organization_id, driver_id) is None:
            raise NotFound("driver not found")
        return sessions.select_sessions(tx, driver_id, tools.clock.now())


def sign_out_device(tools: Tools, request: Request, driver_id: str, session_id: str) -> None:
    """Sign a device out, at once."""
    with begin_work(tools, request) as work:
        is_theirs = stored.find_driver(work.tx, work.organization_id, driver_id) is not None
        if not is_theirs or not sessions.remove_session(work.tx, driver_id, session_id):
            raise NotFound("session not found")
        details = SecurityEventDetails(driver_id=driver_id, session_id=session_id)
        work.record_security(SecurityEventKind.DRIVER_SIGNED_OUT, details)
        work.done(None)
