"""Looking addresses up in the map of a small town."""

from pathlib import Path

import pytest
from tests.geocoding.town import OBERDORF, STEP, VADUZ, TownPlan, small_town

from roundsman.domain.address import Address, Coordinates
from roundsman.geocoding.extract_index import build_index
from roundsman.geocoding.geocoder import Match, MatchType, Miss
from roundsman.geocoding.osm_index import OsmIndex

STREET_VIEW = 1e-4


def ask(index: OsmIndex, **parts: str) -> Match | Miss:
    (answer,) = index.geocode([Address(**parts)])
    return answer


def find(index: OsmIndex, line: str) -> Match:
    answer = ask(index, address1=line)
    assert isinstance(answer, Match), answer
    return answer


def refusal(index: OsmIndex, **parts: str) -> Miss:
    answer = ask(index, **parts)
    assert isinstance(answer, Miss), answer
    return answer


@pytest.mark.parametrize(
    "line",
    [
        "Hauptstrasse 4, 9490 Vaduz",
        "HAUPTSTRASSE 4, VADUZ",
        "Hauptstraße 4, Vaduz, Liechtenstein",
        "Hauptstr. 4, Vaduz",
        "Hptstr. 4, Vaduz",
        "Haupt Str. 4, Vaduz",
        "Hauptstr.4, Vaduz",
        "4 Hauptstrasse, Vaduz",
        "Hauptstrasse 4, Top 12, Vaduz",
        "Hauptstrasse 4 (Hinterhaus), FL-9490 Vaduz",
        "Hauptstrasse 4 9490 Vaduz",
        "Hauptstrasse 4 9490 Vaduz Liechtenstein",
        "Vaduz Hauptstrasse 4",
        "Huaptstrasse 4, Vaduz",
        "Hauptstrase 4, Vadutz",
        "Haputstrasse 4, Vdauz",
    ],
)
def test_a_door_is_found_however_it_is_written(town: OsmIndex, line: str) -> None:
    found = find(town, line)
    assert found.match_type is MatchType.EXACT
    assert found.label == "Hauptstrasse 4, Vaduz, 9490, LI"
    assert found.coordinates.longitude == pytest.approx(VADUZ[0] + STEP, abs=STREET_VIEW)
    assert "OpenStreetMap" in found.attribution


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("21 St Paul St, Vaduz", "Saint Paul Street 21, Vaduz, 9490, LI"),
        ("21 St. Paul Street, Apt 5, Vaduz", "Saint Paul Street 21, Vaduz, 9490, LI"),
        ("30 N Park Ave, Vaduz", "North Park Avenue 30, Vaduz, 9490, LI"),
        ("30 S. Park Av., Vaduz", "South Park Avenue 30, Vaduz, 9490, LI"),
        ("Im Roesle 14A, Vaduz", "Im Rösle 14a, Vaduz, 9490, LI"),
        ("Im Rosle 14, Vaduz", "Im Rösle 14a, Vaduz, 9490, LI"),
        ("Im Rösle 10b, Vaduz", "Im Rösle 10, Vaduz, 9490, LI"),
        ("Bergweg 5, Haut-Village", "Bergweg 5, Oberdorf, 9499, LI"),
        ("Bergweg 5, 9499 Oberdorf bei Vaduz", "Bergweg 5, Oberdorf, 9499, LI"),
    ],
)
def test_abbreviations_accents_units_and_other_names_are_understood(
    town: OsmIndex, line: str, label: str
) -> None:
    found = find(town, line)
    assert found.match_type is MatchType.EXACT
    assert found.label == label


def test_a_missing_number_stands_between_its_neighbours_on_its_own_side(town: OsmIndex) -> None:
    found = find(town, "Hauptstrasse 6, Vaduz")
    assert found.match_type is MatchType.INTERPOLATED
    # A third of the way from 4 to 10, north of the street, where the even numbers are.
    assert found.coordinates.longitude == pytest.approx(VADUZ[0] + 2 * STEP, abs=STREET_VIEW)
    assert found.coordinates.latitude == pytest.approx(VADUZ[1] + 0.0002, abs=1e-6)


