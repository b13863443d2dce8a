"""What is stored of a driver beside the driver's own row, read for whoever asks what is known."""

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace
from sqlalchemy import select

from roundsman.domain.actions import JournalEntry
from roundsman.domain.address import Coordinates
from roundsman.domain.model import UNSET
from roundsman.domain.person_export import DrivenRoute, DriverTrackPoint
from roundsman.domain.route_status import RouteStatus
from roundsman.storage.database import Transaction
from roundsman.storage.driver_tables import driver_positions
from roundsman.storage.journal import JournalFilter, list_entries
from roundsman.storage.tables import routes

_AT_ONCE = 1_000


class _RouteName(msgspec.Struct):
    name: str = ""


def list_driven_routes(
    tx: Transaction, organization_id: str, driver_id: str
) -> tuple[DrivenRoute, ...]:
    """Return the routes that a driver has or had, oldest first, archived ones too."""
    columns = (routes.c.id, routes.c.scheduled_for, routes.c.status, routes.c.body)
    rows = tx.execute(
        select(*columns)
        .where(routes.c.organization_id == organization_id, routes.c.driver_id == driver_id)
        .order_by(routes.c.created_at, routes.c.id)
        .execution_options(yield_per=_AT_ONCE)
    )
    return tuple(
        DrivenRoute(
            id=row.id,
            name=msgspec.json.decode(row.body, type=_RouteName).name,
            scheduled_for=row.scheduled_for,
            status=RouteStatus(row.status or RouteStatus.UNSTARTED),
        )
        for row in rows
    )


def list_driver_positions(
    tx: Transaction, organization_id: str, driver_id: str
) -> tuple[DriverTrackPoint, ...]:
    """Return everywhere that a driver was, as far as it is still kept, oldest first."""
    rows = tx.execute(
        select(driver_positions)
        .where(
            driver_positions.c.driver_id == driver_id,
            driver_positions.c.organization_id == organization_id,
        )
        .order_by(driver_positions.c.at)
        .execution_options(yield_per=_AT_ONCE)
    )
    return tuple(
        DriverTrackPoint(
            route_id=row.route_id,
            coordinates=Coordinates(latitude=row.latitude, longitude=row.longitude),
            at=row.at,
        )
        for row in rows
    )


def list_driver_actions(
    tx: Transaction, organization_id: str, driver_id: str
) -> Iterator[tuple[JournalEntry, bytes]]:
    """Yield what a driver's devices submitted and what became of it, oldest first."""
    wanted, after = JournalFilter(driver_id=driver_id), None
    while page := list_entries(tx, organization_id, wanted, after, _AT_ONCE):
        for _, (entry, content) in page:
            yield replace(entry, resolved_by=UNSET), content  # that is somebody else
        after = page[-1][0]
