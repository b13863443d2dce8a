"""A code beside the password, or a passkey instead of both."""

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.api.conftest import World
from tests.members.authenticator import Authenticator
from tests.members.conftest import EMAIL, PASSWORD, Browser, browser, invite, join, token_of

from roundsman.domain.errors import NotFound
from roundsman.domain.principal import Role
from roundsman.kit.one_time_codes import code_at
from roundsman.operations.password_resets import make_reset_link
from roundsman.operations.second_factor_settings import reset_second_factors
from roundsman.operations.secret_keys import rotate_secret_key

pytestmark = pytest.mark.spec("decisions §17")

BASE = "/members/api"
FACTORS = f"{BASE}/second-factors"
SIGN_IN = {"email": EMAIL, "password": PASSWORD}
CONFIRMED = ("totp", "totp/remove", "recovery-codes", "passkey-options", "passkeys/any/remove")
"""What is done by who could sign in now, and not by whoever finds a browser open."""

type Json = Any


def code_now(world: World, secret: str, later: int = 0) -> str:
    return code_at(secret, int(world.clock.now().timestamp()) // 30 + later)


def set_up(world: World, ann: Browser) -> tuple[str, list[str]]:
    """Give Ann an app; return its secret and the recovery codes."""
    begun = ann.send("POST", f"{FACTORS}/totp", {"password": PASSWORD})
    assert begun.status_code == 200, begun.text
    secret = begun.json()["secret"]
    confirmed = ann.send("POST", f"{FACTORS}/totp/confirm", {"code": code_now(world, secret)})
    assert confirmed.status_code == 200, confirmed.text
    world.clock.advance(seconds=30)
    return secret, confirmed.json()["recoveryCodes"]


def prove(world: World, secret: str) -> dict[str, str]:
    """Return what is asked for again before a second factor is changed."""
    return {"password": PASSWORD, "code": code_now(world, secret)}


def try_code(world: World, code: str, **fields: str) -> Json:
    return browser(world).sign_in(**SIGN_IN, code=code, **fields)


@pytest.mark.both_databases
def test_a_code_is_wanted_after_the_password_and_works_once(world: World, ann: Browser) -> None:
    secret, codes = set_up(world, ann)
    shown = ann.get(FACTORS).json()
    assert (shown["totp"], shown["recoveryCodesLeft"], shown["hasPassword"]) == (True, 10, True)
    asked = browser(world).sign_in(**SIGN_IN)
    assert (asked.status_code, asked.json()["code"]) == (400, 9)
    (violation,) = asked.json()["details"][0]["violations"]
    assert (violation["type"], violation["subject"]) == ("secondFactor", "TOTP")
    unknown = browser(world).sign_in(email=EMAIL, password="wrong battery")
    assert (unknown.status_code, "second" in unknown.text) == (401, False)
    code = code_now(world, secret)
    assert try_code(world, code).status_code == 200
    assert try_code(world, code).status_code == 401  # a code that was seen is worth nothing
    assert try_code(world, "000000").json()["message"] == "code is wrong, or was used before"
    world.clock.advance(seconds=30)
    assert try_code(world, code_now(world, secret)).status_code == 200
    assert len(set(codes)) == 10


@pytest.mark.both_databases
def test_a_recovery_code_works_once_and_says_so(world: World, ann: Browser) -> None:
    _, codes = set_up(world, ann)
    assert try_code(world, codes[0].upper().replace("-", " ")).status_code == 200
    assert try_code(world, codes[0]).status_code == 401
    assert ann.get(FACTORS).json()["recoveryCodesLeft"] == 9
    proof = {"password": PASSWORD, "code": codes[2]}
    renewed = ann.send("POST", f"{FACTORS}/recovery-codes", proof)
    assert try_code(world, codes[1]).status_code == 401
    assert try_code(world, renewed.json()["recoveryCodes"][1]).status_code == 200
    kinds = [
        one["kind"] for one in ann.get("/api/2024-07/security-events").json()["securityEvents"]
    ]
    for kind in ("SECOND_FACTOR_ADDED", "RECOVERY_CODE_USED", "RECOVERY_CODES_MADE"):
        assert kind in kinds


def test_codes_are_guessed_ten_times_and_no_more(world: World, ann: Browser) -> None:
    secret, _ = set_up(world, ann)
    for number in range(10):
        there = browser(world, f"203.0.113.{100 + number}")
        assert there.sign_in(**SIGN_IN, code="000000").status_code == 401
    late = browser(world, "203.0.113.200").sign_in(**SIGN_IN, code=code_now(world, secret))
    assert (late.status_code, late.json()["code"]) == (429, 8)
    world.clock.advance(minutes=6)
    assert try_code(world, code_now(world, secret)).status_code == 200


def test_nothing_changes_without_the_password_or_the_right_code(world: World, ann: Browser) -> None:
    for path in CONFIRMED:
        answer = ann.send("POST", f"{FACTORS}/{path}", {"password": "wrong battery"})
        assert (answer.status_code, answer.json()["code"]) == (401, 7), path
    early = ann.send("POST", f"{FACTORS}/totp/confirm", {"code": "123456"})
    assert early.json()["message"] == "begin with a secret for the app"
    begun = ann.send("POST", f"{FACTORS}/totp", {"password": PASSWORD}).json()
    wrong = ann.send("POST", f"{FACTORS}/totp/confirm", {"code": "123456"})
    assert (wrong.status_code, wrong.json()["code"]) == (400, 3)
    assert browser(world).sign_in(**SIGN_IN).status_code == 200  # an app that showed no code
    confirmed = {"code": code_now(world, begun["secret"])}
    assert ann.send("POST", f"{FACTORS}/totp/confirm", confirmed).status_code == 200
    for path in CONFIRMED:
        answer = ann.send("POST", f"{FACTORS}/{path}", {"password": PASSWORD})
        assert (answer.status_code, answer.json()["code"]) == (400, 9), path
        (violation,) = answer.json()["details"][0]["violations"]
        assert violation["type"] == "secondFactor", path
        wrong = ann.send("POST", f"{FACTORS}/{path}", {"password": PASSWORD, "code": "000000"})
        assert (wrong.status_code, wrong.json()["code"]) == (401, 7), path
    assert ann.get(FACTORS).json()["totp"] is True
    world.clock.advance(seconds=30)
    twice = ann.send("POST", f"{FACTORS}/totp", prove(world, begun["secret"]))
    assert (twice.status_code, twice.json()["code"]) == (400, 9)
    world.clock.advance(seconds=30)
    proof = prove(world, begun["secret"])
    assert ann.send("POST", f"{FACTORS}/totp/remove", proof).status_code == 200
    assert browser(world).sign_in(**SIGN_IN).status_code == 200
    assert ann.get(FACTORS).json()["recoveryCodesLeft"] == 0


def test_an_invitation_of_somebody_who_uses_codes_wants_one(world: World, ann: Browser) -> None:
    secret, _ = set_up(world, ann)
    theirs = world.stranger.get("/organization").json()["id"]
    path = f"{BASE}/invites/{token_of(invite(world, EMAIL, Role.PLANNER, theirs).url)}"
    http = browser(world).http
    assert http.post(path, json={"password": PASSWORD}).status_code == 400
    taken = http.post(path, json={"password": PASSWORD, "code": code_now(world, secret)})
    assert taken.status_code == 200
    world.clock.advance(seconds=30)
    both = try_code(world, code_now(world, secret))
    assert "name an organization" in both.json()["message"]
    assert try_code(world, code_now(world, secret), organization=theirs).status_code == 200


def test_the_secret_is_sealed_and_outlives_a_rotation_of_the_key(
    world: World, ann: Browser
) -> None:
    secret, codes = set_up(world, ann)
    with world.tools.database.reading() as tx:
        kept = str(tx.exec_driver_sql("SELECT secret FROM totp_secrets").scalar_one())
        hashes = str(tx.exec_driver_sql("SELECT code_hash FROM recovery_codes").all())
    assert secret not in kept
    assert not any(code in hashes for code in codes)
    rotate_secret_key(world.tools)
    assert try_code(world, code_now(world, secret)).status_code == 200


def test_whoever_runs_the_installation_helps_who_has_lost_everything(
    world: World, ann: Browser
) -> None:
    set_up(world, ann)
    reset_second_factors(world.tools, EMAIL, "member reset-second-factor")
    assert browser(world).sign_in(**SIGN_IN).status_code == 200


def add_passkey(ann: Browser, device: Authenticator, name: str = "Phone", code: str = "") -> Json:
    proof = {"password": PASSWORD, "code": code}
    begun = ann.send("POST", f"{FACTORS}/passkey-options", proof)
    assert begun.status_code == 200, begun.text
    made = {"name": name, "credential": device.make(begun.json()["options"])}
    return ann.send("POST", f"{FACTORS}/passkeys", made)


def options(world: World) -> str:
    answer = browser(world).http.post(f"{BASE}/passkey-options", json={})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["options"])


