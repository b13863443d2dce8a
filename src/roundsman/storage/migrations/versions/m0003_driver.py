"""Add the driver's side: devices, the journal of actions, uploads, attachments, open routes.

`routes` gets columns that say who may open a dispatched route; running dispatches are filled in.
"""

from datetime import UTC, datetime
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the tables of the driver's side and say which routes are dispatched to whom."""
    op.create_table(
        "upload_parts",
        sa.Column("driver_id", sa.String(), nullable=False),
        sa.Column("upload_id", sa.String(), nullable=False),
        sa.Column("offset", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("driver_id", "upload_id", "offset", name=op.f("pk_upload_parts")),
    )
    op.create_table(
        "attachments",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("media_type", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name=op.f("fk_attachments_organization_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attachments")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_attachments_token_hash")),
    )
    op.create_table(
        "driver_actions",
        sa.Column("driver_id", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("route_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("slot", sa.String(), nullable=False),
        sa.Column("upload_id", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.LargeBinary(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["driver_id"], ["drivers.id"], name=op.f("fk_driver_actions_driver_id")
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_driver_actions_organization_id"),
        ),
        sa.PrimaryKeyConstraint("driver_id", "id", name=op.f("pk_driver_actions")),
    )
    op.create_index(
        "ix_driver_actions_received",
        "driver_actions",
        ["organization_id", "received_at", "id"],
        unique=False,
    )
    op.create_index(
        "ix_driver_actions_route", "driver_actions", ["route_id", "reason"], unique=False
    )
    op.create_index(
        "ix_driver_actions_session", "driver_actions", ["session_id", "sequence"], unique=False
    )
    op.create_index("ix_driver_actions_slot", "driver_actions", ["route_id", "slot"], unique=False)
    op.create_table(
        "driver_sessions",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("driver_id", sa.String(), nullable=False),
        sa.Column("device", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["driver_id"],
            ["drivers.id"],
            name=op.f("fk_driver_sessions_driver_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_driver_sessions")),
        sa.UniqueConstraint("id", name=op.f("uq_driver_sessions_id")),
    )
    op.create_index(
        op.f("ix_driver_sessions_driver_id"), "driver_sessions", ["driver_id"], unique=False
    )
    op.create_table(
        "uploads",
        sa.Column("driver_id", sa.String(), nullable=False),
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("received", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("attachment_id", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["driver_id"], ["drivers.id"], name=op.f("fk_uploads_driver_id")),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organizations.id"], name=op.f("fk_uploads_organization_id")
        ),
        sa.PrimaryKeyConstraint("driver_id", "id", name=op.f("pk_uploads")),
    )
    op.create_index(op.f("ix_uploads_created_at"), "uploads", ["created_at"], unique=False)
    op.add_column("routes", sa.Column("dispatched_until", sa.BigInteger(), nullable=True))
    op.add_column("routes", sa.Column("driver_id", sa.String(), nullable=True))
    op.create_index(
        "ix_routes_dispatched",
        "routes",
        ["organization_id", "dispatched_until", "id"],
        unique=False,
    )
    _fill_in_dispatches()


class _Dispatch(msgspec.Struct, rename="camel"):
    dispatched_until: datetime
    driver_id: str = ""


def _fill_in_dispatches() -> None:
    """Copy what the bodies of dispatched routes say into the new columns."""
    connection = op.get_bind()
    routes = sa.table(
        "routes",
        *(sa.column(name) for name in ("id", "body", "dispatched_until", "driver_id")),
    )
    dispatched = sa.select(routes.c.id, routes.c.body).where(
        routes.c.body.contains('"dispatchedUntil":"', autoescape=True)
    )
    for id_, body in connection.execute(dispatched).all():
        values = _columns_of(body)
        connection.execute(sa.update(routes).where(routes.c.id == id_).values(**values))


def _columns_of(body: str) -> dict[str, Any]:
    read = msgspec.json.decode(body, type=_Dispatch)
    since = read.dispatched_until - datetime(1970, 1, 1, tzinfo=UTC)
    micros = (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    return {"dispatched_until": micros, "driver_id": read.driver_id}
