"""Keep what lists are searched by, and make the tables of positions and of what is live.

The version before writes none of it: what it saves while both serve is found as it was before,
until it is saved again.
"""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.route import Route
from roundsman.domain.route_status import derive_status
from roundsman.domain.search_text import (
    date_text,
    list_tags,
    search_text_of_route,
    search_text_of_stop,
)

revision = "0014"
down_revision = "0013"

_AT_ONCE = 500


def upgrade() -> None:
    """Add columns, tables and indexes, and fill in what lists are searched by."""
    op.add_column("routes", sa.Column("status", sa.String()))
    op.create_table(
        "route_search",
        sa.Column("route_id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("route_id", name=op.f("pk_route_search")),
    )
    for column in (
        sa.Column("search_text", sa.Text()),
        sa.Column("tags", sa.Text()),
        sa.Column("delivery_date", sa.String()),
    ):
        op.add_column("imported_stops", column)
    _fill_in_routes()
    _fill_in_stops()
    for name in ("driver_id", "vehicle_id", "status"):
        op.create_index(
            f"ix_routes_{name.removesuffix('_id')}",
            "routes",
            ["organization_id", name, "created_at", "id"],
        )
    _create_live_tables()


def _create_live_tables() -> None:
    op.create_table(
        "driver_positions",
        sa.Column("driver_id", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("route_id", sa.String(), nullable=False),
        sa.Column("latitude", sa.Float(), nullable=False),
        sa.Column("longitude", sa.Float(), nullable=False),
        sa.Column("accuracy_meters", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("driver_id", "at", name=op.f("pk_driver_positions")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_driver_positions_route", "driver_positions", ["route_id", "at"])
    op.create_table(
        "live_routes",
        sa.Column("route_id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("driver_id", sa.String(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("saved_at", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("route_id", name=op.f("pk_live_routes")),
    )
    op.create_index("ix_live_routes_saved", "live_routes", ["organization_id", "saved_at"])


def _fill_in_routes() -> None:
    def fill(row: Any) -> None:
        route = msgspec.json.decode(row.body, type=Route)
        known = {
            "id": route.id,
            "organization": row.organization_id,
            "status": derive_status(route).value,
            "vehicle": route.vehicle_id,
            "text": search_text_of_route(route),
            "tags": list_tags(route.tags),
        }
        connection = op.get_bind()
        connection.execute(
            sa.text("UPDATE routes SET status = :status, vehicle_id = :vehicle WHERE id = :id"),
            known,
        )
        connection.execute(
            sa.text(
                "INSERT INTO route_search (route_id, organization_id, text, tags)"
                " VALUES (:id, :organization, :text, :tags)"
            ),
            known,
        )

    _for_each("routes", fill)


def _fill_in_stops() -> None:
    def fill(row: Any) -> None:
        stop = msgspec.json.decode(row.body, type=ImportedStop)
        op.get_bind().execute(
            sa.text(
                "UPDATE imported_stops SET search_text = :text, tags = :tags,"
                " delivery_date = :date WHERE id = :id"
            ),
            {
                "id": stop.id,
                "text": search_text_of_stop(stop),
                "tags": list_tags(stop.tags),
                "date": date_text(stop),
            },
        )

    _for_each("imported_stops", fill)


def _for_each(table: str, fill: Callable[[Any], None]) -> None:
    for row in _rows(table):
        fill(row)


def _rows(table: str) -> Iterator[Any]:
    """Yield all rows in the order of their ids, some at a time."""
    some = sa.text(
        f"SELECT id, organization_id, body FROM {table} WHERE id > :after"  # noqa: S608 -- two names above
        f" ORDER BY id LIMIT {_AT_ONCE}"
    )
    after = ""
    while rows := op.get_bind().execute(some, {"after": after}).all():
        yield from rows
        after = rows[-1].id
