"""The history of a route: its events and the messages to its customers, as one list, in pages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from msgspec.structs import replace

from roundsman.domain.event import Actor
from roundsman.domain.message import Message
from roundsman.domain.queries import ListHistory, Query
from roundsman.domain.route import Route
from roundsman.domain.route_history import (
    HistoryChange,
    HistoryEntry,
    HistoryKind,
    HistoryMessage,
    HistoryStop,
    RecordedChange,
    RecordedRoute,
    derive_changes,
)
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_name import name_of_stop
from roundsman.operations.paging import Page, list_page
from roundsman.operations.retention import find_events_start
from roundsman.operations.route_changes import load_route
from roundsman.operations.tools import Tools
from roundsman.storage import route_history as stored
from roundsman.storage.database import Transaction
from roundsman.storage.drivers import find_driver
from roundsman.storage.keyset import Position
from roundsman.storage.members import list_memberships
from roundsman.storage.messages import select_route_messages

_READ_AT_ONCE = 50
"""Changes of a route, most of which may not concern the stop whose history is read."""

type _Entries = list[tuple[Position, HistoryEntry]]


def list_history(
    tools: Tools, organization_id: str, route_id: str, query: Query[ListHistory]
) -> Page[HistoryEntry]:
    """Return a page of what happened to a route and the stops that it has, newest first."""
    route = load_route(tools, organization_id, route_id).route

    def fetch(
        tx: Transaction, arguments: ListHistory, after: Position | None, count: int
    ) -> _Entries:
        stops = route.stops
        if arguments.stop_id:
            stops = (route.find_stop(arguments.stop_id),)
        reader = _ChangeReader(
            tx=tx,
            organization_id=organization_id,
            route=route,
            stop_id=arguments.stop_id,
            starting=find_events_start(tools, tx, organization_id),
            names=_Names(tx, organization_id),
        )
        ids = [stop.id for stop in stops]
        messages = select_route_messages(tx, organization_id, route_id, ids, after, count)
        entries = [*reader.list_entries(after, count), *_list_messages(messages, stops)]
        return sorted(entries, key=lambda entry: entry[0], reverse=True)[:count]

    return list_page(tools, organization_id, f"history {route_id}", query, fetch)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ChangeReader:
    """Reads the changes of a route, or of those the ones that concern one of its stops."""

    tx: Transaction
    organization_id: str
    route: Route
    stop_id: str
    starting: datetime
    names: "_Names"

    def list_entries(self, after: Position | None, count: int) -> _Entries:
        """Return so many entries behind a position; a change that has none is passed over."""
        entries: _Entries = []
        size = max(count, _READ_AT_ONCE) if self.stop_id else count
        while True:
            # One more, to compare the last of the page with.
            changes = self._select(after, size + 1)
            routes = [change.route for _, change in changes[1:]]
            for (position, change), before in zip(changes[:size], [*routes, None], strict=False):
                derived = self._derive(change, before)
                if derived:
                    entries.append((position, self._entry_of(change, derived)))
            if len(entries) >= count or len(changes) <= size:
                return entries
            after = changes[size - 1][0]

    def _select(self, after: Position | None, count: int) -> list[tuple[Position, RecordedChange]]:
        # What planners do to a stop is an event of its route.
        ids = [self.stop_id] if self.stop_id else [stop.id for stop in self.route.stops]
        return stored.select_changes(
            self.tx,
            self.organization_id,
            self.route.id,
            [self.route.id, *ids],
            self.starting,
            after,
            count,
        )

    def _derive(
        self, change: RecordedChange, before: RecordedRoute | None
    ) -> tuple[HistoryChange, ...]:
        changes = derive_changes(change, before, self.stop_id)
        moved = {HistoryKind.STOPS_ADDED, HistoryKind.STOPS_REMOVED}
        if not any(one.kind in moved for one in changes):
            return changes
        others = stored.find_others_changed(
            self.tx, self.organization_id, change.route.id, change.at
        )
        return tuple(_with_other_route(one, others) for one in changes)

    def _entry_of(self, change: RecordedChange, changes: tuple[HistoryChange, ...]) -> HistoryEntry:
        return HistoryEntry(
            id=change.id,
            at=change.at,
            who=self.names.of(change.actor),
            topics=tuple(change.topics),
            changes=changes,
        )


def _with_other_route(
    change: HistoryChange, others: Sequence[tuple[RecordedRoute | None, RecordedRoute]]
) -> HistoryChange:
    """Say which route the stops came from or went to, where that is one."""
    stops = {stop.stop_id for stop in change.stops}
    if change.kind is HistoryKind.STOPS_ADDED:
        found = [before for before, _ in others if before is not None and _has(before, stops)]
    elif change.kind is HistoryKind.STOPS_REMOVED:
        found = [after for _, after in others if _has(after, stops)]
    else:
        return change
    return replace(change, after=found[0].name) if len(found) == 1 else change


def _has(route: RecordedRoute, stop_ids: set[str]) -> bool:
    return stop_ids <= {stop.id for stop in route.stops}


def _list_messages(
    messages: Sequence[tuple[Position, Message]], stops: Sequence[RouteStop]
) -> Iterable[tuple[Position, HistoryEntry]]:
    names = {stop.id: name_of_stop(stop) for stop in stops}
    for position, message in messages:
        stop = HistoryStop(stop_id=message.stop_id, name=names[message.stop_id])
        change = HistoryChange(kind=HistoryKind.MESSAGE, stops=(stop,), stop_count=1)
        what = HistoryMessage(moment=message.moment, channel=message.channel, status=message.status)
        yield (
            position,
            HistoryEntry(id=message.id, at=message.created_at, changes=(change,), message=what),
        )


class _Names:
    """Who is meant by an actor, each looked up once."""

    def __init__(self, tx: Transaction, organization_id: str) -> None:
        self._tx = tx
        self._organization_id = organization_id
        self._known: dict[tuple[str, str], str] = {}

    def of(self, actor: Actor) -> str:
        """Return the name of a driver or a member, else the e-mail; empty where nobody is known."""
        key = (actor.driver_id or "", actor.email or "")
        if key not in self._known:
            self._known[key] = self._find(*key)
        return self._known[key]

    def _find(self, driver_id: str, email: str) -> str:
        if driver_id:
            driver = find_driver(self._tx, self._organization_id, driver_id)
            return "" if driver is None else f"{driver.first_name} {driver.last_name}".strip()
        for membership in list_memberships(self._tx, email) if email else ():
            if membership.organization_id == self._organization_id:
                return membership.member.name or email
        return email
