"""Signing in at an OpenID Connect provider, and what of its answers is not believed."""

import html
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from joserfc.jwk import RSAKey
from sqlalchemy import text
from tests.api.conftest import World
from tests.members.authenticator import Authenticator
from tests.members.conftest import PASSWORD, Browser, browser, invite, join, token_of
from tests.members.identity_provider import CLIENT, SECRET, IdentityProvider, identity_provider
from tests.members.test_second_factors import add_passkey, options, sign_in_by
from tests.support.databases import only_on_postgresql
from tests.support.in_process import InProcessClient
from tests.world import FixedClock

from roundsman.app import make_application
from roundsman.domain.errors import FailedPrecondition
from roundsman.domain.organization import Language
from roundsman.domain.principal import Role, link_holder
from roundsman.installation import make_registrar
from roundsman.kit.languages import words_of
from roundsman.kit.openid_provider import OpenIdProvider
from roundsman.operations.member_sign_in import Acceptance, accept_invitation
from roundsman.operations.openid_sign_in import SignInProblem
from roundsman.operations.organizations import create_organization
from roundsman.operations.request import Request
from roundsman.settings import Settings
from roundsman.storage.members import find_password_hash

pytestmark = pytest.mark.spec("decisions §13")
START = "/members/api/oidc"


@pytest.fixture
def provider(world: World) -> Iterator[IdentityProvider]:
    with identity_provider(world.clock) as running:
        yield running


@pytest.fixture
def ann(world: World, provider: IdentityProvider, tmp_path: Path) -> Iterator[Browser]:
    """Return a browser that nobody is signed in in, at a server that trusts the provider."""
    yield from served(world, provider, tmp_path, None)


@pytest.fixture
def anybody(world: World, provider: IdentityProvider, tmp_path: Path) -> Iterator[Browser]:
    """Return the same at a server where whoever the provider knows is a viewer."""
    yield from served(world, provider, tmp_path, Role.VIEWER)


def served(
    world: World, provider: IdentityProvider, folder: Path, role: Role | None
) -> Iterator[Browser]:
    openid = OpenIdProvider(provider.issuer, CLIENT, SECRET)
    tools = replace(world.tools, openid=openid, openid_role=role)
    application = make_application(Settings(data=folder), tools)
    yield Browser(InProcessClient(application, address="203.0.113.9"))
    application.close()
    openid.close()


def remove_the_stranger(world: World) -> None:
    """Leave one organization on the installation."""
    ours = {"client": world.credentials.client_id, "slug": world.credentials.organization_id}
    with world.tools.database.writing() as tx:
        for statement in (
            "DELETE FROM access_tokens",
            "DELETE FROM client_secrets WHERE client_id <> :client",
            "DELETE FROM api_clients WHERE id <> :client",
            "DELETE FROM security_events WHERE organization_id <> :slug",
            "DELETE FROM organizations WHERE id <> :slug",
        ):
            tx.execute(text(statement), {k: v for k, v in ours.items() if f":{k}" in statement})


def leave(http: InProcessClient, path: str = START) -> str:
    """Follow a browser to the provider; return the path and query that it is sent back with."""
    sent = http.get(path)
    assert sent.status_code == 303, sent.text
    back = httpx2.get(sent.headers["location"]).headers["location"]
    parts = urlsplit(back)
    return f"{parts.path}?{parts.query}"


def sign_in(ann: Browser, path: str = START) -> Any:
    return ann.http.get(leave(ann.http, path))


def test_an_invited_member_signs_in_and_takes_the_invitation_up(
    world: World, ann: Browser, provider: IdentityProvider
) -> None:
    invitation = invite(world, "Ann@Example.com", Role.PLANNER)
    entered = sign_in(ann)
    assert (entered.status_code, entered.headers["location"]) == (303, "/console")
    signed_in = ann.get("/members/api/session").json()["member"]
    assert (signed_in["email"], signed_in["role"]) == ("Ann@Example.com", "PLANNER")
    assert signed_in["status"] == "ACTIVE"
    assert sign_in(ann).status_code == 303
    asked = provider.asked
    assert asked["code_challenge_method"] == "S256"
    assert set(asked["scope"].split()) == {"openid", "email", "profile"}
    used = browser(world).http.post(
        f"/members/api/invites/{token_of(invitation.url)}", json={"password": PASSWORD}
    )
    assert used.status_code == 404


def test_who_was_not_invited_or_is_deactivated_is_told_the_same(
    world: World, ann: Browser, provider: IdentityProvider
) -> None:
    refused = sign_in(ann)
    assert refused.status_code == 403
    assert "Nobody has invited this e-mail address" in refused.text
    made = invite(world, "gone@example.com").member
    world.client.post(f"/members/{made.id}/deactivate")
    provider.email = "gone@example.com"
    again = sign_in(ann)
    assert (again.status_code, again.text) == (403, refused.text)
    assert ann.get("/members/api/session").status_code == 401


