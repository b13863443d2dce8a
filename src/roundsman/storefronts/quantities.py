"""Which lines of an order a stop's items are, and how many pieces of each."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from roundsman.storefronts.port import Refused, ReportedItem

type Lines[Id] = Mapping[Id, tuple[str, str, int]]
"""By what a line is called: its SKU, its name, and how many pieces have not left."""


def pick_quantities[Id](lines: Lines[Id], items: Sequence[ReportedItem]) -> dict[Id, int]:
    """Return the pieces of each line that a stop carries; without items, all that is left."""
    if not items:
        return {line_id: left for line_id, (_, _, left) in lines.items() if left}
    picked: dict[Id, int] = {}
    for item in items:
        wanted = item.quantity
        for line_id, (sku, name, left) in lines.items():
            is_same = item.sku == sku if item.sku and sku else item.name == name
            taken = min(wanted, left - picked.get(line_id, 0)) if is_same else 0
            if taken > 0:
                picked[line_id] = picked.get(line_id, 0) + taken
                wanted -= taken
    return picked


def choose_packed[P](
    parcels: Sequence[tuple[P, bool, Lines[Any]]], items: Sequence[ReportedItem]
) -> P | None:
    """Return the parcel that somebody in the shop has made of a stop's items; None if not sure.

    Of each parcel that is no stop's there is also whether it has arrived, and what is in it. A
    stop takes one only where no other would do and nothing else is in it: nothing marks it as the
    stop's, so another answer to the same question would deliver what another stop carries.
    """
    touched = [one for one in parcels if pick_quantities(one[2], items)]
    # What has arrived without us needs nothing, but after a lost answer it is what we delivered.
    possible = [one for one in touched if not one[1]] or touched
    if len(possible) != 1:
        return None
    ((parcel, _, lines),) = possible
    carried = sum(pick_quantities(lines, items).values())
    return parcel if carried == sum(count for _, _, count in lines.values()) else None


def list_missing(items: Sequence[ReportedItem], lines: Lines[Any]) -> list[ReportedItem]:
    """Return what of a stop's items is not among these pieces."""
    there = dict(lines)
    missing = []
    for item in items:
        picked = pick_quantities(there, [item])
        for line_id, quantity in picked.items():
            sku, name, held = there[line_id]
            there[line_id] = sku, name, held - quantity
        if wanted := item.quantity - sum(picked.values()):
            missing.append(replace(item, quantity=wanted))
    return missing


def choose_attempted[P](
    parcels: Sequence[tuple[P, Lines[Any]]], items: Sequence[ReportedItem], there: Lines[Any]
) -> list[P]:
    """Return the parcels of stops that were attempted that a stop carries beside what is there.

    One that holds more than the stop carries is none of them: what arrives is the whole parcel.
    """
    if not items:
        return [] if there else [parcel for parcel, _ in parcels]
    chosen = []
    missing = list_missing(items, there)
    for parcel, lines in parcels:
        held = sum(count for _, _, count in lines.values())
        if missing and held and held == sum(pick_quantities(lines, missing).values()):
            chosen.append(parcel)
            missing = list_missing(missing, lines)
    return chosen


def refuse_with_nothing_left(order: str) -> Refused:
    """Return what is raised where no piece of an order can be told to be a stop's."""
    return Refused(
        "NOTHING_LEFT",
        f"nothing of {order} is left to deliver",
        "Look at its fulfilments in the shop, and mark there by hand what became of them.",
    )


def is_stop_id(text: str) -> bool:
    """Say whether what a fulfilment is tracked by is the id of a stop of ours."""
    return text.startswith("rst-")
