from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from roundsman.domain.address import Coordinates
from roundsman.domain.driver import Driver, DriverStatus
from roundsman.domain.errors import FailedPrecondition, InvalidArgument, NotFound
from roundsman.domain.item import Item
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteStart, StartStatus
from roundsman.domain.route_stop import DeliveryStatus, RouteStop
from roundsman.domain.stop_type import StopType

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


def stops_named(*names: str) -> list[RouteStop]:
    return [replace(stop(), id=name) for name in names]


@pytest.mark.spec("Route stops")
@pytest.mark.parametrize(
    ("moved", "index", "order"),
    [("a", 0, "abc"), ("a", 1, "bac"), ("a", 2, "bca"), ("c", 0, "cab"), ("b", 2, "acb")],
)
def test_a_moved_stop_has_the_index_in_the_end(moved: str, index: int, order: str) -> None:
    computed = route(*stops_named("a", "b", "c")).with_order_computed()
    changed = computed.with_stop_moved(moved, index)
    assert "".join(one.id for one in changed.stops) == order
    assert (changed.optimized, changed.order_is_current) == (False, False)


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize("index", [-1, 1])
def test_an_index_beyond_the_stops_is_refused(index: int) -> None:
    with pytest.raises(InvalidArgument, match="index must be between 0 and 0"):
        route(*stops_named("a")).with_stop_moved("a", index)


@pytest.mark.spec("decisions §7")
def test_one_unknown_stop_keeps_all() -> None:
    with pytest.raises(NotFound, match="route stop not found"):
        route(*stops_named("a", "b")).without_stops({"a", "nobody"})


@pytest.mark.spec("decisions §8")
@pytest.mark.parametrize("status", list(DeliveryStatus))
def test_only_what_nobody_has_begun_becomes_ready(status: DeliveryStatus) -> None:
    later = NOW + timedelta(hours=1)
    (after,) = route(stop(delivery_status=status)).ready(later).stops
    is_new = status is DeliveryStatus.UNKNOWN
    assert after.updated_at == (later if is_new else NOW)
    assert after.delivery_status is (DeliveryStatus.READY_FOR_DELIVERY if is_new else status)


@pytest.mark.spec("decisions §8")
def test_a_break_is_not_made_ready() -> None:
    pause = route(stop(type=StopType.BREAK))
    assert pause.ready(NOW + timedelta(hours=1)) == pause


@pytest.mark.spec("decisions §7")
def test_a_driver_who_has_left_keeps_the_departure() -> None:
    fields: dict[str, Any] = {"departs_at": NOW, "dispatched_until": NOW}
    waiting = route(stop(), **fields)
    left = replace(waiting, start=replace(waiting.start, status=StartStatus.STARTED))
    assert waiting.undispatched().departure() is UNSET
    assert left.undispatched().departure() == left.leaving(NOW + timedelta(hours=1)).departure()
    assert left.undispatched().dispatched_until is UNSET


@pytest.mark.spec("decisions §7")
def test_an_archived_route_may_only_be_unarchived() -> None:
    archived = route(archived_at=NOW)
    archived.require_may_become(archived)
    archived.require_may_become(archived.unarchived())
    with pytest.raises(FailedPrecondition):
        archived.require_may_become(archived.updated({"note": "n"}))
