"""Storefront connections: connected, read, told, and kept apart."""

import asyncio
import base64
import hashlib
import hmac
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from ipaddress import IPv4Address
from typing import Any

import pytest
from prometheus_client import REGISTRY
from tests.api.conftest import World
from tests.api.described import DescribedClient
from tests.api.test_days import live_in
from tests.api.test_store_orders import add, create_route, quantities
from tests.driver.device import Device, browser, sign_up
from tests.members.conftest import EMAIL, join
from tests.notifications.post_office import open_post_office
from tests.storefronts.paper_shop import Busy, PaperShop, Refused, Unauthorized, draft
from tests.storefronts.web_shop import Answer, serve
from tests.support.plans import run_waiting_jobs

from roundsman.app import KINDS, make_application
from roundsman.domain.address import Address, Contact
from roundsman.domain.imported_stop import Attribute
from roundsman.domain.model import UNSET
from roundsman.domain.store_order import OrderItem
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.domain.storefront import OrderField, StorefrontPlatform, shop_key
from roundsman.kit.http import HttpClient
from roundsman.notifications.email import Mail, MailServer
from roundsman.operations.job_runs import claim_jobs, run_job
from roundsman.operations.readiness import count_backlog
from roundsman.operations.storefront_orders import _list_said
from roundsman.settings import Settings
from roundsman.storage.leases import LEASE
from roundsman.storefronts.port import OrderLocked, ShopConnection, Storefront
from roundsman.workers.storefront_visits import StorefrontVisits

SHOP = "http://127.0.0.1:9"
SECRET = "hook-secret-4567"
MEDUSA = {
    "platform": "MEDUSA",
    "label": "Farm shop",
    "address": SHOP,
    "credentials": {"apiKey": "paper-key-0123", "hookSecret": SECRET},
}
NOBODYS = "sfc-00000000-0000-4000-8000-000000000000"


@dataclass
class Shops:
    """Shops by their addresses."""

    shops: dict[str, PaperShop]

    def open(
        self, platform: StorefrontPlatform, connection: ShopConnection, http: HttpClient
    ) -> Storefront:
        return self.shops[connection.address].open(platform, connection, http)


@dataclass
class Trade:
    """An installation and the shops around it."""

    world: World
    shop: PaperShop
    other: PaperShop
    client: DescribedClient

    def connect(self, **changes: Any) -> Any:
        answer = self.client.post("/storefronts", {**MEDUSA, **changes})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def visit(self) -> None:
        def hook_url(id_: str) -> str:
            return f"https://roundsman.test/api/2024-07/storefronts/{id_}/hooks"

        asyncio.run(StorefrontVisits(self.world.tools, hook_url).visit_due())

    def wait_and_visit(self, **by: float) -> None:
        self.world.clock.advance(**(by or {"seconds": 61}))
        self.visit()

    def get(self, id_: str) -> Any:
        return self.client.get(f"/storefronts/{id_}").json()

    def orders(self, query: str = "") -> list[Any]:
        return list(self.client.get(f"/store-orders{query}").json()["storeOrders"])

    def order_ids(self) -> list[str]:
        return sorted(one["id"] for one in self.orders())

    def reports(self, id_: str, query: str = "") -> list[Any]:
        return list(self.client.get(f"/storefronts/{id_}/reports{query}").json()["reports"])

    def dispatch(self, *order_ids: str) -> Device:
        """Dispatch a route with orders to a driver."""
        device = sign_up(self.world, self.client.interface)
        route = create_route(
            replace(self.world, client=self.client),
            scheduledFor="2024-07-01T06:30:00Z",
            driverId=device.driver_id,
        )
        answer = add(replace(self.world, client=self.client), route, *order_ids)
        assert answer.status_code == 200, answer.text
        assert self.client.post(f"/routes/{route}/dispatch", {}).status_code == 200
        device.route_id = route
        return device

    def stops(self, device: Device) -> list[str]:
        return [one["id"] for one in self.client.get(f"/routes/{device.route_id}").json()["stops"]]


@pytest.fixture
def trade(world: World, tmp_path: Any) -> Iterator[Trade]:
    """The installation, with two shops to connect."""
    shop, other = PaperShop(), PaperShop()
    shops = Shops({SHOP: shop, "http://127.0.0.1:8": other})
    tools = replace(world.tools, open_storefront=shops.open)
    interface = make_application(Settings(data=tmp_path), tools)
    client = DescribedClient(interface)
    client.sign_in(world.credentials.client_id, world.credentials.client_secret)
    stranger = DescribedClient(interface)
    stranger.headers.update(world.stranger.headers)
    yield Trade(
        world=replace(world, tools=tools, client=client, stranger=stranger),
        shop=shop,
        other=other,
        client=client,
    )
    interface.close()


def signature(body: bytes, secret: str = SECRET) -> str:
    return base64.b64encode(hmac.new(secret.encode(), body, hashlib.sha256).digest()).decode()


def hook(trade: Trade, id_: str, body: bytes, secret: str = SECRET) -> Any:
    return browser(trade.client.interface).post(
        f"/api/2024-07/storefronts/{id_}/hooks",
        content=body,
        headers={
            "Content-Type": "application/json",
            "X-Roundsman-Hmac-Sha256": signature(body, secret),
        },
    )


@pytest.mark.spec("decisions §20")
@pytest.mark.both_databases
def test_a_shop_is_connected_and_its_secrets_never_come_out(trade: Trade) -> None:
    made = trade.connect(settings={"deliveryDate": ["Day"], "timeWindow": ["Hours"]})
    assert made["id"].startswith("sfc-")
    assert made == {
        "id": made["id"],
        "platform": "MEDUSA",
        "label": "Farm shop",
        "address": SHOP,
        "state": "ACTIVE",
        "prefix": "",
        "credentials": {"apiKey": "****0123", "hookSecret": "****4567"},
        "settings": {
            "deliveryDate": ["Day"],
            "timeWindow": ["Hours"],
            "statuses": [],
            "outForDeliveryStatus": "",
            "attemptedStatus": "",
            "lookBackDays": 60,
            "notifyCustomer": False,
            "removeCancelled": False,
            "orderRules": [],
            "orderFields": [],
            "outForDeliveryTag": "",
            "deliveredTag": "",
            "attemptedTag": "",
        },
        "queue": {"waiting": 0, "failed": 0},
    }
    assert trade.get(made["id"]) == made
    assert trade.client.get("/storefronts").json() == {"storefronts": [made]}
    with trade.world.tools.database.reading() as tx:
        kept = str(tx.exec_driver_sql("SELECT * FROM storefronts").fetchall())
    assert "paper-key" not in kept
    assert SECRET not in kept


def test_only_the_last_characters_come_out_and_are_kept_when_sent_back(trade: Trade) -> None:
    made = trade.connect()
    body = {
        "storefront": {**made, "label": "Renamed"},
        "updateMask": "label,credentials",
    }
    changed = trade.client.send("PATCH", f"/storefronts/{made['id']}", json=body).json()
    assert changed["label"] == "Renamed"
    assert changed["credentials"] == made["credentials"]
    trade.shop.put(1)
    trade.visit()
    assert trade.order_ids() == ["1"]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"platform": "EBAY"}, "platform"),
    ({"address": ""}, "address"),
    ({"address": "http://10.0.0.1"}, "address"),
    ({"address": "http://127.0.0.1:9/?shop=1"}, "address"),
    ({"prefix": "a b"}, "prefix"),
    ({"credentials": {"hookSecret": SECRET}}, "credentials.apiKey"),
    ({"credentials": {"apiKey": " "}}, "credentials.apiKey"),
    ({"credentials": {"apiKey": "k", "clientId": "c"}}, "credentials.clientId"),
    ({"settings": {"deliveryDates": []}}, "settings.deliveryDates"),
    ({"settings": {"lookBackDays": 0}}, "settings.lookBackDays"),
    ({"shop": "x"}, "shop"),
]


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(("changes", "field"), WRONG, ids=lambda value: str(value)[:40])
def test_a_wrong_connection_is_refused_by_its_field(trade: Trade, changes: Any, field: str) -> None:
    answer = trade.client.post("/storefronts", {**MEDUSA, **changes})
    assert (answer.status_code, answer.json()["code"]) == (400, 3), answer.text
    found = [one["field"] for one in answer.json()["details"][0]["fieldViolations"]]
    assert found == [field]
    assert trade.world.count("storefronts") == 0


