"""What every noun shares: frozen, keyword-only, camelCase when encoded.

A noun encodes itself to the interface's JSON: strings, numbers, booleans, arrays and enums are
always present, objects, timestamps and durations that are unset (`UNSET`) are left out
(decisions §1, "Unset in responses"). Length and range bounds stand in the annotations, where both
the request reader and the interface description find them.
"""

from typing import Annotated, Any, ClassVar, dataclass_transform

from msgspec import UNSET, Meta, Struct, StructMeta, UnsetType, field

__all__ = ["UNSET", "BadField", "Line", "Name", "Noun", "Prose", "Tags", "UnsetType"]

type Line = Annotated[str, Meta(max_length=1_500)]
"""A string of ordinary length (decisions §1, Bounds)."""

type Prose = Annotated[str, Meta(max_length=10_000)]
"""A note or a disclosure (decisions §1, Bounds)."""

type Name = Annotated[str, Meta(pattern=r"\S", max_length=1_500, description="a name, not blank")]
"""What a person calls something; required wherever it is asked for."""

type Tags = Annotated[tuple[Line, ...], Meta(max_length=100)]


class _KeywordOnly(StructMeta):
    """Makes every field of every noun keyword-only; msgspec asks for it class by class."""

    def __new__(
        cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any
    ) -> Any:
        return super().__new__(cls, name, bases, namespace, **{"kw_only": True, **options})


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class Noun(Struct, metaclass=_KeywordOnly, frozen=True, rename="camel"):
    """The base of all values of the domain.

    `server_set` names fields of the same resource that clients may send back and that are ignored
    (decisions §1, "Unknown request field").
    """

    server_set: ClassVar[frozenset[str]] = frozenset()


class BadField(ValueError):
    """A value that is wrong in itself, found while a noun is made; names are those on the wire.

    A noun that finds several raises them as one ExceptionGroup. `judged_by` names the other fields
    that the rule looked at: where one of them could not be read, there is nothing to say.
    """

    def __init__(self, field_name: str, description: str, *judged_by: str) -> None:
        super().__init__(description)
        self.field = field_name
        self.description = description
        self.judged_by = frozenset({field_name, *judged_by})
