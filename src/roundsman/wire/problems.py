"""What was found wrong with a body or a query: listed, and counted beyond what is listed.

Whoever sends a body chooses how many faults it has, so each of them may cost only so much: past a
hundred they are counted, past ten unknown names nobody looks for what was meant, and past ten
thousand nobody reads on (decisions §1, "Error details").
"""

import difflib
from collections.abc import Collection, Mapping
from itertools import islice

from roundsman.domain.errors import LONGEST_NAME, MOST_VIOLATIONS

MOST_COUNTED = 10_000
_MOST_HINTS = 10
_LONGEST_HINTED = 64
"""Twice the longest name of the interface: nothing longer is like one of them."""


class Problems:
    """Field paths and descriptions, in the order in which they were found."""

    __slots__ = ("_hints", "_most", "count", "listed")

    def __init__(self, most: int = MOST_VIOLATIONS, hints: int = _MOST_HINTS) -> None:
        self.listed: list[tuple[str, str]] = []
        self.count = 0
        self._most = most
        self._hints = hints

    def __len__(self) -> int:
        return self.count

    @property
    def are_too_many(self) -> bool:
        """Say whether to stop reading."""
        return self.count >= MOST_COUNTED

    def add(self, path: str, description: str) -> None:
        """Note one more."""
        self.count += 1
        if len(self.listed) < self._most:
            self.listed.append((path, description))

    def add_unknown(self, kind: str, name: str, known: Collection[str]) -> None:
        """Note a name that is unknown, and which one was probably meant."""
        if len(self.listed) >= self._most:
            self.count += 1
            return
        self.add(f".{name[:LONGEST_NAME]}", f"{unknown_name(kind, name)}{self._hint(name, known)}")

    def add_all_unknown(
        self, kind: str, value: Mapping[str, object], known: Collection[str]
    ) -> None:
        """Note every unknown name of an object; no more of them are looked at than are listed."""
        unknown = find_unknown(value, known)
        for name in unknown:
            self.add_unknown(kind, name, known)
        if has_too_many_unknown(value, known):
            self.count += len(value) - sum(name in value for name in known) - len(unknown)

    def add_all_not_yet(self, value: Mapping[str, object], not_yet: Collection[str]) -> None:
        """Note every name of an object that the interface will have, and does not have yet."""
        for name in sorted(not_yet):
            if name in value:
                self.add(f".{name}", "is not supported yet; leave it out")

    def prefix(self, start: int, prefix: str) -> None:
        """Put a piece of path in front of all problems but the first `start`."""
        for index in range(start, len(self.listed)):
            path, text = self.listed[index]
            self.listed[index] = (prefix + path, text)

    def _hint(self, name: str, known: Collection[str]) -> str:
        if self._hints <= 0 or len(name) > _LONGEST_HINTED:
            return ""
        self._hints -= 1
        close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
        return f', did you mean "{close[0]}"?' if close else ""


def unknown_name(kind: str, name: str) -> str:
    """Say that a name is unknown."""
    return f'unknown {kind} "{name[:LONGEST_NAME]}"'


def has_too_many_unknown(value: Mapping[str, object], known: Collection[str]) -> bool:
    """Say whether an object has more unknown names than are ever listed."""
    return len(value) > len(known) + MOST_VIOLATIONS


def find_unknown(value: Mapping[str, object], known: Collection[str]) -> list[str]:
    """Return the names that are unknown; of a crowd the first, as many as can be listed."""
    first = islice(value, len(known) + MOST_VIOLATIONS)
    return [name for name in first if name not in known]
