"""The index on real extracts, where they are at hand: what the benchmark prints must hold."""

import os
import random
from pathlib import Path

import pytest
from bench.addresses import MAPS, Tally, count_answer, known_addresses, write

from roundsman.geocoding.extract_index import build_index
from roundsman.geocoding.extract_reader import read_addresses
from roundsman.geocoding.osm_index import OsmIndex

pytestmark = pytest.mark.full

MAPS_FOLDER = Path(os.environ.get("ROUNDSMAN_SHARED", "../shared")) / "maps"
QUERIES = 300
LEAST = {0: 98.0, 1: 95.0, 2: 85.0}
LEAST_WITH_SHORT_NAMES = {0: 98.0, 1: 85.0, 2: 65.0}


@pytest.mark.parametrize("name", MAPS)
def test_addresses_are_found_within_100_m_typos_or_not(name: str, tmp_path: Path) -> None:
    extract = MAPS_FOLDER / f"{name}.osm.pbf"
    if not extract.is_file():
        pytest.skip(f"{extract} is not at hand")
    build_index(extract, tmp_path / "addresses.sqlite", lambda _: None)
    index = OsmIndex(tmp_path / "addresses.sqlite")
    known = known_addresses(read_addresses(extract, lambda _: None))
    least = LEAST_WITH_SHORT_NAMES if name == "liechtenstein" else LEAST
    for typos, share in least.items():
        draw = random.Random(f"test {name} {typos}")  # noqa: S311 -- repeats itself on purpose
        tally = Tally()
        for address in draw.sample(known, QUERIES):
            (answer,) = index.geocode([write(address, name, typos, draw)])
            count_answer(tally, answer, address)
        assert 100 * tally.found / tally.asked >= share, (typos, str(tally))
        assert 100 * tally.wrong / tally.asked <= 1
