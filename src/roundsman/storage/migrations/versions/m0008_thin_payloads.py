"""Keep which payload a webhook takes, which events pass its filter, and each event's summary.

The version before neither reads nor writes the new columns: what it records meanwhile has no
summary, and what it changes of a webhook leaves payload and filter as they are.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the columns; no row has to be written anew."""
    op.add_column("events", sa.Column("summary", sa.Text()))
    op.add_column(
        "subscriptions",
        sa.Column("payload_form", sa.String(), nullable=False, server_default="FULL"),
    )
    op.add_column("subscriptions", sa.Column("filter", sa.Text()))
