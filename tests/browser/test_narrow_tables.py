"""Tables on a phone: their words are not broken letter by letter."""

import pytest
from playwright.sync_api import Page, expect
from tests.browser.office import House, Office
from tests.browser.test_languages import reading
from tests.browser.test_members import PASSWORD, accept

pytestmark = pytest.mark.spec("doors 4.6")

BROKEN = """(words) => {
    const broken = [];
    for (const cell of document.querySelectorAll(words)) {
        if (cell.closest(".stacked thead")) continue; // for readers alone: each cell has its label
        const range = document.createRange();
        const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            for (const { 0: word, index } of walker.currentNode.data.matchAll(/\\S{2,9}/g)) {
                range.setStart(walker.currentNode, index);
                range.setEnd(walker.currentNode, index + word.length);
                const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
                if (tops.size > 1) broken.push(word);
            }
        }
    }
    return broken;
}"""


def sign_in(page: Page, office: Office, place: str) -> None:
    page.goto(f"{office.address}/console#/{place}")
    page.get_by_role("textbox", name="E-Mail").fill("narrow@example.com")
    page.get_by_role("textbox", name="Passwort").fill(PASSWORD)
    page.get_by_role("button", name="Anmelden", exact=True).click()


def test_headers_of_tables_are_whole_on_a_phone(house: House, office: Office) -> None:
    accept(office, "narrow@example.com")
    office.post("/drivers", {"firstName": "Dana", "phone": "+14105550123"})
    with reading(house, "de-DE", width=390) as page:
        sign_in(page, office, "settings/members")
        for place in ("settings/members", "settings/webhooks", "settings/messages", "drivers"):
            page.goto(f"{office.address}/console#/{place}")
            expect(page.get_by_role("columnheader").first).to_be_visible()
            assert page.evaluate(BROKEN, "th") == [], place
