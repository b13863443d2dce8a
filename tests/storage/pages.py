"""Reads a list to its end, as a client does."""

from collections.abc import Callable

from roundsman.storage.keyset import Position


def read_all[Item](
    fetch: Callable[[Position | None, int], list[tuple[Position, Item]]], count: int
) -> list[Item]:
    """Return what all pages hold; none is short but the last, and none repeats a row."""
    found: dict[Position, Item] = {}
    after: Position | None = None
    is_last = False
    while page := fetch(after, count):
        assert not is_last, "a page was short, yet another one follows"
        assert len(page) <= count
        assert found.keys().isdisjoint(position for position, _ in page)
        found |= dict(page)
        after = page[-1][0]
        is_last = len(page) < count
    return list(found.values())
