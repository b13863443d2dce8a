"""What an assistant proposes is what is made, once, in time, and while it still holds."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from tests.api.conftest import World
from tests.api.plan_requests import DEPOT
from tests.api.test_route_previews import LEAVES, add_route, ids
from tests.api.test_scopes import client_with
from tests.driver.device import dispatch, sign_up
from tests.mcp.talking import ask, call, refusal
from tests.support.plans import run_waiting_jobs

from roundsman.domain.principal import Scope
from roundsman.endpoints.application import Application
from roundsman.operations.housekeeping import remove_outdated
from roundsman.operations.route_changes import load_route
from roundsman.storage.routes import add_route as store_route

pytestmark = pytest.mark.spec("decisions §19")

type Json = Any


def read(world: World, route: Json) -> Json:
    return world.client.get(f"/routes/{route['id']}").json()


def two_routes(world: World) -> tuple[Json, Json]:
    return (
        add_route(world, "a", "b", "c", scheduledFor=LEAVES),
        add_route(world, "x", "y", scheduledFor=LEAVES),
    )


def propose_some_move(world: World) -> tuple[Json, Json, str]:
    one, other = two_routes(world)
    shown = ask(world, "propose_move", stop=ids(one)[0], route=other["id"], date="2024-07-01")
    return one, other, shown["proposal"]


@pytest.mark.both_databases
def test_a_move_is_made_as_it_was_shown_and_once(world: World) -> None:
    one, other = two_routes(world)
    (moved, *_) = ids(one)
    shown = ask(world, "propose_move", stop=moved, route=other["name"], date="2024-07-01")
    assert (shown["kind"], shown["expires"]) == ("MOVES", "06:15")
    assert shown["extraLatenessMinutes"] == 0
    assert [ids(read(world, route)) for route in (one, other)] == [ids(one), ids(other)]
    made = ask(world, "apply", proposal=shown["proposal"])
    assert {route["id"] for route in made["routes"]} == {one["id"], other["id"]}
    assert ids(read(world, other))[shown["position"] - 1] == moved
    again = refusal(world, "apply", proposal=shown["proposal"])
    assert again == f"proposal {shown['proposal']} was applied already; nothing is to do"
    assert len(ids(read(world, other))) == 3


def wait_too_long(world: World, _route: Json) -> None:
    world.clock.advance(minutes=15)


def change_the_route(world: World, route: Json) -> None:
    world.client.post(f"/routes/{route['id']}/reoptimize", {})


def remove_the_stop(world: World, route: Json) -> None:
    world.client.send("DELETE", f"/routes/{route['id']}/stops/{ids(route)[0]}")


@pytest.mark.parametrize(
    ("happens", "words"),
    [
        (wait_too_long, "has expired; propose the change again"),
        (change_the_route, "has changed since the change was shown; look again"),
        (remove_the_stop, "not found"),
    ],
)
def test_what_no_longer_holds_is_refused_in_words(
    world: World, happens: Callable[[World, Json], None], words: str
) -> None:
    one, other, proposal = propose_some_move(world)
    happens(world, one)
    before = [read(world, route) for route in (one, other)]
    assert refusal(world, "apply", proposal=proposal).endswith(words)
    assert [read(world, route) for route in (one, other)] == before


def test_a_proposal_is_its_clients_alone_and_needs_the_scope(world: World) -> None:
    _, _, proposal = propose_some_move(world)
    own = world.client.headers["Authorization"]
    world.client.headers["Authorization"] = client_with(world).headers["Authorization"]
    world.client.headers["Authorization"] = client_with(world, *Scope).headers["Authorization"]
    assert "not found" in refusal(world, "apply", proposal=proposal)
    assert "not found" in refusal(world, "show_proposal", proposal="prp-1")
    world.client.headers["Authorization"] = own
    assert ask(world, "show_proposal", proposal=proposal)["moves"] == 1
    assert ask(world, "apply", proposal=proposal)["applied"] == proposal


def test_the_best_route_is_chosen_and_places_are_counted_from_zero(world: World) -> None:
    one, other = two_routes(world)
    (first, second, _) = ids(one)
    assert ask(world, "propose_move", stop=first)["to"] == f"<data>{other['name']}</data>"
    within = ask(world, "propose_move", stop=second, route=one["id"], index=0)
    ask(world, "apply", proposal=within["proposal"])
    assert ids(read(world, one))[:2] == [second, first]
    nobody = refusal(world, "propose_move", stop=first, route="Nobody's")
    assert nobody.endswith("not found; there are <data>#1</data>, <data>#2</data>")
    assert "could be" in refusal(world, "propose_move", stop=first, route="#")


@pytest.mark.both_databases
def test_a_plan_is_found_shown_and_applied(world: World) -> None:
    assert "nothing is unrouted" in refusal(world, "propose_plan")
    draft = {"clientStopId": "s", "coordinates": {"latitude": 39.3, "longitude": -76.6}}
    world.client.post("/stops/imports", [draft])
    assert "no vehicle is free" in refusal(world, "propose_plan")
    van = world.client.post("/vehicles", {"name": "Van 1", "start": DEPOT, "end": DEPOT}).json()
    assert "there are <data>Van 1</data>" in refusal(world, "propose_plan", vehicles=["Van 2"])
    asked = ask(world, "propose_plan", vehicles=["van 1"], effort="QUICK")
    assert asked["vehicles"] == [{"vehicle": "<data>Van 1</data>", "id": van["id"]}]
    run_waiting_jobs(world.tools)
    not_seen = refusal(world, "apply", proposal=asked["proposal"])
    assert not_seen.endswith("has not been shown yet; call show_proposal first")
    shown = ask(world, "show_proposal", proposal=asked["proposal"])
    assert (shown["status"], shown["vehiclesUsed"], shown["unassigned"]) == ("COMPLETED", 1, 0)
    assert [route["stops"] for route in shown["routes"]] == [1]
    made = ask(world, "apply", proposal=asked["proposal"])
    (route,) = made["routes"]
    assert read(world, route)["stops"][0]["clientStopId"] == "s"
    assert "applied already" in refusal(world, "apply", proposal=asked["proposal"])
    assert "ROUTE_CREATED" in world.topics()


def test_a_plan_of_stops_that_have_changed_is_refused(world: World) -> None:
    draft = {"clientStopId": "s", "coordinates": {"latitude": 39.3, "longitude": -76.6}}
    world.client.post("/stops/imports", [draft])
    world.client.post("/vehicles", {"name": "Van 1", "start": DEPOT, "end": DEPOT})
    asked = ask(world, "propose_plan", effort="QUICK")
    run_waiting_jobs(world.tools)
    ask(world, "show_proposal", proposal=asked["proposal"])
    world.clock.advance(seconds=1)
    world.client.post("/stops/imports", [{**draft, "note": "moved house"}])
    assert "out of date" in refusal(world, "apply", proposal=asked["proposal"])
    assert world.client.get("/routes").json()["routes"] == []


def test_others_take_over_what_a_sick_driver_had(world: World, door: Application) -> None:
    dana = sign_up(world, door)
    lee = sign_up(world, door, firstName="Lee", email="lee@example.com", phone="")
    theirs = dispatch(world, dana, stops=3)
    assert "nobody else drives" in refusal(world, "propose_without", driver="dana")
    other = dispatch(world, lee, stops=2)
    dana.done("ROUTE_STARTED")
    dana.done("STOP_DELIVERED", stopId=dana.route()["stops"][0]["id"])
    shown = ask(world, "propose_without", driver="Dana Driver")
    assert (shown["moved"], shown["staying"]) == (2, 0)
    (taken,) = shown["takenOver"]
    assert (taken["stops"], taken["driver"]) == (2, "<data>Lee Driver</data>")
    ask(world, "apply", proposal=shown["proposal"])
    left, joined = (read(world, {"id": id_}) for id_ in (theirs, other))
    assert [stop["deliveryStatus"] for stop in left["stops"]] == ["DELIVERED"]
    assert len(joined["stops"]) == 4
    assert "no open route" in refusal(world, "propose_without", driver="Dana Driver")
    assert "not found" in refusal(world, "propose_without", driver="Nobody")


def test_what_nobody_can_take_without_breaking_something_stays(
    world: World, door: Application
) -> None:
    lee = sign_up(world, door, firstName="Lee", email="lee@example.com", phone="")
    dana = sign_up(world, door)
    dispatch(world, dana, stops=2)
    dispatch(world, lee, stops=2, maxStops=3)
    shown = ask(world, "propose_without", driver="Dana Driver")
    assert (shown["moved"], shown["staying"], len(shown["stayingFirst"])) == (1, 1, 1)
    ask(world, "apply", proposal=shown["proposal"])
    full = ask(world, "propose_without", driver="Dana Driver")
    assert (full.get("proposal"), full["moved"]) == (None, 0)


def test_a_route_is_dispatched_after_it_was_shown(world: World, door: Application) -> None:
    dana = sign_up(world, door)
    route = add_route(world, "a", scheduledFor=LEAVES)
    world.client.send("PUT", f"/routes/{route['id']}/driver", json={"driverId": dana.driver_id})
    shown = ask(world, "dispatch", route="Dana Driver")
    assert (shown["stops"], shown["leaves"]) == (1, "13:00")
    assert dana.get("/routes").json()["routes"] == []
    ask(world, "apply", proposal=shown["proposal"])
    assert [one["id"] for one in dana.get("/routes").json()["routes"]] == [route["id"]]


@pytest.mark.both_databases
def test_stops_are_imported_after_they_were_shown_and_not_kept_as_proposed(world: World) -> None:
    good = {"orderName": "#1", "coordinates": {"latitude": 39.3, "longitude": -76.6}}
    bad = {"orderName": "#2", "address": {"city": "Nowhere at all"}, "colour": "red"}
    said = refusal(world, "import_stops", stops=[good, bad])
    assert "stops[1].colour" in said
    assert world.count("proposed_changes") == 0
    shown = ask(world, "import_stops", stops=[good])
    assert world.client.get("/stops/imports").json()["stops"] == []
    made = ask(world, "apply", proposal=shown["proposal"])
    (stop,) = world.client.get("/stops/imports").json()["stops"]
    assert (made["count"], stop["orderName"]) == (1, "#1")
    world.clock.advance(days=2)
    remove_outdated(world.tools)
    assert world.count("proposed_changes") == 0


@pytest.mark.spec("decisions §7")
def test_a_route_without_a_driver_is_dispatched_to_whoever_claims_it(
    world: World, door: Application
) -> None:
    dana = sign_up(world, door)
    route = add_route(world, "a", scheduledFor=LEAVES)
    shown = ask(world, "dispatch", route=route["name"])
    assert shown["driver"] == "nobody: any driver may claim it"
    ask(world, "apply", proposal=shown["proposal"])
    (listed,) = dana.get("/routes").json()["routes"]
    assert (listed["id"], listed["claimable"]) == (route["id"], True)


KNOWN: Json = {
    "clientStopId": "m-0",
    "orderName": "#M0",
    "coordinates": {"latitude": 39.3, "longitude": -76.6},
    "contact": {"firstName": "Ada", "phone": "+14105550100"},
    "note": "ring twice",
    "deliveryDate": {"year": 2024, "month": 7, "day": 2},
}


NOTE: Json = {"importedStop": {"note": "ring once"}, "updateMask": "note"}


def test_an_import_shows_what_it_replaces_and_what_is_lost_by_it(world: World) -> None:
    world.client.post("/stops/imports", [KNOWN])
    bare = {"clientStopId": "m-0", "coordinates": {"latitude": 39.2, "longitude": -76.6}}
    new = {"clientStopId": "m-1", "coordinates": {"latitude": 39.1, "longitude": -76.6}}
    proposed = ask(world, "import_stops", stops=[new, bare])
    assert (proposed["count"], proposed["replaced"], proposed["losing"]) == (2, 1, 1)
    assert "replaces a known stop whole" in proposed["warning"]
    lost = ["contact.firstName", "contact.phone", "deliveryDate", "note", "orderName"]
    assert ask(world, "show_proposal", proposal=proposed["proposal"]) == proposed
    first, second = proposed["stops"]
    assert (sorted(first.pop("loses")), first) == (
        lost,
        {
            "clientStopId": "<data>m-0</data>",
            "coordinates": "39.2, -76.6",
            "replaces": "<data>Ada</data>",
            "changes": ["coordinates"],
        },
    )
    assert second == {"clientStopId": "<data>m-1</data>", "coordinates": "39.1, -76.6"}
    assert "+14105550100" not in str(proposed)


def test_an_import_that_loses_nothing_shows_all_that_is_given(world: World) -> None:
    world.client.post("/stops/imports", [KNOWN])
    hours = [{"start": {"hours": 9}, "end": {"hours": 12}}]
    shown = ask(world, "import_stops", stops=[{**KNOWN, "timeWindows": hours, "duration": "300s"}])
    assert (shown["losing"], "warning" in shown) == (0, False)
    assert shown["stops"] == [
        {
            "name": "<data>#M0 Ada</data>",
            "clientStopId": "<data>m-0</data>",
            "coordinates": "39.3, -76.6",
            "deliveryDate": "2024-07-02",
            "windows": "09:00-12:00",
            "note": "<data>ring twice</data>",
            "alsoGiven": ["contact.phone", "duration"],
            "replaces": "<data>Ada</data>",
            "changes": ["duration", "timeWindows"],
        }
    ]


@pytest.mark.both_databases
def test_an_import_is_refused_when_what_it_replaces_has_changed(world: World) -> None:
    changes: list[Callable[[], Any]] = [
        lambda: world.client.post("/stops/imports", [KNOWN]),
        lambda: world.client.send("PATCH", "/stops/imports/m-0", json=NOTE),
        lambda: world.client.send("DELETE", "/stops/imports/m-0"),
    ]
    for change in changes:
        shown = ask(world, "import_stops", stops=[{**KNOWN, "note": "once"}])
        world.clock.advance(seconds=1)
        assert change().status_code == 200
        before = world.client.get("/stops/imports").json()
        for tool in ("show_proposal", "apply"):
            assert "propose the import again" in refusal(world, tool, proposal=shown["proposal"])
        assert world.client.get("/stops/imports").json() == before


def test_every_answer_is_short_on_a_large_day(world: World, door: Application) -> None:
    dana = sign_up(world, door)
    route_id = dispatch(world, dana, stops=200)
    copy_route(world, route_id, times=49)
    stop = read(world, {"id": route_id})["stops"][7]["id"]
    drafts = [
        {"orderName": f"#{n}", "coordinates": {"latitude": 39.3, "longitude": -76.6}}
        for n in range(200)
    ]
    world.client.post("/stops/imports", drafts)
    world.client.post("/vehicles", {"name": "Van 1", "start": DEPOT})
    day = ask(world, "day_overview")
    assert (day["routes"], sum(day["stops"].values())) == (50, 10_000)
    assert day["notShown"] == 50 - day["next"]
    assert ask(world, "find_stop", text="#1")["found"] >= 50
    ask(world, "who_has", text=stop)
    ask(world, "explain_stop", stop=stop)
    ask(world, "unrouted")
    ask(world, "propose_move", stop=stop)
    ask(world, "import_stops", stops=drafts)
    ask(world, "show_proposal", proposal=ask(world, "dispatch", route=route_id)["proposal"])
    ask(world, "propose_plan", effort="QUICK")
    call(world, "explain_stop", stop="#12")


def copy_route(world: World, route_id: str, times: int) -> None:
    """Store the route so many times more, undriven, its stops under other ids."""
    tools, organization_id = world.tools, world.credentials.organization_id
    route = load_route(tools, organization_id, route_id).route
    with tools.database.writing() as tx:
        for number in range(times):
            stops = tuple(
                replace(
                    stop, id=f"rst-{tools.ids.new_uuid()}", imported_stop_id="", order_name="#1"
                )
                for stop in route.stops
            )
            copied = replace(
                route,
                id=f"rte-{tools.ids.new_uuid()}",
                number=route.number + 1 + number,
                name=f"Route {number}",
                driver_id="",
                stops=stops,
            )
            store_route(tx, organization_id, copied)
