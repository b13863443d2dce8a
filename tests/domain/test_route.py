from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec import UNSET

from roundsman.domain.address import Coordinates
from roundsman.domain.driver import Driver, DriverStatus
from roundsman.domain.errors import FailedPrecondition
from roundsman.domain.item import Item
from roundsman.domain.route import Route, RouteStart
from roundsman.domain.route_stop import DeliveryStatus, RouteStop

NOW = datetime(2024, 7, 1, 6, tzinfo=UTC)
HERE = Coordinates(latitude=39.29, longitude=-76.61)


def stop(**fields: Any) -> RouteStop:
    return RouteStop(id="rst-1", updated_at=NOW, planned_coordinates=HERE, **fields)


def route(*stops: RouteStop, **fields: Any) -> Route:
    return Route(
        id="rte-1",
        number=1,
        name="#1",
        start=RouteStart(coordinates=HERE),
        stops=stops,
        created_at=NOW,
        updated_at=NOW,
        **fields,
    )


@pytest.mark.spec("decisions §7")
def test_weight_is_quantity_times_grams() -> None:
    loaded = route(stop(items=(Item(quantity=3, grams=200),)), stop(items=(Item(quantity=1),)))
    assert (loaded.total_item_quantity(), loaded.total_item_grams()) == (4, 600)


@pytest.mark.spec("States and transitions")
def test_appending_keeps_the_flag_and_forgets_the_order() -> None:
    appended = route().with_order_computed().with_stops_appended([stop()])
    assert (appended.optimized, appended.order_is_current) == (True, False)


@pytest.mark.spec("decisions §7")
def test_a_dispatch_lasts_a_day_past_the_later_of_now_and_the_end() -> None:
    later = NOW + timedelta(hours=5)
    arriving = route(stop(planned_arrival=later))
    day = timedelta(hours=24)
    assert arriving.dispatched(until=UNSET, now=NOW).dispatched_until == later + day
    past = route(stop(planned_arrival=NOW - day))
    assert past.dispatched(until=UNSET, now=NOW).dispatched_until == NOW + day


@pytest.mark.spec("decisions §2")
@pytest.mark.parametrize(
    "refused",
    [
        lambda: route().require_dispatchable(None),
        lambda: route(stop(), archived_at=NOW).require_dispatchable(None),
        lambda: route(stop()).require_dispatchable(Driver(id="d", status=DriverStatus.PENDING)),
        lambda: route(archived_at=NOW).require_not_archived(),
    ],
)
def test_the_wrong_state_is_refused(refused: Any) -> None:
    with pytest.raises(FailedPrecondition):
        refused()


@pytest.mark.parametrize(
    ("status", "done"),
    [
        ("UNKNOWN", False),
        ("OUT_FOR_DELIVERY", False),
        ("ATTEMPTED_DELIVERY", True),
        ("DELIVERED", True),
    ],
)
def test_a_stop_is_done_when_delivered_or_attempted(status: str, *, done: bool) -> None:
    assert stop(delivery_status=DeliveryStatus(status)).is_done() is done
