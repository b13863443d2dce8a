"""JSON Schemas of bodies and answers, made from the annotations that the reader reads.

What is sent and what is answered differ: a request may leave fields out, may send back fields that
only the server sets, and may not have unknown ones; an answer always has every field but unset
objects, timestamps and durations (decisions §1). That null stands for a field that is left out is
said once, not at every field: generators make unions of it that nobody wants. So each noun has a
schema for either direction; those of requests end in `Input`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec import NODEFAULT, inspect

from roundsman.domain.model import SENT
from roundsman.endpoints.field_meanings import meanings_of

type Schema = dict[str, Any]

_LARGEST_OF_32_BITS = 2**31 - 1
"""What some generators give a number without a format: coordinates would be up to a metre off."""


@dataclass(slots=True)
class Schemas:
    """Collects the schemas of one direction under their names."""

    of_requests: bool
    components: dict[str, Schema] = field(default_factory=dict)

    def of(self, shape: Any) -> Schema:
        """Return the schema of a type, references and all."""
        return self._of(inspect.type_info(shape), {})

    def _of(self, info: inspect.Type, about: Schema) -> Schema:
        match info:
            case inspect.Metadata():
                said = dict(info.extra_json_schema or {})
                narrower = said.pop(SENT, {})
                bounds = narrower if self.of_requests else {}
                return self._of(info.type, {**said, **bounds, **about})
            case inspect.StructType():
                return self._reference(info)
            case inspect.VarTupleType() | inspect.ListType() | inspect.DictType():
                return {**self._collection(info), **about}
            case inspect.UnionType(types=(known, inspect.NoneType())):
                return {**_or_null(self._of(known, {})), **about}
            case inspect.UnionType():
                return {"anyOf": [self._of(one, {}) for one in info.types], **about}
            case inspect.EnumType():
                return {**self._named_enum(info), **about}
            case _:
                return {**_scalar(info), **about}

    def _collection(
        self, info: inspect.VarTupleType | inspect.ListType | inspect.DictType
    ) -> Schema:
        if isinstance(info, inspect.DictType):
            values = self._of(info.value_type, {})
            most = _given({"maxProperties": info.max_length})
            return {"type": "object", "additionalProperties": values, **most}
        bounds = {"minItems": info.min_length, "maxItems": info.max_length}
        return {"type": "array", "items": self._of(info.item_type, {}), **_given(bounds)}

    def _reference(self, info: inspect.StructType) -> Schema:
        # A few nouns are called otherwise in the interface than in the code (specification).
        shown = vars(info.cls).get("described_as", info.cls.__name__)
        name = shown + ("Input" if self.of_requests else "")
        if name not in self.components:
            self.components[name] = {}  # reserved, in case a noun holds itself
            self.components[name] = self._object(info)
        return {"$ref": f"#/components/schemas/{name}"}

    def _named_enum(self, info: inspect.EnumType) -> Schema:
        """Return a reference to an enumeration; one that is answered may have more values one day.

        So its values are those known now (`x-extensible-enum`), and clients keep any other.
        """
        name = info.cls.__name__ + ("Input" if self.of_requests else "")
        values = [member.value for member in info.cls]
        known = "enum" if self.of_requests else "x-extensible-enum"
        self.components[name] = {
            "type": "string",
            "description": _first_sentence(info.cls),
            known: values,
        }
        return {"$ref": f"#/components/schemas/{name}"}

    def properties_of(self, shape: type) -> Mapping[str, Schema]:
        """Return the schemas of a type's fields, which is no schema of its own."""
        info = inspect.type_info(shape)
        if not isinstance(info, inspect.StructType):
            raise TypeError(f"{shape} has no fields")
        return {part.encode_name: self._of(part.type, {}) for part in info.fields}

    def _object(self, info: inspect.StructType) -> Schema:
        said = meanings_of(info.cls)
        unshown: frozenset[str] = getattr(info.cls, "unshown", frozenset())
        properties = {
            # What a type says of its limits goes before what a field says of its purpose.
            part.encode_name: ({"description": said[part.name]} if part.name in said else {})
            | self._of(part.type, {})
            for part in info.fields
            if part.encode_name not in unshown
        }
        described: Schema = {"type": "object"}
        if doc := _first_sentence(info.cls):
            described["description"] = doc
        if self.of_requests:
            required = [part.encode_name for part in info.fields if part.required]
            ignored: frozenset[str] = (
                frozenset(getattr(info.cls, "server_set", ())) - properties.keys()
            )
            properties |= {
                name: {"description": "Ignored: set by the server."} for name in sorted(ignored)
            }
            described["additionalProperties"] = False
        else:
            required = [part.encode_name for part in info.fields if not _may_be_unset(part)]
        if required:
            described["required"] = required
        return {**described, "properties": properties}


def _may_be_unset(part: inspect.Field) -> bool:
    """Say whether a field has UNSET for its default, which inspection shows as none."""
    return not part.required and (part.default, part.default_factory) == (NODEFAULT, NODEFAULT)


def _first_sentence(cls: type) -> str:
    return " ".join((cls.__doc__ or "").partition("\n\n")[0].split())


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _given(bounds: dict[str, Any]) -> Schema:
    return {name: bound for name, bound in bounds.items() if bound is not None}


def _bounds(info: inspect.IntType | inspect.FloatType) -> Schema:
    return _given({"minimum": info.ge, "maximum": info.le})


def _scalar(info: inspect.Type) -> Schema:
    match info:
        case inspect.StrType():
            bounds = {"minLength": info.min_length, "maxLength": info.max_length}
            return {"type": "string", **_given({**bounds, "pattern": info.pattern})}
        case inspect.BoolType():
            return {"type": "boolean"}
        case inspect.IntType():
            is_wide = info.le is None or info.le > _LARGEST_OF_32_BITS
            width = {"format": "int64"} if is_wide else {}
            return {"type": "integer", **width, **_bounds(info)}
        case inspect.FloatType():
            return {"type": "number", "format": "double", **_bounds(info)}
        case inspect.DateTimeType():
            return {"type": "string", "format": "date-time"}
        case inspect.AnyType() | inspect.RawType():
            return {}
    raise TypeError(f"no schema for {info}")
