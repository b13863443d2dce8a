"""What members do to accounts is written down for owners."""

import pytest
from structlog.testing import capture_logs
from tests.api.conftest import World
from tests.members.authenticator import Authenticator
from tests.members.conftest import EMAIL, PASSWORD, Browser, browser, invite, join, token_of
from tests.members.test_second_factors import (
    add_passkey,
    code_now,
    options,
    set_up,
    sign_in_by,
    try_code,
)

from roundsman.domain.principal import Role
from roundsman.operations.member_sign_in import make_sign_in_link
from roundsman.operations.password_resets import make_reset_link

pytestmark = pytest.mark.spec("decisions §13")


def kinds(world: World) -> list[tuple[str, str]]:
    world.tools.failures.wait(10)
    listed = world.client.get("/security-events?query.limit=200").json()["securityEvents"]
    told = [(one["kind"], one["principal"]["kind"]) for one in listed]
    return [one for one in told if "CLIENT" not in one[0] and "CREDENTIALS" not in one[0]]


def test_what_happens_to_members_is_written_down(world: World) -> None:
    ann = join(world)
    wrong = browser(world).sign_in(email=EMAIL, password="a wrong password")
    assert wrong.status_code == 401
    bob = join(world, "bob@example.com", Role.VIEWER)
    path = f"/api/2024-07/members/{bob.get('/members/api/session').json()['member']['id']}"
    world.clock.advance(seconds=1)
    ann.send("PATCH", path, {"member": {"role": "PLANNER"}, "updateMask": "role"})
    ann.send("POST", f"{path}/deactivate")
    ann.send("POST", f"{path}/activate")
    http = browser(world).http
    http.post("/members/api/password-resets", json={"email": EMAIL})
    reset = token_of(make_reset_link(world.tools, EMAIL))
    http.post(f"/members/api/password-resets/{reset}", json={"password": PASSWORD * 2})
    again = browser(world)
    again.sign_in(email=EMAIL, password=PASSWORD * 2)
    again.send("DELETE", "/members/api/session")
    written = kinds(world)
    for expected in (
        ("MEMBER_INVITED", "OPERATOR"),
        ("MEMBER_JOINED", "MEMBER"),
        ("MEMBER_SIGNED_IN", "MEMBER"),
        ("MEMBER_SIGN_IN_FAILED", "MEMBER"),
        ("MEMBER_CHANGED", "MEMBER"),
        ("MEMBER_DEACTIVATED", "MEMBER"),
        ("MEMBER_ACTIVATED", "MEMBER"),
        ("PASSWORD_RESET_REQUESTED", "MEMBER"),
        ("PASSWORD_RESET_LINK_MADE", "OPERATOR"),
        ("PASSWORD_CHANGED", "MEMBER"),
        ("MEMBER_SIGNED_OUT", "MEMBER"),
    ):
        assert expected in written, expected


def test_owners_alone_read_them_and_they_hold_no_secret(world: World) -> None:
    token = token_of(invite(world).url)
    ann = browser(world)
    ann.http.post(f"/members/api/invites/{token}", json={"name": "Ann", "password": PASSWORD})
    cookie = ann.http.cookies["__Host-roundsman-session"]
    shown = ann.get("/api/2024-07/security-events")
    assert shown.status_code == 200
    for secret in (token, cookie, PASSWORD):
        assert secret not in shown.text
    planner = join(world, "planner@example.com", Role.PLANNER)
    refused = planner.get("/api/2024-07/security-events")
    assert (refused.status_code, refused.json()["code"]) == (403, 7)
    assert "OWNER" in refused.json()["message"]


def test_a_sign_in_says_by_what_and_a_passkey_that_proves_nothing_is_written_down(
    world: World, ann: Browser
) -> None:
    secret, _ = set_up(world, ann)
    device = Authenticator()
    assert add_passkey(ann, device, code=code_now(world, secret)).status_code == 200
    world.clock.advance(seconds=30)
    assert try_code(world, code_now(world, secret)).status_code == 200
    assert sign_in_by(world, device.sign(options(world))).status_code == 200
    here = browser(world, "127.0.0.1")
    member = world.client.get("/members").json()["members"][0]["id"]
    link = make_sign_in_link(world.tools, world.credentials.organization_id, member)
    assert here.get(link.removeprefix("http://127.0.0.1:8000")).status_code == 303
    assert sign_in_by(world, device.sign('{"challenge": "AAAA", "rpId": "x"}')).status_code == 401
    # Failures are written down behind the answer: this one before the log is read.
    world.tools.failures.wait(10)
    with capture_logs() as lines:
        for unknown in (Authenticator().sign(options(world)), "no json"):
            assert sign_in_by(world, unknown).status_code == 401
        world.tools.failures.wait(10)
    assert [one["known"] for one in lines if one["event"] == "sign_in_failed"] == [False, False]
    listed = world.client.get("/security-events?query.limit=200").json()["securityEvents"]
    entered = [one["details"]["factor"] for one in listed if one["kind"] == "MEMBER_SIGNED_IN"]
    assert sorted(entered) == ["LINK", "PASSKEY", "PASSWORD", "TOTP"]
    (failed,) = [one for one in listed if one["kind"] == "MEMBER_SIGN_IN_FAILED"]
    assert failed["principal"]["email"] == EMAIL
    assert failed["address"] == "203.0.113.9"
