"""Make room for storefront connections: shops, their orders, their hints, what they are told.

The version before does not know the tables: changes that it makes are told to no shop.
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def _refers(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}_{other}")
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=name)


def _owner(table: str) -> sa.ForeignKeyConstraint:
    return _refers(table, "organization_id", "organizations")


def _shop(table: str) -> sa.ForeignKeyConstraint:
    return _refers(table, "storefront_id", "storefronts")


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=False)


def _instant(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=False)


def upgrade() -> None:
    """Create the tables."""
    _create_storefronts()
    op.create_table(
        "storefront_orders",
        _text("organization_id"),
        _text("store_order_id"),
        sa.Column("storefront_id", sa.String()),
        _text("shop"),
        _text("external_id"),
        _instant("external_updated_at"),
        _text("fingerprint"),
        _text("address_mark"),
        _owner("storefront_orders"),
        _shop("storefront_orders"),
        sa.PrimaryKeyConstraint(
            "organization_id", "store_order_id", name=op.f("pk_storefront_orders")
        ),
        sa.UniqueConstraint(
            "storefront_id",
            "external_id",
            name=op.f("uq_storefront_orders_storefront_id_external_id"),
        ),
    )
    op.create_table(
        "storefront_hints",
        _text("storefront_id"),
        _text("external_id"),
        _instant("hinted_at"),
        _shop("storefront_hints"),
        sa.PrimaryKeyConstraint("storefront_id", "external_id", name=op.f("pk_storefront_hints")),
    )
    _create_reports()


def _create_storefronts() -> None:
    op.create_table(
        "storefronts",
        _text("id"),
        _text("organization_id"),
        _instant("created_at"),
        _text("prefix"),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("credentials", sa.Text(), nullable=False),
        _text("state"),
        sa.Column("last_success_at", sa.BigInteger()),
        sa.Column("last_failure", sa.Text()),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("cursor", sa.Text(), nullable=False),
        _instant("read_since"),
        _instant("reread_at"),
        _instant("hooks_at"),
        sa.Column("attempts", sa.Integer(), nullable=False),
        _instant("due_at"),
        _instant("not_before"),
        sa.Column("claimed_by", sa.String()),
        sa.Column("is_wanted_again", sa.Boolean(), nullable=False),
        _owner("storefronts"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_storefronts")),
        sa.UniqueConstraint(
            "organization_id", "prefix", name=op.f("uq_storefronts_organization_id_prefix")
        ),
    )
    op.create_index("ix_storefronts_due", "storefronts", ["state", "due_at"])


def _create_reports() -> None:
    op.create_table(
        "storefront_reports",
        _text("id"),
        _text("organization_id"),
        _text("storefront_id"),
        _instant("number"),
        _text("external_id"),
        _text("store_order_id"),
        _text("stop_id"),
        _text("step"),
        _instant("happened_at"),
        sa.Column("items", sa.Text(), nullable=False),
        _instant("created_at"),
        _text("status"),
        sa.Column("attempts", sa.Integer(), nullable=False),
        _instant("due_at"),
        sa.Column("reported_at", sa.BigInteger()),
        _text("fulfillment_id"),
        sa.Column("remark", sa.Text(), nullable=False),
        sa.Column("last_failure", sa.Text()),
        _owner("storefront_reports"),
        _shop("storefront_reports"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_storefront_reports")),
        sa.UniqueConstraint(
            "storefront_id", "number", name=op.f("uq_storefront_reports_storefront_id_number")
        ),
    )
    op.create_index(
        "ix_storefront_reports_stop", "storefront_reports", ["organization_id", "stop_id"]
    )
    op.create_index(
        "ix_storefront_reports_waiting", "storefront_reports", ["storefront_id", "status", "number"]
    )
    op.create_index(
        "ix_storefront_reports_order",
        "storefront_reports",
        ["storefront_id", "external_id", "number"],
    )
