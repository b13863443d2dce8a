"""What a planner is shown when the stream is cut, the server dies, a session ends, a disk is full.

It is said in words, nothing that was done or typed is lost, and work goes on when it is over.
"""

import re
import resource
import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect
from tests.browser.conftest import Browsers
from tests.browser.driver_storm import Server
from tests.browser.office import House, Office
from tests.browser.test_console import button, region
from tests.browser.test_members import PASSWORD, accept

pytestmark = pytest.mark.spec("doors 4.1")

DAY = "2030-05-06"
LITTLE_BYTES = 4_096
"""What a file may grow to where the disk is full: less than the server's log and database have."""

SILENCE = "The server does not answer"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("house")
    server = Server(data, f"sqlite:///{data / 'roundsman.db'}")
    yield server
    server.end()


@pytest.fixture(scope="module")
def house(server: Server, browsers: Browsers, browser_program: str) -> Iterator[House]:
    with browsers.lent(browser_program) as browser:
        yield House(server.address, server.url, server.data, browser, browsers.playwright)


def open_two_routes(office: Office, email: str) -> tuple[Page, str, str]:
    """Return a planner's page of a day with two routes, and the ids of these."""
    page = accept(office, email)
    when = f"{DAY}T08:00:00Z"
    names = [{"orderName": f"#{number}"} for number in (1, 2, 3)]
    harbour = office.add_route("Harbour", *names, scheduledFor=when)
    hills = office.add_route("Hills", {"orderName": "#4"}, scheduledFor=when)
    office.open(f"day/{DAY}")
    page.get_by_role("radio", name="Board").check()
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    expect_stops(page, 3, 1)
    return page, harbour, hills


def expect_stops(page: Page, *counts: int) -> None:
    board = page.get_by_role("group", name="Board")
    for name, count in zip(("Harbour", "Hills"), counts, strict=True):
        lane = board.get_by_role("region", name=name)
        expect(lane.get_by_role("listitem")).to_have_count(count)


def move(page: Page, name: str, target: str) -> None:
    open_move(page, name)
    press_target(page, target)


def open_move(page: Page, name: str) -> None:
    stop = page.get_by_role("group", name="Board").get_by_role("listitem").filter(has_text=name)
    button(stop, "Move to…").click()


def press_target(page: Page, target: str) -> None:
    dialog = page.get_by_role("dialog", name="Move stop")
    dialog.get_by_role("button", name=re.compile(f"^{target}")).click()
    expect(dialog).to_be_hidden()


def move_after_the_session(page: Page, name: str, target: str) -> None:
    """Press where a stop goes; the session ends before that comes to the server."""
    open_move(page, name)

    def end_before(route: Route) -> None:
        end_sessions(page)
        route.continue_()

    page.route("**/transfers", end_before, times=1)
    press_target(page, target)


def cut_stream(page: Page) -> None:
    """End the stream of changes and let none begin; everything else is answered."""
    page.route("**/changes*", lambda route: route.abort())
    page.context.set_offline(True)
    expect(page.get_by_text(re.compile(r"As of \d\d:\d\d"))).to_be_visible()
    page.context.set_offline(False)


def count_stops(office: Office, *routes: str) -> list[int]:
    return [len(office.stop_ids(id_)) for id_ in routes]


def test_a_cut_stream_is_said_and_what_came_meanwhile_is_shown_after_it(office: Office) -> None:
    page, harbour, hills = open_two_routes(office, "cut@example.com")
    cut_stream(page)
    stop = office.stop_ids(harbour)[0]
    office.post("/routes/transfers", {"moves": [{"stopId": stop, "toRouteId": hills}]})
    move(page, "#2", "Hills")  # what is pressed works without the stream
    expect_stops(page, 1, 3)
    expect(page.get_by_text(re.compile(r"As of \d\d:\d\d"))).to_be_visible()
    page.unroute("**/changes*")
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    assert count_stops(office, harbour, hills) == [1, 3]


