"""Signing in as a member: cookies, CSRF, sessions, limits, and what a stranger can find out."""

import time

import pytest
from structlog.testing import capture_logs
from tests.api.conftest import World
from tests.members.conftest import EMAIL, PASSWORD, Browser, browser, invite, join

from roundsman.domain.principal import Role, operator
from roundsman.installation import make_registrar
from roundsman.operations.members import deactivate_member
from roundsman.operations.organizations import create_organization
from roundsman.operations.request import Request

pytestmark = pytest.mark.spec("decisions §13")
SESSION = "/members/api/session"
ROUTE = {"start": {"coordinates": {"latitude": 39.2, "longitude": -76.6}}}


@pytest.mark.usefixtures("ann")
def test_a_member_signs_in_and_calls_what_programs_call(world: World) -> None:
    other = browser(world)
    answer = other.sign_in(email="ANN@Example.com", password=PASSWORD)
    assert answer.status_code == 200
    shown = answer.json()
    assert (shown["member"]["email"], shown["member"]["role"]) == (EMAIL, "OWNER")
    assert shown["member"]["status"] == "ACTIVE"
    assert shown["organization"]["id"] == world.credentials.organization_id
    assert other.get(SESSION).json()["csrfToken"] == shown["csrfToken"]
    assert other.get("/api/2024-07/routes").json()["routes"] == []
    made = other.send("POST", "/api/2024-07/routes", ROUTE)
    assert made.status_code == 200
    events = world.client.get("/events").json()["events"]
    assert events[-1]["user"] == {"email": EMAIL}


@pytest.mark.usefixtures("ann")
def test_the_cookie_is_for_the_browser_alone(world: World) -> None:
    answer = browser(world).sign_in(email=EMAIL, password=PASSWORD)
    cookie = answer.headers["set-cookie"]
    name, _, rest = cookie.partition("=")
    assert name == "__Host-roundsman-session"
    flags = {part.strip() for part in rest.split(";")[1:]}
    assert {"HttpOnly", "SameSite=Strict", "Secure", "Path=/"} <= flags
    assert not any(flag.startswith("Domain") for flag in flags)
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.usefixtures("ann")
def test_on_this_machine_the_cookie_goes_without_https(world: World) -> None:
    here = browser(world, "127.0.0.1", "http://127.0.0.1")
    answer = here.sign_in(email=EMAIL, password=PASSWORD)
    assert answer.headers["set-cookie"].startswith("roundsman-session=")
    assert "Secure" not in answer.headers["set-cookie"]
    assert here.get(SESSION).status_code == 200


@pytest.mark.usefixtures("ann")
def test_a_session_that_somebody_chose_beforehand_is_worth_nothing(world: World) -> None:
    victim = browser(world)
    chosen = "chosen-by-somebody-else"
    victim.http.cookies.set("__Host-roundsman-session", chosen, domain="roundsman.test")
    assert victim.get(SESSION).status_code == 401
    answer = victim.sign_in(email=EMAIL, password=PASSWORD)
    assert chosen not in answer.headers["set-cookie"]
    thief = browser(world)
    thief.http.cookies.set("__Host-roundsman-session", chosen, domain="roundsman.test")
    assert thief.get(SESSION).status_code == 401


@pytest.mark.parametrize("given", [None, "", "wrong", "ü"])
def test_a_change_without_the_right_csrf_token_is_refused(ann: Browser, given: str | None) -> None:
    headers = {} if given is None else {"X-CSRF-Token": given.encode()}
    for method, path in (
        ("POST", "/api/2024-07/routes"),
        ("DELETE", SESSION),
        ("DELETE", "/members/api/sessions/ses-1"),
    ):
        answer = ann.http.request(method, path, json=ROUTE, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, 7), path
        assert "X-CSRF-Token" in answer.json()["message"]
    assert ann.get("/api/2024-07/routes").json()["routes"] == []
    assert ann.get(SESSION).status_code == 200
    with capture_logs() as lines:
        ann.http.post("/api/2024-07/routes", json=ROUTE, headers=headers)
    noted = [one for one in lines if one["event"] == "request_not_allowed"]
    assert [(one["operation"], one["address"]) for one in noted] == [("createRoute", "203.0.113.9")]


def test_the_token_of_another_session_does_not_count(world: World, ann: Browser) -> None:
    other = browser(world)
    other.sign_in(email=EMAIL, password=PASSWORD)
    other.csrf = ann.csrf
    assert other.send("POST", "/api/2024-07/routes", ROUTE).status_code == 403