def test_an_address_without_a_shop_is_refused_by_what_it_is(world: World) -> None:
    with serve(lambda _: Answer({"message": "Not here"}, status=404)) as address:
        made = world.client.post("/storefronts", {**MEDUSA, "address": address}).json()
        path = f"/storefronts/{made['id']}/check"
        (finding,) = world.client.post(path, {}).json()["findings"]
        path = f"/storefronts/{made['id']}/credentials"
        other = world.client.post(path, {"credentials": {"apiKey": "another-key"}})
    assert other.json()["message"].startswith(
        "the shop is not found at its address; those before stay: Not here. Check the address"
    )
    assert (made["state"], made["lastFailure"]["code"]) == ("REFUSED", "NOT_FOUND")
    assert made["lastFailure"]["remedy"].startswith("Check the address")
    assert (finding["subject"], finding["remedy"]) == ("address", made["lastFailure"]["remedy"])


def test_a_shop_that_does_not_let_in_is_refused_and_says_what_helps(trade: Trade) -> None:
    made = trade.connect(credentials={"apiKey": "wrong-key-9999"})
    assert made["state"] == "REFUSED"
    assert made["lastFailure"]["message"] == "the key is not accepted"
    assert made["lastFailure"]["remedy"] == "Make another key."
    trade.wait_and_visit()
    assert trade.shop.visits == 0
    answer = trade.client.send("POST", f"/storefronts/{made['id']}/sync")
    assert (answer.status_code, answer.json()["code"]) == (400, 9)
    body = {"storefront": {"credentials": MEDUSA["credentials"]}, "updateMask": "credentials"}
    trade.client.send("PATCH", f"/storefronts/{made['id']}", json=body)
    resumed = trade.client.send("POST", f"/storefronts/{made['id']}/resume").json()
    assert resumed["state"] == "ACTIVE"
    assert "lastFailure" not in resumed
    trade.shop.put(1)
    trade.visit()
    assert trade.order_ids() == ["1"]


@pytest.mark.spec("decisions §20")
@pytest.mark.both_databases
def test_orders_come_with_their_connection_page_by_page_and_once(trade: Trade) -> None:
    made = trade.connect()
    for number in range(1, 6):
        trade.shop.put(number)
    trade.shop.put(6, is_wanted=False)
    trade.visit()
    assert trade.order_ids() == ["1", "2", "3", "4", "5"]
    first = trade.client.get("/store-orders/1").json()
    assert first["connectionId"] == made["id"]
    assert (first["state"], first["address"]["address1"]) == ("OPEN", "1 Main St")
    assert trade.get(made["id"])["lastSuccessAt"]
    before = {one["id"]: one for one in trade.orders()}
    trade.shop.put(2, tags=("late",))
    trade.wait_and_visit()
    after = {one["id"]: one for one in trade.orders()}
    assert after["2"]["tags"] == ["late"]
    assert {id_ for id_ in after if after[id_] != before[id_]} == {"2"}


def test_an_order_that_says_less_than_usual_comes_too(trade: Trade) -> None:
    trade.connect()
    trade.shop.put(1, coordinates=UNSET)
    trade.shop.put(2, address=UNSET, contact=UNSET, coordinates=UNSET)
    trade.visit()
    assert trade.order_ids() == ["1", "2"]


def test_a_shop_is_visited_once_a_minute_and_at_once_after_a_hook(trade: Trade) -> None:
    made = trade.connect()
    trade.visit()
    trade.shop.put(1)
    trade.world.clock.advance(seconds=30)
    trade.visit()
    assert trade.order_ids() == []
    assert hook(trade, made["id"], b'{"name":"order.placed","data":{"id":"id-1"}}').json() == {}
    trade.visit()
    assert trade.order_ids() == ["1"]
    assert trade.world.count("storefront_hints") == 0


def test_a_hook_names_an_order_whose_time_of_change_stands_still(trade: Trade) -> None:
    made = trade.connect()
    trade.shop.put(1)
    trade.shop.put(2)
    trade.visit()
    trade.shop.now += timedelta(hours=1)
    trade.shop.put(3)
    trade.wait_and_visit()
    trade.shop.put_silently(1, tags=("changed",))
    trade.wait_and_visit()
    assert trade.client.get("/store-orders/1").json()["tags"] == []
    hook(trade, made["id"], b'{"name":"order.updated","data":{"id":"id-1"}}')
    trade.visit()
    assert trade.client.get("/store-orders/1").json()["tags"] == ["changed"]


@pytest.mark.spec("decisions §20")
def test_a_hook_that_its_shop_has_not_signed_is_refused(trade: Trade) -> None:
    made = trade.connect()
    body = b'{"data":{"order_id":"id-1"}}'
    wrong = hook(trade, made["id"], body, "another secret")
    unknown = hook(trade, NOBODYS, body)
    unsigned = browser(trade.client.interface).post(
        f"/api/2024-07/storefronts/{made['id']}/hooks", content=body
    )
    for answer in (wrong, unknown, unsigned):
        assert answer.status_code == 401
        assert answer.content == wrong.content
    assert trade.world.count("storefront_hints") == 0
    large = b'{"data":{"order_id":"id-1"},"x":"' + b"x" * 200_000 + b'"}'
    assert hook(trade, made["id"], large).status_code == 200
    assert hook(trade, made["id"], b"x" * (2 * 1024 * 1024 + 1)).status_code == 413
    assert hook(trade, made["id"], b"no json at all").status_code == 200


def test_the_hook_secret_before_goes_on_to_sign(trade: Trade) -> None:
    made = trade.connect()
    credentials = {**MEDUSA["credentials"], "hookSecret": "the-next-secret"}  # type: ignore[dict-item]
    body = {"storefront": {"credentials": credentials}, "updateMask": "credentials"}
    assert trade.client.send("PATCH", f"/storefronts/{made['id']}", json=body).status_code == 200
    for secret in (SECRET, "the-next-secret"):
        assert hook(trade, made["id"], b"{}", secret).status_code == 200
    assert hook(trade, made["id"], b"{}", "").status_code == 401


@pytest.mark.spec("decisions §20")
@pytest.mark.both_databases
def test_two_shops_never_collide(trade: Trade) -> None:
    trade.connect()
    second = {**MEDUSA, "address": "http://127.0.0.1:8"}
    refused = trade.client.post("/storefronts", second)
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
    assert refused.json()["details"][0]["violations"][0]["type"] == "prefix"
    other = trade.connect(address="http://127.0.0.1:8", prefix="B")
    trade.shop.put(1)
    trade.other.put(1, tags=("other",))
    # The first shop's own numbers may look like those of the second with its prefix.
    odd = trade.shop.put(7)
    trade.shop.orders[odd.order_id] = replace(odd, number="B-7")
    trade.other.put(7, tags=("other",))
    trade.visit()
    by_id = {one["id"]: one for one in trade.orders()}
    assert set(by_id) == {"1", "B-1", "B-7", "B-7-id-7"}
    assert len({(one["connectionId"], one["address"]["address1"]) for one in by_id.values()}) == 4
    assert by_id["B-1"]["connectionId"] == other["id"]
    pushed = trade.client.send("PUT", "/store-orders/8", json={"name": "pushed"})
    assert pushed.status_code == 200
    trade.shop.put(8)
    trade.wait_and_visit()
    assert trade.client.get("/store-orders/8").json()["name"] == "pushed"
    assert "8-id-8" in trade.order_ids()


