"""Hooks of shops: whether one is signed, and which order it says has changed.

A hook is a hint: of what it carries only an id is taken, and the order is then read from the shop.
So hooks may be lost, repeated, or come in any order.
"""

import base64
import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from roundsman.domain.storefront import StorefrontPlatform

_OURS = "x-roundsman-hmac-sha256"
"""Sent by our own plugins: the platforms have no signed hooks of theirs."""

_SIGNATURES: Mapping[StorefrontPlatform, Sequence[str]] = {
    # Shopify's newer webhooks name their headers without `x-`; its own library takes both.
    StorefrontPlatform.SHOPIFY: ("x-shopify-hmac-sha256", "shopify-hmac-sha256"),
    StorefrontPlatform.WOOCOMMERCE: ("x-wc-webhook-signature",),
    StorefrontPlatform.MEDUSA: (_OURS,),
    StorefrontPlatform.VENDURE: (_OURS,),
}

_LONGEST_ID = 255


def is_hook_signed(
    platform: StorefrontPlatform, secrets: Sequence[str], headers: Mapping[str, str], body: bytes
) -> bool:
    """Say, in constant time, whether one of the secrets signs the body as it arrived.

    There are two secrets while a shop changes from one to the other. Headers are in lower case.
    """
    given = next((headers[name] for name in _SIGNATURES[platform] if name in headers), "")
    sent = given.encode("utf-8", "replace")
    matches = [hmac.compare_digest(sent, _sign(secret, body)) for secret in secrets if secret]
    return any(matches)


def _sign(secret: str, body: bytes) -> bytes:
    return base64.b64encode(hmac.new(secret.encode(), body, hashlib.sha256).digest())


def find_changed_order(
    platform: StorefrontPlatform, headers: Mapping[str, str], body: bytes
) -> str | None:
    """Return the platform's id of the order that a hook is about; None where it names none.

    Then all that has changed is asked for, as when a timer says so.
    """
    try:
        said: Any = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    if not isinstance(said, dict):
        return None
    match platform:
        case StorefrontPlatform.SHOPIFY:
            topic = headers.get("x-shopify-topic") or headers.get("shopify-topic") or "orders/"
            return _find_shopify_order(topic, said)
        case StorefrontPlatform.WOOCOMMERCE:
            is_order = headers.get("x-wc-webhook-resource", "order") == "order"
            return _id(said.get("id") if is_order else None)
        case StorefrontPlatform.MEDUSA:
            return _find_medusa_order(said)
        case StorefrontPlatform.VENDURE:
            return _id(said.get("orderId") or said.get("id"))


def _find_shopify_order(topic: str, said: dict[str, Any]) -> str | None:
    """Find the order in a webhook of Shopify: it is about an order, its edit, or a part of it."""
    edit = said.get("order_edit")
    if isinstance(edit, dict):
        return _id(edit.get("order_id"))
    return _id(said.get("id") if topic.startswith("orders/") else said.get("order_id"))


def _find_medusa_order(said: dict[str, Any]) -> str | None:
    """Find the order in an event of Medusa, whose `data.id` may be that of something else."""
    data = said.get("data")
    if not isinstance(data, dict):
        return None
    is_order = str(said.get("name", "")).startswith("order.")
    return _id(data.get("order_id") or (data.get("id") if is_order else None))


def _id(value: object) -> str | None:
    """Return an id as text; platforms write theirs as numbers or as strings."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    text = str(value)
    return text if 0 < len(text) <= _LONGEST_ID else None
