"""Why a stop is reached when it is: parts that add up, and words that a dispatcher would use."""

from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from tests.routing.test_ordering import MORNING, plan, route_of, stop, window

from roundsman.domain.errors import NotFound
from roundsman.domain.model import UNSET
from roundsman.domain.route import DriverFix, Route
from roundsman.domain.route_stop import DeliveryStatus
from roundsman.domain.stop_explanation import StopExplanation, TimeKind
from roundsman.kit.durations import from_seconds, whole_seconds
from roundsman.roads.estimate import EstimatedRoads
from roundsman.routing.explanation import explain_stop
from roundsman.routing.timing import lateness_of, time_route

ROADS = EstimatedRoads()
NINE_TO_TEN = (window((9, 0), (10, 0)),)


def timed(*stops: Any, **fields: Any) -> Route:
    return time_route(route_of(*stops, **fields), ROADS).route


def left(route: Route, late: float = 0) -> Route:
    at = MORNING + timedelta(minutes=late)
    return time_route(route.started(at, at), ROADS).route


def done(route: Route, stop_id: str, at: datetime) -> Route:
    delivered = route.find_stop(stop_id).delivered(at, UNSET)
    return time_route(route.with_stop_edited(delivered, at), ROADS).route


def finishes(route: Route, stop_id: str, late: float) -> Route:
    """Return the route with a stop done so many minutes after it was to be."""
    planned = route.find_stop(stop_id).planned_arrival
    assert isinstance(planned, datetime)
    return done(route, stop_id, planned + timedelta(minutes=late + 1))


def parts(found: StopExplanation) -> list[tuple[str, str, int]]:
    return [(part.kind.value, part.stop_id or "", part.seconds) for part in found.delays]


def test_a_stop_that_leaves_late_and_loses_time_says_where() -> None:
    route = left(timed(stop("a", 2), stop("b", 4), stop("c", 6)), late=12)
    route = finishes(route, "rst-a", 20)
    found = explain_stop(route, "rst-c")
    assert parts(found) == [("DEPARTURE", "", 720), ("VISIT", "rst-a", 480)]
    assert found.delay_seconds == 1200
    assert "20 min behind the plan" in found.sentence
    assert '12 min by leaving late and 8 min lost on the way to "a" and there' in found.sentence


def test_waiting_that_falls_away_makes_time_up() -> None:
    route = left(timed(stop("a", 2, time_windows=NINE_TO_TEN), stop("b", 4)), late=30)
    found = explain_stop(route, "rst-b")
    assert parts(found) == [("DEPARTURE", "", 1800), ("WAITING", "rst-a", -1800)]
    assert found.delay_seconds == 0
    assert explain_stop(route, "rst-a").delay_seconds == 1800


def test_a_plan_that_is_late_itself_says_what_takes_so_long() -> None:
    late = (window((8, 0), (8, 30)),)
    route = timed(stop("a", 2, time_windows=NINE_TO_TEN), stop("b", 4, time_windows=late))
    found = explain_stop(route, "rst-b")
    assert found.delays == ()
    assert found.lateness_seconds > 1800
    assert found.planned_slack_seconds == -found.lateness_seconds
    assert "after its last window closes (8:00\N{EN DASH}8:30)" in found.sentence
    assert 'of waiting at "a" until its window opens' in found.sentence
    assert "The plan itself has it" in found.sentence
    assert "it leaves at 08:00" in found.sentence


def test_a_stop_that_is_in_time_says_how_much_there_is_to_spare() -> None:
    found = explain_stop(timed(stop("a", 2, time_windows=NINE_TO_TEN)), "rst-a")
    assert (found.lateness_seconds, found.delays) == (0, ())
    assert isinstance(found.slack_seconds, int)
    assert found.slack_seconds == found.planned_slack_seconds
    assert found.slack_seconds > 3600
    open_now = (window((7, 0), (9, 0)),)
    found = explain_stop(timed(stop("a", 2, time_windows=open_now)), "rst-a")
    # Of 54 minutes and 55 seconds a dispatcher may use 54 minutes: 55 would be late.
    assert found.slack_seconds == 3295
    assert "is expected at 08:05, in time with 54 min to spare" in found.sentence
    free = explain_stop(timed(stop("a", 2)), "rst-a")
    assert free.slack_seconds is UNSET
    assert free.sentence.endswith("has no window to miss.")


