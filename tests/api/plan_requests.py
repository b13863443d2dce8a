"""Requests for plans, and what their answers say."""

from typing import Any

from tests.api.conftest import World
from tests.support.plans import run_waiting_jobs

type Json = Any

DEPOT = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
SHIFT = {"start": "2024-07-01T12:00:00Z", "end": "2024-07-01T20:00:00Z"}
QUICK = {"effort": "QUICK"}


def van(id_: str = "van", **fields: Json) -> Json:
    return {"id": id_, "start": DEPOT, "end": DEPOT, "shift": SHIFT, **fields}


def import_stops(world: World, *stops: Json) -> list[str]:
    """Import stops some hundred metres apart, called s0, s1 and so on."""
    drafts = [
        {
            "clientStopId": f"s{number}",
            "coordinates": {"latitude": 39.29 + 0.002 * number, "longitude": -76.61},
            "duration": "300s",
            **stop,
        }
        for number, stop in enumerate(stops)
    ]
    answer = world.client.post("/stops/imports", drafts)
    assert answer.status_code == 200, answer.text
    return [stop["id"] for stop in answer.json()["stops"]]


def ask(world: World, ids: list[str], *vans: Json, **fields: Json) -> Json:
    body = {
        "stops": [{"importedStopId": id_} for id_ in ids],
        "vehicles": vans or [van()],
        "options": QUICK,
        **fields,
    }
    return world.client.post("/plans", {k: v for k, v in body.items() if v is not None})


def plan(world: World, ids: list[str], *vans: Json, **fields: Json) -> Json:
    """Ask for a plan, have it searched for, and return it."""
    asked = ask(world, ids, *vans, **fields)
    assert asked.status_code == 200, asked.text
    run_waiting_jobs(world.tools)
    return read(world, asked.json())


def read(world: World, of: Json) -> Json:
    return world.client.get(f"/plans/{of['id']}").json()


def served(of: Json) -> dict[str, list[str]]:
    return {
        route["vehicle"]: [
            step["clientStopId"] for step in route["steps"] if step["type"] == "STOP"
        ]
        for route in of["routes"]
    }


def violations(answer: Json) -> list[tuple[str, str]]:
    """Return field and words, or type and subject, of what is refused."""
    details = answer.json()["details"][0]
    return [
        (one.get("field") or one.get("type"), one.get("subject") or one["description"])
        for one in details.get("fieldViolations", details.get("violations", []))
    ]
