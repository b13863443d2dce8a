"""Drivers who share a phone: what one recorded arrives as theirs, whoever signs in next."""

from pathlib import Path

from playwright.sync_api import expect
from tests.browser.office import Office
from tests.browser.test_driver_app import Handset, dispatched, handset, invite, photo, start
from tests.support.waiting import wait_until

__all__ = ["handset"]


def test_a_picture_arrives_as_its_drivers_when_another_of_the_same_name_takes_the_phone(
    office: Office, handset: Handset, tmp_path: Path
) -> None:
    route = dispatched(office, handset, {"orderName": "#1"}, {"orderName": "#2"})
    page = handset.page
    start(page)
    handset.context.route("**/driver/api/uploads/**", lambda route: route.fulfill(status=503))
    page.get_by_role("link", name="#1").click()
    page.get_by_label("Photo", exact=True).set_input_files(photo(tmp_path))
    expect(page.get_by_role("img", name="Photo 1")).to_be_visible()
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_role("status")).to_have_text("1 picture waiting")

    page.goto(invite(office)[1])  # of another Ama Mensah
    expect(page.get_by_role("alert")).to_contain_text("1 of Ama Mensah's actions or pictures")
    expect(page.get_by_role("button", name="Accept")).to_have_count(0)
    page.get_by_role("button", name="Keep them and go on").click()
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("heading", name="Routes")).to_be_visible()
    page.get_by_role("button", name="Sync details").click()
    held = page.get_by_text("Not sent yet on this phone: 1 of Ama Mensah's")
    expect(held).to_be_visible()
    expect(page.get_by_text("Nothing recorded yet")).to_be_visible()
    handset.context.unroute("**/driver/api/uploads/**")
    page.get_by_role("button", name="Send now").click()
    expect(held).to_have_count(0)

    def has_arrived() -> bool:
        first = office.http.get(f"/routes/{route}").json()["stops"][0]
        return len(first["proofOfDeliveryPhotos"]) == 1

    wait_until(has_arrived)


def test_the_phone_of_an_archived_driver_can_be_given_to_another_and_forgets_nothing(
    office: Office, handset: Handset
) -> None:
    route = dispatched(office, handset, {"orderName": "#1"}, {"orderName": "#2"})
    page = handset.page
    start(page)
    handset.context.set_offline(True)
    page.get_by_role("link", name="#1").click()
    page.get_by_role("button", name="Delivered").click()
    expect(page.get_by_role("status")).to_have_text("1 waiting, no network")
    driver = office.http.get(f"/routes/{route}").json()["driver"]["id"]
    office.post(f"/drivers/{driver}/archive", {})
    handset.context.set_offline(False)
    expect(page.get_by_text("This phone is signed out")).to_be_visible()
    page.get_by_role("button", name="Sync details").click()
    expect(page.get_by_text("Nobody sees where you are: this phone is signed out.")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("alert")).to_contain_text("Somebody else may open a link of their own")

    page.goto(invite(office, "Ivy")[1])
    expect(page.get_by_role("alert")).to_contain_text("Ama Mensah is signed out")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Export").click()
    assert "STOP_DELIVERED" in saved.value.path().read_text()
    page.get_by_role("button", name="Keep them and go on").click()
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("status")).to_have_text("All sent")
    page.reload()
    page.get_by_role("button", name="Sync details").click()
    expect(page.get_by_text("Not sent yet on this phone: 1 of Ama Mensah's")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Export").click()
    assert "STOP_DELIVERED" in saved.value.path().read_text()
