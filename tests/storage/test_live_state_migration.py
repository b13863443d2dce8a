"""Routes and stops from before are listed by what they are."""

import msgspec
import pytest
from sqlalchemy import text
from tests.storage.rows import NOW, imported_stop, route, stop
from tests.storage.upgrading import upgrade_to

from roundsman.domain.queries import SortKey
from roundsman.domain.route_status import RouteStatus
from roundsman.domain.route_stop import DeliveryStatus
from roundsman.storage.database import Database
from roundsman.storage.imported_stops import StopFilter, select_imported_stops
from roundsman.storage.migrate import migrate
from roundsman.storage.routes import RouteFilter, select_routes
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
_STOP = (
    "INSERT INTO imported_stops (id, organization_id, imported_at, updated_at, body)"
    " VALUES (:id, 'acme', :at, :at, :body)"
)


def test_what_was_stored_before_is_found_by_text_tag_vehicle_and_status(empty_url: str) -> None:
    database = Database(empty_url)
    upgrade_to(database, "0013")
    ready = stop("s1", delivery_status=DeliveryStatus.READY_FOR_DELIVERY)
    kept = route("rte-1", name="ÖSTRA", tags=("cold",), vehicle_id="veh-1", stops=(ready,))
    pooled = imported_stop("ist-1", order_name="ÖSTRA", tags=("cold",))
    with database.writing() as tx:
        tx.execute(text(_ORGANIZATION))
        for statement, one in ((_ROUTE, kept), (_STOP, pooled)):
            body = msgspec.json.encode(one).decode()
            tx.execute(text(statement), {"id": one.id, "at": as_micros(NOW), "body": body})
    migrate(database)
    routes = RouteFilter(
        sort_key=SortKey.CREATED_AT,
        include_archived=False,
        vehicle_id="veh-1",
        status=RouteStatus.READY,
        starting=None,
        ending=None,
        text="östra",
        tag="cold",
    )
    stops = StopFilter(
        by_update=False, unrouted=False, starting=None, ending=None, text="östra", tag="cold"
    )
    with database.reading() as tx:
        assert [one for _, one in select_routes(tx, "acme", routes, None, 9)] == [kept]
        assert [one for _, one in select_imported_stops(tx, "acme", stops, None, 9)] == [pooled]
    database.close()
