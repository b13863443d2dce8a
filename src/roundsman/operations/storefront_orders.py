"""Keeps orders as their shops have them, and lets the stops that were made of them follow.

Stops on routes that have not started follow in items, notes and tags, as by `resync-orders`. Where
an order is delivered to, and when, is the planner's from then on: what the shop says of that later
is shown on them. An order that is open no more is shown on its stop, on routes under way too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as dataclass_replace
from datetime import datetime

import msgspec
from msgspec.structs import asdict, replace

from roundsman.domain.customer_mark import CustomerMark
from roundsman.domain.item import Item
from roundsman.domain.model import UnsetType
from roundsman.domain.quota import find_route_excess
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_type import StopType
from roundsman.domain.store_order import MOST_REMARKS, StoreOrder, StoreOrderDraft
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.domain.storefront import ReportedStep, StorefrontConnection, base_url
from roundsman.kit.secrets import sign
from roundsman.operations.route_changes import save_changed
from roundsman.operations.store_orders import refresh_stop
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import UnitOfWork
from roundsman.storage.routes import find_route, list_routes_of_origin
from roundsman.storage.store_orders import find_store_orders, save_store_order
from roundsman.storage.storefront_orders import (
    OrderLink,
    find_order_links,
    find_shop_orders,
    save_order_links,
)
from roundsman.storage.storefront_reports import find_carried_items
from roundsman.storefronts.port import ForeignOrder
from roundsman.storefronts.rules import apply_settings

_PURPOSE = "storefront order"
_OF_CUSTOMERS = (
    "name",
    "contact",
    "address",
    "coordinates",
    "order_note",
    "customer_note",
    "attributes",
    "remarks",
    "shop_location",
)
"""What an order says of who gets it, or may say."""

_SAID_OF_CUSTOMERS = tuple(
    name for name in _OF_CUSTOMERS if name in StoreOrderDraft.__struct_fields__
)
"""What of it the shop itself says."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _OrderWriter:
    """What the orders of one transaction are kept with."""

    tools: Tools
    work: UnitOfWork
    connection: StorefrontConnection
    known: Mapping[str, OrderLink]
    usual: Mapping[str, OrderLink]
    """What has the usual ids of orders that are not known."""

    @property
    def shop(self) -> str:
        return f"{self.connection.platform} {base_url(self.connection.address)}"

    def keep(self, foreign: ForeignOrder) -> StoreOrder | None:
        """Keep an order; return it where that changed anything."""
        link = self.known.get(foreign.order_id) or self._find_left(foreign)
        if link is None and not foreign.is_wanted:
            return None
        if link is not None and foreign.updated_at < link.external_updated_at:
            return None  # an older answer that came later
        if link is None:
            link = self._link(foreign)
        said = _list_said(foreign.draft)
        fingerprint = self._mark(said, foreign.is_wanted, foreign.remarks)
        is_same = (link.fingerprint, link.storefront_id) == (fingerprint, self.connection.id)
        if is_same and foreign.updated_at == link.external_updated_at:
            return None
        before, now = CustomerMark.read(link.address_mark), self._mark_customer(foreign.draft)
        kept = dataclass_replace(
            link,
            storefront_id=self.connection.id,
            external_updated_at=foreign.updated_at,
            fingerprint=fingerprint,
            address_mark=now.after(before).write(),
        )
        order = None if is_same else self._save(foreign, link, kept)
        save_order_links(self.work.tx, self.work.organization_id, [kept])
        return order

    def _save(self, foreign: ForeignOrder, before: OrderLink, after: OrderLink) -> StoreOrder:
        organization_id = self.work.organization_id
        order = as_store_order(self.connection, foreign, after.store_order_id)
        stored = find_store_orders(self.work.tx, organization_id, [order.id]).get(order.id)
        was, now = CustomerMark.read(before.address_mark), CustomerMark.read(after.address_mark)
        if stored is not None and now.is_erased:
            # Our own reports change the order, too, and are to bring nobody back.
            order = replace(order, **{name: getattr(stored, name) for name in _OF_CUSTOMERS})
        elif stored is not None and was.has_same_address(now):
            # A correction of ours stands for as long as the shop's own address does.
            kept = ("address", "coordinates", "shop_location")
            order = replace(order, **{name: getattr(stored, name) for name in kept})
        elif stored is not None and stored.shop_location and not was.is_erased:
            corrected = order.corrected_as(stored)
            is_dropped = corrected == order and order.address != stored.address
            order = order.with_correction_dropped() if is_dropped else corrected
        self.work.added_bytes += save_store_order(
            self.work.tx, organization_id, order, self.work.now
        )
        return order

    def _find_left(self, foreign: ForeignOrder) -> OrderLink | None:
        """Return the link of an order whose shop was disconnected, and is connected again."""
        left = self.usual.get(self.connection.store_order_id(foreign.number))
        if left is None or left.storefront_id is not None:
            return None
        is_same = (left.shop, left.external_id) == (self.shop, foreign.order_id)
        return left if is_same else None

    def _link(self, foreign: ForeignOrder) -> OrderLink:
        """Return the link of an order that is new, under an id that is nobody else's."""
        organization_id = self.work.organization_id
        usual = self.connection.store_order_id(foreign.number)
        wanted = (
            usual,
            f"{usual}-{foreign.order_id}",
            f"{self.connection.id}-{foreign.order_id}",
        )
        links = find_order_links(self.work.tx, organization_id, wanted)
        taken = find_store_orders(self.work.tx, organization_id, wanted)
        free = next(id_ for id_ in wanted if id_ not in links and id_ not in taken)
        return OrderLink(
            store_order_id=free,
            storefront_id=self.connection.id,
            shop=self.shop,
            external_id=foreign.order_id,
            external_updated_at=foreign.updated_at,
            fingerprint="",
            address_mark="",
        )

    def _mark_customer(self, draft: StoreOrderDraft) -> CustomerMark:
        said = [getattr(draft, name) for name in _SAID_OF_CUSTOMERS]
        address = self._mark(draft.address, draft.coordinates)
        return CustomerMark(address=address, customer=self._mark(*said))

    def _mark(self, *values: object) -> str:
        """Return what two values have in common only if they are the same."""
        # What is not there is encoded by no library.
        said = [None if isinstance(value, UnsetType) else value for value in values]
        text = msgspec.json.encode(said).decode()
        return sign(self.tools.link_key, _PURPOSE, self.shop, text)


