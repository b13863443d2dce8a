"""The whole circle with a Vendure that runs: ordered there, driven here, delivered there."""

import uuid
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.test_main_job import roundsman, serving
from tests.acceptance.test_plans import Dispatcher
from tests.acceptance.under_fire.battle import open_client
from tests.storefronts.running_vendure import IS_INSTALLED, Vendure, run_vendure
from tests.support.waiting import wait_until

type Json = Any

pytestmark = [
    pytest.mark.both_databases,
    pytest.mark.spec("decisions §20"),
    pytest.mark.skipif(not IS_INSTALLED, reason="npm ci in tests/storefronts/vendure installs it"),
]

DEPOT = {"coordinates": {"latitude": 39.39, "longitude": -76.61}}
FAR_AHEAD = "2040-01-01T00:00:00Z"
"""Of a device whose clock is wrong: it counts as now."""

PLACE = {"latitude": 39.4, "longitude": -76.6}


class Phone:
    """A driver's device that keeps a journal."""

    def __init__(self, http: Any, address: str, route_id: str) -> None:
        self.http, self.address, self.route_id = http, address, route_id
        self.headers: dict[str, str] = {}
        self.told = 0

    def accept(self, link: str) -> None:
        invite = f"{self.address}/driver/api/invites/{link.rpartition('/')[2]}"
        token = self.http.post(invite, json={"device": "phone"}).json()["token"]
        self.headers = {"Authorization": f"Bearer {token}"}

    def act(self, kind: str, **fields: Json) -> None:
        self.told += 1
        action = {
            "id": str(uuid.uuid4()),  # noqa: TID251 -- what a device draws by itself
            "kind": kind,
            "sequence": self.told,
            "at": FAR_AHEAD,
            "routeId": self.route_id,
            **fields,
        }
        url = f"{self.address}/driver/api/actions"
        answer = self.http.post(url, json={"actions": [action]}, headers=self.headers)
        assert answer.json()["results"][0]["outcome"] == "APPLIED", answer.text


def connect(planner: Dispatcher, shop: Vendure) -> Json:
    settings = {"deliveryDate": ["deliveryDate"], "timeWindow": ["deliveryWindow"]}
    credentials = {"apiKey": shop.key}
    said = {"platform": "VENDURE", "address": shop.address}
    body = {**said, "credentials": credentials, "settings": settings}
    connected = planner.call("POST", "/storefronts", body)
    assert connected["state"] == "ACTIVE"
    return connected


def test_an_order_is_driven_and_its_shop_says_delivered(  # noqa: PLR0915 -- one circle
    tmp_path: Path, database_url: str
) -> None:
    data = tmp_path / "data"
    slug = roundsman(data, database_url, "organization", "create", "Acme Foods")["organization"]
    create = ("credentials", "create", "--organization", slug, "--email", "dev@example.com")
    key = roundsman(data, database_url, *create)
    environment = {"ROUNDSMAN_WEBHOOK_ALLOW": "127.0.0.0/8"}
    (tmp_path / "shop").mkdir()
    with (
        run_vendure(tmp_path / "shop") as shop,
        serving(data, database_url, **environment) as address,
        open_client(base_url=f"{address}/api/2024-07") as http,
    ):
        planner = Dispatcher(http, key)
        first, second = shop.order(3, "2026-11-25"), shop.order(1, "2026-11-25")
        connected = connect(planner, shop)

        def orders() -> list[Json]:
            return list(planner.call("GET", "/store-orders")["storeOrders"])

        wait_until(lambda: len(orders()) == 2, every=0.2)
        assert {one["id"] for one in orders()} == {first, second}
        order = next(one for one in orders() if one["id"] == first)
        kept = {name: order[name] for name in ("name", "items", "deliveryDate", "timeWindows")}
        planner.call("PUT", f"/store-orders/{first}", {**kept, "coordinates": PLACE})
        driver = planner.call("POST", "/drivers", {"firstName": "Dana"})
        route = planner.call("POST", "/routes", {"start": DEPOT})
        path = f"/routes/{route['id']}"
        (stop,) = planner.call("POST", f"{path}/store-orders", [{"storeOrderId": first}])["stops"]
        phone = Phone(http, address, route["id"])
        phone.accept(driver["inviteUrl"])
        planner.call("PUT", f"{path}/driver", {"driverId": driver["driver"]["id"]})
        planner.call("POST", f"{path}/dispatch", {})
        phone.act("ROUTE_STARTED")
        phone.act("STOP_DELIVERED", stopId=stop["id"])

        def reports() -> list[tuple[str, str]]:
            found = planner.call("GET", f"/storefronts/{connected['id']}/reports")
            return [(one["step"], one["status"]) for one in found["reports"]]

        wanted = {("OUT_FOR_DELIVERY", "REPORTED"), ("DELIVERED", "REPORTED")}
        wait_until(lambda: set(reports()) == wanted, every=0.2)
        query = "query($i: ID!) { order(id: $i) { state fulfillments { state trackingCode } } }"
        assert shop.admin(query, i=first)["order"] == {
            "state": "Delivered",
            "fulfillments": [{"state": "Delivered", "trackingCode": stop["id"]}],
        }
        assert shop.admin(query, i=second)["order"]["state"] == "PaymentSettled"