@pytest.mark.both_databases
def test_organizations_see_nothing_of_each_other(trade: Trade) -> None:
    made = trade.connect()
    trade.shop.put(1)
    trade.visit()
    stranger = trade.world.stranger
    assert stranger.get("/storefronts").json() == {"storefronts": []}
    for path in ("", "/reports"):
        theirs = stranger.get(f"/storefronts/{made['id']}{path}")
        nobodys = stranger.get(f"/storefronts/{NOBODYS}{path}")
        assert theirs.status_code == nobodys.status_code == 404
        assert theirs.content == nobodys.content
    for verb in ("check", "sync", "pause", "resume"):
        assert stranger.send("POST", f"/storefronts/{made['id']}/{verb}").status_code == 404
    assert stranger.send("DELETE", f"/storefronts/{made['id']}").status_code == 404
    assert stranger.get("/store-orders").json()["storeOrders"] == []
    # The same prefix is free in each organization.
    own = stranger.post("/storefronts", MEDUSA)
    assert own.status_code == 200, own.text


def test_a_correction_stands_until_the_shop_s_own_address_changes(trade: Trade) -> None:
    made = trade.connect()
    trade.shop.put(1)
    trade.visit()
    order = trade.client.get("/store-orders/1").json()
    corrected = {**order, "address": {**order["address"], "address1": "1 Main Street, rear"}}
    answer = trade.client.send("PUT", "/store-orders/1", json=corrected)
    assert answer.json()["connectionId"] == made["id"]
    trade.shop.put(1, tags=("vip",))
    trade.wait_and_visit()
    kept = trade.client.get("/store-orders/1").json()
    assert (kept["address"]["address1"], kept["tags"]) == ("1 Main Street, rear", ["vip"])
    trade.shop.put(1, address=Address(address1="9 Oak St", city="Towson"))
    trade.wait_and_visit()
    assert trade.client.get("/store-orders/1").json()["address"]["address1"] == "9 Oak St"


def erase(trade: Trade, email: str) -> None:
    asked = trade.client.post("/privacy/erasures", {"email": email, "reason": "asked by letter"})
    assert asked.status_code == 200, asked.text
    assert run_waiting_jobs(trade.world.tools) == ["completed"]
    done = trade.client.get(f"/privacy/erasures/{asked.json()['id']}").json()
    assert done["status"] == "COMPLETED"


def test_an_erased_customer_is_brought_back_by_what_the_shop_says_of_them_alone(
    trade: Trade,
) -> None:
    """As our reports change an order in its shop, they are no reason to bring anybody back."""
    ann = {"contact": Contact(first_name="Ann", email="ann@example.com", phone="+14105550123")}
    gone: dict[str, Any] = {
        "state": StoreOrderState.FULFILLED,
        "items": (OrderItem(name="Veg box", quantity=2, sku="BOX", fulfilled_quantity=2),),
    }
    trade.connect()
    trade.shop.put(1, **ann, order_note="Side door")
    trade.shop.put(2, **ann)
    trade.visit()
    erase(trade, "ann@example.com")
    erased = trade.client.get("/store-orders/1").json()
    assert not erased.get("contact", {}).get("email")
    others: list[dict[str, Any]] = [{}, {"tags": ("sent",)}]
    for changes in others:
        trade.shop.put(1, **ann, **gone, **changes, order_note="Side door")
        trade.client.send(
            "POST", f"/storefronts/{erased['connectionId']}/sync", json={"full": True}
        )
        trade.wait_and_visit()
        shown = trade.client.get("/store-orders/1").json()
        assert shown["state"] == "FULFILLED"
        for name in ("contact", "address", "orderNote", "name"):
            assert shown.get(name) == erased.get(name)
    assert shown["tags"] == ["sent"]
    trade.shop.put(1, **{**ann, **gone}, order_note="Back door")
    trade.shop.put(2, contact=Contact(first_name="Bob"))
    trade.wait_and_visit()
    one, two = (trade.client.get(f"/store-orders/{id_}").json() for id_ in (1, 2))
    assert (one["contact"]["firstName"], one["orderNote"]) == ("Ann", "Back door")
    assert one["address"]["address1"] == "1 Main St"
    assert (two["contact"]["firstName"], two["address"]["address1"]) == ("Bob", "2 Main St")


@pytest.mark.both_databases
def test_stops_follow_their_orders_until_the_route_starts(trade: Trade) -> None:
    trade.connect()
    trade.shop.put(1)
    trade.shop.put(2)
    trade.visit()
    device = trade.dispatch("1", "2")
    path = f"/routes/{device.route_id}"
    trade.shop.put(1, items=(OrderItem(name="Veg box", quantity=5),), tags=("vip",))
    trade.shop.put(2, order_note="ring twice")
    trade.wait_and_visit()
    route = trade.client.get(path).json()
    assert quantities(route) == [[("Veg box", 5)], [("Veg box", 2)]]
    assert route["stops"][0]["tags"] == ["vip"]
    assert route["stops"][1]["note"] == "ring twice"
    topics = trade.world.topics()
    trade.wait_and_visit()
    assert trade.world.topics() == topics
    device.done("ROUTE_STARTED")
    trade.shop.put(1, items=(OrderItem(name="Veg box", quantity=9),))
    trade.shop.put(2, state=StoreOrderState.CANCELLED)
    trade.wait_and_visit()
    route = trade.client.get(path).json()
    assert quantities(route) == [[("Veg box", 5)], [("Veg box", 2)]]
    assert route["stops"][1]["storeOrder"]["state"] == "CANCELLED"
    assert "state" not in route["stops"][0]["storeOrder"]


@pytest.mark.parametrize("is_started", [False, True])
def test_a_stop_says_that_its_order_goes_elsewhere_by_now(
    trade: Trade, *, is_started: bool
) -> None:
    trade.connect()
    trade.shop.put(1)
    trade.shop.put(2)
    trade.visit()
    device = trade.dispatch("1", "2")
    _, other = trade.stops(device)
    if is_started:
        device.done("ROUTE_STARTED")
        device.done("STOP_DELIVERED", stopId=other)
    elsewhere = Address(address1="999 Newplace Ave", city="Towson", province_code="MD")
    trade.shop.put(1, address=elsewhere)
    trade.shop.put(2, address=elsewhere)
    trade.wait_and_visit()

    def offered() -> list[str]:
        stops = trade.client.get(f"/routes/{device.route_id}").json()["stops"]
        assert [one["address"]["address1"] for one in stops] == ["1 Main St", "2 Main St"]
        return [one["storeOrder"].get("address", {}).get("address1", "") for one in stops]

    assert offered() == ["999 Newplace Ave", "" if is_started else "999 Newplace Ave"]
    if not is_started:
        path = f"/routes/{device.route_id}/resync-orders"
        assert trade.client.post(path, {}).status_code == 200
        assert offered() == ["999 Newplace Ave"] * 2
    trade.shop.put(1)
    trade.wait_and_visit()
    assert offered()[0] == "", "the shop has taken it back"


def test_an_order_that_its_shop_cancels_leaves_a_route_where_that_is_wanted(trade: Trade) -> None:
    trade.connect(settings={"removeCancelled": True})
    trade.shop.put(1)
    trade.shop.put(2)
    trade.visit()
    device = trade.dispatch("1", "2")
    trade.shop.put(1, state=StoreOrderState.CANCELLED)
    trade.wait_and_visit()
    route = trade.client.get(f"/routes/{device.route_id}").json()
    assert [one["storeOrderId"] for one in route["stops"]] == ["2"]
    assert trade.client.get("/store-orders/1").json()["state"] == "CANCELLED"


def test_an_order_that_is_gone_from_its_shop_is_cancelled_and_orders_on_routes_read_again(
    trade: Trade,
) -> None:
    trade.connect()
    trade.shop.put(1)
    trade.shop.put(2)
    trade.visit()
    device = trade.dispatch("1", "2")
    del trade.shop.orders["id-1"]
    trade.shop.put_silently(2, order_note="side door")
    trade.wait_and_visit()
    assert trade.client.get("/store-orders/1").json()["state"] == "OPEN"
    trade.wait_and_visit(minutes=15)
    assert trade.client.get("/store-orders/1").json()["state"] == "CANCELLED"
    stops = trade.client.get(f"/routes/{device.route_id}").json()["stops"]
    assert stops[0]["storeOrder"]["state"] == "CANCELLED"
    assert stops[1]["note"] == "side door"


