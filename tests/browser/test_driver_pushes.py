"""A phone shows a notice when a planner changes a route, though the app is closed."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import find_chromium
from tests.browser.office import House, Office
from tests.browser.test_driver_app import Handset, dispatched, handset, sign_up, start
from tests.support.waiting import wait_until
from tests.webhooks.receiver import Receiver

__all__ = ["handset"]

pytestmark = pytest.mark.spec("doors 4.3")

# A browser without an account at a push service can subscribe nowhere: this is where it would have.
_SUBSCRIBES = """(endpoint) => {
  let made = null;
  const subscription = { endpoint, unsubscribe: async () => { made = null; return true; } };
  PushManager.prototype.getSubscription = async () => made;
  PushManager.prototype.subscribe = async (asked) => {
    if (!asked.userVisibleOnly || asked.applicationServerKey.length !== 87) throw new Error("no");
    made = subscription;
    return made;
  };
}"""
_SHOWN = """async () => {
  const [registration] = await navigator.serviceWorker.getRegistrations();
  const notices = await registration.getNotifications();
  return notices.map((one) => [one.title, one.body, one.tag, one.silent]);
}"""


@pytest.fixture(scope="module")
def browser_program() -> str:
    return find_chromium(whole=True)


@pytest.fixture
def service() -> Iterator[Receiver]:
    """What a browser's maker runs, which takes signals for phones."""
    with Receiver().listening() as listening:
        yield listening


NOTICE = ["Your route has changed", "Open the app to see what is new.", "route"]


def shown(phone: Handset) -> list[list[object]]:
    return list(phone.page.evaluate(_SHOWN))


def leave_app(phone: Handset, address: str) -> None:
    """Go to a page of the server that is not the app, so that nobody looks at it."""
    phone.page.goto(f"{address}/api/2024-07/openapi.json")


def registration_of(phone: Handset) -> str:
    """Return under which number the browser knows the app's service worker."""
    session = phone.context.new_cdp_session(phone.page)
    found: list[str] = []

    def note(told: dict[str, list[dict[str, str]]]) -> None:
        found.extend(one["registrationId"] for one in told["registrations"])

    session.on("ServiceWorker.workerRegistrationUpdated", note)
    session.send("ServiceWorker.enable")

    def is_known() -> bool:
        phone.page.title()  # events come in while the browser is asked something
        return bool(found)

    wait_until(is_known)
    session.detach()
    return found[0]


def push(phone: Handset, address: str, registration: str) -> None:
    """Have the push service's signal arrive at the browser."""
    session = phone.context.new_cdp_session(phone.page)
    session.send("ServiceWorker.enable")
    signal = {"origin": address, "registrationId": registration, "data": ""}
    session.send("ServiceWorker.deliverPushMessage", signal)
    session.detach()


def test_a_planners_change_reaches_a_phone_and_is_shown(
    house: House, office: Office, handset: Handset, service: Receiver
) -> None:
    page = handset.page
    page.add_init_script(f"({_SUBSCRIBES})({service.url('/phone')!r})")
    handset.context.grant_permissions(["notifications"], origin=house.address)
    route = dispatched(office, handset, {"orderName": "#1"}, {"orderName": "#2"})
    start(page)
    page.get_by_role("button", name="Sync details").click()
    notices = page.get_by_role("region", name="Notices")
    notices.get_by_role("button", name="Show notices").click()
    expect(notices).to_contain_text("This phone shows a notice")
    body = {"route": {"name": "Harbour first"}, "updateMask": "name"}
    assert office.http.patch(f"/routes/{route}", json=body).status_code == 200
    (signal,) = service.wait_for(1)
    assert (signal.path, signal.body) == ("/phone", b"")
    assert signal.headers["authorization"].startswith("vapid t=")

    page.evaluate("async () => { await navigator.serviceWorker.ready; }")  # or it takes no signal
    registration = registration_of(handset)
    push(handset, house.address, registration)
    wait_until(lambda: shown(handset) == [[*NOTICE, True]])  # who looks at the app hears nothing
    leave_app(handset, house.address)
    push(handset, house.address, registration)
    wait_until(lambda: shown(handset) == [[*NOTICE, False]])
    page.goto(f"{house.address}/driver")
    page.get_by_role("button", name="Sync details").click()
    notices.get_by_role("button", name="Show no notices").click()
    expect(notices.get_by_role("button", name="Show notices")).to_be_visible()


def test_notices_that_the_browser_blocks_later_are_not_said_to_be_shown(
    house: House, office: Office, handset: Handset, service: Receiver
) -> None:
    page = handset.page
    page.add_init_script(f"({_SUBSCRIBES})({service.url('/phone')!r})")
    handset.context.grant_permissions(["notifications"], origin=house.address)
    sign_up(office, handset)
    page.get_by_role("button", name="Sync details").click()
    notices = page.get_by_role("region", name="Notices")
    notices.get_by_role("button", name="Show notices").click()
    expect(notices).to_contain_text("This phone shows a notice")
    session = handset.context.new_cdp_session(page)

    def set_permission(setting: str) -> None:
        asked = {"permission": {"name": "notifications"}, "origin": house.address}
        session.send("Browser.setPermission", {**asked, "setting": setting})

    set_permission("denied")
    expect(notices).to_contain_text("This phone blocks notices of this app.")
    expect(notices).not_to_contain_text("This phone shows a notice")
    page.reload()
    expect(notices).to_contain_text("This phone blocks notices of this app.")
    set_permission("granted")
    expect(notices).to_contain_text("This phone shows a notice")
    expect(notices).not_to_contain_text("blocks")
