"""The console in the languages of its planners, chosen by the browser."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect
from tests.browser.office import House, Office
from tests.browser.test_members import PASSWORD, accept, sign_out

pytestmark = pytest.mark.spec("doors 4.6")

DAY = "2030-05-06"
# Sign in, Password, Plan, Settings, Not on a route; and what two stops are called.
SAID = {
    "de": ("Anmelden", "Passwort", "Planen", "Einstellungen", "Auf keiner Tour", "2 Stopps"),
    "es": ("Iniciar sesión", "Contraseña", "Planificar", "Ajustes", "Sin ruta", "2 paradas"),
    "fr": ("Se connecter", "Mot de passe", "Planifier", "Réglages", "Sans tournée", "2 arrêts"),
    "it": ("Accedi", "Password", "Pianifica", "Impostazioni", "Senza giro", "2 fermate"),
    "nl": ("Inloggen", "Wachtwoord", "Plannen", "Instellingen", "Niet op een route", "2 stops"),
    "pl": ("Zaloguj się", "Hasło", "Planuj", "Ustawienia", "Poza trasami", "2 przystanki"),
    "pt": ("Entrar", "Palavra-passe", "Planear", "Definições", "Sem rota", "2 paragens"),
}


@contextmanager
def reading(house: House, language: str, width: int = 1200) -> Iterator[Page]:
    """Yield a page of a browser set to a language; it fails on what its policy blocks."""
    context = house.browser.new_context(
        locale=language, viewport={"width": width, "height": 800}, color_scheme="dark"
    )
    page = context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    yield page
    context.close()
    assert troubles == []


def add_member(office: Office, email: str) -> None:
    page = accept(office, email)
    sign_out(page)


@pytest.mark.parametrize("language", SAID)
def test_the_console_speaks_the_language_of_the_browser(
    house: House, office: Office, language: str
) -> None:
    sign_in, password, plan, settings, unrouted, two = SAID[language]
    add_member(office, f"{language}@example.com")
    office.add_route(
        "Harbour", {"orderName": "#1"}, {"orderName": "#2"}, scheduledFor=f"{DAY}T08:00:00Z"
    )
    with reading(house, language) as page:
        page.goto(f"{office.address}/console#/day/{DAY}")
        expect(page.get_by_role("heading", name=sign_in)).to_be_visible()
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.locator("input[autocomplete=username]").fill(f"{language}@example.com")
        page.get_by_label(password).fill(PASSWORD)
        page.get_by_role("button", name=sign_in, exact=True).click()
        expect(page.get_by_role("button", name=plan, exact=True)).to_be_visible()
        expect(page.get_by_role("link", name=settings)).to_be_visible()
        expect(page.get_by_role("region", name=re.compile(f"^{unrouted}"))).to_be_visible()
        page.get_by_role("link", name="Harbour").first.click()
        expect(page.get_by_text(two, exact=True)).to_be_visible()


def test_why_a_stop_does_not_fit_is_said_in_the_language_of_the_browser(
    house: House, office: Office
) -> None:
    add_member(office, "grund@example.com")
    when = {"scheduledFor": f"{DAY}T08:00:00Z"}
    closed = {"orderName": "Müller", "timeWindows": [{"end": {"hours": 0, "minutes": 1}}]}
    office.add_route("Full", {"orderName": "#1"}, maxStops=1, **when)
    office.add_route("Open", {"orderName": "#2"}, **when)
    office.add_route("Late", closed, **when)
    with reading(house, "de", 390) as page:
        page.goto(f"{office.address}/console#/day/{DAY}")
        page.locator("input[autocomplete=username]").fill("grund@example.com")
        page.get_by_label("Passwort").fill(PASSWORD)
        page.get_by_role("button", name="Anmelden", exact=True).click()
        page.get_by_role("link", name="Late").first.click()
        page.get_by_role("button", name="Verschieben…").first.click()
        routes = page.get_by_role("dialog").get_by_role("button")
        expect(routes.filter(has_text="Full")).to_contain_text("1 über der Höchstzahl an Stopps")
        expect(routes.filter(has_text="Open")).to_contain_text(
            re.compile(r"Müller: .*min zu spät für das Fenster")
        )


def test_a_language_that_we_do_not_have_leaves_english(house: House) -> None:
    with reading(house, "ja") as page:
        page.goto(f"{house.address}/console")
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
        expect(page.locator("html")).to_have_attribute("lang", "en")


def test_words_that_do_not_arrive_leave_english(house: House) -> None:
    with reading(house, "pl") as page:
        page.route("**/console/pl.js", lambda route: route.abort())
        page.goto(f"{house.address}/console")
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


@pytest.mark.parametrize("language", SAID)
def test_no_language_is_wider_than_a_phone(house: House, office: Office, language: str) -> None:
    add_member(office, f"narrow.{language}@example.com")
    office.add_route("Harbour", {"orderName": "#1"}, scheduledFor=f"{DAY}T08:00:00Z")
    with reading(house, language, width=390) as page:
        page.goto(f"{office.address}/console#/day/{DAY}")
        page.locator("input[autocomplete=username]").fill(f"narrow.{language}@example.com")
        page.get_by_label(SAID[language][1]).fill(PASSWORD)
        page.get_by_role("button", name=SAID[language][0], exact=True).click()
        expect(page.get_by_role("link", name="Harbour").first).to_be_visible()
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0
        assert height_of(page, ".bar") + height_of(page, ".day-bar") < 320
        plan = page.get_by_role("button", name=SAID[language][2], exact=True)
        plan.click()
        buttons = page.get_by_role("dialog").locator(".buttons")
        expect(buttons).to_be_in_viewport(ratio=1)
        page.keyboard.press("Escape")
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(f"{office.address}/console#/day/2030-09-25")  # a Wednesday: long in all of them
        expect(page.locator(".day-bar h1")).to_contain_text("25")
        assert height_of(page, ".day-bar") < 60


def height_of(page: Page, selector: str) -> float:
    return float(page.locator(selector).evaluate("one => one.getBoundingClientRect().height"))