@pytest.mark.spec("decisions §20")
@pytest.mark.both_databases
def test_a_shop_is_told_what_becomes_of_its_orders(trade: Trade) -> None:
    made = trade.connect()
    trade.shop.put(1)
    trade.shop.put(2)
    trade.visit()
    device = trade.dispatch("1", "2")
    one, two = trade.stops(device)
    device.done("ROUTE_STARTED")
    device.done("STOP_DELIVERED", stopId=one)
    device.done("STOP_ATTEMPTED", stopId=two, reason="NOT_AVAILABLE", note="dog")
    assert trade.get(made["id"])["queue"] == {"waiting": 4, "failed": 0}
    trade.visit()
    assert trade.shop.steps() == [
        ("id-1", "OUT_FOR_DELIVERY"),
        ("id-2", "OUT_FOR_DELIVERY"),
        ("id-1", "DELIVERED"),
        ("id-2", "ATTEMPTED"),
    ]
    out, attempted = trade.shop.told[0][1], trade.shop.told[3][1]
    assert [(item.sku, item.quantity) for item in out.items] == [("BOX", 2)]
    assert (out.stop_id, "/t/" in out.tracking_url) == (one, True)
    assert attempted.note == "not available: dog"
    shown = trade.reports(made["id"])
    assert {one["status"] for one in shown} == {"REPORTED"}
    assert shown[0]["fulfillmentId"]
    device.done("STOP_REOPENED", stopId=one)
    device.done("STOP_DELIVERED", stopId=one)
    device.done("STOP_DELIVERED", stopId=two)
    trade.visit()
    assert trade.shop.steps()[4:] == [
        ("id-1", "CORRECTED"),
        ("id-1", "DELIVERED"),
        ("id-2", "DELIVERED"),
    ]
    assert trade.get(made["id"])["queue"] == {"waiting": 0, "failed": 0}


@pytest.mark.both_databases
def test_an_order_that_nobody_took_is_open_until_it_goes_out_again(trade: Trade) -> None:
    gone = {
        "state": StoreOrderState.FULFILLED,
        "items": (OrderItem(name="Veg box", quantity=2, sku="BOX", fulfilled_quantity=2),),
    }

    def open_orders() -> list[Any]:
        return [(one["id"], quantity_left(one)) for one in trade.orders("?query.state=OPEN")]

    def quantity_left(order: Any) -> int:
        return sum(one["quantity"] - one.get("fulfilledQuantity", 0) for one in order["items"])

    trade.connect()
    trade.shop.put(1)
    trade.visit()
    first = trade.dispatch("1")
    (one,) = trade.stops(first)
    first.done("ROUTE_STARTED")
    trade.shop.put(1, **gone)  # which the shop says from when it has left
    trade.visit()
    assert open_orders() == []
    first.done("STOP_ATTEMPTED", stopId=one, reason="NOT_AVAILABLE")
    trade.visit()
    assert open_orders() == [("1", 2)]
    trade.shop.put(1, **gone, tags=("vip",))
    trade.wait_and_visit()
    assert open_orders() == [("1", 2)], "however often it is read"
    second = trade.dispatch("1")
    (two,) = trade.stops(second)
    second.done("ROUTE_STARTED")
    trade.visit()
    assert open_orders() == []
    second.done("STOP_DELIVERED", stopId=two)
    trade.visit()
    assert open_orders() == []
    told = [(report.stop_id, report.attempted_stop_ids) for _, report in trade.shop.told]
    assert [(id_, list(before)) for id_, before in told] == [
        (one, []),
        (one, []),
        (two, [one]),
        (two, [one]),
    ]


def test_an_order_that_arrived_another_way_stays_done(trade: Trade) -> None:
    trade.connect()
    trade.shop.put(1)
    trade.visit()
    device = trade.dispatch("1")
    device.done("ROUTE_STARTED")
    device.done("STOP_ATTEMPTED", stopId=trade.stops(device)[0], reason="NOT_AVAILABLE")
    fetched = (OrderItem(name="Veg box", quantity=2, sku="BOX", fulfilled_quantity=2),)
    order = trade.shop.put(1, items=fetched, state=StoreOrderState.FULFILLED)
    trade.shop.orders[order.order_id] = replace(order, is_delivered=True)
    trade.wait_and_visit()
    assert trade.orders("?query.state=OPEN") == []


@pytest.mark.both_databases
def test_a_report_is_told_again_and_what_comes_after_it_waits(trade: Trade) -> None:
    made = trade.connect()
    trade.shop.put(1)
    trade.visit()
    device = trade.dispatch("1")
    (stop,) = trade.stops(device)
    device.done("ROUTE_STARTED")
    device.done("STOP_DELIVERED", stopId=stop)
    trade.shop.troubles = [Busy("503", "the shop is away")]
    trade.visit()
    assert trade.shop.steps() == []
    waiting = trade.reports(made["id"], "?query.status=WAITING")
    assert len(waiting) == 2
    first = next(one for one in waiting if one["step"] == "OUT_FOR_DELIVERY")
    assert (first["attempts"], first["lastFailure"]["code"]) == (1, "503")
    trade.wait_and_visit(seconds=15)
    assert [step for _, step in trade.shop.steps()] == ["OUT_FOR_DELIVERY", "DELIVERED"]


def test_an_order_that_is_edited_in_the_shop_keeps_no_other_waiting(trade: Trade) -> None:
    made = trade.connect()
    trade.shop.put(1)
    trade.shop.put(2)
    trade.visit()
    device = trade.dispatch("1", "2")
    device.done("ROUTE_STARTED")
    trade.shop.troubles = [OrderLocked("ORDER_IS_EDITED", "somebody changes it")]
    trade.visit()
    assert [step for _, step in trade.shop.steps()] == ["OUT_FOR_DELIVERY"]
    (waiting,) = trade.reports(made["id"], "?query.status=WAITING")
    assert waiting["lastFailure"]["code"] == "ORDER_IS_EDITED"
    trade.wait_and_visit(seconds=15)
    assert len(trade.shop.steps()) == 2


def test_what_a_shop_refuses_is_shown_and_told_again_when_somebody_says_so(trade: Trade) -> None:
    made = trade.connect()
    trade.shop.put(1)
    trade.visit()
    device = trade.dispatch("1")
    device.done("ROUTE_STARTED")
    trade.shop.troubles = [Refused("closed", "the order is closed", "Open it in the shop.")]
    trade.visit()
    assert trade.get(made["id"])["queue"] == {"waiting": 0, "failed": 1}
    (failed,) = trade.reports(made["id"], "?query.status=FAILED")
    assert failed["lastFailure"]["message"] == "the order is closed"
    path = f"/storefronts/{made['id']}/reports/{failed['id']}/retry"
    assert trade.client.send("POST", path).json()["status"] == "WAITING"
    trade.visit()
    assert trade.shop.steps() == [("id-1", "OUT_FOR_DELIVERY")]
    again = trade.client.send("POST", path)
    assert (again.status_code, again.json()["code"]) == (400, 9)


def test_credentials_that_are_refused_later_pause_and_the_queue_stays(trade: Trade) -> None:
    made = trade.connect()
    trade.shop.put(1)
    trade.visit()
    device = trade.dispatch("1")
    trade.shop.key = "another-key-1"
    device.done("ROUTE_STARTED")
    trade.visit()
    paused = trade.get(made["id"])
    assert (paused["state"], paused["queue"]["waiting"]) == ("PAUSED", 1)
    assert paused["lastFailure"]["remedy"] == "Make another key."
    trade.wait_and_visit()
    assert trade.shop.reports == 0
    trade.shop.key = "paper-key-0123"
    trade.client.send("POST", f"/storefronts/{made['id']}/resume")
    trade.visit()
    assert trade.shop.steps() == [("id-1", "OUT_FOR_DELIVERY")]
    assert "lastFailure" not in trade.get(made["id"])


