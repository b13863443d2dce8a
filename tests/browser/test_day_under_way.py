"""The board while drivers are on the road: what was late, what will be, and what was proved."""

import re
from datetime import datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from tests.browser.office import DROVE, Office
from tests.browser.test_board import HOSTILE, LISTED, LOADED
from tests.images.test_decoder_process import with_exif

NINE = {"timeWindows": [{"end": {"hours": 9}}]}
"""Closed long ago when it is driven, and met when it is planned."""
IN_TIME = {**NINE, "deliveryDate": {"year": 2090, "month": 1, "day": 1}}
BEFORE = {"timeWindows": [{"end": {"hours": 7}}]}
"""Closed before the route leaves, so planned late."""
LATE_CELL = "tbody td:last-child"
FAR = {"latitude": 39.9, "longitude": -76.6}

HURRY = """{
  const every = window.setInterval;
  window.minutes = 0;
  window.setInterval = (work, span) => every(() => { window.minutes += 1; work(); }, span / 600);
}"""
"""A clock whose minutes pass in a tenth of a second, and are counted."""
HIDE = "Object.defineProperty(document, 'hidden', { value: VALUE, configurable: true })"

CONTRAST = """(() => {
  const light = (colour) => {
    const parts = colour.match(/[0-9.]+/g).slice(0, 3).map((one) => one / 255);
    const linear = (one) => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4;
    const [red, green, blue] = parts.map(linear);
    return .2126 * red + .7152 * green + .0722 * blue;
  };
  const styleOf = (selector) => getComputedStyle(document.querySelector(selector));
  const pairs = [
    [styleOf(".badge.done").color, styleOf(".badge.done").backgroundColor],
    [styleOf(".marker.done text").fill, styleOf(".marker.done circle").fill],
  ];
  return pairs.map((pair) => pair.map(light).sort((one, other) => other - one))
    .map(([brighter, darker]) => (brighter + .05) / (darker + .05));
})()"""


def clock_of(timestamp: str, zone: str) -> str:
    return f"{datetime.fromisoformat(timestamp).astimezone(ZoneInfo(zone)):%H:%M}"


def listed(office: Office) -> list[str]:
    """Return what the stops of a route say in its list."""
    script = "[...document.querySelectorAll('.stops li')].slice(1).map((one) => one.innerText)"
    said: list[str] = office.page.evaluate(script)
    return said


def show_route(office: Office, id_: str) -> None:
    office.open(f"route/{id_}")
    office.page.wait_for_selector(".map .marker", state="attached")


def show_route_signed_in(office: Office, id_: str) -> None:
    office.open(f"route/{id_}")
    office.sign_in()
    office.page.wait_for_selector(".map .marker", state="attached")


def test_a_board_tells_what_was_late_from_what_will_be(office: Office) -> None:
    page = office.page
    stops: list[dict[str, Any]] = [NINE, IN_TIME, NINE, IN_TIME, NINE]
    phone = office.dispatch("Hours late", *stops)
    served_late, served, tried_late, *_ = office.stop_ids(phone.route_id)
    phone.tell("STOP_DELIVERED", stopId=served_late)
    phone.tell("STOP_DELIVERED", stopId=served)
    phone.tell("STOP_ATTEMPTED", stopId=tried_late, reason="OTHER")
    office.add_route("Planned so", BEFORE, scheduledFor=f"{DROVE}T09:00:00-04:00")
    office.open(f"day/{DROVE}")
    office.sign_in()
    page.wait_for_selector(LOADED)
    cells = page.evaluate(
        f"[...document.querySelectorAll('{LATE_CELL}')].map((one) => one.innerText)"
    )
    assert cells == ["1 planned late", "2 were late, 1 will be late"]
    assert "2 were late, 1 will be late, 1 planned late" in page.inner_text(".sum")
    show_route(office, phone.route_id)
    assert "Late: 2 were late, 1 will be late" in page.inner_text(".aside header")
    first, second, third, fourth, fifth = listed(office)
    assert re.search(r"delivered .* was \d+ h \d\d min late", first)
    assert re.search(r"attempted.* was \d+ h \d\d min late", third)
    assert " late" not in second + fourth
    assert re.search(r"will be \d+ h \d\d min late", fifth)


def test_a_route_ends_where_its_driver_is_last_and_not_at_the_stop_listed_last(
    office: Office,
) -> None:
    phone = office.dispatch("Backwards", {"coordinates": FAR}, {})
    _, last = office.stop_ids(phone.route_id)
    phone.tell("STOP_DELIVERED", stopId=last)
    far, near = office.http.get(f"/routes/{phone.route_id}").json()["stops"]
    assert far["updatedArrival"] > near["updatedArrival"]
    show_route_signed_in(office, phone.route_id)
    expected = clock_of(far["updatedArrival"], "America/New_York")
    assert f"ENDS\n≈ {expected}" in office.page.inner_text(".aside dl")
    office.open(f"day/{DROVE}")
    office.page.wait_for_selector(LISTED)
    expected = clock_of(far["updatedArrival"], "Europe/Berlin")
    assert office.page.inner_text("tbody td:nth-child(7)").startswith(f"≈ {expected}")


