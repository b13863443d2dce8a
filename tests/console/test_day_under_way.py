"""The board while drivers are on the road: what was late, what will be, and what was proved."""

import re
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from tests.console.test_board import DROVE, HOSTILE, LOADED, Office, house, office
from tests.images.test_reencoding import with_exif

__all__ = ["house", "office"]

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
    said: list[str] = office.page.run(script)
    return said


def show_route(office: Office, id_: str) -> None:
    office.open(f"route/{id_}")
    office.page.wait_for("document.querySelector('.map .marker')")


def show_route_signed_in(office: Office, id_: str) -> None:
    office.open(f"route/{id_}")
    office.sign_in()
    office.page.wait_for("document.querySelector('.map .marker')")


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
    page.wait_for(LOADED)
    cells = page.run(f"[...document.querySelectorAll('{LATE_CELL}')].map((one) => one.innerText)")
    assert cells == ["1 planned late", "2 were late, 1 will be late"]
    assert "2 were late, 1 will be late, 1 planned late" in page.text(".sum")
    show_route(office, phone.route_id)
    assert "Late: 2 were late, 1 will be late" in page.text(".aside header")
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
    assert f"ENDS\n≈ {expected}" in office.page.text(".aside dl")
    office.open(f"day/{DROVE}")
    office.page.wait_for(f"{LOADED} && document.querySelector('tbody')")
    expected = clock_of(far["updatedArrival"], "Europe/Berlin")
    assert office.page.text("tbody td:nth-child(7)").startswith(f"≈ {expected}")


def test_a_board_that_is_looked_at_renews_itself(office: Office) -> None:
    page = office.page
    page.ask("Page.addScriptToEvaluateOnNewDocument", source=HURRY)
    office.add_route("First", {}, scheduledFor=f"{DROVE}T08:00:00-04:00")
    office.open(f"day/{DROVE}")
    office.sign_in()
    page.wait_for(f"{LOADED} && document.querySelector('tbody')")
    page.run("document.querySelector('tbody a').focus()")
    office.add_route("Second", {}, scheduledFor=f"{DROVE}T09:00:00-04:00")
    page.wait_for("document.querySelectorAll('tbody tr').length === 2")
    assert page.run("document.activeElement.textContent") == "First"
    page.run(HIDE.replace("VALUE", "true"))
    asked = "performance.getEntriesByType('resource').length"
    page.wait_for("window.passed = window.minutes")
    page.wait_for("window.minutes > window.passed + 2")
    page.run(f"window.before = {asked}")
    page.wait_for("window.minutes > window.passed + 5")
    assert page.run(f"{asked} === window.before")
    page.run(HIDE.replace("VALUE", "false"))
    page.wait_for(f"{asked} > window.before")


def test_a_route_that_is_looked_at_renews_itself_and_by_hand(office: Office) -> None:
    page = office.page
    phone = office.dispatch("Busy", {"orderName": "one"}, {"orderName": "two"})
    first, second = office.stop_ids(phone.route_id)
    show_route_signed_in(office, phone.route_id)
    page.press(".stops li:nth-child(2) button")
    page.run("document.querySelector('.stops li:nth-child(2) button').focus()")
    phone.tell("STOP_DELIVERED", stopId=first)
    page.press(".aside footer button")
    page.wait_for("document.querySelector('.stops').innerText.includes('delivered')")
    page.wait_for("document.querySelectorAll('.map .marker.picked').length === 1")
    assert page.run("document.activeElement.dataset.key") == first
    assert "Under way, 1 of 2 done" in page.text(".aside header")
    page.ask("Page.addScriptToEvaluateOnNewDocument", source=HURRY)
    page.reload()
    page.wait_for("document.querySelector('.map .marker')")
    phone.tell("STOP_ATTEMPTED", stopId=second, reason="OTHER")
    page.wait_for("document.querySelector('.stops').innerText.includes('attempted')")
    assert "Completed" in page.text(".aside header")


def test_what_is_done_looks_done_and_is_read_so(office: Office) -> None:
    page = office.page
    phone = office.dispatch("Half done", NINE, {}, {})
    first, second, _ = office.stop_ids(phone.route_id)
    phone.tell("STOP_DELIVERED", stopId=first)
    phone.tell("STOP_ATTEMPTED", stopId=second, reason="REFUSED")
    show_route_signed_in(office, phone.route_id)
    badges = "[...document.querySelectorAll('.stops .badge')].map((one) => one.textContent)"
    assert page.run(badges) == ["S", "1 done", "2 done", "3"]
    assert page.run("document.querySelectorAll('.marker.done').length") == 2
    for scheme in ("light", "dark"):
        page.size(width=1200, height=800, scheme=scheme)
        assert min(page.run(CONTRAST)) >= 4.5


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
    assert page.run(f"{links}.map((one) => one.href)")[:2] == urls
    assert page.run(f"{links}.every((one) => one.relList.contains('noopener'))")
