"""What a planner says of a stop by hand: corrected, taken back, and refused where it is wrong."""

import re
from functools import partial

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from tests.browser.office import Office
from tests.browser.test_members import accept
from tests.support.waiting import wait_until

from roundsman.domain.principal import Role

pytestmark = pytest.mark.spec("doors 4.1")

DAY = "2030-05-06"
PLACE = {"latitude": 39.3, "longitude": -76.6}
STOP = {
    "orderName": "#7",
    "coordinates": PLACE,
    "contact": {"firstName": "Ann", "phone": "+14105550123"},
    "duration": "90s",
    "timeWindows": [{"start": {"hours": 9}, "end": {"hours": 12}}],
}


def open_route_stop(office: Office) -> tuple[Locator, str]:
    """Return the region of the one stop of a route, and the path of the stop."""
    route = office.add_route("Harbour", STOP, scheduledFor=f"{DAY}T08:00:00Z")
    (stop,) = office.stop_ids(route)
    office.open(f"route/{route}/stop/{stop}")
    return office.page.get_by_role("region", name="Stop"), f"/routes/{route}/stops/{stop}"


def open_loose_stop(office: Office) -> tuple[Locator, str]:
    (stop,) = office.post("/stops/imports", [{**STOP, "deliveryDate": day_of(DAY)}])["stops"]
    office.open(f"unrouted/{stop['id']}")
    return office.page.get_by_role("region", name="Stop"), f"/stops/imports/{stop['id']}"


def day_of(day: str) -> dict[str, int]:
    return dict(zip(("year", "month", "day"), map(int, day.split("-")), strict=True))


def edit(page: Page, shown: Locator) -> Locator:
    shown.get_by_role("button", name="Edit").click()
    return page.get_by_role("dialog", name="Edit stop")


def body_of(page: Page, dialog: Locator, button: str = "Save") -> dict[str, object]:
    with page.expect_request(lambda one: one.method == "PATCH") as sent:
        dialog.get_by_role("button", name=button).click()
    body = sent.value.post_data_json
    assert isinstance(body, dict)
    return body


@pytest.mark.parametrize("where", ["route", "pool"])
def test_what_is_said_of_a_stop_is_corrected_and_taken_back(office: Office, where: str) -> None:
    page = accept(office, f"edits.{where}@example.com")
    shown, path = (open_route_stop if where == "route" else open_loose_stop)(office)
    before = office.http.get(path).json()
    dialog = edit(page, shown)
    expect(dialog.get_by_label("Minutes at the stop")).to_have_value("1.5")
    dialog.get_by_label("Note").fill("Ring twice")
    dialog.get_by_label("Phone").fill("+1 (410) 555-0199")
    dialog.get_by_label("Company").fill("Harbour Café")
    dialog.get_by_role("button", name="Add window").click()
    dialog.get_by_label("From").nth(1).fill("14:00")
    body = body_of(page, dialog)
    assert sorted(str(body["updateMask"]).split(",")) == ["contact", "note", "timeWindows"]
    expect(dialog).to_be_hidden()
    expect(shown).to_contain_text(re.compile("09:00.12:00, from 14:00"))
    expect(shown).to_contain_text("Ring twice")
    after = office.http.get(path).json()
    assert after["contact"] == {
        **before["contact"],
        "phone": "+14105550199",
        "company": "Harbour Café",
    }
    assert (after["duration"], after["orderName"]) == ("90s", "#7")
    page.keyboard.press("Control+z")
    expect(shown).not_to_contain_text("Ring twice")
    again = office.http.get(path).json()
    for name in ("contact", "note", "timeWindows"):
        assert again[name] == before[name]
    page.keyboard.press("Control+Shift+z")
    expect(shown).to_contain_text("Ring twice")
    page.keyboard.press("Control+z")
    expect(shown).not_to_contain_text("Ring twice")