@pytest.mark.parametrize("address", ["v@bu\u017finess.example", "v@busine\u00df.example"])
def test_an_address_that_only_looks_like_a_members_is_somebody_else(
    world: World, ann: Browser, provider: IdentityProvider, address: str
) -> None:
    join(world, "v@business.example")
    provider.email = address
    assert sign_in(ann).status_code == 403
    assert ann.get("/members/api/session").status_code == 401


def test_a_role_lets_in_whoever_the_provider_knows_where_there_is_one_organization(
    world: World, anybody: Browser, provider: IdentityProvider
) -> None:
    remove_the_stranger(world)
    assert sign_in(anybody).status_code == 303
    assert anybody.get("/members/api/session").json()["member"]["role"] == "VIEWER"
    create_organization(make_registrar(world.tools), "Second", "UTC")
    provider.email = "another@example.com"
    assert sign_in(anybody).status_code == 403


def test_an_address_that_the_provider_does_not_vouch_for_is_refused(
    world: World, ann: Browser, provider: IdentityProvider
) -> None:
    invite(world)
    for unverified in (False, "false", None):
        provider.is_verified = unverified
        refused = sign_in(ann)
        assert refused.status_code == 403
        assert "does not know that this e-mail address is yours" in refused.text
    provider.is_verified = "true"
    assert sign_in(ann).status_code == 303


def test_claims_come_from_the_userinfo_endpoint_where_the_token_has_none(
    world: World, ann: Browser, provider: IdentityProvider
) -> None:
    invite(world)
    provider.shows_email_in_token = False
    assert sign_in(ann).status_code == 303


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "https://elsewhere.example.com"},
        {"aud": "another-client"},
        {"aud": [CLIENT, "another-client"]},
        {"azp": "another-client"},
        {"nonce": "of another sign-in"},
        {"nonce": None},
        {"exp": 1},
        {"exp": None},
        {"iat": None},
        {"sub": None},
    ],
    ids=str,
)
def test_a_token_that_is_not_for_this_sign_in_is_refused(
    world: World, ann: Browser, provider: IdentityProvider, changes: dict[str, Any]
) -> None:
    invite(world)
    provider.changes = changes
    refused = sign_in(ann)
    assert refused.status_code == 403
    assert "cannot be believed" in refused.text
    assert ann.get("/members/api/session").status_code == 401


def test_a_token_that_another_key_signed_is_refused(
    world: World, ann: Browser, provider: IdentityProvider
) -> None:
    invite(world)
    provider.published = RSAKey.generate_key(auto_kid=True)
    assert sign_in(ann).status_code == 403
    provider.published = None  # a new key is asked for, once it is published
    assert sign_in(ann).status_code == 303
    provider.algorithm = "HS256"
    assert sign_in(ann).status_code == 403


def test_an_answer_counts_in_the_browser_that_asked_alone_and_for_ten_minutes(
    world: World, ann: Browser
) -> None:
    invite(world)
    back = leave(ann.http)
    thief = browser(world)
    assert thief.http.get(back).status_code in {400, 404}
    state = parse_qs(urlsplit(back).query)["state"][0]
    assert ann.http.get(back.replace(state, "another")).status_code == 400
    world.clock.advance(minutes=10)
    assert ann.http.get(back).status_code == 400
    assert ann.http.get(f"{START}/callback").status_code == 400
    refused = ann.http.get(f"{START}/callback?error=access_denied&state={state}")
    assert refused.status_code == 403
    assert sign_in(ann).status_code == 303


@pytest.mark.parametrize("language", Language)
def test_a_sign_in_that_fails_says_why_and_leads_back_to_where_it_begins(
    world: World, ann: Browser, provider: IdentityProvider, language: Language
) -> None:
    words = words_of("roundsman.members", language)
    accepted = {"Accept-Language": f"{language}-XX,en;q=0.5"}
    invite(world)

    def refused(path: str, **headers: str) -> Any:
        return ann.http.get(path, headers={**accepted, **headers})

    ours, provider.issuer = provider.issuer, "https://another.example"
    away, provider.issuer = refused(START), ours
    pages = {
        "UNAVAILABLE": away,
        "DECLINED": refused(f"{START}/callback?error=access_denied&state=x"),
        "OUTDATED": refused(f"{START}/callback?code=the-code&state=another"),
        "ELSEWHERE": refused(START, **{"Sec-Fetch-Site": "cross-site"}),
        "NO_PROVIDER": browser(world).http.get(START, headers=accepted),
    }
    provider.is_verified = False
    pages["UNVERIFIED"] = refused(leave(ann.http))
    provider.email = ""
    pages["NO_EMAIL"] = refused(leave(ann.http))
    provider.shows_email_in_token = False
    assert refused(leave(ann.http)).text == pages["NO_EMAIL"].text
    provider.is_verified, provider.email = True, "stranger@example.com"
    pages["NOT_A_MEMBER"] = refused(leave(ann.http))
    provider.changes = {"aud": "another-client"}
    pages["UNTRUSTED"] = refused(leave(ann.http))
    assert set(pages) == {one.value for one in SignInProblem}
    for problem, page in pages.items():
        said = html.unescape(page.text)
        assert page.status_code in {400, 403, 404, 503}
        assert f'lang="{language}"' in said
        assert f"<h1>{words.say('not_signed_in.title')}</h1>" in said
        assert f"<p>{words.say(f'not_signed_in.{problem}')}</p>" in said
        link = words.say("not_signed_in.sign_in")
        assert f'<a href="/console">{link}</a>' in said