def test_a_done_stop_says_what_happened() -> None:
    closed = (window(None, (8, 5)),)
    route = finishes(left(timed(stop("a", 2, time_windows=closed)), late=5), "rst-a", 15)
    found = explain_stop(route, "rst-a")
    assert parts(found) == [
        ("DEPARTURE", "", 300), ("VISIT", "rst-a", 600), ("SERVICE", "rst-a", 60),
    ]  # fmt: skip
    assert found.sentence.startswith('"a" was done at ')
    assert "5 min by leaving late and 10 min lost" in found.sentence


def test_a_stop_done_out_of_order_is_called_so() -> None:
    route = left(timed(stop("a", 2), stop("b", 4), stop("c", 6)))
    route = finishes(finishes(route, "rst-b", 0), "rst-a", 30)
    found = explain_stop(route, "rst-c")
    assert ("ORDER", "rst-a") in {(kind, id_) for kind, id_, _ in parts(found)}
    assert sum(seconds for *_, seconds in parts(found)) == found.delay_seconds


def test_who_arrives_before_a_window_waits_and_is_not_said_to_be_expected_then() -> None:
    two = MORNING + timedelta(hours=6)
    for windows, said in (
        ((window((14, 0), (19, 0)),), "14:00\N{EN DASH}19:00"),
        ((window((14, 0), None),), "from 14:00"),
    ):
        found = explain_stop(timed(stop("a", 2, time_windows=windows)), "rst-a")
        assert found.sentence == (
            'The driver is expected at "a" at 08:05 and waits until 14:00 for its window to open '
            f"({said})."
        )
        assert found.opens_at == two
        assert found.updated_arrival == two - timedelta(seconds=found.waiting_seconds)
    early = finishes(left(timed(stop("a", 2, time_windows=windows))), "rst-a", 0)
    found = explain_stop(early, "rst-a")
    words = '"a" was done at 08:06, before its window opened (from 14:00).'
    assert found.sentence.startswith(words)
    assert (found.waiting_seconds, found.opens_at) == (0, two)


def test_a_window_opens_when_it_says_though_arrivals_have_fractions_of_a_second() -> None:
    route = left(timed(stop("a", 2, time_windows=NINE_TO_TEN)), late=0.005)
    found = explain_stop(route, "rst-a")
    assert isinstance(found.updated_arrival, datetime)
    assert found.updated_arrival.microsecond
    assert found.opens_at == MORNING + timedelta(hours=1)
    assert "waits until 09:00 for its window to open" in found.sentence


def test_who_comes_within_a_window_waits_for_none() -> None:
    found = explain_stop(timed(stop("a", 2, time_windows=(window((8, 0), None),))), "rst-a")
    assert (found.waiting_seconds, found.opens_at) == (0, UNSET)


def test_minutes_in_a_sentence_add_up_to_the_minutes_between_its_times() -> None:
    route = left(timed(stop("a", 2), stop("b", 4), stop("c", 6)), late=5.05)
    route = finishes(finishes(route, "rst-a", 8.05), "rst-b", 3.4)
    found = explain_stop(route, "rst-c")
    assert found.delay_seconds == 204
    assert found.sentence == (
        '"c" is expected at 08:20 and has no window to miss. It was planned for 08:17 and is 3 min '
        'behind the plan: 5 min by leaving late, 3 min lost on the way to "a" and there and '
        '5 min made up on the way to "b" and there.'
    )


def test_a_stop_done_before_others_that_were_to_come_first_is_out_of_order() -> None:
    route = left(timed(stop("a", 2), stop("b", 4), stop("c", 6)))
    route = done(route, "rst-c", MORNING + timedelta(minutes=14))
    assert [kind for kind, *_ in parts(explain_stop(route, "rst-c"))] == ["ORDER", "SERVICE"]
    assert 'by doing "c" out of order' in explain_stop(route, "rst-c").sentence


