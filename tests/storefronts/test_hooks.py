import pytest

from roundsman.domain.storefront import StorefrontPlatform
from roundsman.storefronts.hooks import find_changed_order

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
