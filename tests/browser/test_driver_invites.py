"""A link that is opened without a network is not declared dead, and bars nobody from the app."""

from playwright.sync_api import expect
from tests.browser.office import Office
from tests.browser.test_driver_app import Handset, dispatched, handset, invite

__all__ = ["handset"]


def test_a_link_opened_in_a_dead_zone_waits_for_the_network_and_leaves_the_app_open(
    office: Office, handset: Handset
) -> None:
    dispatched(office, handset, {"orderName": "#1"})
    page = handset.page
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    _, url = invite(office, "Ben")
    handset.context.set_offline(True)
    page.goto(url)
    expect(page.get_by_role("heading", name="This link could not be opened yet")).to_be_visible()
    expect(page.get_by_text("Ask your planner")).to_have_count(0)
    page.get_by_role("button", name="Open the app").click()
    expect(page.get_by_role("list", name="Routes")).to_contain_text("Van 1")
    page.goto(url)
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    handset.context.set_offline(False)
    expect(page.get_by_role("heading", name="Hello Ben")).to_be_visible(timeout=20_000)
