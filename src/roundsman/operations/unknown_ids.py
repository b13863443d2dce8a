"""What a request names and its organization does not have: gathered, and refused in one answer."""

from collections.abc import Iterable

from roundsman.domain.errors import NotFound

_MOST_NAMED = 20
"""In one message, which has at most a thousand characters."""


class UnknownIds:
    """Gathers ids that are not found, by their noun."""

    def __init__(self) -> None:
        self._ids: dict[str, list[str]] = {}

    def note(self, noun: str, ids: Iterable[str]) -> None:
        """Note ids that name nothing; none is fine."""
        if found := list(dict.fromkeys(ids)):
            self._ids[noun] = found

    def refuse(self) -> None:
        """Raise NotFound that names them all, if there are any."""
        if self._ids:
            most = _MOST_NAMED // len(self._ids)
            parts = [_name_all(noun, ids, most) for noun, ids in self._ids.items()]
            raise NotFound("; ".join(parts))


def _name_all(noun: str, ids: list[str], most: int) -> str:
    named = ", ".join(id_[:100] for id_ in ids[:most])
    more = f" and {len(ids) - most} more" if len(ids) > most else ""
    return f"{noun} not found: {named}{more}"
