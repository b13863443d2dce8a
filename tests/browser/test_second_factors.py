"""Codes of an app and passkeys in a real browser, whose authenticator is Chromium's own."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.accessibility import find_faults, require_axe
from tests.browser.office import Office
from tests.browser.test_members import PASSWORD, accept, sign_in, sign_out

from roundsman.kit.one_time_codes import STEP_SECONDS, code_at

pytestmark = pytest.mark.spec("decisions §17")


def open_own_tab(page: Page) -> None:
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("tab", name="Your sign-in").click()
    expect(page.get_by_role("heading", name="Codes of an app")).to_be_visible()


def confirm_password(page: Page, action: str, code: str = "") -> None:
    page.get_by_role("button", name=action).click()
    again = page.get_by_label("Your password, once more")
    again.fill(PASSWORD)
    if code:
        form = page.locator("form").filter(has=again)
        form.get_by_label("Code", exact=True).fill(code)
    page.get_by_role("button", name=action).click()


def code_of(secret: str) -> str:
    return code_at(secret, int(time.time()) // STEP_SECONDS)  # noqa: TID251 -- the server's clock is real


def set_up_codes(page: Page) -> Locator:
    """Want codes of an app from now on; return the recovery codes."""
    open_own_tab(page)
    confirm_password(page, "Set up")
    expect(page.get_by_role("img", name="Secret as QR code")).to_be_visible()
    secret = page.get_by_label("Secret", exact=True).input_value()
    page.get_by_label("Code", exact=True).fill(code_of(secret))
    page.get_by_role("button", name="Confirm").click()
    codes = page.get_by_role("region", name="Recovery codes").get_by_role("listitem")
    expect(codes).to_have_count(10)
    return codes


def test_codes_are_set_up_and_a_recovery_code_signs_in(office: Office) -> None:
    page = accept(office, "codes@example.com")
    codes = set_up_codes(page)
    recovery, last = codes.first.inner_text(), codes.last.inner_text()
    expect(page.get_by_text("Recovery codes left: 10.")).to_be_visible()
    sign_out(page)
    page.reload()
    sign_in(page, "codes@example.com")
    page.get_by_label("Code", exact=True).fill("000000")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("The code is wrong")
    page.get_by_label("Code", exact=True).fill(recovery)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("button", name="Ann Ames")).to_be_visible()
    open_own_tab(page)
    expect(page.get_by_text("Recovery codes left: 9.")).to_be_visible()
    confirm_password(page, "Turn off", last)
    expect(page.get_by_text("Signing in takes your password alone.")).to_be_visible()


def plug_in(page: Page) -> Any:
    """Give the browser a device that verifies its person."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return session


def test_a_passkey_is_made_signs_in_and_is_removed(office: Office) -> None:
    page = accept(office, "passkeys@example.com")
    page.goto(office.address.replace("127.0.0.1", "localhost") + "/console")
    sign_in(page, "passkeys@example.com")
    expect(page.get_by_role("button", name="Ann Ames")).to_be_visible()
    plug_in(page)
    open_own_tab(page)
    page.get_by_label("Name of the new passkey").fill("Office laptop")
    confirm_password(page, "Add passkey")
    expect(page.get_by_role("cell", name="Office laptop", exact=True)).to_be_visible()
    confirm_password(page, "Add passkey")
    expect(page.get_by_role("alert")).to_contain_text("This device has a passkey of yours already")
    expect(page.get_by_text("Passkey added.")).to_have_count(0)
    sign_out(page)
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("button", name="Ann Ames")).to_be_visible()
    open_own_tab(page)
    confirm_password(page, "Delete Office laptop")
    expect(page.get_by_text("No passkey yet.")).to_be_visible()
    sign_out(page)
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("did not sign you in")


_CONFIRM_NOTHING = """() => {
  navigator.credentials.create = async () => { throw new DOMException('', 'NotAllowedError'); };
}"""
"""What a browser answers when its person waits too long or says no."""


def test_a_passkey_that_is_not_made_is_said_and_recovery_codes_are_counted(office: Office) -> None:
    page = accept(office, "nopasskey@example.com")
    page.goto(office.address.replace("127.0.0.1", "localhost") + "/console")
    sign_in(page, "nopasskey@example.com")
    codes = set_up_codes(page)
    page.evaluate(_CONFIRM_NOTHING)
    confirm_password(page, "Add passkey", codes.first.inner_text())
    expect(page.get_by_role("alert")).to_contain_text("No passkey was made")
    expect(page.get_by_text("Recovery codes left: 9.")).to_be_visible()
    page.evaluate("() => { delete PublicKeyCredential.parseCreationOptionsFromJSON }")
    confirm_password(page, "Add passkey", codes.last.inner_text())
    expect(page.get_by_role("alert")).to_contain_text("This browser cannot make passkeys")
    page.get_by_role("button", name="Close").first.click()
    expect(page.get_by_text("Recovery codes left: 9.")).to_be_visible()


def test_the_tab_has_no_fault_that_axe_finds(office: Office) -> None:
    require_axe()
    page = accept(office, "axe@example.com")
    open_own_tab(page)
    assert find_faults(page) == []
    confirm_password(page, "Set up")
    expect(page.get_by_role("img", name="Secret as QR code")).to_be_visible()
    assert find_faults(page) == []
    sign_out(page)
    assert find_faults(page) == []


@contextmanager
def second_browser(page: Page, email: str) -> Iterator[Page]:
    """Sign in once more, in a browser that shares nothing with the page's."""
    browser = page.context.browser
    assert browser is not None
    with browser.new_context() as elsewhere:
        second = elsewhere.new_page()
        second.goto(page.url.partition("#")[0])
        sign_in(second, email)
        expect(second.get_by_role("button", name="Ann Ames")).to_be_visible()
        yield second


def test_a_password_is_changed_and_other_browsers_are_signed_out(office: Office) -> None:
    page = accept(office, "changes@example.com")
    with second_browser(page, "changes@example.com") as second:
        open_own_tab(page)
        browsers = page.get_by_role("table", name="Browsers in which you are signed in")
        expect(browsers.get_by_role("row")).to_have_count(3)  # with the head
        form = page.get_by_role("form", name="Change password")
        form.get_by_label("Present password").fill("not this one, sorry")
        form.get_by_label("New password").fill("seven brown foxes jump")
        form.get_by_role("button", name="Change password").click()
        expect(page.get_by_role("alert")).to_be_visible()
        form.get_by_label("Present password").fill(PASSWORD)
        form.get_by_role("button", name="Change password").click()
        expect(page.get_by_text("The password is changed")).to_be_visible()
        expect(browsers.get_by_role("row")).to_have_count(2)
        second.reload()
        sign_in(second, "changes@example.com", "seven brown foxes jump")
        expect(second.get_by_role("button", name="Ann Ames")).to_be_visible()
    require_axe()
    assert find_faults(page) == []


def test_another_browser_is_signed_out(office: Office) -> None:
    page = accept(office, "elsewhere@example.com")
    with second_browser(page, "elsewhere@example.com") as second:
        open_own_tab(page)
        browsers = page.get_by_role("table", name="Browsers in which you are signed in")
        expect(browsers.get_by_text("This browser")).to_have_count(1)
        browsers.get_by_role("button", name="Sign out").click()
        expect(browsers.get_by_role("row")).to_have_count(2)
        second.reload()
        expect(second.get_by_label("E-mail")).to_be_visible()