def sign_in_by(world: World, credential: str, **fields: str) -> Json:
    body = {"credential": credential, **fields}
    return browser(world).http.post(f"{BASE}/session/passkey", json=body)


@pytest.mark.spec("decisions §22")
def test_a_new_password_by_a_link_ends_passkeys_that_somebody_else_may_have_made(
    world: World, ann: Browser
) -> None:
    device = Authenticator()
    assert add_passkey(ann, device).status_code == 200
    token = token_of(make_reset_link(world.tools, EMAIL))
    path = f"{BASE}/password-resets/{token}"
    assert browser(world).http.post(path, json={"password": "my very own one"}).status_code == 200
    assert sign_in_by(world, device.sign(options(world))).status_code == 401
    events = world.client.get("/security-events").json()["securityEvents"]
    assert "SECOND_FACTOR_REMOVED" in [one["kind"] for one in events]


@pytest.mark.both_databases
def test_a_passkey_signs_in_without_password_and_code(world: World, ann: Browser) -> None:
    secret, codes = set_up(world, ann)
    device = Authenticator()
    made = add_passkey(ann, device, code=code_now(world, secret))
    assert (made.status_code, made.json()["name"]) == (200, "Phone")
    answer = sign_in_by(world, device.sign(options(world)))
    assert (answer.status_code, answer.json()["member"]["email"]) == (200, EMAIL)
    assert "HttpOnly" in answer.headers["set-cookie"]
    (kept,) = ann.get(FACTORS).json()["passkeys"]
    assert kept["lastUsedAt"].startswith("2024-07-01")
    remove = f"{FACTORS}/passkeys/{kept['id']}/remove"
    assert ann.send("POST", remove, {"password": PASSWORD, "code": codes[0]}).status_code == 200
    assert sign_in_by(world, device.sign(options(world))).status_code == 401
    again = {"password": PASSWORD, "code": codes[1]}
    assert ann.send("POST", remove, again).status_code == 404


