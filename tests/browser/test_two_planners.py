"""Two planners change one day at the same time, each in a browser of their own.

No edit is lost, no stop is lost or doubled, and what was refused is said. On SQLite, and on
PostgreSQL with two processes.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Response, expect, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from tests.browser.conftest import OPTIONS, find_chromium
from tests.browser.office import Office
from tests.browser.test_console import button
from tests.browser.test_failing_servers import press_target
from tests.browser.test_members import PASSWORD
from tests.browser.test_planners_day import house

__all__ = ["house"]

pytestmark = pytest.mark.spec("doors 4.1")

type Json = Any

DAY = "2030-05-06"
ROUTES = ("Harbour", "Hills", "Market")
STOPS = 4
"""Of each route; as many are on none."""

PATIENCE = 60_000
HASTE = 5_000
"""For what may be gone by now: longer than a press takes, or one would be made and not counted."""

CONFLICT = "changed meanwhile"
POOL = ""
"""Where a stop is that is on no route."""


@dataclass
class Edit:
    """A change that was asked for, and what the server said."""

    asked: Json
    status: int
    answer: Json


@dataclass
class Planner:
    """Somebody who presses at random, and what came of it."""

    page: Page
    draw: random.Random
    edits: list[Edit] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    """What the page said where it could not be done."""

    def work(self, presses: int) -> None:
        """Make so many edits, one after the other."""
        while len(self.edits) < presses:
            name = self.draw.choice(("Move", "Move", "Move", "Undo", "Redo"))
            pressed = button(self.page, name)
            try:
                if name == "Move" or not pressed.is_enabled():
                    self.move()
                else:
                    self.press(pressed)
            except PlaywrightTimeout:
                # What is pressed may be gone a moment later, when the page shows what the other
                # did. A dialog that is open by then would cover whatever is pressed next.
                self.page.keyboard.press("Escape")

    def move(self) -> None:
        """Send some stop somewhere by its dialog."""
        stops = button(self.page, "Move to…")
        stops.nth(self.draw.randrange(stops.count())).click(timeout=HASTE)
        dialog = self.page.get_by_role("dialog", name="Move stop")
        alert = self.page.get_by_role("alert")
        expect(dialog.or_(alert).first).to_be_visible()
        expect(dialog.get_by_role("status")).to_have_count(0)  # of the prices
        if dialog.count() == 0:  # there is no such stop by now
            self.listen()
            return
        targets = dialog.get_by_role("listitem").get_by_role("button", disabled=False)
        self.press(targets.nth(self.draw.randrange(targets.count())))

    def press(self, target: Locator) -> None:
        with self.page.expect_response(is_edit, timeout=PATIENCE) as caught:
            target.click(timeout=HASTE)
        response = caught.value
        asked = response.request.post_data_json
        self.edits.append(Edit(asked, response.status, response.json()))
        if response.status != 200:
            self.listen()

    def listen(self) -> None:
        """Note what the page says of what could not be done."""
        alert = self.page.get_by_role("alert")
        expect(alert).to_be_visible()
        self.said.append(alert.inner_text())
        button(alert, "Close").click()


def is_edit(response: Response) -> bool:
    if not response.url.endswith("/routes/transfers"):
        return False
    # The page asks again by itself: what was too much, and what a shorter route has no place for.
    return response.status not in {429, 503} and ".index" not in (
        "" if response.status == 200 else response.text()
    )


def open_day(page: Page, link: str) -> None:
    """Take an invitation up, and look at the day's board."""
    page.goto(link)
    page.get_by_label("Password").fill(PASSWORD)
    button(page, "Accept").click()
    page.wait_for_url("**/console*")
    page.goto(f"{page.url.partition('#')[0]}#/day/{DAY}")
    page.get_by_role("radio", name="Board").check()
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Move to…")).to_have_count(STOPS * 4)


def expect_shown(page: Page, names: Mapping[str, Sequence[str]]) -> None:
    """See the board show these names in these lanes."""
    board = page.get_by_role("group", name="Board")
    for lane, wanted in names.items():
        links = board.get_by_role("region", name=lane).get_by_role("listitem").get_by_role("link")
        expect(links).to_have_text(list(wanted))
    expect(button(page, "Move to…")).to_have_count(STOPS * 4)  # with those on no route


