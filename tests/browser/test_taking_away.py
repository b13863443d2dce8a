"""What planners take away, and what they have to look after, whoever they are signed in as."""

import pytest
from playwright.sync_api import expect
from tests.browser.office import Office
from tests.browser.test_members import accept

from roundsman.domain.principal import Role

pytestmark = pytest.mark.spec("doors 4.1")

LONG_AGO = "2024-07-01T08:00:00-04:00"


def take_away(office: Office) -> list[str]:
    """Take a route away as CSV; return its rows."""
    page = office.page
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as saved:
        page.get_by_role("menuitem", name="CSV").click()
    return saved.value.path().read_text(encoding="utf-8").splitlines()


def test_api_credentials_take_a_route_away_as_members_do(office: Office) -> None:
    route = office.add_route("Van", {"orderName": "#1"}, {"orderName": "#2"})
    office.open(f"route/{route}")
    office.sign_in()
    expect(office.page.get_by_role("heading", name="Van")).to_be_visible()
    assert len(take_away(office)) == 3
    with office.page.expect_download() as saved:
        office.page.get_by_role("button", name="Print").click()
    assert saved.value.suggested_filename == "Van.html"
    assert "#2" in saved.value.path().read_text(encoding="utf-8")


def test_whoever_may_only_look_takes_a_route_away_and_changes_nothing(office: Office) -> None:
    route = office.add_route("Van", {"orderName": "#1"})
    page = accept(office, "look@example.com", Role.VIEWER)
    office.open(f"route/{route}")
    expect(page.get_by_role("heading", name="Van")).to_be_visible()
    assert len(take_away(office)) == 2
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    for name in ("Reoptimize", "Archive", "Delete", "Assign driver"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)


def test_a_route_that_should_have_left_is_an_exception(office: Office) -> None:
    route = office.add_route("Van", {"orderName": "#1"}, scheduledFor=LONG_AGO)
    office.post(f"/routes/{route}/reoptimize", {})
    page = accept(office, "plan@example.com")
    office.open("day/2024-07-01")
    item = page.locator(f"[data-route={route}]")
    expect(item).to_contain_text("should have left at 14:00")
    expect(item).to_contain_text("back")
    expect(item).not_to_contain_text("on time")
    page.get_by_role("link", name="Exceptions").click()
    shown = page.get_by_role("region", name="Exceptions")
    expect(shown.get_by_role("listitem")).to_contain_text("should have left at 14:00")
    shown.get_by_role("link", name="Van").click()
    expect(page.get_by_role("heading", name="Van")).to_be_visible()


def test_a_driver_who_has_not_signed_up_is_said_to_be_invited(office: Office) -> None:
    office.post("/drivers", {"firstName": "Ann", "lastName": "New", "phone": "+14105550101"})
    office.add_route("Van", {"orderName": "#1"}, scheduledFor="2030-05-06T08:00:00Z")
    page = accept(office, "plan@example.com")
    office.open("day/2030-05-06")
    page.get_by_role("button", name="Assign driver").click()
    choice = page.get_by_role("dialog").get_by_role("button", name="Ann New", exact=True)
    expect(choice).to_have_accessible_description("Invited")
    expect(choice).to_contain_text("Invited")
    choice.click()
    expect(page.get_by_role("region", name="Routes")).to_contain_text("Ann New")
    said = "Ann New has not taken up the invitation yet. Drivers: Invite"
    page.get_by_role("button", name="Dispatch", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text(said)
    page.get_by_role("button", name="Send routes").click()
    dialog = page.get_by_role("dialog", name="Send routes")
    dialog.get_by_role("button", name="Send 1 route").click()
    expect(dialog.get_by_role("alert")).to_have_text(f"Van: {said}")


def test_an_address_that_is_not_found_stays_in_the_dialog_with_why(office: Office) -> None:
    office.post("/stops/imports", [{"coordinates": {"latitude": 39.3, "longitude": -76.6}}])
    page = accept(office, "plan@example.com")
    page.get_by_role("region", name="Not on a route").get_by_role("link", name="Stop").click()
    page.get_by_role("button", name="Fix location").click()
    dialog = page.get_by_role("dialog", name="Fix location")
    typed = dialog.get_by_role("textbox", name="Address or coordinates")
    typed.fill("99 Qwrtzxy, Vbnmqwx")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).not_to_be_empty()
    expect(typed).to_have_value("99 Qwrtzxy, Vbnmqwx")
    typed.fill("39.31, -76.61")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