def _list_said(draft: StoreOrderDraft) -> Mapping[str, object]:
    """Return what an order says, without what later versions have added and it says nothing of.

    So an upgrade changes no mark, and no order that its shop has not changed.
    """
    said: dict[str, object] = msgspec.to_builtins(draft)
    usual = {"type": StopType.UNKNOWN.value, "priority": 0, "requiredSkills": ()}
    return {name: one for name, one in said.items() if name not in usual or one != usual[name]}


def as_store_order(
    connection: StorefrontConnection, foreign: ForeignOrder, store_order_id: str
) -> StoreOrder:
    """Return an order of a shop as it is kept; one that nobody is to deliver is on hold."""
    is_open = foreign.draft.state is StoreOrderState.OPEN
    state = foreign.draft.state if foreign.is_wanted or not is_open else StoreOrderState.ON_HOLD
    return StoreOrder(
        **{**asdict(foreign.draft), "state": state},
        id=store_order_id,
        connection_id=connection.id,
        remarks=tuple(foreign.remarks)[:MOST_REMARKS],
    )


def keep_orders(
    tools: Tools,
    work: UnitOfWork,
    connection: StorefrontConnection,
    orders: Sequence[ForeignOrder],
) -> list[StoreOrder]:
    """Keep orders as their shop has them; return those that have changed."""
    orders = [apply_settings(connection.settings, one) for one in orders]
    orders = _with_items_back(work, connection, orders)
    known = find_shop_orders(work.tx, connection.id, [one.order_id for one in orders])
    ids = [connection.store_order_id(one.number) for one in orders if one.order_id not in known]
    usual = find_order_links(work.tx, work.organization_id, ids)
    writer = _OrderWriter(tools=tools, work=work, connection=connection, known=known, usual=usual)
    latest = {one.order_id: one for one in orders}  # one that changed twice is on a page twice
    changed = [order for one in latest.values() if (order := writer.keep(one)) is not None]
    for order in changed:
        _let_stops_follow(work, order)
    return changed


