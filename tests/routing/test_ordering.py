"""Planning a route in memory: any number of stops, anywhere, some of them done or not."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from roundsman.domain.address import Coordinates
from roundsman.domain.item import Item
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteStart, StartStatus
from roundsman.domain.route_stop import DeliveryStatus, RouteStop
from roundsman.domain.time_window import Date, TimeOfDay, TimeWindow
from roundsman.kit.durations import from_seconds
from roundsman.planning import moves_within
from roundsman.roads.estimate import EstimatedRoads
from roundsman.roads.network import TravelProfile
from roundsman.routing.advice import explain_violations
from roundsman.routing.ordering import CachedRoads, PlannedRoute, SearchBudget, plan_route
from roundsman.routing.timing import time_route
from roundsman.routing.wording import Wording

MORNING = datetime(2024, 7, 1, 12, tzinfo=UTC)  # 8:00 in Baltimore
BALTIMORE = Coordinates(latitude=39.29, longitude=-76.61)
CHICAGO = Coordinates(latitude=41.88, longitude=-87.63)
BUDGET = SearchBudget(seconds=60, moves=moves_within(0.02))


def stop(name: str, north: float = 0, **fields: Any) -> RouteStop:
    where = Coordinates(latitude=BALTIMORE.latitude + north / 100, longitude=BALTIMORE.longitude)
    known: dict[str, Any] = {
        "order_name": name,
        "imported_stop_id": f"ist-{name}",
        "planned_coordinates": where,
        "duration": from_seconds(60),
        **fields,
    }
    return RouteStop(id=f"rst-{name}", updated_at=MORNING, **known)


def route_of(*stops: RouteStop, **fields: Any) -> Route:
    start = RouteStart(coordinates=BALTIMORE)
    known: dict[str, Any] = {"scheduled_for": MORNING, "start": start, **fields}
    return Route(
        id="rte-1", number=1, name="#1", stops=stops,
        created_at=MORNING, updated_at=MORNING, **known,
    )  # fmt: skip


def plan(route: Route, now: datetime = MORNING - timedelta(days=1)) -> PlannedRoute:
    return plan_route(
        route, roads=EstimatedRoads(), departure=route.departure(), budget=BUDGET, now=now
    )


def under_way(*stops: RouteStop, **fields: Any) -> Route:
    """Return a route that left as planned, whose done stop was done ten minutes later."""
    start = RouteStart(coordinates=BALTIMORE, status=StartStatus.STARTED, updated_start=MORNING)
    return route_of(*stops, start=start, **fields)


TEN_PAST = MORNING + timedelta(minutes=10)
DONE = {"delivery_status": DeliveryStatus.DELIVERED, "updated_arrival": TEN_PAST}


def names(planned: PlannedRoute) -> list[str]:
    return [one.order_name for one in planned.route.stops]


def window(start: tuple[int, int] | None, end: tuple[int, int] | None) -> TimeWindow:
    sides = {"start": start, "end": end}
    return TimeWindow(
        **{
            side: TimeOfDay(hours=time[0], minutes=time[1])
            for side, time in sides.items()
            if time is not None
        }
    )


@pytest.mark.parametrize("count", [0, 1, 2, 1000])
def test_any_number_of_stops_is_planned_and_timed_alike(count: int) -> None:
    planned = plan(route_of(*(stop(str(number), number % 97) for number in range(count))))
    assert len(planned.route.stops) == count
    assert planned.violations == ()
    assert time_route(planned.route, EstimatedRoads()).route == planned.route


def test_stops_at_one_place_are_served_one_after_the_other() -> None:
    planned = plan(route_of(stop("a"), stop("far", 5), stop("b"), stop("c")))
    assert names(planned)[3] == "far"
    arrivals = [one.planned_arrival for one in planned.route.stops[:3]]
    assert arrivals == [MORNING + timedelta(seconds=60 * place) for place in range(3)]


@pytest.mark.spec("decisions §7")
def test_what_is_done_stays_in_front_and_the_rest_is_ordered_from_there() -> None:
    done = stop("done", 8, **DONE)
    planned = plan(under_way(stop("near", 1), stop("beyond", 9), done), TEN_PAST)
    assert names(planned) == ["done", "beyond", "near"]
    assert time_route(planned.route, EstimatedRoads()).route == planned.route


@pytest.mark.spec("decisions §7")
def test_a_route_under_way_is_not_told_to_leave_at_another_time() -> None:
    done = stop("done", 8, **DONE)
    late = stop("late", -8, time_windows=(window(None, (8, 30)),))
    route = under_way(late, done, max_duration=from_seconds(600))
    assert {one.type for one in plan(route, TEN_PAST).violations} == {"timeWindows", "maxDuration"}
    advice = advice_on(route, TEN_PAST)
    [change] = advice.changes
    assert (change.kind.value, change.subject) == ("removeStop", late.id)
    assert plan(under_way(done, max_duration=from_seconds(600)), TEN_PAST).violations == ()
    # Before it has left, the same route may leave earlier.
    unstarted = route_of(late, scheduled_for=MORNING + timedelta(minutes=25))
    assert "scheduledFor" in {change.kind.value for change in advice_on(unstarted).changes}


def advice_on(route: Route, now: datetime = MORNING - timedelta(days=1)) -> Any:
    return explain_violations(
        plan(route, now),
        lambda changed: plan(changed, now),
        now=now,
        wording=Wording(),
    )


@pytest.mark.spec("decisions §7")
@pytest.mark.parametrize("fraction", [0, 1, 500_000, 999_999])
def test_a_fraction_of_a_second_at_the_departure_takes_no_end_off_a_window(fraction: int) -> None:
    leaves = MORNING + timedelta(microseconds=fraction)
    closing = stop("closing", 8, time_windows=(window((7, 0), (8, 1)),))
    late = advice_on(route_of(closing, scheduled_for=leaves))
    widened = next(one for one in late.changes if one.kind.value == "timeWindows")
    (after,) = widened.time_windows
    assert after.start == TimeOfDay(hours=7)
    assert after.end.seconds == 0
    assert "to 7:00\N{EN DASH}8:" in widened.description
    added = after.end.hours * 60 + after.end.minutes - 8 * 60 - 1
    assert f"by {added} min" in widened.description
    # The smallest that helps: a minute less is refused.
    one_less = replace(after, end=replace(after.end, minutes=after.end.minutes - 1))
    at = route_of(replace(closing, time_windows=(after,)), scheduled_for=leaves)
    assert plan(at).violations == ()
    at = route_of(replace(closing, time_windows=(one_less,)), scheduled_for=leaves)
    assert [one.type for one in plan(at).violations] == ["timeWindows"]


@pytest.mark.spec("decisions §12")
def test_a_window_is_of_the_day_that_it_is_at_the_stop_when_the_route_leaves() -> None:
    # 4:30 UTC on the second is 0:30 in Baltimore, and 23:30 the day before in Chicago.
    leaves = datetime(2024, 7, 2, 4, 30, tzinfo=UTC)
    nights = {
        "baltimore": stop("b", 1, time_windows=(window((1, 0), (2, 0)),)),
        "chicago": stop("c", planned_coordinates=CHICAGO, time_windows=(window((23, 45), None),)),
    }
    for place, begins in (("baltimore", "05:00"), ("chicago", "04:45")):
        planned = plan(route_of(nights[place], scheduled_for=leaves, speed_factor=10.0))
        if place == "chicago":
            arrival = planned.route.stops[0].planned_arrival
            assert isinstance(arrival, datetime)
            assert planned.timed.service_starts[0] == max(arrival, leaves + timedelta(minutes=15))
        else:
            assert f"{planned.timed.service_starts[0]:%H:%M}" == begins
        assert planned.violations == ()


@pytest.mark.spec("decisions §12")
def test_a_missed_window_does_not_come_back_the_next_day_but_a_delivery_date_does() -> None:
    evening = datetime(2024, 7, 2, 1, tzinfo=UTC)  # 21:00 on the first in Baltimore
    missed = stop("a", 1, time_windows=(window((9, 0), (10, 0)),))
    assert len(plan(route_of(missed, scheduled_for=evening)).violations) == 1
    dated = replace(missed, delivery_date=Date(year=2024, month=7, day=2))
    planned = plan(route_of(dated, scheduled_for=evening))
    assert planned.violations == ()
    assert planned.timed.service_starts[0] == datetime(2024, 7, 2, 13, tzinfo=UTC)


@pytest.mark.spec("decisions §7")
@pytest.mark.parametrize("hour", range(0, 24, 3))
def test_a_route_without_a_schedule_can_be_planned_at_any_hour(hour: int) -> None:
    # In the evening of Baltimore it is tomorrow by UTC, and in the morning of Sydney yesterday.
    sydney = Coordinates(latitude=-33.87, longitude=151.21)
    for place in (BALTIMORE, sydney):
        route = route_of(
            stop("late", planned_coordinates=place, time_windows=(window((14, 0), (16, 0)),)),
            stop("early", planned_coordinates=place, time_windows=(window((8, 0), (10, 0)),)),
            start=RouteStart(coordinates=place),
        )

        planned = plan_route(
            route,
            roads=EstimatedRoads(),
            departure=UNSET,
            budget=BUDGET,
            now=MORNING.replace(hour=hour, minute=51),
        )

        assert names(planned) == ["early", "late"]
        assert sum(planned.timed.lateness_seconds) == 0
        assert planned.violations == ()


def test_a_window_widened_over_midnight_spans_it() -> None:
    evening = datetime(2024, 7, 2, 3, 30, tzinfo=UTC)  # 23:30 in Baltimore
    late = stop("a", 30, time_windows=(window((20, 0), (23, 50)),))
    route = route_of(late, scheduled_for=evening)
    (change,) = [one for one in advice_on(route).changes if one.kind.value == "timeWindows"]
    (widened,) = change.time_windows
    assert widened.end.as_time() < widened.start.as_time()
    edited = replace(late, time_windows=change.time_windows)
    assert plan(replace(route, stops=(edited,))).violations == ()


@pytest.mark.spec("decisions §7")
def test_a_window_without_start_that_would_close_after_midnight_loses_its_end() -> None:
    evening = datetime(2024, 7, 2, 3, 30, tzinfo=UTC)
    late = stop("a", 30, time_windows=(window(None, (23, 50)),))
    (change,) = [
        one
        for one in advice_on(route_of(late, scheduled_for=evening)).changes
        if one.kind.value == "timeWindows"
    ]
    assert change.time_windows == (TimeWindow(),)
    assert "any time instead of until 23:50" in change.description


@pytest.mark.parametrize("month", [3, 11])
def test_advice_holds_on_the_days_when_clocks_change(month: int) -> None:
    """Clocks jump from 2:00 to 3:00 on 10 March and back to 1:00 on 3 November 2024."""
    day = 10 if month == 3 else 3
    leaves = datetime(2024, month, day, 5 if month == 3 else 4, tzinfo=UTC)  # midnight
    for opens, closes in (((0, 0), (0, 30)), ((0, 30), (1, 30)), ((1, 0), (1, 50))):
        late = stop("a", 70, time_windows=(window(opens, closes),), duration=from_seconds(7_200))
        other = stop("b", -70, time_windows=(window((0, 0), (2, 30)),))
        route = route_of(late, other, scheduled_for=leaves)
        assert plan(route).violations
        for change in advice_on(route).changes:
            if change.kind.value == "timeWindows":
                edited = tuple(
                    replace(one, time_windows=change.time_windows)
                    if one.id == change.subject
                    else one
                    for one in route.stops
                )
                assert plan(replace(route, stops=edited)).violations == ()


@pytest.mark.spec("decisions §7")
@pytest.mark.parametrize(
    ("limit", "grams", "is_met"),
    [(2.3, 2_300, True), (2.3, 2_301, False), (0.0004, 1, False), (0.0, 10**9, True)],
)
def test_a_limit_in_kilograms_is_met_to_the_gram(limit: float, grams: int, *, is_met: bool) -> None:
    heavy = stop("a", items=(Item(quantity=1, grams=grams),))
    assert (plan(route_of(heavy, max_kilograms=limit)).violations == ()) is is_met


def test_remembered_roads_answer_as_the_roads_do() -> None:
    roads, cached = EstimatedRoads(), CachedRoads(EstimatedRoads())
    places = [stop(str(number), number).planned_coordinates for number in (3, 1, 1, 7)]
    profile = TravelProfile()
    for some in (places, places[1:], places[::-1], [*places, CHICAGO]):
        known, asked = cached.matrix(some, some, profile), roads.matrix(some, some, profile)
        assert known.durations.tolist() == asked.durations.tolist()
        assert known.distances.tolist() == asked.distances.tolist()
        assert known.estimated.all()
    assert cached.legs(places, profile) == roads.legs(places, profile)
