from typing import Any

import pytest
from tests.storage.pages import read_all
from tests.storage.rows import ACME, HERE, NOW, OTHER, STRANGE, at, route, stop

from roundsman.domain.address import Contact
from roundsman.domain.store_order import OrderItem, StoreOrder
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.domain.time_window import Date
from roundsman.storage.database import Database, Transaction
from roundsman.storage.routes import add_route
from roundsman.storage.store_orders import (
    OrderFilter,
    columns_of_order,
    find_order_update_times,
    find_store_orders,
    save_store_order,
    select_store_orders,
)

pytestmark = pytest.mark.both_databases


def order(id_: str, name: str = STRANGE) -> StoreOrder:
    item = OrderItem(name=STRANGE, quantity=100_000, grams=10**9, fulfilled_quantity=1)
    return StoreOrder(id=id_, name=name, items=(item,))


def test_a_storefronts_own_id_names_one_order_of_its_organization(shared: Database) -> None:
    with shared.writing() as tx:
        save_store_order(tx, ACME, order("1001"), NOW)
        save_store_order(tx, OTHER, order("1001", "theirs"), NOW)
        save_store_order(tx, ACME, order(f"gid {STRANGE}"), NOW)
        save_store_order(tx, ACME, order("1001", "again"), at(1))
    with shared.reading() as tx:
        assert find_store_orders(tx, ACME, iter(["1001", f"gid {STRANGE}", "1002"])) == {
            "1001": order("1001", "again"),
            f"gid {STRANGE}": order(f"gid {STRANGE}"),
        }
        assert find_store_orders(tx, OTHER, ["1001", f"gid {STRANGE}"]) == {
            "1001": order("1001", "theirs")
        }
        assert find_store_orders(tx, ACME, ["GID"]) == find_store_orders(tx, ACME, []) == {}


def test_it_is_known_when_an_order_was_last_kept(shared: Database) -> None:
    with shared.writing() as tx:
        save_store_order(tx, ACME, order("1001"), NOW)
        save_store_order(tx, ACME, order("1002"), NOW)
        save_store_order(tx, ACME, order("1001", "again"), at(1))
        save_store_order(tx, OTHER, order("1003"), NOW)
    with shared.reading() as tx:
        wanted = ["1001", "1002", "1003", "1004"]
        assert find_order_update_times(tx, ACME, wanted) == {"1001": at(1), "1002": NOW}


def test_what_a_list_is_asked_for_stands_beside_the_order(shared: Database) -> None:
    one = StoreOrder(id="a", contact=Contact(last_name="Kim"), tags=("vip",), location="Depot")
    columns = columns_of_order(one)
    with shared.writing() as tx:
        save_store_order(tx, ACME, one, NOW)
        kept = tx.exec_driver_sql(
            "SELECT state, delivery_date, location, tags, search_text FROM store_orders"
        ).one()
    assert tuple(kept) == tuple(columns.values())
    assert "kim" in columns["search_text"]


def listed(tx: Transaction, owner: str = ACME, **wanted: Any) -> list[str]:
    found = read_all(
        lambda after, count: select_store_orders(tx, owner, OrderFilter(**wanted), after, count), 2
    )
    return [order.id for order in found]


def test_orders_are_listed_by_whatever_a_planner_asks_page_by_page_through_ties(
    shared: Database,
) -> None:
    with shared.writing() as tx:
        for seconds, one in (
            (2, StoreOrder(id="d", name="#1004", tags=("vip",), coordinates=HERE)),
            (1, StoreOrder(id="b", state=StoreOrderState.CANCELLED, location="Depot")),
            (1, StoreOrder(id="a", delivery_date=Date(year=2026, month=7, day=1))),
            (1, StoreOrder(id="c", contact=Contact(last_name="MÜLLER", phone="+14105550123"))),
        ):
            save_store_order(tx, ACME, one, at(seconds))
        save_store_order(tx, OTHER, StoreOrder(id="e"), at(1))
        assert listed(tx) == ["a", "b", "c", "d"]
        assert listed(tx, OTHER) == ["e"]
        assert listed(tx, state=StoreOrderState.CANCELLED) == ["b"]
        assert listed(tx, state=StoreOrderState.OPEN) == ["a", "c", "d"]
        assert listed(tx, delivery_date="2026-07-01") == ["a"]
        assert listed(tx, tag="vip") == ["d"]
        assert listed(tx, tag="vi") == []
        assert listed(tx, location="Depot") == ["b"]
        assert listed(tx, text="müller") == listed(tx, text="5550") == ["c"]
        assert listed(tx, text="#1004", tag="vip") == ["d"]
        add_route(tx, ACME, route("rte-1", stops=(stop("rst-1", store_order_id="c"),)))
        assert listed(tx, unrouted=True) == ["a", "b", "d"]