def test_a_server_that_dies_is_said_and_what_was_pressed_is_done_once(
    office: Office, server: Server
) -> None:
    page, harbour, hills = open_two_routes(office, "killed@example.com")
    move(page, "#1", "Hills")
    expect_stops(page, 2, 2)
    server.end(signal.SIGKILL)
    button(page, "Undo").click()
    expect(page.get_by_role("alert")).to_contain_text(SILENCE)
    expect(page.get_by_text(re.compile(r"As of \d\d:\d\d"))).to_be_visible()
    expect_stops(page, 2, 2)  # what was known stays on the screen
    server.start()
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    button(page, "Undo").click()  # what could not be taken back then can be now
    expect_stops(page, 3, 1)
    assert count_stops(office, harbour, hills) == [3, 1]
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_change_whose_answer_was_lost_is_made_once(office: Office) -> None:
    page, harbour, hills = open_two_routes(office, "answer@example.com")
    lost: list[int] = []

    def lose_the_answer(route: Route) -> None:
        """Let it be made, and drop what the server said."""
        if route.request.method != "POST" or lost:
            route.continue_()
            return
        lost.append(route.fetch().status)
        route.abort()

    page.route("**/routes/transfers", lose_the_answer)
    day = {"year": 2030, "month": 5, "day": 6}
    place = {"latitude": 39.31, "longitude": -76.61}
    office.post("/stops/imports", [{"orderName": "#5", "deliveryDate": day, "coordinates": place}])
    pool = region(page, "Not on a route")
    expect(pool).to_contain_text("#5")
    button(pool.get_by_role("listitem").filter(has_text="#5"), "Move to…").click()
    dialog = page.get_by_role("dialog", name="Move stop")
    dialog.get_by_role("button", name=re.compile("^Hills")).click()
    expect_stops(page, 3, 2)
    expect(page.get_by_role("alert")).to_have_count(0)
    assert lost == [200]
    assert count_stops(office, harbour, hills) == [3, 2]


def test_a_change_whose_answer_was_lost_before_the_session_ended_is_made_once(
    office: Office,
) -> None:
    page, harbour, hills = open_two_routes(office, "both@example.com")
    lost: list[int] = []

    def lose_the_answer(route: Route) -> None:
        """Let it be made, drop what the server said, and end the session."""
        lost.append(route.fetch().status)
        end_sessions(page)
        route.abort()

    page.get_by_role("link", name="Drivers").click()
    button(page, "Invite driver").click()
    dialog = page.get_by_role("dialog", name="Invite driver")
    dialog.get_by_role("textbox", name="First name").fill("Ama")
    page.route("**/drivers", lose_the_answer, times=1)
    button(dialog, "Invite").click()
    sign_in_again(page, "both@example.com")
    expect(dialog.get_by_role("textbox", name="Invite link")).to_be_visible()
    assert lost == [200]
    assert len(office.http.get("/drivers").json()["drivers"]) == 1
    assert count_stops(office, harbour, hills) == [3, 1]


def end_sessions(page: Page) -> None:
    """Sign the member out, as another tab of theirs would."""
    session = f"{page.url.partition('/console')[0]}/members/api/session"
    csrf = page.request.get(session).json()["csrfToken"]
    assert page.request.delete(session, headers={"X-CSRF-Token": csrf}).ok


def sign_in_again(page: Page, email: str) -> None:
    cover = page.get_by_role("dialog", name="Sign in")
    expect(cover.get_by_role("alert")).to_contain_text("You have been signed out.")
    cover.get_by_role("textbox", name="E-mail").fill(email)
    cover.get_by_label("Password").fill(PASSWORD)
    button(cover, "Sign in").click()
    expect(cover).to_be_hidden()


def test_a_session_that_ends_keeps_what_was_pressed_and_can_be_taken_back(office: Office) -> None:
    page, harbour, hills = open_two_routes(office, "over@example.com")
    move(page, "#1", "Hills")
    expect_stops(page, 2, 2)
    move_after_the_session(page, "#2", "Hills")
    sign_in_again(page, "over@example.com")
    expect_stops(page, 1, 3)  # it is done as soon as it may be
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    for counts in ((2, 2), (3, 1)):
        page.keyboard.press("Control+z")
        expect_stops(page, *counts)
    assert count_stops(office, harbour, hills) == [3, 1]


