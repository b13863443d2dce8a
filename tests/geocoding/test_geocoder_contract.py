"""What every geocoder must hold, run on each of them; the built-in one with its real places."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from tests.geocoding.answering import answering, nominatim_knows_vaduz, photon_knows_vaduz

from roundsman.domain.address import Address
from roundsman.geocoding.answer_cache import ANSWERS_KEPT, AnswersInMemory, CachingGeocoder
from roundsman.geocoding.chain import GeocoderChain
from roundsman.geocoding.geocoder import Geocoder, Match, MatchType, Miss
from roundsman.geocoding.map_indexes import MapIndexes
from roundsman.geocoding.nominatim import Nominatim
from roundsman.geocoding.osm_index import OsmIndex
from roundsman.geocoding.photon import Photon
from roundsman.kit.clock import SystemClock
from roundsman.kit.http import HttpClient

VADUZ = Address(city="Vaduz", country_code="LI")
NOWHERE = Address(city="Nowhere at all", country_code="LI")


@pytest.fixture(
    scope="module",
    params=["builtin", "osm", "maps", "chain", "nominatim", "photon", "remembering"],
)
def geocoder(
    request: pytest.FixtureRequest, gazetteer: Geocoder, town_index_file: Path
) -> Iterator[Geocoder]:
    with ExitStack() as running:
        yield make(request.param, gazetteer, town_index_file, running)


def make(kind: str, gazetteer: Geocoder, index: Path, running: ExitStack) -> Geocoder:
    match kind:
        case "builtin":
            return gazetteer
        case "osm":
            return running.enter_context(closing(OsmIndex(index)))
        case "maps":
            return MapIndexes(lambda: [index])
        case "chain":
            return GeocoderChain([MapIndexes(list), gazetteer])
        case "nominatim":
            server = running.enter_context(answering(nominatim_knows_vaduz))
            return Nominatim(HttpClient("test"), server.url)
        case "photon":
            server = running.enter_context(answering(photon_knows_vaduz))
            return Photon(HttpClient("test"), server.url)
        case _:
            return CachingGeocoder(
                gazetteer, "test", ANSWERS_KEPT, AnswersInMemory(), SystemClock()
            )


def test_answers_come_in_the_order_of_the_addresses(geocoder: Geocoder) -> None:
    first, second, third = geocoder.geocode([VADUZ, NOWHERE, VADUZ])
    assert isinstance(first, Match)
    assert isinstance(second, Miss)
    assert third == first


def test_a_match_is_where_it_should_be(geocoder: Geocoder) -> None:
    (found,) = geocoder.geocode([VADUZ])
    assert isinstance(found, Match)
    assert found.coordinates.latitude == pytest.approx(47.14, abs=0.02)
    assert found.coordinates.longitude == pytest.approx(9.52, abs=0.02)
    assert 0 <= found.confidence <= 1
    assert found.attribution
    assert "Vaduz" in found.label


def test_a_miss_gives_its_reason_in_lower_case_without_a_full_stop(geocoder: Geocoder) -> None:
    (missed,) = geocoder.geocode([NOWHERE])
    assert isinstance(missed, Miss)
    assert missed.reason[0].islower()
    assert not missed.reason.endswith(".")


def test_no_addresses_need_no_answer(geocoder: Geocoder) -> None:
    assert geocoder.geocode([]) == []


def test_threads_get_the_same_answers(geocoder: Geocoder) -> None:
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(geocoder.geocode, [[VADUZ, NOWHERE]] * 20))
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize(
    ("address", "match_type", "latitude", "longitude"),
    [
        (Address(zip="21201", country_code="US"), MatchType.POSTCODE, 39.29, -76.63),
        (Address(city="Baltimore", province_code="MD"), MatchType.LOCALITY, 39.29, -76.61),
        (Address(city="Rotterdam", country_code="NL"), MatchType.LOCALITY, 51.92, 4.48),
        (Address(city="東京"), MatchType.LOCALITY, 35.69, 139.69),
    ],
)
def test_places_of_the_world_are_known(
    gazetteer: Geocoder, address: Address, match_type: MatchType, latitude: float, longitude: float
) -> None:
    (found,) = gazetteer.geocode([address])
    assert isinstance(found, Match)
    assert found.match_type is match_type
    assert found.coordinates.latitude == pytest.approx(latitude, abs=0.05)
    assert found.coordinates.longitude == pytest.approx(longitude, abs=0.05)
