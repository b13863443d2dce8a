"""The driver's app for whoever has set large letters in the browser (doors.md 4.2)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.office import House, Office
from tests.browser.test_driver_app import Handset, sign_up, start

pytestmark = pytest.mark.spec("doors 4.2")

HALF_AS_LARGE_AGAIN = 24
"""Pixels, of which 16 are usual."""

SAID = {"de": "Alles gesendet", "pl": "Wszystko wysłane"}
_SPEAK = "Object.defineProperty(navigator, 'languages', {get: () => [localStorage.wanted ?? 'en']})"
_RESIZE = "(pixels) => { document.documentElement.style.fontSize = `${pixels}px`; }"
_SPLIT_WORDS = """(status) => {
  const text = [...status.childNodes].find((one) => one.nodeType === Node.TEXT_NODE);
  return [...text.data.matchAll(/\\S+/g)].filter((word) => {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
  }).map(([word]) => word);
}"""


@pytest.fixture
def large(house: House, tmp_path: Path) -> Iterator[Handset]:
    option = f"--blink-settings=defaultFontSize={HALF_AS_LARGE_AGAIN}"
    phone = Handset(house.playwright, tmp_path / "phone", option)
    yield phone
    phone.close()
    assert phone.troubles == []


def test_large_letters_are_followed_and_the_status_line_keeps_its_words(
    office: Office, large: Handset
) -> None:
    page = large.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.add_init_script(_SPEAK)
    sign_up(office, large)
    for language, words in SAID.items():
        page.evaluate("(wanted) => { localStorage.wanted = wanted; }", language)
        page.reload()
        status = page.get_by_role("status")
        expect(status).to_have_text(words)
        expect(page.locator("html")).to_have_css("font-size", f"{HALF_AS_LARGE_AGAIN * 1.125:g}px")
        for percent in range(100, 201, 10):
            page.evaluate(_RESIZE, percent * 0.18)
            assert status.evaluate(_SPLIT_WORDS) == [], (language, percent)
            box = page.get_by_role("banner").bounding_box()
            assert box is not None
            assert box["height"] < 740 * 0.22, (language, percent)
            assert page.evaluate("document.documentElement.scrollWidth") == 360


LONG_WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
_WIDEST = """(root) => Math.max(...[root, ...root.querySelectorAll("*")].map((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return Math.max(range.getBoundingClientRect().right, 390 - range.getBoundingClientRect().left);
}))"""


def test_long_names_stay_on_the_screen_and_a_task_has_its_width(
    office: Office, large: Handset
) -> None:
    page = large.page
    driver_id = sign_up(office, large)
    stop = {
        "coordinates": {"latitude": 50.08, "longitude": 10.02},
        "tasks": [{"title": "Proof of age checked", "type": "TEXT_INPUT"}],
    }
    names = [f"{LONG_WORD}{number}" for number in (1, 2, 3)]
    route = office.add_route(
        "Van 1", *({**stop, "orderName": name} for name in names), driverId=driver_id
    )
    office.post(f"/routes/{route}/dispatch", {})
    page.get_by_role("link", name="Van 1").click()
    start(page)
    page.get_by_role("link", name="Next stop").click()
    page.get_by_role("button", name="At the door").click()
    bar = page.locator(".undo")
    expect(bar.get_by_role("button", name="Undo")).to_be_visible()
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    for pixels in (18, 36):
        page.evaluate(_RESIZE, pixels)
        assert page.evaluate("document.documentElement.scrollWidth") == 390, pixels
        assert bar.evaluate(_WIDEST) <= 390, pixels
        assert page.get_by_role("button", name="All 3 at this door").evaluate(_WIDEST) <= 390
        field = page.get_by_role("textbox", name="Proof of age checked").bounding_box()
        assert field is not None
        assert field["width"] > 300, pixels
