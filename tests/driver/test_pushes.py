"""A phone is told by push that a planner has changed its route; what changed it asks for itself."""

import asyncio
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey
from tests.api.conftest import World
from tests.driver.device import Device, dispatch, sign_up
from tests.webhooks.receiver import Received, Receiver

from roundsman.endpoints.application import Application
from roundsman.notifications.email import Mail, MailServer
from roundsman.storage.sealed_columns import PUSH_ENDPOINT, sealing_purpose
from roundsman.storage.sealing import SecretBox
from roundsman.webhooks.sender import Sender
from roundsman.workers.push_delivery import PushDelivery

pytestmark = pytest.mark.spec("doors 4.3")

PATH = "/push-subscriptions"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver().listening() as listening:
        yield listening


@pytest.fixture(autouse=True)
def mail(world: World) -> None:
    """Have a sender whose name stands before the address, as in letters."""
    server = MailServer.parse("smtp://127.0.0.1:9")
    sender = "Acme Foods <post@example.com>"
    mail = Mail(server=server, sender=sender, certificates=None)  # type: ignore[arg-type]  # nothing is sent
    world.tools = replace(world.tools, mail=mail)


@pytest.fixture
def device(world: World, door: Application) -> Device:
    """The device of a driver who has a route of three stops."""
    signed = sign_up(world, door)
    dispatch(world, signed, stops=3)
    return signed


def subscribe(device: Device, endpoint: str) -> None:
    answer = device.post(PATH, {"endpoint": endpoint})
    assert answer.status_code == 200, answer.text


def is_subscribed(device: Device) -> bool:
    return bool(device.get(PATH).json()["isSubscribed"])


def tell(world: World) -> None:
    sender = Sender(world.tools.address_guard, None, world.clock)
    asyncio.run(PushDelivery(world.tools, sender).send_due())


def rename(world: World, device: Device, name: str) -> None:
    body = {"route": {"name": name}, "updateMask": "name"}
    assert world.client.send("PATCH", f"/routes/{device.route_id}", json=body).status_code == 200


def verify(one: Received, public_key: str, receiver: Receiver, world: World) -> None:
    """Judge the signature as a push service does (RFC 8292)."""
    scheme, _, rest = one.headers["authorization"].partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert (scheme, parts["k"]) == ("vapid", public_key)
    point = urlsafe_b64decode(public_key + "=")
    assert (len(point), point[0]) == (65, 4)
    halves = [_base64(half) for half in (point[1:33], point[33:])]
    key = ECKey.import_key({"kty": "EC", "crv": "P-256", "x": halves[0], "y": halves[1]})
    claims = jwt.decode(parts["t"], key, algorithms=["ES256"]).claims
    assert claims["aud"] == f"http://127.0.0.1:{receiver.port}"
    assert 0 < claims["exp"] - world.clock.now().timestamp() <= 24 * 3600
    assert claims["sub"] == "mailto:post@example.com"


def _base64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


@pytest.mark.both_databases
def test_a_planners_changes_are_one_signal_without_content(
    world: World, device: Device, receiver: Receiver
) -> None:
    key = device.get(PATH).json()["publicKey"]
    assert not is_subscribed(device)
    subscribe(device, receiver.url("/for-one-phone"))
    assert is_subscribed(device)
    for name in ("Harbour", "Harbour and hill"):
        rename(world, device, name)
    tell(world)
    assert receiver.received == [], "a planner at work is waited for"
    world.clock.advance(seconds=6)
    tell(world)
    (one,) = receiver.received
    assert (one.path, one.body) == ("/for-one-phone", b"")
    assert one.headers["urgency"] == "high"
    assert int(one.headers["ttl"]) > 0
    verify(one, key, receiver, world)
    world.clock.advance(hours=1)
    tell(world)
    assert len(receiver.received) == 1


def test_what_the_driver_does_is_not_told(world: World, device: Device, receiver: Receiver) -> None:
    subscribe(device, receiver.url("/phone"))
    device.done("ROUTE_STARTED")
    stop = device.route()["stops"][0]
    device.done("STOP_DELIVERED", stopId=stop["id"])
    world.clock.advance(seconds=60)
    tell(world)
    assert receiver.received == []
    rename(world, device, "Under way")
    world.clock.advance(seconds=6)
    tell(world)
    assert len(receiver.received) == 1


