"""Which lines of an order a stop's items are, and how many pieces of each."""

from collections.abc import Mapping, Sequence

from roundsman.storefronts.port import ReportedItem

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


def is_stop_id(text: str) -> bool:
    """Say whether what a fulfilment is tracked by is the id of a stop of ours."""
    return text.startswith("rst-")