@pytest.mark.parametrize("where", ["route", "pool"])
def test_what_somebody_else_said_since_is_not_taken_back(office: Office, where: str) -> None:
    page = accept(office, f"edits.since.{where}@example.com")
    shown, path = (open_route_stop if where == "route" else open_loose_stop)(office)
    dialog = edit(page, shown)
    dialog.get_by_label("Note").fill("Ring twice")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    expect(shown).to_contain_text("Ring twice")
    field = "routeStop" if where == "route" else "importedStop"
    changed = {field: {"note": "Knock"}, "updateMask": "note"}
    assert office.http.patch(path, json=changed).status_code == 200
    page.keyboard.press("Control+z")
    expect(page.get_by_role("alert")).to_contain_text("changed meanwhile")
    assert office.http.get(path).json()["note"] == "Knock"


def test_a_stop_of_the_pool_gets_another_day_and_loses_what_is_emptied(office: Office) -> None:
    page = accept(office, "edits.day@example.com")
    shown, path = open_loose_stop(office)
    dialog = edit(page, shown)
    dialog.get_by_label("Day").fill("2030-05-07")
    for name in ("First name", "Phone", "Minutes at the stop"):
        dialog.get_by_label(name).fill("")
    dialog.get_by_role("button", name=re.compile("Take out 09:00")).click()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    kept = office.http.get(path).json()
    assert kept["deliveryDate"] == day_of("2030-05-07")
    assert kept["timeWindows"] == []
    assert {"contact", "duration"}.isdisjoint(kept)


def test_what_is_refused_is_said_at_its_field(office: Office) -> None:
    page = accept(office, "edits.refused@example.com")
    shown, path = open_route_stop(office)
    dialog = edit(page, shown)
    dialog.get_by_label("Note").fill("Ring twice")
    dialog.get_by_label("Phone").fill("555")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Phone: write it with its country")
    expect(page.get_by_role("alert")).to_have_count(1)
    expect(dialog.get_by_label("Phone")).to_have_attribute("aria-invalid", "true")
    expect(dialog.get_by_label("Note")).to_have_value("Ring twice")
    assert office.http.get(path).json()["note"] == ""
    dialog.get_by_label("Phone").fill("+14105550199")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    assert office.http.get(path).json()["contact"]["phone"] == "+14105550199"


def test_a_change_on_a_dispatched_route_says_who_sees_it(office: Office) -> None:
    page = accept(office, "edits.dispatched@example.com")
    phone = office.dispatch("Harbour", STOP)
    (stop,) = office.stop_ids(phone.route_id)
    path = f"/routes/{phone.route_id}/stops/{stop}"
    office.open(f"route/{phone.route_id}/stop/{stop}")
    shown = page.get_by_role("region", name="Stop")
    dialog = edit(page, shown)
    expect(dialog).to_contain_text("The driver of Harbour sees this at once.")
    dialog.get_by_label("Note").fill("Ring twice")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(shown).to_contain_text("Ring twice")
    assert office.http.get(path).json()["note"] == "Ring twice"


@pytest.mark.parametrize("where", ["route", "pool"])
def test_whoever_may_only_look_edits_nothing(office: Office, where: str) -> None:
    accept(office, f"edits.looks.{where}@example.com", Role.VIEWER)
    shown, _ = (open_route_stop if where == "route" else open_loose_stop)(office)
    expect(shown.get_by_text("+14105550123")).to_be_visible()
    for name in ("Edit", "Delete stop", "Keep its place"):
        expect(shown.get_by_role("button", name=name)).to_have_count(0)


def open_new_stop(office: Office, email: str) -> tuple[Locator, Locator]:
    """Return the list of what is on no route, and the dialog of a new stop of the day."""
    page = accept(office, email)
    office.open(f"day/{DAY}")
    loose = page.get_by_role("region", name="Not on a route")
    loose.get_by_role("button", name="New stop").click()
    dialog = page.get_by_role("dialog", name="New stop")
    expect(dialog.get_by_label("Day")).to_have_value(DAY)
    width = "one => one.scrollWidth - one.clientWidth"
    assert dialog.evaluate(width) <= 0
    return loose, dialog


