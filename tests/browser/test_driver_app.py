"""The driver's app on a phone that loses its network, by roles and names (doors.md 0a, 0b)."""

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import BrowserContext, Page, Playwright, expect
from playwright.sync_api import Error as PlaywrightError
from tests.browser.conftest import OPTIONS, find_chromium
from tests.browser.office import House, Office

UNDO_MS = 10_000


def _command_of(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""  # it has ended meanwhile


class Handset:
    """A browser that keeps its storage when it is closed, or killed."""

    def __init__(
        self, playwright: Playwright, folder: Path, *options: str, program: str | None = None
    ) -> None:
        """Start it, with options of the browser's command line."""
        self.playwright = playwright
        self.folder = folder
        self.options = options
        self.program = program or find_chromium()
        self.troubles: list[str] = []
        self.context: BrowserContext
        self.page: Page
        self.start()

    def start(self) -> None:
        self.context = self.playwright.chromium.launch_persistent_context(
            str(self.folder),
            executable_path=self.program,
            args=[*OPTIONS, *self.options],
            viewport={"width": 390, "height": 844},
            locale="en-GB",
        )
        self.page = self.context.pages[0]
        self.page.clock.install()  # it goes as any clock does until it is put forward
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", self._note)

    def _note(self, message: Any) -> None:
        if "Content Security Policy" in message.text:
            self.troubles.append(message.text)

    def kill(self) -> None:
        """Have the browser die as it is, as a phone whose battery is empty does."""
        mark = f"--user-data-dir={self.folder}".encode()
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and mark in _command_of(entry):
                with contextlib.suppress(ProcessLookupError):  # a child that went with its parent
                    os.kill(int(entry.name), signal.SIGKILL)
        with contextlib.suppress(PlaywrightError):  # there is nobody left to say goodbye to
            self.context.close()

    def close(self) -> None:
        self.context.close()


@pytest.fixture
def handset(house: House, tmp_path: Path, browser_program: str) -> Iterator[Handset]:
    phone = Handset(house.playwright, tmp_path / "phone", program=browser_program)
    yield phone
    phone.close()
    assert phone.troubles == []


def invite(office: Office, first_name: str = "Ama") -> tuple[str, str]:
    made = office.post("/drivers", {"firstName": first_name, "lastName": "Mensah"})
    return made["driver"]["id"], made["inviteUrl"]


def sign_up(office: Office, handset: Handset) -> str:
    driver_id, url = invite(office)
    handset.page.goto(url)
    handset.page.get_by_role("button", name="Accept").click()
    handset.page.get_by_role("heading", name="Routes").wait_for()
    return driver_id


def test_a_driver_takes_a_route_and_delivers(office: Office, handset: Handset) -> None:
    page = handset.page
    driver_id = sign_up(office, handset)
    expect(page.get_by_text("No routes yet")).to_be_visible()
    route = office.add_route("Van 1", {"orderName": "#1"}, {"orderName": "#2"}, driverId=driver_id)
    office.post(f"/routes/{route}/dispatch", {})
    page.get_by_role("list", name="Routes").get_by_role("link", name="Van 1").click()
    start(page)
    page.get_by_role("list", name="Stops").get_by_role("link", name="#1").click()
    page.get_by_role("button", name="At the door").click()
    page.get_by_role("button", name="Undo").wait_for()
    page.get_by_role("textbox", name="Note").fill("back door")
    page.get_by_role("combobox", name="Left with").select_option("Neighbour")
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_role("heading", name="#2")).to_be_visible()
    page.get_by_role("button", name="Could not deliver").click()
    page.get_by_role("radiogroup", name="Reason").get_by_text("Nobody there").click()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("list", name="Stops")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("1 waiting")  # what ends the route
    expect_sent(page)
    first, second = office.http.get(f"/routes/{route}").json()["stops"]
    assert (first["deliveryStatus"], first["leftWith"]) == ("DELIVERED", "NEIGHBOUR")
    assert first["proofOfDeliveryNote"] == "back door"
    assert first["arrivedAt"]
    assert second["attemptedReason"] == "NOT_AVAILABLE"
    # Nothing is offered that the service refuses once the route is completed.
    page.get_by_role("link", name="#1").click()
    expect(page.get_by_text("Left with: Neighbour")).to_be_visible()
    expect(page.get_by_role("button", name="Sign", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Delivered")).to_have_count(0)
    expect(page.get_by_role("button", name="Could not deliver")).to_have_count(0)


def dispatched(office: Office, handset: Handset, *stops: dict[str, Any]) -> str:
    """Return a route that the signed-up driver has opened."""
    driver_id = sign_up(office, handset)
    route = office.add_route("Van 1", *stops, driverId=driver_id)
    office.post(f"/routes/{route}/dispatch", {})
    handset.page.reload()  # the list looks for new routes every few seconds
    handset.page.get_by_role("link", name="Van 1").click()
    return route


def start(page: Page) -> None:
    page.get_by_role("button", name="Start route").click()
    page.get_by_role("link", name="Next stop").wait_for()
    expect(page.get_by_role("status")).to_have_text("All sent")


def expect_sent(page: Page) -> None:
    """Have the time pass in which a slip can be taken back, and all be sent after it."""
    page.clock.fast_forward(UNDO_MS)
    expect(page.get_by_role("status")).to_have_text("All sent")


def photo(folder: Path) -> Path:
    path = folder / "door.jpg"
    Image.effect_noise((2000, 1500), 60).convert("RGB").save(path, quality=90)
    return path


def draw(page: Page) -> None:
    page.get_by_role("button", name="Sign", exact=True).click()
    canvas = page.get_by_role("img", name="Signature", exact=True)
    canvas.hover(position={"x": 20, "y": 40})  # which waits until it stands still
    page.mouse.down()
    for step in range(1, 6):
        canvas.hover(position={"x": 20 + 20 * step, "y": 40 + 10 * step})
    page.mouse.up()


def sign(page: Page) -> None:
    draw(page)
    page.get_by_role("button", name="Save signature").click()


def deliver_in_a_dead_zone(page: Page, folder: Path) -> None:
    """Do three stops: photo and signature, a code after a slip, a refusal."""
    page.get_by_role("link", name="#1").click()
    page.get_by_label("Photo", exact=True).set_input_files(photo(folder))
    expect(page.get_by_role("img", name="Photo 1")).to_be_visible()
    sign(page)
    expect(page.get_by_role("img", name="Signature 1")).to_be_visible()
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_role("heading", name="#2")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("3 waiting, no network")
    # What is taken back before it was sent leaves no gap.
    page.get_by_role("button", name="Delivered").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="#2")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("3 waiting, no network")
    page.get_by_role("button", name="Scan").click()
    page.get_by_role("textbox", name="Code").fill("4006381333931")
    page.get_by_role("button", name="Save code").click()
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_role("heading", name="#3")).to_be_visible()
    page.get_by_role("button", name="Could not deliver").click()
    page.get_by_label("Refused").check()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("heading", name="#4")).to_be_visible()


