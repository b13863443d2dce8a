"""Which stops a plan takes up: imported stops and store orders, by name or by a filter."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from roundsman.domain.day_to_plan import StopToPlan
from roundsman.domain.errors import (
    FailedPrecondition,
    FieldViolation,
    InvalidArgument,
    PreconditionViolation,
)
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.loads import loads_of_items
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.plan import SkippedOrder
from roundsman.domain.plan_draft import (
    MOST_PLANNED_STOPS,
    PlanDraft,
    PlanStop,
    PlanStopFilter,
)
from roundsman.domain.planned_days import parse_planned_day
from roundsman.domain.store_order import StoreOrder
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.domain.time_window import Date
from roundsman.operations.imported_stops import is_service_id
from roundsman.operations.locations import ResolvedLocation
from roundsman.operations.store_orders import (
    ON_HOLD,
    USUAL_ITEMS,
    Problem,
    locate_orders,
    require_addable,
)
from roundsman.operations.tools import Tools
from roundsman.operations.unknown_ids import UnknownIds
from roundsman.storage.database import Transaction
from roundsman.storage.imported_stops import (
    StopFilter,
    find_imported_stops,
    find_update_times,
    select_imported_stops,
)
from roundsman.storage.keyset import Position
from roundsman.storage.routes import find_live_routes_of_origins
from roundsman.storage.store_orders import (
    OrderFilter,
    find_order_update_times,
    find_store_orders,
    select_store_orders,
)

_AT_ONCE = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundStop:
    """A stop as the organization has it, where the request names it, and what it says of it."""

    stop: StopToPlan
    """Its loads are those that it names; its price is not known yet."""

    carried: Mapping[str, float]
    """What its items come to."""

    said: PlanStop | UnsetType = UNSET
    field: str = ""
    is_on_route: bool = False
    """On one that takes part in the plan, and brings it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Chosen:
    """What is to be planned, before orders are located."""

    stop: ImportedStop | StoreOrder
    updated_at: datetime
    said: PlanStop | UnsetType = UNSET
    field: str = ""
    is_on_route: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class ChosenStops:
    """What a request or its filter chooses; `locate` makes stops of it, outside a transaction."""

    chosen: Sequence[_Chosen]
    must_be_located: bool
    """Whether an order that goes nowhere is refused, for it was named; else it is skipped.

    One that is on hold is skipped in any case: nothing is wrong with what was asked for.
    """

    def locate(self, tools: Tools) -> tuple[list[FoundStop], tuple[SkippedOrder, ...]]:
        """Return the stops with their places, and the orders that go nowhere.

        Raise FailedPrecondition that lists named orders that go nowhere.
        """
        orders = {one.stop.id: one.stop for one in self.chosen if isinstance(one.stop, StoreOrder)}
        on_routes = [one.stop.id for one in self.chosen if one.is_on_route]
        located, problems = locate_orders(tools, orders, orders, None, on_routes)
        if self.must_be_located:
            require_addable({id_: one for id_, one in problems.items() if one[0] != ON_HOLD})
        found = [_find(one, located) for one in self.chosen if one.stop.id not in problems]
        return found, tuple(_skip(order_id, problem) for order_id, problem in problems.items())


def _find(one: _Chosen, located: Mapping[str, ResolvedLocation]) -> FoundStop:
    if isinstance(one.stop, StoreOrder):
        stop = _of_order(one.stop, located[one.stop.id], one.updated_at)
        items = one.stop.items_for(USUAL_ITEMS)
    else:
        stop = _of_imported(one.stop, one.updated_at)
        items = one.stop.items
    return FoundStop(
        stop=stop,
        carried=loads_of_items(items),
        said=one.said,
        field=one.field,
        is_on_route=one.is_on_route,
    )


def _of_imported(stop: ImportedStop, updated_at: datetime) -> StopToPlan:
    assert not isinstance(stop.coordinates, UnsetType)  # noqa: S101 -- an import locates every stop
    return StopToPlan(
        imported_stop_id=stop.id,
        client_stop_id=stop.client_stop_id,
        updated_at=updated_at,
        coordinates=stop.coordinates,
        duration=stop.duration,
        time_windows=stop.time_windows,
        delivery_date=stop.delivery_date,
        priority=stop.priority,
        loads=stop.loads or {},
        required_skills=stop.required_skills,
        unassigned_cost=0.0,
    )


