"""Finds the towns of a map that a name may mean, with a cost for each.

Costs count edits: nothing for the name itself, about one for each mistake.
"""

import re
import sqlite3
from dataclasses import dataclass, replace

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from roundsman.geocoding.provinces import Province, province_code
from roundsman.geocoding.region import Region
from roundsman.geocoding.street_names import fold_words
from roundsman.geocoding.trigrams import similar_rows

_EDIT = 0.7
_PART_OF_NAME = 0.15
_NAMES_KEPT = 5_000
_CANDIDATES = 80
_TOWNS_TRIED = 6
_LETTERS_AN_EDIT = 3.0
_MOST_EDITS = 3
_BRACKETS = re.compile(r"\([^)]*\)")
_COLUMNS = (
    "t.id, t.name, t.kind, t.population, t.longitude, t.latitude, t.reach, t.state, t.country"
)


@dataclass(frozen=True, slots=True)
class FoundTown:
    """A town of the map, with the cost of taking it for the one that was written."""

    id: int
    name: str
    kind: str
    population: int
    longitude: float
    latitude: float
    reach: float
    state: str
    country: str
    cost: float = 0.0


class TownSearch:
    """Finds towns in one index; used by one thread at a time."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        count = connection.execute("SELECT count(*) FROM town_name").fetchone()[0]
        self._names: dict[int, str] | None = None
        if count <= _NAMES_KEPT:
            rows = connection.execute("SELECT DISTINCT name FROM town_name ORDER BY name")
            self._names = {index: name for index, (name,) in enumerate(rows)}

    def find(self, name: str, region: Region) -> list[FoundTown]:
        """Return the towns that a name may mean, the likeliest first; empty when there are none."""
        folded = fold_words(_BRACKETS.sub(" ", name)) or fold_words(name)
        if not folded:
            return []
        exact = self._named(folded, 0.0, region)
        if exact:
            return exact
        return self._named_in_part(folded, region) or self._misspelt(folded, region)

    def find_exact(self, name: str, region: Region) -> list[FoundTown]:
        """Return the towns of exactly this name."""
        return self._named(fold_words(name), 0.0, region)

    def by_id(self, town: int) -> FoundTown | None:
        row = self._connection.execute(f"SELECT {_COLUMNS} FROM town t WHERE id = ?", [town])  # noqa: S608 -- columns are named in code
        found = row.fetchone()
        return FoundTown(*found) if found else None

    def _named(self, folded: str, cost: float, region: Region) -> list[FoundTown]:
        statement = (
            f"SELECT {_COLUMNS} FROM town_name n JOIN town t ON t.id = n.town WHERE n.name = ?"  # noqa: S608 -- as above
            " ORDER BY t.population DESC, t.doors DESC"
        )
        rows = self._connection.execute(statement, [folded])
        found = [replace(FoundTown(*row), cost=cost) for row in rows]
        return [town for town in found if _is_in(town, region)]

    def _named_in_part(self, folded: str, region: Region) -> list[FoundTown]:
        """Find `Heidelberg Rohrbach` as Heidelberg, and `Frankfurt` as Frankfurt am Main."""
        longer = self._connection.execute(
            "SELECT DISTINCT name FROM town_name WHERE name > ? AND name < ? LIMIT ?",
            [f"{folded} ", f"{folded}!", _TOWNS_TRIED],
        ).fetchall()
        words = folded.split()
        shorter = [" ".join(words[:count]) for count in range(len(words) - 1, 0, -1)]
        shorter += [" ".join(words[start:]) for start in range(1, len(words))]
        for names in ([name for (name,) in longer], *([name] for name in shorter)):
            found = [town for name in names for town in self._named(name, _PART_OF_NAME, region)]
            if found:
                return found[:_TOWNS_TRIED]
        return []

    def _misspelt(self, folded: str, region: Region) -> list[FoundTown]:
        allowed = min(_MOST_EDITS, int(len(folded) / _LETTERS_AN_EDIT))
        if not allowed:
            return []
        near = extract(
            folded,
            self._choices(folded),
            scorer=OSA.distance,
            score_cutoff=allowed,
            limit=_TOWNS_TRIED,
        )
        return [
            town for name, edits, _ in near for town in self._named(name, _EDIT * edits, region)
        ]

    def _choices(self, folded: str) -> dict[int, str]:
        if self._names is not None:
            return self._names
        towns = similar_rows(self._connection, "town", folded, _CANDIDATES)
        placeholders = ", ".join("?" * len(towns))
        rows = self._connection.execute(
            f"SELECT DISTINCT name FROM town_name WHERE town IN ({placeholders})",  # noqa: S608 -- as above
            towns,
        )
        return {index: name for index, (name,) in enumerate(rows)}


def _is_in(town: FoundTown, region: Region) -> bool:
    """Return whether a town is in a region; a town without a country may be in any."""
    if region.is_everywhere() or not town.country:
        return _state_agrees(town, region)
    countries = region.countries | {province.country for province in region.provinces}
    return town.country in countries and _state_agrees(town, region)


def _state_agrees(town: FoundTown, region: Region) -> bool:
    if not town.state or not region.provinces:
        return True
    codes = {_code(province) for province in region.provinces}
    return town.state.upper() in codes or town.country not in {"US", ""}


def _code(province: Province) -> str:
    return province_code(province) or province.admin1
