"""Fields and paths of the storefront under one more name: `storeOrderId` as `exampleOrderId` too.

Programs that were written for another service of this interface know these fields by the name of a
platform. The operator may choose that word. It changes nothing that is stored: answers and events
get the further names last of all, requests lose them first of all.
"""

import re

import msgspec

from roundsman.domain.errors import FieldViolation, InvalidArgument

STORE_FIELDS = frozenset({"storeOrder", "storeOrderId", "storeOrders", "storeShop", "storeUserId"})
"""Every field of the interface whose name begins with `store`."""

_OWN = "store"
_OWN_IN_PATHS = re.compile(rf"/{_OWN}(?=[/-])")


class FieldAlias:
    """The operator's word beside `store`; an empty one changes nothing."""

    def __init__(self, word: str) -> None:
        self._word = word
        self._added = {name: word + name.removeprefix(_OWN) for name in STORE_FIELDS}
        self._own = {alias: name for name, alias in self._added.items()}

    def add(self, body: bytes) -> bytes:
        """Return a body in which each field has its further name beside it."""
        if not self._word or f'"{_OWN}'.encode() not in body:
            return body
        return msgspec.json.encode(self._with_aliases(msgspec.json.decode(body)))

    def accept(self, body: object) -> object:
        """Return a JSON value under our own names; raise InvalidArgument where two disagree."""
        if not self._word:
            return body
        violations: list[FieldViolation] = []
        value = self._with_own_names(body, "", violations)
        if violations:
            first = violations[0]
            raise InvalidArgument(f"{first.field} {first.description}", violations)
        return value

    def path(self, template: str) -> str:
        """Return a path under the further name; most are the same."""
        return _OWN_IN_PATHS.sub(f"/{self._word}", template) if self._word else template

    def _with_aliases(self, value: object) -> object:
        if isinstance(value, list):
            return [self._with_aliases(part) for part in value]
        if not isinstance(value, dict):
            return value
        named: dict[str, object] = {}
        for name, part in value.items():
            named[name] = self._with_aliases(part)
            if name in STORE_FIELDS:
                named[self._added[name]] = named[name]
        return named

    def _with_own_names(self, value: object, path: str, violations: list[FieldViolation]) -> object:
        if isinstance(value, list):
            return [
                self._with_own_names(part, f"{path}[{index}]", violations)
                for index, part in enumerate(value)
            ]
        if not isinstance(value, dict):
            return value
        prefix = f"{path}." if path else ""
        parts = {
            name: self._with_own_names(part, f"{prefix}{name}", violations)
            for name, part in value.items()
        }
        for alias in parts.keys() & self._own.keys():
            part, own = parts.pop(alias), self._own[alias]
            if part is None:
                continue  # as if it were absent
            if parts.get(own) is None:
                parts[own] = part
            elif parts[own] != part:
                description = f"must be the same as {own}, or absent"
                violations.append(FieldViolation(field=f"{prefix}{alias}", description=description))
        return parts


NO_ALIAS = FieldAlias("")
