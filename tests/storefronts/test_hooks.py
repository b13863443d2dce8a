import base64
import hashlib
import hmac

import pytest

from roundsman.domain.storefront import StorefrontPlatform
from roundsman.storefronts.hooks import find_changed_order, is_hook_signed

BODY = b'{"id": 450789469, "note": "caf\xc3\xa9"}'
NAMES = {
    StorefrontPlatform.SHOPIFY: "x-shopify-hmac-sha256",
    StorefrontPlatform.WOOCOMMERCE: "x-wc-webhook-signature",
    StorefrontPlatform.MEDUSA: "x-roundsman-hmac-sha256",
    StorefrontPlatform.VENDURE: "x-roundsman-hmac-sha256",
}


def signature(secret: str, body: bytes = BODY) -> str:
    return base64.b64encode(hmac.new(secret.encode(), body, hashlib.sha256).digest()).decode()


@pytest.mark.spec("decisions §20")
@pytest.mark.parametrize("platform", list(StorefrontPlatform))
def test_only_the_shops_own_signature_of_the_very_bytes_will_do(
    platform: StorefrontPlatform,
) -> None:
    def signed(sent: str, body: bytes = BODY, secrets: tuple[str, ...] = ("old", "new")) -> bool:
        return is_hook_signed(platform, secrets, {NAMES[platform]: sent}, body)

    assert signed(signature("new"))
    assert signed(signature("old"))
    assert not signed(signature("other"))
    assert not signed(signature("new"), BODY + b" ")
    assert not signed("")
    assert not signed("é")
    assert not signed(signature("new").rstrip("="))
    assert not signed(signature(""), secrets=("",))
    assert not signed(signature("new"), secrets=())
    others = {name: signature("new") for name in NAMES.values() if name != NAMES[platform]}
    assert not is_hook_signed(platform, ("new",), others, BODY)


SHOPIFY, WOO = StorefrontPlatform.SHOPIFY, StorefrontPlatform.WOOCOMMERCE
MEDUSA, VENDURE = StorefrontPlatform.MEDUSA, StorefrontPlatform.VENDURE


@pytest.mark.parametrize(
    ("platform", "headers", "body", "order"),
    [
        (SHOPIFY, {"x-shopify-topic": "orders/updated"}, b'{"id": 820982911946154508}', True),
        (SHOPIFY, {"x-shopify-topic": "fulfillments/create"}, b'{"id": 1, "order_id": 7}', "7"),
        (SHOPIFY, {"x-shopify-topic": "fulfillment_orders/moved"}, b'{"id": 1}', None),
        (WOO, {"x-wc-webhook-resource": "order"}, b'{"id": 13}', "13"),
        (WOO, {"x-wc-webhook-resource": "coupon"}, b'{"id": 13}', None),
        (WOO, {}, b"webhook_id=4", None),
        (MEDUSA, {}, b'{"name": "order.placed", "data": {"id": "order_01"}}', "order_01"),
        (
            MEDUSA,
            {},
            b'{"name": "order.fulfillment_created", "data": {"order_id": "order_01", "id": 2}}',
            "order_01",
        ),
        (MEDUSA, {}, b'{"name": "delivery.created", "data": {"id": "ful_01"}}', None),
        (MEDUSA, {}, b'{"name": "order.placed", "data": []}', None),
        (VENDURE, {}, b'{"orderId": 12}', "12"),
        (VENDURE, {}, b'{"id": "12"}', "12"),
        (VENDURE, {}, b"[]", None),
        (VENDURE, {}, b'{"id": true}', None),
        (VENDURE, {}, b"\xff", None),
    ],
)
def test_a_hook_names_an_order_or_nothing(
    platform: StorefrontPlatform, headers: dict[str, str], body: bytes, order: object
) -> None:
    wanted = "820982911946154508" if order is True else order
    assert find_changed_order(platform, headers, body) == wanted
