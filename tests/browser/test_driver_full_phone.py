"""A phone whose storage is full goes on: it shows, sends, and says what it cannot keep."""

from pathlib import Path

from playwright.sync_api import expect
from tests.browser.office import House, Office
from tests.browser.test_driver_app import (
    Handset,
    dispatched,
    expect_sent,
    handset,
    photo,
    start,
)

__all__ = ["handset"]

_USED = "() => navigator.storage.estimate().then(({ usage }) => usage)"


class Disk:
    """What the browser may keep; a limit ends with the session that has set it."""

    def __init__(self, handset: Handset, house: House) -> None:
        self.page = handset.page
        self.session = handset.context.new_cdp_session(handset.page)
        self.origin = house.address

    def fill(self) -> None:
        """Have less room than is used by now."""
        quota = max(1, self.page.evaluate(_USED) - 100_000)
        self.session.send(
            "Storage.overrideQuotaForOrigin", {"origin": self.origin, "quotaSize": quota}
        )

    def empty(self) -> None:
        self.session.send("Storage.overrideQuotaForOrigin", {"origin": self.origin})


def delivered_in_a_dead_zone(office: Office, handset: Handset, folder: Path) -> str:
    """Return a route of two stops, of which the first waits on the phone as delivered."""
    route = dispatched(office, handset, {"orderName": "#1"}, {"orderName": "#2"})
    page = handset.page
    start(page)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    handset.context.set_offline(True)
    page.get_by_role("link", name="#1").click()
    page.get_by_label("Photo", exact=True).set_input_files(photo(folder))
    expect(page.get_by_role("img", name="Photo 1")).to_be_visible()
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_role("heading", name="#2")).to_be_visible()
    return route


def test_a_full_phone_sends_what_waits_and_says_that_it_is_full(
    house: House, office: Office, handset: Handset, tmp_path: Path
) -> None:
    route = delivered_in_a_dead_zone(office, handset, tmp_path)
    # A browser looks at the disk when it writes first, and then every half minute.
    handset.kill()
    handset.start()
    page = handset.page
    page.goto(f"{house.address}/api/2024-07/openapi.json")
    disk = Disk(handset, house)
    disk.fill()
    handset.context.set_offline(True)
    page.goto(f"{house.address}/driver")
    page.get_by_role("link", name="#2").click()
    full = page.get_by_role("alert").filter(has_text="The phone is full. Nothing new")
    page.get_by_label("Photo", exact=True).set_input_files(photo(tmp_path))
    expect(full).to_be_visible()
    expect(page.get_by_text("free some space before you take pictures")).to_be_visible()
    expect(page.get_by_label("Photo", exact=True)).to_have_count(0)

    handset.context.set_offline(False)
    expect_sent(page)
    first = office.http.get(f"/routes/{route}").json()["stops"][0]
    assert first["deliveryStatus"] == "DELIVERED"
    assert len(first["proofOfDeliveryPhotos"]) == 1
    expect(page.get_by_role("heading", name="#2")).to_be_visible()  # and not a page that says sorry
    disk.empty()
    page.get_by_role("button", name="Delivered").click()
    expect(full).to_have_count(0)
    expect_sent(page)
