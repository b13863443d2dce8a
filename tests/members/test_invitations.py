"""Invitations and new passwords: links that work once, and take nobody's account over."""

import pytest
from tests.api.conftest import World
from tests.members.conftest import EMAIL, PASSWORD, Browser, browser, invite, join, token_of

from roundsman.domain.principal import Role
from roundsman.installation import make_registrar
from roundsman.operations.demo import DEMO_EMAIL, make_owner_link
from roundsman.operations.member_sign_in import make_sign_in_link
from roundsman.operations.organizations import create_organization
from roundsman.operations.password_resets import make_reset_link

pytestmark = pytest.mark.spec("decisions §13")
NEW = "another good password"


def test_an_invitation_is_taken_up_once(world: World) -> None:
    invitation = invite(world)
    assert invitation.url.startswith("http://127.0.0.1:8000/members/invite/")
    token = token_of(invitation.url)
    ann = browser(world)
    seen = ann.get(f"/members/api/invites/{token}").json()
    assert (seen["email"], seen["role"], seen["hasPassword"]) == (EMAIL, "OWNER", False)
    path = f"/members/api/invites/{token}"
    taken = ann.http.post(path, json={"name": "Ann Ames", "password": PASSWORD})
    assert taken.status_code == 200
    assert taken.json()["member"]["status"] == "ACTIVE"
    assert taken.json()["member"]["name"] == "Ann Ames"
    assert taken.json()["member"]["lastSeenAt"]
    session = ann.get("/members/api/session")
    assert session.status_code == 200
    assert session.json()["member"] == taken.json()["member"]
    again = ann.http.post(path, json={"name": "Eve", "password": PASSWORD})
    unknown = ann.http.post("/members/api/invites/nothing", json={"name": "E", "password": NEW})
    assert again.status_code == unknown.status_code == 404
    assert again.content == unknown.content


def test_an_invitation_ends_after_a_week_and_when_a_new_one_is_made(world: World) -> None:
    old = invite(world)
    answer = world.client.post(f"/members/{old.member.id}/invite")
    assert answer.status_code == 200
    assert answer.json()["member"]["id"] == old.member.id
    body = {"name": "Ann", "password": PASSWORD}
    path = "/members/api/invites"
    assert browser(world).http.post(f"{path}/{token_of(old.url)}", json=body).status_code == 404
    new = token_of(answer.json()["inviteUrl"])
    world.clock.advance(days=7)
    assert browser(world).http.post(f"{path}/{new}", json=body).status_code == 404


@pytest.mark.parametrize(
    ("password", "said"),
    [
        ("short", "must have 10 to 200 characters"),
        ("x" * 201, "must have 10 to 200 characters"),
        ("Password123", "is one of the commonest"),
        ("aaaaaaaaaaaa", "is one of the commonest"),
        (EMAIL, "must not be the e-mail address"),
    ],
)
def test_a_bad_password_is_refused_by_its_name_and_uses_nothing_up(
    world: World, password: str, said: str
) -> None:
    token = token_of(invite(world).url)
    path = f"/members/api/invites/{token}"
    refused = browser(world).http.post(path, json={"name": "Ann", "password": password})
    assert (refused.status_code, refused.json()["code"]) == (400, 3)
    (violation,) = refused.json()["details"][0]["fieldViolations"]
    assert violation["field"] == "password"
    assert said in violation["description"]
    good = browser(world).http.post(path, json={"name": "Ann", "password": "ten letters!"})
    assert good.status_code == 200


@pytest.mark.usefixtures("ann")
def test_nobody_who_invites_can_take_over_an_account(world: World) -> None:
    second = create_organization(make_registrar(world.tools), "Second", "UTC").id
    token = token_of(invite(world, EMAIL, Role.VIEWER, second).url)
    path = f"/members/api/invites/{token}"
    assert browser(world).get(path).json()["hasPassword"] is True
    taken = browser(world).http.post(path, json={"name": "Eve", "password": NEW})
    assert (taken.status_code, taken.json()["code"]) == (401, 7)
    assert browser(world).sign_in(email=EMAIL, password=NEW).status_code == 401
    assert browser(world).sign_in(email=EMAIL, password=PASSWORD).status_code == 200
    for _ in range(9):
        browser(world).http.post(path, json={"name": "Eve", "password": "a guess, and more"})
    limited = browser(world).http.post(path, json={"name": "Eve", "password": PASSWORD})
    assert limited.status_code == 429


def test_a_new_password_ends_every_session_and_the_old_password(world: World, ann: Browser) -> None:
    token = token_of(make_reset_link(world.tools, "ANN@example.com"))
    path = f"/members/api/password-resets/{token}"
    weak = browser(world).http.post(path, json={"password": "1234567890"})
    assert weak.status_code == 400
    assert ann.get("/members/api/session").status_code == 200
    assert browser(world).http.post(path, json={"password": NEW}).json() == {}
    assert ann.get("/members/api/session").status_code == 401
    assert browser(world).sign_in(email=EMAIL, password=PASSWORD).status_code == 401
    assert browser(world).sign_in(email=EMAIL, password=NEW).status_code == 200
    assert browser(world).http.post(path, json={"password": PASSWORD}).status_code == 404


