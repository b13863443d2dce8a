"""An owner connects a shop in the settings, and sees its orders as they would arrive."""

import pytest
from playwright.sync_api import expect
from tests.browser.office import Office
from tests.storefronts.test_woocommerce import Shop, order
from tests.storefronts.web_shop import serve

pytestmark = pytest.mark.spec("decisions §20")


def test_an_owner_connects_a_shop_and_sees_its_orders(  # noqa: PLR0915 -- one visit to the settings
    office: Office,
) -> None:
    shop = Shop()
    shop.orders[13] = order(13)
    days = {"_delivery_date": "03/04/2026", "pickup_day": "2026-11-27"}
    meta = [{"key": key, "value": value} for key, value in days.items()]
    shop.orders[14] = order(14, meta_data=meta)
    office.open("settings")
    office.sign_in()
    page = office.page
    page.get_by_role("tab", name="Storefronts").click()
    expect(page.get_by_text("No shop is connected.")).to_be_visible()
    with serve(shop.answer) as address:
        page.get_by_role("combobox", name="Platform").select_option("WOOCOMMERCE")
        page.get_by_role("textbox", name="Address").fill(address)
        page.get_by_label("Consumer key").fill("ck")
        page.get_by_label("Consumer secret").fill("cs")
        page.get_by_role("button", name="Connect a shop").click()
        orders = page.get_by_role("table", name="Ten orders as they would arrive")
        expect(orders.get_by_role("row", name="#13")).to_contain_text("2026-11-25")
        expect(orders.get_by_role("row", name="#14")).to_contain_text("may be two days")
        connected = page.get_by_role("list", name="Storefronts").get_by_role("listitem").first
        expect(connected).to_contain_text("Active")
        page.get_by_role("button", name="Pause", exact=True).click()
        expect(connected).to_contain_text("Paused")
        page.get_by_role("button", name="Resume", exact=True).click()
        expect(connected).to_contain_text("Active")
        (kept,) = office.http.get("/storefronts").json()["storefronts"]
        assert kept["credentials"]["consumerSecret"] == "****"
        page.get_by_role("button", name="How orders are read").click()
        form = page.get_by_role("form", name="How orders are read")
        form.get_by_label("Attribute with the day").fill("pickup_day, _delivery_date")
        form.get_by_label("Status when an order leaves").press_sequentially(" on the road ")
        form.get_by_role("button", name="Save").click()
        expect(orders.get_by_role("row", name="#14")).to_contain_text("2026-11-27")
        expect(orders.get_by_role("row", name="#13")).to_contain_text("2026-11-25")
        (kept,) = office.http.get("/storefronts").json()["storefronts"]
        assert kept["settings"]["deliveryDate"] == ["pickup_day", "_delivery_date"]
        assert kept["settings"]["outForDeliveryStatus"] == "on the road"
        page.get_by_role("button", name="How orders are read").click()
        form.get_by_role("button", name="Add rule").click()
        rule = form.get_by_role("group", name="Rule 1")
        rule.get_by_label("What of them").select_option(label="attribute")
        rule.get_by_label("Its name").fill("pickup day")
        rule.get_by_label("Priority").fill("7")
        rule.get_by_label("Minutes at the stop").press_sequentially("12.5")
        rule.get_by_label("Skills the vehicle needs").fill("cold, two people")
        form.get_by_role("button", name="Add rule").click()
        rule = form.get_by_role("group", name="Rule 2")
        rule.get_by_label("Which orders").select_option(label="Orders without")
        rule.get_by_label("What of them").select_option(label="delivery method")
        rule.get_by_label("Its name").fill("van")
        rule.get_by_label("Leave them in the shop").check()
        form.get_by_role("button", name="Add rule").click()
        expect(
            form.get_by_role("group", name="Rule 3").get_by_label("Which orders")
        ).to_be_focused()
        form.get_by_role("group", name="Rule 3").get_by_label("Its name").fill("nothing")
        form.get_by_role("button", name="Save").click()
        expect(form.get_by_role("group", name="Rule 3")).to_be_visible()  # it says nothing yet
        form.get_by_role("button", name="Remove rule 3").click()
        expect(form.get_by_role("button", name="Add rule")).to_be_focused()
        form.get_by_role("checkbox", name="Route", exact=True).check()
        form.get_by_role("checkbox", name="Driver").check()
        expect(form.get_by_label("Tag when an order leaves")).to_have_count(0)
        form.get_by_role("button", name="Save").click()
        expect(orders.get_by_role("row", name="#13")).to_contain_text(
            "left in the shop by the rule"
        )
        (kept,) = office.http.get("/storefronts").json()["storefronts"]
        first, second = kept["settings"]["orderRules"]
        assert (first["name"], first["priority"], first["duration"], first["requiredSkills"]) == (
            "pickup day",
            7,
            "750s",
            ["cold", "two people"],
        )
        assert (second["subject"], second["isAbsent"], second["isLeft"]) == (
            "DELIVERY_METHOD",
            True,
            True,
        )
        assert kept["settings"]["orderFields"] == ["ROUTE", "DRIVER"]
        page.get_by_role("button", name="How orders are read").click()
        expect(form.get_by_label("Minutes at the stop").first).to_have_value("12.5")
        form.get_by_role("button", name="Save").click()
        page.get_by_role("button", name="Read all orders again").click()
        page.get_by_role("button", name="Disconnect", exact=True).click()
        page.get_by_role("button", name="Forget this shop?").click()
        expect(page.get_by_text("No shop is connected.")).to_be_visible()
