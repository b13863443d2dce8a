import pytest
from tests.storage.rows import ACME, NOW, OTHER, STRANGE, at

from roundsman.domain.store_order import OrderItem, StoreOrder
from roundsman.storage.database import Database
from roundsman.storage.store_orders import find_store_orders, save_store_order

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