def test_a_session_that_ends_while_something_is_typed_keeps_it(office: Office) -> None:
    page, harbour, _ = open_two_routes(office, "typed@example.com")
    page.get_by_role("link", name="Drivers").click()
    button(page, "Invite driver").click()
    dialog = page.get_by_role("dialog", name="Invite driver")
    dialog.get_by_role("textbox", name="First name").fill("Ama")
    end_sessions(page)
    button(dialog, "Invite").click()
    sign_in_again(page, "typed@example.com")
    expect(dialog.get_by_role("textbox", name="Invite link")).to_be_visible()
    assert [one["firstName"] for one in office.http.get("/drivers").json()["drivers"]] == ["Ama"]
    assert count_stops(office, harbour) == [3]


def test_who_signs_in_after_somebody_else_has_nothing_of_theirs(office: Office) -> None:
    office.page.goto(office.invite("second@example.com"))
    office.page.get_by_label("Password").fill(PASSWORD)
    office.page.get_by_role("button", name="Accept").click()
    office.page.wait_for_url("**/console*")
    page, harbour, hills = open_two_routes(office, "first@example.com")
    move(page, "#1", "Hills")
    expect_stops(page, 2, 2)
    move_after_the_session(page, "#2", "Hills")
    sign_in_again(page, "second@example.com")
    page.get_by_role("link", name="Harbour").first.wait_for()
    page.keyboard.press("2")
    expect_stops(page, 2, 2)  # what the first pressed is not done in the name of the second
    expect(button(page, "Undo")).to_be_disabled()
    assert count_stops(office, harbour, hills) == [2, 2]


def test_a_second_tab_that_signs_in_again_brings_the_first_back(office: Office) -> None:
    context = office.page.context.browser.new_context()  # type: ignore[union-attr]
    office.page = context.new_page()
    page, harbour, hills = open_two_routes(office, "tabs@example.com")
    move(page, "#1", "Hills")
    expect_stops(page, 2, 2)
    cut_stream(page)
    other = context.new_page()
    other.goto(page.url)
    other.get_by_role("link", name="Harbour").first.wait_for()
    end_sessions(page)
    other.evaluate("location.hash = '#/drivers'")  # the form may cover its links by now
    sign_in_again(other, "tabs@example.com")
    other.close()
    page.unroute("**/changes*")
    button(page, "Undo").click()  # with the token of the session before
    expect_stops(page, 3, 1)
    expect(page.get_by_role("alert")).to_have_count(0)
    assert count_stops(office, harbour, hills) == [3, 1]


def test_a_full_disk_is_said_and_work_goes_on_when_there_is_room(
    office: Office, server: Server
) -> None:
    page, harbour, hills = open_two_routes(office, "full@example.com")
    usual = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (LITTLE_BYTES, usual[1]))
    move(page, "#1", "Hills")
    words = "database's disk cannot be read or written; nothing was changed"
    expect(page.get_by_role("alert")).to_contain_text(words)
    expect_stops(page, 3, 1)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, usual)
    move(page, "#1", "Hills")
    expect_stops(page, 2, 2)
    expect(page.get_by_role("alert")).to_have_count(0)
    assert count_stops(office, harbour, hills) == [2, 2]


def test_a_browser_that_can_keep_nothing_works_until_it_is_reloaded(office: Office) -> None:
    page = office.page
    page.add_init_script(
        """Object.defineProperty(Storage.prototype, 'setItem', {
            value() { throw new DOMException('full', 'QuotaExceededError'); },
        });"""
    )
    office.add_route("Harbour", {"orderName": "#1"}, scheduledFor=f"{DAY}T08:00:00Z")
    office.open(f"day/{DAY}")
    office.sign_in()
    expect(page.get_by_role("link", name="Harbour").first).to_be_visible()
    page.keyboard.press("2")
    expect(page.get_by_role("radio", name="Board")).to_be_checked()
    page.get_by_role("link", name="Drivers").click()
    expect(page.get_by_role("heading", name="Drivers")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