@pytest.mark.spec("decisions §20")
@pytest.mark.both_databases
def test_other_credentials_are_taken_and_resume_where_the_shop_accepts_them(trade: Trade) -> None:
    made = trade.connect()
    path = f"/storefronts/{made['id']}/credentials"
    trade.shop.put(1)
    trade.visit()
    trade.shop.key = "the-next-key-7777"
    trade.wait_and_visit()
    paused = trade.get(made["id"])
    assert paused["state"] == "PAUSED"
    refused = trade.client.post(path, {"credentials": {"apiKey": "not-it-either"}})
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
    assert refused.json()["message"] == (
        "the shop does not accept these credentials; those before stay: "
        "the key is not accepted. Make another key."
    )
    (violation,) = refused.json()["details"][0]["violations"]
    assert (violation["type"], violation["subject"]) == ("credentials", made["id"])
    assert trade.get(made["id"]) == paused
    missing = trade.client.post(path, {"credentials": {"apikey": "x"}})
    fields = [one["field"] for one in missing.json()["details"][0]["fieldViolations"]]
    assert fields == ["credentials.apikey", "credentials.apiKey"]
    resumed = trade.client.post(path, {"credentials": {"apiKey": "the-next-key-7777"}}).json()
    assert (resumed["state"], "lastFailure" in resumed) == ("ACTIVE", False)
    assert resumed["credentials"] == {"apiKey": "****7777", "hookSecret": "****4567"}
    trade.shop.put(2)
    trade.wait_and_visit()
    assert trade.order_ids() == ["1", "2"]
    assert hook(trade, made["id"], b"{}").status_code == 200
    stranger = trade.world.stranger.post(path, {"credentials": {"apiKey": "x"}})
    assert stranger.status_code == 404


def test_credentials_stay_while_the_shop_cannot_be_asked(trade: Trade) -> None:
    made = trade.connect()
    trade.shop.reading_troubles = []
    trade.shop.checking_troubles = [Busy("503", "the shop is away")]
    path = f"/storefronts/{made['id']}/credentials"
    answer = trade.client.post(
        path, {"credentials": {"apiKey": "paper-key-0123", "hookSecret": ""}}
    )
    assert (answer.status_code, answer.json()["code"]) == (400, 9)
    assert "cannot be asked now; those before stay: the shop is away" in answer.json()["message"]
    assert trade.get(made["id"]) == made


def replace_key(trade: Trade, id_: str, key: str) -> None:
    answer = trade.client.post(f"/storefronts/{id_}/credentials", {"credentials": {"apiKey": key}})
    assert answer.status_code == 200, answer.text


def change_key(trade: Trade, id_: str, key: str) -> None:
    body = {"storefront": {"credentials": {"apiKey": key}}, "updateMask": "credentials"}
    answer = trade.client.send("PATCH", f"/storefronts/{id_}", json=body)
    assert answer.status_code == 200, answer.text


@pytest.mark.both_databases
@pytest.mark.parametrize("rotate", [replace_key, change_key])
def test_a_visit_with_the_credentials_of_before_does_not_pause_the_shop(
    trade: Trade, rotate: Callable[[Trade, str, str], None]
) -> None:
    made = trade.connect()
    trade.shop.put(1)
    refused: list[str] = []

    def revoke_while_reading() -> None:
        trade.shop.before_reading = lambda: None
        trade.shop.key = "the-next-key-7777"
        rotate(trade, made["id"], trade.shop.key)
        refused.append("the visit that goes on has the key of before")

    trade.shop.before_reading = revoke_while_reading
    trade.visit()
    assert refused
    shown = trade.get(made["id"])
    assert (shown["state"], "lastFailure" in shown) == ("ACTIVE", False)
    # The next visit, with the new key, has followed at once.
    assert trade.order_ids() == ["1"]


def test_credentials_are_not_taken_for_an_address_that_was_changed_meanwhile(trade: Trade) -> None:
    made = trade.connect()
    body = {"storefront": {"address": f"{made['address']}/shop"}, "updateMask": "address"}

    def move() -> None:
        answer = trade.client.send("PATCH", f"/storefronts/{made['id']}", json=body)
        assert answer.status_code == 200, answer.text

    trade.shop.key = "the-next-key-7777"
    trade.shop.before_check = move
    path = f"/storefronts/{made['id']}/credentials"
    answer = trade.client.post(path, {"credentials": {"apiKey": "the-next-key-7777"}})
    assert (answer.status_code, answer.json()["code"]) == (400, 9)
    assert "was changed while its shop was asked" in answer.json()["message"]
    kept = trade.get(made["id"])
    assert kept == {**made, "address": f"{made['address']}/shop"}


def test_credentials_are_shown_to_no_other_host_than_the_one_they_were_given_for(
    trade: Trade,
) -> None:
    made = trade.connect()

    def move(**changes: Any) -> Any:
        changed = {"address": "http://127.0.0.1:8", **changes}
        body = {"storefront": changed, "updateMask": ",".join(changed)}
        return trade.client.send("PATCH", f"/storefronts/{made['id']}", json=body)

    for changes in ({}, {"credentials": made["credentials"]}):
        answer = move(**changes)
        assert (answer.status_code, answer.json()["code"]) == (400, 3)
        assert "storefront.credentials must be given anew" in answer.json()["message"]
    assert trade.get(made["id"]) == made
    answer = move(credentials={"apiKey": "the-next-key-7777"})
    assert answer.status_code == 200, answer.text


def test_an_operator_sees_what_is_read_and_told_by_platform(trade: Trade) -> None:
    def value(metric: str, **labels: str) -> float:
        labels = {"platform": "medusa", **labels}
        return REGISTRY.get_sample_value(f"roundsman_storefront{metric}", labels) or 0.0

    def attempts(outcome: str) -> float:
        return value("_report_attempts_total", outcome=outcome)

    read = value("_orders_total", outcome="changed"), value("_orders_total", outcome="same")
    sent, refused = attempts("reported"), attempts("refused")
    trade.connect()
    trade.shop.put(1)
    trade.visit()
    trade.wait_and_visit()
    assert value("_orders_total", outcome="changed") == read[0] + 1
    assert value("_orders_total", outcome="same") > read[1]
    device = trade.dispatch("1")
    trade.shop.troubles = [Refused("GONE", "the order is gone")]
    device.done("ROUTE_STARTED")
    trade.visit()
    (stop,) = trade.stops(device)
    device.done("STOP_DELIVERED", stopId=stop)
    count_backlog(trade.world.tools)
    assert value("_reports", state="waiting") == value("_reports", state="failed") == 1
    trade.visit()
    trade.world.clock.advance(seconds=90)
    count_backlog(trade.world.tools)
    assert attempts("refused") == refused + 1
    assert attempts("reported") == sent + 1
    assert (value("_reports", state="waiting"), value("_reports", state="failed")) == (0, 1)
    assert value("s", state="active") == 1
    assert value("s", state="paused") == 0
    assert value("_visit_age_seconds") == 90


