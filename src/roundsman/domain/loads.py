"""What vehicles carry and what their drivers can do, by names that the organization chooses.

Loads are named (`kilograms`, `pallets`), so that two of them can never be mixed up; what a stop
needs is held against the capacity of the same name. A load of which a vehicle names no capacity is
not limited there.
"""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from roundsman.domain.item import Item, total_grams, total_quantity
from roundsman.domain.model import Line

MOST_AMOUNT = 1_000_000_000
KILOGRAMS = "kilograms"
ITEMS = "items"

type Amount = Annotated[float, Meta(ge=0, le=MOST_AMOUNT, extra_json_schema={"multipleOf": 0.001})]
"""An amount of a load, or of money: three decimals at most."""

type LoadName = Annotated[str, Meta(min_length=1, max_length=50)]
type Loads = Annotated[dict[LoadName, Amount], Meta(max_length=8)]
type LoadTotals = dict[LoadName, Annotated[float, Meta(ge=0)]]
"""What items or stops come to together: more than one amount may be, and of more names."""

type Skills = Annotated[tuple[Line, ...], Meta(max_length=50)]
"""Told apart by capitals; a vehicle must have every skill that a stop asks for."""


def loads_of_items(items: Iterable[Item]) -> LoadTotals:
    """Return what items weigh and how many they are, where that is more than nothing."""
    listed = tuple(items)
    loads = {KILOGRAMS: total_grams(listed) / 1000, ITEMS: float(total_quantity(listed))}
    return {name: amount for name, amount in loads.items() if amount}