def test_beyond_the_last_number_the_nearest_on_its_side_stands_in(town: OsmIndex) -> None:
    found = find(town, "Hauptstrasse 7, Vaduz")
    assert found.match_type is MatchType.NEAREST_NUMBER
    assert found.label == "Hauptstrasse 3, Vaduz, 9490, LI"


def test_a_street_without_doors_is_found_by_either_name(town: OsmIndex) -> None:
    for name in ("Kirchgasse 3, Oberdorf", "Pfarrweg, Oberdorf"):
        found = find(town, name)
        assert found.match_type is MatchType.STREET
        assert found.label == "Kirchgasse, Oberdorf, LI"


def test_an_unknown_street_leaves_the_postal_code_then_the_town(town: OsmIndex) -> None:
    by_code = find(town, "Nowhere Lane 5, 9490 Vaduz")
    assert by_code.match_type is MatchType.POSTCODE
    by_town = find(town, "Nowhere Lane 5, Vaduz")
    assert by_town.match_type is MatchType.LOCALITY
    assert (by_town.coordinates.longitude, by_town.coordinates.latitude) == VADUZ
    assert ask(town, city="Vaduz") != by_town, "asked for alone, a town is surer"


def test_the_closer_the_match_the_higher_the_confidence(town: OsmIndex) -> None:
    lines = [
        "Hauptstrasse 4, Vaduz",
        "Hauptstrasse 6, Vaduz",
        "Hauptstrasse 7, Vaduz",
        "Kirchgasse 3, Oberdorf",
        "Nowhere Lane 5, 9490 Vaduz",
        "Nowhere Lane 5, Vaduz",
    ]
    sure = [find(town, line).confidence for line in lines]
    assert sure == sorted(sure, reverse=True)
    assert len(set(sure)) == len(sure)
    assert find(town, "Huaptstrasse 4, Vaduz").confidence < sure[0]


def test_the_city_tells_streets_of_one_name_apart(town: OsmIndex) -> None:
    here, there = find(town, "Hauptstrasse 2, Vaduz"), find(town, "Hauptstrasse 2, Oberdorf")
    assert here.coordinates.latitude == pytest.approx(VADUZ[1], abs=0.001)
    assert there.coordinates.latitude == pytest.approx(OBERDORF[1], abs=0.001)


def test_a_door_of_the_town_next_to_the_one_that_was_named_is_not_taken(tmp_path: Path) -> None:
    """The map lacks the door; a parcel at that number of another town is worse than a question."""
    plan = small_town()
    x, y = VADUZ[0] + 0.04, VADUZ[1]  # not far beyond the last houses
    plan.node((x, y), {"place": "village", "name": "Nebendorf", "population": "900"})
    for number in ("1", "57"):
        plan.door((x, y), number, "Hauptstrasse", city="Nebendorf", postcode="9498")
    index = index_of(plan, tmp_path)
    for street in ("Hauptstrasse", "Hptstr.", "Huaptstrasse"):
        found = find(index, f"{street} 57, Vaduz")
        assert found.match_type is MatchType.STREET
        assert found.label.startswith("Hauptstrasse, Vaduz")
    by_code = find(index, "Hauptstrasse 57, 9498 Vaduz")
    assert by_code.label == "Hauptstrasse 57, Nebendorf, 9498"
    assert find(index, "Hauptstrasse 57, Nebendorf").match_type is MatchType.EXACT


def test_a_street_of_several_towns_is_refused_without_a_city(town: OsmIndex) -> None:
    missed = refusal(town, address1="Hauptstrasse 2")
    assert "Hauptstrasse 2, Vaduz" in missed.reason
    assert "Hauptstrasse 2, Oberdorf" in missed.reason
    assert missed.settled, "the gazetteer must not guess instead"
    assert isinstance(ask(town, address1="Hauptstrasse 2", zip="9499"), Match)


