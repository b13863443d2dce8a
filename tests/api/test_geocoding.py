"""Importing addresses: one batch, all or nothing, and a geocoder that is away."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.api.conftest import World
from tests.api.described import DescribedClient
from tests.geocoding.answering import answering, nominatim_place
from tests.geocoding.town import small_town

from roundsman.app import make_application
from roundsman.domain.address import Address
from roundsman.geocoding.extract_index import build_index
from roundsman.geocoding.geocoder import Geocoder, Match, Miss
from roundsman.geocoding.map_indexes import MapIndexes
from roundsman.geography import make_geocoder
from roundsman.settings import Settings
from roundsman.storage.geocoder_answers import StoredAnswers

type SignIn = Callable[[Geocoder], DescribedClient]


@pytest.fixture
def sign_in(world: World, tmp_path: Path) -> Iterator[SignIn]:
    """Sign in at an interface with another geocoder, on the same database."""
    opened = []

    def sign_in(geocoder: Geocoder) -> DescribedClient:
        tools = replace(world.tools, geocoder=geocoder)
        interface = make_application(Settings(data=tmp_path), tools)
        opened.append(interface)
        client = DescribedClient(interface)
        client.sign_in(world.credentials.client_id, world.credentials.client_secret)
        return client

    yield sign_in
    for interface in opened:
        interface.close()


class Noting:
    """Passes batches on and notes their sizes."""

    is_local = True

    def __init__(self, inner: Geocoder) -> None:
        self._inner = inner
        self.batches: list[int] = []

    def geocode(self, addresses: Sequence[Address]) -> list[Match | Miss]:
        self.batches.append(len(addresses))
        return self._inner.geocode(addresses)

    def close(self) -> None:
        self._inner.close()


def over_http(kind: str, url: str, world: World, folder: Path) -> Geocoder:
    settings = Settings(data=folder, geocoder=f"{kind}:{url}")
    answers = StoredAnswers(world.tools.database)
    return make_geocoder(settings, memory=answers, clock=world.clock)


def stops(*lines: str) -> list[dict[str, object]]:
    return [{"clientStopId": line, "address": {"address1": line}} for line in lines]


@pytest.mark.spec("decisions §6")
def test_an_import_of_two_hundred_addresses_is_one_batch(sign_in: SignIn, tmp_path: Path) -> None:
    index = tmp_path / "addresses.sqlite"
    build_index(small_town().write(tmp_path / "town.osm.pbf"), index, lambda _: None)
    noting = Noting(MapIndexes(lambda: [index]))
    sent = [
        {"address": {"address1": "Huaptstr. 4", "city": "Vaduz"}, "note": str(number)}
        for number in range(200)
    ]
    response = sign_in(noting).post("/stops/imports", sent)
    assert response.status_code == 200
    assert noting.batches == [200]
    coordinates = response.json()["stops"][199]["coordinates"]
    assert coordinates == {"latitude": pytest.approx(47.1402), "longitude": pytest.approx(9.522)}


@pytest.mark.spec("decisions §6")
def test_what_the_map_does_not_know_is_named_by_stop_and_nothing_imported(
    world: World, sign_in: SignIn, tmp_path: Path
) -> None:
    index = tmp_path / "addresses.sqlite"
    build_index(small_town().write(tmp_path / "town.osm.pbf"), index, lambda _: None)
    client = sign_in(MapIndexes(lambda: [index]))
    lines = ["Hauptstrasse 4, Vaduz", "Hauptstrasse 2", "Main St 1, Springfield"]
    response = client.post("/stops/imports", stops(*lines))
    assert response.status_code == 400
    (detail,) = response.json()["details"]
    told = {each["field"]: each["description"] for each in detail["fieldViolations"]}
    assert list(told) == ["[1].address", "[2].address"]
    assert "may be any of: Hauptstrasse 2, Vaduz" in told["[1].address"]
    assert 'unknown city "Springfield"' in told["[2].address"]
    assert world.count("imported_stops") == 0


@pytest.mark.spec("decisions §6")
@pytest.mark.parametrize("kind", ["nominatim", "photon"])
def test_a_geocoder_that_is_away_is_503_and_nothing_is_imported(
    world: World, sign_in: SignIn, tmp_path: Path, kind: str
) -> None:
    with answering(lambda _path, _query: (503, {})) as server:
        client = sign_in(over_http(kind, server.url, world, tmp_path))
        response = client.post("/stops/imports", stops("Städtle 1, Vaduz", "Städtle 2, Vaduz"))
    assert response.status_code == 503
    assert response.json()["code"] == 14
    assert "Städtle" not in response.text
    assert world.count("imported_stops") == 0
    assert world.topics() == []


def test_an_address_is_asked_over_http_once_whoever_imports_it(
    world: World, sign_in: SignIn, tmp_path: Path
) -> None:
    house = nominatim_place(
        address={"house_number": "1", "road": "Städtle", "town": "Vaduz"}, lat="47.5"
    )
    with answering(lambda _path, _query: (200, [house])) as server:
        for _process in range(2):
            client = sign_in(over_http("nominatim", server.url, world, tmp_path))
            response = client.post("/stops/imports", stops("Städtle 1, Vaduz"))
            assert response.json()["stops"][0]["coordinates"]["latitude"] == 47.5
    assert len(server.asked) == 1
    assert server.agents.pop().startswith("Roundsman/")
