"""For how long an organization keeps what, and what housekeeping does when that is over."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial

from roundsman.domain.erasure import without_customers, without_position, without_proof
from roundsman.domain.organization import Organization, Retention
from roundsman.domain.position_erasure import (
    without_departures,
    without_last_position,
    without_lines,
)
from roundsman.operations.tools import Tools
from roundsman.storage.database import Transaction
from roundsman.storage.driver_positions import remove_old_positions
from roundsman.storage.events import remove_old_events
from roundsman.storage.evidence import remove_old_evidence
from roundsman.storage.organizations import find_organization, lock_organization
from roundsman.storage.retention import (
    Clearing,
    clear_old_payloads,
    clear_old_rows,
    forget_last_positions,
    remove_old_actions,
    remove_old_pictures,
)

_ROUTES_AT_ONCE = 10
"""A route takes up to 8 MiB."""

_LARGE = ("routes", "plans")
_PICTURES_AT_ONCE = 20
_ROWS_AT_ONCE = 500

_PROOF = (Clearing(name="proof of routes", table="routes", clear=without_proof, waits=True),)
_CUSTOMERS = (
    Clearing(name="customers of routes", table="routes", clear=without_customers, waits=True),
    Clearing(name="imported stops", table="imported_stops", clear=without_customers, waits=True),
    Clearing(
        name="store orders",
        table="store_orders",
        clear=partial(without_customers, is_order=True),
        waits=True,
    ),
)
_POSITIONS = (
    Clearing(name="positions of actions", table="driver_actions", clear=without_position),
    Clearing(name="positions of plans", table="plans", clear=without_departures, column=1),
)
_LAST_POSITIONS = (
    Clearing(name="last positions of routes", table="routes", clear=without_last_position),
    Clearing(name="lines of plans", table="plans", clear=without_lines, column=2),
)
_SHOWN_POSITIONS = Clearing(name="positions of events", table="events", clear=without_last_position)

type Remove = Callable[[Transaction, int], int]
"""Removes so many at once, and says how many it has looked at."""


def retention_of(tools: Tools, organization: Organization) -> Retention:
    """Return for how long an organization keeps what."""
    return organization.retention or Retention(positions_days=tools.positions_kept_for.days)


def find_events_start(tools: Tools, tx: Transaction, organization_id: str) -> datetime:
    """Return since when an organization's events can be read."""
    organization = find_organization(tx, organization_id)
    days = Retention().events_days
    if organization is not None:
        days = retention_of(tools, organization).events_days
    return tools.clock.now() - timedelta(days=days)


def list_removals(
    tools: Tools, organization: Organization, now: datetime
) -> Iterator[tuple[Remove, int]]:
    """Yield what removes or clears an organization's old data, and how much of it at once."""
    kept, owner = retention_of(tools, organization), organization.id
    # Where a driver was last is a position, a proof of where, and the place of a customer.
    last_positions_days = min(kept.positions_days, kept.proof_days, kept.customers_days)

    def before(days: int) -> datetime:
        return now - timedelta(days=days)

    for remove, days, at_once in (
        (remove_old_events, kept.events_days, _ROWS_AT_ONCE),
        (remove_old_positions, kept.positions_days, _ROWS_AT_ONCE),
        (remove_old_evidence, kept.proof_days, _ROWS_AT_ONCE),
        (remove_old_pictures, kept.proof_days, _PICTURES_AT_ONCE),
        (remove_old_actions, kept.proof_days, _ROWS_AT_ONCE),
    ):
        yield partial(_remove, remove, owner, before(days)), at_once
    yield partial(_forget, owner, before(last_positions_days)), _ROUTES_AT_ONCE
    for clearings, days in (
        (_POSITIONS, kept.positions_days),
        (_LAST_POSITIONS, last_positions_days),
        (_PROOF, kept.proof_days),
        (_CUSTOMERS, kept.customers_days),
    ):
        for clearing in clearings:
            at_once = _ROUTES_AT_ONCE if clearing.table in _LARGE else _ROWS_AT_ONCE
            yield partial(_clear, clear_old_rows, clearing, owner, before(days)), at_once
    shown = partial(_clear, clear_old_payloads, _SHOWN_POSITIONS, owner)
    yield partial(shown, before(last_positions_days)), _ROUTES_AT_ONCE


def _remove(
    remove: Callable[[Transaction, str, datetime, int], int],
    organization_id: str,
    before: datetime,
    tx: Transaction,
    most: int,
) -> int:
    return remove(tx, organization_id, before, most)


def _forget(organization_id: str, before: datetime, tx: Transaction, most: int) -> int:
    lock_organization(tx, organization_id)  # as below
    return forget_last_positions(tx, organization_id, before, most)


def _clear(
    clear: Callable[[Transaction, str, Clearing, datetime, int], int],
    clearing: Clearing,
    organization_id: str,
    before: datetime,
    tx: Transaction,
    most: int,
) -> int:
    lock_organization(tx, organization_id)  # nobody changes a route meanwhile
    return clear(tx, organization_id, clearing, before, most)
