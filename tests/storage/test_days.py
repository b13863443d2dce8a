"""What a day shows, as databases find it."""

from dataclasses import replace

import pytest
from tests.storage.rows import ACME, HERE, NOW, OTHER, at, route

from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.live_route import LiveRoute
from roundsman.domain.route import DriverFix
from roundsman.domain.store_order import StoreOrder
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.domain.time_window import Date
from roundsman.storage.database import Database
from roundsman.storage.days import (
    DaySpan,
    find_last_order_change,
    list_routes_of_day,
    list_unrouted_orders,
    list_unrouted_stops,
    sum_live_revisions,
)
from roundsman.storage.imported_stops import save_imported_stops
from roundsman.storage.live_routes import Saving, save_live_route
from roundsman.storage.routes import add_route
from roundsman.storage.store_orders import save_store_order

pytestmark = pytest.mark.both_databases

SPAN = DaySpan(date="2024-07-01", starting=at(0), ending=at(10), is_today=True)


def test_routes_of_a_day_and_what_is_known_beside_them(shared: Database) -> None:
    with shared.writing() as tx:
        add_route(tx, ACME, route("b", scheduled_for=at(0), created_at=at(20)))
        add_route(tx, ACME, route("a", created_at=at(9)))
        add_route(tx, ACME, route("late", scheduled_for=at(10), created_at=at(5)))
        add_route(tx, ACME, route("archived", scheduled_for=at(5), archived_at=NOW))
        add_route(tx, OTHER, route("theirs", scheduled_for=at(5)))
        for seconds, of in ((1, "a"), (2, "a"), (3, "b"), (4, "late"), (5, "theirs")):
            fix = DriverFix(coordinates=HERE, at=at(seconds))
            owner = OTHER if of == "theirs" else ACME
            save_live_route(tx, Saving(owner, of, "d", NOW), LiveRoute(fix=fix))
        found = list_routes_of_day(tx, ACME, SPAN)
        assert [(one.route.id, one.live_revision) for one in found] == [("a", 2), ("b", 1)]
        assert sum_live_revisions(tx, ACME, SPAN) == 3


def test_what_is_on_no_route_is_counted_and_the_first_of_it_shown(shared: Database) -> None:
    stops = [ImportedStop(id=name, imported_at=at(9 - index)) for index, name in enumerate("abc")]
    with shared.writing() as tx:
        save_imported_stops(tx, ACME, stops, NOW)
        found = list_unrouted_stops(tx, ACME, SPAN, 2)
        assert (found.count, [stop.id for stop in found.shown]) == (3, ["c", "b"])
        assert list_unrouted_stops(tx, OTHER, SPAN, 2).count == 0
        assert find_last_order_change(tx, ACME) == (0, None)
        for seconds, name in enumerate("yxz"):
            save_store_order(tx, ACME, StoreOrder(id=name), at(seconds))
        orders = list_unrouted_orders(tx, ACME, SPAN, 2)
        assert (orders.count, [order.id for order in orders.shown]) == (3, ["x", "y"])
        assert find_last_order_change(tx, ACME) == (3, at(2))


def test_open_orders_are_on_their_day_and_those_without_one_on_today(shared: Database) -> None:
    that_day = Date(year=2024, month=7, day=1)
    orders = [
        StoreOrder(id="another", delivery_date=Date(year=1999, month=1, day=2)),
        StoreOrder(id="cancelled", state=StoreOrderState.CANCELLED),
        StoreOrder(id="gone", delivery_date=that_day, state=StoreOrderState.FULFILLED),
        StoreOrder(id="that day", delivery_date=that_day),
        StoreOrder(id="undated"),
    ]
    with shared.writing() as tx:
        for order in orders:
            save_store_order(tx, ACME, order, NOW)
        for is_today, wanted in ((True, ["that day", "undated"]), (False, ["that day"])):
            found = list_unrouted_orders(tx, ACME, replace(SPAN, is_today=is_today), 9)
            assert [order.id for order in found.shown] == wanted
        assert list_unrouted_orders(tx, OTHER, SPAN, 9).count == 0
