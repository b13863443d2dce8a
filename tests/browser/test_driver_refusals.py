"""What the service refuses is said until its driver has read why; then it stays listed."""

from playwright.sync_api import Page, Route, expect
from tests.browser.office import Office
from tests.browser.test_driver_app import UNDO_MS, Handset, dispatched, handset, start

__all__ = ["handset"]


def send_what_no_door_knows(handset: Handset) -> None:
    """Have arrivals reach the service as a kind that it does not know, as of a newer app."""

    def change(route: Route) -> None:
        body = route.request.post_data or ""
        route.continue_(post_data=body.replace("STOP_ARRIVED", "STOP_CIRCLED"))

    handset.context.route("**/driver/api/actions", change)


def arrive(page: Page, stop: str) -> None:
    page.get_by_role("link", name=stop, exact=True).click()
    page.get_by_role("button", name="At the door").click()
    expect(page.get_by_text(f"At the door {stop} recorded")).to_be_visible()
    page.get_by_role("button", name="Back").click()
    page.get_by_role("button", name="Sync details").click()


def test_what_was_refused_is_put_away_once_it_is_read_and_stays_listed(
    office: Office, handset: Handset
) -> None:
    dispatched(office, handset, {"orderName": "#1"}, {"orderName": "#2"})
    page = handset.page
    start(page)
    send_what_no_door_knows(handset)
    arrive(page, "#1")
    said = page.get_by_role("link", name="refused: look")
    page.clock.fast_forward(UNDO_MS)
    expect(said).to_have_text("1 refused: look")
    first = page.get_by_role("list", name="Actions").get_by_role("listitem").filter(has_text="#1")
    expect(first).to_contain_text("Refused")
    expect(first).to_contain_text("kind must be one of")  # the reason, in the service's words
    page.get_by_role("button", name="I have read it").click()
    expect(said).to_have_count(0)
    expect(page.get_by_role("button", name="I have read it")).to_have_count(0)
    expect(first).to_contain_text("Refused")
    page.reload()
    expect(first).to_contain_text("Refused")
    expect(said).to_have_count(0)
    page.get_by_role("button", name="Back").click()
    arrive(page, "#2")
    page.clock.fast_forward(UNDO_MS)
    expect(said).to_have_text("1 refused: look")
    unread = page.get_by_role("list", name="Actions").get_by_role("listitem").first
    expect(unread).to_contain_text("#2")