@dataclass
class Day:
    """Routes of an office with stops, and stops that are on none."""

    office: Office
    routes: dict[str, str] = field(default_factory=dict)
    """Ids by name."""

    origins: dict[str, str] = field(default_factory=dict)
    """The imported stop of each stop that was on a route at some time."""

    def __post_init__(self) -> None:
        day = {"year": 2030, "month": 5, "day": 6}
        for route in ROUTES:
            names = [
                {"orderName": f"{route}-{number}", "deliveryDate": day} for number in range(STOPS)
            ]
            when = f"{DAY}T08:00:00Z"
            self.routes[route] = self.office.add_route(route, *names, scheduledFor=when)
        loose = [
            {
                "orderName": f"Loose-{number}",
                "deliveryDate": day,
                "coordinates": {"latitude": 39.3 + number / 200, "longitude": -76.62},
            }
            for number in range(STOPS)
        ]
        self.office.post("/stops/imports", loose)
        self.before = self.places()

    def read(self) -> dict[str, Json]:
        """Return each route as it is."""
        return {
            name: self.office.http.get(f"/routes/{id_}").json() for name, id_ in self.routes.items()
        }

    def names(self) -> dict[str, list[str]]:
        return {
            name: [stop["orderName"] for stop in route["stops"]]
            for name, route in self.read().items()
        }

    def places(self) -> Counter[tuple[str, str]]:
        """Count where each imported stop is: on a route, by its id, or in the pool."""
        routes = self.read().values()
        for route in routes:
            self.learn(route)
        pool = self.office.http.get("/stops/imports?query.unrouted=true&query.limit=100").json()
        return Counter(
            [(stop["importedStopId"], route["id"]) for route in routes for stop in route["stops"]]
            + [(stop["id"], POOL) for stop in pool["stops"]]
        )

    def learn(self, route: Json) -> None:
        self.origins.update((stop["id"], stop["importedStopId"]) for stop in route["stops"])

    def expect_all_made(self, edits: Sequence[Edit]) -> None:
        """Find what was answered as made in where the stops are, and nothing else.

        Each edit takes a stop from where it was. So a stop left each place as often as it came
        there, but for where it began and where it is.
        """
        made = [edit for edit in edits if edit.status == 200]
        for edit in made:
            for route in edit.answer["routes"]:
                self.learn(route)
        balance = Counter(self.before)
        for edit in made:
            (move,) = edit.asked["moves"]
            stop = move.get("importedStopId") or self.origins[move["stopId"]]
            balance[stop, move.get("fromRouteId", POOL)] -= 1
            balance[stop, move.get("toRouteId", POOL)] += 1
        now = self.places()
        assert {place: times for place, times in balance.items() if times} == dict(now)
        assert set(now.values()) == {1}
        assert {stop for stop, _ in now} == {stop for stop, _ in self.before}
        assert len(now) == STOPS * 4


def plan_at_random(
    link: str, seed: int, presses: int, day: Day, have_both_ended: Barrier
) -> Planner:
    """Work as one planner; in the end the page must show what there is."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=OPTIONS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        open_day(page, link)
        planner = Planner(page, random.Random(seed))  # noqa: S311 -- to be run again
        try:
            planner.work(presses)
        except BaseException:
            have_both_ended.abort()
            raise
        have_both_ended.wait()
        expect_shown(page, day.names())
        browser.close()
    return planner


@pytest.mark.parametrize("presses", [15, pytest.param(500, marks=pytest.mark.full)])
def test_no_edit_is_lost_and_no_stop_doubled_while_two_plan(office: Office, presses: int) -> None:
    day = Day(office)
    links = [office.invite(f"{name}.{presses}@example.com") for name in ("ann", "bob")]
    have_both_ended = Barrier(len(links))
    with ThreadPoolExecutor(len(links)) as desks:
        working = [
            desks.submit(plan_at_random, link, seed, presses, day, have_both_ended)
            for seed, link in enumerate(links)
        ]
    failed = [one.exception() for one in working]
    for problem in sorted(
        filter(None, failed), key=lambda one: isinstance(one, BrokenBarrierError)
    ):
        raise problem  # the one who was waiting comes after the one who failed
    planners = [one.result() for one in working]
    edits = [edit for planner in planners for edit in planner.edits]
    assert len(edits) == presses * len(links)
    day.expect_all_made(edits)
    refused = [edit for edit in edits if edit.status != 200]
    said = [words for planner in planners for words in planner.said]
    assert len(said) >= len(refused)
    assert all(CONFLICT in words for words in said), said


def test_the_later_of_two_is_told(office: Office) -> None:
    """Both have opened the dialog of the same stop; the one who is later sees why not."""
    day = Day(office)
    pages = [office.page, office.page.context.browser.new_page()]  # type: ignore[union-attr]
    for page, name in zip(pages, ("early", "late"), strict=True):
        open_day(page, office.invite(f"{name}@example.com"))
    for stop, first, second in (
        ("Harbour-0", "Hills", "Market"),
        ("Loose-0", "Hills", "Market"),
        ("Hills-1", "Not on a route", "Market"),
    ):
        for page in pages:
            open_move(page, stop)
        with pages[0].expect_response(is_edit):  # the dialog is gone before the server has answered
            press_target(pages[0], first)
        alert = pages[1].get_by_role("alert")
        if first in ROUTES:  # the name is known though the stop is shown elsewhere by now
            expect_lane(pages[1], first, stop)
        press_target(pages[1], second)
        expect(alert).to_contain_text(f"{stop} was changed meanwhile: moved or taken away")
        alert.get_by_role("button", name="Close").click()
    # What somebody else has moved on cannot be taken back over their head.
    open_move(pages[0], "Market-0")
    press_target(pages[0], "Harbour")
    expect_lane(pages[1], "Harbour", "Market-0")
    open_move(pages[1], "Market-0")
    press_target(pages[1], "Hills")
    expect_lane(pages[0], "Hills", "Market-0")
    button(pages[0], "Undo").click()
    expect(pages[0].get_by_role("alert")).to_contain_text("This cannot be undone any more")
    assert "Market-0" in day.names()["Hills"]
    pages[1].close()


def open_move(page: Page, stop: str) -> None:
    """Open the dialog of a stop of a lane or of none."""
    item = page.get_by_role("listitem").filter(has=page.get_by_role("link", name=stop, exact=True))
    button(item, "Move to…").click()


def expect_lane(page: Page, lane: str, stop: str) -> None:
    shown = page.get_by_role("group", name="Board").get_by_role("region", name=lane)
    expect(shown.get_by_role("link", name=stop)).to_be_visible()
