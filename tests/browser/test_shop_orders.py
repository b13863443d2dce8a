"""A planner looks at the orders of shops: where each is, what was not read, what its shop knows."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.accessibility import find_faults, require_axe
from tests.browser.driving import Phone, sign_up_driver
from tests.browser.office import DROVE, House, Office
from tests.browser.test_accessibility import SCHEMES
from tests.browser.test_languages import SAID, add_member, reading
from tests.browser.test_members import PASSWORD
from tests.storefronts.test_woocommerce import Shop, order
from tests.storefronts.web_shop import Answer, serve
from tests.support.waiting import wait_until

pytestmark = pytest.mark.spec("decisions §20")

COUNT = 30


class Farm:
    """An organization whose shop has thirty orders, of which two are on the road."""

    def __init__(self, office: Office, shop: Shop, address: str) -> None:
        self.office = office
        self.shop = shop
        credentials = {"consumerKey": "ck", "consumerSecret": "cs"}
        draft = {"platform": "WOOCOMMERCE", "label": "Farm shop", "address": address}
        self.id = office.post("/storefronts", {**draft, "credentials": credentials})["id"]
        wait_until(lambda: self.count() == COUNT)

    def count(self) -> int:
        listed = self.office.http.get("/store-orders?query.limit=100").json()
        return len(listed["storeOrders"])

    def connection(self) -> Any:
        return self.office.http.get(f"/storefronts/{self.id}").json()

    def refuse_credentials(self) -> None:
        """Have the shop know others from now on, and the service find out."""
        self.shop.key = "Basic Y2s6bmV4dA=="
        told = self.office.http.post(f"/storefronts/{self.id}/sync", json={})
        assert told.status_code == 200 or "PAUSED" in told.text  # it had just looked by itself
        wait_until(lambda: self.connection()["state"] == "PAUSED")

    def drive(self, *numbers: int) -> Phone:
        """Return the phone of a driver who has left with these orders."""
        for number in numbers:
            path = f"/store-orders/{number}"
            place = {"latitude": 39.3 + number / 1000, "longitude": -76.6}
            known = self.office.http.get(path).json()
            put = self.office.http.put(path, json={**known, "coordinates": place})
            assert put.status_code == 200, put.text
        phone = sign_up_driver(self.office.address, self.office.http)
        driver = {"driverId": phone.driver_id, "scheduledFor": f"{DROVE}T08:00:00-04:00"}
        phone.route_id = self.office.add_route("Harbour", **driver)
        body = [{"storeOrderId": str(number)} for number in numbers]
        self.office.post(f"/routes/{phone.route_id}/store-orders", body)
        self.office.post(f"/routes/{phone.route_id}/dispatch", {})
        phone.tell("ROUTE_STARTED")
        return phone


@pytest.fixture
def farm(office: Office) -> Iterator[Farm]:
    shop = Shop()
    for number in range(1, COUNT + 1):
        shop.orders[number] = order(number, second=number)
    shop.orders[29] = order(
        29, second=29, meta_data=[{"key": "_delivery_date", "value": "03/04/2026"}]
    )
    shop.orders[28] = order(28, second=28, status="cancelled")
    with serve(shop.answer) as address:
        made = Farm(office, shop, address)
        yield made
        office.http.delete(f"/storefronts/{made.id}")


def show(office: Office, name: str) -> None:
    """Keep a picture where a folder for them is named."""
    folder = os.environ.get("ROUNDSMAN_TEST_PICTURES")
    if folder:
        office.page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def test_orders_are_found_by_number_state_and_shop(farm: Farm) -> None:
    office, page = farm.office, farm.office.page
    phone = farm.drive(30)
    office.open("orders")
    office.sign_in()
    table = page.get_by_role("table", name="Shop orders")
    expect(table.get_by_role("row")).to_have_count(26)
    row = table.get_by_role("row", name="#30")
    expect(row).to_contain_text("Ann Lee")
    expect(row).to_contain_text("Wed, Nov 25, 2026")
    expect(row).to_contain_text("13:00–14:00")  # noqa: RUF001 -- as it is shown
    expect(row).to_contain_text("On a route")
    expect(row.get_by_role("link", name="Harbour, stop 1")).to_have_attribute(
        "href", f"#/route/{phone.route_id}/stop/{office.stop_ids(phone.route_id)[0]}"
    )
    unread = table.get_by_role("row", name="#29")
    expect(unread).to_contain_text("No day")
    expect(unread).to_contain_text("may be two days")
    expect(unread).to_contain_text("Waiting")
    for state, count in (("Cancelled", 1), ("On a route", 1), ("Waiting", 25)):
        page.get_by_role("combobox", name="State", exact=True).select_option(label=state)
        expect(table.get_by_role("row")).to_have_count(count + 1)
    page.get_by_role("combobox", name="State", exact=True).select_option(label="Any state")
    page.get_by_label("Order number, name or phone").fill("#17")
    expect(table.get_by_role("row")).to_have_count(2)
    page.get_by_role("combobox", name="Shop", exact=True).select_option(label="Farm shop")
    expect(table.get_by_role("row", name="#17")).to_be_visible()
    page.get_by_label("Order number, name or phone").fill("nobody")
    expect(page.get_by_text("No order matches.")).to_be_visible()


def test_pages_of_orders_are_turned_by_the_keyboard(farm: Farm) -> None:
    page = farm.office.page
    farm.office.open("orders")
    farm.office.sign_in()
    table = page.get_by_role("table", name="Shop orders")
    expect(table.get_by_role("row")).to_have_count(26)
    following = page.get_by_role("button", name="Next page")
    following.focus()
    page.keyboard.press("Enter")
    expect(table.get_by_role("row")).to_have_count(6)
    expect(page.get_by_text("Page 2", exact=True)).to_be_visible()
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("button", name="Previous page")).to_be_focused()
    page.keyboard.press("Enter")
    expect(table.get_by_role("row")).to_have_count(26)


def test_what_a_shop_was_told_is_shown_and_told_again(farm: Farm) -> None:
    office, page = farm.office, farm.office.page
    farm.shop.troubles = [Answer({"code": "gone", "message": "Not that order"}, 400)]
    phone = farm.drive(30)
    wait_until(lambda: farm.connection()["queue"] == {"waiting": 0, "failed": 1})
    office.open("orders")
    office.sign_in()
    trouble = page.get_by_role("region", name="Farm shop")
    trouble.get_by_role("link", name="1 report was refused").click()
    row = page.get_by_role("table", name="Shop orders").get_by_role("row", name="#30")
    expect(row).to_contain_text("Out for delivery: refused")
    expect(row).to_contain_text("Not that order")
    row.get_by_role("button", name="Tell again").click()
    wait_until(lambda: farm.connection()["queue"] == {"waiting": 0, "failed": 0})
    (stop,) = office.stop_ids(phone.route_id)
    office.open(f"route/{phone.route_id}/stop/{stop}")
    region = page.get_by_role("region", name="Stop Ann Lee")
    expect(region.get_by_role("heading", name="What the shop was told")).to_be_visible()
    expect(region.get_by_text("Out for delivery: told")).to_be_visible()
    phone.tell("STOP_DELIVERED", stopId=stop)
    wait_until(lambda: farm.shop.orders[30]["status"] == "completed")


def test_a_shop_that_refuses_its_credentials_gets_others_where_the_page_says_so(farm: Farm) -> None:
    office, page = farm.office, farm.office.page
    farm.refuse_credentials()
    office.open("orders")
    office.sign_in()
    trouble = page.get_by_role("region", name="Farm shop")
    expect(trouble).to_contain_text("Paused")
    expect(trouble).to_contain_text("Check the credentials")
    trouble.get_by_role("link", name="New credentials").click()
    form = page.get_by_role("form", name="New credentials: Farm shop")
    form.get_by_label("Consumer key").fill("ck")
    form.get_by_label("Consumer secret").fill("wrong")
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("those before stay")
    assert farm.connection()["state"] == "PAUSED"
    form.get_by_label("Consumer secret").fill("next")
    form.get_by_role("button", name="Save").click()
    connected = page.get_by_role("list", name="Storefronts").get_by_role("listitem").first
    expect(connected).to_contain_text("Active")
    office.open("orders")
    expect(page.get_by_role("table", name="Shop orders")).to_be_visible()
    expect(trouble).to_have_count(0)


def test_the_orders_of_shops_have_no_faults_and_fit_a_phone(farm: Farm) -> None:
    require_axe()
    office, page = farm.office, farm.office.page
    farm.shop.troubles = [Answer({"code": "gone", "message": "Not that order"}, 400)]
    phone = farm.drive(30, 27)
    wait_until(lambda: farm.connection()["queue"]["failed"] == 1)
    wait_until(lambda: farm.connection()["queue"]["waiting"] == 0)
    farm.refuse_credentials()
    office.open("orders")
    office.sign_in()
    (stop, _) = office.stop_ids(phone.route_id)
    screens = {
        "orders": "orders",
        "stop": f"route/{phone.route_id}/stop/{stop}",
        "credentials": f"settings/storefronts/{farm.id}",
    }
    headings = {"orders": "Shop orders", "stop": "What the shop was told", "credentials": "Farm"}
    found: list[Any] = []
    for name, address in screens.items():
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 900})
            office.open(address)
            page.get_by_role("heading", name=headings[name]).first.wait_for()
            expect(page.get_by_text("Loading…")).to_have_count(0)
            for scheme in SCHEMES:
                page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
                found += [(name, width, scheme, fault) for fault in find_faults(page)]
                show(office, f"{name}-{width}-{scheme}")
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            found += [(name, width, "wider than the screen", wide)] if wide > 0 else []
    assert found == [], "\n".join(str(one) for one in found)


@pytest.mark.parametrize("language", SAID)
def test_no_language_makes_the_orders_wider_than_a_phone(
    house: House, office: Office, language: str
) -> None:
    draft = {"name": "#1001", "contact": {"firstName": "Bartholomew", "lastName": "Longfellow"}}
    assert office.http.put("/store-orders/1001", json=draft).status_code == 200
    add_member(office, f"orders.{language}@example.com")
    with reading(house, language, width=390) as page:
        page.goto(f"{office.address}/console#/orders")
        page.locator("input[autocomplete=username]").fill(f"orders.{language}@example.com")
        page.get_by_label(SAID[language][1]).fill(PASSWORD)
        page.get_by_role("button", name=SAID[language][0], exact=True).click()
        expect(page.get_by_role("row", name="#1001")).to_be_visible()
        heading = page.get_by_role("heading", level=1).inner_text()
        assert heading != "Shop orders"
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
