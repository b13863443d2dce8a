"""Orders of an external storefront: kept as pushed, added to routes, and refreshed there."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime

from msgspec.structs import asdict, replace

from roundsman.domain.address import Address, Coordinates, Location
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.errors import (
    FailedPrecondition,
    FieldViolation,
    InvalidArgument,
    NotFound,
    PreconditionViolation,
)
from roundsman.domain.geocoding import Geocoding, MatchLevel
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.order_progress import OrderProgress, group_order_stops
from roundsman.domain.queries import ListStoreOrders, Query
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop, StopSource
from roundsman.domain.stop_type import StopType
from roundsman.domain.store_order import (
    ItemSelection,
    StoreOrder,
    StoreOrderDraft,
)
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.domain.storefront import StorefrontReport
from roundsman.domain.task import issue_tasks
from roundsman.geocoding.geocoder import Match
from roundsman.kit.ids import new_id
from roundsman.operations.locations import ResolvedLocation, geocode, located_at
from roundsman.operations.paging import Page, list_page_with_arguments
from roundsman.operations.request import Request
from roundsman.operations.route_changes import assign, change_route
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.routing.timing import time_route
from roundsman.storage.database import Transaction
from roundsman.storage.keyset import Position
from roundsman.storage.routes import (
    VersionConflict,
    list_routes_of_origin,
    list_routes_of_origins,
)
from roundsman.storage.store_orders import (
    OrderFilter,
    find_store_orders,
    save_store_order,
    select_store_orders,
)
from roundsman.storage.storefront_orders import find_order_links
from roundsman.storage.storefront_reports import list_reports_of_orders

type Chosen = Mapping[str, ItemSelection]
"""Which orders, by id, and which of their items."""

type Problem = tuple[str, str]
"""Its type, as violations name it, and a sentence."""

ON_HOLD = "onHold"
"""The type of the problem of an order that its shop will release, or not."""

USUAL_ITEMS = ItemSelection.PREFER_UNFULFILLED


def save_order(tools: Tools, request: Request, order_id: str, draft: StoreOrderDraft) -> StoreOrder:
    """Keep an order as the storefront has it now, in place of what was kept before.

    Of an order that a connection brought this is a correction: it stays the connection's. What was
    corrected of where an order goes stands for as long as the storefront says the same of that.
    """
    with begin_work(tools, request) as work:
        known = find_store_orders(work.tx, work.organization_id, [order_id]).get(order_id)
        connection_id = known.connection_id if known else ""
        order = StoreOrder(**asdict(draft), id=order_id, connection_id=connection_id)
        if known:
            order = _with_correction(order, known)
        work.added_bytes += save_store_order(work.tx, work.organization_id, order, work.now)
        return work.done(order)


def _with_correction(order: StoreOrder, known: StoreOrder) -> StoreOrder:
    """Return an order that was pushed, going where it was corrected to if that still stands."""
    target = Location(address=order.address, coordinates=order.coordinates)
    if known.connection_id or target == Location(
        address=known.address, coordinates=known.coordinates
    ):
        return replace(order, shop_location=known.relocated(target).shop_location)
    return order.corrected_as(known)


def get_order(tools: Tools, organization_id: str, order_id: str) -> StoreOrder:
    """Return an order as it was last heard of."""
    with tools.database.reading() as tx:
        found = find_store_orders(tx, organization_id, [order_id])
    if order_id not in found:
        raise NotFound("store order not found")
    return found[order_id]


def list_orders(
    tools: Tools, organization_id: str, query: Query[ListStoreOrders]
) -> tuple[Page[StoreOrder], tuple[OrderProgress, ...] | UnsetType]:
    """Return a page of orders, and what has become of each where the query asks for that."""

    def fetch(
        tx: Transaction, arguments: ListStoreOrders, after: Position | None, count: int
    ) -> list[tuple[Position, StoreOrder]]:
        wanted = OrderFilter(
            state=arguments.state or None,
            delivery_date=arguments.delivery_date,
            tag=arguments.tag,
            location=arguments.location,
            unrouted=arguments.unrouted,
            routed=arguments.routed,
            text=arguments.text,
            connection_id=arguments.connection_id,
            failed_reports=arguments.failed_reports,
            newest_first=arguments.newest_first,
        )
        return select_store_orders(tx, organization_id, wanted, after, count)

    page, arguments = list_page_with_arguments(tools, organization_id, "store orders", query, fetch)
    if not arguments.progress:
        return page, UNSET
    return page, _find_progress(tools, organization_id, [order.id for order in page.rows])


def get_progress(tools: Tools, organization_id: str, order_id: str) -> OrderProgress:
    """Return what has become of an order."""
    get_order(tools, organization_id, order_id)
    return _find_progress(tools, organization_id, [order_id])[0]


def _find_progress(
    tools: Tools, organization_id: str, order_ids: Sequence[str]
) -> tuple[OrderProgress, ...]:
    with tools.database.reading() as tx:
        routes = list_routes_of_origins(tx, organization_id, order_ids)
        links = find_order_links(tx, organization_id, order_ids)
        reports = list_reports_of_orders(tx, organization_id, links.values())
    stops = group_order_stops(routes)
    reports_of: dict[str, list[StorefrontReport]] = {}
    for report in reports:
        reports_of.setdefault(report.store_order_id, []).append(report)
    return tuple(
        OrderProgress(
            store_order_id=order_id,
            stops=tuple(stops.get(order_id, ())),
            reports=tuple(reports_of.get(order_id, ())),
        )
        for order_id in order_ids
    )


def list_routes_of_order(tools: Tools, organization_id: str, order_id: str) -> list[AssignedRoute]:
    """Return every route that an order is on, oldest first."""
    with tools.database.reading() as tx:
        if order_id not in find_store_orders(tx, organization_id, [order_id]):
            raise NotFound("store order not found")
        found = list_routes_of_origin(tx, organization_id, order_id)
        return [
            assign(tx, organization_id, route)
            for route in found
            if any(stop.store_order_id == order_id for stop in route.stops)
        ]


def add_orders(
    tools: Tools,
    request: Request,
    route_id: str,
    named: Sequence[tuple[str, ItemSelection]],
) -> AssignedRoute:
    """Append orders to a route, all or none; every order that cannot be added is listed."""
    repeated = review_added_orders([order_id for order_id, _ in named])
    if repeated:
        raise InvalidArgument("a store order is given more than once", repeated)
    chosen = dict(named)
    orders: dict[str, StoreOrder] = {}

    def append(route: Route) -> Route:
        nonlocal orders
        route.require_not_archived()
        orders = find_orders(tools, request.organization_id, chosen)
        located = _locate_addable(tools, chosen, orders, route)
        stops = [
            copy_order(orders[order_id], location, chosen[order_id], route, tools)
            for order_id, location in located.items()
        ]
        extended = _with_whole_orders(route.with_stops_appended(stops), chosen)
        return time_route(extended, tools.roads).route

    def check(tx: Transaction) -> None:
        require_unchanged(tx, request.organization_id, orders)

    return change_route(tools, request, route_id, append, check=check)


def require_unchanged(
    tx: Transaction, organization_id: str, orders: Mapping[str, StoreOrder]
) -> None:
    """Raise VersionConflict where stops were made of orders that are otherwise by now.

    A correction reaches the stops that are on routes already: a new one would keep the old door.
    """
    if orders and find_store_orders(tx, organization_id, orders) != orders:
        raise VersionConflict("an order was changed at the same time; send the request again")


def find_orders(
    tools: Tools, organization_id: str, order_ids: Iterable[str]
) -> dict[str, StoreOrder]:
    """Return the organization's orders that have one of the ids, by id."""
    with tools.database.reading() as tx:
        return find_store_orders(tx, organization_id, order_ids)


