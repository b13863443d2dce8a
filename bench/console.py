"""Times the console's day with a processor four times slower: `python -m bench.console`.

A day of 50 routes of 200 stops: from opening it to its routes on the screen, from a key to what it
does, from *Board* to the lanes, and the frames while a stop is dragged over the board and while the
map is moved. Nothing is drawn by a graphics card. The server stands back behind the browser, as far
as the two share cores: at a desk it is another machine.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright
from tests.browser.conftest import OPTIONS, find_chromium
from tests.browser.driver_storm import Server
from tests.browser.office import House, Office, open_office
from tests.browser.test_members import accept

from bench.installation import draw_bodies

_DAY = "2030-05-06"
_SLOWER = 4
_ROUNDS = 5
_STEPS = 90
_FRAMES = """() => {
  window.frames_ = [];
  let before = performance.now();
  const note = (at) => {
    window.frames_.push(at - before);
    before = at;
    if (window.frames_) window.noting_ = requestAnimationFrame(note);
  };
  window.noting_ = requestAnimationFrame(note);
}"""
_PAINTED = """(count) => {
  const look = () => {
    const made = document.querySelectorAll(".routes li.route").length;
    if (made < count) return requestAnimationFrame(look);
    const reads = performance.getEntriesByType("resource");
    const read = reads.find((one) => one.name.includes("/days/"));
    requestAnimationFrame((at) => { window.painted_ = [at, at - read.responseEnd]; });
  };
  look();
}"""
_SEEN = "() => { cancelAnimationFrame(window.noting_); return window.frames_.slice(1); }"


def fill(office: Office, routes: int, stops: int) -> None:
    """Make a day of routes."""
    for number in range(routes):
        bodies = draw_bodies(stops, seed=number)
        office.add_route(f"Van {number}", *bodies, scheduledFor=f"{_DAY}T08:00:00Z")


def throttle(page: Page) -> None:
    session: Any = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})


def measure(page: Page, address: str, routes: int) -> None:
    """Print what a planner waits for."""
    _open_day(page, address, routes)
    page.get_by_role("main").wait_for()
    shown = page.get_by_role("region", name="Map")
    _say("the map after that", [_wait(shown.locator("canvas").first)])
    _say_frames("moving the map", _drag(page, shown, by_hand=True))
    page.get_by_role("radio", name="Board").check(force=True)
    lifted = page.get_by_role("group", name="Board").get_by_role("listitem").first
    _say("the board", [_wait(lifted)])
    _say_frames("dragging a stop", _drag(page, lifted, by_hand=False))
    page.get_by_role("radio", name="List").check(force=True)
    _say("the list", [_wait(page.get_by_role("row").nth(1))])


def _open_day(page: Page, address: str, routes: int) -> None:
    painted, listed, keys = [], [], []
    for _ in range(_ROUNDS):
        page.goto("about:blank")
        page.goto(f"{address}/console#/day/{_DAY}", wait_until="commit")
        page.evaluate(_PAINTED, routes)
        page.wait_for_function("() => window.painted_", polling=200)
        whole, after_answer = page.evaluate("window.painted_")
        painted.append(whole / 1_000)
        listed.append(after_answer / 1_000)
        page.wait_for_timeout(1_000)  # the pictures come after the lists
        began = time.perf_counter()
        page.keyboard.press("/")
        page.wait_for_function("() => document.activeElement?.type === 'search'")
        keys.append(time.perf_counter() - began)
        page.keyboard.press("Escape")
    _say("from the address to the routes of the day", painted)
    _say("from the day's answer to that", listed)
    _say("a key after that", keys)


def _wait(what: Any) -> float:
    began = time.perf_counter()
    what.wait_for()
    return time.perf_counter() - began


def _drag(page: Page, what: Any, *, by_hand: bool) -> list[float]:
    box = what.bounding_box()
    assert box is not None
    left, top = box["x"] + (box["width"] / 2 if by_hand else 40), box["y"] + box["height"] / 2
    page.mouse.move(left, top)
    page.mouse.down()
    page.mouse.move(left + 12, top + 12, steps=3)
    page.evaluate(_FRAMES)
    for step in range(_STEPS):
        page.mouse.move(left + 12 + 2 * step, top + 12 + step)
    if not by_hand:  # the frame in which the prices appear is the longest
        page.locator(".route .price").first.wait_for()
        for step in range(_STEPS):
            page.mouse.move(left + 12 + 2 * (_STEPS - step), top + 12 + _STEPS - step)
    frames = page.evaluate(_SEEN)
    page.mouse.up()
    page.keyboard.press("Escape")
    return list(frames)


def _say(what: str, seconds: list[float]) -> None:
    print(f"{what}: {1_000 * statistics.median(seconds):.0f} ms", flush=True)


def _say_frames(what: str, frames: list[float]) -> None:
    ordered = sorted(frames)
    p95 = ordered[int(0.95 * (len(ordered) - 1))] if ordered else float("nan")
    over = sum(one > 50 for one in frames)
    print(
        f"{what}: {len(frames)} frames, median {statistics.median(frames):.1f} ms, p95 {p95:.1f}, "
        f"at most {max(frames):.1f}, {over} over 50",
        flush=True,
    )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="bench.console", description=__doc__)
    parser.add_argument("--routes", type=int, default=50)
    parser.add_argument("--stops", type=int, default=200)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        url = f"sqlite:///{folder}/roundsman.db"
        server = Server(Path(folder), url, niceness=19)
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(OPTIONS))
        office = open_office(House(server.address, url, Path(folder), browser, playwright))
        try:
            fill(office, wanted.routes, wanted.stops)
            accept(office, "planner@example.com")
            office.page.set_viewport_size({"width": 1440, "height": 900})
            throttle(office.page)
            measure(office.page, server.address, wanted.routes)
        finally:
            office.http.close()
            browser.close()
            server.end()


if __name__ == "__main__":
    main()