def test_nobody_who_invites_gives_a_password_to_who_has_none(world: World) -> None:
    demo = make_owner_link(world.tools, world.credentials.organization_id)
    second = create_organization(make_registrar(world.tools), "Second", "UTC").id
    path = f"/members/api/invites/{token_of(invite(world, DEMO_EMAIL, Role.VIEWER, second).url)}"
    taken = browser(world).http.post(path, json={"name": "Eve", "password": NEW})
    assert (taken.status_code, taken.json()["code"]) == (400, 9)
    assert browser(world).sign_in(email=DEMO_EMAIL, password=NEW).status_code == 401
    here = browser(world, "127.0.0.1")
    assert here.get(demo.removeprefix("http://127.0.0.1:8000")).status_code == 303


@pytest.mark.usefixtures("ann")
def test_a_reset_link_ends_after_a_day_and_when_a_new_one_is_made(world: World) -> None:
    old = token_of(make_reset_link(world.tools, EMAIL))
    new = token_of(make_reset_link(world.tools, EMAIL))
    path = "/members/api/password-resets"
    assert browser(world).http.post(f"{path}/{old}", json={"password": NEW}).status_code == 404
    world.clock.advance(days=1)
    assert browser(world).http.post(f"{path}/{new}", json={"password": NEW}).status_code == 404


@pytest.mark.usefixtures("ann")
def test_asking_for_a_new_password_tells_nothing(world: World) -> None:
    answers = [
        browser(world, f"192.0.2.{n}").http.post(
            "/members/api/password-resets", json={"email": email}
        )
        for n, email in enumerate((EMAIL, "nobody@example.com", "no e-mail"))
    ]
    assert {(one.status_code, one.content) for one in answers} == {(200, b"{}")}


@pytest.mark.usefixtures("ann")
def test_a_link_of_one_kind_opens_nothing_else(world: World) -> None:
    reset = token_of(make_reset_link(world.tools, EMAIL))
    invitation = token_of(invite(world, "bob@example.com").url)
    body = {"name": "Bob", "password": NEW}
    http = browser(world).http
    assert http.post(f"/members/api/invites/{reset}", json=body).status_code == 404
    path = f"/members/api/password-resets/{invitation}"
    assert http.post(path, json={"password": NEW}).status_code == 404


def test_the_page_of_an_invitation_signs_a_browser_in(world: World) -> None:
    token = token_of(invite(world).url)
    ann = browser(world)
    page = ann.get(f"/members/invite/{token}")
    assert page.status_code == 200
    assert EMAIL in page.text
    path = f"/members/invite/{token}"
    again = ann.http.post(path, data={"name": "Ann <b>", "password": "short"})
    assert again.status_code == 400
    assert "Ann &lt;b&gt;" in again.text
    assert "10 to 200 characters" in again.text
    entered = ann.http.post(path, data={"name": "Ann", "password": PASSWORD})
    assert (entered.status_code, entered.headers["location"]) == (303, "/console")
    assert ann.get("/members/api/session").json()["member"]["name"] == "Ann"
    assert ann.get(path).status_code == 404


def test_the_page_of_a_reset_saves_a_new_password(world: World, ann: Browser) -> None:
    path = f"/members/reset/{token_of(make_reset_link(world.tools, EMAIL))}"
    assert "New password" in ann.get(path).text
    assert ann.http.post(path, data={"password": "short"}).status_code == 400
    assert ann.http.post(path, data={"password": NEW}).status_code == 200
    assert browser(world).sign_in(email=EMAIL, password=NEW).status_code == 200


def test_a_sign_in_link_works_once_and_on_this_machine_alone(world: World) -> None:
    join(world)
    member = world.client.get("/members").json()["members"][0]["id"]
    link = make_sign_in_link(world.tools, world.credentials.organization_id, member)
    path = link.removeprefix("http://127.0.0.1:8000")
    assert browser(world).get(path).status_code == 403
    here = browser(world, "127.0.0.1")
    for led_by in ("cross-site", "same-site"):
        led = here.http.get(path, headers={"Sec-Fetch-Site": led_by})
        assert (led.status_code, "Another site" in led.text) == (403, True)
    entered = here.http.get(path, headers={"Sec-Fetch-Site": "none"})
    assert (entered.status_code, entered.headers["location"]) == (303, "/console")
    assert here.get("/members/api/session").status_code == 200
    assert browser(world, "127.0.0.1").get(path).status_code == 404


def test_whoever_asks_where_a_sign_in_link_leads_takes_nothing_up(world: World) -> None:
    """Terminals and chats send HEAD, which changes nothing (RFC 9110, 9.2.1)."""
    join(world)
    member = world.client.get("/members").json()["members"][0]["id"]
    link = make_sign_in_link(world.tools, world.credentials.organization_id, member)
    path = link.removeprefix("http://127.0.0.1:8000")
    here = browser(world, "127.0.0.1")
    looked = here.http.head(path)
    assert (looked.status_code, looked.headers["location"]) == (303, "/console")
    assert "set-cookie" not in looked.headers
    assert here.get("/members/api/session").status_code == 401
    assert here.get(path).status_code == 303
    assert here.get("/members/api/session").status_code == 200
    assert here.http.head(path).status_code == 404


def test_whoever_asks_where_other_links_lead_takes_nothing_up(world: World) -> None:
    path = f"/members/invite/{token_of(invite(world).url)}"
    ann = browser(world)
    assert [ann.http.head(path).status_code for _ in range(3)] == [200, 200, 200]
    accepted = ann.http.post(path, data={"name": "Ann", "password": NEW})
    assert (accepted.status_code, ann.http.head(path).status_code) == (303, 404)
