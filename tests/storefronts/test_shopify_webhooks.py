"""Shopify's own sample webhooks, signed as it signs: its library is the judge, not ours alone."""

import base64
import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from shopify_app import ShopifyApp

from roundsman.domain.storefront import StorefrontPlatform
from roundsman.storefronts.hooks import find_changed_order, is_hook_signed
from roundsman.storefronts.shopify import TOPICS

type Json = Any

pytestmark = pytest.mark.spec("decisions §20")

PUBLISHED: Json = json.loads((Path(__file__).parent / "shopify" / "webhooks.json").read_text())
ORDER = "820982911946154500"
"""Of the samples, which give it as a number that was rounded once."""

ORDERS = {
    "orders/create": ORDER,
    "orders/updated": ORDER,
    "orders/cancelled": ORDER,
    "orders/edited": ORDER,
    "refunds/create": ORDER,
    # They name a part of an order: all that has changed is asked for.
    "fulfillment_orders/placed_on_hold": None,
    "fulfillment_orders/hold_released": None,
}
SECRET, FORMER = "present secret", "former secret"


def sign(body: bytes, secret: str = SECRET) -> str:
    return base64.b64encode(hmac.digest(secret.encode(), body, hashlib.sha256)).decode()


def test_there_is_a_sample_of_every_topic_that_is_subscribed_to() -> None:
    as_subscribed = {name.replace("/", "_").upper() for name in PUBLISHED["samples"]}
    assert as_subscribed == set(TOPICS)


@pytest.mark.parametrize("topic", ORDERS)
def test_a_sample_is_what_its_schema_says_and_names_its_order(topic: str) -> None:
    sample = PUBLISHED["samples"][topic]
    schema = PUBLISHED["schemas"][topic]
    schema = PUBLISHED["schemas"][schema] if isinstance(schema, str) else schema
    jsonschema.Draft202012Validator(schema).validate(sample)
    body = json.dumps(sample).encode()
    for header in ("x-shopify-topic", "shopify-topic"):
        found = find_changed_order(StorefrontPlatform.SHOPIFY, {header: topic}, body)
        assert found == ORDERS[topic]


@pytest.mark.parametrize("topic", ORDERS)
@pytest.mark.parametrize("header", ["X-Shopify-Hmac-SHA256", "Shopify-Hmac-SHA256"])
@pytest.mark.parametrize(
    ("case", "is_good"),
    [
        ("signed by the present secret", True),
        ("signed by the former secret", True),
        ("signed by somebody else", False),
        ("changed on its way", False),
        ("signed in hexadecimal", False),
        ("not signed", False),
    ],
)
def test_we_accept_and_refuse_what_shopifys_own_library_does(
    topic: str,
    header: str,
    case: str,
    is_good: bool,  # noqa: FBT001 -- a row of the table
) -> None:
    body = json.dumps(PUBLISHED["samples"][topic], ensure_ascii=False).encode()
    arrived = body + b" " if case == "changed on its way" else body
    sent = {
        "signed by the former secret": sign(body, FORMER),
        "signed by somebody else": sign(body, "guessed"),
        "signed in hexadecimal": hmac.digest(SECRET.encode(), body, hashlib.sha256).hex(),
        "not signed": "",
    }.get(case, sign(body))
    headers = {header: sent, "X-Shopify-Shop-Domain": "acme.myshopify.com"}
    judge = ShopifyApp(client_id="app", client_secret=SECRET, old_client_secret=FORMER)
    request: Json = {
        "method": "POST",
        "url": "https://roundsman.example/hooks",
        "headers": headers,
        "body": arrived.decode(),
    }
    in_lower_case = {name.lower(): value for name, value in headers.items()}
    ours = is_hook_signed(StorefrontPlatform.SHOPIFY, (SECRET, FORMER), in_lower_case, arrived)
    assert (judge.verify_webhook_req(request).ok, ours) == (is_good, is_good)