def test_nothing_that_was_shown_is_lost_when_the_phone_dies_without_a_network(
    office: Office, handset: Handset, tmp_path: Path
) -> None:
    route = dispatched(office, handset, *({"orderName": f"#{one}"} for one in (1, 2, 3, 4)))
    page = handset.page
    start(page)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    handset.context.set_offline(True)
    deliver_in_a_dead_zone(page, tmp_path)

    handset.kill()
    handset.start()
    handset.context.set_offline(True)
    page = handset.page
    page.goto(f"{office.address}/driver")
    expect(page.get_by_role("list", name="Stops")).to_contain_text("Could not deliver")
    expect(page.get_by_role("status")).to_have_text("6 waiting, no network")
    page.get_by_role("link", name="#1").click()
    expect(page.get_by_role("img", name="Photo 1")).to_be_visible()
    # A correction later on is the same button on the finished stop.
    page.get_by_role("button", name="Back").click()
    page.get_by_role("link", name="#3").click()
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_role("status")).to_have_text("7 waiting, no network")
    handset.context.set_offline(False)
    expect_sent(page)

    stops = office.http.get(f"/routes/{route}").json()["stops"]
    assert [stop["deliveryStatus"] for stop in stops] == [*["DELIVERED"] * 3, "OUT_FOR_DELIVERY"]
    assert [len(stops[0][f"proofOfDelivery{kind}"]) for kind in ("Photos", "Signatures")] == [1, 1]
    assert [code["value"] for code in stops[1]["proofOfDeliveryBarcodes"]] == ["4006381333931"]
    told = office.http.get("/driver-actions").json()["actions"]
    assert sorted(one["sequence"] for one in told) == list(range(1, len(told) + 1))


