"""The pages that members meet before they are anybody speak the language of the browser."""

import html
from dataclasses import replace
from pathlib import Path

import pytest
from tests.api.conftest import World
from tests.driver.device import browser as http_of
from tests.members.conftest import EMAIL, browser, invite, join, token_of
from tests.notifications.post_office import open_post_office

from roundsman.app import KINDS, make_application
from roundsman.domain.organization import Language
from roundsman.kit.languages import words_of
from roundsman.notifications.email import Mail, MailServer
from roundsman.operations.job_runs import claim_jobs, run_job
from roundsman.operations.password_resets import make_reset_link
from roundsman.settings import Settings
from roundsman.storage.leases import LEASE

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize("language", Language)
def test_invitations_and_new_passwords_are_in_the_readers_language(
    world: World, language: Language
) -> None:
    words = words_of("roundsman.members", language)
    http = browser(world).http
    accepted = {"Accept-Language": f"{language}-XX,en;q=0.5"}
    path = f"/members/invite/{token_of(invite(world).url)}"
    invited = http.get(path, headers=accepted)
    refused = http.post(path, content=b"name=Ann&password=short", headers={**FORM, **accepted})
    join(world, "bob@example.com")
    reset = f"/members/reset/{token_of(make_reset_link(world.tools, 'bob@example.com'))}"
    asked = http.get(reset, headers=accepted)
    chosen = {**FORM, **accepted}
    saved = http.post(reset, content=b"password=a+quite+long+passphrase", headers=chosen)
    for page, said in (
        (invited, words.say("invitation.accept")),
        (refused, words.say("wrong.LENGTH", shortest=10, longest=200)),
        (asked, words.say("reset.title")),
        (saved, words.say("saved.title")),
        (http.get(reset, headers=accepted), words.say("ask")),
    ):
        assert f'lang="{language}"' in page.text
        assert said in html.unescape(page.text)
        assert "Accept-Language" in page.headers["Vary"]


def test_an_invitation_speaks_the_organizations_language_to_who_names_none(world: World) -> None:
    body = {"organization": {"language": "pl"}, "updateMask": "language"}
    assert world.client.send("PATCH", "/organization", json=body).status_code == 200
    page = browser(world).get(f"/members/invite/{token_of(invite(world).url)}")
    assert 'lang="pl"' in page.text


@pytest.mark.parametrize(
    ("accepted", "subject"),
    [
        ("pl-PL,pl;q=0.9", "Ustaw nowe hasło"),
        ("", "Neues Passwort wählen"),
        ("xx", "Neues Passwort wählen"),
    ],
)
def test_a_reset_letter_is_in_the_language_of_who_asks_or_else_of_the_organization(
    world: World, tmp_path: Path, accepted: str, subject: str
) -> None:
    body = {"organization": {"language": "de"}, "updateMask": "language"}
    assert world.client.send("PATCH", "/organization", json=body).status_code == 200
    join(world)
    with open_post_office() as office:
        server = MailServer.parse(f"smtp://127.0.0.1:{office.port}")
        mail = Mail(server=server, sender="post@example.com", certificates=None)  # type: ignore[arg-type]  # not asked on this machine
        tools = replace(world.tools, mail=mail)
        application = make_application(Settings(data=tmp_path), tools)
        http_of(application).post(
            "/members/api/password-resets",
            json={"email": EMAIL},
            headers={"Accept-Language": accepted} if accepted else {},
        )
        tools.failures.wait()
        for job in claim_jobs(tools, "worker", LEASE, room=4, reserved=0):
            run_job(tools, KINDS, job)
        (letter,) = office.letters
        assert letter["Subject"] == subject
        application.close()