def _of_order(order: StoreOrder, place: ResolvedLocation, updated_at: datetime) -> StopToPlan:
    return StopToPlan(
        store_order_id=order.id,
        updated_at=updated_at,
        coordinates=place.coordinates,
        geocoding=place.geocoding,
        duration=order.duration,
        time_windows=order.time_windows,
        delivery_date=order.delivery_date,
        priority=order.priority,
        loads={},
        required_skills=order.required_skills,
        unassigned_cost=0.0,
    )


def _skip(order_id: str, problem: Problem) -> SkippedOrder:
    return SkippedOrder(store_order_id=order_id, type=problem[0], description=problem[1])


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedStops:
    """What a request names, by id or by the client's own id."""

    imported: Mapping[str, ImportedStop]
    orders: Mapping[str, StoreOrder]

    def find(self, said: PlanStop) -> ImportedStop | StoreOrder:
        """Return what a stop of the request names; it is known to be there."""
        if said.store_order_id:
            return self.orders[said.store_order_id]
        return self.imported[_reference(said)]


def _reference(said: PlanStop) -> str:
    return said.imported_stop_id or said.client_stop_id


def find_stops_of_plan(
    tx: Transaction, organization_id: str, asked: PlanDraft, unknown: UnknownIds
) -> NamedStops:
    """Return the stops that a request names; note which are unknown."""
    references = [one for said in asked.stops or () if (one := _reference(said))]
    wanted = [said.store_order_id for said in asked.stops or () if said.store_order_id]
    imported = _find_named(tx, organization_id, references)
    orders = find_store_orders(tx, organization_id, wanted)
    unknown.note("imported stop", [one for one in references if one not in imported])
    unknown.note("store order", [one for one in wanted if one not in orders])
    return NamedStops(imported=imported, orders=orders)


def choose_stops(
    tx: Transaction, organization_id: str, asked: PlanDraft, named: NamedStops
) -> ChosenStops:
    """Return the stops to plan; refuse those given twice, and those on routes."""
    if isinstance(asked.stop_filter, PlanStopFilter):
        chosen = _filter_stops(tx, organization_id, asked.stop_filter)
        return ChosenStops(chosen=chosen, must_be_located=False)
    if isinstance(asked.stops, UnsetType):
        return ChosenStops(chosen=(), must_be_located=False)
    taking_part = {one.route_id for one in asked.routes}
    chosen = _choose_named(tx, organization_id, asked.stops, named, taking_part)
    return ChosenStops(chosen=chosen, must_be_located=True)


def _choose_named(
    tx: Transaction,
    organization_id: str,
    stops: Sequence[PlanStop],
    named: NamedStops,
    taking_part: set[str],
) -> list[_Chosen]:
    found = [named.find(said) for said in stops]
    ids = [one.id for one in found]
    _refuse_repeated(ids)
    routed = find_live_routes_of_origins(tx, organization_id, ids)
    _refuse_routed({id_: route for id_, route in routed.items() if route not in taking_part})
    times = find_update_times(tx, organization_id, ids)
    times |= find_order_update_times(tx, organization_id, ids)
    return [
        _Chosen(
            stop=stop,
            updated_at=times[stop.id],
            said=said,
            field=f"stops[{number}]",
            is_on_route=stop.id in routed,
        )
        for number, (stop, said) in enumerate(zip(found, stops, strict=True))
    ]


def _refuse_repeated(ids: Sequence[str]) -> None:
    times_given = Counter(ids)
    repeated = [
        FieldViolation(field=f"stops[{number}]", description="is given more than once")
        for number, id_ in enumerate(ids)
        if times_given[id_] > 1
    ]
    if repeated:
        raise InvalidArgument("a stop is given more than once", repeated)


def _find_named(
    tx: Transaction, organization_id: str, references: Sequence[str]
) -> dict[str, ImportedStop]:
    found = find_imported_stops(
        tx,
        organization_id,
        ids=[one for one in references if is_service_id(one)],
        client_stop_ids=[one for one in references if not is_service_id(one)],
    )
    named = {stop.client_stop_id: stop for stop in found if stop.client_stop_id}
    return named | {stop.id: stop for stop in found}


