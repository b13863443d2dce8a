"""Members of organizations, and the people they are; of passwords only hashes are kept.

A person belongs to no organization: one who plans for several has one password.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, func, select, update

from roundsman.domain.member import Member, MemberStatus, email_key
from roundsman.domain.model import UNSET
from roundsman.domain.principal import Role
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import insert_missing
from roundsman.storage.keyset import Position, fetch_page
from roundsman.storage.member_tables import members, people


@dataclass(frozen=True, kw_only=True, slots=True)
class Membership:
    """A member, for whom they plan, and whether they ever took up the invitation."""

    member: Member
    organization_id: str
    has_accepted: bool


def insert_member(tx: Transaction, organization_id: str, member: Member) -> bool:
    """Store a new member, who is a person too; say whether the e-mail address was free."""
    key = email_key(member.email)
    insert_missing(tx, people, {"email_key": key}, keys=["email_key"])
    row = {
        "id": member.id,
        "organization_id": organization_id,
        "email_key": key,
        "email": member.email,
        "created_at": member.created_at,
        **_changeable(member),
    }
    return insert_missing(tx, members, row, keys=["organization_id", "email_key"])


def save_member(tx: Transaction, organization_id: str, member: Member) -> None:
    """Store a changed member."""
    tx.execute(
        update(members)
        .where(members.c.organization_id == organization_id, members.c.id == member.id)
        .values(**_changeable(member))
    )


def note_accepted(tx: Transaction, member_id: str, now: datetime) -> None:
    """Note when a member took up the invitation."""
    tx.execute(update(members).where(members.c.id == member_id).values(accepted_at=now))


def note_member_seen(tx: Transaction, member_id: str, now: datetime) -> None:
    """Note when a member was last heard of."""
    tx.execute(update(members).where(members.c.id == member_id).values(last_seen_at=now))


def find_member(
    tx: Transaction, organization_id: str, member_id: str, *, locked: bool = False
) -> Membership | None:
    """Return one of the organization's members; `locked` lets other changes wait."""
    statement = select(members).where(
        members.c.organization_id == organization_id, members.c.id == member_id
    )
    row = tx.execute(statement.with_for_update() if locked else statement).first()
    return None if row is None else _membership(row)


def find_member_anywhere(tx: Transaction, member_id: str) -> Membership | None:
    """Return a member of any organization: for links, and for whoever runs the installation."""
    row = tx.execute(select(members).where(members.c.id == member_id)).first()
    return None if row is None else _membership(row)


def list_memberships(tx: Transaction, email: str) -> Sequence[Membership]:
    """Return every membership of a person, by organization."""
    rows = tx.execute(
        select(members)
        .where(members.c.email_key == email_key(email))
        .order_by(members.c.organization_id)
    )
    return [_membership(row) for row in rows]


def select_members(
    tx: Transaction, organization_id: str, after: Position | None, count: int
) -> list[tuple[Position, Member]]:
    """Return a page of members, oldest first."""
    statement = select(members).where(members.c.organization_id == organization_id)
    sort = (members.c.created_at, members.c.id)
    rows = fetch_page(tx, statement, sort, after, newest_first=False, count=count)
    return [(position, _membership(row).member) for position, row in rows]


def count_active_owners(tx: Transaction, organization_id: str) -> int:
    """Return how many members may do all."""
    statement = select(func.count()).select_from(members)
    return tx.execute(statement.where(_is_active_owner(organization_id))).scalar_one()


def list_active_owners(tx: Transaction, organization_id: str) -> list[str]:
    """Return the ids of the members who may do all, oldest first."""
    order = (members.c.created_at, members.c.id)
    statement = select(members.c.id).where(_is_active_owner(organization_id)).order_by(*order)
    return list(tx.execute(statement).scalars())


def _is_active_owner(organization_id: str) -> ColumnElement[bool]:
    return (
        (members.c.organization_id == organization_id)
        & (members.c.role == Role.OWNER.value)
        & (members.c.status == MemberStatus.ACTIVE.value)
    )


def find_password_hash(tx: Transaction, email: str) -> str | None:
    """Return the hash of a person's password; None for who has none, or is unknown."""
    return tx.execute(
        select(people.c.password_hash).where(people.c.email_key == email_key(email))
    ).scalar_one_or_none()


def save_password_hash(tx: Transaction, email: str, password_hash: str) -> None:
    """Give a person who is known a password."""
    tx.execute(
        update(people)
        .where(people.c.email_key == email_key(email))
        .values(password_hash=password_hash)
    )


def remove_password(tx: Transaction, email: str) -> None:
    """Leave a person without a password."""
    tx.execute(
        update(people).where(people.c.email_key == email_key(email)).values(password_hash=None)
    )


def _changeable(member: Member) -> dict[str, Any]:
    return {"name": member.name, "role": member.role.value, "status": member.status.value}


def _membership(row: Any) -> Membership:
    member = Member(
        id=row.id,
        email=row.email,
        name=row.name,
        role=Role(row.role),
        status=MemberStatus(row.status),
        created_at=row.created_at,
        last_seen_at=UNSET if row.last_seen_at is None else row.last_seen_at,
    )
    return Membership(
        member=member,
        organization_id=row.organization_id,
        has_accepted=row.accepted_at is not None,
    )