def find_order_stops(
    tools: Tools, organization_id: str, order_ids: Sequence[str]
) -> dict[str, Callable[[Route], RouteStop]]:
    """Return for each order what makes the stop that it would be on a route.

    Raise FailedPrecondition, listing every order that could be on none.
    """
    return make_order_stops(tools, order_ids, find_orders(tools, organization_id, order_ids))


def make_order_stops(
    tools: Tools, order_ids: Sequence[str], orders: Mapping[str, StoreOrder]
) -> dict[str, Callable[[Route], RouteStop]]:
    """Return for each order what makes its stop, from the orders as they were read."""
    located = _locate_addable(tools, dict.fromkeys(order_ids, USUAL_ITEMS), orders, None)

    def maker(order_id: str) -> Callable[[Route], RouteStop]:
        return lambda route: copy_order(
            orders[order_id], located[order_id], USUAL_ITEMS, route, tools
        )

    return {order_id: maker(order_id) for order_id in order_ids}


def resync_orders(tools: Tools, request: Request, route_id: str) -> AssignedRoute:
    """Refresh what order-backed stops show of their orders; the same again changes nothing."""

    def refresh(route: Route) -> Route:
        backed = [stop.store_order_id for stop in route.stops if stop.store_order_id]
        orders = find_orders(tools, request.organization_id, backed)
        stops = [
            refresh_stop(stop, orders[stop.store_order_id], route, tools.clock.now())
            if stop.store_order_id in orders
            else stop
            for stop in route.stops
        ]
        refreshed = route.with_items_changed(stops)
        if refreshed != route:
            route.require_not_archived()
        return refreshed

    return change_route(tools, request, route_id, refresh)


def review_added_orders(ids: Sequence[str | None]) -> list[FieldViolation]:
    """Find orders given twice, also in a request of which some could not be read."""
    times = Counter(order_id for order_id in ids if order_id)
    return [
        FieldViolation(field=f"[{index}].storeOrderId", description="is given more than once")
        for index, order_id in enumerate(ids)
        if order_id and times[order_id] > 1
    ]


def _locate_addable(
    tools: Tools, chosen: Chosen, orders: Mapping[str, StoreOrder], route: Route | None
) -> dict[str, ResolvedLocation]:
    """Return where each chosen order goes; raise FailedPrecondition listing all that go nowhere."""
    located, problems = locate_orders(tools, chosen, orders, route)
    require_addable(problems)
    return located


