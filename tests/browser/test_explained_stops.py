"""Why a stop is late is said on its page in the planner's language."""

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
