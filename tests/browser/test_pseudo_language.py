"""Words half as long again as German ones, in letters with hooks and dots, are cut nowhere."""

import re

import pytest
from playwright.sync_api import Page, Route, expect
from tests.browser.office import House, Office
from tests.browser.test_languages import DAY, SAID, add_member, reading
from tests.browser.test_members import PASSWORD

pytestmark = pytest.mark.spec("doors 4.6")

SCREENS = ("drivers", "vehicles", "orders", "exceptions", "reports", "settings")
LONGER = 1.5
HOOKS = str.maketrans("aeiouAEIOUcnsz", "áéïöüÁÉÏÖÜçñšž")
# Texts that do not fit into an element which shows only a part of them; names of routes may be cut.
CUT = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const style = getComputedStyle(one);
  const hides = style.overflowX === "hidden" || style.overflowX === "clip";
  const hasText = [...one.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
  const isOpen = one.getClientRects().length > 0 && one.clientWidth > 1;
  return hides && hasText && isOpen && one.scrollWidth > one.clientWidth + 1
    && !one.matches(".who, .unseen");
}).map((one) => one.outerHTML.slice(0, 120))"""


def lengthen(words: str) -> str:
    """Return words with hooks and as much again as makes them longer, in words of ten letters."""
    missing = round(len(words) * (LONGER - 1))
    more = " ".join("ẃéîţöñģÿłø"[: min(10, missing - at)] for at in range(0, missing, 10))
    return re.sub(r"\{[^}]*\}|[^{]+", lambda part: _hook(part[0]), words) + f" {more}"


def _hook(part: str) -> str:
    return part if part.startswith("{") else part.translate(HOOKS)


def answer_longer(route: Route) -> None:
    response = route.fetch()
    longer = re.sub(r"`([^`]*)`", lambda one: f"`{lengthen(one[1])}`", response.text())
    route.fulfill(response=response, body=longer)


def assert_whole(page: Page, screen: str) -> None:
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{screen} is {wide} pixels wider than the phone"
    assert page.evaluate(CUT) == [], screen


def test_long_words_are_cut_nowhere_on_a_phone(house: House, office: Office) -> None:
    add_member(office, "pseudo@example.com")
    office.add_route("Harbour", {"orderName": "#1"}, scheduledFor=f"{DAY}T08:00:00Z")
    with reading(house, "de", width=390) as page:
        page.route("**/console/de.js", answer_longer)
        page.goto(f"{office.address}/console#/day/{DAY}")
        expect(page.get_by_role("heading", name=lengthen(SAID["de"][0]))).to_be_visible()
        assert_whole(page, "sign-in")
        page.locator("input[autocomplete=username]").fill("pseudo@example.com")
        page.get_by_label(lengthen(SAID["de"][1])).fill(PASSWORD)
        page.get_by_role("button", name=lengthen(SAID["de"][0]), exact=True).click()
        expect(page.get_by_role("link", name="Harbour").first).to_be_visible()
        for key in "123":
            page.keyboard.press(key)
            assert_whole(page, f"day, layout {key}")
        for key in "nip?":
            page.keyboard.press(key)
            expect(page.get_by_role("dialog")).to_be_visible()
            assert_whole(page, f"dialog of {key}")
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_have_count(0)
        page.locator(".routes .head button").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        assert_whole(page, "dialog of routes that are sent")
        page.keyboard.press("Escape")
        for screen in SCREENS:
            page.goto(f"{office.address}/console#/{screen}")
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            assert_whole(page, screen)
        for tab in page.get_by_role("tab").all():
            tab.click()
            assert_whole(page, f"settings, {tab.inner_text()}")
