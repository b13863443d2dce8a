"""An order's way between a shop and its customer: read, put on a route, driven, reported."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.acceptance.test_main_job import roundsman, serving
from tests.acceptance.test_plans import Dispatcher
from tests.acceptance.under_fire.battle import open_client
from tests.support.waiting import wait_until

type Json = Any

DEPOT = {"coordinates": {"latitude": 39.39, "longitude": -76.61}}
FAR_AHEAD = "2040-01-01T00:00:00Z"
"""Of a device whose clock is wrong: it counts as now."""

PLACE = {"latitude": 39.4, "longitude": -76.6}
LOOK_EVERY_SECONDS = 0.2


class Phone:
    """A driver's device that keeps a journal."""

    def __init__(self, http: Any, address: str, route_id: str) -> None:
        self.http, self.address, self.route_id = http, address, route_id
        self.headers: dict[str, str] = {}
        self.submitted = 0

    def accept(self, link: str) -> None:
        invite = f"{self.address}/driver/api/invites/{link.rpartition('/')[2]}"
        token = self.http.post(invite, json={"device": "phone"}).json()["token"]
        self.headers = {"Authorization": f"Bearer {token}"}

    def act(self, kind: str, **fields: Json) -> None:
        self.submitted += 1
        action = {
            "id": str(uuid.uuid4()),  # noqa: TID251 -- what a device draws by itself
            "kind": kind,
            "sequence": self.submitted,
            "at": FAR_AHEAD,
            "routeId": self.route_id,
            **fields,
        }
        url = f"{self.address}/driver/api/actions"
        answer = self.http.post(url, json={"actions": [action]}, headers=self.headers)
        assert answer.json()["results"][0]["outcome"] == "APPLIED", answer.text


@dataclass
class ShopCircle:
    """An organization whose shop is connected, on a service that runs."""

    planner: Dispatcher
    http: Any
    address: str
    storefront: Json = field(default_factory=dict)

    def connect(self, body: Json) -> None:
        self.storefront = self.planner.call("POST", "/storefronts", body)
        assert self.storefront["state"] == "ACTIVE", self.storefront

    def list_orders(self) -> list[Json]:
        return list(self.planner.call("GET", "/store-orders")["storeOrders"])

    def wait_for_orders(self, count: int) -> list[Json]:
        wait_until(lambda: len(self.list_orders()) == count, every=LOOK_EVERY_SECONDS)
        return self.list_orders()

    def correct(self, order: Json, quantity: int) -> None:
        """Say where an order goes, and that the van has so many pieces of it."""
        (line,) = order["items"]
        kept = {name: order[name] for name in ("name", "deliveryDate", "timeWindows")}
        items = [{**line, "quantity": quantity}]
        body = {**kept, "items": items, "coordinates": PLACE}
        self.planner.call("PUT", f"/store-orders/{order['id']}", body)

    def deliver(self, order_id: str) -> Json:
        """Put what is left of an order on a route; have its driver deliver it; return the stop."""
        driver = self.planner.call("POST", "/drivers", {"firstName": "Dana"})
        route = self.planner.call("POST", "/routes", {"start": DEPOT})
        path = f"/routes/{route['id']}"
        chosen = [{"storeOrderId": order_id}]
        (stop,) = self.planner.call("POST", f"{path}/store-orders", chosen)["stops"]
        phone = Phone(self.http, self.address, route["id"])
        phone.accept(driver["inviteUrl"])
        self.planner.call("PUT", f"{path}/driver", {"driverId": driver["driver"]["id"]})
        self.planner.call("POST", f"{path}/dispatch", {})
        phone.act("ROUTE_STARTED")
        phone.act("STOP_DELIVERED", stopId=stop["id"])
        return stop

    def wait_for_reports(self, stop: Json) -> None:
        """Wait until the shop knows that a stop's goods left and arrived."""

        def find_steps() -> set[tuple[str, str]]:
            found = self.planner.call("GET", f"/storefronts/{self.storefront['id']}/reports")
            ours = [one for one in found["reports"] if one["stopId"] == stop["id"]]
            assert all(one["status"] != "FAILED" for one in ours), ours
            return {(one["step"], one["status"]) for one in ours}

        wanted = {("OUT_FOR_DELIVERY", "REPORTED"), ("DELIVERED", "REPORTED")}
        wait_until(lambda: find_steps() == wanted, every=LOOK_EVERY_SECONDS)

    def read_again(self, order_id: str, fulfilled: int) -> Json:
        """Read everything of the shop again, until it says that so many pieces are fulfilled."""
        self.planner.call("POST", f"/storefronts/{self.storefront['id']}/sync", {"full": True})

        def find() -> Json:
            return next(one for one in self.list_orders() if one["id"] == order_id)

        def count() -> int:
            return sum(line.get("fulfilledQuantity", 0) for line in find()["items"])

        wait_until(lambda: count() == fulfilled, every=LOOK_EVERY_SECONDS)
        return find()


@contextmanager
def open_circle(folder: Path, database_url: str) -> Iterator[ShopCircle]:
    """Serve an organization that may reach shops on this machine."""
    data = folder / "data"
    slug = roundsman(data, database_url, "organization", "create", "Acme Foods")["organization"]
    create = ("credentials", "create", "--organization", slug, "--email", "dev@example.com")
    key = roundsman(data, database_url, *create)
    environment = {"ROUNDSMAN_WEBHOOK_ALLOW": "127.0.0.0/8"}
    with (
        serving(data, database_url, **environment) as address,
        open_client(base_url=f"{address}/api/2024-07") as http,
    ):
        yield ShopCircle(Dispatcher(http, key), http, address)