@pytest.mark.both_databases
def test_an_answer_counts_once_in_time_here_and_signed(world: World, ann: Browser) -> None:
    device = Authenticator()
    add_passkey(ann, device)
    answer = device.sign(options(world))
    assert sign_in_by(world, answer).status_code == 200
    assert sign_in_by(world, answer).status_code == 401  # once
    late = device.sign(options(world))
    world.clock.advance(minutes=5)
    elsewhere = replace(device, origin="https://roundsman.example")
    unverified = replace(device, is_verified=False)
    stranger = Authenticator()
    forged = json.loads(device.sign(options(world)))
    forged["response"]["signature"] = json.loads(stranger.sign(options(world)))["response"][
        "signature"
    ]
    begun = ann.send("POST", f"{FACTORS}/passkey-options", {"password": PASSWORD}).json()
    making = json.loads(begun["options"])
    another_purpose = json.dumps({"challenge": making["challenge"], "rpId": making["rp"]["id"]})
    for wrong in (
        late,
        elsewhere.sign(options(world)),
        unverified.sign(options(world)),
        stranger.sign(options(world)),
        json.dumps(forged),
        device.sign(another_purpose),
        device.sign(json.dumps({"challenge": "AAAA", "rpId": "roundsman.test"})),
        "{}",
        "[1]",
        "no json",
    ):
        refused = sign_in_by(world, wrong)
        assert (refused.status_code, refused.json()["code"]) == (401, 7), wrong
    device.sign_count = 0  # a copy of the device, which has signed less often
    assert sign_in_by(world, device.sign(options(world))).status_code == 401