def test_a_picture_that_arrived_after_its_action_is_said_to_be_sent(
    office: Office, handset: Handset, tmp_path: Path
) -> None:
    dispatched(office, handset, {"orderName": "#1"}, {"orderName": "#2"})
    page = handset.page
    start(page)
    handset.context.route("**/driver/api/uploads/**", lambda route: route.abort())
    page.get_by_role("link", name="#1").click()
    page.get_by_label("Photo", exact=True).set_input_files(photo(tmp_path))
    expect(page.get_by_role("img", name="Photo 1")).to_be_visible()
    page.get_by_role("button", name="Delivered").click()
    page.get_by_role("button", name="Sync details").click()
    picture = page.get_by_role("list", name="Actions").get_by_role("listitem")
    picture = picture.filter(has_text="Photo")
    expect(picture).to_contain_text("Kept")
    expect(picture).to_contain_text("has not arrived yet")
    handset.context.unroute("**/driver/api/uploads/**")
    page.get_by_role("button", name="Send now").click()
    expect(picture).to_contain_text("Sent")
    expect(picture).not_to_contain_text("has not arrived yet")


def test_a_slip_that_was_sent_is_corrected(office: Office, handset: Handset) -> None:
    route = dispatched(office, handset, {"orderName": "#1"}, {"orderName": "#2"})
    page = handset.page
    start(page)
    page.get_by_role("link", name="#1").click()
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_role("status")).to_have_text("All sent")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="#1")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("All sent")
    page.get_by_role("button", name="Sync details").click()
    told = page.get_by_role("list", name="Actions").get_by_role("listitem")
    expect(told.first).to_contain_text("Taken back")
    expect(told.first).to_contain_text("Sent")
    first = office.http.get(f"/routes/{route}").json()["stops"][0]
    assert first["deliveryStatus"] == "OUT_FOR_DELIVERY"


def test_a_driver_claims_and_cannot_sign_out_while_something_waits(
    office: Office, handset: Handset
) -> None:
    sign_up(office, handset)
    page = handset.page
    route = office.add_route("Harbour", {"orderName": "#1"})
    office.post(f"/routes/{route}/dispatch", {})
    page.get_by_role("button", name="Claim").click()
    page.get_by_role("link", name="Harbour").click()
    start(page)
    handset.context.set_offline(True)
    page.get_by_role("link", name="#1").click()
    page.get_by_role("button", name="Delivered").click()
    page.get_by_role("button", name="Sync details").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("alert")).to_contain_text("1 action")
    handset.context.set_offline(False)
    expect_sent(page)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Nobody is signed in on this phone")).to_be_visible()


def test_a_link_to_a_route_that_nobody_drives_lets_it_be_claimed(
    office: Office, handset: Handset
) -> None:
    sign_up(office, handset)
    page = handset.page
    route = office.add_route("Harbour", {"orderName": "#1"})
    office.post(f"/routes/{route}/dispatch", {})
    page.goto("about:blank")  # as a camera opens it
    page.goto(f"{office.address}/driver#/route/{route}")
    expect(page.get_by_role("heading", name="Harbour")).to_be_visible()
    page.get_by_role("button", name="Claim").click()
    start(page)
    expect(page.get_by_role("link", name="#1")).to_be_visible()


