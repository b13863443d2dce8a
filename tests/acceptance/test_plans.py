"""A day of many vans over HTTP, against the real process: planned, applied, dispatched."""

import random
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.test_main_job import roundsman, serving
from tests.acceptance.under_fire.battle import open_client

pytestmark = [pytest.mark.both_databases, pytest.mark.spec("decisions §21")]

DEPOT = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
SHIFT = {"start": "2030-07-01T12:00:00Z", "end": "2030-07-01T20:00:00Z"}
VANS = [
    {
        "id": "van",
        "count": 8,
        "start": DEPOT,
        "end": DEPOT,
        "shift": SHIFT,
        "capacities": {"items": 40},
    }
]


def three_hundred_orders() -> list[dict[str, Any]]:
    draw = random.Random(11)  # noqa: S311 -- repeats itself on purpose
    return [
        {
            "clientStopId": f"order-{number}",
            "coordinates": {
                "latitude": 39.29 + draw.gauss(0, 0.03),
                "longitude": -76.61 + draw.gauss(0, 0.04),
            },
            "items": [{"name": "Box", "quantity": 1, "grams": 700}],
            "duration": "120s",
            "deliveryDate": {"year": 2030, "month": 7, "day": 1},
        }
        for number in range(300)
    ]


class Dispatcher:
    """A signed-in client that plans the day."""

    def __init__(self, http: Any, key: dict[str, str]) -> None:
        self.http = http
        login = {name: key[name] for name in ("clientId", "clientSecret")}
        token = self.call("POST", "/authenticate", login)["accessToken"]
        http.headers["Authorization"] = f"Bearer {token}"

    def call(self, method: str, path: str, body: Any = None) -> Any:
        response = self.http.request(method, path, json=body)
        assert response.status_code == 200, response.text
        return response.json()

    def ask(self, effort: str) -> Any:
        chosen = {"deliveryDate": "2030-07-01"}
        body = {"stopFilter": chosen, "vehicles": VANS, "options": {"effort": effort}}
        return self.call("POST", "/plans", body)

    def wait_for(self, plan: Any, status: str) -> Any:
        for _ in range(60):
            plan = self.call("GET", f"/plans/{plan['id']}?query.wait=5")
            if plan["status"] == status:
                return plan
        raise AssertionError(f"{plan['id']} is still {plan['status']}")


def test_three_hundred_orders_on_eight_vans_are_planned_applied_and_dispatched(
    tmp_path: Path, database_url: str
) -> None:
    slug = roundsman(tmp_path, database_url, "organization", "create", "Acme Foods")
    create = ("credentials", "create", "--organization", slug["organization"])
    key = roundsman(tmp_path, database_url, *create, "--email", "dev@example.com")
    with (
        serving(tmp_path, database_url) as address,
        open_client(base_url=f"{address}/api/2024-07") as http,
    ):
        dispatcher = Dispatcher(http, key)
        orders = three_hundred_orders()
        for first in range(0, len(orders), 150):
            dispatcher.call("POST", "/stops/imports", orders[first : first + 150])
        long = dispatcher.wait_for(dispatcher.ask("THOROUGH"), "RUNNING")
        dispatcher.call("POST", f"/plans/{long['id']}/cancel")
        cancelled = dispatcher.wait_for(long, "CANCELLED")
        assert cancelled["statistics"]["stoppedBy"] == "CANCEL"
        assert sum(len(route["steps"]) for route in cancelled["routes"]) == 300
        done = dispatcher.wait_for(dispatcher.ask("QUICK"), "COMPLETED")
        assert done["unassigned"] == []
        routes = dispatcher.call("POST", f"/plans/{done['id']}/apply")["routes"]
        stops = [stop["clientStopId"] for route in routes for stop in route["stops"]]
        assert sorted(stops) == sorted(order["clientStopId"] for order in orders)
        for route in routes:
            assert route["totalItemQuantity"] <= 40
            assert route["end"]["plannedArrival"] <= SHIFT["end"]
            dispatched = dispatcher.call("POST", f"/routes/{route['id']}/dispatch", {})
            assert dispatched["dispatchedUntil"] > SHIFT["end"]
        refused = http.post(f"/plans/{cancelled['id']}/apply")
        assert refused.json()["details"][0]["violations"][0]["type"] == "ALREADY_ROUTED"
