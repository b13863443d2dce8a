"""Reading the drivers' journals: what devices submitted, and what was kept for the planner."""

from collections.abc import Sequence
from dataclasses import dataclass

from roundsman.domain.actions import JournalEntry, JournalState, KeptStop
from roundsman.domain.change import ObjectKind
from roundsman.domain.errors import NotFound
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.queries import ListDriverActions, Query
from roundsman.operations.kept_stops import find_kept_stops
from roundsman.operations.paging import Page, list_page
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.storage import journal as stored
from roundsman.storage.database import Transaction
from roundsman.storage.journal import JournalFilter
from roundsman.storage.keyset import Position

MOST_SHOWN_TO_DEVICE = 1_000

type Line = tuple[JournalEntry, bytes, KeptStop | UnsetType]


def read_state(tools: Tools, request: Request) -> JournalState:
    """Return what has arrived of the journal of the device that asks."""
    with tools.database.reading() as tx:
        return stored.read_journal_state(tx, request.principal.id, MOST_SHOWN_TO_DEVICE)


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownActions:
    """Which actions of a driver have arrived, and which of them a later one has overtaken."""

    known: tuple[str, ...]
    superseded: tuple[str, ...]


def find_known(tools: Tools, request: Request, ids: Sequence[str]) -> KnownActions:
    """Return which of these actions of the driver have arrived, from whichever device."""
    driver_id = request.principal.driver_id
    wanted = {one.lower(): one for one in ids}
    with tools.database.reading() as tx:
        found = dict(stored.find_recorded(tx, driver_id, list(wanted)))
        overtaken = stored.find_superseded(tx, driver_id, list(found))
    return KnownActions(
        known=tuple(one for key, one in wanted.items() if key in found),
        superseded=tuple(one for key, one in wanted.items() if key in overtaken),
    )


def list_journal(tools: Tools, organization_id: str, query: Query[ListDriverActions]) -> Page[Line]:
    """Return a page of submitted actions, oldest first."""

    def fetch(
        tx: Transaction, arguments: ListDriverActions, after: Position | None, count: int
    ) -> list[tuple[Position, Line]]:
        wanted = JournalFilter(
            route_id=arguments.route_id,
            driver_id=arguments.driver_id,
            outcome=arguments.outcome or None,
            is_resolved=None if arguments.resolved is UNSET else arguments.resolved,
            is_position=None if arguments.positions is UNSET else arguments.positions,
        )
        found = stored.list_entries(tx, organization_id, wanted, after, count)
        stops = find_kept_stops(tx, organization_id, [line for _, line in found])
        return [
            (position, (entry, content, stops.get(entry.id, UNSET)))
            for position, (entry, content) in found
        ]

    return list_page(tools, organization_id, "driver actions", query, fetch)


def resolve_action(tools: Tools, request: Request, driver_id: str, action_id: str) -> Line:
    """Tick a kept action off; again changes nothing."""
    principal = request.principal
    with begin_work(tools, request) as work:
        line = stored.find_entry(work.tx, work.organization_id, driver_id, action_id)
        if line is None:
            raise NotFound("driver action not found")
        entry, content = line
        resolved = entry.resolved(principal.email or principal.id, work.now)
        if resolved != entry:
            stored.note_resolved(work.tx, work.organization_id, resolved)
            work.note(ObjectKind.DRIVER, driver_id)
        stops = find_kept_stops(work.tx, work.organization_id, [line])
        return work.done((resolved, content, stops.get(entry.id, UNSET)))
