"""Fulfilments of WooCommerce, in shops that have that feature switched on (since 10.2).

What left with a stop is a fulfilment of its own, with the stop's id in its meta data, by which one
whose answer was lost is found again. WooCommerce knows no step after fulfilled: that something has
arrived is the order's status. Where the feature is off the path is not there (404).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from roundsman.storefronts.port import Report
from roundsman.storefronts.quantities import Lines, pick_quantities
from roundsman.storefronts.shop_client import ShopClient

type Json = Any

_KEY = "_roundsman_stop"
_ITEMS = "_items"


@dataclass(frozen=True, kw_only=True, slots=True)
class Fulfilled:
    """The fulfilment that a stop is, and what could not be said in full."""

    fulfillment_id: str = ""
    is_mailed: bool = False
    """Whether the fulfilment has a mail of its own to the customer."""

    remark: str = ""


def find_fulfillments(client: ShopClient, order_id: str) -> Sequence[Json] | None:
    """Return the fulfilments of an order; None where the shop has no such feature."""
    found = client.find_list(f"/orders/{order_id}/fulfillments")
    if found is None:
        return None
    return [one for one in found if not one.get("date_deleted")]


def count_fulfilled(rows: Sequence[Json], *, with_drafts: bool) -> Counter[int]:
    """Return how many pieces of each line are in fulfilments."""
    counted: Counter[int] = Counter()
    for row in rows:
        if with_drafts or row.get("is_fulfilled"):
            for item in _meta(row).get(_ITEMS) or ():
                counted[int(item["item_id"])] += int(item["qty"])
    return counted


def fulfil(
    client: ShopClient,
    order_id: str,
    rows: Sequence[Json],
    lines: Lines[int],
    report: Report,
    *,
    notifies: bool,
) -> Fulfilled:
    """Fulfil what a stop carries of an order, once; what somebody fulfilled already stays theirs.

    `lines` are the pieces ordered, less what was refunded.
    """
    mine = next((row for row in rows if _meta(row).get(_KEY) == report.stop_id), None)
    if mine is not None:
        return Fulfilled(fulfillment_id=str(mine["id"]), is_mailed=notifies)
    path = f"/orders/{order_id}/fulfillments?notify_customer={str(notifies).lower()}"
    placed = count_fulfilled(rows, with_drafts=True)
    left = {
        id_: (sku, name, max(0, count - placed[id_])) for id_, (sku, name, count) in lines.items()
    }
    picked = pick_quantities(left, report.items)
    if picked:
        items = [{"item_id": id_, "qty": count} for id_, count in picked.items()]
        made = client.send(path, _fulfilled({_ITEMS: items}, report))
        return Fulfilled(fulfillment_id=str(made["id"]), is_mailed=notifies)
    draft = next((row for row in rows if not row.get("is_fulfilled")), None)
    if draft is not None:
        # Somebody has made it ready. Meta data that is not named again is removed.
        ready = path.replace("/fulfillments?", f"/fulfillments/{draft['id']}?")
        client.send(ready, _fulfilled(_meta(draft), report), "PUT")
        return Fulfilled(fulfillment_id=str(draft["id"]), is_mailed=notifies)
    if rows:
        return Fulfilled(
            fulfillment_id=str(rows[-1]["id"]), remark="it was fulfilled in the shop already"
        )
    return Fulfilled(remark="the order has no such items to fulfil")


def _fulfilled(meta: Mapping[str, Json], report: Report) -> Json:
    said = {
        **meta,
        _KEY: report.stop_id,
        "_tracking_number": report.stop_id,
        "_tracking_url": report.tracking_url,
        "_shipment_provider": "other",
        "_provider_name": "Roundsman",
    }
    data = [{"key": key, "value": value} for key, value in said.items() if value]
    return {"status": "fulfilled", "is_fulfilled": True, "meta_data": data}


def _meta(row: Json) -> Mapping[str, Json]:
    return {str(one.get("key")): one.get("value") for one in row.get("meta_data", ())}
