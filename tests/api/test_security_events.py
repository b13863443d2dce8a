"""Who signed in, who failed to, and who changed what others may do: `GET /security-events`."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.api.conftest import World
from tests.api.described import DescribedClient
from tests.api.test_oauth import GRANT, ask, basic
from tests.support.in_process import InProcessClient

from roundsman.installation import make_registrar
from roundsman.operations.api_clients import (
    cancel_rotation,
    create_credentials,
    finish_rotation,
    rotate_secret,
)
from roundsman.operations.housekeeping import remove_outdated

DRIVER = {"firstName": "Ann", "lastName": "Doe", "phone": "+14105550123"}
WEBHOOK = {"url": "https://hooks.example.com/in", "topics": ["ROUTE_CREATED"]}
ADDRESS, AGENT = "203.0.113.7", "testclient"


def listed(world: World, **arguments: str) -> list[Any]:
    asked = "&".join(f"query.{name}={value}" for name, value in arguments.items())
    answer = world.client.get(f"/security-events?{asked}")
    assert answer.status_code == 200
    return list(answer.json()["securityEvents"])


def device(world: World, **headers: str) -> InProcessClient:
    return InProcessClient(world.client.interface, headers=headers)


def invite(world: World) -> tuple[str, str]:
    made = world.client.post("/drivers", DRIVER).json()
    return made["driver"]["id"], made["inviteUrl"].rpartition("/")[2]


def sign_driver_in(world: World) -> tuple[str, dict[str, Any]]:
    driver, token = invite(world)
    return driver, device(world).post(f"/driver/api/invites/{token}", json={}).json()


def sign_in(world: World, secret: str) -> int:
    body = {"clientId": world.credentials.client_id, "clientSecret": secret}
    return int(DescribedClient(world.client.interface).post("/authenticate", body).status_code)


def move_driver(*verbs: str) -> Callable[[World], None]:
    def act(world: World) -> None:
        driver, _ = invite(world)
        for verb in verbs:
            assert world.client.post(f"/drivers/{driver}/{verb}").status_code == 200

    return act


def add_webhook(world: World) -> str:
    return str(world.client.post("/webhooks", WEBHOOK).json()["id"])


def sign_out(world: World) -> None:
    made = world.credentials
    client = DescribedClient(world.client.interface)
    client.sign_in(made.client_id, made.client_secret)
    assert client.post("/sign-out").status_code == 200


def end_session(world: World) -> None:
    _, signed_in = sign_driver_in(world)
    token = f"Bearer {signed_in['token']}"
    assert device(world, Authorization=token).delete("/driver/api/session").status_code == 200


def end_session_of(world: World) -> None:
    driver, signed_in = sign_driver_in(world)
    path = f"/drivers/{driver}/sessions/{signed_in['session']['id']}"
    assert world.client.send("DELETE", path).status_code == 200


def rotated(*ends: Callable[..., object]) -> Callable[[World], None]:
    def act(world: World) -> None:
        registrar = make_registrar(world.tools, "credentials rotate")
        made = create_credentials(registrar, world.credentials.organization_id, "a@example.com")
        for step in (rotate_secret, *ends):
            step(registrar, made.client_id)

    return act


CLIENT, DEVICE, OPERATOR = "API_CLIENT", "DRIVER_DEVICE", "OPERATOR"
TABLE: dict[str, tuple[Callable[[World], object], list[str], str, set[str]]] = {
    "/oauth/token": (
        lambda world: ask(world, GRANT, **basic(world.credentials.client_id, "wrong")),
        ["CLIENT_SIGN_IN_FAILED"],
        CLIENT,
        set(),
    ),
    "/sign-out": (sign_out, ["CLIENT_SIGNED_OUT"], CLIENT, set()),
    "a driver is added": (invite, ["DRIVER_INVITED"], CLIENT, {"driverId"}),
    "a driver is activated": (
        move_driver("activate", "activate"),
        ["DRIVER_INVITED", "DRIVER_ACTIVATED"],
        CLIENT,
        {"driverId"},
    ),
    "a driver is deactivated": (
        move_driver("activate", "deactivate"),
        ["DRIVER_INVITED", "DRIVER_ACTIVATED", "DRIVER_DEACTIVATED"],
        CLIENT,
        {"driverId"},
    ),
    "a driver is archived": (
        move_driver("invite", "archive"),
        ["DRIVER_INVITED", "DRIVER_INVITED", "DRIVER_ARCHIVED"],
        CLIENT,
        {"driverId"},
    ),
    "a driver signs in": (
        sign_driver_in,
        ["DRIVER_INVITED", "DRIVER_SIGNED_IN"],
        DEVICE,
        {"sessionId"},
    ),
    "a driver signs out": (
        end_session,
        ["DRIVER_INVITED", "DRIVER_SIGNED_IN", "DRIVER_SIGNED_OUT"],
        DEVICE,
        {"driverId", "sessionId"},
    ),
    "a device is signed out": (
        end_session_of,
        ["DRIVER_INVITED", "DRIVER_SIGNED_IN", "DRIVER_SIGNED_OUT"],
        CLIENT,
        {"driverId", "sessionId"},
    ),
    "a webhook is made": (add_webhook, ["WEBHOOK_CREATED"], CLIENT, {"webhookId"}),
    "a webhook is removed": (
        lambda world: world.client.send("DELETE", f"/webhooks/{add_webhook(world)}"),
        ["WEBHOOK_CREATED", "WEBHOOK_REMOVED"],
        CLIENT,
        {"webhookId"},
    ),
    "credentials are made": (
        lambda world: create_credentials(
            make_registrar(world.tools, "credentials create"),
            world.credentials.organization_id,
            "dev@example.com",
        ),
        ["CREDENTIALS_CREATED"],
        OPERATOR,
        {"command", "clientId", "email", "scopes"},
    ),
    "a rotation is finished": (
        rotated(cancel_rotation, rotate_secret, finish_rotation),
        [
            "CREDENTIALS_CREATED",
            "CREDENTIALS_ROTATION_STARTED",
            "CREDENTIALS_ROTATION_CANCELLED",
            "CREDENTIALS_ROTATION_STARTED",
            "CREDENTIALS_ROTATION_FINISHED",
        ],
        OPERATOR,
        {"command", "clientId"},
    ),
}


@pytest.mark.parametrize("what", TABLE)
def test_what_happens_is_recorded_with_who_did_it_and_from_where(world: World, what: str) -> None:
    act, kinds, principal, details = TABLE[what]
    before = {one["id"] for one in listed(world)}
    act(world)
    found = [one for one in listed(world) if one["id"] not in before]
    assert sorted(one["kind"] for one in found) == sorted(kinds)
    last = next(one for one in found if one["kind"] == kinds[-1])
    assert last["principal"]["kind"] == principal
    assert last.get("details", {}).keys() == details
    if principal == OPERATOR:
        assert last["details"]["command"].startswith("credentials ")
        assert "address" not in last
    else:
        assert (last["address"], last["userAgent"]) == (ADDRESS, AGENT)


def test_an_event_says_whom_it_names_and_nothing_of_another_organization(world: World) -> None:
    driver, signed_in = sign_driver_in(world)
    made = {one["kind"]: one for one in listed(world)}
    client = {"kind": CLIENT, "id": world.credentials.client_id, "email": "dev@example.com"}
    assert made["CLIENT_SIGNED_IN"]["principal"] == client
    assert made["DRIVER_SIGNED_IN"]["principal"] == {"kind": DEVICE, "id": driver}
    assert made["DRIVER_SIGNED_IN"]["details"] == {"sessionId": signed_in["session"]["id"]}
    assert made["ORGANIZATION_CREATED"]["principal"] == {"kind": OPERATOR}
    theirs = world.stranger.get("/security-events").json()["securityEvents"]
    assert {one["kind"] for one in theirs} == {
        "ORGANIZATION_CREATED",
        "CREDENTIALS_CREATED",
        "CLIENT_SIGNED_IN",
    }
    assert {one["id"] for one in theirs}.isdisjoint(one["id"] for one in made.values())


def test_what_was_undone_is_not_recorded(world: World) -> None:
    before = listed(world)
    assert world.client.post("/webhooks", WEBHOOK | {"url": "http://x"}).status_code == 400
    assert world.client.post("/drivers/drv-unknown/activate").status_code == 404
    assert world.client.send("DELETE", "/webhooks/sub-unknown").status_code == 404
    first = world.client.post("/webhooks", WEBHOOK, headers={"Idempotency-Key": "one"})
    again = world.client.post("/webhooks", WEBHOOK, headers={"Idempotency-Key": "one"})
    assert first.content == again.content
    (made,) = [one for one in listed(world) if one not in before]
    assert made["details"] == {"webhookId": first.json()["id"]}


@pytest.mark.both_databases
def test_failures_of_one_address_are_one_event_an_hour_that_counts(world: World) -> None:
    for _ in range(3):
        assert sign_in(world, "wrong") == 401
        world.client.get("/security-events")  # has seen them written
    world.clock.advance(seconds=30)
    assert ask(world, GRANT, **basic(world.credentials.client_id, "wrong")).status_code == 401
    (failed,) = listed(world, kind="CLIENT_SIGN_IN_FAILED")
    assert failed["details"] == {"times": 4, "lastAt": "2024-07-01T06:00:30Z"}
    assert (failed["at"], failed["address"]) == ("2024-07-01T06:00:00Z", ADDRESS)
    assert failed["principal"]["id"] == world.credentials.client_id


def test_unknown_clients_and_limited_calls_are_in_no_list(world: World) -> None:
    before = listed(world)
    unknown = basic("unknown", "wrong")
    assert ask(world, GRANT, **unknown).status_code == 401
    assert listed(world) == before
    for _ in range(10):
        assert sign_in(world, "wrong") == 401
    assert sign_in(world, "wrong") == 429
    (failed,) = listed(world, kind="CLIENT_SIGN_IN_FAILED")
    assert failed["details"]["times"] == 10


def test_whoever_guesses_from_everywhere_adds_sixty_one_events_an_hour_and_no_more(
    world: World,
) -> None:
    body = {"clientId": world.credentials.client_id, "clientSecret": "wrong"}
    for number in range(100):
        client = DescribedClient(world.client.interface, address=f"192.0.2.{number}")
        assert client.post("/authenticate", body).status_code == 401
        world.tools.failures.wait()
    found = listed(world, kind="CLIENT_SIGN_IN_FAILED", limit="200")
    assert len(found) == 61
    (others,) = [one for one in found if "address" not in one]
    assert others["principal"] == {"kind": CLIENT}
    assert others["details"]["times"] == 40


@pytest.mark.spec("decisions §5")
def test_the_list_is_paged_and_filtered_newest_first(world: World) -> None:
    for _ in range(5):
        world.clock.advance(seconds=1)
        add_webhook(world)
    seen: list[Any] = []
    cursor, pages = "", 0
    while cursor or not pages:
        path = f"/security-events?query.limit=2&query.kind=WEBHOOK_CREATED&cursor={cursor}"
        page = world.client.get(path).json()
        seen += page["securityEvents"]
        cursor, pages = page["nextCursor"], pages + 1
    assert (len(seen), pages) == (5, 3)
    assert [one["at"] for one in seen] == sorted((one["at"] for one in seen), reverse=True)
    recent = listed(world, since="2024-07-01T06:00:04Z")
    assert recent == seen[:2]
    for wrong in ("query.kind=NOTHING", "query.since=yesterday", "query.limit=201", "cursor=x"):
        assert world.client.get(f"/security-events?{wrong}").status_code == 400


def test_events_are_kept_for_a_year(world: World) -> None:
    add_webhook(world)
    stored = world.count("security_events")
    world.clock.advance(days=365)
    remove_outdated(world.tools)
    assert world.count("security_events") == stored
    world.clock.advance(seconds=1)
    remove_outdated(world.tools)
    assert world.count("security_events") == 0
