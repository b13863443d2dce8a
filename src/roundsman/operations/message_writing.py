"""Writes what customers are to be told, in the transaction of the change that makes it true.

At most one message for a stop, a moment and a channel, and four a stop (decisions §16): what may be
told beside what was is in `domain/message_history.py`. That it takes longer than promised becomes
true with time, too: `note_slips` looks now and then.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from msgspec.structs import replace

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.event import Happening
from roundsman.domain.live_route import is_under_way
from roundsman.domain.message import (
    LAST_WORD_WAITS,
    OVERTAKEN,
    Channel,
    Message,
    MessageSettings,
    MessageStatus,
    Trigger,
)
from roundsman.domain.message_history import PastMessage, epoch_of, is_within_limit
from roundsman.domain.message_triggers import (
    Promise,
    RouteTurn,
    channels_of,
    choose_trigger,
    list_triggers,
    promise_window,
    recipient_of,
    send_at,
)
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.topics import Topic
from roundsman.kit.ids import IdSource, new_id
from roundsman.kit.time_zones import zone_at
from roundsman.operations.tools import Tools
from roundsman.storage.database import Transaction
from roundsman.storage.messages import (
    add_message,
    find_message_settings,
    find_past_messages,
    find_promises,
    find_promises_of_stops,
    list_promised_routes,
    list_promised_routes_of,
    remove_promises,
    save_promises,
    suppress_waiting,
)
from roundsman.storage.organizations import lock_organization
from roundsman.storage.routes import find_route

type Wanted = tuple[RouteStop, Trigger, Channel, int]
"""Whose customer is to be told what by which channel; which time it slips, else 0."""

_LOOKS_AHEAD = timedelta(hours=24)


@dataclass(frozen=True, kw_only=True, slots=True)
class Writer:
    """What messages of one transaction are written with."""

    tx: Transaction
    organization_id: str
    ids: IdSource
    now: datetime
    settings: MessageSettings
    channels: tuple[Channel, ...]
    """Those that are set up."""

    staying: frozenset[str] = frozenset()
    """Stops of all routes that change: one that leaves a route may be on another of them."""

    def write(self, route: Route, turn: RouteTurn) -> int:
        """Write what a change of a route has made true; return how many messages."""
        wanted = [
            (stop, trigger, channel, 0)
            for stop, moments in list_triggers(route, turn, self.now)
            for channel in self.channels
            if recipient_of(stop, channel)
            and (trigger := choose_trigger(self.settings, moments, channel)) is not None
        ]
        just_told = {stop.id for stop, _, _, _ in wanted}
        wanted += self._note_promises(route, turn, just_told)
        if not wanted:
            return 0
        self._take_back(wanted)
        told: dict[str, list[PastMessage]] = defaultdict(list)
        stop_ids = sorted({stop.id for stop, _, _, _ in wanted})
        for one in find_past_messages(self.tx, self.organization_id, stop_ids):
            told[one.stop_id].append(one)
        return sum(
            self._write_one(route, stop, (trigger, channel, epoch), told[stop.id])
            for stop, trigger, channel, epoch in wanted
        )

    def _take_back(self, wanted: Sequence[Wanted]) -> None:
        """Let no last word go out that another one has overtaken; it leaves its place to that."""
        pair = {Trigger.DELIVERED: Trigger.ATTEMPTED, Trigger.ATTEMPTED: Trigger.DELIVERED}
        for trigger, other in pair.items():
            stops = sorted({stop.id for stop, wants, _, _ in wanted if wants is trigger})
            if stops:
                suppress_waiting(self.tx, self.organization_id, stops, other, OVERTAKEN)

    def _write_one(
        self,
        route: Route,
        stop: RouteStop,
        what: tuple[Trigger, Channel, int],
        told: list[PastMessage],
    ) -> bool:
        """Write a message; say whether the customer is told once more."""
        trigger, channel, given = what
        epoch = given or epoch_of(told, trigger, channel)
        if epoch is None:
            return False
        keeps_room = any(
            self.settings.is_enabled(last, by)
            for last in Trigger
            if last.is_last_word
            for by in self.channels
            if recipient_of(stop, by)
        )
        if not is_within_limit(told, trigger, keeps_room=keeps_room):
            return False
        if not self._add(route, stop, (trigger, channel, epoch)):
            return False
        told.append(
            PastMessage(
                stop_id=stop.id,
                moment=trigger,
                channel=channel,
                epoch=epoch,
                status=MessageStatus.WAITING,
            )
        )
        return True

    def _add(
        self,
        route: Route,
        stop: RouteStop,
        what: tuple[Trigger, Channel, int],
    ) -> bool:
        trigger, channel, epoch = what
        here = stop.planned_coordinates
        zone = zone_at(latitude=here.latitude, longitude=here.longitude)
        message = Message(
            id=new_id(self.ids, "msg"),
            stop_id=stop.id,
            route_id=route.id,
            moment=trigger,
            channel=channel,
            status=MessageStatus.WAITING,
            created_at=self.now,
        )
        # A last word that was a slip of the hand is taken back meanwhile, and not sent.
        ready_at = self.now + (LAST_WORD_WAITS if trigger.is_last_word else timedelta())
        due_at = send_at(ready_at, zone, self.settings.quiet_hours)
        return add_message(self.tx, self.organization_id, message, epoch=epoch, due_at=due_at)

    def _note_promises(self, route: Route, turn: RouteTurn, just_told: set[str]) -> list[Wanted]:
        """Keep what customers are promised; return what has slipped."""
        channels = [one for one in self.channels if self.settings.is_enabled(Trigger.SLIPPED, one)]
        is_promised = is_under_way(route) or route.dispatched_until is not UNSET
        if not channels or not is_promised:
            return []
        known = find_promises(self.tx, self.organization_id, route.id)
        waiting = {stop.id: stop for stop in route.open_stops() if channels_of(stop)}
        is_over = isinstance(route.archived_at, datetime)
        gone = sorted(known if is_over else known.keys() - waiting.keys() - self.staying)
        # A customer remembers what was promised, whichever van brings it.
        came = {} if is_over else self._find_moved(route, waiting.keys() - known.keys())
        known |= came
        remove_promises(self.tx, self.organization_id, gone)
        kept: dict[str, Promise] = {}
        slipped = []
        for stop in () if is_over else waiting.values():
            before = known.get(stop.id)
            if before is None or turn.is_started:
                # What is promised on leaving is what counts; the route may have waited.
                fresh = promise_window(route, stop)
                if fresh is not None:
                    kept[stop.id] = fresh
                continue
            if stop.id in came:
                kept[stop.id] = before
            if stop.id not in just_told and before.has_slipped(_expected(stop, self.now)):
                kept[stop.id] = before.slipped(_expected(stop, self.now))
                slipped += [
                    (stop, Trigger.SLIPPED, channel, before.slips + 1)
                    for channel in channels
                    if recipient_of(stop, channel)
                ]
        save_promises(self.tx, self.organization_id, list(kept.values()))
        return slipped

    def _find_moved(self, route: Route, stop_ids: Collection[str]) -> dict[str, Promise]:
        """Return what was promised to customers whose stops were on other routes, for this one."""
        found = find_promises_of_stops(self.tx, self.organization_id, sorted(stop_ids))
        return {one.stop_id: replace(one, route_id=route.id) for one in found}


def _expected(stop: RouteStop, now: datetime) -> datetime:
    arrival = stop.updated_arrival
    return now if isinstance(arrival, UnsetType) else max(arrival, now)


def list_channels(tools: Tools, settings: MessageSettings) -> tuple[Channel, ...]:
    """Return the channels that are set up."""
    channels = [] if tools.mail is None else [Channel.EMAIL]
    if not isinstance(settings.sms_gateway, UnsetType):
        channels.append(Channel.SMS)
    return tuple(channels)


def write_messages(
    tools: Tools,
    tx: Transaction,
    organization_id: str,
    happenings: Sequence[Happening],
    now: datetime,
) -> int:
    """Write what has become true for customers with these happenings; return how many messages."""
    turn = _updates_of(happenings)
    if not turn:
        return 0
    staying = frozenset(stop.id for route, _ in turn.values() for stop in route.open_stops())
    writer = _open_writer(tools, tx, organization_id, now, staying)
    if not writer.channels:
        return 0
    return sum(writer.write(route, one) for route, one in turn.values())


def _open_writer(
    tools: Tools,
    tx: Transaction,
    organization_id: str,
    now: datetime,
    staying: frozenset[str] = frozenset(),
) -> Writer:
    settings = find_message_settings(tx, organization_id)
    is_any_enabled = any(one.enabled for one in settings.message_rules)
    return Writer(
        tx=tx,
        organization_id=organization_id,
        ids=tools.ids,
        now=now,
        settings=settings,
        channels=list_channels(tools, settings) if is_any_enabled else (),
        staying=staying,
    )


def _updates_of(happenings: Sequence[Happening]) -> Mapping[str, tuple[Route, RouteTurn]]:
    """Return the routes as the happenings have left them, and what was new on each."""
    routes: dict[str, Route] = {}
    topics: dict[str, set[Topic]] = defaultdict(set)
    changed: dict[str, set[str]] = defaultdict(set)
    for happening in happenings:
        if not isinstance(happening.subject, AssignedRoute):
            continue
        route = happening.subject.route
        routes[route.id] = route
        topics[route.id].add(happening.topic)
        changed[route.id].add(happening.object_id)
    return {
        id_: (
            route,
            RouteTurn(
                is_dispatched=Topic.ROUTE_DISPATCHED in topics[id_],
                is_started=Topic.ROUTE_STARTED in topics[id_],
                changed=frozenset(changed[id_]),
            ),
        )
        for id_, route in routes.items()
        if Topic.ROUTE_DELETED not in topics[id_]
    }


def note_slips(tools: Tools) -> int:
    """Write to customers whose driver takes longer than promised; return how many messages."""
    now = tools.clock.now()
    with tools.database.reading() as tx:
        promised = list_promised_routes(tx, now + _LOOKS_AHEAD, now)
    return sum(_note_slips_on(tools, owner, route_id) for owner, route_id in promised)


def note_slips_of(tools: Tools, organization_id: str) -> int:
    """Do so in one organization, by the clock of these tools: a simulated day has its own."""
    with tools.database.reading() as tx:
        before = tools.clock.now() + _LOOKS_AHEAD
        promised = list_promised_routes_of(tx, organization_id, before)
    return sum(_note_slips_on(tools, organization_id, route_id) for route_id in promised)


def _note_slips_on(tools: Tools, organization_id: str, route_id: str) -> int:
    now = tools.clock.now()
    with tools.database.reading() as tx:
        stored = find_route(tx, organization_id, route_id)
        known = find_promises(tx, organization_id, route_id)
    if stored is not None and not _is_any_slipped(stored.route, known, now):
        return 0
    with tools.database.writing() as tx:
        lock_organization(tx, organization_id)
        stored = find_route(tx, organization_id, route_id)
        if stored is None:
            remove_promises(tx, organization_id, sorted(known))
            return 0
        return _open_writer(tools, tx, organization_id, now).write(stored.route, RouteTurn())


def _is_any_slipped(route: Route, known: Mapping[str, Promise], now: datetime) -> bool:
    waiting = {stop.id: stop for stop in route.open_stops()}
    return any(
        id_ not in waiting or promise.has_slipped(_expected(waiting[id_], now))
        for id_, promise in known.items()
    )
