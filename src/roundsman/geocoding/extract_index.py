"""Builds the address index of an OpenStreetMap extract."""

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from roundsman.geocoding.distances import meters_from
from roundsman.geocoding.extract_localities import Surroundings, Town, collect_towns
from roundsman.geocoding.extract_reader import read_addresses
from roundsman.geocoding.extract_streets import Street, collect_streets
from roundsman.geocoding.index_file import FORMAT, IndexWriter, cell_of
from roundsman.geocoding.osm_index import OsmIndex
from roundsman.geocoding.street_names import StreetName, fold_code, fold_words, street_name

_READ, _UNDERSTOOD = 0.6, 0.8
"""The share of the work, about, that is done after each step."""

_NEAR_ALL = 90
"""The percentile of doors inside a postal code's extent: some doors have a wrong code."""


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexSummary:
    """What an index holds; `places` counts towns, villages and quarters."""

    addresses: int
    streets: int
    places: int


def build_index(extract: Path, target: Path, progress: Callable[[float], None]) -> IndexSummary:
    """Write the index of `extract` to `target`, whole or not at all; progress runs from 0 to 1.

    Raises UnreadableExtract, with one line that says why, when the extract cannot be used.
    """
    contents = read_addresses(extract, lambda part: progress(part * _READ))
    progress(_READ)
    towns = collect_towns(contents)
    streets = collect_streets(contents, towns, Surroundings(contents, towns))
    progress(_UNDERSTOOD)
    _write(target, towns.all, streets)
    progress(1.0)
    return IndexSummary(
        addresses=sum(len(street.doors) for street in streets),
        streets=len(streets),
        places=len(towns.all),
    )


def index_addresses(extract: Path, target: Path, progress: Callable[[float], None]) -> int:
    """Write the index, test it with one address, and return how many addresses it holds."""
    summary = build_index(extract, target, progress)
    index = OsmIndex(target)
    try:
        index.try_one()
    finally:
        index.close()
    return summary.addresses


def _write(target: Path, towns: Sequence[Town], streets: Sequence[Street]) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f".{target.name}.{os.getpid()}")
    unfinished.unlink(missing_ok=True)
    writer = IndexWriter(unfinished)
    try:
        _write_about(writer, towns, streets)
        _write_towns(writer, towns)
        _write_streets(writer, streets)
        _write_postcodes(writer, streets)
        writer.finish()
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        unfinished.replace(target)
    finally:
        writer.abandon()
        unfinished.unlink(missing_ok=True)


def _write_about(writer: IndexWriter, towns: Sequence[Town], streets: Sequence[Street]) -> None:
    countries = {country for town in towns for country in town.countries}
    doors = sum(len(street.doors) for street in streets)
    facts = {
        "format": FORMAT,
        "countries": " ".join(sorted(countries)),
        "addresses": doors,
        "streets": len(streets),
        "places": len(towns),
    }
    writer.insert("about", [(key, str(value)) for key, value in facts.items()])


def _write_towns(writer: IndexWriter, towns: Sequence[Town]) -> None:
    writer.insert(
        "town",
        [
            (
                town.id,
                town.names[0],
                town.kind,
                town.population,
                town.longitude,
                town.latitude,
                town.reach,
                _usual(town.states),
                _usual(town.countries),
                town.doors,
            )
            for town in towns
        ],
    )
    names = sorted({(fold_words(name), town.id) for town in towns for name in town.names})
    writer.insert("town_name", names)
    writer.insert_searchable("town_search", [(town, name) for name, town in names])


def _write_streets(writer: IndexWriter, streets: Sequence[Street]) -> None:
    spellings: dict[StreetName, int] = {}
    for number, street in enumerate(streets, start=1):
        codes = street.postcodes()
        middle = street.middle()
        town = street.town.id if street.town else 0
        row = (number, street.name(), town, _usual(codes), *middle, len(street.doors))
        writer.insert("street", [row])
        writer.insert("street_spelling", sorted(_spelled(street, number, spellings)))
        folded = sorted({fold_code(code) for code in codes})
        writer.insert("street_postcode", [(number, code) for code in folded])
        writer.insert("door", list(_doors(street, number)))
        writer.insert("passage", _passages(street, number))
    writer.insert(
        "spelling",
        [(row, name.key, name.compact(), name.core) for name, row in spellings.items()],
    )
    writer.insert_searchable(
        "spelling_search", [(row, name.key) for name, row in spellings.items()]
    )


def _spelled(
    street: Street, number: int, spellings: dict[StreetName, int]
) -> Iterator[tuple[int, int]]:
    names = {street_name(name) for name in (*street.names, *street.other_names)}
    for name in names:
        if name.key:
            yield spellings.setdefault(name, len(spellings) + 1), number


def _doors(street: Street, number: int) -> Iterator[tuple[object, ...]]:
    for nth, door in enumerate(street.doors):
        yield (
            number,
            door.number.number,
            door.number.suffix,
            nth,
            fold_code(door.postcode),
            door.longitude,
            door.latitude,
            int(door.counted),
        )


def _passages(street: Street, number: int) -> list[tuple[object, ...]]:
    """Return one point of the street for each square it passes through."""
    points = [point for line in street.lines for point in line.tolist()]
    return [
        (cell, number, *point)
        for cell, point in {cell_of(*point): point for point in points}.items()
    ]


def _write_postcodes(writer: IndexWriter, streets: Sequence[Street]) -> None:
    by_code: dict[str, list[tuple[float, float, str, int]]] = defaultdict(list)
    for street in streets:
        for door in street.doors:
            town = street.town.id if street.town else 0
            by_code[fold_code(door.postcode)].append(
                (door.longitude, door.latitude, door.postcode, town)
            )
    by_code.pop("", None)
    writer.insert("postcode", [_postcode(code, doors) for code, doors in by_code.items()])


def _postcode(code: str, doors: Sequence[tuple[float, float, str, int]]) -> tuple[object, ...]:
    points = np.array([door[:2] for door in doors])
    longitude, latitude = (float(part) for part in np.median(points, axis=0))
    reach = float(np.percentile(meters_from((longitude, latitude), points), _NEAR_ALL))
    written = _usual(door[2] for door in doors)
    return code, longitude, latitude, reach, written, _usual(door[3] for door in doors)


def _usual[Thing](things: Iterable[Thing]) -> Thing | str:
    counted = things if isinstance(things, Counter) else Counter(things)
    return counted.most_common(1)[0][0] if counted else ""