@pytest.mark.spec("decisions §20")
@pytest.mark.both_databases
def test_orders_are_listed_with_what_has_become_of_them(trade: Trade) -> None:
    made = trade.connect()
    trade.connect(address="http://127.0.0.1:8", prefix="B")
    for number in (1, 2):
        trade.shop.put(number)
    trade.other.put(3)
    trade.visit()
    device = trade.dispatch("1")
    device.done("ROUTE_STARTED")
    trade.shop.troubles = [Refused("GONE", "the order is gone")]
    trade.visit()
    asked = f"?query.connectionId={made['id']}&query.newestFirst=true&query.progress=true"
    page = trade.client.get(f"/store-orders{asked}&query.limit=1").json()
    assert [one["id"] for one in page["storeOrders"]] == ["2"]
    assert page["progress"] == [{"storeOrderId": "2", "stops": [], "reports": []}]
    page = trade.client.get(f"/store-orders?cursor={page['nextCursor']}").json()
    assert [one["id"] for one in page["storeOrders"]] == ["1"]
    (progress,) = page["progress"]
    (stop,) = trade.stops(device)
    assert progress["stops"] == [
        {
            "routeId": device.route_id,
            "routeName": trade.client.get(f"/routes/{device.route_id}").json()["name"],
            "isArchived": False,
            "stopId": stop,
            "index": 0,
            "deliveryStatus": "OUT_FOR_DELIVERY",
            "isElsewhere": False,
            "isAtAnotherTime": False,
        }
    ]
    (report,) = progress["reports"]
    assert (report["step"], report["status"]) == ("OUT_FOR_DELIVERY", "FAILED")
    assert report["lastFailure"]["message"] == "the order is gone"
    assert trade.client.get("/store-orders/1/progress").json() == progress
    assert trade.world.stranger.get("/store-orders/1/progress").status_code == 404
    untold = trade.orders("?query.failedReports=true")
    assert [one["id"] for one in untold] == ["1"]
    assert [one["id"] for one in trade.orders("?query.routed=true")] == ["1"]
    assert "progress" not in trade.client.get("/store-orders").json()


def test_a_page_that_says_what_has_become_of_orders_has_at_most_fifty(trade: Trade) -> None:
    too_long = trade.client.get("/store-orders?query.progress=true&query.limit=51")
    assert (too_long.status_code, too_long.json()["code"]) == (400, 3)
    (violation,) = too_long.json()["details"][0]["fieldViolations"]
    assert violation == {
        "field": "query.limit",
        "description": "must be at most 50 beside progress, not 51",
    }
    longest = trade.client.get("/store-orders?query.progress=true&query.limit=50")
    assert longest.json()["progress"] == []
    assert trade.client.get("/store-orders?query.limit=51").status_code == 200


@pytest.mark.both_databases
def test_owners_are_written_to_once_when_a_shop_refuses_the_credentials(
    trade: Trade, world: World
) -> None:
    join(world)
    made = trade.connect()
    trade.shop.put(1)
    with open_post_office() as office:
        server = MailServer.parse(f"smtp://127.0.0.1:{office.port}")
        mail = Mail(server=server, sender="post@example.com", certificates=None)  # type: ignore[arg-type]  # not asked on this machine
        trade.world.tools = replace(trade.world.tools, mail=mail)
        trade.visit()
        trade.shop.key = "another-key-1"
        for _ in range(3):
            trade.wait_and_visit()
        assert trade.get(made["id"])["state"] == "PAUSED"
        for job in claim_jobs(trade.world.tools, "worker", LEASE, room=9):
            run_job(trade.world.tools, KINDS, job)
        (letter,) = office.letters
    assert letter["To"] == EMAIL
    body = letter.get_body(("plain",))
    assert body is not None
    text = " ".join(body.get_content().split())
    assert "the shop at 127.0.0.1 does not accept its credentials any more" in text
    assert f"roundsman storefront credentials {made['id']}" in text
    assert "paper-key" not in letter.as_string()


def test_a_shop_that_asks_for_time_is_left_alone_for_so_long(trade: Trade) -> None:
    made = trade.connect()
    trade.shop.reading_troubles = [Busy("429", "too many requests", 300)]
    trade.visit()
    assert trade.get(made["id"])["lastFailure"]["code"] == "429"
    assert trade.get(made["id"])["state"] == "ACTIVE"
    trade.shop.put(1)
    hook(trade, made["id"], b"{}")
    trade.wait_and_visit(seconds=299)
    assert trade.order_ids() == []
    trade.wait_and_visit(seconds=1)
    assert trade.order_ids() == ["1"]
    assert "lastFailure" not in trade.get(made["id"])


@pytest.mark.spec("decisions §20")
@pytest.mark.both_databases
def test_a_report_whose_answer_was_lost_has_no_second_effect(trade: Trade) -> None:
    trade.connect()
    trade.shop.put(1)
    trade.visit()
    device = trade.dispatch("1")
    device.done("ROUTE_STARTED")

    def die() -> None:
        raise KeyboardInterrupt

    trade.shop.after_report = die
    with pytest.raises(KeyboardInterrupt):
        trade.visit()
    assert trade.shop.steps() == [("id-1", "OUT_FOR_DELIVERY")]
    trade.shop.after_report = lambda: None
    # The claim of the dead one ends by itself, and the attempt counts as made.
    trade.wait_and_visit()
    assert trade.shop.steps() == [("id-1", "OUT_FOR_DELIVERY")]
    assert trade.shop.reports == 2


def test_a_check_shows_what_works_and_ten_orders_as_they_would_arrive(trade: Trade) -> None:
    made = trade.connect(prefix="F")
    trade.shop.page_size = 50
    for number in range(1, 13):
        trade.shop.put(number)
    trade.shop.put(13, is_wanted=False, remarks=('Day: "soon" is no day that can be read',))
    checked = trade.client.send("POST", f"/storefronts/{made['id']}/check").json()
    assert checked["isGood"]
    assert checked["findings"][0]["subject"] == "credentials"
    shown = checked["storeOrders"]
    assert len(shown) == 10
    assert (shown[0]["storeOrder"]["id"], shown[0]["isWanted"]) == ("F-13", False)
    assert shown[0]["storeOrder"]["state"] == "ON_HOLD"
    assert shown[0]["storeOrder"]["remarks"] == ['Day: "soon" is no day that can be read']
    assert shown[1]["isWanted"]
    assert trade.world.count("store_orders") == 0
    trade.shop.key = "another-key-1"
    checked = trade.client.send("POST", f"/storefronts/{made['id']}/check").json()
    assert (checked["isGood"], checked["storeOrders"]) == (False, [])


def test_a_paused_shop_is_left_alone(trade: Trade) -> None:
    made = trade.connect()
    paused = trade.client.send("POST", f"/storefronts/{made['id']}/pause").json()
    assert paused["state"] == "PAUSED"
    trade.shop.put(1)
    trade.wait_and_visit()
    assert trade.order_ids() == []
    trade.client.send("POST", f"/storefronts/{made['id']}/resume")
    trade.visit()
    assert trade.order_ids() == ["1"]


@pytest.mark.both_databases
def test_everything_is_read_again_when_that_is_asked_for(trade: Trade) -> None:
    made = trade.connect()
    trade.shop.put(1)
    trade.shop.put(2)
    trade.visit()
    trade.shop.now += timedelta(hours=1)
    trade.shop.put(3)
    trade.wait_and_visit()
    trade.shop.put_silently(1, tags=("changed",))
    path = f"/storefronts/{made['id']}/sync"
    assert trade.client.send("POST", path).status_code == 200
    trade.visit()
    assert trade.client.get("/store-orders/1").json()["tags"] == []
    assert trade.client.post(path, {"full": True}).status_code == 200
    trade.visit()
    assert trade.client.get("/store-orders/1").json()["tags"] == ["changed"]


@pytest.mark.both_databases
def test_who_disconnects_keeps_what_is_on_routes_and_finds_it_again(trade: Trade) -> None:
    made = trade.connect()
    trade.shop.put(1)
    trade.shop.put(2)
    trade.visit()
    device = trade.dispatch("1")
    device.done("ROUTE_STARTED")
    assert trade.client.send("DELETE", f"/storefronts/{made['id']}").json() == {}
    assert trade.client.get(f"/storefronts/{made['id']}").status_code == 404
    assert trade.order_ids() == ["1"]
    assert trade.world.count("storefront_reports") == 0
    (stop,) = trade.stops(device)
    device.done("STOP_DELIVERED", stopId=stop)
    again = trade.connect()
    trade.visit()
    assert trade.order_ids() == ["1", "2"]
    assert trade.client.get("/store-orders/1").json()["connectionId"] == again["id"]
    assert trade.shop.steps() == []


