"""Invites and sessions: once, for a week, on any number of devices, and gone at once."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from httpx2 import Response
from structlog.testing import capture_logs
from tests.api.conftest import World
from tests.driver.device import Listener, accept, browser, invite, sign_up

from roundsman.endpoints.application import Application
from roundsman.kit.secrets import hash_secret
from roundsman.operations.driver_sessions import list_devices
from roundsman.operations.housekeeping import remove_outdated


@pytest.mark.spec("decisions §12")
def test_an_invite_makes_a_driver_active_once_and_tells_of_it(
    world: World, door: Application
) -> None:
    driver, token = invite(world)
    listener = Listener(world)
    http = browser(door)
    shown = http.get(f"/driver/api/invites/{token}").json()
    assert shown["driver"] == {"id": driver, "firstName": "Dana", "lastName": "Driver"}
    assert shown["organization"]["name"] == "Acme Foods"
    assert shown["expiresAt"] == "2024-07-08T06:00:00Z"
    assert listener.topics() == []
    answer = http.post(f"/driver/api/invites/{token}", json={"device": "phone"}).json()
    assert answer["driver"]["status"] == "ACTIVE"
    (event,) = listener.fresh()
    assert (event["topic"], event["objectId"]) == ("DRIVER_ADDED", driver)
    assert event["payload"] == answer["driver"]
    assert event["user"]["driverId"] == driver
    again = http.post(f"/driver/api/invites/{token}")
    assert (again.status_code, again.json()["code"]) == (404, 5)
    assert "used up" in again.json()["message"]
    assert world.count("driver_sessions") == 1


@pytest.mark.spec("decisions §12")
def test_an_invite_expires_after_a_week(world: World, door: Application) -> None:
    _, token = invite(world)
    world.clock.advance(days=7)
    http = browser(door)
    for response in (
        http.get(f"/driver/api/invites/{token}"),
        http.post(f"/driver/api/invites/{token}"),
    ):
        assert (response.status_code, response.json()["code"]) == (400, 9)
        assert "expired" in response.json()["message"]
    assert world.count("driver_sessions") == 0


@pytest.mark.both_databases
@pytest.mark.spec("decisions §12")
def test_many_who_accept_one_invite_at_once_are_one(world: World, door: Application) -> None:
    _, token = invite(world)
    listener = Listener(world)
    with ThreadPoolExecutor(8) as devices:
        sent = devices.map(
            lambda _: browser(door).post(f"/driver/api/invites/{token}").status_code, range(8)
        )
        assert sorted(sent) == [200, *[404] * 7]
    assert [topic for topic, _ in listener.topics()] == ["DRIVER_ADDED"]
    assert world.count("driver_sessions") == 1


def test_an_active_driver_signs_in_on_one_more_device_by_a_new_invite(
    world: World, door: Application
) -> None:
    phone = sign_up(world, door)
    listener = Listener(world)
    world.clock.advance(minutes=1)
    url = world.client.post(f"/drivers/{phone.driver_id}/invite").json()["inviteUrl"]
    tablet = accept(world, door, url.rpartition("/")[2], device="tablet")
    assert listener.topics() == []
    assert tablet.driver_id == phone.driver_id
    listed = phone.get("/sessions").json()["sessions"]
    assert [session["device"] for session in listed] == ["phone", "tablet"]
    assert phone.delete(f"/sessions/{tablet.session_id}").json() == {}
    assert tablet.get("/session").status_code == 401
    assert phone.get("/session").json()["driver"]["status"] == "ACTIVE"
    assert phone.delete("/session").status_code == 200
    assert phone.get("/session").status_code == 401


def test_a_planner_may_activate_before_the_driver_signs_in(world: World, door: Application) -> None:
    driver, token = invite(world)
    world.client.post(f"/drivers/{driver}/activate")
    listener = Listener(world)
    device = accept(world, door, token)
    assert device.get("/session").json()["driver"]["status"] == "ACTIVE"
    assert listener.topics() == []


@pytest.mark.parametrize(("verb", "comes_back"), [("deactivate", True), ("archive", False)])
def test_a_driver_who_may_not_drive_is_refused_at_once(
    world: World,
    door: Application,
    verb: str,
    comes_back: bool,  # noqa: FBT001 -- a table's column
) -> None:
    device = sign_up(world, door)
    spare = world.client.post(f"/drivers/{device.driver_id}/invite").json()["inviteUrl"]
    world.client.post(f"/drivers/{device.driver_id}/{verb}")
    refused = device.get("/routes")
    assert (refused.status_code, refused.json()["code"]) == (401, 16)
    assert refused.headers["WWW-Authenticate"] == "Bearer"
    assert browser(door).post(f"/driver/api/invites/{spare.rpartition('/')[2]}").status_code == 404
    world.client.post(f"/drivers/{device.driver_id}/activate")
    assert device.get("/routes").status_code == (200 if comes_back else 401)


def test_only_hashes_of_session_tokens_are_kept(world: World, door: Application) -> None:
    device = sign_up(world, door)
    token = device.headers["Authorization"].removeprefix("Bearer ")
    with world.tools.database.reading() as tx:
        ((kept,),) = tx.exec_driver_sql("SELECT token_hash FROM driver_sessions").fetchall()
    assert bytes(kept) == hash_secret(token)


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer x", "Basic x"])
def test_a_request_without_a_session_is_refused(door: Application, header: str) -> None:
    response = browser(door).get("/driver/api/routes", headers={"Authorization": header})
    assert (response.status_code, response.json()["code"]) == (401, 16)


def test_a_browser_signs_up_by_a_page_with_a_button(world: World, door: Application) -> None:
    _, token = invite(world, firstName="<b>Dana</b>")
    http = browser(door)
    page = http.get(f"/driver/invite/{token}")
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["Cache-Control"] == "no-store"
    assert re.findall("<script[^>]*>", page.text) == [
        '<script type="module" crossorigin src="/driver/index.js">'
    ]
    assert "script-src 'self' 'wasm-unsafe-eval';" in page.headers["Content-Security-Policy"]
    assert "&lt;b&gt;Dana&lt;/b&gt;" in page.text
    assert '<form method="post"><button>Accept</button></form>' in page.text
    accepted = http.post(f"/driver/invite/{token}")
    key = accepted.text.partition("<code>")[2].partition("</code>")[0]
    session = http.get("/driver/api/session", headers={"Authorization": f"Bearer {key}"})
    assert session.json()["driver"]["status"] == "ACTIVE"
    used = http.get(f"/driver/invite/{token}")
    assert used.status_code == 404
    assert "Ask your planner for a new one." in used.text


def test_a_browser_that_lost_its_storage_signs_in_again_by_its_cookie(
    world: World, door: Application
) -> None:
    _, token = invite(world)
    signed_in = browser(door).post(f"/driver/api/invites/{token}", json={"device": "phone"})
    cookie, *attributes = signed_in.headers["Set-Cookie"].split("; ")
    assert cookie.startswith("__Secure-roundsman-driver-restore=")
    assert attributes[0] == "Path=/driver/api/session/restore"
    assert attributes[2:] == ["HttpOnly", "SameSite=Strict", "Secure"]
    first = signed_in.json()

    def restore(kept: str) -> Response:
        return browser(door).post("/driver/api/session/restore", headers={"Cookie": kept})

    def look(key: str) -> int:
        headers = {"Authorization": f"Bearer {key}"}
        return browser(door).get("/driver/api/session", headers=headers).status_code

    answer = restore(cookie)
    assert answer.status_code == 200, answer.text
    restored = answer.json()
    assert restored["driver"]["id"] == first["driver"]["id"]
    assert restored["session"]["device"] == "phone"
    assert restored["session"]["id"] != first["session"]["id"]
    assert (look(first["token"]), look(restored["token"])) == (401, 200)
    # Once: the browser has another cookie from there on.
    again = restore(cookie)
    assert (again.status_code, again.json()["code"]) == (401, 16)
    assert restore("roundsman-driver-restore=guess").status_code == 401
    assert restore("").status_code == 401
    next_cookie = answer.headers["Set-Cookie"].split("; ")[0]
    earlier = restore(next_cookie.removeprefix("__Secure-"))  # as the version before called it
    next_cookie, restored = earlier.headers["Set-Cookie"].split("; ")[0], earlier.json()
    signed = {"Authorization": f"Bearer {restored['token']}"}
    assert browser(door).delete("/driver/api/session", headers=signed).status_code == 200
    assert restore(next_cookie).status_code == 401


def test_a_driver_sees_what_the_organization_asks_for_at_the_door(
    world: World, door: Application
) -> None:
    settings = {
        "failureReasons": ["Dog in the yard"],
        "proofRules": {"photo": "REQUIRED", "barcode": "OFF"},
        "shareDriverPosition": "NEXT_STOP",
    }
    body = {"organization": settings, "updateMask": ",".join(settings)}
    assert world.client.send("PATCH", "/organization", json=body).status_code == 200
    shown = sign_up(world, door).get("/session").json()["organization"]
    assert (shown["name"], shown["timezone"]) == ("Acme Foods", "UTC")
    assert shown["failureReasons"] == ["Dog in the yard"]
    assert shown["shareDriverPosition"] == "NEXT_STOP"
    assert shown["proofRules"] == {
        "photo": "REQUIRED",
        "signature": "OFFERED",
        "barcode": "OFF",
        "note": "OFFERED",
        "recipientName": "OFFERED",
    }


def test_whoever_guesses_invites_is_slowed_down(door: Application) -> None:
    http = browser(door)
    answers = [http.get(f"/driver/api/invites/guess-{number}") for number in range(121)]
    assert [answer.status_code for answer in answers] == [*[404] * 120, 429]
    assert int(answers[-1].headers["Retry-After"]) >= 1


def test_a_device_has_a_bucket_of_its_own(world: World, door: Application) -> None:
    phone, other = sign_up(world, door), sign_up(world, door)
    answers = [phone.get("/session") for _ in range(121)]
    assert [answer.status_code for answer in answers] == [*[200] * 120, 429]
    assert answers[0].headers["RateLimit-Remaining"] == "119"
    assert other.get("/session").status_code == 200


def test_no_log_line_holds_a_token(world: World, door: Application) -> None:
    _, invited = invite(world)
    with capture_logs() as lines:
        device = accept(world, door, invited)
        device.get("/session")
        browser(door).get(f"/driver/invite/{invited}")
    told = str(lines)
    assert "acceptInvite" in told
    assert invited not in told
    assert device.headers["Authorization"].removeprefix("Bearer ") not in told


def test_a_session_ends_after_thirty_idle_days_and_after_ninety_in_any_case(
    world: World, door: Application
) -> None:
    used, idle = sign_up(world, door), sign_up(world, door)
    for _ in range(3):
        world.clock.advance(days=29, hours=23)
        assert used.get("/session").status_code == 200
    ended = idle.get("/session")
    assert (ended.status_code, ended.json()["code"]) == (401, 16)
    assert "expired" in ended.json()["message"]
    assert ended.headers["WWW-Authenticate"] == "Bearer"
    for driver, count in ((used.driver_id, 1), (idle.driver_id, 0)):
        listed = list_devices(world.tools, world.credentials.organization_id, driver)
        assert len(listed) == count
    world.clock.advance(hours=3)
    assert used.get("/session").status_code == 401
    remove_outdated(world.tools)
    assert world.count("driver_sessions") == 0


def test_that_a_device_was_heard_of_is_written_once_an_hour(
    world: World, door: Application
) -> None:
    device = sign_up(world, door)

    def seen() -> int | None:
        with world.tools.database.reading() as tx:
            found: int | None = tx.exec_driver_sql(
                "SELECT seen_at FROM driver_sessions"
            ).scalar_one()
            return found

    world.clock.advance(minutes=59)
    device.get("/session")
    assert seen() is None
    world.clock.advance(minutes=1)
    device.get("/session")
    first = seen()
    world.clock.advance(minutes=59)
    device.get("/session")
    assert first is not None
    assert seen() == first


def test_a_token_of_one_door_opens_no_other(world: World, door: Application) -> None:
    _, token = invite(world)
    device = browser(door).post(f"/driver/api/invites/{token}", json={"device": "phone"}).json()
    of_device = {"Authorization": f"Bearer {device['token']}"}
    of_client = {"Authorization": world.client.headers["Authorization"]}
    for path, headers, status in (
        ("/driver/api/session", of_device, 200),
        ("/driver/api/session", of_client, 401),
        ("/api/2024-07/routes", of_client, 200),
        ("/api/2024-07/routes", of_device, 401),
        ("/members/api/session", of_client, 401),
        ("/members/api/session", of_device, 401),
    ):
        assert browser(door).get(path, headers=headers).status_code == status, path
