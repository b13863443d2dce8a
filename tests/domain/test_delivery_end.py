from datetime import UTC, datetime, timedelta

from tests.storage.rows import HERE, NOW, route, stop

from roundsman.domain.delivery_end import end_of_order, end_of_route
from roundsman.domain.route_ends import RouteEnd
from roundsman.domain.store_order import StoreOrder
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.domain.time_window import Date

LATER = NOW + timedelta(days=3)


def test_a_route_is_over_at_the_last_of_what_is_known_of_it() -> None:
    assert end_of_route(route("r")) == NOW
    assert end_of_route(route("r", updated_at=LATER)) == LATER
    assert end_of_route(route("r", scheduled_for=LATER)) == LATER
    assert end_of_route(route("r", stops=(stop("s", updated_arrival=LATER),))) == LATER
    assert end_of_route(route("r", end=RouteEnd(coordinates=HERE, updated_arrival=LATER))) == LATER
    dated = stop("s", delivery_date=Date(year=2026, month=7, day=4))
    assert end_of_route(route("r", stops=(dated,))) == datetime(2026, 7, 5, 12, tzinfo=UTC)


def test_an_order_without_a_day_is_open_for_a_year_unless_it_is_done() -> None:
    ends = {
        state: end_of_order(StoreOrder(id="1", state=state), NOW, ()) - NOW
        for state in StoreOrderState
    }
    assert ends == {
        StoreOrderState.OPEN: timedelta(days=365),
        StoreOrderState.ON_HOLD: timedelta(days=365),
        StoreOrderState.FULFILLED: timedelta(),
        StoreOrderState.CANCELLED: timedelta(),
    }
    assert end_of_order(StoreOrder(id="1"), NOW, (LATER,)) == LATER
