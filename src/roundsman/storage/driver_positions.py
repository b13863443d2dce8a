"""Where drivers were: rows that are added, read as a track, and removed when they are old."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache

from sqlalchemy import ColumnElement, Select, bindparam, delete, or_, select, tuple_

from roundsman.domain.address import Coordinates
from roundsman.domain.route import DriverFix
from roundsman.domain.route_views import TrackPoint
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import insert_missing
from roundsman.storage.driver_tables import driver_positions as positions
from roundsman.storage.tables import drivers

_MOST_LOOKED_AT = 5_000


def add_positions(
    tx: Transaction,
    organization_id: str,
    driver_id: str,
    route_id: str,
    fixes: Iterable[DriverFix],
) -> None:
    """Keep positions of a driver on a route; one of the same moment stays as it is."""
    for fix in fixes:
        row = {
            "driver_id": driver_id,
            "at": fix.at,
            "organization_id": organization_id,
            "route_id": route_id,
            "latitude": fix.coordinates.latitude,
            "longitude": fix.coordinates.longitude,
            "accuracy_meters": fix.accuracy_meters,
        }
        insert_missing(tx, positions, row, keys=["driver_id", "at"])


def list_position_times(
    tx: Transaction, driver_id: str, spans: Sequence[tuple[datetime, datetime]]
) -> list[datetime]:
    """Return when a driver's positions were, of those within any of these spans."""
    if not spans:
        return []
    return list(tx.execute(_times_within(len(spans)), of_spans(driver_id, spans)).scalars())


@cache
def _times_within(spans: int) -> Select[datetime]:
    return (
        select(positions.c.at)
        .where(positions.c.driver_id == bindparam("driver"), is_within(positions.c.at, spans))
        .limit(_MOST_LOOKED_AT)
    )


def is_within(at: ColumnElement[datetime], spans: int) -> ColumnElement[bool]:
    """Return whether a moment is in one of so many spans, which are given by `of_spans`."""
    return or_(
        *(at.between(bindparam(f"from{one}"), bindparam(f"until{one}")) for one in range(spans))
    )


def of_spans(driver_id: str, spans: Sequence[tuple[datetime, datetime]]) -> dict[str, object]:
    """Return what a statement with `is_within` is carried out with."""
    given: dict[str, object] = {"driver": driver_id}
    for number, (begin, until) in enumerate(spans):
        given |= {f"from{number}": begin, f"until{number}": until}
    return given


def list_track(
    tx: Transaction, organization_id: str, route_id: str, count: int
) -> list[TrackPoint]:
    """Return where the drivers of a route were, the latest so many, oldest first."""
    rows = tx.execute(
        select(positions.c.at, positions.c.latitude, positions.c.longitude)
        .where(positions.c.route_id == route_id, positions.c.organization_id == organization_id)
        .order_by(positions.c.at.desc())
        .limit(count)
    ).all()
    return [
        TrackPoint(
            coordinates=Coordinates(latitude=row.latitude, longitude=row.longitude), at=row.at
        )
        for row in reversed(rows)
    ]


def find_latest_position(
    tx: Transaction, organization_id: str, route_id: str, until: datetime
) -> TrackPoint | None:
    """Return where the driver of a route was last, as of a moment."""
    row = tx.execute(
        select(positions.c.at, positions.c.latitude, positions.c.longitude)
        .where(
            positions.c.route_id == route_id,
            positions.c.organization_id == organization_id,
            positions.c.at <= until,
        )
        .order_by(positions.c.at.desc())
        .limit(1)
    ).first()
    if row is None:
        return None
    coordinates = Coordinates(latitude=row.latitude, longitude=row.longitude)
    return TrackPoint(coordinates=coordinates, at=row.at)


def remove_track(tx: Transaction, route_id: str) -> None:
    """Remove where the drivers of a route were."""
    tx.execute(delete(positions).where(positions.c.route_id == route_id))


def remove_old_positions(
    tx: Transaction, organization_id: str, before: datetime, count: int
) -> int:
    """Remove so many positions of an organization's drivers from before a moment."""
    # By driver, as the key has it: no index by time has to be kept for this alone.
    old = (
        select(positions.c.driver_id, positions.c.at)
        .join_from(drivers, positions, positions.c.driver_id == drivers.c.id)
        .where(drivers.c.organization_id == organization_id, positions.c.at < before)
        .limit(count)
    )
    key = tuple_(positions.c.driver_id, positions.c.at)
    return tx.execute(delete(positions).where(key.in_(old))).rowcount
