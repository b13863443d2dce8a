"""The driver's app against a real server while either of them dies: what was shown must arrive.

`python -m bench.driver_storm` runs a thousand, `make test-full` forty. A run is a route of three
stops. Before and after each tap something may happen: the browser is killed (SIGKILL), its tab
crashes, the network goes or comes back, the server is killed and started again, a planner changes
the route. What the screen has shown counts as promised; a tap during which the browser died may or
may not have been kept.
"""

import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, Playwright
from tests.acceptance.test_main_job import read_address
from tests.browser.conftest import OPTIONS, find_chromium
from tests.browser.office import House, Office, open_office
from tests.browser.test_driver_app import Handset, sign_up
from tests.support.commands import COMMAND
from tests.support.ports import free_port

STOPS = 3
DRAINED_WITHIN_SECONDS = 180
_PATIENCE = 15_000  # milliseconds for what is on the phone already


@dataclass
class Tally:
    """What a storm came to."""

    runs: int = 0
    promised: int = 0
    perhaps: int = 0
    arrived: int = 0
    lost: int = 0
    doubled: int = 0
    gaps: int = 0
    pictures: int = 0
    pictures_lost: int = 0
    drained_seconds: float = 0.0
    happened: Counter[str] = field(default_factory=Counter)


class Server:
    """A server that can be killed, and comes back at the same address.

    `niceness` is how far it stands back behind a browser that shares its cores.
    """

    def __init__(self, data: Path, url: str, *, niceness: int = 0) -> None:
        self._port = free_port()
        self.data, self.url = data, url
        self._niceness = niceness
        self.start()

    def start(self) -> None:
        command = ["nice", "-n", str(self._niceness), *COMMAND]
        command += ["serve", "--port", str(self._port), "--data", str(self.data)]
        self._log = (self.data / "server.log").open("a")
        self._process = subprocess.Popen(  # noqa: S603 -- our own program
            command,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            env={**os.environ, "ROUNDSMAN_DATABASE_URL": self.url},
        )
        self.address = read_address(self._process)

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        self.end(signal.SIGKILL)
        self.start()

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        self._process.send_signal(how)
        self._process.communicate(timeout=60)
        self._log.close()


