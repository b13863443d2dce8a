"""Signatures, verified by libraries that others wrote for their own receivers."""

import base64
import random

import msgspec
import pytest
from msgspec.structs import replace
from standardwebhooks import Webhook, WebhookVerificationError
from tests.webhooks.verifying import is_signed
from tests.world import CountingIds

from roundsman.domain.event import Actor, Event, RenderedEvent
from roundsman.domain.event_delivery import ClaimedDelivery, DeliveryClaim
from roundsman.domain.topics import Topic
from roundsman.kit.clock import SystemClock
from roundsman.kit.secrets import new_signing_secret
from roundsman.webhooks.envelope import PLAIN, Envelope
from roundsman.wire.field_alias import FieldAlias

BODIES = 1_000
ALPHABET = 'abc "\\/\n\t\x7f{}[]:,0é€漢字\U0001f69a\u2028'


def delivery(draw: random.Random, secrets: tuple[str, ...]) -> ClaimedDelivery:
    text = "".join(draw.choices(ALPHABET, k=draw.randrange(200)))
    event = Event(
        id=f"evt-{draw.random()}",
        organization_id="acme-0001",
        topic=draw.choice(list(Topic)),
        object_id=f"rte-{draw.random()}",
        timestamp=SystemClock().now(),
        actor=Actor(email="dev@example.com"),
    )
    payload = draw.choice([None, msgspec.json.encode({"name": text, "stops": [text] * 3})])
    claim = DeliveryClaim(event_id=event.id, subscription_id="sub-1", number=1, tries=1)
    told = RenderedEvent(event=event, payload=payload)
    return ClaimedDelivery(claim=claim, url="https://example.com/", event=told, secrets=secrets)


@pytest.mark.spec("Signature")
def test_a_thousand_bodies_are_verified_by_independent_libraries() -> None:
    draw, ids = random.Random(5), CountingIds()  # noqa: S311 -- repeats itself on purpose
    for _ in range(BODIES):
        secret = new_signing_secret(ids)
        one = delivery(draw, (secret,))
        body = PLAIN.encode_body(one)
        headers = dict(PLAIN.make_headers(one, body, SystemClock().now()))
        assert is_signed(body, headers["X-Service-Hmac-Sha256"], secret)
        assert Webhook(secret).verify(body, headers)["eventId"] == one.event.event.id


@pytest.mark.spec("Signature")
def test_whatever_is_changed_on_the_way_is_noticed() -> None:
    draw, ids = random.Random(6), CountingIds()  # noqa: S311 -- repeats itself on purpose
    secret, other = new_signing_secret(ids), new_signing_secret(ids)
    one = delivery(draw, (secret,))
    body = PLAIN.encode_body(one)
    headers = dict(PLAIN.make_headers(one, body, SystemClock().now()))
    assert not is_signed(body + b" ", headers["X-Service-Hmac-Sha256"], secret)
    assert not is_signed(body, headers["X-Service-Hmac-Sha256"], other)
    for wrong in (
        {**headers, "webhook-id": "evt-another"},
        {**headers, "webhook-timestamp": str(int(headers["webhook-timestamp"]) + 1)},
    ):
        with pytest.raises(WebhookVerificationError):
            Webhook(secret).verify(body, wrong)
    with pytest.raises(WebhookVerificationError):
        Webhook(other).verify(body, headers)


@pytest.mark.spec("decisions §9")
def test_while_a_secret_is_rotated_both_sign_the_message_and_the_known_one_the_body() -> None:
    draw, ids = random.Random(7), CountingIds()  # noqa: S311 -- repeats itself on purpose
    known, following = new_signing_secret(ids), new_signing_secret(ids)
    one = delivery(draw, (known, following))
    body = PLAIN.encode_body(one)
    headers = dict(PLAIN.make_headers(one, body, SystemClock().now()))
    assert Webhook(known).verify(body, headers)
    assert Webhook(following).verify(body, headers)
    assert is_signed(body, headers["X-Service-Hmac-Sha256"], known)


def test_a_signing_secret_is_thirty_two_bytes_in_base64() -> None:
    assert len(base64.b64decode(new_signing_secret(CountingIds()), validate=True)) == 32


@pytest.mark.spec("decisions §19")
def test_an_alias_repeats_every_header_and_is_in_the_body_before_it_is_signed() -> None:
    secret = new_signing_secret(CountingIds())
    one = delivery(random.Random(8), (secret,))  # noqa: S311 -- repeats itself on purpose
    told = replace(one.event, payload=b'{"id":"rte-1","stops":[{"storeOrderId":"7"}]}')
    envelope = Envelope(header_alias="X-Example", field_alias=FieldAlias("example"))
    body = envelope.encode_body(replace(one, event=told))
    headers = envelope.make_headers(one, body, SystemClock().now())
    stop = msgspec.json.decode(body)["payload"]["stops"][0]
    assert stop == {"storeOrderId": "7", "exampleOrderId": "7"}
    for name in [name for name in headers if name.startswith("X-Service-")]:
        assert headers[name.replace("X-Service-", "X-Example-")] == headers[name]
    assert is_signed(body, headers["X-Example-Hmac-Sha256"], secret)
    assert not [name for name in PLAIN.make_headers(one, body, SystemClock().now()) if "Ex" in name]