def test_a_passkey_of_another_person_or_place_is_not_kept(world: World, ann: Browser) -> None:
    bob = join(world, "bob@example.com", Role.PLANNER)
    begun = bob.send("POST", f"{FACTORS}/passkey-options", {"password": PASSWORD}).json()
    of_bob = Authenticator().make(begun["options"])
    for credential in (of_bob, "{}", Authenticator(is_verified=False).make(begun["options"])):
        refused = ann.send("POST", f"{FACTORS}/passkeys", {"credential": credential})
        assert (refused.status_code, refused.json()["code"]) == (400, 3)
        assert refused.json()["message"].startswith("credential proves nothing")
    device = Authenticator()
    assert add_passkey(ann, device).status_code == 200
    assert "known already" in add_passkey(bob, device).json()["message"]


def test_who_plans_for_two_sends_the_same_answer_with_a_name(world: World, ann: Browser) -> None:
    theirs = world.stranger.get("/organization").json()["id"]
    path = f"{BASE}/invites/{token_of(invite(world, EMAIL, Role.PLANNER, theirs).url)}"
    browser(world).http.post(path, json={"password": PASSWORD})
    device = Authenticator()
    add_passkey(ann, device)
    answer = device.sign(options(world))
    assert "name an organization" in sign_in_by(world, answer).json()["message"]
    named = sign_in_by(world, answer, organization=theirs)
    assert named.json()["organization"]["id"] == theirs


def test_passkeys_need_a_name_not_an_address(world: World) -> None:
    here = browser(world, "127.0.0.1", "http://127.0.0.1:8000")
    answer = here.http.post(f"{BASE}/passkey-options", json={})
    assert answer.status_code == 400
    assert "open localhost" in answer.json()["message"]


def test_a_command_resets_and_names_who_has_none(world: World) -> None:
    with pytest.raises(NotFound, match="nobody with the e-mail address"):
        reset_second_factors(world.tools, "nobody@example.com")


def test_a_new_password_by_a_link_leaves_the_second_factor(world: World, ann: Browser) -> None:
    secret, _ = set_up(world, ann)
    token = token_of(make_reset_link(world.tools, EMAIL))
    new = "another horse battery"
    path = f"{BASE}/password-resets/{token}"
    assert browser(world).http.post(path, json={"password": new}).status_code == 200
    asked = browser(world).sign_in(email=EMAIL, password=new)
    assert (asked.status_code, asked.json()["code"]) == (400, 9)
    entered = browser(world).sign_in(email=EMAIL, password=new, code=code_now(world, secret))
    assert entered.status_code == 200


def test_a_password_is_changed_with_a_code_where_one_is_wanted(world: World, ann: Browser) -> None:
    secret, _ = set_up(world, ann)
    change = {"password": PASSWORD, "newPassword": "another horse battery"}
    asked = ann.send("POST", f"{BASE}/password", change)
    assert (asked.status_code, asked.json()["code"]) == (400, 9)
    with_code = {**change, "code": code_now(world, secret)}
    assert ann.send("POST", f"{BASE}/password", with_code).status_code == 200
