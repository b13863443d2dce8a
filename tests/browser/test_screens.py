"""What screens look like: each beside the picture of it that somebody has looked at.

Both are compared at an eighth of their size, where letters are shades and the layout is all there
is: another version of the browser or of a font is no difference, and a column that moved is one.
`pytest tests/browser/test_screens.py --renew-screens` takes the pictures anew; look at them.
"""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Page, expect
from tests.browser.office import Office
from tests.browser.test_console import button, open_day
from tests.browser.test_members import accept

pytestmark = pytest.mark.spec("doors 4.1")

FOLDER = Path(__file__).parent / "screens"
DAY = "2030-05-06"
EIGHTH = 8
SEEN = 48
"""Of 255: a shade that a person sees as another one."""

MOST_CHANGED = 0.015
SIZES = {"wide": (1440, 900), "narrow": (390, 844)}
NAMES = ("Anna", "Bert", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hal")


def shrink(picture: bytes) -> Image.Image:
    """Return a screenshot at an eighth of its size."""
    whole = Image.open(BytesIO(picture)).convert("RGB")
    return whole.resize((whole.width // EIGHTH, whole.height // EIGHTH), Image.Resampling.BOX)


def share_changed(one: Image.Image, other: Image.Image) -> float:
    """Return which share of two pictures a person would see as changed."""
    if one.size != other.size:
        return 1.0
    red, green, blue = ImageChops.difference(one, other).split()
    greatest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return sum(greatest.histogram()[SEEN:]) / (one.width * one.height)


# What the window's size changes is measured in one frame and drawn in the next; what goes with it,
# such as the grid of the map, comes after that.
_SOME_FRAMES = """async () => {
  for (let frame = 0; frame < 4; frame++) {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  }
}"""


def settle(page: Page) -> None:
    """Wait until nothing moves, and take the mouse away from everything."""
    page.mouse.move(0, 0)
    page.evaluate(_SOME_FRAMES)
    page.evaluate("() => Promise.all(document.getAnimations().map((one) => one.finished))")
    page.evaluate("() => document.fonts.ready.then(() => null)")


@pytest.fixture
def morning(office: Office) -> Office:
    """A day with three routes and three stops on none, a driver and a vehicle."""
    page = accept(office, "looks@example.com")
    office.post("/drivers", {"firstName": "Ama", "lastName": "Mensah"})
    office.post("/vehicles", {"name": "Blue van", "capacities": {"kilograms": 800}})
    leaves = {"scheduledFor": f"{DAY}T06:00:00Z"}
    for number, name in enumerate(("Harbour", "Hills", "Market")):
        stops = [{"orderName": one} for one in NAMES[: 4 + number]]
        office.add_route(name, *stops, **leaves)
    date = {"year": 2030, "month": 5, "day": 6}
    loose = [
        {
            "orderName": f"#{number}",
            "deliveryDate": date,
            "coordinates": {"latitude": 39.28 + number / 200, "longitude": -76.63},
            "note": "Ring twice",
        }
        for number in range(3)
    ]
    office.post("/stops/imports", loose)
    page.set_viewport_size({"width": 1440, "height": 900})
    return office


def open_layout(office: Office, layout: str) -> None:
    open_day(office, DAY)
    office.page.get_by_role("radio", name=layout).check()
    expect(office.page.get_by_text("Harbour").first).to_be_visible()


def open_route(office: Office) -> None:
    open_layout(office, "List")
    office.page.get_by_role("region", name="Routes").get_by_role("link", name="Hills").click()
    expect(office.page.get_by_role("list", name="Stops")).to_contain_text("Emil")


def open_stop(office: Office) -> None:
    open_route(office)
    stops = office.page.get_by_role("list", name="Stops")
    stops.get_by_role("link", name="Cleo").click()
    expect(office.page.get_by_role("region", name="Stop")).to_contain_text("Cleo")


def open_import(office: Office) -> None:
    open_layout(office, "List")
    button(office.page, "Import stops").click()
    dialog = office.page.get_by_role("dialog", name="Import stops")
    rows = "Customer,Lat,Lng,Qty\nIda,39.29,-76.61,1\nJan,,,2\n"
    dialog.get_by_label("Spreadsheet").set_input_files(
        {"name": "stops.csv", "mimeType": "text/csv", "buffer": rows.encode()}
    )
    expect(dialog.get_by_role("table", name="Rows")).to_contain_text("refused")


def open_plan(office: Office) -> None:
    open_layout(office, "List")
    button(office.page, "Plan").click()
    dialog = office.page.get_by_role("dialog", name="Plan the day")
    expect(dialog.get_by_text("Blue van")).to_be_visible()


def open_page(office: Office, address: str, text: str) -> None:
    office.open(address)
    expect(office.page.get_by_role("main").get_by_text(text).first).to_be_visible()


def open_settings(office: Office) -> None:
    open_page(office, "settings", "Organization")
    expect(office.page.get_by_role("textbox", name="Name")).to_have_value("Acme")


def sign_out(office: Office) -> None:
    open_layout(office, "List")
    button(office.page, "Ann Ames").click()
    office.page.get_by_role("menuitem", name="Sign out").click()
    expect(button(office.page, "Sign in")).to_be_visible()


SCREENS: dict[str, Callable[[Office], None]] = {
    "day": lambda office: open_layout(office, "Map"),
    "board": lambda office: open_layout(office, "Board"),
    "list": lambda office: open_layout(office, "List"),
    "route": open_route,
    "stop": open_stop,
    "import": open_import,
    "plan": open_plan,
    "drivers": lambda office: open_page(office, "drivers", "Ama Mensah"),
    "vehicles": lambda office: open_page(office, "vehicles", "Blue van"),
    "exceptions": lambda office: open_page(office, "exceptions", "Nothing to look after."),
    "settings": open_settings,
    "sign-in": sign_out,
}
"""How each is opened; the last ends the session."""


_SET_STYLE = (
    "(elements, [name, value]) => elements.forEach((one) => one.style.setProperty(name, value))"
)


def take(page: Page) -> Image.Image:
    settle(page)
    return shrink(page.screenshot())


def test_every_screen_looks_as_somebody_has_seen_it(
    morning: Office, request: pytest.FixtureRequest
) -> None:
    page = morning.page
    changed: dict[str, str] = {}
    for name, open_screen in SCREENS.items():
        page.set_viewport_size({"width": 1440, "height": 900})
        open_screen(morning)
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme="light")
            now = take(page)
            file = FOLDER / f"{name}-{size}.png"
            if request.config.getoption("--renew-screens"):
                now.quantize(64).save(file, optimize=True)
                continue
            share = share_changed(Image.open(file).convert("RGB"), now)
            if share > MOST_CHANGED:
                changed[file.name] = f"{share:.1%} of it"
        page.keyboard.press("Escape")
    assert changed == {}, "look at them, then renew them by --renew-screens"


def test_what_a_person_would_see_is_a_change(morning: Office) -> None:
    page = morning.page
    open_layout(morning, "Board")
    before = take(page)
    assert share_changed(before, take(page)) == 0
    for selector, name, value in (
        (".lane", "flex-basis", "9rem"),
        ("header", "display", "none"),
        (".side", "background", "tomato"),
        ("body", "font-size", "1.4rem"),
    ):
        page.locator(selector).evaluate_all(_SET_STYLE, [name, value])
        assert share_changed(before, take(page)) > MOST_CHANGED, (selector, name)
        page.locator(selector).evaluate_all(_SET_STYLE, [name, ""])
    assert share_changed(before, take(page)) <= MOST_CHANGED