def test_a_stop_that_somebody_rings_up_about_is_added_and_taken_back(office: Office) -> None:
    loose, dialog = open_new_stop(office, "adds@example.com")
    dialog.get_by_label("Address or coordinates").fill("39.3, -76.6")
    dialog.get_by_label("First name").fill("Zoe")
    dialog.get_by_label("Minutes at the stop").fill("4")
    with office.page.expect_request(lambda one: one.method == "POST") as sent:
        dialog.get_by_role("button", name="Add stop").click()
    assert sent.value.headers["idempotency-key"]
    expect(dialog).to_be_hidden()
    link = loose.get_by_role("link", name="Zoe")
    expect(link).to_be_visible()
    (stop,) = office.http.get("/stops/imports").json()["stops"]
    assert stop["deliveryDate"] == day_of(DAY)
    assert (stop["coordinates"], stop["duration"]) == (PLACE, "240s")
    office.page.get_by_role("button", name="Undo").click()
    expect(link).to_have_count(0)
    assert office.http.get("/stops/imports").json()["stops"] == []
    office.page.get_by_role("button", name="Redo").click()
    expect(link).to_be_visible()


def test_a_new_stop_that_is_on_a_route_by_now_is_not_taken_back(office: Office) -> None:
    loose, dialog = open_new_stop(office, "adds.routed@example.com")
    dialog.get_by_label("Address or coordinates").fill("39.3, -76.6")
    dialog.get_by_label("First name").fill("Zoe")
    dialog.get_by_role("button", name="Add stop").click()
    expect(loose.get_by_role("link", name="Zoe")).to_be_visible()
    (stop,) = office.http.get("/stops/imports").json()["stops"]
    route = office.add_route("Harbour", scheduledFor=f"{DAY}T08:00:00Z")
    office.post(f"/routes/{route}/stops", [{"importedStopId": stop["id"]}])
    office.page.get_by_role("button", name="Undo").click()
    expect(office.page.get_by_role("alert")).to_contain_text("Zoe is on a route by now")
    assert len(office.http.get("/stops/imports").json()["stops"]) == 1


def test_a_place_that_nobody_finds_is_said_at_its_field(office: Office) -> None:
    _, dialog = open_new_stop(office, "adds.nowhere@example.com")
    place = dialog.get_by_label("Address or coordinates")
    for text, words in (("Main Street", "Give an address such as"), ("1 Main St, Xyzzy", "Xyzzy")):
        place.fill(text)
        dialog.get_by_role("button", name="Add stop").click()
        expect(dialog.get_by_role("alert")).to_contain_text(words)
        expect(dialog.get_by_role("alert")).to_contain_text("Address or coordinates:")
        expect(place).to_have_attribute("aria-invalid", "true")
        expect(place).to_be_focused()
    assert office.http.get("/stops/imports").json()["stops"] == []
    place.fill("39.3, -76.6")
    dialog.get_by_role("button", name="Add stop").click()
    expect(dialog).to_be_hidden()
    assert len(office.http.get("/stops/imports").json()["stops"]) == 1


def test_whoever_may_only_look_adds_nothing(office: Office) -> None:
    page = accept(office, "adds.looks@example.com", Role.VIEWER)
    office.open(f"day/{DAY}")
    expect(page.get_by_text("View only")).to_be_visible()
    expect(page.get_by_role("region", name="Not on a route")).to_be_visible()
    expect(page.get_by_role("button", name="New stop")).to_have_count(0)


def test_a_stop_of_the_pool_is_deleted_when_asked_twice(office: Office) -> None:
    page = accept(office, "deletes@example.com")
    shown, path = open_loose_stop(office)
    office.open(f"day/{DAY}")
    link = page.get_by_role("region", name="Not on a route").get_by_role("link", name="Ann")
    link.click()
    shown.get_by_role("button", name="Delete stop").click()
    question = page.get_by_role("dialog", name="Delete stop")
    expect(question).to_contain_text("Ann is deleted for good.")
    question.get_by_role("button", name="Cancel").click()
    assert office.http.get(path).status_code == 200
    shown.get_by_role("button", name="Delete stop").click()
    question.get_by_role("button", name="Delete stop").click()
    expect(page.get_by_role("region", name="Not on a route")).to_be_visible()
    expect(link).to_have_count(0)
    assert office.http.get(path).status_code == 404


