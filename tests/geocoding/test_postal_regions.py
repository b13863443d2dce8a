import pytest

from roundsman.geocoding.localities import Localities
from roundsman.geocoding.localities_file import load_or_build
from roundsman.geocoding.postal_regions import MAIN_TOWNS, find_main_town, towns_of
from roundsman.geocoding.wheels import cache_file, index_wheels


@pytest.fixture(scope="module")
def localities(pytestconfig: pytest.Config) -> Localities:
    assert pytestconfig.cache is not None
    folder = pytestconfig.cache.mkdir("home") / "roundsman"
    return Localities(load_or_build(cache_file(folder), index_wheels))


def test_every_region_has_a_main_town_that_the_gazetteer_knows(localities: Localities) -> None:
    unknown = [
        f"{country} {digits} {town}"
        for country in MAIN_TOWNS
        for digits, town in towns_of(country).items()
        if find_main_town(localities, country, town) is None
    ]
    assert unknown == []
