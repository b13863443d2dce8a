"""Print how often the address index finds an address that is written well, and one that is not.

The queries are the extracts' own addresses, written as people write them: in fields with or
without a postal code, on one line, abbreviated, in capitals. Typos (a letter replaced, left out,
added, or two exchanged) fall anywhere in street and city, evenly over their letters; the house
number is kept. An answer counts when it is within 100 m of an object that bears the very address.
Where an address has no city on the map, the municipality around it is what its writer would know;
without either it is left out. "Other streets" asks each map for streets of another one; the last
column is the processor's time a look-up, the median and the 95th percentile.
"""

import argparse
import os
import random
import re
import statistics
import string
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from roundsman.domain.address import Address
from roundsman.geocoding.distances import meters_between
from roundsman.geocoding.extract_index import build_index
from roundsman.geocoding.extract_localities import enclosing_municipalities, is_city
from roundsman.geocoding.extract_reader import ExtractContents, TaggedAddress, read_addresses
from roundsman.geocoding.geocoder import Match, MatchType
from roundsman.geocoding.house_numbers import parse_house_numbers
from roundsman.geocoding.osm_index import OsmIndex

MAPS = ("baltimore", "heidelberg", "helsinki", "liechtenstein")
HELD_OUT = ("monaco",)
"""Measured where they are at hand; nothing was ever tuned on them."""
_NUMBER_FIRST = frozenset({"baltimore", "monaco"})
_STATES = {"baltimore": "MD"}
_SHORT = {
    r"\bStreet\b": "St",
    r"\bAvenue\b": "Ave",
    r"\bRoad\b": "Rd",
    r"\bBoulevard\b": "Blvd",
    r"\bNorth\b": "N",
    r"\bSouth\b": "S",
    r"\bEast\b": "E",
    r"\bWest\b": "W",
    r"straße\b": "str.",
    r"strasse\b": "str.",
    r"Straße\b": "Str.",
    r"Strasse\b": "Str.",
}  # fmt: skip -- one table, one glance
_CLOSE_METERS = 100
_PRECISE = {MatchType.EXACT, MatchType.INTERPOLATED, MatchType.NEAREST_NUMBER, MatchType.STREET}


@dataclass(frozen=True, slots=True)
class Known:
    """An address with every point of the map that bears it."""

    street: str
    number: str
    city: str
    postcode: str
    country: str
    points: tuple[tuple[float, float], ...]


@dataclass(slots=True)
class Tally:
    """How a set of queries went."""

    asked: int = 0
    found: int = 0
    wrong: int = 0

    def __str__(self) -> str:
        """Return the share found, and the share placed elsewhere without a word."""
        return f"{100 * self.found / self.asked:.1f} % ({100 * self.wrong / self.asked:.1f})"