def test_a_stop_keeps_its_place_and_the_list_says_so(office: Office) -> None:
    page = accept(office, "locks@example.com")
    names = [{"orderName": f"#{number}"} for number in (1, 2, 3)]
    route = office.add_route("Harbour", *names, scheduledFor=f"{DAY}T08:00:00Z")
    second = office.stop_ids(route)[1]
    office.open(f"route/{route}/stop/{second}")
    toggle = page.get_by_role("region", name="Stop").get_by_role("button", name="Keep its place")
    item = page.get_by_role("list", name="Stops").get_by_role("listitem").nth(1)
    path = f"/routes/{route}/stops/{second}"
    expect(toggle).to_have_attribute("aria-pressed", "false")
    for key, state in (
        ("", "true"),
        ("Control+z", "false"),
        ("Control+Shift+z", "true"),
        ("", "false"),
    ):
        if key:
            page.keyboard.press(key)
        else:
            toggle.dblclick()  # which is one change
        expect(toggle).to_have_attribute("aria-pressed", state)
        assert office.http.get(path).json()["locked"] is (state == "true")
        expect(item.get_by_text("Keeps its place")).to_have_count(int(state == "true"))
        expect(page.get_by_role("alert")).to_have_count(0)


def test_a_new_stop_whose_answer_is_lost_is_added_once_as_it_was_typed(office: Office) -> None:
    loose, dialog = open_new_stop(office, "adds.lost@example.com")
    lost: list[Route] = []

    def lose(request: Route) -> None:
        if lost:
            return request.continue_()
        lost.append(request)
        request.fetch()
        return request.fulfill(status=502, body="{}", content_type="application/json")

    office.page.route("**/stops/imports", lose)
    dialog.get_by_label("Address or coordinates").fill("39.3, -76.6")
    dialog.get_by_label("First name").fill("Zoe")
    add = dialog.get_by_role("button", name="Add stop")
    add.click()
    expect(dialog.get_by_role("alert")).to_contain_text("not added twice")
    expect(dialog.get_by_label("First name")).to_be_disabled()
    add.click()
    expect(dialog).to_be_hidden()
    expect(loose.get_by_role("link", name="Zoe")).to_have_count(1)
    assert len(office.http.get("/stops/imports").json()["stops"]) == 1


def add_zoe(office: Office, email: str) -> tuple[Locator, str]:
    """Return the link of a stop that has just been added, and its path."""
    loose, dialog = open_new_stop(office, email)
    dialog.get_by_label("Address or coordinates").fill("39.3, -76.6")
    dialog.get_by_label("First name").fill("Zoe")
    dialog.get_by_role("button", name="Add stop").click()
    link = loose.get_by_role("link", name="Zoe")
    expect(link).to_be_visible()
    (stop,) = office.http.get("/stops/imports").json()["stops"]
    return link, f"/stops/imports/{stop['id']}"


def test_a_new_stop_that_somebody_has_corrected_since_is_not_taken_back(office: Office) -> None:
    _, path = add_zoe(office, "adds.since@example.com")
    changed = {"importedStop": {"note": "Ring twice"}, "updateMask": "note"}
    assert office.http.patch(path, json=changed).status_code == 200
    office.page.get_by_role("button", name="Undo").click()
    expect(office.page.get_by_role("alert")).to_contain_text("changed meanwhile")
    assert office.http.get(path).json()["note"] == "Ring twice"


def has_stops(office: Office, route: str, *, expected: bool) -> bool:
    """Tell whether both the route and the pool have stops, or neither has."""
    pool = office.http.get("/stops/imports").json()["stops"]
    return bool(pool) == bool(office.stop_ids(route)) == expected


