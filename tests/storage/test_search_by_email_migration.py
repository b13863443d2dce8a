"""What was stored before is found by the customer's e-mail address, too."""

import msgspec
import pytest
from sqlalchemy import literal, select, text
from tests.storage.rows import NOW, imported_stop, route, stop
from tests.storage.upgrading import upgrade_to

from roundsman.domain.address import Contact
from roundsman.domain.queries import SortKey
from roundsman.domain.store_order import StoreOrder
from roundsman.storage.database import Database
from roundsman.storage.dialects import holds_any
from roundsman.storage.imported_stops import StopFilter, select_imported_stops
from roundsman.storage.migrate import migrate
from roundsman.storage.routes import RouteFilter, select_routes
from roundsman.storage.store_orders import OrderFilter, select_store_orders
from roundsman.storage.tables import as_micros

pytestmark = pytest.mark.both_databases

_ORGANIZATION = (
    "INSERT INTO organizations (id, name, timezone, webhook_secret, routes_counted, created_at)"
    " VALUES ('acme', 'A', 'UTC', 'x', 0, 0)"
)
_ROUTE = (
    "INSERT INTO routes (id, organization_id, version, created_at, updated_at, scheduled_for, body)"
    " VALUES (:id, 'acme', 1, :at, :at, 0, :body)"
)
_ROUTE_SEARCH = (
    "INSERT INTO route_search (route_id, organization_id, text, tags)"
    " VALUES (:id, 'acme', 'old', '')"
)
_STOP = (
    "INSERT INTO imported_stops (id, organization_id, imported_at, updated_at, body, search_text)"
    " VALUES (:id, 'acme', :at, :at, :body, 'old')"
)
_ORDER = (
    "INSERT INTO store_orders (organization_id, id, updated_at, body, search_text)"
    " VALUES ('acme', :id, :at, :body, 'old')"
)
_MANY = 101  # more than are read at once
_SOUGHT = "Kunde100@"


def test_what_was_stored_before_is_found_by_email(empty_url: str) -> None:
    database = Database(empty_url)
    upgrade_to(database, "0035")
    with database.writing() as tx:
        tx.execute(text(_ORGANIZATION))
        for number in range(_MANY):
            contact = Contact(email=f"kunde{number}@example.de")
            made = route(f"rte-{number}", stops=(stop(f"rst-{number}", contact=contact),))
            pooled = imported_stop(f"ist-{number}", contact=contact)
            order = StoreOrder(id=f"{number}", contact=contact)
            for statement, one in ((_ROUTE, made), (_STOP, pooled), (_ORDER, order)):
                body = msgspec.json.encode(one).decode()
                tx.execute(text(statement), {"id": one.id, "at": as_micros(NOW), "body": body})
            tx.execute(text(_ROUTE_SEARCH), {"id": made.id})
    migrate(database)
    routes = RouteFilter(
        sort_key=SortKey.CREATED_AT,
        include_archived=False,
        starting=None,
        ending=None,
        text=_SOUGHT,
    )
    stops = StopFilter(by_update=False, unrouted=False, starting=None, ending=None, text=_SOUGHT)
    orders = OrderFilter(text=_SOUGHT)
    last = f"{_MANY - 1}"
    with database.reading() as tx:
        found = select_routes(tx, "acme", routes, None, 9)
        assert [one.id for _, one in found] == [f"rte-{last}"]
        pool = select_imported_stops(tx, "acme", stops, None, 9)
        assert [one.id for _, one in pool] == [f"ist-{last}"]
        ordered = select_store_orders(tx, "acme", orders, None, 9)
        assert [one.id for _, one in ordered] == [last]
    database.close()


def test_a_text_is_searched_for_in_any_spelling(empty_url: str) -> None:
    database = Database(empty_url)
    with database.reading() as tx:
        for parts, holds in ((["x", "b"], True), (["x", "B"], False)):
            assert bool(tx.scalar(select(holds_any(literal("abc"), parts)))) is holds
    database.close()
