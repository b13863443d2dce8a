"""From a method and a raw path to an operation.

Paths are matched before percent-decoding, segment by segment, so that a clientStopId may hold a
slash (sent as `%2F`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import unquote

from msgspec import Struct


class Addressed(Protocol):
    """Whatever stands behind a method and a path template."""

    @property
    def method(self) -> str:
        """Return the HTTP method."""
        ...

    @property
    def path(self) -> str:
        """Return the template, parameters in braces."""
        ...


@dataclass(slots=True)
class _Node[Operation: Addressed]:
    literals: dict[str, "_Node[Operation]"] = field(default_factory=dict)
    parameter: "_Node[Operation] | None" = None
    operations: dict[str, tuple[Operation, list[str]]] = field(default_factory=dict)


class Found[Operation: Addressed](Struct, frozen=True, kw_only=True):
    """An operation and the path's parameters, decoded."""

    operation: Operation
    parameters: Mapping[str, str]


class WrongMethod(Struct, frozen=True, kw_only=True):
    """A known path; `allowed` lists its methods as the Allow header does."""

    allowed: str


class PathTable[Operation: Addressed]:
    """All operations, by path."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._root: _Node[Operation] = _Node()
        for operation in operations:
            self._add(operation)

    def _add(self, operation: Operation) -> None:
        node, names = self._root, []
        for segment in operation.path.strip("/").split("/"):
            if segment.startswith("{"):
                names.append(segment.strip("{}"))
                node.parameter = node.parameter or _Node()
                node = node.parameter
            else:
                node = node.literals.setdefault(segment, _Node())
        node.operations[operation.method] = (operation, names)
        if operation.method == "GET":
            # What can be read can be asked for its headers alone (RFC 9110, section 9.3.2); the
            # server sends no body then, whatever the answer holds.
            node.operations["HEAD"] = (operation, names)

    def find(self, method: str, raw_path: str) -> Found[Operation] | WrongMethod | None:
        """Return what a request asks for; None when there is no such path."""
        if "\0" in raw_path or "%00" in raw_path:
            return None  # nothing is called so, and PostgreSQL cannot even look for it
        values: list[str] = []
        node: _Node[Operation] | None = self._root
        for segment in raw_path.strip("/").split("/"):
            if node is None:
                return None
            literal = node.literals.get(segment)
            if literal is None and segment:
                values.append(unquote(segment))
            node = literal or (node.parameter if segment else None)
        if node is None or not node.operations:
            return None
        if method not in node.operations:
            return WrongMethod(allowed=", ".join(sorted(node.operations)))
        operation, names = node.operations[method]
        return Found(operation=operation, parameters=dict(zip(names, values, strict=True)))
