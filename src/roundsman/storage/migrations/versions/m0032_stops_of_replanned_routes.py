"""Note again which routes stops are on, where a plan that was applied to them had forgotten it.

Their triggers take such stops off the list of those that are on no route.
"""

from alembic import op

revision = "0032"
down_revision = "0031"

_STOPS = {
    "sqlite": "json_each(route.body, '$.stops') AS stop",
    "postgresql": "json_array_elements((route.body::json)->'stops') AS stop(value)",
}
_FIELD = {"sqlite": "json_extract(stop.value, '$.{}')", "postgresql": "stop.value->>'{}'"}
_NOTE = """
INSERT INTO route_stop_origins (stop_id, route_id, organization_id, origin_id)
SELECT {id}, route.id, route.organization_id,
  COALESCE(NULLIF({imported}, ''), NULLIF({ordered}, ''), NULLIF({saved}, ''), '')
FROM routes AS route, {stops}
WHERE NOT EXISTS (SELECT 1 FROM route_stop_origins AS known WHERE known.stop_id = {id})
ON CONFLICT (stop_id) DO NOTHING
"""


def upgrade() -> None:
    """Write down what is missing."""
    dialect = op.get_bind().dialect.name
    field = _FIELD[dialect].format
    op.execute(
        _NOTE.format(
            stops=_STOPS[dialect],
            id=field("id"),
            imported=field("importedStopId"),
            ordered=field("storeOrderId"),
            saved=field("savedStopId"),
        )
    )


def downgrade() -> None:
    """Leave them: they are true for the version before, too."""
