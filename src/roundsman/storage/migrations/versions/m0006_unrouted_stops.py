"""Keep which imported stops are on no route, so that they are listed without passing all others.

The database keeps the list itself, with triggers: the version before, which does not know of it,
may add stops to routes while this version is already serving.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_ADD = """
INSERT INTO unrouted_stops (stop_id, organization_id, imported_at, updated_at)
SELECT id, organization_id, imported_at, updated_at FROM imported_stops AS stop
WHERE {which} NOT EXISTS (
  SELECT 1 FROM route_stop_origins AS origin
  WHERE origin.organization_id = {organization} AND origin.origin_id = {stop})
"""

_TRIGGERS = {
    ("imported_stops", "INSERT"): _ADD.format(
        which="id = NEW.id AND", organization="NEW.organization_id", stop="NEW.id"
    ),
    ("imported_stops", "UPDATE"): """
UPDATE unrouted_stops SET imported_at = NEW.imported_at, updated_at = NEW.updated_at
WHERE stop_id = NEW.id""",
    ("route_stop_origins", "INSERT"): """
DELETE FROM unrouted_stops
WHERE stop_id = NEW.origin_id AND organization_id || '' = NEW.organization_id""",
    ("route_stop_origins", "DELETE"): _ADD.format(
        which="id = OLD.origin_id AND organization_id || '' = OLD.organization_id AND",
        organization="OLD.organization_id",
        stop="OLD.origin_id",
    )
    + "ON CONFLICT (stop_id) DO NOTHING",
}
"""What keeps the list, for each row: the same words in both databases.

Rows are found by their keys. An organization's name is joined to nothing, so that no index serves
it: one would be read from end to end where a database takes the organization for small.
"""


def upgrade() -> None:
    """Make the list of what is stored, and have it kept."""
    is_postgres = op.get_bind().dialect.name == "postgresql"
    key = sa.PrimaryKeyConstraint("stop_id", name=op.f("pk_unrouted_stops"))
    op.create_table(
        "unrouted_stops",
        sa.Column("stop_id", sa.String(), nullable=False),
        sa.Column("organization_id", sa.String(), nullable=False),
        sa.Column("imported_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["stop_id"],
            ["imported_stops.id"],
            name=op.f("fk_unrouted_stops_stop_id"),
            ondelete="CASCADE",
        ),
        *([] if is_postgres else [key]),
    )
    for name in ("imported", "updated"):
        op.create_index(
            f"ix_unrouted_stops_{name}",
            "unrouted_stops",
            ["organization_id", f"{name}_at", "stop_id"],
            unique=False,
        )
    if is_postgres:
        # Of indexes that cost the same, as all do while the list is short, PostgreSQL takes the
        # youngest, and keeps to it: a row would be sought through all of another's.
        op.create_primary_key(op.f("pk_unrouted_stops"), "unrouted_stops", ["stop_id"])
    # Before the rows are read: what others write waits for the triggers from here on.
    for (table, change), kept in _TRIGGERS.items():
        _create_trigger(table, change, kept)
    op.execute(_ADD.format(which="", organization="stop.organization_id", stop="stop.id"))


def _create_trigger(table: str, change: str, kept: str) -> None:
    name = f"{table}_{change.lower()}_unrouted"
    if op.get_bind().dialect.name == "postgresql":
        # A plan made while the list is short would read all of it, and is kept when it has grown.
        op.execute(
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan TO OFF"
            f" AS $$BEGIN {kept}; RETURN NULL; END$$"
        )
        does = f"EXECUTE FUNCTION {name}();"
    else:
        does = f"BEGIN {kept}; END;"
    op.execute(f"CREATE TRIGGER {name} AFTER {change} ON {table} FOR EACH ROW {does}")