def test_required_tasks_and_proofs_stop_a_delivery_with_their_names(
    office: Office, handset: Handset, tmp_path: Path
) -> None:
    rules = {"proofRules": {"photo": "REQUIRED", "signature": "OFF"}, "failureReasons": ["Dog"]}
    settings = {"organization": rules, "updateMask": "proofRules,failureReasons"}
    assert office.http.patch("/organization", json=settings).status_code == 200
    task = {
        "title": "Age",
        "type": "CHECKBOXES",
        "items": [{"title": "Passport seen"}],
        "requiredToMarkStopAsDelivered": True,
    }
    route = dispatched(office, handset, {"orderName": "#1", "tasks": [task]})
    page = handset.page
    start(page)
    page.get_by_role("link", name="#1").click()
    expect(page.get_by_role("button", name="Sign", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_role("alert")).to_have_text("First: Photo, Age")
    page.get_by_role("checkbox", name="Passport seen").check()
    expect(page.get_by_role("alert")).to_have_text("First: Photo")
    page.get_by_label("Photo", exact=True).set_input_files(photo(tmp_path))
    expect(page.get_by_role("img", name="Photo 1")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Could not deliver").click()
    expect(page.get_by_role("radiogroup", name="Reason")).to_contain_text("Dog")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Delivered").click()
    expect_sent(page)
    (stop,) = office.http.get(f"/routes/{route}").json()["stops"]
    assert stop["deliveryStatus"] == "DELIVERED"
    assert stop["tasks"][0]["items"][0]["completed"]


def test_what_the_planner_changes_is_told_and_moves_when_asked(
    office: Office, handset: Handset
) -> None:
    route = dispatched(office, handset, *({"orderName": f"#{one}"} for one in (1, 2, 3)))
    page = handset.page
    start(page)
    last = office.stop_ids(route)[-1]
    moved = office.http.put(f"/routes/{route}/stops/{last}/position", json={"index": 0})
    assert moved.status_code == 200, moved.text
    page.get_by_role("button", name="Sync details").click()
    page.get_by_role("button", name="Send now").click()
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_text("Your planner changed this route: 1 moved")).to_be_visible()
    names = page.get_by_role("list", name="Stops").get_by_role("link")
    expect(names).to_have_text(["#1", "#2", "#3"])
    page.get_by_role("button", name="Show").click()
    expect(names).to_have_text(["#3", "#1", "#2"])


def test_a_parcels_label_is_found_at_its_stop(office: Office, handset: Handset) -> None:
    kim = {"firstName": "Kim", "lastName": "Lee", "company": "Kim's Bakery"}
    door = {"coordinates": {"latitude": 39.3, "longitude": -76.6}, "contact": kim}
    dispatched(office, handset, {"orderName": "#1041", **door}, {"orderName": "#1042", **door})
    page = handset.page
    start(page)
    stops = page.get_by_role("list", name="Stops").get_by_role("listitem")
    for item, order in zip(stops.all(), ("#1041", "#1042"), strict=True):
        expect(item).to_contain_text(f"{order} · Kim's Bakery")
    stops.first.get_by_role("link", name="Kim Lee", exact=True).click()
    expect(page.get_by_role("heading", name="Kim Lee", exact=True)).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("#1041 · Kim's Bakery")
    expect(page.get_by_role("button", name="All 2 at this door: #1041, #1042")).to_be_visible()


def test_a_driver_reads_who_sees_where_they_are(office: Office, handset: Handset) -> None:
    dispatched(office, handset, {"orderName": "#1"})
    page = handset.page
    page.get_by_role("button", name="Sync details").click()
    expect(page.get_by_text("Nobody sees where you are: no route is under way.")).to_be_visible()
    page.get_by_role("button", name="Back").click()
    page.get_by_role("link", name="Van 1").click()
    start(page)
    page.get_by_role("button", name="Sync details").click()
    seen = page.get_by_text("your planner sees where you are.")
    expect(seen).not_to_contain_text("customer")
    page.get_by_role("button", name="Back").click()
    settings = {"organization": {"shareDriverPosition": "NEXT_STOP"}}
    changed = office.http.patch(
        "/organization", json={**settings, "updateMask": "shareDriverPosition"}
    )
    assert changed.status_code == 200
    page.get_by_role("button", name="Sync details").click()
    expect(seen).to_contain_text("The customer whose stop is next sees it, too: within 2 km")
    page.get_by_role("button", name="Back").click()
    page.get_by_role("button", name="Back").click()
    listed = page.get_by_role("list", name="Routes").get_by_role("listitem")
    expect(listed.filter(has_text="Van 1")).to_contain_text("Under way")