def test_whoever_asks_for_the_head_of_an_answer_takes_nothing_up(
    world: World, ann: Browser
) -> None:
    invite(world)
    back = leave(ann.http)
    looked = ann.http.head(back)
    assert (looked.status_code, "set-cookie" in looked.headers) == (200, False)
    assert ann.http.get(back).status_code == 303


def test_taking_an_invitation_up_ends_what_somebody_else_may_sign_in_with(
    world: World, ann: Browser
) -> None:
    second = create_organization(make_registrar(world.tools), "Second", "UTC").id
    eve = join(world, organization=second, role=Role.VIEWER)
    device = Authenticator()
    assert add_passkey(eve, device).status_code == 200
    invite(world)
    assert sign_in(ann, f"{START}?organization={world.credentials.organization_id}").is_redirect
    assert eve.get("/members/api/session").status_code == 401
    again = browser(world).sign_in(email="ann@example.com", password=PASSWORD)
    assert again.status_code == 401
    assert sign_in_by(world, device.sign(options(world))).status_code == 401


class ClockBetween(FixedClock):
    """Lets something happen while it is asked what time it is, once."""

    def __init__(self, asked: int, meanwhile: Callable[[], object]) -> None:
        super().__init__()
        self._left, self._meanwhile = asked, meanwhile

    def now(self) -> datetime:
        self._left -= 1
        if self._left == 0:
            self._meanwhile()
        return super().now()


@only_on_postgresql
def test_no_password_is_set_for_whom_the_provider_signs_in_meanwhile(
    world: World, ann: Browser
) -> None:
    second = create_organization(make_registrar(world.tools), "Second", "UTC").id
    invite(world)
    taken = token_of(invite(world, organization=second).url)
    came: list[int] = []

    def come() -> None:
        here = f"{START}?organization={world.credentials.organization_id}"
        came.append(sign_in(ann, here).status_code)

    # Eve's attempt has looked at the invitation, and its transaction has begun.
    tools = replace(world.tools, clock=ClockBetween(2, come))
    request = Request(principal=link_holder(second))
    with pytest.raises(FailedPrecondition, match="the link sets no password"):
        accept_invitation(tools, request, taken, Acceptance(name="Eve", password=PASSWORD))
    assert came == [303]
    with world.tools.database.reading() as tx:
        assert find_password_hash(tx, "ann@example.com") is None


def test_who_plans_for_several_organizations_chooses_one(world: World, ann: Browser) -> None:
    second = create_organization(make_registrar(world.tools), "Second", "UTC").id
    for organization in (second, world.credentials.organization_id):
        invite(world, organization=organization)
        assert sign_in(ann, f"{START}?organization={organization}").status_code == 303
    choice = sign_in(ann)
    assert choice.status_code == 400
    assert f"{START}?organization={second}" in choice.text
    assert sign_in(ann, f"{START}?organization={second}").status_code == 303


def test_a_provider_that_is_away_is_said_so(world: World, tmp_path: Path) -> None:
    openid = OpenIdProvider("http://127.0.0.1:9", CLIENT, SECRET)
    application = make_application(Settings(data=tmp_path), replace(world.tools, openid=openid))
    answer = InProcessClient(application).get(START)
    assert answer.status_code == 503
    assert "does not answer" in answer.text
    application.close()
    openid.close()


def test_no_other_site_can_begin_a_sign_in(world: World, ann: Browser) -> None:
    invite(world)
    for led_by in ("cross-site", "same-site"):
        led = ann.http.get(START, headers={"Sec-Fetch-Site": led_by})
        assert (led.status_code, "set-cookie" in led.headers) == (403, False)
    begun = ann.http.get(START, headers={"Sec-Fetch-Site": "same-origin"})
    assert begun.status_code == 303


def test_without_a_provider_there_is_no_way_to_one(world: World, ann: Browser) -> None:
    assert browser(world).get(START).status_code == 404
    assert browser(world).get("/members/api/sign-in").json()["openIdConnect"] is False
    assert ann.get("/members/api/sign-in").json()["openIdConnect"] is True


def test_a_description_of_another_issuer_is_not_believed(
    ann: Browser, provider: IdentityProvider
) -> None:
    provider.issuer = "https://another.example"
    refused = ann.http.get(START)
    assert (refused.status_code, "set-cookie" in refused.headers) == (503, False)
