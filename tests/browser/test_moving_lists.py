"""Others change the day while somebody presses: what is pressed is what the finger went down on."""

import pytest
from playwright.sync_api import Route, expect
from tests.browser.office import Office
from tests.browser.test_members import accept

pytestmark = pytest.mark.spec("doors 4.1")

DAY = "2030-05-06"
SOME_FRAMES_MS = 100


def test_a_list_does_not_move_under_a_press(office: Office) -> None:
    office.page.clock.install()
    page = accept(office, "press@example.com")
    when = f"{DAY}T08:00:00Z"
    harbour = office.add_route(
        "Harbour", *({"orderName": f"#{number}"} for number in (1, 2, 3)), scheduledFor=when
    )
    office.add_route("Hills", scheduledFor=when)
    office.open(f"day/{DAY}")
    page.get_by_role("radio", name="Board").check(force=True)
    stops = page.get_by_role("region", name="Harbour").get_by_role("listitem")
    expect(stops).to_have_count(3)
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    stops.nth(1).hover()
    stops.nth(1).get_by_role("button", name="Move to…").hover()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(f"**/days/{DAY}", hold, times=1)
    with page.expect_request(f"**/days/{DAY}"):
        first = office.stop_ids(harbour)[0]
        office.post("/routes/transfers", {"moves": [{"stopId": first, "fromRouteId": harbour}]})
    # Time stands still for the page, which takes a press of three seconds for one without an end.
    page.clock.pause_at(page.evaluate("Date.now()") / 1_000 + 1)
    page.mouse.down()
    with page.expect_event("requestfinished", lambda one: one.url.endswith(DAY)):
        held[0].continue_()
    page.clock.run_for(SOME_FRAMES_MS)
    page.mouse.up()
    page.clock.resume()
    expect(page.get_by_role("dialog", name="Move stop")).to_contain_text("#2")
    expect(stops).to_have_count(2)  # the list has what is new when the press is over
