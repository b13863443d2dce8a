"""Streets in a real browser, from this server alone: every other address is blocked."""

import io
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Request, expect
from tests.acceptance.test_main_job import serving
from tests.browser.office import House, Office, open_office
from tests.browser.test_driver_app import Handset, sign_up, start
from tests.roads.recorded_valhalla import recorded_valhalla
from tests.roads.town import WEST_BANK
from tests.support.waiting import wait_until
from tests.tiles.test_builder import write_extract

from roundsman.geography import brought_tiles
from roundsman.settings import Settings
from roundsman.tiles.builder import build_tiles

STOP = {"latitude": 50.08, "longitude": 10.02}

_IS_DRAWN_WITHIN = """(picture) => {
  const outer = picture.getBoundingClientRect();
  const inner = picture.querySelector("canvas").getBoundingClientRect();
  return inner.top >= outer.top && inner.bottom <= outer.bottom
    && inner.left >= outer.left && inner.right <= outer.right;
}"""


@pytest.fixture(scope="module")
def town(house: House, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server with streets."""
    data = tmp_path_factory.mktemp("town")
    extract = write_extract(data / "town.osm.pbf")
    build_tiles(extract, brought_tiles(Settings(data=data)), "© those", lambda _share: None)
    url = f"sqlite:///{data / 'roundsman.db'}"
    with serving(data, url) as address:
        yield House(address, url, data, house.browser, house.playwright)


@pytest.fixture
def town_office(town: House) -> Iterator[Office]:
    opened = open_office(town)
    with closing(opened.http):
        yield opened
    opened.page.close()
    assert opened.troubles == []


def test_the_day_is_shown_on_streets_of_this_server(town: House, town_office: Office) -> None:
    office = town_office
    asked: list[str] = []
    refused: list[str] = []

    def note(request: Request) -> None:
        (asked if request.url.startswith((town.address, "data:")) else refused).append(request.url)

    office.page.on("request", note)
    office.add_route("Harbour", {"coordinates": STOP}, scheduledFor="2024-07-01T10:00:00+02:00")
    office.open("day/2024-07-01")
    office.sign_in()
    picture = office.page.get_by_role("region", name="Map").get_by_role("img", name="Map")
    expect(picture).to_have_attribute("data-state", "idle")
    expect(office.page.get_by_text("© those")).to_be_visible()
    assert [url for url in asked if "/map/tiles/" in url]
    assert refused == []


HOUSE = "#14211f"


def test_the_day_is_drawn_along_the_roads_from_the_start_on(house: House, tmp_path: Path) -> None:
    extract = write_extract(tmp_path / "town.osm.pbf")
    build_tiles(extract, brought_tiles(Settings(data=tmp_path)), "© those", lambda _share: None)
    url = f"sqlite:///{tmp_path / 'roundsman.db'}"
    stop = {"latitude": WEST_BANK.latitude, "longitude": WEST_BANK.longitude}
    start_at = {**stop, "latitude": stop["latitude"] + 0.002}
    with (
        recorded_valhalla() as (roads, _),
        serving(tmp_path, url, ROUNDSMAN_ROADS=f"valhalla:{roads}") as address,
    ):
        office = open_office(House(address, url, tmp_path, house.browser, house.playwright))
        with closing(office.http), closing(office.page):
            when = {"scheduledFor": "2024-07-01T10:00:00+02:00"}
            office.add_route(
                "Harbour", {"coordinates": stop}, start={"coordinates": start_at}, **when
            )
            office.open("day/2024-07-01")
            office.sign_in()
            picture = office.page.get_by_role("region", name="Map").get_by_role("img", name="Map")
            expect(picture).to_have_attribute("data-state", "idle")
            day = office.http.get("/days/2024-07-01").json()
            color = day["routes"][0]["color"]
            # One stop has no straight line: what is longer than its circle is the way to it.
            wait_until(lambda: _height_of(color, picture.screenshot()) > 100)
            assert _height_of(HOUSE, picture.screenshot()) > 10  # where it starts
            assert office.troubles == []


def test_a_route_with_estimates_has_its_way_from_the_start_on_too(town_office: Office) -> None:
    office = town_office
    start_at = {"coordinates": {**STOP, "latitude": STOP["latitude"] + 0.002}}
    when = {"scheduledFor": "2024-07-02T10:00:00+02:00"}
    office.add_route("Harbour", {"coordinates": STOP}, start=start_at, **when)
    office.open("day/2024-07-02")
    office.sign_in()
    expect(office.page.get_by_text("no installed map reaches every stop")).to_be_visible()
    picture = office.page.get_by_role("region", name="Map").get_by_role("img", name="Map")
    expect(picture).to_have_attribute("data-state", "idle")
    color = office.http.get("/days/2024-07-02").json()["routes"][0]["color"]
    wait_until(lambda: _height_of(color, picture.screenshot()) > 100)


def _height_of(color: str, picture: bytes) -> int:
    """Return over how many rows of a picture a colour goes, as opaque as a line or as a circle."""
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    width, height = image.size
    pixels = image.tobytes()

    def is_it(at: int) -> bool:
        seen = pixels[at : at + 3]
        return all(abs(a - b) < 60 for a, b in zip(seen, (red, green, blue), strict=True))

    return sum(
        any(is_it(3 * (row * width + column)) for column in range(width)) for row in range(height)
    )


def test_a_driver_sees_the_streets_around_the_route_without_a_network(
    town: House, town_office: Office, tmp_path: Path
) -> None:
    handset = Handset(town.playwright, tmp_path / "phone")
    page = handset.page
    driver_id = sign_up(town_office, handset)
    start_at = {"coordinates": STOP}
    stop = {"coordinates": STOP}
    route = town_office.add_route("Van 1", stop, start=start_at, driverId=driver_id)
    town_office.post(f"/routes/{route}/dispatch", {})
    page.get_by_role("link", name="Van 1").click()
    start(page)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function(
        "async () => (await (await caches.open('roundsman-tiles')).keys()).length > 60"
    )
    handset.context.set_offline(True)
    page.goto(f"{town.address}/driver")
    page.get_by_role("button", name="Show map").click()
    picture = page.get_by_role("region", name="Map").get_by_role("img", name="Map")
    expect(picture).to_have_attribute("data-state", "idle")
    assert picture.evaluate(_IS_DRAWN_WITHIN)
    page.get_by_role("button", name="Hide map").click()
    expect(picture).to_have_count(0)
    handset.close()
    assert handset.troubles == []