def locate_orders(
    tools: Tools,
    chosen: Iterable[str],
    orders: Mapping[str, StoreOrder],
    route: Route | None,
    on_routes: Collection[str] = (),
) -> tuple[dict[str, ResolvedLocation], dict[str, Problem]]:
    """Return where each chosen order goes, and what keeps the others off a route.

    One that is on a route already, and stays on one, may be on hold.
    """
    chosen = list(chosen)
    problems = {order_id: _problem_with(order_id, orders, route) for order_id in chosen}
    for order_id in on_routes:
        problem = problems.get(order_id)
        if problem is not None and problem[0] == ON_HOLD:
            problems[order_id] = _problem_with_address(orders[order_id])
    addable = [orders[order_id] for order_id, problem in problems.items() if problem is None]
    located = {
        order.id: ResolvedLocation(
            coordinates=order.coordinates, geocoding=Geocoding(match_type=MatchLevel.GIVEN)
        )
        for order in addable
        if isinstance(order.coordinates, Coordinates)
    }
    addresses = {
        order.id: order.address or Address() for order in addable if order.id not in located
    }
    found = geocode(tools.geocoder, list(addresses.values()))
    for order_id, answer in zip(addresses, found, strict=True):
        if isinstance(answer, Match):
            located[order_id] = located_at(answer)
        else:
            problems[order_id] = ("address", f"could not be geocoded: {answer.reason}")
    wrong = {order_id: problem for order_id, problem in problems.items() if problem is not None}
    return {order_id: located[order_id] for order_id in chosen if order_id in located}, wrong


def _problem_with(
    order_id: str, orders: Mapping[str, StoreOrder], route: Route | None
) -> Problem | None:
    """Return what keeps an order off a route, before its address is looked up."""
    order = orders.get(order_id)
    if order is None:
        return "notFound", "there is no such store order; it may not be here yet"
    if route and any(stop.store_order_id == order_id for stop in route.stops):
        return "alreadyOnRoute", "the store order is on the route already"
    if order.state is StoreOrderState.CANCELLED:
        return "cancelled", "the store order was cancelled"
    if order.state is StoreOrderState.ON_HOLD:
        return ON_HOLD, "the store order is on hold: its shop has to release it first"
    return _problem_with_address(order)


def _problem_with_address(order: StoreOrder) -> Problem | None:
    if order.coordinates:
        return None
    if isinstance(order.address, UnsetType) or order.address.is_blank():
        return "address", "the store order has no shipping address"
    return None


def require_addable(problems: Mapping[str, Problem]) -> None:
    """Raise FailedPrecondition that lists every order that goes nowhere, if there is any."""
    if not problems:
        return
    violations = [
        PreconditionViolation(type=problem[0], subject=order_id, description=problem[1])
        for order_id, problem in problems.items()
    ]
    first = violations[0]
    raise FailedPrecondition(
        f'store order "{first.subject}" cannot be added: {first.description}', violations
    )


def copy_order(
    order: StoreOrder,
    location: ResolvedLocation,
    selection: ItemSelection,
    route: Route,
    tools: Tools,
) -> RouteStop:
    """Return a stop with what an order says, and the route's own duration and tasks."""
    stop = RouteStop(
        id=new_id(tools.ids, "rst"),
        type=StopType.DELIVERY if order.type is StopType.UNKNOWN else order.type,
        updated_at=tools.clock.now(),
        duration=route.default_stop_duration if order.duration is UNSET else order.duration,
        priority=order.priority,
        note=order.order_note,
        address=order.address,
        contact=order.contact,
        planned_coordinates=location.coordinates,
        geocoding=location.geocoding,
        items=order.items_for(selection),
        source=StopSource.STORE_ORDER,
        store_order_id=order.id,
        tasks=issue_tasks(route.stop_tasks, lambda: new_id(tools.ids, "tsk")),
        order_name=order.name,
        tags=order.tags,
        time_windows=order.time_windows,
        delivery_date=order.delivery_date,
        attributes=order.attributes,
        order_reference_url=order.order_reference_url,
    )
    return replace(stop, store_order=order.notes(stop))


def _with_whole_orders(route: Route, chosen: Chosen) -> Route:
    """Record which orders were added whole, so that refreshing them keeps that."""
    kept = [order_id for order_id in route.whole_orders if order_id not in chosen]
    whole = [order_id for order_id, which in chosen.items() if which is ItemSelection.ALL]
    return replace(route, whole_orders=(*kept, *whole))


def refresh_stop(stop: RouteStop, order: StoreOrder, route: Route, now: datetime) -> RouteStop:
    """Return a stop of a route with the items, notes and tags that its order has now."""
    whole = stop.store_order_id in route.whole_orders
    selection = ItemSelection.ALL if whole else ItemSelection.PREFER_UNFULFILLED
    fresh = replace(
        stop,
        items=order.items_for(selection),
        note=order.order_note,
        tags=order.tags,
        store_order=order.notes(stop),
    )
    return stop if fresh == stop else replace(fresh, updated_at=now)