def test_an_order_that_stays_names_no_connection_that_is_gone(trade: Trade) -> None:
    made = trade.connect()
    trade.shop.put(1)
    trade.shop.put(2)
    trade.visit()
    trade.dispatch("1", "2")
    assert trade.client.send("DELETE", f"/storefronts/{made['id']}").status_code == 200
    assert [one["connectionId"] for one in trade.orders()] == ["", ""]
    again = trade.connect()
    trade.shop.put(1, is_wanted=False)  # it is held by now
    trade.visit()
    order = trade.client.get("/store-orders/1").json()
    assert (order["state"], order["connectionId"]) == ("ON_HOLD", again["id"])


def test_nobody_waits_while_the_name_of_a_shop_is_looked_up(
    trade: Trade, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = trade.connect()
    meanwhile: list[int] = []

    def look_up(_host: str) -> list[IPv4Address]:
        stranger = trade.world.stranger
        with ThreadPoolExecutor(1) as others:
            change = others.submit(stranger.post, "/vehicles", {"name": "Van"})
            meanwhile.append(change.result().status_code)
        return [IPv4Address("127.0.0.1")]

    monkeypatch.setattr(trade.world.tools.address_guard.resolver, "resolve", look_up)
    moved = {"address": "http://shop.example.com", "credentials": {"apiKey": "the-next-key-7777"}}
    body = {"storefront": moved, "updateMask": "address,credentials"}
    answer = trade.client.send("PATCH", f"/storefronts/{made['id']}", json=body)
    assert (answer.status_code, meanwhile) == (200, [200])
    assert answer.json()["address"] == moved["address"]


@pytest.mark.parametrize("address", [SHOP, f"{SHOP}/", " HTTP://127.0.0.1:9"])
def test_a_shop_is_connected_once(trade: Trade, address: str) -> None:
    made = trade.connect(label="Farm")
    twice = {**MEDUSA, "address": address, "prefix": "B"}
    refused = trade.client.post("/storefronts", twice)
    assert (refused.status_code, refused.json()["code"]) == (400, 9)
    (violation,) = refused.json()["details"][0]["violations"]
    assert (violation["type"], violation["subject"]) == ("address", made["id"])
    assert violation["description"] == (
        f'address: this shop is connected already, as "Farm" ({made["id"]})'
    )
    other = trade.connect(address="http://127.0.0.1:8", prefix="B")
    moved = {"storefront": {"address": address, "credentials": MEDUSA["credentials"]}}
    path = f"/storefronts/{other['id']}"
    body = {**moved, "updateMask": "address,credentials"}
    refused = trade.client.send("PATCH", path, json=body)
    assert refused.json()["code"] == 9
    assert trade.get(other["id"])["address"] == "http://127.0.0.1:8"
    assert len(trade.client.get("/storefronts").json()["storefronts"]) == 2
    assert trade.client.send("DELETE", f"/storefronts/{made['id']}").status_code == 200
    trade.connect(prefix="C")


def test_addresses_of_one_shop_are_the_same() -> None:
    woo, shopify = StorefrontPlatform.WOOCOMMERCE, StorefrontPlatform.SHOPIFY
    same = {shop_key(woo, one) for one in ("https://A.test/shop/", "a.test:443/shop")}
    assert len(same) == 1
    assert shop_key(woo, "a.test/other") not in same
    assert shop_key(woo, "https://a.test:8443/shop") not in same
    assert shop_key(shopify, "a.myshopify.com/admin") == shop_key(shopify, "a.myshopify.com")
    vendure = StorefrontPlatform.VENDURE
    assert shop_key(vendure, "a.test/admin-api") == shop_key(vendure, "a.test")


def test_hooks_are_asked_for_once_a_day_where_the_shop_can_reach_us(trade: Trade) -> None:
    made = trade.connect()
    trade.visit()
    trade.wait_and_visit()
    ((url, secret),) = trade.shop.hooks
    assert url.endswith(f"/api/2024-07/storefronts/{made['id']}/hooks")
    assert secret == SECRET
    trade.wait_and_visit(days=1)
    assert len(trade.shop.hooks) == 2


def test_a_visit_that_another_worker_took_over_notes_no_hooks(trade: Trade) -> None:
    def take_over() -> None:
        with trade.world.tools.database.writing() as tx:
            tx.exec_driver_sql("UPDATE storefronts SET claimed_by = 'another'")

    trade.connect()
    trade.shop.after_subscribing = take_over
    trade.visit()
    trade.shop.after_subscribing = lambda: None
    trade.wait_and_visit(hours=1)
    assert len(trade.shop.hooks) == 2


def test_what_goes_wrong_here_is_no_end_of_visits(trade: Trade) -> None:
    made = trade.connect()
    trade.shop.reading_troubles = [KeyError("a bug")]
    trade.visit()
    failed = trade.get(made["id"])
    assert (failed["state"], failed["lastFailure"]["code"]) == ("ACTIVE", "INTERNAL")
    trade.shop.put(1)
    trade.wait_and_visit()
    assert trade.order_ids() == ["1"]


def test_items_of_a_stop_are_those_that_it_had(trade: Trade) -> None:
    trade.connect()
    trade.shop.put(1)
    trade.visit()
    device = trade.dispatch("1")
    device.done("ROUTE_STARTED")
    trade.shop.troubles = [Busy("503", "away")]
    trade.visit()
    trade.client.send("DELETE", f"/routes/{device.route_id}")
    trade.wait_and_visit(seconds=15)
    ((_, report),) = trade.shop.told
    assert [(one.name, one.quantity) for one in report.items] == [("Veg box", 2)]
    assert report.tracking_url == ""


FRAGILE = {"subject": "TAG", "name": "fragile", "priority": 8, "duration": "600s",
           "requiredSkills": ["two people"]}  # fmt: skip
NO_MAIL = {"subject": "DELIVERY_METHOD", "name": "Parcel post", "isLeft": True}


def rule_on_attribute(name: str) -> dict[str, Any]:
    return {**FRAGILE, "subject": "ATTRIBUTE", "name": name}


@pytest.mark.spec("decisions §20")
@pytest.mark.both_databases
def test_rules_give_stops_what_they_say_and_leave_orders_in_their_shop(trade: Trade) -> None:
    made = trade.connect(settings={"orderRules": [rule_on_attribute("fragile"), NO_MAIL]})
    assert made["settings"]["orderRules"][0]["duration"] == "600s"
    trade.shop.put(1, attributes=(Attribute(key="Fragile", value="yes"),))
    trade.shop.put(2)
    trade.shop.put(3, delivery_methods=("parcel-post",))
    trade.visit()
    assert trade.order_ids() == ["1", "2"]
    found = trade.client.get("/store-orders/1").json()
    assert (found["priority"], found["duration"]) == (8, "600s")
    assert found["requiredSkills"] == ["two people"]
    device = trade.dispatch("1", "2")
    stops = trade.client.get(f"/routes/{device.route_id}").json()["stops"]
    assert [(one["priority"], one.get("duration")) for one in stops] == [(8, "600s"), (0, None)]


def test_other_rules_are_applied_to_what_is_here_already(trade: Trade) -> None:
    made = trade.connect()
    trade.shop.put(1, attributes=(Attribute(key="fragile", value="yes"),))
    trade.shop.put(2, delivery_methods=("Parcel post",))
    trade.visit()
    assert trade.order_ids() == ["1", "2"]
    change = {"settings": {"orderRules": [rule_on_attribute("fragile"), NO_MAIL]}}
    path = f"/storefronts/{made['id']}"
    answer = trade.client.send("PATCH", path, json={"storefront": change, "updateMask": "settings"})
    assert answer.status_code == 200, answer.text
    trade.wait_and_visit()
    assert trade.client.get("/store-orders/1").json()["priority"] == 8
    left = trade.client.get("/store-orders/2").json()
    assert left["state"] == "ON_HOLD"
    assert left["remarks"] == ['left in the shop by the rule for delivery method "Parcel post"']
    check = trade.client.post(f"{path}/check", {}).json()
    shown = {one["storeOrder"]["id"]: one["isWanted"] for one in check["storeOrders"]}
    assert shown == {"1": True, "2": False}
    trade.client.send(
        "PATCH", path, json={"storefront": {"settings": {}}, "updateMask": "settings"}
    )
    trade.wait_and_visit()
    assert trade.client.get("/store-orders/1").json()["priority"] == 0
    assert trade.client.get("/store-orders/2").json()["state"] == "OPEN"


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"orderRules": [{"subject": "ATTRIBUTE", "name": "a"}]}, "orderRules[0].isLeft"),
        ({"orderRules": [{**FRAGILE, "name": " "}]}, "orderRules[0].name"),
        ({"orderRules": [{**FRAGILE, "value": "x"}]}, "orderRules[0].value"),
        ({"orderRules": [rule_on_attribute("a"), FRAGILE]}, "orderRules[1].subject"),
        ({"orderRules": [{**rule_on_attribute("a"), "type": "BREAK"}]}, "orderRules[0].type"),
        ({"orderRules": [rule_on_attribute("-_ ")]}, "orderRules[0].name"),
        ({"orderRules": [{**FRAGILE, "subject": "LOCATION"}]}, "orderRules[0].subject"),
        ({"orderFields": ["WEATHER"]}, "orderFields[0]"),
        ({"deliveredTag": "arrived"}, "deliveredTag"),
        ({"deliveredTag": "here, there"}, "deliveredTag"),
    ],
)
def test_settings_that_a_shop_cannot_have_are_refused_by_their_field(
    trade: Trade, settings: Any, field: str
) -> None:
    answer = trade.client.post("/storefronts", {**MEDUSA, "settings": settings})
    assert answer.status_code == 400, answer.text
    found = [one["field"] for one in answer.json()["details"][0]["fieldViolations"]]
    assert found == [f"settings.{field}"]
    assert trade.world.count("storefronts") == 0


