"""What binds where a stop fits alone and not beside others: limits, breaks, and which window."""

import pytest
from tests.api.conftest import World
from tests.api.plan_requests import Json, import_stops, plan, read, van
from tests.support.plans import run_waiting_jobs

pytestmark = pytest.mark.spec("decisions §21")

AWAY = {"coordinates": {"latitude": 39.39, "longitude": -76.61}}
"""A quarter of an hour from the depot."""

REST = {
    "timeWindow": {"start": "2024-07-01T16:20:00Z", "end": "2024-07-01T16:30:00Z"},
    "duration": "1800s",
}
"""From twenty past noon."""

NOON = [{"start": {"hours": 12, "minutes": 30}, "end": {"hours": 12, "minutes": 40}}]


def served_with(world: World, of: Json, fix: Json) -> bool:
    """Say whether a plan with a fix of the only stop that is out serves all."""
    again = world.client.post("/plans", {"basedOn": of["id"], "fixes": [fix["index"]]}).json()
    run_waiting_jobs(world.tools)
    return not world.client.get(f"/plans/{again['id']}").json()["unassigned"]


def test_a_break_that_alone_keeps_a_stop_out_is_named_and_helped(world: World) -> None:
    ids = import_stops(world, {"timeWindows": NOON, **AWAY})
    done = plan(world, ids, van(breaks=[REST]))
    (out,) = done["unassigned"]
    (reason,) = out["reasons"]
    assert reason["type"] == "breaks"
    assert reason["break"] == {"vehicle": "van", **REST}
    assert reason["amount"] > 0
    assert reason["description"].startswith(
        "the break of van (30 min between 12:20 and 12:30) leaves no time for it even alone: "
    )
    moved = {fix["type"]: fix for fix in out["fixes"] if "break" in fix}
    assert set(moved) == {"START_BREAK_EARLIER", "START_BREAK_LATER"}, "a quarter is too long, too"
    for fix in out["fixes"]:
        assert served_with(world, done, fix), fix
    for fix in moved.values():
        assert (fix["subject"], fix["break"], fix["minimal"]) == ("van", reason["break"], True)
        assert fix["amount"] % 60 == 0
    assert plan(world, ids, van())["unassigned"] == []


def test_a_stop_that_misses_its_first_window_by_minutes_is_not_told_to_wait_for_the_last(
    world: World,
) -> None:
    evening = {"start": {"hours": 20}, "end": {"hours": 20, "minutes": 30}}
    ids = import_stops(world, *[{"timeWindows": [*NOON, evening], "duration": "900s"}] * 2)
    (out,) = plan(world, ids)["unassigned"]
    (reason,) = out["reasons"]
    (limit,) = reason["limits"]
    assert limit["type"] == "timeWindows"
    assert limit["amount"] < 1_800


def test_a_break_that_is_moved_by_a_fix_is_where_the_plan_has_it(world: World) -> None:
    ids = import_stops(world, {"timeWindows": NOON, **AWAY})
    done = plan(world, ids, van(breaks=[REST]))
    fix = next(
        fix for fix in done["unassigned"][0]["fixes"] if fix["type"] == "START_BREAK_EARLIER"
    )
    again = world.client.post("/plans", {"basedOn": done["id"], "fixes": [fix["index"]]}).json()
    run_waiting_jobs(world.tools)
    (route,) = world.client.post(f"/plans/{again['id']}/apply", {}).json()["routes"]
    assert [stop["type"] == "BREAK" for stop in route["stops"]] == [True, False]


def test_fixes_of_one_break_are_taken_together(world: World) -> None:
    ids = import_stops(world, {"timeWindows": NOON, **AWAY})
    done = plan(world, ids, van(breaks=[REST]))
    both = [fix["index"] for fix in done["unassigned"][0]["fixes"] if "break" in fix]
    assert len(both) == 2
    answer = world.client.post("/plans", {"basedOn": done["id"], "fixes": both})
    assert answer.status_code == 200, answer.text
    run_waiting_jobs(world.tools)
    assert read(world, answer.json())["unassigned"] == []