class Storm:
    """One phone, one server, and what happens to them."""

    def __init__(self, server: Server, office: Office, handset: Handset, seed: int) -> None:
        self._server, self._office, self._handset = server, office, handset
        self._chance = random.Random(seed)  # noqa: S311 -- seeded, to be run again
        self._is_offline = False
        self.tally = Tally()
        self._told: Counter[tuple[str, str]] = Counter()  # stop, kind: shown to the driver
        self._maybe: Counter[tuple[str, str]] = Counter()
        self._photo = handset.folder.parent / "door.jpg"
        Image.effect_noise((320, 240), 60).convert("RGB").save(self._photo, quality=80)
        self._driver_id = sign_up(office, handset)
        handset.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")

    @property
    def _page(self) -> Page:
        return self._handset.page

    def run(self) -> None:
        """Drive one route."""
        self.tally.runs += 1
        self._online()
        name = f"Van {self.tally.runs}"
        stops = [{"orderName": f"{name}.{one}"} for one in range(1, STOPS + 1)]
        route_id = self._office.add_route(name, *stops, driverId=self._driver_id)
        self._office.post(f"/routes/{route_id}/dispatch", {})
        self._open("#/routes")
        self._page.get_by_role("link", name=name, exact=True).click(timeout=60_000)
        under_way = self._page.get_by_role("link", name="Next stop", exact=True)
        self._promise(
            route_id,
            "ROUTE_STARTED",
            lambda: self._button("Start route"),
            lambda: under_way.wait_for(timeout=_PATIENCE),
        )
        self._start_again(route_id)
        for stop_id in self._office.stop_ids(route_id):
            self._happen(route_id)
            self._visit(route_id, stop_id)

    def _start_again(self, route_id: str) -> None:
        """Start a route whose start was lost with the browser, as its driver sees and does."""
        self._open(f"#/route/{route_id}")
        start = self._page.get_by_role("button", name="Start route", exact=True)
        under_way = self._page.get_by_role("link", name="Next stop", exact=True)
        start.or_(under_way).first.wait_for(timeout=_PATIENCE)
        if start.is_visible():
            start.click()
            under_way.wait_for(timeout=_PATIENCE)
            self._told[route_id, "ROUTE_STARTED"] += 1
            self.tally.promised += 1

    def _visit(self, route_id: str, stop_id: str) -> None:
        self._open(f"#/route/{route_id}/stop/{stop_id}")
        if self._chance.random() < 0.5:
            shown = self._page.get_by_role("img", name="Photo 1")
            take = self._page.get_by_label("Photo", exact=True)
            self._promise(
                stop_id,
                "PHOTO",
                lambda: take.set_input_files(self._photo),
                lambda: shown.wait_for(timeout=_PATIENCE),
            )
            self._open(f"#/route/{route_id}/stop/{stop_id}")
        if self._chance.random() < 0.8:
            self._promise(
                stop_id,
                "STOP_DELIVERED",
                lambda: self._button("Delivered"),
                lambda: self._leave(stop_id),
            )
            return
        self._button("Could not deliver")
        self._page.get_by_label("Refused").check(timeout=_PATIENCE)
        save = self._page.get_by_role("button", name="Save", exact=True)
        self._promise(
            stop_id,
            "STOP_ATTEMPTED",
            lambda: save.click(timeout=_PATIENCE),
            lambda: self._leave(stop_id),
        )

    def _leave(self, stop_id: str) -> None:
        """Wait for the next screen, which comes when the visit is kept."""
        self._page.wait_for_function(
            "id => !location.hash.includes(id)", arg=stop_id, timeout=_PATIENCE
        )

    def _promise(
        self, place: str, kind: str, tap: Callable[[], None], wait: Callable[[], None]
    ) -> None:
        """Tap, and note what the screen promises; the browser may die before it does."""
        tap()
        if self._chance.random() < 0.12:
            self._page.wait_for_timeout(self._chance.randrange(60))
            self._kill_browser()
            self._maybe[place, kind] += 1
            self.tally.perhaps += 1
            self._open("#/routes")
            return
        wait()
        self._told[place, kind] += 1
        self.tally.promised += 1

    def _happen(self, route_id: str) -> None:
        """Let something happen, or nothing."""
        kinds = ("browser killed", "tab crashed", "offline", "online", "server killed", "planner")
        weights = (14, 8, 20, 14, 6, 10)
        kind = self._chance.choices((*kinds, ""), (*weights, 28))[0]
        if not kind:
            return
        self.tally.happened[kind] += 1
        match kind:
            case "browser killed":
                self._kill_browser()
            case "tab crashed":
                self._crash_tab()
            case "offline":
                self._handset.context.set_offline(True)
                self._is_offline = True
            case "online":
                self._online()
            case "server killed":
                self._server.kill()
            case "planner":
                note = {"route": {"note": f"gate {self._chance.randrange(99)}"}}
                self._office.http.patch(f"/routes/{route_id}", json={**note, "updateMask": "note"})

    def _online(self) -> None:
        self._handset.context.set_offline(False)
        self._is_offline = False

    def _kill_browser(self) -> None:
        self._handset.kill()
        self._handset.start()
        self._handset.context.set_offline(self._is_offline)

    def _crash_tab(self) -> None:
        crashed = self._page
        with suppress(PlaywrightError):  # it says that the page has crashed
            crashed.goto("chrome://crash", timeout=_PATIENCE)
        self._handset.page = self._handset.context.new_page()
        crashed.close()

    def _open(self, address: str) -> None:
        here = f"{self._server.address}/driver"
        if not self._page.url.startswith(here):
            self._page.goto(here)
        status = self._page.get_by_role("status")
        # A tab that has crashed may hold the journal's lock a little longer.
        take_over = self._page.get_by_role("button", name="Use it here")
        status.or_(take_over).first.wait_for(timeout=_PATIENCE)
        if take_over.is_visible():
            take_over.click()
            status.wait_for(timeout=_PATIENCE)
        self._page.evaluate("address => { location.hash = address; }", address)

    def _button(self, name: str) -> None:
        self._page.get_by_role("button", name=name, exact=True).click(timeout=_PATIENCE)

    def _count_actions(self) -> tuple[Counter[tuple[str, str]], int]:
        """Return what has arrived, and how many numbers are missing or there twice."""
        arrived: Counter[tuple[str, str]] = Counter()
        sequences: dict[str, list[int]] = {}
        cursor = ""
        while True:
            query = {"cursor": cursor} if cursor else {"query.limit": "200"}
            answer = self._office.http.get("/driver-actions", params=query).json()
            for one in answer["actions"]:
                told = one["action"]
                place = told.get("stopId") or told["routeId"]
                arrived[place, one["kind"]] += 1
                sequences.setdefault(one["sessionId"], []).append(one["sequence"])
            cursor = answer.get("nextCursor", "")
            if not cursor:
                break
        wrong = sum(
            len(set(range(1, max(numbers) + 1)) ^ set(numbers)) + len(numbers) - len(set(numbers))
            for numbers in sequences.values()
        )
        return arrived, wrong

    def judge(self) -> Tally:
        """Let everything be sent, and compare what arrived with what was promised."""
        self._online()
        self._open("#/sync")
        started = time.monotonic()
        self._page.get_by_role("status").get_by_text("All sent").wait_for(
            timeout=DRAINED_WITHIN_SECONDS * 1_000
        )
        self.tally.drained_seconds = time.monotonic() - started
        arrived, self.tally.gaps = self._count_actions()
        for key in self._told | self._maybe | arrived:
            least = self._told[key]
            most = least + self._maybe[key]
            self.tally.lost += max(0, least - arrived[key])
            self.tally.doubled += max(0, arrived[key] - most)
        self.tally.arrived = arrived.total()
        for (stop_id, kind), count in self._told.items():
            if kind == "PHOTO":
                self.tally.pictures += count
                self.tally.pictures_lost += max(0, count - self._pictures_at(stop_id))
        return self.tally

    def describe(self) -> str:
        """Say where a storm is that breaks off, and what the driver sees."""
        seen = self._page.locator("body").inner_text(timeout=_PATIENCE)
        return f"run {self.tally.runs}, offline {self._is_offline}, {self._page.url}:\n{seen}"

    def _pictures_at(self, stop_id: str) -> int:
        for route in self._office.http.get("/routes?query.limit=200").json()["routes"]:
            for stop in route["stops"]:
                if stop["id"] == stop_id:
                    return len(stop["proofOfDeliveryPhotos"])
        return 0


def run_storm(playwright: Playwright, folder: Path, url: str, runs: int, seed: int) -> Tally:
    """Return what a number of runs came to."""
    server = Server(folder, url)
    with ExitStack() as stack:
        stack.callback(server.end)
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(OPTIONS))
        stack.callback(browser.close)
        office = open_office(House(server.address, url, folder, browser, playwright))
        stack.callback(office.http.close)
        handset = Handset(playwright, folder / "phone")
        stack.callback(handset.close)
        storm = Storm(server, office, handset, seed)
        try:
            for _ in range(runs):
                storm.run()
            return storm.judge()
        except PlaywrightError as error:
            error.add_note(storm.describe())
            raise
