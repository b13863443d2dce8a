"""What every noun shares: frozen, keyword-only, camelCase when encoded.

A noun encodes itself to the interface's JSON: strings, numbers, booleans, arrays and enums are
always present, objects, timestamps and durations that are unset (`UNSET`) are left out
(decisions §1, "Unset in responses"). Length and range bounds stand in the annotations, where both
the request reader and the interface description find them.
"""

from typing import Annotated, ClassVar, dataclass_transform

from msgspec import UNSET, Meta, Struct, UnsetType, field

__all__ = ["UNSET", "Line", "Noun", "Prose", "Tags", "UnsetType"]

type Line = Annotated[str, Meta(max_length=1_500)]
"""A string of ordinary length (decisions §1, Bounds)."""

type Prose = Annotated[str, Meta(max_length=10_000)]
"""A note or a disclosure (decisions §1, Bounds)."""

type Tags = Annotated[tuple[Line, ...], Meta(max_length=100)]


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class Noun(Struct, frozen=True, kw_only=True, rename="camel"):
    """The base of all values of the domain.

    `server_set` names fields of the same resource that clients may send back and that are ignored
    (decisions §1, "Unknown request field").
    """

    server_set: ClassVar[frozenset[str]] = frozenset()
