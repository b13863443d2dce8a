"""An order of Shopify as it is kept: what its checkout asked, and what is left to deliver of it."""

from collections import Counter
from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from roundsman.domain.address import Coordinates
from roundsman.domain.model import UNSET
from roundsman.domain.store_order import OrderItem, StoreOrderDraft
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.storefronts.delivery_times import DeliveryTimes, window_between
from roundsman.storefronts.port import ForeignOrder, ShopConnection
from roundsman.storefronts.reading import (
    Person,
    address,
    attributes,
    https_url,
    instant,
    line,
    prose,
    tags,
    weigh,
    with_delivery_times,
)

type Json = Any

_DELIVERED_BY_US = {"LOCAL", "SHIPPING"}
_PAID = {"PAID", "AUTHORIZED", "PARTIALLY_PAID", "PARTIALLY_REFUNDED"}
_UNITS = {"GRAMS": "g", "KILOGRAMS": "kg", "OUNCES": "oz", "POUNDS": "lb"}


def read_order(row: Json, connection: ShopConnection) -> ForeignOrder:
    """Return an order of the interface as the port has it."""
    parts = row["fulfillmentOrders"]["nodes"]
    methods = [one["deliveryMethod"] for one in parts if one.get("deliveryMethod")]
    window = _window_of(methods, connection)
    read = with_delivery_times(_draft_of(row, parts, methods, connection), connection, window)
    kinds = {one["methodType"] for one in methods}
    is_paid = row.get("displayFinancialStatus") in _PAID or bool(row.get("cancelledAt"))
    return ForeignOrder(
        order_id=str(row["legacyResourceId"]),
        number=str(row["legacyResourceId"]),
        draft=read.draft,
        updated_at=instant(row["updatedAt"]),
        is_wanted=is_paid and not row.get("test") and (not kinds or bool(kinds & _DELIVERED_BY_US)),
        remarks=read.remarks,
        delivery_methods=_names_of(methods),
        customer_tags=tags((row.get("customer") or {}).get("tags") or ()),
        locations=tags(
            one["assignedLocation"]["name"] for one in parts if one["status"] != "CANCELLED"
        ),
    )


def _draft_of(
    row: Json, parts: Sequence[Json], methods: Sequence[Json], connection: ShopConnection
) -> StoreOrderDraft:
    place = row.get("shippingAddress") or {}
    person = Person(
        first_name=place.get("firstName"),
        last_name=place.get("lastName"),
        company=place.get("company"),
        phone=place.get("phone") or row.get("phone"),
        email=row.get("email"),
        country_code=str(place.get("countryCodeV2") or ""),
    )
    instructions = [(one.get("additionalInformation") or {}).get("instructions") for one in methods]
    notes = [(row.get("customer") or {}).get("note"), *instructions]
    given = [(one["key"], one["value"]) for one in row.get("customAttributes") or ()]
    is_exact = place.get("coordinatesValidated") and place.get("latitude") is not None
    return StoreOrderDraft(
        name=line(row["name"]),
        address=address(
            address1=place.get("address1"),
            address2=place.get("address2"),
            city=place.get("city"),
            province_code=place.get("provinceCode"),
            country_code=place.get("countryCodeV2"),
            zip=place.get("zip"),
        ),
        contact=person.contact(),
        items=_items(parts),
        order_note=prose(row.get("note")),
        customer_note=prose("\n".join(dict.fromkeys(str(one) for one in notes if one))),
        tags=tags(row.get("tags") or ()),
        state=_state_of(row),
        attributes=attributes((*person.unread(), *given)),
        order_reference_url=https_url(
            f"{connection.address}/admin/orders/{row['legacyResourceId']}"
        ),
        location=line(next((one["assignedLocation"]["name"] for one in parts), "")),
        coordinates=(
            Coordinates(latitude=place["latitude"], longitude=place["longitude"])
            if is_exact
            else UNSET
        ),
    )


def _window_of(methods: Sequence[Json], connection: ShopConnection) -> DeliveryTimes | None:
    """Return the window of a local delivery, which the shop's checkout asked for."""
    for one in methods:
        if one.get("minDeliveryDateTime") and one.get("maxDeliveryDateTime"):
            zone = ZoneInfo(connection.timezone)
            begin = instant(one["minDeliveryDateTime"])
            return window_between(begin, instant(one["maxDeliveryDateTime"]), zone)
    return None


def _names_of(methods: Sequence[Json]) -> tuple[str, ...]:
    """Return what delivery methods are called: their types, and as customers chose them."""
    return tags(one.get(name) for one in methods for name in ("methodType", "presentedName"))


def _items(orders: Sequence[Json]) -> tuple[OrderItem, ...]:
    """Return the lines of all locations; what was refunded or removed is in none of them."""
    ordered: Counter[tuple[str, str]] = Counter()
    gone: Counter[tuple[str, str]] = Counter()
    grams: dict[tuple[str, str], int] = {}
    for one in orders:
        if one["status"] == "CANCELLED":
            continue
        for item in one["lineItems"]["nodes"]:
            key = line(item["productTitle"]), line(item["sku"])
            weight = item.get("weight") or {}
            ordered[key] += item["totalQuantity"]
            gone[key] += item["totalQuantity"] - item["remainingQuantity"]
            grams[key] = weigh(weight.get("value"), _UNITS.get(str(weight.get("unit")), ""))
    return tuple(
        OrderItem(
            name=key[0], sku=key[1], quantity=count, fulfilled_quantity=gone[key], grams=grams[key]
        )
        for key, count in list(ordered.items())[:499]
        if count
    )


def _state_of(row: Json) -> StoreOrderState:
    if row.get("cancelledAt"):
        return StoreOrderState.CANCELLED
    orders = [one for one in row["fulfillmentOrders"]["nodes"] if one["status"] != "CANCELLED"]
    left = sum(item["remainingQuantity"] for one in orders for item in one["lineItems"]["nodes"])
    if orders and not left:
        return StoreOrderState.FULFILLED
    is_held = bool(orders) and all(one["status"] in {"ON_HOLD", "CLOSED"} for one in orders)
    return StoreOrderState.ON_HOLD if is_held else StoreOrderState.OPEN