ALL_FIELDS = ["ROUTE", "STOP_NUMBER", "ARRIVAL", "DRIVER", "STATUS", "TRACKING_URL"]


@pytest.mark.spec("decisions §20")
@pytest.mark.both_databases
def test_what_was_chosen_is_written_into_the_order_with_each_report(trade: Trade) -> None:
    made = trade.connect(
        platform="SHOPIFY",
        credentials={"accessToken": "paper-key-0123"},
        settings={
            "orderFields": ALL_FIELDS,
            "outForDeliveryTag": "out",
            "deliveredTag": "arrived",
            "attemptedTag": "nobody home",
        },
    )
    live_in(trade.world, "Europe/Berlin")
    trade.shop.put(1)
    trade.shop.put(2)
    trade.visit()
    device = trade.dispatch("1", "2")
    route = trade.client.get(f"/routes/{device.route_id}").json()
    _, two = trade.stops(device)
    device.done("ROUTE_STARTED")
    trade.visit()
    order_id, out = trade.shop.annotations[1]
    assert order_id == "id-2"
    assert list(out.fields) == [OrderField(name) for name in ALL_FIELDS]
    assert (out.fields[OrderField.ROUTE], out.fields[OrderField.STOP_NUMBER]) == (
        route["name"],
        "2",
    )
    assert out.fields[OrderField.STATUS] == "OUT_FOR_DELIVERY"
    assert out.fields[OrderField.DRIVER]
    assert out.fields[OrderField.TRACKING_URL] == trade.shop.told[1][1].tracking_url
    stop = trade.client.get(f"/routes/{device.route_id}").json()["stops"][1]
    arrival = datetime.fromisoformat(out.fields[OrderField.ARRIVAL])
    known = datetime.fromisoformat(stop["updatedArrival"])
    assert arrival.utcoffset() == timedelta(hours=2), "by the clocks of the organization"
    assert timedelta(0) <= known - arrival < timedelta(minutes=1)
    assert (list(out.tags), list(out.former_tags)) == (["out"], ["arrived", "nobody home"])
    device.done("STOP_DELIVERED", stopId=two)
    trade.visit()
    _, arrived = trade.shop.annotations[2]
    assert arrived.fields[OrderField.STATUS] == "DELIVERED"
    assert (list(arrived.tags), list(arrived.former_tags)) == (["arrived"], ["out", "nobody home"])
    assert trade.get(made["id"])["queue"] == {"waiting": 0, "failed": 0}


def test_a_shop_that_would_not_be_written_into_knows_what_happened_all_the_same(
    trade: Trade,
) -> None:
    made = trade.connect(settings={"orderFields": ["STATUS"]})
    trade.shop.put(1)
    trade.visit()
    device = trade.dispatch("1")
    (stop,) = trade.stops(device)
    trade.shop.annotating_troubles += [
        Unauthorized("ACCESS_DENIED", "write_orders is missing"),
        Busy("429", "too many"),
        Refused("GRAPHQL", "no such field"),
    ]
    device.done("ROUTE_STARTED")
    trade.visit()
    (out,) = trade.reports(made["id"])
    assert out["status"] == "REPORTED"
    assert out["remark"] == "not all was written into the order: write_orders is missing"
    assert trade.get(made["id"])["state"] == "ACTIVE"
    device.done("STOP_DELIVERED", stopId=stop)
    trade.visit()
    assert trade.get(made["id"])["queue"] == {"waiting": 1, "failed": 0}
    trade.wait_and_visit()
    delivered, _ = trade.reports(made["id"])
    assert (delivered["status"], delivered["attempts"]) == ("REPORTED", 2)
    assert delivered["fulfillmentId"]
    assert delivered["remark"] == "not all was written into the order: no such field"
    assert trade.shop.steps() == [("id-1", "OUT_FOR_DELIVERY"), ("id-1", "DELIVERED")]
    assert trade.shop.annotations == []


def test_a_report_that_is_told_late_writes_what_holds_now(trade: Trade) -> None:
    made = trade.connect(
        platform="SHOPIFY",
        credentials={"accessToken": "paper-key-0123"},
        settings={"orderFields": ["STATUS"], "outForDeliveryTag": "out", "deliveredTag": "here"},
    )
    trade.shop.put(1)
    trade.visit()
    device = trade.dispatch("1")
    (stop,) = trade.stops(device)
    trade.shop.troubles.append(Refused("USER_ERROR", "not now"))
    device.done("ROUTE_STARTED")
    trade.visit()
    device.done("STOP_DELIVERED", stopId=stop)
    trade.visit()
    (failed,) = trade.reports(made["id"], "?query.status=FAILED")
    retry = f"/storefronts/{made['id']}/reports/{failed['id']}/retry"
    assert trade.client.post(retry, {}).status_code == 200
    trade.visit()
    assert [one.fields[OrderField.STATUS] for _, one in trade.shop.annotations] == ["DELIVERED"] * 2
    assert [list(one.tags) for _, one in trade.shop.annotations] == [["here"]] * 2


def test_our_own_tags_are_no_change_of_the_shop(trade: Trade) -> None:
    trade.connect(
        platform="SHOPIFY",
        credentials={"accessToken": "paper-key-0123"},
        settings={"outForDeliveryTag": "Out"},
    )
    trade.shop.put(1, tags=("veg",))
    trade.visit()
    corrected = {**trade.client.get("/store-orders/1").json(), "orderNote": "mind the gate"}
    assert trade.client.send("PUT", "/store-orders/1", json=corrected).status_code == 200
    trade.shop.put(1, tags=("veg", "out"))
    trade.wait_and_visit()
    found = trade.client.get("/store-orders/1").json()
    assert (found["tags"], found["orderNote"]) == (["veg"], "mind the gate")


def test_an_upgrade_is_no_change_of_any_order() -> None:
    usual = draft(1, tags=("veg",))
    before = {"type", "priority", "requiredSkills"}
    assert before.isdisjoint(_list_said(usual))
    assert next(iter(_list_said(usual))) == "name"
    assert set(_list_said(draft(1, priority=3, required_skills=("cold",)))) >= {"priority"}