def test_what_was_done_to_a_new_stop_is_done_again_after_it(office: Office) -> None:
    link, _ = add_zoe(office, "adds.again@example.com")
    page = office.page
    route = office.add_route("Harbour", scheduledFor=f"{DAY}T08:00:00Z")
    link.click()
    shown = page.get_by_role("region", name="Stop")
    dialog = edit(page, shown)
    dialog.get_by_label("Note").fill("Ring twice")
    dialog.get_by_role("button", name="Save").click()
    expect(shown).to_contain_text("Ring twice")
    shown.get_by_role("button", name="Move to…").click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Harbour")).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    office.open(f"day/{DAY}")
    for key, is_there in (("Undo", False), ("Redo", True)):
        button = page.get_by_role("button", name=key)
        for _ in range(3):
            button.click()
        wait_until(partial(has_stops, office, route, expected=is_there))
        expect(button).to_be_disabled()
        expect(page.get_by_role("alert")).to_have_count(0)
    (stop,) = office.http.get(f"/routes/{route}").json()["stops"]
    assert (stop["contact"]["firstName"], stop["note"]) == ("Zoe", "Ring twice")


@pytest.mark.parametrize("where", ["route", "pool"])
def test_a_correction_whose_answer_is_lost_is_made_and_can_be_taken_back(
    office: Office, where: str
) -> None:
    page = accept(office, f"edits.lost.{where}@example.com")
    shown, path = (open_route_stop if where == "route" else open_loose_stop)(office)
    before = office.http.get(path).json()
    lost: list[Route] = []

    def lose(request: Route) -> None:
        if request.request.method == "PATCH" and not lost:
            lost.append(request)
            request.fetch()
            request.abort()
        else:
            request.continue_()

    page.route(f"**{path}", lose)
    dialog = edit(page, shown)
    dialog.get_by_label("Phone").fill("+14105550199")
    dialog.get_by_label("Last name").fill("Ardmore")
    dialog.get_by_label("From").fill("10:00")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    expect(shown).to_contain_text("+14105550199")
    assert lost
    page.keyboard.press("Control+z")
    expect(shown).not_to_contain_text("+14105550199")
    after = office.http.get(path).json()
    assert (after["contact"], after["timeWindows"]) == (before["contact"], before["timeWindows"])


@pytest.mark.parametrize("answer", ["refused", "made"])
def test_what_comes_of_a_form_that_was_left_is_said_and_closes_no_other(
    office: Office, answer: str
) -> None:
    page = accept(office, f"edits.left.{answer}@example.com")
    shown, path = open_route_stop(office)
    held: list[Route] = []
    page.route(
        f"**{path}",
        lambda one: held.append(one) if one.request.method == "PATCH" else one.fallback(),
    )
    dialog = edit(page, shown)
    dialog.get_by_label("Note").fill("Ring twice")
    dialog.get_by_label("Phone").fill("555" if answer == "refused" else "+14105550199")
    with page.expect_request(lambda one: one.method == "PATCH"):
        dialog.get_by_role("button", name="Save").click()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    shown.get_by_role("button", name="Move to…").click()
    with page.expect_response("**/days/*"):  # what is shown is read when it has been answered
        held[0].continue_()
    if answer == "refused":
        expect(page.get_by_text("contact.phone")).to_be_attached()
    else:
        expect(page.get_by_text("Ring twice")).to_be_attached()
    expect(page.get_by_role("dialog", name="Move stop")).to_be_visible()


def test_a_dialog_that_was_left_before_its_answer_closes_no_other(office: Office) -> None:
    page = accept(office, "dialogs.left@example.com")
    held: list[Route] = []
    page.route(
        "**/routes",
        lambda one: held.append(one) if one.request.method == "POST" else one.fallback(),
    )
    office.open(f"day/{DAY}")
    page.get_by_role("button", name="New route").click()
    dialog = page.get_by_role("dialog", name="New route")
    dialog.get_by_label("Name").fill("Harbour")
    dialog.get_by_label("Start").fill("39.3, -76.6")
    with page.expect_request(lambda one: one.method == "POST" and one.url.endswith("/routes")):
        dialog.get_by_role("button", name="Create route").click()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Import stops").click()
    held[0].continue_()
    expect(page.get_by_text("Harbour").first).to_be_attached()
    expect(page.get_by_role("dialog", name="Import stops")).to_be_visible()
