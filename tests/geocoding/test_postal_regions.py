import os

import pytest

from roundsman.geocoding.bundled_data import cache_file, index_bundled_data
from roundsman.geocoding.localities import Localities
from roundsman.geocoding.localities_file import load_or_build, user_cache_folder
from roundsman.geocoding.postal_regions import MAIN_TOWNS, find_main_town, towns_of


@pytest.fixture(scope="module")
def localities() -> Localities:
    folder = user_cache_folder(os.environ)
    assert folder is not None
    return Localities(load_or_build(cache_file(folder), index_bundled_data))


def test_every_region_has_a_main_town_that_the_gazetteer_knows(localities: Localities) -> None:
    unknown = [
        f"{country} {digits} {town}"
        for country in MAIN_TOWNS
        for digits, town in towns_of(country).items()
        if find_main_town(localities, country, town) is None
    ]
    assert unknown == []