def test_a_street_that_two_names_fit_alike_is_refused(town: OsmIndex) -> None:
    missed = refusal(town, address1="30 Park Ave", city="Vaduz")
    assert "North Park Avenue 30" in missed.reason
    assert "South Park Avenue 30" in missed.reason


def test_a_postal_code_far_from_the_city_is_refused(tmp_path: Path) -> None:
    plan = TownPlan()
    plan.door((9.0, 47.0), "1", "Feldweg", city="Nah", postcode="9001")
    plan.door((10.0, 47.0), "1", "Feldweg", city="Fern", postcode="9100")
    index = index_of(plan, tmp_path)
    missed = refusal(index, address1="Feldweg 1", city="Nah", zip="9100")
    assert missed.reason == "zip code 9100 is far from Nah"


def test_towns_of_one_name_are_refused_when_neither_is_clearly_larger(tmp_path: Path) -> None:
    plan = TownPlan()
    plan.node((9.0, 47.0), {"place": "village", "name": "Neustadt", "population": "900"})
    plan.node((10.0, 47.0), {"place": "village", "name": "Neustadt", "population": "1000"})
    index = index_of(plan, tmp_path)
    assert 'several places are called "Neustadt"' in refusal(index, city="Neustadt").reason


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"address1": "1 Main St", "city": "Springfield"}, 'unknown city "Springfield"'),
        ({"zip": "12345"}, "unknown zip code 12345"),
        ({"city": "Vaduz", "country_code": "DE"}, "the map has no addresses in DE"),
        ({"city": "Vaduz", "country_code": "Narnia"}, 'unknown country "Narnia"'),
        ({"address1": "Nowhere Lane 5"}, 'no street like "Nowhere Lane 5" on the map; add a city'),
    ],
)
def test_what_is_not_on_the_map_is_refused_in_words(
    town: OsmIndex, parts: dict[str, str], reason: str
) -> None:
    missed = refusal(town, **parts)
    assert missed.reason.startswith(reason)
    assert not missed.settled, "another source may know it"


def test_a_place_is_described_by_the_nearest_door_street_or_town(town: OsmIndex) -> None:
    at_door = town.reverse(Coordinates(latitude=47.1401, longitude=9.5221))
    assert isinstance(at_door, Match)
    assert (at_door.match_type, at_door.label) == (
        MatchType.EXACT,
        "Hauptstrasse 4, Vaduz, 9490, LI",
    )
    on_street = town.reverse(Coordinates(latitude=47.2005, longitude=9.6021))
    assert isinstance(on_street, Match)
    assert (on_street.match_type, on_street.label) == (MatchType.STREET, "Kirchgasse, Oberdorf, LI")
    in_town = town.reverse(Coordinates(latitude=47.16, longitude=9.535))
    assert isinstance(in_town, Match)
    assert (in_town.match_type, in_town.label) == (MatchType.LOCALITY, "Vaduz, LI")
    assert isinstance(town.reverse(Coordinates(latitude=0, longitude=0)), Miss)


@pytest.mark.parametrize(
    "line", ["'; DROP TABLE street; --", '" OR ""', "%", "*", "a", "1", "\x00", "🏠 1", "NEAR(a b)"]
)
def test_no_text_breaks_a_search(town: OsmIndex, line: str) -> None:
    for parts in ({"address1": line}, {"city": line}, {"zip": line}):
        ask(town, **parts)
        ask(town, **{"address1": "Hauptstrasse 4", "city": "Vaduz", **parts})
    assert find(town, "Hauptstrasse 4, Vaduz").match_type is MatchType.EXACT


def index_of(plan: TownPlan, folder: Path) -> OsmIndex:
    build_index(plan.write(folder / "town.osm.pbf"), folder / "addresses.sqlite", lambda _: None)
    return OsmIndex(folder / "addresses.sqlite")
