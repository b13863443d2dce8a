"""Keep which vehicle a route has in a column, so that a read finds out that nothing has changed.

The version before does not write it. A row without it, or with a former vehicle, is read in full.
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the column; no row has to be written anew."""
    op.add_column("routes", sa.Column("vehicle_id", sa.String()))