def test_an_access_token_comes_before_the_cookie_and_needs_no_csrf_token(
    world: World, ann: Browser
) -> None:
    bearer = {"Authorization": world.client.headers["Authorization"]}
    assert ann.http.post("/api/2024-07/routes", json=ROUTE, headers=bearer).status_code == 200
    wrong = {"Authorization": "Bearer nothing"}
    assert ann.http.get("/api/2024-07/routes", headers=wrong).status_code == 401


@pytest.mark.usefixtures("ann")
def test_a_wrong_e_mail_is_told_what_a_wrong_password_is_told(world: World) -> None:
    invite(world, "invited@example.com")
    join(world, "gone@example.com")
    known = world.client.get("/members").json()["members"]
    gone = next(one["id"] for one in known if one["email"] == "gone@example.com")
    owner = Request(principal=operator(world.credentials.organization_id))
    deactivate_member(world.tools, owner, gone)
    answers = [
        browser(world).sign_in(email=email, password=password, organization=organization)
        for email, password, organization in (
            (EMAIL, "not the password", ""),
            ("nobody@example.com", PASSWORD, ""),
            ("invited@example.com", PASSWORD, ""),
            ("gone@example.com", PASSWORD, ""),
            (EMAIL, PASSWORD, "another-1234"),
            ("not an e-mail", "", ""),
        )
    ]
    assert {(one.status_code, one.content) for one in answers} == {
        (401, b'{"code":7,"message":"email and password do not match"}')
    }
    assert not any("set-cookie" in one.headers for one in answers)


@pytest.mark.usefixtures("ann")
def test_an_unknown_e_mail_takes_as_long_as_a_wrong_password(world: World) -> None:
    def cost(email: str, source: int) -> float:
        begun = time.process_time()
        browser(world, f"198.51.100.{source}").sign_in(email=email, password="wrong password")
        return time.process_time() - begun

    pairs = [(cost(EMAIL, n), cost(f"x{n}@example.com", n)) for n in range(1, 9)]
    known, unknown = (min(costs) for costs in zip(*pairs, strict=True))
    assert 1 / 2 < known / unknown < 2


@pytest.mark.usefixtures("ann")
def test_whoever_guesses_is_slowed_down(world: World) -> None:
    guesser = browser(world)
    for _ in range(10):
        assert guesser.sign_in(email=EMAIL, password="a wrong guess").status_code == 401
    limited = guesser.sign_in(email=EMAIL, password=PASSWORD)
    assert (limited.status_code, limited.json()["code"]) == (429, 8)
    assert int(limited.headers["retry-after"]) > 0
    assert browser(world, "192.0.2.7").sign_in(email=EMAIL, password=PASSWORD).status_code == 200
    world.clock.advance(minutes=1)
    assert guesser.sign_in(email=EMAIL, password=PASSWORD).status_code == 200


def test_signing_out_ends_the_session_and_has_the_browser_forget_it(
    world: World, ann: Browser
) -> None:
    token = ann.http.cookies["__Host-roundsman-session"]
    answer = ann.send("DELETE", SESSION)
    assert answer.status_code == 200
    assert "Max-Age=0" in answer.headers["set-cookie"]
    thief = browser(world)
    thief.http.cookies.set("__Host-roundsman-session", token, domain="roundsman.test")
    assert (thief.get(SESSION).status_code, thief.get(SESSION).json()["code"]) == (401, 16)


def test_browsers_are_listed_and_signed_out_one_by_one(world: World, ann: Browser) -> None:
    world.clock.advance(seconds=1)
    other = browser(world)
    other.sign_in(email=EMAIL, password=PASSWORD)
    listed = ann.get("/members/api/sessions").json()["sessions"]
    assert [one["current"] for one in listed] == [True, False]
    assert ann.send("DELETE", f"/members/api/sessions/{listed[1]['id']}").status_code == 200
    assert other.get(SESSION).status_code == 401
    assert ann.get(SESSION).status_code == 200
    stranger = join(world, "bob@example.com", Role.VIEWER)
    own = stranger.get("/members/api/sessions").json()["sessions"]
    assert len(own) == 1
    mine = listed[0]["id"]
    assert stranger.send("DELETE", f"/members/api/sessions/{mine}").status_code == 404


