from pathlib import Path

import pytest
from tests.geocoding.town import OBERDORF, VADUZ, TownPlan, small_town

from roundsman.domain.address import Address
from roundsman.geocoding.extract_index import IndexSummary, build_index, index_addresses
from roundsman.geocoding.extract_reader import UnreadableExtract
from roundsman.geocoding.geocoder import Match, MatchType, Miss
from roundsman.geocoding.index_file import WrongIndex, open_index
from roundsman.geocoding.osm_index import OsmIndex


def indexed(plan: TownPlan, folder: Path) -> OsmIndex:
    extract = plan.write(folder / "town.osm.pbf")
    build_index(extract, folder / "addresses.sqlite", lambda _: None)
    return OsmIndex(folder / "addresses.sqlite")


def find(index: OsmIndex, line: str) -> Match | Miss:
    (answer,) = index.geocode([Address(address1=line)])
    return answer


def test_an_extract_is_counted_and_progress_runs_from_nothing_to_all(tmp_path: Path) -> None:
    extract = small_town().write(tmp_path / "town.osm.pbf")
    told: list[float] = []
    summary = build_index(extract, tmp_path / "addresses.sqlite", told.append)
    # 5 + 2 doors in the Hauptstrasse of either village count once each, shops and ends not again.
    assert summary == IndexSummary(addresses=23, streets=11, places=2)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert all(0 <= part <= 1 for part in told)
    assert sorted(child.name for child in tmp_path.iterdir()) == [
        "addresses.sqlite",
        "town.osm.pbf",
    ]


def test_an_index_is_tried_when_it_is_made(tmp_path: Path) -> None:
    extract = small_town().write(tmp_path / "town.osm.pbf")
    assert index_addresses(extract, tmp_path / "addresses.sqlite", lambda _: None) == 23


def test_an_extract_without_addresses_makes_an_index_that_finds_nothing(tmp_path: Path) -> None:
    plan = TownPlan()
    plan.way([VADUZ, OBERDORF], {"highway": "track"})
    extract = plan.write(tmp_path / "town.osm.pbf")
    assert index_addresses(extract, tmp_path / "addresses.sqlite", lambda _: None) == 0
    index = OsmIndex(tmp_path / "addresses.sqlite")
    assert isinstance(find(index, "Hauptstrasse 2, Vaduz"), Miss)


@pytest.mark.parametrize(
    "content", [b"", b"no extract at all", b"\x00\x00\x00\x0d\x0a\x09OSMHeader"]
)
def test_a_file_that_is_no_extract_is_named_in_one_line(tmp_path: Path, content: bytes) -> None:
    broken = tmp_path / "broken.osm.pbf"
    broken.write_bytes(content)
    kept = tmp_path / "addresses.sqlite"
    kept.write_text("the old index")
    with pytest.raises(UnreadableExtract) as told:
        build_index(broken, kept, lambda _: None)
    assert "broken.osm.pbf" in str(told.value)
    assert "\n" not in str(told.value)
    assert kept.read_text() == "the old index"
    assert sorted(child.name for child in tmp_path.iterdir()) == [
        "addresses.sqlite",
        "broken.osm.pbf",
    ]


def test_an_extract_that_is_cut_short_is_refused(tmp_path: Path) -> None:
    whole = small_town().write(tmp_path / "town.osm.pbf").read_bytes()
    cut = tmp_path / "cut.osm.pbf"
    cut.write_bytes(whole[: len(whole) * 2 // 3])
    with pytest.raises(UnreadableExtract, match=r"cut\.osm\.pbf"):
        build_index(cut, tmp_path / "addresses.sqlite", lambda _: None)


def test_an_extract_whose_ways_come_first_is_refused_with_the_remedy(tmp_path: Path) -> None:
    extract = small_town().write(tmp_path / "town.osm.pbf", sorted_by_kind=False)
    with pytest.raises(UnreadableExtract, match="sort"):
        build_index(extract, tmp_path / "addresses.sqlite", lambda _: None)


@pytest.mark.parametrize(
    ("line", "point"),
    [
        ("Im Rösle 4, Vaduz", (9.52, 47.145)),
        ("Im Rösle 6, Vaduz", (9.52, 47.145)),
        ("Im Rösle 10, Vaduz", (9.52, 47.146)),
        ("Im Rösle 8-12, Vaduz", (9.52, 47.146)),
        ("Im Rösle 14a, Vaduz", (9.52, 47.147)),
        ("Mühleholz 3, Vaduz", (9.52, 47.152)),
        ("Turmweg 1, Vaduz", (9.5201, 47.1281)),
    ],
)
def test_lists_ranges_places_and_buildings_are_doors(
    tmp_path: Path, line: str, point: tuple[float, float]
) -> None:
    found = find(indexed(small_town(), tmp_path), line)
    assert isinstance(found, Match), found
    assert found.match_type is MatchType.EXACT
    assert found.coordinates.longitude == pytest.approx(point[0], abs=1e-6)
    assert found.coordinates.latitude == pytest.approx(point[1], abs=1e-6)


def test_doors_between_the_ends_of_a_mapped_row_are_set_at_even_distances(tmp_path: Path) -> None:
    index = indexed(small_town(), tmp_path)
    middle = find(index, "Reihenweg 24, Vaduz")
    assert isinstance(middle, Match)
    assert middle.match_type is MatchType.INTERPOLATED
    assert middle.coordinates.longitude == pytest.approx(VADUZ[0] + 0.002, abs=1e-6)
    end = find(index, "Reihenweg 28, Vaduz")
    assert isinstance(end, Match)
    assert end.match_type is MatchType.EXACT


def test_an_address_without_a_city_belongs_to_the_municipality_around_it(tmp_path: Path) -> None:
    found = find(indexed(small_town(), tmp_path), "Hauptstrasse 10, Vaduz")
    assert isinstance(found, Match)
    assert found.label == "Hauptstrasse 10, Vaduz, 9490, LI"


def test_an_address_without_city_and_boundary_belongs_to_the_nearest_place(tmp_path: Path) -> None:
    plan = TownPlan()
    plan.node((9.5, 47.0), {"place": "village", "name": "Nah"})
    plan.node((9.6, 47.0), {"place": "village", "name": "Fern"})
    plan.door((9.51, 47.0), "7", "Feldweg")
    index = indexed(plan, tmp_path)
    found = find(index, "Feldweg 7, Nah")
    assert isinstance(found, Match)
    assert found.label == "Feldweg 7, Nah"


def test_an_address_without_a_postal_code_has_that_of_its_neighbour(tmp_path: Path) -> None:
    plan = TownPlan()
    plan.door((9.5, 47.0), "7", "Feldweg", city="Nah", postcode="9490")
    plan.door((9.5001, 47.0), "9", "Feldweg", city="Nah")
    found = find(indexed(plan, tmp_path), "Feldweg 9, Nah")
    assert isinstance(found, Match)
    assert found.label == "Feldweg 9, Nah, 9490"


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\x00 but nothing else"])
def test_a_file_that_is_no_index_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "addresses.sqlite"
    path.write_bytes(content)
    with pytest.raises(WrongIndex, match=r"addresses\.sqlite"):
        open_index(path)
