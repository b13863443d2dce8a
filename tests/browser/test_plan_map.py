"""The page that `plan --map` writes, in a browser: a file on a disk, without a network."""

from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.office import House
from tests.support import commands
from tests.support.commands import COMMAND
from tests.tiles.test_builder import write_extract

from roundsman.geography import brought_tiles
from roundsman.settings import Settings
from roundsman.tiles.builder import build_tiles

NAMES = ("Ann <img src=x onerror=document.title='x'>", "Bert", "Cleo", "Dana")
STOPS = "name,latitude,longitude,duration,skills\n" + "".join(
    f"{name},{50.078 + number / 1000},{10.01 + number / 250},5,{skill}\n"
    for number, (name, skill) in enumerate(zip(NAMES, ("", "", "", "crane"), strict=True))
)
VANS = 'name,start,end,maxStops\nred,"50.08,10.02",=,2\nblue,"50.08,10.02",=,2\n'


def write_page(folder: Path) -> Path:
    """Plan a day of two vans in a town whose streets are known; return the map of it."""
    data = folder / "data"
    data.mkdir()
    extract = write_extract(folder / "town.osm.pbf")
    build_tiles(extract, brought_tiles(Settings(data=data)), "© those", lambda _share: None)
    (folder / "stops.csv").write_text(STOPS)
    (folder / "vans.csv").write_text(VANS)
    said = ("--vehicles", "vans.csv", "--map", "day.html", "--effort", "QUICK")
    command = [*COMMAND, "plan", "stops.csv", *said, "--data", str(data)]
    done = commands.run(command, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "day.html"


@pytest.mark.spec("decisions §21")
def test_a_day_of_vans_is_drawn_on_streets_and_one_can_be_shown_alone(
    house: House, tmp_path: Path
) -> None:
    page = house.browser.new_page(viewport={"width": 390, "height": 844})
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(write_page(tmp_path).as_uri())
    picture = page.get_by_role("img", name="Map of the route")
    expect(picture.locator(".ground .major_road").first).to_be_attached()
    expect(picture.locator(".names text", has_text="High Street").first).to_be_visible()
    for words in ("© those", NAMES[0]):
        expect(page.get_by_text(words, exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="1 stop stays out")).to_be_visible()
    markers = picture.locator(".marker:not([hidden]) circle")
    expect(markers).to_have_count(4)
    alone = page.get_by_role("button", name="blue")
    alone.click()
    expect(alone).to_have_attribute("aria-pressed", "true")
    expect(markers).to_have_count(1)
    alone.click()
    expect(markers).to_have_count(4)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.title() == "stops"
    page.close()
    assert [url for url in asked if not url.startswith("file:")] == []
    assert troubles == []