def _with_items_back(
    work: UnitOfWork, connection: StorefrontConnection, orders: Sequence[ForeignOrder]
) -> list[ForeignOrder]:
    """Return orders with what nobody took at the door to be delivered once more."""
    carried = find_carried_items(work.tx, connection.id, [one.order_id for one in orders])
    read = []
    for one in orders:
        back: list[Item] = []
        away: list[Item] = []
        for step, items in carried.get(one.order_id, ()):
            (back if step is ReportedStep.ATTEMPTED else away).extend(items)
        is_back = bool(back) and not one.is_delivered
        draft = one.draft.with_items_back(back, away) if is_back else one.draft
        read.append(dataclass_replace(one, draft=draft))
    return read


def forget_missing(
    work: UnitOfWork, connection: StorefrontConnection, external_ids: Sequence[str]
) -> list[StoreOrder]:
    """Cancel orders that are in their shop no more; return those that were not cancelled yet."""
    known = find_shop_orders(work.tx, connection.id, external_ids)
    ids = [link.store_order_id for link in known.values()]
    stored = find_store_orders(work.tx, work.organization_id, ids)
    cancelled = []
    for link in known.values():
        order = stored.get(link.store_order_id)
        if order is None or order.state is StoreOrderState.CANCELLED:
            continue
        gone = replace(order, state=StoreOrderState.CANCELLED)
        work.added_bytes += save_store_order(work.tx, work.organization_id, gone, work.now)
        # Should the shop bring it back, it is another order than the one that was kept.
        save_order_links(
            work.tx, work.organization_id, [dataclass_replace(link, fingerprint="gone")]
        )
        _let_stops_follow(work, gone)
        cancelled.append(gone)
    return cancelled


def _let_stops_follow(work: UnitOfWork, order: StoreOrder) -> None:
    for route in list_routes_of_origin(work.tx, work.organization_id, order.id):
        if isinstance(route.archived_at, datetime):
            continue
        changed = _following(route, order, work.now)
        stored = find_route(work.tx, work.organization_id, route.id)
        # A route that has no room for what the order has now stays as it is: resync-orders says so.
        if stored is not None and changed != route and not find_route_excess(route, changed):
            save_changed(work, stored, changed)


def _following(route: Route, order: StoreOrder, now: datetime) -> Route:
    """Return the route with its stops of an order as far as they may follow it."""
    stops = [
        _follow(stop, order, route, now)
        if stop.store_order_id == order.id and not stop.is_done()
        else stop
        for stop in route.stops
    ]
    return route.with_items_changed(stops)


def _follow(stop: RouteStop, order: StoreOrder, route: Route, now: datetime) -> RouteStop:
    if not route.is_started():
        return refresh_stop(stop, order, route, now)
    # The driver has it on board: that it is open no more, or goes elsewhere or at another time, is
    # worth a glance.
    shown = stop.store_order
    if isinstance(shown, UnsetType):
        return stop
    notes = order.notes(stop)
    flagged = replace(
        shown,
        state=notes.state,
        address=notes.address,
        delivery_date=notes.delivery_date,
        time_windows=notes.time_windows,
    )
    return stop if flagged == shown else replace(stop, store_order=flagged, updated_at=now)