def test_a_session_ends_after_twelve_idle_hours_and_after_thirty_days(
    world: World, ann: Browser
) -> None:
    world.clock.advance(hours=11)
    assert ann.get(SESSION).status_code == 200
    world.clock.advance(hours=11)
    assert ann.get(SESSION).status_code == 200
    world.clock.advance(hours=12, seconds=1)
    assert ann.get(SESSION).status_code == 401
    ann.sign_in(email=EMAIL, password=PASSWORD)
    for _ in range(59):
        world.clock.advance(hours=12, seconds=-1)
        assert ann.get(SESSION).status_code == 200
    world.clock.advance(hours=12)
    assert ann.get(SESSION).status_code == 401
    assert ann.sign_in(email=EMAIL, password=PASSWORD).status_code == 200  # it does not grow old


def test_a_member_has_a_rate_of_their_own(world: World, ann: Browser) -> None:
    bob = join(world, "bob@example.com", Role.VIEWER)
    first = ann.get("/api/2024-07/routes")
    assert first.headers["ratelimit-limit"] == "300"
    for _ in range(299):
        ann.get("/api/2024-07/organization")
    refused = ann.get("/api/2024-07/organization")
    assert (refused.status_code, refused.json()["code"]) == (429, 8)
    assert bob.get("/api/2024-07/organization").status_code == 200


@pytest.mark.usefixtures("ann")
def test_who_plans_for_two_organizations_has_one_password_and_names_one(world: World) -> None:
    second = create_organization(make_registrar(world.tools), "Second", "UTC").id
    join(world, "Ann@Example.com", Role.VIEWER, second)
    first = world.credentials.organization_id
    unnamed = browser(world).sign_in(email=EMAIL, password=PASSWORD)
    assert (unnamed.status_code, unnamed.json()["code"]) == (400, 9)
    assert {first, second} == {one["subject"] for one in unnamed.json()["details"][0]["violations"]}
    wrong = browser(world).sign_in(email=EMAIL, password="a wrong password")
    assert second not in wrong.text
    assert wrong.status_code == 401
    for organization, role in ((first, "OWNER"), (second, "VIEWER")):
        signed_in = browser(world).sign_in(
            email=EMAIL, password=PASSWORD, organization=organization
        )
        assert signed_in.json()["member"]["role"] == role
        assert signed_in.json()["organization"]["id"] == organization


def test_a_key_belongs_to_one_member(world: World, ann: Browser) -> None:
    bob = join(world, "bob@example.com", Role.PLANNER)
    path, key = "/api/2024-07/routes", {"Idempotency-Key": "same"}
    first = ann.send("POST", path, ROUTE, **key)
    again = ann.send("POST", path, ROUTE, **key)
    assert again.headers["idempotency-replayed"] == "true"
    assert again.json()["id"] == first.json()["id"]
    assert bob.send("POST", path, ROUTE, **key).json()["id"] != first.json()["id"]


def test_signing_in_again_ends_the_session_before(world: World, ann: Browser) -> None:
    before = ann.http.cookies["__Host-roundsman-session"]
    other = browser(world)
    other.sign_in(email=EMAIL, password=PASSWORD)
    ann.sign_in(email=EMAIL, password=PASSWORD)
    assert ann.http.cookies["__Host-roundsman-session"] != before
    assert len(ann.get("/members/api/sessions").json()["sessions"]) == 2
    assert other.get(SESSION).status_code == 200
    thief = browser(world)
    thief.http.cookies.set("__Host-roundsman-session", before, domain="roundsman.test")
    assert thief.get(SESSION).status_code == 401


def test_a_password_is_changed_by_who_knows_it_and_other_browsers_are_signed_out(
    world: World, ann: Browser
) -> None:
    path, new = "/members/api/password", "another horse battery"
    other = browser(world)
    other.sign_in(email=EMAIL, password=PASSWORD)
    wrong = ann.send("POST", path, {"password": "a wrong guess", "newPassword": new})
    assert (wrong.status_code, wrong.json()["code"]) == (401, 7)
    weak = ann.send("POST", path, {"password": PASSWORD, "newPassword": "Roundsman 1"})
    assert (weak.status_code, weak.json()["code"]) == (400, 3)
    assert other.get(SESSION).status_code == 200
    good = {"password": PASSWORD, "newPassword": new}
    assert ann.http.post(path, json=good).status_code == 403, "without the CSRF token"
    changed = ann.send("POST", path, good)
    assert (changed.status_code, changed.json()) == (200, {})
    assert (ann.get(SESSION).status_code, other.get(SESSION).status_code) == (200, 401)
    assert browser(world).sign_in(email=EMAIL, password=PASSWORD).status_code == 401
    assert browser(world).sign_in(email=EMAIL, password=new).status_code == 200
    events = ann.get("/api/2024-07/security-events").json()["securityEvents"]
    assert [one["kind"] for one in events].count("PASSWORD_CHANGED") == 1
