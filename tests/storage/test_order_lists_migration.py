"""Orders of storefronts from before are listed by what they say."""

import msgspec
import pytest
from sqlalchemy import text
from tests.storage.rows import NOW
from tests.storage.upgrading import upgrade_to

from roundsman.domain.store_order import StoreOrder
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.storage.database import Database
from roundsman.storage.migrate import migrate
from roundsman.storage.store_orders import OrderFilter, select_store_orders
from roundsman.storage.tables import as_micros

pytestmark = pytest.mark.both_databases

_ORGANIZATION = (
    "INSERT INTO organizations (id, name, timezone, webhook_secret, routes_counted, created_at)"
    " VALUES (:id, 'A', 'UTC', 'x', 0, 0)"
)
_ORDER = (
    "INSERT INTO store_orders (organization_id, id, updated_at, body)"
    " VALUES (:owner, :id, :at, :body)"
)


def test_orders_of_before_are_open_and_found_by_name_and_tag(empty_url: str) -> None:
    database = Database(empty_url)
    upgrade_to(database, "0020")
    kept = [StoreOrder(id=f"{number}", name="ÖSTRA", tags=("cold",)) for number in range(501)]
    with database.writing() as tx:
        for owner in ("acme", "other"):
            tx.execute(text(_ORGANIZATION), {"id": owner})
            rows = [
                {
                    "owner": owner,
                    "id": order.id,
                    "at": as_micros(NOW),
                    "body": msgspec.json.encode(order).decode(),
                }
                for order in kept
            ]
            tx.execute(text(_ORDER), rows)
    migrate(database)
    wanted = OrderFilter(state=StoreOrderState.OPEN, text="östra", tag="cold")
    with database.reading() as tx:
        for owner in ("acme", "other"):
            found = [one for _, one in select_store_orders(tx, owner, wanted, None, 999)]
            assert {one.id for one in found} == {order.id for order in kept}
    database.close()