def main() -> None:
    """Build the indexes, ask, print."""
    arguments = _arguments()
    folder = Path(arguments.maps)
    table = Table(title="found within 100 m (in brackets: placed elsewhere by street)")
    for header in ("map", "addresses", "exact", "one typo", "two typos", "other streets", "CPU ms"):
        table.add_column(header, justify="right")
    contents = {
        name: read_addresses(folder / f"{name}.osm.pbf", lambda _: None)
        for name in (*MAPS, *HELD_OUT)
        if (folder / f"{name}.osm.pbf").is_file()
    }
    with tempfile.TemporaryDirectory() as scratch:
        for position, name in enumerate(contents):
            index = Path(scratch) / f"{name}.sqlite"
            build_index(folder / f"{name}.osm.pbf", index, lambda _: None)
            stranger = list(contents)[position - 1]
            table.add_row(*_row(name, OsmIndex(index), contents, stranger, arguments))
    Console(width=110).print(table)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.addresses", description=__doc__)
    shared = os.environ.get("ROUNDSMAN_SHARED", "../shared")
    parser.add_argument("--maps", default=f"{shared}/maps", help="folder of the extracts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=1000, help="queries a column and map")
    parser.add_argument("--show", type=int, default=0, help="failures to print a column and map")
    return parser.parse_args()


def _row(
    name: str,
    index: OsmIndex,
    contents: dict[str, ExtractContents],
    stranger: str,
    arguments: argparse.Namespace,
) -> Iterator[str]:
    known = known_addresses(contents[name])
    others = known_addresses(contents[stranger])
    own_streets = {address.street for address in known}
    times: list[float] = []
    yield name
    yield str(len(known))
    for typos in (0, 1, 2):
        draw = random.Random(f"{arguments.seed} {name} {typos}")  # noqa: S311 -- a benchmark
        sample = draw.sample(known, min(arguments.limit, len(known)))
        tally = Tally()
        failures = []
        for address in sample:
            query = write(address, name, typos, draw)
            begun = time.thread_time()
            (answer,) = index.geocode([query])
            times.append(1000 * (time.thread_time() - begun))
            if not count_answer(tally, answer, address):
                failures.append((query, answer))
        for query, answer in failures[: arguments.show]:
            Console(width=200).print(name, typos, query.one_line(), answer, markup=False)
        yield str(tally)
    draw = random.Random(f"{arguments.seed} {name} strangers")  # noqa: S311 -- a benchmark
    strange = [address for address in others if address.street not in own_streets]
    misplaced = 0
    for address in draw.sample(strange, min(arguments.limit, len(strange))):
        city = draw.choice(known)
        query = Address(address1=f"{address.street} {address.number}", city=city.city)
        (answer,) = index.geocode([query])
        misplaced += isinstance(answer, Match) and answer.match_type in _PRECISE
    yield f"{100 * misplaced / min(arguments.limit, len(strange)):.1f} %"
    yield f"{statistics.median(times):.2f} / {np.percentile(times, 95):.2f}"


def known_addresses(contents: ExtractContents) -> list[Known]:
    """Return the addresses of an extract that a person could write down."""
    tagged = [
        address
        for address in contents.addresses
        if address.street not in {"", address.city}
        and parse_house_numbers(address.number)
        and len(address.country) in {0, 2}
    ]
    points = np.array([(address.longitude, address.latitude) for address in tagged])
    around = enclosing_municipalities(contents, points)
    positions: dict[tuple[str, str, str], list[TaggedAddress]] = defaultdict(list)
    for address, municipality in zip(tagged, around, strict=True):
        city = address.city if is_city(address.city) else municipality
        if city:
            positions[address.street, address.number, city].append(address)
    return [
        Known(
            *words,
            next((address.postcode for address in same if address.postcode), ""),
            next((address.country for address in same if address.country), ""),
            tuple((address.longitude, address.latitude) for address in same),
        )
        for words, same in positions.items()
    ]


def write(address: Known, name: str, typos: int, draw: random.Random) -> Address:
    """Return the address as somebody might write it, with so many typos."""
    street, city = address.street, address.city
    if draw.random() < 0.25:
        street = _shortened(street)
    for _ in range(typos):
        street, city = _mistyped(street, city, draw)
    if draw.random() < 0.1:
        street, city = street.upper(), city.upper()
    line = f"{address.number} {street}" if name in _NUMBER_FIRST else f"{street} {address.number}"
    form = draw.randrange(3)
    if form == 0:
        return Address(address1=line, city=city, zip=address.postcode)
    if form == 1:
        return Address(address1=line, city=city, country_code=address.country)
    if name in _STATES:
        region = f"{_STATES[name]} {address.postcode}".strip()
        return Address(address1=f"{line}, {city}, {region}")
    return Address(address1=f"{line}, {f'{address.postcode} {city}'.strip()}")


def _shortened(street: str) -> str:
    for whole, short in _SHORT.items():
        street = re.sub(whole, short, street)
    return street


def _mistyped(street: str, city: str, draw: random.Random) -> tuple[str, str]:
    letters = [position for position, letter in enumerate(street + city) if letter.isalpha()]
    position = draw.choice(letters)
    if position < len(street):
        return _slip(street, position, draw), city
    return street, _slip(city, position - len(street), draw)


def _slip(text: str, position: int, draw: random.Random) -> str:
    kind = draw.randrange(4)
    letter = draw.choice(string.ascii_lowercase)
    if kind == 0:
        return text[:position] + letter + text[position + 1 :]
    if kind == 1 and len(text) > 1:
        return text[:position] + text[position + 1 :]
    if kind == 2 or position + 1 >= len(text) or text[position] == text[position + 1]:
        return text[:position] + letter + text[position:]
    return text[:position] + text[position + 1] + text[position] + text[position + 2 :]


def count_answer(tally: Tally, answer: object, address: Known) -> bool:
    """Note an answer; tell whether it was close enough."""
    tally.asked += 1
    if not isinstance(answer, Match):
        return False
    found = (answer.coordinates.longitude, answer.coordinates.latitude)
    close = min(meters_between(found, point) for point in address.points) <= _CLOSE_METERS
    tally.found += close
    tally.wrong += not close and answer.match_type in _PRECISE
    return close


if __name__ == "__main__":
    main()