def test_a_board_that_is_looked_at_renews_itself(office: Office) -> None:
    page = office.page
    page.add_init_script(HURRY)
    office.add_route("First", {}, scheduledFor=f"{DROVE}T08:00:00-04:00")
    office.open(f"day/{DROVE}")
    office.sign_in()
    page.wait_for_selector(LISTED)
    page.evaluate("document.querySelector('tbody a').focus()")
    office.add_route("Second", {}, scheduledFor=f"{DROVE}T09:00:00-04:00")
    page.wait_for_function("() => document.querySelectorAll('tbody tr').length === 2")
    assert page.evaluate("document.activeElement.textContent") == "First"
    page.evaluate(HIDE.replace("VALUE", "true"))
    asked = "performance.getEntriesByType('resource').length"
    page.wait_for_function("() => window.passed = window.minutes")
    page.wait_for_function("() => window.minutes > window.passed + 2")
    page.evaluate(f"window.before = {asked}")
    page.wait_for_function("() => window.minutes > window.passed + 5")
    assert page.evaluate(f"{asked} === window.before")
    page.evaluate(HIDE.replace("VALUE", "false"))
    page.wait_for_function(f"() => {asked} > window.before")


def test_a_route_that_is_looked_at_renews_itself_and_by_hand(office: Office) -> None:
    page = office.page
    phone = office.dispatch("Busy", {"orderName": "one"}, {"orderName": "two"})
    first, second = office.stop_ids(phone.route_id)
    show_route_signed_in(office, phone.route_id)
    page.click(".stops li:nth-child(2) button")
    page.evaluate("document.querySelector('.stops li:nth-child(2) button').focus()")
    phone.tell("STOP_DELIVERED", stopId=first)
    # A press that leaves the focus where it was, so that the renewal alone could lose it.
    page.dispatch_event(".aside footer button", "click")
    page.wait_for_function("() => document.querySelector('.stops').innerText.includes('delivered')")
    page.wait_for_function("() => document.querySelectorAll('.map .marker.picked').length === 1")
    assert page.evaluate("document.activeElement.dataset.key") == first
    assert "Under way, 1 of 2 done" in page.inner_text(".aside header")
    page.add_init_script(HURRY)
    page.reload()
    page.wait_for_selector(".map .marker", state="attached")
    phone.tell("STOP_ATTEMPTED", stopId=second, reason="OTHER")
    page.wait_for_function("() => document.querySelector('.stops').innerText.includes('attempted')")
    assert "Completed" in page.inner_text(".aside header")


def test_what_is_done_looks_done_and_is_read_so(office: Office) -> None:
    page = office.page
    phone = office.dispatch("Half done", NINE, {}, {})
    first, second, _ = office.stop_ids(phone.route_id)
    phone.tell("STOP_DELIVERED", stopId=first)
    phone.tell("STOP_ATTEMPTED", stopId=second, reason="REFUSED")
    show_route_signed_in(office, phone.route_id)
    badges = "[...document.querySelectorAll('.stops .badge')].map((one) => one.textContent)"
    assert page.evaluate(badges) == ["S", "1 done", "2 done", "3"]
    assert page.evaluate("document.querySelectorAll('.marker.done').length") == 2
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        assert min(page.evaluate(CONTRAST)) >= 4.5


def test_a_done_stop_shows_what_its_driver_left_as_proof(office: Office) -> None:
    page = office.page
    told = [{"note": "Ring twice"}, {"note": HOSTILE}, {}]
    phone = office.dispatch("Proved", *told)
    first, second, _ = office.stop_ids(phone.route_id)
    for kind in ("PHOTO", "PHOTO", "SIGNATURE"):
        phone.tell(kind, stopId=first, uploadId=phone.upload(with_exif(6)))
    phone.tell("PROOF_NOTE", stopId=first, note="with the neighbour")
    phone.tell("STOP_DELIVERED", stopId=first)
    phone.tell("STOP_ATTEMPTED", stopId=second, reason="NO_ACCESS", note="gate shut")
    show_route_signed_in(office, phone.route_id)
    proved, tried, ahead = listed(office)
    assert "Note: Ring twice" in proved
    assert "note: with the neighbour" in proved
    assert "2 photos: open photo 1 open photo 2" in proved
    assert "1 signature: open signature" in proved
    assert f"Note: {HOSTILE}" in tried
    assert "note: gate shut" in tried
    assert "note" not in ahead.lower()
    links = "[...document.querySelectorAll('.proof a')]"
    photos = office.http.get(f"/routes/{phone.route_id}").json()["stops"][0]
    urls = [one["url"] for one in photos["proofOfDeliveryPhotos"]]
    assert page.evaluate(f"{links}.map((one) => one.href)")[:2] == urls
    assert page.evaluate(f"{links}.every((one) => one.relList.contains('noopener'))")
