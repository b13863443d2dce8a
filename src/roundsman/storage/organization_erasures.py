"""Removing everything that an organization owns, table by table, some rows at a time.

A table with a column `organization_id` is emptied by it, whichever table that is. Of the others,
this file says through what their rows belong to an organization, or that they belong to none.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    Select,
    Table,
    delete,
    exists,
    insert,
    or_,
    select,
    tuple_,
    update,
)

from roundsman.domain.driver import DriverStatus
from roundsman.domain.erasure import OrganizationErasure
from roundsman.domain.member import MemberStatus
from roundsman.storage.database import Transaction
from roundsman.storage.driver_tables import driver_sessions, upload_parts
from roundsman.storage.erasures import answers_of
from roundsman.storage.evidence_tables import organization_erasures
from roundsman.storage.member_tables import (
    member_links,
    member_sessions,
    members,
    passkeys,
    people,
    recovery_codes,
    totp_secrets,
)
from roundsman.storage.schema import metadata
from roundsman.storage.storefront_tables import storefront_hints, storefronts
from roundsman.storage.tables import (
    access_tokens,
    api_clients,
    client_secrets,
    delivery_attempts,
    driver_invites,
    drivers,
    event_payloads,
    events,
    geocoder_answers,
    idempotency_records,
    organizations,
    outbox,
    webhook_subscriptions,
)

_ROWS_AT_ONCE = 500
_LARGE_ROWS_AT_ONCE = 20
_LARGE = {"routes", "attachments", "plans", "event_payloads", "upload_parts", "events"}
"""Tables with rows of megabytes: a transaction of them is to stay short."""

type Removed = dict[str, int]
"""How many rows of which table were removed."""

type Remove = Callable[[Transaction, str], Removed]
"""Removes some rows of an organization; nothing is removed where there are none left."""


def _ids(table: Table, organization_id: str) -> Select[Any]:
    return select(table.c.id).where(table.c.organization_id == organization_id)


def _is_sent(table: Table, organization_id: str) -> ColumnElement[bool]:
    return or_(
        table.c.subscription_id.in_(_ids(webhook_subscriptions, organization_id)),
        table.c.event_id.in_(_ids(events, organization_id)),
    )


def _secrets_of(organization_id: str) -> Select[Any]:
    return select(client_secrets.c.secret_hash).where(
        client_secrets.c.client_id.in_(_ids(api_clients, organization_id))
    )


THROUGH: Sequence[tuple[Table, Callable[[str], ColumnElement[bool]]]] = (
    (delivery_attempts, lambda slug: _is_sent(delivery_attempts, slug)),
    (outbox, lambda slug: _is_sent(outbox, slug)),
    # Kept answers are found by who was answered, so they go before clients, members and devices.
    (idempotency_records, answers_of),
    (upload_parts, lambda slug: upload_parts.c.driver_id.in_(_ids(drivers, slug))),
    (access_tokens, lambda slug: access_tokens.c.secret_hash.in_(_secrets_of(slug))),
    (client_secrets, lambda slug: client_secrets.c.client_id.in_(_ids(api_clients, slug))),
    (driver_invites, lambda slug: driver_invites.c.driver_id.in_(_ids(drivers, slug))),
    (driver_sessions, lambda slug: driver_sessions.c.driver_id.in_(_ids(drivers, slug))),
    (storefront_hints, lambda slug: storefront_hints.c.storefront_id.in_(_ids(storefronts, slug))),
)
"""Tables whose rows belong to an organization through another table; what refers comes first."""

WITH_EVENTS = (event_payloads,)
"""What is removed with the events that show it."""

WITH_MEMBERS = (
    member_sessions,
    member_links,
    passkeys,
    recovery_codes,
    totp_secrets,
    people,
)
"""What is removed with members, and with people who are members of nothing else."""

OF_NOBODY = ("installation_keys", "organization_erasures", "passkey_challenges", "rate_buckets")
"""Tables of the installation: no row says anything of an organization but an id that is gone."""

EMPTIED = (geocoder_answers,)
"""A cache whose rows do not say whose they are, and may hold addresses: it is emptied."""


def list_table_removals() -> Iterator[Remove]:
    """Yield what removes an organization's rows, in this order, each until nothing is left."""
    for table, is_of in THROUGH:
        yield _by(table, is_of)
    yield _remove_events
    yield _remove_members
    handled = {events.name, members.name}
    for table in reversed(metadata.sorted_tables):
        # What triggers keep goes with the rows that it is about.
        is_kept_by_others = table.info.get("kept_by_triggers") or table.name in handled
        if "organization_id" in table.c and not is_kept_by_others:
            yield _by(table, _owned(table))
    for table in EMPTIED:
        yield _by(table, None)


def _owned(table: Table) -> Callable[[str], ColumnElement[bool]]:
    return lambda slug: table.c.organization_id == slug


def _by(table: Table, is_of: Callable[[str], ColumnElement[bool]] | None) -> Remove:
    key = tuple_(*table.primary_key.columns)
    most = _LARGE_ROWS_AT_ONCE if table.name in _LARGE else _ROWS_AT_ONCE

    def remove(tx: Transaction, organization_id: str) -> Removed:
        some = select(*table.primary_key.columns).limit(most)
        if is_of is not None:
            some = some.where(is_of(organization_id))
        return _counted(table, tx.execute(delete(table).where(key.in_(some))).rowcount)

    return remove


