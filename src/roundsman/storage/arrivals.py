"""What was expected of arrivals, what came of it, and what an organization has learned of it."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Row, Select, delete, select, tuple_, update

from roundsman.domain.arrival_forecast import MOST_LEARNED_FROM, ArrivalForecast, KeptForecast
from roundsman.domain.arrival_window import STOPS_AHEAD, ArrivalSpreads, ArrivalWindow
from roundsman.storage.arrival_tables import arrival_forecasts as forecasts
from roundsman.storage.arrival_tables import arrival_spreads as spreads
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import insert_all_missing, upsert

_decoder = msgspec.json.Decoder(ArrivalSpreads)


def add_forecasts(tx: Transaction, organization_id: str, made: Iterable[ArrivalForecast]) -> None:
    """Keep forecasts; what was expected of a stop with as many before it first stays."""
    rows = [
        {
            "stop_id": one.stop_id,
            "stops_ahead": one.stops_ahead,
            "organization_id": organization_id,
            "is_estimated": one.is_estimated,
            "known_at": one.known_at,
            "expected_at": one.expected_at,
            "window_start": one.window.start,
            "window_end": one.window.end,
        }
        for one in made
    ]
    insert_all_missing(tx, forecasts, rows, keys=["stop_id", "stops_ahead"])


def note_arrivals(tx: Transaction, organization_id: str, arrivals: Mapping[str, datetime]) -> None:
    """Note when the driver came to stops; the first time counts."""
    for stop_id, arrived_at in arrivals.items():
        tx.execute(
            update(forecasts)
            .where(
                forecasts.c.stop_id == stop_id,
                forecasts.c.organization_id == organization_id,
                forecasts.c.arrived_at.is_(None),
            )
            .values(arrived_at=arrived_at)
        )


def list_kept_forecasts(
    tx: Transaction, organization_id: str, starting: datetime, ending: datetime
) -> list[KeptForecast]:
    """Return the forecasts of a span of which it is known what came of them, oldest first."""
    statement = _kept(organization_id).where(
        forecasts.c.known_at >= starting, forecasts.c.known_at < ending
    )
    order = (forecasts.c.known_at, forecasts.c.stop_id)
    return [_read(row) for row in tx.execute(statement.order_by(*order))]


def list_to_learn_from(
    tx: Transaction, organization_id: str, since: datetime
) -> list[KeptForecast]:
    """Return the latest forecasts of each kind of which it is known what came of them."""
    found = []
    for is_estimated in (False, True):
        for ahead in STOPS_AHEAD:
            statement = _kept(organization_id).where(
                forecasts.c.known_at >= since,
                forecasts.c.is_estimated == is_estimated,
                forecasts.c.stops_ahead == ahead,
            )
            latest = statement.order_by(forecasts.c.known_at.desc()).limit(MOST_LEARNED_FROM)
            found += [_read(row) for row in tx.execute(latest)]
    return found


def _kept(organization_id: str) -> Select[Any]:
    return select(forecasts).where(
        forecasts.c.organization_id == organization_id, forecasts.c.arrived_at.is_not(None)
    )


def _read(row: Row[Any]) -> KeptForecast:
    return KeptForecast(
        stop_id=row.stop_id,
        stops_ahead=row.stops_ahead,
        is_estimated=row.is_estimated,
        known_at=row.known_at,
        expected_at=row.expected_at,
        window=ArrivalWindow(start=row.window_start, end=row.window_end),
        arrived_at=row.arrived_at,
    )


def remove_old_forecasts(tx: Transaction, organization_id: str, before: datetime, most: int) -> int:
    """Remove so many forecasts from before a moment; return how many were."""
    old = (
        select(forecasts.c.stop_id, forecasts.c.stops_ahead)
        .where(forecasts.c.organization_id == organization_id, forecasts.c.known_at < before)
        .order_by(forecasts.c.known_at)
        .limit(most)
    )
    key = tuple_(forecasts.c.stop_id, forecasts.c.stops_ahead)
    return tx.execute(delete(forecasts).where(key.in_(old))).rowcount


def save_spreads(
    tx: Transaction, organization_id: str, learned: ArrivalSpreads, now: datetime
) -> None:
    """Keep what an organization has learned, in place of what it had before."""
    row = {
        "organization_id": organization_id,
        "learned_at": now,
        "body": msgspec.json.encode(learned).decode(),
    }
    upsert(tx, spreads, [row], keys=["organization_id"])


def find_spreads(tx: Transaction, organization_id: str) -> ArrivalSpreads | None:
    """Return what an organization has learned; None where its days have not been looked at."""
    body = tx.execute(
        select(spreads.c.body).where(spreads.c.organization_id == organization_id)
    ).scalar_one_or_none()
    return None if body is None else _decoder.decode(body)


def find_learned_at(tx: Transaction, organization_id: str) -> datetime | None:
    """Return when an organization learned last."""
    return tx.execute(
        select(spreads.c.learned_at).where(spreads.c.organization_id == organization_id)
    ).scalar_one_or_none()