def test_a_route_that_was_not_dispatched_is_nobodys_news(
    world: World, door: Application, receiver: Receiver
) -> None:
    device = sign_up(world, door)
    subscribe(device, receiver.url("/phone"))
    draft = {"start": {"coordinates": {"latitude": 39.3, "longitude": -76.6}}}
    made = world.client.post("/routes", {**draft, "driverId": device.driver_id})
    device.route_id = made.json()["id"]
    rename(world, device, "Tomorrow")
    world.clock.advance(seconds=60)
    tell(world)
    assert receiver.received == []


def undispatch(world: World, device: Device) -> Any:
    return world.client.send("DELETE", f"/routes/{device.route_id}/dispatch")


def give_away(world: World, device: Device) -> Any:
    other = sign_up(world, device.world.client.interface)
    path = f"/routes/{device.route_id}/driver"
    return world.client.send("PUT", path, json={"driverId": other.driver_id})


def delete(world: World, device: Device) -> Any:
    return world.client.send("DELETE", f"/routes/{device.route_id}")


@pytest.mark.parametrize("take_away", [undispatch, give_away, delete])
def test_who_had_a_route_hears_that_it_is_theirs_no_more(
    world: World,
    device: Device,
    receiver: Receiver,
    take_away: Callable[[World, Device], Any],
) -> None:
    subscribe(device, receiver.url("/phone"))
    answer = take_away(world, device)
    assert answer.status_code == 200, answer.text
    world.clock.advance(seconds=6)
    tell(world)
    assert len(receiver.received) == 1


@pytest.mark.parametrize("status", [410, 404, 403, 503, 429])
def test_a_subscription_that_is_gone_ends_and_a_busy_service_is_asked_again(
    world: World, device: Device, receiver: Receiver, status: int
) -> None:
    stays = status in {503, 429}
    subscribe(device, receiver.url(f"/status/{status}"))
    rename(world, device, "Harbour")
    for _ in range(8):
        world.clock.advance(minutes=11)
        tell(world)
    assert len(receiver.received) == (4 if stays else 1)
    assert is_subscribed(device) == stays


def test_a_device_is_told_no_more_once_it_says_so_or_is_signed_out(
    world: World, device: Device, receiver: Receiver
) -> None:
    subscribe(device, receiver.url("/phone"))
    assert device.delete(PATH).status_code == 200
    assert not is_subscribed(device)
    subscribe(device, receiver.url("/phone"))
    rename(world, device, "Harbour")
    assert device.delete("/session").status_code == 200
    world.clock.advance(seconds=6)
    tell(world)
    assert receiver.received == []


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.com/a",
        "https://10.0.0.1/a",
        "file:///etc/passwd",
        "",
        "https://u:p@push.example.com/",
    ],
)
def test_an_address_that_nothing_is_sent_to_is_refused_by_name(
    device: Device, endpoint: str
) -> None:
    refused = device.post(PATH, {"endpoint": endpoint})
    assert refused.status_code == 400
    assert refused.json()["details"][0]["fieldViolations"][0]["field"] == "endpoint"
    assert not is_subscribed(device)


def test_an_endpoint_is_sealed_where_it_is_stored(
    world: World, device: Device, receiver: Receiver
) -> None:
    subscribe(device, receiver.url("/known-to-nobody"))
    with world.tools.database.reading() as tx:
        rows = tx.exec_driver_sql("SELECT * FROM push_subscriptions").all()
    assert len(rows) == 1
    assert "known-to-nobody" not in json.dumps(list(map(str, rows[0])))


def test_a_phone_whose_key_is_away_keeps_no_other_waiting(
    world: World, door: Application, device: Device, receiver: Receiver
) -> None:
    subscribe(device, receiver.url("/key-is-away"))
    box = world.tools.secret_box
    other_key = SecretBox(box.file.with_name("other-key"), world.tools.ids, lambda: True)
    sealed = other_key.seal(sealing_purpose(PUSH_ENDPOINT, device.session_id), "https://x.example")
    with world.tools.database.writing() as tx:
        tx.exec_driver_sql(f"UPDATE push_subscriptions SET endpoint = '{sealed}'")  # noqa: S608 -- ours
    other = sign_up(world, door)
    dispatch(world, other, stops=1)
    subscribe(other, receiver.url("/key-is-there"))
    for one in (device, other):
        rename(world, one, "Harbour")
    world.clock.advance(seconds=6)
    tell(world)
    assert [one.path for one in receiver.received] == ["/key-is-there"]
    assert is_subscribed(device)
