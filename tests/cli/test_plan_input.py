import uuid
from collections.abc import Sequence
from datetime import UTC, datetime

from roundsman.cli.plan_input import PlanInput, locate_stops
from roundsman.domain.address import Address, Coordinates
from roundsman.domain.route import RouteOptions
from roundsman.geocoding.geocoder import Match, MatchType, Miss
from roundsman.kit.durations import from_seconds
from roundsman.spreadsheets.stop_sheet import read_stop_sheet

VADUZ = Match(
    coordinates=Coordinates(latitude=47.14, longitude=9.52),
    match_type=MatchType.LOCALITY,
    confidence=0.7,
    label="Vaduz, LI",
)


class OnlyVaduz:
    """A geocoder of one city, which remembers what it was asked."""

    is_local = True

    def __init__(self) -> None:
        self.asked: list[str] = []

    def geocode(self, addresses: Sequence[Address]) -> list[Match | Miss]:
        self.asked += [address.one_line() for address in addresses]
        return [
            VADUZ if "Vaduz" in address.one_line() else Miss(reason="unknown city")
            for address in addresses
        ]

    def close(self) -> None:
        """Hold nothing."""


class CountedIds:
    def __init__(self) -> None:
        self._last = 0

    def new_uuid(self) -> str:
        self._last += 1
        return str(uuid.UUID(int=self._last))

    def random_bytes(self, count: int) -> bytes:
        return bytes(count)


def located(text: str, geocoder: OnlyVaduz, options: RouteOptions | None = None) -> PlanInput:
    return locate_stops(
        read_stop_sheet(text.encode()),
        geocoder,
        options=options or RouteOptions(),
        ids=CountedIds(),
        now=datetime(2026, 7, 1, tzinfo=UTC),
    )


def test_rows_keep_their_numbers_through_geocoding() -> None:
    given = located("name,city\nAnn,Vaduz\nBob,Atlantis\nCid,Vaduz\n,\n", OnlyVaduz())
    assert [(given.rows[stop.id], stop.order_name) for stop in given.stops] == [
        (2, "Ann"),
        (4, "Cid"),
    ]
    assert [(rejected.row, rejected.reason) for rejected in given.rejected] == [(3, "unknown city")]


def test_given_coordinates_are_kept_and_nobody_is_asked() -> None:
    geocoder = OnlyVaduz()
    given = located("city,latitude,longitude\nAtlantis,1,2\n", geocoder)
    assert given.stops[0].planned_coordinates == Coordinates(latitude=1, longitude=2)
    assert geocoder.asked == []
    assert given.matches == {}


def test_all_rejected_rows_stand_in_the_order_of_the_file() -> None:
    given = located("city,latitude\nAtlantis,\n,5\nAtlantis,\n", OnlyVaduz())
    assert [rejected.row for rejected in given.rejected] == [2, 3, 4]


def test_an_address_on_one_line_is_kept_in_parts() -> None:
    given = located('address\n"Städtle 1, 9490 Vaduz, LI"\n', OnlyVaduz())
    assert given.stops[0].address == Address(
        address1="Städtle 1", city="Vaduz", zip="9490", country_code="LI"
    )


def test_stops_without_a_duration_take_the_usual_one() -> None:
    options = RouteOptions(default_stop_duration=from_seconds(240))
    given = located("city,duration\nVaduz,\nVaduz,1\n", OnlyVaduz(), options)
    assert [stop.duration for stop in given.stops] == ["240s", "60s"]
