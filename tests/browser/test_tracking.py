"""A customer's phone: the page of a delivery in a real browser, with and without its script."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import pytest
from playwright.sync_api import Page
from tests.browser.driving import Phone
from tests.browser.office import House, Office

CONTRAST = """() => {
  const parts = (colour) => (colour.match(/[0-9.]+/g) ?? []).map(Number);
  const light = (colour) => {
    const linear = (one) => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4;
    const [red, green, blue] = parts(colour).slice(0, 3).map((one) => linear(one / 255));
    return .2126 * red + .7152 * green + .0722 * blue;
  };
  const behind = (one) => {
    for (let at = one; at !== null; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (parts(colour)[3] !== 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const shown = [...document.querySelectorAll("body *")].filter((one) =>
    [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== ""));
  return shown.map((one) => {
    const [darker, lighter] = [getComputedStyle(one).color, behind(one)].map(light).sort();
    return [(Math.max(darker, lighter) + .05) / (Math.min(darker, lighter) + .05), one.innerText];
  }).filter(([contrast, text]) => contrast < (text.startsWith("★") ? 3 : 4.5));
}"""
"""Returns the texts that cannot be read well; a star is a picture, of which WCAG asks 3:1."""

HURRY_TIMERS = """{
  const later = window.setTimeout;
  window.setTimeout = (work, span) => later(work, span / 200);
}"""


@contextmanager
def phone_of_customer(house: House, *, with_script: bool = True) -> Iterator[Page]:
    context = house.browser.new_context(
        viewport={"width": 390, "height": 844}, java_script_enabled=with_script
    )
    page = context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on(
        "console",
        lambda said: troubles.append(said.text) if "Content Security" in said.text else None,
    )
    yield page
    assert context.cookies() == []
    context.close()
    assert troubles == []


def link(office: Office, phone: Phone, number: int) -> str:
    stop = office.stop_ids(phone.route_id)[number]
    path = f"/routes/{phone.route_id}/stops/{stop}/tracking-link"
    return str(office.http.get(path).json()["url"])


def set_color(office: Office, color: str) -> None:
    body = {"organization": {"color": color, "phone": "+14105550100"}, "updateMask": "color,phone"}
    assert office.http.patch("/organization", json=body).status_code == 200


@pytest.mark.spec("decisions §16")
def test_a_customer_without_a_script_leaves_a_note_and_rates(house: House, office: Office) -> None:
    phone = office.dispatch("Customers", *({"orderName": f"#{n}"} for n in range(3)))
    with phone_of_customer(house, with_script=False) as page:
        page.goto(link(office, phone, 1))
        page.get_by_role("heading", name="Acme").wait_for()
        page.get_by_text("On the way", exact=True).wait_for()
        page.get_by_text("1 stop before you").wait_for()
        form = page.get_by_role("form", name="Note for the driver")
        form.get_by_role("textbox", name="Note for the driver").fill("Ring twice")
        form.get_by_role("button", name="Send").click()
        page.get_by_text("Your note will be shown to the driver.").wait_for()
        first, second, _ = office.stop_ids(phone.route_id)
        phone.tell("STOP_DELIVERED", stopId=first)
        page.reload()
        page.get_by_text("Next", exact=True).wait_for()
        phone.tell("STOP_DELIVERED", stopId=second)
        page.reload()
        page.get_by_text("Delivered", exact=True).wait_for()
        stars = page.get_by_role("radiogroup", name="Rating")
        assert [stars.get_by_role("radio", name=f"{n} star").count() for n in range(1, 6)] == [
            1
        ] * 5
        stars.get_by_role("radio", name="4 stars").check()
        page.get_by_role("textbox", name="Comment").fill("kind")
        page.get_by_role("button", name="Send rating").click()
        page.get_by_text("Thank you for your rating.").wait_for()
        assert stars.get_by_role("radio", name="4 stars").is_checked()
    stop = office.http.get(f"/routes/{phone.route_id}").json()["stops"][1]
    assert stop["customerNote"]["note"] == "Ring twice"
    assert (stop["customerRating"]["rating"], stop["customerRating"]["comment"]) == (4, "kind")


def test_a_page_with_a_script_renews_itself_and_keeps_what_is_being_written(
    house: House, office: Office
) -> None:
    phone = office.dispatch("Live", {}, {}, {})
    first, second, third = office.stop_ids(phone.route_id)
    with phone_of_customer(house) as page:
        page.add_init_script(HURRY_TIMERS)
        page.goto(link(office, phone, 2))
        page.get_by_role("textbox", name="Note for the driver").fill("half a no")
        phone.tell("STOP_DELIVERED", stopId=first)
        page.get_by_text("1 stop before you").wait_for()
        assert page.get_by_role("textbox", name="Note for the driver").input_value() == "half a no"
        phone.tell("STOP_DELIVERED", stopId=second)
        page.get_by_text("Next", exact=True).wait_for()
        assert page.get_by_role("form", name="Note for the driver").count() == 0
        phone.tell("STOP_DELIVERED", stopId=third)
        page.get_by_role("button", name="Send rating").wait_for()
        assert page.title().startswith("Delivered")
        page.get_by_role("radio", name="5 stars").focus()
        page.keyboard.press("Space")
        page.get_by_role("button", name="Send rating").press("Enter")
        page.get_by_text("Thank you for your rating.").wait_for()


@pytest.mark.parametrize("color", ["#ffee00", "#000000", "#1d4ed8"])
def test_every_text_can_be_read_and_nothing_is_cut_in_light_and_dark(
    house: House, office: Office, color: str
) -> None:
    set_color(office, color)
    phone = office.dispatch("Colours", {"orderName": "A-very-long-order-name-" * 6}, {}, {})
    phone.tell("STOP_ATTEMPTED", stopId=office.stop_ids(phone.route_id)[0], reason="OTHER")
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    with phone_of_customer(house) as page:
        for number in (0, 2):
            page.goto(link(office, phone, number))
            for scheme in schemes:
                page.emulate_media(color_scheme=scheme)
                assert page.evaluate(CONTRAST) == []
            for language in ("de", "pl", "fr"):
                page.set_extra_http_headers({"Accept-Language": language})
                page.reload()
                assert page.evaluate("document.documentElement.scrollWidth") <= 390
            page.set_extra_http_headers({})
