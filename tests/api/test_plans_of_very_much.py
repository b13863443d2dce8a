"""Plans of loads that add up to more than one amount may be, and what cannot be read of a plan."""

import pytest
from tests.api.conftest import World
from tests.api.plan_requests import ask, import_stops, plan, read, van
from tests.support.plans import run_waiting_jobs

pytestmark = pytest.mark.spec("decisions §21")

MUCH = {"loads": {"cents": 600_000_000}}
FREE = {"allowUnusedLoads": True, "effort": "QUICK"}
HEAVIEST = {"items": [{"quantity": 100_000, "grams": 1_000_000_000}]}


def replace_stored(world: World, plan_id: str, column: str, text: str) -> None:
    with world.tools.database.writing() as tx:
        tx.exec_driver_sql(f"UPDATE plans SET {column} = '{text}' WHERE id = '{plan_id}'")  # noqa: S608 -- a test's own words


@pytest.mark.both_databases
def test_loads_of_a_route_may_add_up_to_more_than_one_stop_may_have(world: World) -> None:
    ids = import_stops(world, MUCH, MUCH)
    done = plan(world, ids, options=FREE)
    assert done["status"] == "COMPLETED"
    assert done["routes"][0]["loads"]["cents"] == 1_200_000_000
    path = f"/plans/{done['id']}"
    assert world.client.get(f"{path}?query.wait=1").json() == done
    assert world.client.post(f"{path}/compare", {"with": ["CURRENT"]}).status_code == 200
    assert world.client.post(f"{path}/apply").status_code == 200


def test_a_stop_may_have_eight_loads_of_its_own_beside_what_its_items_come_to(
    world: World,
) -> None:
    eight = {f"load {number}": 1 for number in range(8)}
    ids = import_stops(
        world, {"loads": eight, "items": [{"quantity": 2, "grams": 500}]}, {"loads": {"more": 1}}
    )
    done = plan(world, ids, options=FREE)
    assert done["routes"][0]["loads"] == {**eight, "items": 2, "kilograms": 1, "more": 1}


def test_the_heaviest_items_that_are_allowed_are_planned(world: World) -> None:
    ids = import_stops(world, *[HEAVIEST] * 3)
    done = plan(world, ids, van(), van("small", capacities={"kilograms": 100}))
    assert done["status"] == "COMPLETED"
    assert done["unassigned"] == []
    (route,) = done["routes"]
    assert (route["vehicle"], route["loads"]["kilograms"]) == ("van", 3e11)
    left_out = plan(world, ids, van("small", capacities={"kilograms": 100}))
    assert len(left_out["unassigned"]) == 3


def test_limits_beyond_those_of_a_route_are_none_of_the_routes_that_are_made(world: World) -> None:
    ids = import_stops(world, *[{"loads": {"kilograms": 900_000_000}}] * 2)
    most = van(capacities={"kilograms": 1_000_000_000}, maxReloads=2, maxStops=1_000_000_000)
    done = plan(world, ids, most)
    assert done["unassigned"] == []
    (made,) = world.client.post(f"/plans/{done['id']}/apply").json()["routes"]
    route = world.client.get(f"/routes/{made['id']}").json()
    assert (route["maxStops"], route["maxKilograms"]) == (0, 0)


def test_a_plan_whose_input_cannot_be_read_fails_at_once(world: World) -> None:
    asked = ask(world, import_stops(world, {})).json()
    replace_stored(world, asked["id"], "input", "{}")
    run_waiting_jobs(world.tools)
    failed = read(world, asked)
    assert (failed["status"], failed["error"]["code"]) == ("FAILED", 13)
    assert "PLAN_FAILED" in world.topics()


@pytest.mark.parametrize("query", ["", "?query.wait=1"])
def test_a_bug_while_an_answer_waits_is_told_like_any_other(world: World, query: str) -> None:
    done = plan(world, import_stops(world, {}))
    replace_stored(world, done["id"], "proposal", "[]")
    answer = world.client.get(f"/plans/{done['id']}{query}")
    assert (answer.status_code, answer.json()["code"]) == (500, 13)
    (detail,) = answer.json()["details"]
    assert detail["requestId"] == answer.headers["X-Request-Id"]
