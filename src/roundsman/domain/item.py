"""What is carried to a stop."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from roundsman.domain.model import Line, Model


class Item(Model):
    """A line of goods; `grams` is the weight of one unit (decisions §7)."""

    name: Line = ""
    """What the driver reads."""

    quantity: Annotated[int, Meta(ge=0, le=100_000)] = 0
    """How many units."""

    grams: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0
    """The weight of one unit."""

    sku: Line = ""
    """The number of the article in your own system."""


type ImportedItems = Annotated[tuple[Item, ...], Meta(max_length=499)]
"""Specification, Limits: items per imported stop."""


def total_quantity(items: Iterable[Item]) -> int:
    """Return the number of units."""
    return sum(item.quantity for item in items)


def total_grams(items: Iterable[Item]) -> int:
    """Return the weight of all units."""
    return sum(item.quantity * item.grams for item in items)
