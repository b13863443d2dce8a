"""Browsers in which members are signed in; only the hash of each one's token is kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, bindparam, delete, insert, or_, select, update

from roundsman.domain.member import MemberStatus, email_key
from roundsman.domain.member_session import (
    MEMBER_SESSION_IDLE_LIFETIME,
    MEMBER_SESSION_LIFETIME,
    MemberSession,
)
from roundsman.domain.principal import Principal, Role
from roundsman.domain.principal import member as member_principal
from roundsman.storage.database import Database, Transaction
from roundsman.storage.lookups import Lookup
from roundsman.storage.member_tables import member_sessions, members
from roundsman.storage.tables import as_micros, from_micros

_SIGNED_IN = Lookup(
    select(
        members.c.organization_id,
        members.c.id,
        members.c.email,
        members.c.role,
        member_sessions.c.id,
        member_sessions.c.created_at,
        member_sessions.c.seen_at,
    )
    .join(members, members.c.id == member_sessions.c.member_id)
    .where(
        member_sessions.c.token_hash == bindparam("token_hash"),
        members.c.status == bindparam("active"),
    )
)


@dataclass(frozen=True, kw_only=True, slots=True)
class LiveSession:
    """Who is signed in, since when, and when the browser was last heard of."""

    principal: Principal
    created_at: datetime
    seen_at: datetime


def add_member_session(
    tx: Transaction, member_id: str, session: MemberSession, token_hash: bytes
) -> None:
    """Sign a member in in one more browser."""
    tx.execute(
        insert(member_sessions).values(
            token_hash=token_hash,
            id=session.id,
            member_id=member_id,
            created_at=session.created_at,
            seen_at=session.last_seen_at,
        )
    )


def find_signed_in(database: Database, token_hash: bytes, now: datetime) -> LiveSession | None:
    """Return whose live session this is; none when it has ended or its member may not come in."""
    row = database.look_up(_SIGNED_IN, token_hash=token_hash, active=MemberStatus.ACTIVE.value)
    if row is None:
        return None
    organization_id, member_id, email, role, session_id, created_at, seen_at = row
    ended = created_at <= as_micros(now - MEMBER_SESSION_LIFETIME)
    if ended or seen_at <= as_micros(now - MEMBER_SESSION_IDLE_LIFETIME):
        return None
    return LiveSession(
        principal=member_principal(organization_id, member_id, email, Role(role), session_id),
        created_at=from_micros(created_at),
        seen_at=from_micros(seen_at),
    )


def note_session_seen(tx: Transaction, session_id: str, now: datetime) -> None:
    """Note that a browser was heard of."""
    tx.execute(
        update(member_sessions).where(member_sessions.c.id == session_id).values(seen_at=now)
    )


def list_member_sessions(tx: Transaction, member_id: str, now: datetime) -> Sequence[MemberSession]:
    """Return the browsers in which a member is signed in, oldest first."""
    rows = tx.execute(
        select(member_sessions)
        .where(member_sessions.c.member_id == member_id, ~_has_ended(now))
        .order_by(member_sessions.c.created_at, member_sessions.c.id)
    )
    return [
        MemberSession(id=row.id, created_at=row.created_at, last_seen_at=row.seen_at)
        for row in rows
    ]


def remove_member_session(tx: Transaction, member_id: str, session_id: str) -> bool:
    """Sign a browser out; say whether it was signed in."""
    removed = tx.execute(
        delete(member_sessions).where(
            member_sessions.c.member_id == member_id, member_sessions.c.id == session_id
        )
    )
    return removed.rowcount == 1


def remove_session_of_token(tx: Transaction, token_hash: bytes) -> None:
    """Sign out the browser that has this token, if any has."""
    tx.execute(delete(member_sessions).where(member_sessions.c.token_hash == token_hash))


def remove_member_sessions(tx: Transaction, member_id: str) -> None:
    """Sign a member out everywhere."""
    tx.execute(delete(member_sessions).where(member_sessions.c.member_id == member_id))


def remove_sessions_of_person(tx: Transaction, email: str) -> None:
    """Sign a person out everywhere, in every organization."""
    theirs = select(members.c.id).where(members.c.email_key == email_key(email))
    tx.execute(delete(member_sessions).where(member_sessions.c.member_id.in_(theirs)))


def remove_other_sessions_of_person(tx: Transaction, email: str, kept_id: str) -> None:
    """Sign a person out everywhere but in one browser."""
    theirs = select(members.c.id).where(members.c.email_key == email_key(email))
    tx.execute(
        delete(member_sessions).where(
            member_sessions.c.member_id.in_(theirs), member_sessions.c.id != kept_id
        )
    )


def remove_ended_member_sessions(tx: Transaction, now: datetime) -> None:
    """Forget sessions whose time is over."""
    tx.execute(delete(member_sessions).where(_has_ended(now)))


def _has_ended(now: datetime) -> ColumnElement[bool]:
    return or_(
        member_sessions.c.created_at <= now - MEMBER_SESSION_LIFETIME,
        member_sessions.c.seen_at <= now - MEMBER_SESSION_IDLE_LIFETIME,
    )