def _refuse_routed(routed: Mapping[str, str]) -> None:
    if routed:
        raise FailedPrecondition(
            f"{len(routed)} of the stops are on routes already", already_routed(routed)
        )


def already_routed(routed: Mapping[str, str]) -> list[PreconditionViolation]:
    """Say of each imported stop or store order on which route it is."""
    return [
        PreconditionViolation(
            type="ALREADY_ROUTED", subject=stop_id, description=f"is on route {route_id}"
        )
        for stop_id, route_id in routed.items()
    ]


def _filter_stops(tx: Transaction, organization_id: str, wanted: PlanStopFilter) -> list[_Chosen]:
    """Return what a filter lets pass and is on no live route: imported stops first, then orders."""
    stops = _filter_imported_stops(tx, organization_id, wanted)
    times = find_update_times(tx, organization_id, [stop.id for stop in stops])
    chosen = [_Chosen(stop=stop, updated_at=times[stop.id]) for stop in stops]
    if wanted.store_orders:
        chosen += _filter_orders(tx, organization_id, wanted, len(chosen))
    routed = find_live_routes_of_origins(tx, organization_id, [one.stop.id for one in chosen])
    return [one for one in chosen if one.stop.id not in routed]


def _filter_imported_stops(
    tx: Transaction, organization_id: str, wanted: PlanStopFilter
) -> list[ImportedStop]:
    """Return the imported stops that a filter lets pass, oldest first."""
    narrowed = StopFilter(
        by_update=False,
        starting=wanted.imported_after or None,
        ending=None,
        unrouted=wanted.unrouted,
        delivery_date=_date_text(wanted),
    )
    rows: list[ImportedStop] = []
    after: Position | None = None
    while page := select_imported_stops(tx, organization_id, narrowed, after, _AT_ONCE):
        rows += [
            stop
            for _, stop in page
            if _is_tagged(stop.tags, wanted) and _is_after(stop.imported_at, wanted)
        ]
        after = page[-1][0]
        _require_few(len(rows))
    return rows[::-1]


def _filter_orders(
    tx: Transaction, organization_id: str, wanted: PlanStopFilter, count: int
) -> list[_Chosen]:
    """Return the open orders that a filter lets pass, the one changed longest ago first."""
    narrowed = OrderFilter(
        state=StoreOrderState.OPEN, unrouted=wanted.unrouted, delivery_date=_date_text(wanted)
    )
    chosen: list[_Chosen] = []
    after: Position | None = None
    while page := select_store_orders(tx, organization_id, narrowed, after, _AT_ONCE):
        times = find_order_update_times(tx, organization_id, [order.id for _, order in page])
        chosen += [
            _Chosen(stop=order, updated_at=times[order.id])
            for _, order in page
            if _is_tagged(order.tags, wanted) and _is_after(times[order.id], wanted)
        ]
        after = page[-1][0]
        _require_few(count + len(chosen))
    return chosen


def _require_few(count: int) -> None:
    if count > MOST_PLANNED_STOPS:
        description = f"finds more than {MOST_PLANNED_STOPS} stops"
        violation = FieldViolation(field="stopFilter", description=description)
        raise InvalidArgument(f"stopFilter {description}", [violation])


def _is_tagged(tags: Sequence[str], wanted: PlanStopFilter) -> bool:
    return not wanted.tags or any(tag in tags for tag in wanted.tags)


def _is_after(moment: datetime, wanted: PlanStopFilter) -> bool:
    after = wanted.imported_after
    return not isinstance(after, datetime) or moment > after


def _date_text(wanted: PlanStopFilter) -> str:
    chosen = wanted.delivery_date
    if isinstance(chosen, Date):
        return chosen.as_date().isoformat()
    if not chosen:
        return ""
    try:
        return parse_planned_day(chosen).isoformat()
    except ValueError as error:
        violation = FieldViolation(field="stopFilter.deliveryDate", description=str(error))
        raise InvalidArgument(f"stopFilter.deliveryDate {error}", [violation]) from error
