from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.geocoding.town import small_town

from roundsman.geocoding.extract_index import build_index
from roundsman.geocoding.osm_index import OsmIndex


@pytest.fixture(scope="session")
def town_index_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("town")
    extract = small_town().write(folder / "town.osm.pbf")
    build_index(extract, folder / "addresses.sqlite", lambda _: None)
    return folder / "addresses.sqlite"


@pytest.fixture
def town(town_index_file: Path) -> Iterator[OsmIndex]:
    index = OsmIndex(town_index_file)
    yield index
    index.close()