def _counted(table: Table, rows: int) -> Removed:
    return {table.name: rows} if rows else {}


def _remove_events(tx: Transaction, organization_id: str) -> Removed:
    """Remove events with the payloads that no other event shows."""
    rows = tx.execute(
        select(events.c.id, events.c.payload_id)
        .where(events.c.organization_id == organization_id)
        .limit(_LARGE_ROWS_AT_ONCE)
    ).fetchall()
    payload_ids = {row.payload_id for row in rows if row.payload_id is not None}
    tx.execute(delete(outbox).where(outbox.c.event_id.in_([row.id for row in rows])))
    tx.execute(delete(events).where(events.c.id.in_([row.id for row in rows])))
    shown = exists().where(events.c.payload_id == event_payloads.c.id)
    payloads = tx.execute(
        delete(event_payloads).where(event_payloads.c.id.in_(payload_ids), ~shown)
    ).rowcount
    return _counted(events, len(rows)) | _counted(event_payloads, payloads)


def _remove_members(tx: Transaction, organization_id: str) -> Removed:
    """Remove members, and people who are members of no other organization."""
    rows = tx.execute(
        select(members.c.id, members.c.email_key)
        .where(members.c.organization_id == organization_id)
        .limit(_ROWS_AT_ONCE)
    ).fetchall()
    ids, keys = [row.id for row in rows], {row.email_key for row in rows}
    staying = select(members.c.email_key).where(
        members.c.email_key.in_(keys), members.c.organization_id != organization_id
    )
    leaving = keys - set(tx.execute(staying).scalars())
    removed: Removed = {}
    for table, is_theirs in (
        (member_sessions, member_sessions.c.member_id.in_(ids)),
        (
            member_links,
            or_(member_links.c.member_id.in_(ids), member_links.c.email_key.in_(leaving)),
        ),
        *(
            (table, table.c.email_key.in_(leaving))
            for table in (passkeys, recovery_codes, totp_secrets)
        ),
        (members, members.c.id.in_(ids)),
        (people, people.c.email_key.in_(leaving)),
    ):
        removed |= _counted(table, tx.execute(delete(table).where(is_theirs)).rowcount)
    return removed


def close_organization(tx: Transaction, organization_id: str) -> Removed:
    """Let nobody in any more who could add something while the rest is removed."""
    for table, status in (
        (drivers, DriverStatus.ARCHIVED.value),
        (members, MemberStatus.DEACTIVATED.value),
    ):
        is_theirs = table.c.organization_id == organization_id
        tx.execute(update(table).where(is_theirs).values(status=status))
    of_members = _ids(members, organization_id)
    removed: Removed = {}
    for table, is_theirs in (
        (access_tokens, access_tokens.c.secret_hash.in_(_secrets_of(organization_id))),
        (client_secrets, client_secrets.c.client_id.in_(_ids(api_clients, organization_id))),
        (member_sessions, member_sessions.c.member_id.in_(of_members)),
        (member_links, member_links.c.member_id.in_(of_members)),
        (driver_invites, driver_invites.c.driver_id.in_(_ids(drivers, organization_id))),
    ):
        removed |= _counted(table, tx.execute(delete(table).where(is_theirs)).rowcount)
    return removed


def remove_organization(tx: Transaction, organization_id: str) -> Removed:
    """Remove the organization's own row, of which nothing else may be left; nobody adds to it."""
    held = select(organizations.c.id).where(organizations.c.id == organization_id)
    tx.execute(held.with_for_update())
    removed: Removed = {}
    for remove in list_table_removals():
        while some := remove(tx, organization_id):
            removed = add_up(removed, some)
    is_theirs = organizations.c.id == organization_id
    rows = tx.execute(delete(organizations).where(is_theirs)).rowcount
    return add_up(removed, _counted(organizations, rows))


def add_up(first: Removed, second: Removed) -> Removed:
    """Return how many rows of which table both have removed."""
    return {name: first.get(name, 0) + second.get(name, 0) for name in {**first, **second}}


def find_organization_erasure(tx: Transaction, key: str) -> OrganizationErasure | None:
    """Return how far the erasure of an organization is, which is known by a keyed hash."""
    row = tx.execute(
        select(organization_erasures).where(organization_erasures.c.key == key)
    ).first()
    if row is None:
        return None
    return OrganizationErasure(
        begun_at=row.begun_at,
        removed=msgspec.json.decode(row.removed, type=dict[str, int]),
        completed_at=row.completed_at,
    )


def save_organization_erasure(tx: Transaction, key: str, erasure: OrganizationErasure) -> None:
    """Keep how far the erasure of an organization is, in place of what was known."""
    tx.execute(delete(organization_erasures).where(organization_erasures.c.key == key))
    tx.execute(
        insert(organization_erasures).values(
            key=key,
            begun_at=erasure.begun_at,
            removed=msgspec.json.encode(erasure.removed, order="sorted").decode(),
            completed_at=erasure.completed_at,
        )
    )
