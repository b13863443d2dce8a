from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.geocoding.town import TownPlan, small_town

from roundsman.domain.address import Address, Coordinates
from roundsman.domain.issue import IssueType
from roundsman.geocoding.chain import GeocoderChain
from roundsman.geocoding.extract_index import build_index
from roundsman.geocoding.geocoder import Match, MatchType, Miss
from roundsman.geocoding.map_indexes import MapIndexes

HERE, THERE, NOWHERE = Address(city="Here"), Address(city="There"), Address(city="Nowhere")


class Knowing:
    """Knows some towns, settles others, and notes each batch."""

    is_local = True

    def __init__(self, *known: str, settled: str = "", name: str = "") -> None:
        self._known, self._settled, self._name = known, settled, name
        self.batches: list[int] = []
        self.is_closed = False

    def geocode(self, addresses: Sequence[Address]) -> list[Match | Miss]:
        self.batches.append(len(addresses))
        return [self._answer(address.city) for address in addresses]

    def close(self) -> None:
        self.is_closed = True

    def _answer(self, city: str) -> Match | Miss:
        if city not in self._known:
            return Miss(reason=f"unknown to {self._name}", settled=city == self._settled)
        point = Coordinates(latitude=0, longitude=0)
        return Match(
            coordinates=point, match_type=MatchType.LOCALITY, confidence=0.5, label=self._name
        )


def test_later_links_fill_the_gaps_in_one_batch_each() -> None:
    first, second = Knowing("Here", name="first"), Knowing("Here", "There", name="second")
    answers = GeocoderChain([first, second]).geocode([HERE, THERE, NOWHERE])
    assert [answer.label for answer in answers[:2] if isinstance(answer, Match)] == [
        "first",
        "second",
    ]
    assert answers[2] == Miss(reason="unknown to second")
    assert (first.batches, second.batches) == ([3], [2])


def test_a_settled_miss_is_nobody_elses_to_guess() -> None:
    second = Knowing("There", name="second")
    chain = GeocoderChain([Knowing(settled="There", name="first"), second])
    assert chain.geocode([THERE]) == [Miss(reason="unknown to first", settled=True)]
    assert second.batches == []


def test_who_is_not_needed_is_not_asked() -> None:
    second = Knowing(name="second")
    GeocoderChain([Knowing("Here", name="first"), second]).geocode([HERE])
    assert second.batches == []


@pytest.fixture
def put(tmp_path: Path) -> Callable[[str, TownPlan], Path]:
    def put(name: str, plan: TownPlan) -> Path:
        extract = plan.write(tmp_path / f"{name}.osm.pbf")
        index = tmp_path / name / "addresses.sqlite"
        build_index(extract, index, lambda _: None)
        extract.unlink()
        return index

    return put


def one_door(number: str, city: str) -> TownPlan:
    plan = TownPlan()
    plan.door((9.5, 47.0), number, "Feldweg", city=city)
    return plan


def test_maps_are_noticed_when_they_come_change_and_go(
    tmp_path: Path, put: Callable[[str, TownPlan], Path]
) -> None:
    maps = MapIndexes(lambda: sorted(tmp_path.glob("*/addresses.sqlite")))

    def find() -> Match | Miss:
        (answer,) = maps.geocode([Address(address1="Feldweg 7, Nah")])
        return answer

    none = find()
    assert isinstance(none, Miss)
    assert none.reason == "no map is installed; import one with roundsman map import"
    assert none.issue.type is IssueType.NO_MAP
    index = put("a", one_door("5", "Nah"))
    before = find()
    assert isinstance(before, Match)
    assert before.match_type is MatchType.NEAREST_NUMBER
    put("a", one_door("7", "Nah"))
    after = find()
    assert isinstance(after, Match)
    assert after.match_type is MatchType.EXACT
    index.unlink()
    assert isinstance(find(), Miss)


def test_of_several_maps_the_one_that_knows_the_door_answers(
    tmp_path: Path, put: Callable[[str, TownPlan], Path]
) -> None:
    put("a", one_door("5", "Nah"))
    put("b", small_town())
    put("c", one_door("7", "Nah"))
    maps = MapIndexes(lambda: sorted(tmp_path.glob("*/addresses.sqlite")))
    (near, far) = maps.geocode(
        [Address(address1="Feldweg 7, Nah"), Address(address1="Bergweg 5, Oberdorf")]
    )
    assert isinstance(near, Match)
    assert near.label == "Feldweg 7, Nah"
    assert isinstance(far, Match)
    assert far.label == "Bergweg 5, Oberdorf, 9499, LI"
    described = maps.reverse(Coordinates(latitude=47.0, longitude=9.5))
    assert isinstance(described, Match)


def test_a_broken_index_is_left_out(tmp_path: Path, put: Callable[[str, TownPlan], Path]) -> None:
    put("a", one_door("7", "Nah"))
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "addresses.sqlite").write_text("not an index")
    maps = MapIndexes(lambda: sorted(tmp_path.glob("*/addresses.sqlite")))
    (found,) = maps.geocode([Address(address1="Feldweg 7, Nah")])
    assert isinstance(found, Match)


def test_closing_a_chain_closes_every_link() -> None:
    links = [Knowing("Vaduz"), Knowing("Schaan")]
    GeocoderChain(links).close()
    assert [link.is_closed for link in links] == [True, True]
