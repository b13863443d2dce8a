"""Keep what orders of storefronts are listed by: state, day, location, tags, names.

The version before writes none of it: what it saves while both serve is found as an open order
without a day, until it is saved again.
"""

import msgspec
import sqlalchemy as sa
from alembic import op

from roundsman.domain.search_text import list_tags, search_text_of_order
from roundsman.domain.store_order import StoreOrder

revision = "0021"
down_revision = "0020"

_AT_ONCE = 500


def upgrade() -> None:
    """Add the columns, fill in what older orders say, and make the indexes."""
    for column in (
        sa.Column("state", sa.String(), nullable=False, server_default="OPEN"),
        sa.Column("delivery_date", sa.String()),
        sa.Column("location", sa.String(), nullable=False, server_default=""),
        sa.Column("tags", sa.Text(), nullable=False, server_default=""),
        sa.Column("search_text", sa.Text(), nullable=False, server_default=""),
    ):
        op.add_column("store_orders", column)
    _fill_in()
    op.create_index(
        "ix_store_orders_updated", "store_orders", ["organization_id", "updated_at", "id"]
    )
    op.create_index(
        "ix_store_orders_day", "store_orders", ["organization_id", "delivery_date", "id"]
    )


def _fill_in() -> None:
    names = ("organization_id", "id", "body", "tags", "search_text")
    table = sa.table("store_orders", *(sa.column(name) for name in names))
    key = sa.tuple_(table.c.organization_id, table.c.id)
    listed = sa.select(table.c.organization_id, table.c.id, table.c.body).order_by(
        table.c.organization_id, table.c.id
    )
    after = ("", "")
    while rows := op.get_bind().execute(listed.where(key > after).limit(_AT_ONCE)).all():
        for organization_id, id_, body in rows:
            order = msgspec.json.decode(body, type=StoreOrder)
            is_this = (table.c.organization_id == organization_id) & (table.c.id == id_)
            known = {"tags": list_tags(order.tags), "search_text": search_text_of_order(order)}
            op.get_bind().execute(sa.update(table).where(is_this).values(known))
        after = (rows[-1][0], rows[-1][1])
