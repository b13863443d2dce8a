"""The driver's app for whoever has set large letters in the browser (doors.md 4.2)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.office import House, Office
from tests.browser.test_driver_app import Handset, sign_up

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