def test_a_plan_made_anew_on_the_road_begins_with_what_was_driven() -> None:
    route = left(timed(stop("a", 2), stop("b", 4), stop("c", 6)), late=5)
    now = MORNING + timedelta(minutes=12)
    route = done(route, "rst-c", now)
    route = replace(plan(route, now).route, replanned_at=now)
    route = time_route(route, ROADS).route
    assert [one.id for one in route.stops] == ["rst-c", "rst-b", "rst-a"]
    last = explain_stop(route, "rst-a")
    said = [(part.kind.value, part.stop_id or "", part.seconds) for part in last.plan]
    assert said[:3] == [("DEPARTURE", "", 300), ("TRAVEL", "rst-c", 360), ("SERVICE", "rst-c", 60)]
    assert [step[:2] for step in said[3:]] == [
        ("TRAVEL", "rst-b"), ("SERVICE", "rst-b"), ("TRAVEL", "rst-a"),
    ]  # fmt: skip
    assert isinstance(last.planned_arrival, datetime)
    assert sum(seconds for *_, seconds in said) == (last.planned_arrival - MORNING).total_seconds()
    # The stop that was planned last is explained by the plan that it was done from.
    first = explain_stop(route, "rst-c")
    assert ("ORDER", "rst-c") in {(kind, id_) for kind, id_, _ in parts(first)}
    assert all(part.seconds > 0 for part in (*last.plan, *first.plan))
    # What is done since is behind the new plan, not behind the one before.
    b = route.find_stop("rst-b").planned_arrival
    assert isinstance(b, datetime)
    route = done(route, "rst-b", b + timedelta(minutes=4))
    assert parts(explain_stop(route, "rst-b")) == [
        ("VISIT", "rst-b", 180), ("SERVICE", "rst-b", 60),
    ]  # fmt: skip


def test_without_a_departure_nothing_is_planned_and_stops_without_a_name_have_a_number() -> None:
    found = explain_stop(timed(stop("a", 2, order_name=""), scheduled_for=UNSET), "rst-a")
    assert found.planned_arrival is UNSET
    assert found.sentence == "Nothing is planned for stop 1 yet: the route has no departure."
    with pytest.raises(NotFound):
        explain_stop(timed(stop("a", 2)), "rst-z")


def test_of_windows_within_each_other_the_one_that_closes_last_counts() -> None:
    nested = (window((5, 0), (7, 0)), window((5, 30), (6, 0)))
    route = timed(stop("a", time_windows=nested))
    late = lateness_of(route.stops[0], MORNING)
    assert late == from_seconds(3600)
    found = explain_stop(route, "rst-a")
    assert (found.lateness_seconds, found.plan) == (3600, ())
    assert found.sentence.endswith("The plan itself has it 1 h 00 min late: it leaves at 08:00.")
    assert route.stops[0].planned_lateness == late


def random_day(random: Random) -> Route:
    """Return a route somewhere on its way: late, out of order, seen here or there."""
    stops = []
    for number in range(random.randint(1, 7)):
        opens = random.randint(0, 22)
        windows = (window((opens, 0), (opens + 1, random.randint(0, 59))),)
        stops.append(
            stop(
                str(number),
                random.uniform(-20, 20),
                duration=from_seconds(random.randint(0, 900)),
                time_windows=windows if random.random() < 0.5 else (),
            )
        )
    route = timed(*stops)
    if random.random() < 0.2:
        return route
    route = left(route, random.uniform(-10, 60))
    at = MORNING + timedelta(minutes=70)
    for chosen in random.sample(stops, random.randint(0, len(stops))):
        at += timedelta(seconds=random.uniform(0, 4000))
        route = done(route, chosen.id, at)
    if random.random() < 0.5:
        seen = at + timedelta(minutes=random.uniform(0, 30))
        place = replace(route.start.coordinates, latitude=39.2)
        route = replace(route, last_fix=DriverFix(coordinates=place, at=seen))
        route = time_route(route, ROADS).route
    if random.random() < 0.3:
        route = replace(route, replanned_at=at)
    return route


@pytest.mark.parametrize("seed", range(150))
def test_whatever_the_route_the_parts_add_up_to_the_second(seed: int) -> None:
    route = random_day(Random(seed))  # noqa: S311 -- no secrets
    departs = route.departure()
    assert isinstance(departs, datetime)
    for one in route.stops:
        found = explain_stop(route, one.id)
        planned, updated = one.planned_arrival, one.updated_arrival
        assert isinstance(planned, datetime)
        assert isinstance(updated, datetime)
        assert sum(part.seconds for part in found.delays) == found.delay_seconds
        assert found.delay_seconds == (updated - planned) // timedelta(seconds=1)
        assert sum(part.seconds for part in found.plan) == (planned - departs).total_seconds()
        late = lateness_of(one, departs)
        assert found.lateness_seconds == (0 if late is UNSET else whole_seconds(late))
        if one.delivery_status is not DeliveryStatus.DELIVERED and found.lateness_seconds:
            slack = found.planned_slack_seconds
            assert found.lateness_seconds == found.delay_seconds - (slack or 0)
        assert all(part.seconds for part in (*found.delays, *found.plan))
        assert all(part.kind is not TimeKind.VISIT for part in found.plan)
        assert found.sentence.endswith(".")
