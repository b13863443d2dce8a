"""Let routes, imported stops and orders from before be found by the customer's e-mail address.

The version before writes none of it: what it saves while both serve is found by all the rest, until
it is saved again.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.route import Route
from roundsman.domain.search_text import (
    search_text_of_order,
    search_text_of_route,
    search_text_of_stop,
)
from roundsman.domain.store_order import StoreOrder

revision = "0036"
down_revision = "0035"

_AT_ONCE = 100  # routes, of which one takes up to 8 MiB

_columns = ("organization_id", "id", "body", "search_text")
_routes = sa.table("routes", *map(sa.column, _columns[:3]))
_route_search = sa.table("route_search", *map(sa.column, ("route_id", "text")))
_stops = sa.table("imported_stops", *map(sa.column, _columns))
_orders = sa.table("store_orders", *map(sa.column, _columns))


def upgrade() -> None:
    """Make the search texts anew of all that names an e-mail address."""
    connection = op.get_bind()
    for organization_id, id_, body in _rows_with_email(_stops):
        text = search_text_of_stop(msgspec.json.decode(body, type=ImportedStop))
        connection.execute(_set_text(_stops, organization_id, id_, text))
    for organization_id, id_, body in _rows_with_email(_orders):
        text = search_text_of_order(msgspec.json.decode(body, type=StoreOrder))
        connection.execute(_set_text(_orders, organization_id, id_, text))
    for _, id_, body in _rows_with_email(_routes):
        text = search_text_of_route(msgspec.json.decode(body, type=Route))
        is_this = _route_search.c.route_id == id_
        connection.execute(sa.update(_route_search).where(is_this).values(text=text))


def _set_text(table: sa.TableClause, organization_id: str, id_: str, text: str) -> sa.Update:
    is_this = (table.c.organization_id == organization_id) & (table.c.id == id_)
    return sa.update(table).where(is_this).values(search_text=text)


def _rows_with_email(table: sa.TableClause) -> Iterator[Any]:
    """Yield organization, id and body of the rows that may name an address, some at a time."""
    key = sa.tuple_(table.c.organization_id, table.c.id)
    listed = (
        sa.select(table.c.organization_id, table.c.id, table.c.body)
        .where(table.c.body.contains("@"))
        .order_by(table.c.organization_id, table.c.id)
        .limit(_AT_ONCE)
    )
    after = ("", "")
    while rows := op.get_bind().execute(listed.where(key > after)).all():
        yield from rows
        after = (rows[-1][0], rows[-1][1])


def downgrade() -> None:
    """Leave them: the version before searches in them as they are."""
