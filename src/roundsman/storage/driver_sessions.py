"""Invites of drivers, and the devices on which they are signed in; tokens are kept as hashes."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, bindparam, delete, func, insert, or_, select, true, update

from roundsman.domain.driver import DriverStatus
from roundsman.domain.driver_session import IDLE_LIFETIME, LIFETIME, DriverSession
from roundsman.domain.principal import Principal, driver_device
from roundsman.storage.database import Transaction
from roundsman.storage.driver_tables import driver_sessions
from roundsman.storage.tables import Instant, driver_invites, drivers

_SEEN_AT = func.coalesce(driver_sessions.c.seen_at, driver_sessions.c.created_at, type_=Instant())

_SIGNED = (
    select(
        driver_sessions.c.id,
        driver_sessions.c.driver_id,
        drivers.c.organization_id,
        driver_sessions.c.created_at,
        driver_sessions.c.is_tracker,
        _SEEN_AT.label("seen_at"),
    )
    .join(drivers, drivers.c.id == driver_sessions.c.driver_id)
    .where(
        driver_sessions.c.token_hash == bindparam("token_hash"),
        drivers.c.status == DriverStatus.ACTIVE.value,
    )
)


def add_session(
    tx: Transaction,
    driver_id: str,
    session: DriverSession,
    token_hash: bytes,
    restore_hash: bytes | None = None,
    *,
    is_tracker: bool = False,
) -> None:
    """Sign a driver in on one more device; the second hash is of what restores the session.

    A tracker is a session that may do nothing but tell where the driver is.
    """
    tx.execute(
        insert(driver_sessions).values(
            token_hash=token_hash,
            restore_hash=restore_hash,
            id=session.id,
            driver_id=driver_id,
            device=session.device,
            created_at=session.created_at,
            is_tracker=is_tracker,
        )
    )


def find_signed(
    tx: Transaction, token_hash: bytes, now: datetime, *, may_be_tracker: bool = False
) -> tuple[Principal, datetime] | None:
    """Return whose session this is and when it was last seen.

    There is none when it has ended or its driver may not drive.
    """
    row = tx.execute(_SIGNED, {"token_hash": token_hash}).first()
    if row is None or (row.is_tracker and not may_be_tracker):
        return None
    if row.created_at <= now - LIFETIME or row.seen_at <= now - IDLE_LIFETIME:
        return None
    return driver_device(row.organization_id, row.id, row.driver_id), row.seen_at


@dataclass(frozen=True, kw_only=True, slots=True)
class RestorableSession:
    """A session whose device may have lost what it kept."""

    organization_id: str
    driver_id: str
    session_id: str
    device: str


def find_restorable(
    tx: Transaction, restore_hash: bytes, now: datetime
) -> RestorableSession | None:
    """Return the session that a browser may restore: one that goes on, of who may drive."""
    row = tx.execute(
        select(driver_sessions, drivers.c.organization_id)
        .join(drivers, drivers.c.id == driver_sessions.c.driver_id)
        .where(
            driver_sessions.c.restore_hash == restore_hash,
            drivers.c.status == DriverStatus.ACTIVE.value,
            ~_has_ended(now),
        )
    ).first()
    if row is None:
        return None
    return RestorableSession(
        organization_id=row.organization_id,
        driver_id=row.driver_id,
        session_id=row.id,
        device=row.device,
    )


def note_seen(tx: Transaction, session_id: str, now: datetime) -> None:
    """Note that a device is heard of."""
    tx.execute(
        update(driver_sessions).where(driver_sessions.c.id == session_id).values(seen_at=now)
    )


def remove_ended_sessions(tx: Transaction, now: datetime) -> None:
    """Forget sessions whose time is over."""
    tx.execute(delete(driver_sessions).where(_has_ended(now)))


def _has_ended(now: datetime) -> ColumnElement[bool]:
    return or_(
        driver_sessions.c.created_at <= now - LIFETIME,
        now - IDLE_LIFETIME >= _SEEN_AT,
    )


def select_sessions(tx: Transaction, driver_id: str, now: datetime) -> tuple[DriverSession, ...]:
    """Return the devices of a driver, oldest first."""
    rows = tx.execute(
        select(driver_sessions)
        .where(driver_sessions.c.driver_id == driver_id, ~_has_ended(now))
        .order_by(driver_sessions.c.created_at, driver_sessions.c.id)
    )
    return tuple(
        DriverSession(id=row.id, device=row.device, created_at=row.created_at) for row in rows
    )


def remove_session(tx: Transaction, driver_id: str, session_id: str) -> bool:
    """Sign a device out; say whether it was signed in."""
    removed = tx.execute(
        delete(driver_sessions).where(
            driver_sessions.c.driver_id == driver_id, driver_sessions.c.id == session_id
        )
    )
    return removed.rowcount == 1


def remove_trackers(tx: Transaction, driver_id: str) -> None:
    """Sign a driver's trackers out."""
    is_tracker = driver_sessions.c.is_tracker.is_(true())
    tx.execute(delete(driver_sessions).where(driver_sessions.c.driver_id == driver_id, is_tracker))


def remove_sessions(tx: Transaction, driver_id: str) -> None:
    """Sign all of a driver's devices out."""
    tx.execute(delete(driver_sessions).where(driver_sessions.c.driver_id == driver_id))


def replace_invite(
    tx: Transaction, driver_id: str, token_hash: bytes, expires_at: datetime
) -> None:
    """Store a driver's one invite; an earlier one no longer works."""
    remove_invites(tx, driver_id)
    tx.execute(
        insert(driver_invites).values(
            token_hash=token_hash, driver_id=driver_id, expires_at=expires_at
        )
    )


def remove_invites(tx: Transaction, driver_id: str) -> None:
    """Let no invite of a driver work any more."""
    tx.execute(delete(driver_invites).where(driver_invites.c.driver_id == driver_id))


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredInvite:
    """Whom an invite is for, and until when it is good."""

    driver_id: str
    expires_at: datetime


def find_invite(tx: Transaction, token_hash: bytes) -> StoredInvite | None:
    """Return an invite that nobody has used."""
    row = tx.execute(
        select(driver_invites).where(driver_invites.c.token_hash == token_hash)
    ).first()
    if row is None:
        return None
    return StoredInvite(driver_id=row.driver_id, expires_at=row.expires_at)


def take_invite(tx: Transaction, token_hash: bytes) -> bool:
    """Use an invite up; say whether nobody was faster."""
    taken = tx.execute(delete(driver_invites).where(driver_invites.c.token_hash == token_hash))
    return taken.rowcount == 1
