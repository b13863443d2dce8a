"""What is known of a route beside it: one row, replaced when something newer is known."""

import msgspec
from sqlalchemy import delete

from roundsman.domain.live_route import LiveRoute
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import upsert_newer
from roundsman.storage.driver_tables import live_routes


def save_live_route(tx: Transaction, organization_id: str, route_id: str, live: LiveRoute) -> None:
    """Keep what is known of a route now, unless a later position is known already."""
    row = {
        "route_id": route_id,
        "organization_id": organization_id,
        "revision": 1,
        "at": live.fix.at,
        "body": msgspec.json.encode(live).decode(),
    }
    upsert_newer(tx, live_routes, row, key="route_id", newer="at", counted="revision")


def remove_live_route(tx: Transaction, route_id: str) -> None:
    """Forget what was known of a route beside it."""
    tx.execute(delete(live_routes).where(live_routes.c.route_id == route_id))