def test_a_break_on_a_full_day_is_named_beside_the_shift(world: World) -> None:
    ids = import_stops(world, *[{"duration": "13800s"}] * 2)
    noon = {"start": "2024-07-01T15:00:00Z", "end": "2024-07-01T17:00:00Z"}
    done = plan(world, ids, van(breaks=[{"timeWindow": noon, "duration": "3600s"}]))
    (out,) = done["unassigned"]
    (reason,) = out["reasons"]
    assert reason["type"] == "CONTENTION"
    assert [limit["type"] for limit in reason["limits"]] == ["shift"]
    assert reason["break"]["timeWindow"] == noon
    assert (
        "without the break of van (1 h 00 min between 11:00 and 13:00) it would fit"
        in (reason["description"])
    )
    shorter = next(fix for fix in out["fixes"] if fix["type"] == "SHORTEN_BREAK")
    assert shorter["minimal"]
    assert shorter["amount"] >= reason["limits"][0]["amount"]
    assert served_with(world, done, shorter)


@pytest.mark.parametrize(
    ("limits", "kind", "subject", "words"),
    [
        (
            {"capacities": {"crates": 5}},
            "capacities",
            "crates",
            "van would carry 3 crates more than it may",
        ),
        (
            {"capacities": {"kilograms": 5}},
            "capacities",
            "kilograms",
            "van would carry 3 kg more than it may",
        ),
        ({"maxStops": 1}, "maxStops", "", "van would have 1 stop more than it may"),
        ({"maxDuration": "1000s"}, "maxDuration", "", "van would be on the road "),
        ({"maxDistanceMeters": 900}, "maxDistanceMeters", "", "van would drive "),
        (
            {"shift": {"start": "2024-07-01T12:00:00Z", "end": "2024-07-01T12:15:00Z"}},
            "shift",
            "",
            "van would end ",
        ),
    ],
)
def test_the_limit_that_binds_beside_others_is_named(
    world: World, limits: Json, kind: str, subject: str, words: str
) -> None:
    both = [{"latitude": 39.29 + east, "longitude": -76.61} for east in (0.002, -0.002)]
    loads = {"crates": 4, "kilograms": 4}
    ids = import_stops(
        world,
        *({"loads": loads, "duration": "400s", "coordinates": place} for place in both),
    )
    done = plan(world, ids, van(**{"capacities": {"crates": 99, "kilograms": 99}, **limits}))
    (out,) = done["unassigned"]
    (reason,) = out["reasons"]
    assert reason["type"] == "CONTENTION"
    ((limit),) = reason["limits"]
    assert (limit["vehicle"], limit["type"], limit["subject"]) == ("van", kind, subject)
    assert limit["amount"] > 0
    assert "it fits alone, and not beside what the plan has: " + words in reason["description"]


def test_of_several_windows_a_fix_names_the_one_that_it_changes_and_no_other(
    world: World,
) -> None:
    windows = [
        {"start": {"hours": 5, "minutes": 0}, "end": {"hours": 6, "minutes": 0}},
        {"start": {"hours": 18, "minutes": 0}, "end": {"hours": 19, "minutes": 0}},
    ]
    done = plan(world, import_stops(world, {"timeWindows": windows}))  # the shift is from 8 to 16
    (out,) = done["unassigned"]
    named = {fix["type"]: fix["timeWindow"] for fix in out["fixes"] if "timeWindow" in fix}

    def hours(window: Json) -> tuple[int, int]:
        return window["start"]["hours"], window["end"]["hours"]

    assert hours(named["CLOSE_LATER"]) == (5, 6)
    assert hours(named["OPEN_EARLIER"]) == (18, 19)
    for fix in out["fixes"]:
        assert served_with(world, done, fix)
