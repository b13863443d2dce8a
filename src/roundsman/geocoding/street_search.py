"""Finds the streets of a map that a name may mean, with a cost for each.

A name without mistakes is found by its key. Otherwise there are two sets of candidates: names
anywhere on the map that share rare trigrams, and every name in the towns in question, because two
mistakes may leave a short name without a trigram of its own. Candidates are ranked by edits
(optimal string alignment: insert, delete, substitute, transpose).
"""

import sqlite3
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from roundsman.geocoding.street_names import StreetName, street_name
from roundsman.geocoding.trigrams import similar_rows

_CANDIDATES = 60
_RANKED = 12
_TOWNS_KEPT = 64
_LONGEST_SCANNED = 20_000
"""Most names of a town that are compared one by one; no town has more."""

_STREETS_LOADED = 400
_WRITTEN_APART = 0.1
_OTHER_WORDS = {"missing": 0.4, "added": 0.6, "conflict": 1.6}
_ORDER = 0.3
_LETTERS_AN_EDIT = 4.0
_MOST_EDITS = 3.0
_STEM_CHANGED = 0.5
"""The share of a name's distinguishing part that may differ."""


@dataclass(frozen=True, slots=True)
class FoundStreet:
    """A street of the map, with the cost of taking its name for the one that was written."""

    id: int
    name: str
    town: int
    postcode: str
    longitude: float
    latitude: float
    doors: int
    cost: float = 0.0


class StreetSearch:
    """Finds streets in one index; used by one thread at a time."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._of_town: OrderedDict[int, dict[int, str]] = OrderedDict()

    def find(self, name: StreetName) -> list[FoundStreet]:
        """Return the streets of this name, exactly or with a word more or less."""
        rows = self._connection.execute(
            "SELECT id, key FROM spelling WHERE compact = ? UNION SELECT id, key FROM spelling"
            " WHERE core = ?",
            [name.compact(), name.core],
        )
        costs = {spelling: _cost(name, street_name(key)) for spelling, key in rows}
        return self._streets({at: cost for at, cost in costs.items() if cost <= _MOST_EDITS})

    def find_similar(self, name: StreetName, towns: Sequence[int]) -> list[FoundStreet]:
        """Return the streets that a misspelt name may mean."""
        allowed = min(_MOST_EDITS, max(1.0, len(name.key) / _LETTERS_AN_EDIT))
        costs: dict[int, float] = {}
        for spelling, key in self._near(name, towns, allowed):
            candidate = street_name(key)
            cost = _cost(name, candidate)
            if cost <= allowed and _keeps_its_stem(name, candidate, cost):
                costs[spelling] = cost
        cheapest = sorted(costs, key=lambda at: (costs[at], at))[:_RANKED]
        return self._streets({at: costs[at] for at in cheapest})

    def _near(
        self, name: StreetName, towns: Sequence[int], allowed: float
    ) -> list[tuple[int, str]]:
        near = dict(self._keys(similar_rows(self._connection, "spelling", name.key, _CANDIDATES)))
        for town in towns:
            names = self._names_in(town)
            found = extract(
                name.key,
                names,
                scorer=OSA.distance,
                score_cutoff=int(allowed),
                limit=_RANKED,
            )
            near |= {spelling: key for key, _, spelling in found}
        return list(near.items())

    def _names_in(self, town: int) -> dict[int, str]:
        if town in self._of_town:
            self._of_town.move_to_end(town)
            return self._of_town[town]
        rows = self._connection.execute(
            "SELECT DISTINCT p.id, p.key FROM street s JOIN street_spelling l ON l.street = s.id"
            " JOIN spelling p ON p.id = l.spelling WHERE s.town = ? LIMIT ?",
            [town, _LONGEST_SCANNED],
        )
        self._of_town[town] = dict(rows.fetchall())
        if len(self._of_town) > _TOWNS_KEPT:
            self._of_town.popitem(last=False)
        return self._of_town[town]

    def _keys(self, spellings: Sequence[int]) -> list[tuple[int, str]]:
        placeholders = ", ".join("?" * len(spellings))
        return self._connection.execute(
            f"SELECT id, key FROM spelling WHERE id IN ({placeholders})",  # noqa: S608 -- holes alone
            spellings,
        ).fetchall()

    def _streets(self, costs: dict[int, float]) -> list[FoundStreet]:
        if not costs:
            return []
        placeholders = ", ".join("?" * len(costs))
        statement = (
            "SELECT s.id, s.name, s.town, s.postcode, s.longitude, s.latitude, s.doors, l.spelling"  # noqa: S608 -- as above
            " FROM street_spelling l JOIN street s ON s.id = l.street"
            f" WHERE l.spelling IN ({placeholders})"
        )
        rows = self._connection.execute(statement, list(costs))
        cheapest: dict[int, FoundStreet] = {}
        for *street, spelling in rows:
            found = replace(FoundStreet(*street), cost=costs[spelling])
            if found.id not in cheapest or found.cost < cheapest[found.id].cost:
                cheapest[found.id] = found
        return sorted(cheapest.values(), key=lambda street: (street.cost, street.id))


def _cost(wanted: StreetName, found: StreetName) -> float:
    """Return the cost of taking one name for the other; 0 is the same name."""
    whole = OSA.distance(wanted.key, found.key)
    if whole == 0:
        return 0.0
    apart = OSA.distance(wanted.compact(), found.compact()) + _WRITTEN_APART
    costs = [
        float(whole),
        apart,
        OSA.distance(wanted.core, found.core) + _other_words(wanted, found),
    ]
    costs.append(OSA.distance(wanted.shortened, found.shortened) + _WRITTEN_APART)
    words = sorted(wanted.key.split())
    if len(words) > 1:
        in_order = OSA.distance(" ".join(words), " ".join(sorted(found.key.split())))
        costs.append(in_order + _ORDER)
    return min(costs)


def _other_words(wanted: StreetName, found: StreetName) -> float:
    pairs = ((wanted.directions, found.directions), (wanted.types, found.types))
    return sum(_difference(ours, theirs) for ours, theirs in pairs)


def _difference(wanted: frozenset[str], found: frozenset[str]) -> float:
    if wanted == found:
        return 0.0
    if wanted < found:
        return _OTHER_WORDS["missing"]
    return _OTHER_WORDS["added" if found < wanted else "conflict"]


def _keeps_its_stem(wanted: StreetName, found: StreetName, cost: float) -> bool:
    """Return whether enough of the distinguishing part of a name is left."""
    stem = found.stem()
    changed = min(
        cost,
        OSA.distance(wanted.stem(), stem),
        OSA.distance(wanted.compact()[: len(stem)], stem),
    )
    return changed <= _STEM_CHANGED * len(stem)
