"""A large past: stops imported and routes driven long ago, written by the database itself.

Every row is a copy of one that the operations wrote, under an id of its own and a time of its own,
older than all that is there. All of it belongs to the organization that is measured.
"""

from sqlalchemy import text

from roundsman.storage.database import Database, Transaction

STOPS_A_ROUTE = 20
_SECOND = 1_000_000
_DAY = 86_400 * _SECOND
_FIRST = 100_000_000_000
"""Numbers of rows count from here, so that every one has twelve digits."""

_AGE = f"({_DAY} + CAST(i AS BIGINT) * {_SECOND})"
_NUMBERS = (
    "WITH RECURSIVE numbers(i) AS"
    " (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i + 1 < :count) "
)


def _id(prefix: str, number: str) -> str:
    return f"('{prefix}-00000000-0000-4000-8000-' || CAST({_FIRST} + {number} AS TEXT))"


_STOPS = f"""
INSERT INTO imported_stops
  (id, organization_id, client_stop_id, imported_at, updated_at, body)
{_NUMBERS}
SELECT {_id("ist", "i")}, organization_id, 'past-' || CAST(i AS TEXT),
  imported_at - {_AGE}, updated_at - {_AGE},
  replace(body, id, {_id("ist", "i")})
FROM numbers, imported_stops WHERE id = :pattern
"""  # noqa: S608 -- made of constants

_ROUTES = f"""
INSERT INTO routes
  (id, organization_id, version, created_at, updated_at, scheduled_for, archived_at, driver_id,
   body)
{_NUMBERS}
SELECT {_id("rte", "i")}, organization_id, version,
  created_at - {_AGE}, updated_at - {_AGE}, scheduled_for,
  CASE WHEN i % 10 = 9 THEN NULL ELSE updated_at END, driver_id,
  replace(body, id, {_id("rte", "i")})
FROM numbers, routes WHERE id = :pattern
"""  # noqa: S608 -- the same

_ORIGINS = f"""
INSERT INTO route_stop_origins (stop_id, route_id, organization_id, origin_id)
{_NUMBERS}
SELECT {_id("rst", "i")}, {_id("rte", f"i / {STOPS_A_ROUTE}")}, :organization, {_id("ist", "i")}
FROM numbers
"""  # noqa: S608 -- the same


def add_past(database: Database, organization_id: str, stops: int, routes: int) -> None:
    """Store so many rows; nine of ten routes are archived, and as many stops as fit are on them."""
    with database.writing() as tx:
        if routes:
            _copy(tx, _ROUTES, "routes", routes)
        routed = min(stops, routes * STOPS_A_ROUTE)
        if routed:
            tx.execute(text(_ORIGINS), {"count": routed, "organization": organization_id})
        # Last, so that those on routes have never been unrouted: what a million of them would
        # leave behind in that list, a past has long been rid of.
        if stops:
            _copy(tx, _STOPS, "imported_stops", stops)
        if database.dialect_name == "postgresql":
            tx.exec_driver_sql("ANALYZE")


def _copy(tx: Transaction, statement: str, table: str, count: int) -> None:
    # The last of its kind was made to be copied, with as many stops as routes of the past have.
    query = f"SELECT id FROM {table} ORDER BY updated_at DESC, id DESC LIMIT 1"  # noqa: S608 -- the same
    pattern = tx.exec_driver_sql(query).scalar_one()
    tx.execute(text(statement), {"count": count, "pattern": pattern})
