"""Why a stop is reached when it is stands on its page in the planner's language."""

import re

import pytest
from playwright.sync_api import expect
from tests.browser.office import House, Office
from tests.browser.test_languages import add_member, reading
from tests.browser.test_members import PASSWORD

pytestmark = pytest.mark.spec("doors 4.1")

NINE = {"timeWindows": [{"end": {"hours": 9}}]}
SAID = {
    "en": (
        r"Expected at \d\d:\d\d \(.*20\d\d\)\. .+ after its last window \(until 09:00\)\.",
        "behind the plan",
    ),
    "de": (
        r"Erwartet um \d\d:\d\d \(.*20\d\d\)\. .+ nach dem letzten Zeitfenster \(bis 09:00\)\.",
        "hinter dem Plan",
    ),
    "pl": (
        r"Spodziewany przyjazd: \d\d:\d\d \(.*20\d\d\)\. .+ po ostatnim oknie \(do 09:00\)\.",
        "opóźnienie",
    ),
}


@pytest.mark.parametrize("language", SAID)
def test_why_a_stop_is_late_is_said_in_the_planners_language(
    house: House, office: Office, language: str
) -> None:
    add_member(office, f"why-{language}@example.com")
    phone = office.dispatch("Hours late", {"orderName": "#1"}, {"orderName": "#2", **NINE})
    late = office.stop_ids(phone.route_id)[1]
    explained = office.http.get(f"/routes/{phone.route_id}/stops/{late}/explanation").json()
    assert explained["latenessSeconds"] > 0
    said, plan = SAID[language]
    with reading(house, language, width=390) as page:
        page.goto(f"{office.address}/console#/route/{phone.route_id}")
        page.locator("input[autocomplete=username]").fill(f"why-{language}@example.com")
        page.locator("input[type=password]").fill(PASSWORD)
        page.locator("form button[type=submit]").first.click()
        page.get_by_role("link", name=re.compile("#2")).first.click()
        sentence = page.get_by_text(re.compile(said))
        expect(sentence).to_be_visible()
        expect(sentence).to_contain_text(plan)
        if language != "en":
            expect(page.get_by_text(explained["sentence"])).to_have_count(0)


def test_nobody_is_told_of_more_time_than_there_is_nor_of_time_that_is_spent_waiting(
    office: Office,
) -> None:
    until = {"timeWindows": [{"end": {"hours": 10}}], "orderName": "#1"}
    later = {"timeWindows": [{"start": {"hours": 9}, "end": {"hours": 10}}], "orderName": "#2"}
    route = office.add_route("In time", until, later, scheduledFor="2030-05-06T08:00:00-04:00")
    in_time, waits = (
        office.http.get(f"/routes/{route}/stops/{stop}/explanation").json()
        for stop in office.stop_ids(route)
    )
    minutes, seconds = divmod(in_time["slackSeconds"], 60)
    assert seconds  # so that rounding up would promise a minute too many
    assert waits["waitingSeconds"]
    office.open(f"route/{route}")
    office.sign_in()
    office.page.get_by_role("link", name=re.compile("#1")).first.click()
    spare = f"In time, with {minutes // 60} h {minutes % 60} min to spare (until 10:00)."
    expect(office.page.get_by_text(spare)).to_be_visible()
    office.page.get_by_role("link", name=re.compile("#2")).first.click()
    waits_until = r"; the driver waits until 09:00 for its window to open \(09:00.10:00\)\.$"
    sentence = office.page.get_by_text(re.compile(r"Expected at 08:\d\d" + waits_until))
    expect(sentence).to_be_visible()
