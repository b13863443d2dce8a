from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from roundsman.kit.time_zones import (
    country_at,
    elapsed,
    require_even_time,
    say_clock_times,
    wall_clock,
    zone_at,
)

NEW_YORK = ZoneInfo("America/New_York")


@pytest.mark.parametrize(
    ("latitude", "longitude", "zone"),
    [
        (39.29, -76.61, "America/New_York"),
        (47.14, 9.52, "Europe/Vaduz"),
        (60.17, 24.94, "Europe/Helsinki"),
    ],
)
def test_a_point_knows_its_clocks(latitude: float, longitude: float, zone: str) -> None:
    moment = datetime(2024, 7, 1, 12, tzinfo=UTC)
    expected = moment.astimezone(ZoneInfo(zone)).utcoffset()
    assert (
        moment.astimezone(zone_at(latitude=latitude, longitude=longitude)).utcoffset() == expected
    )


def test_the_open_sea_has_some_clock() -> None:
    assert zone_at(latitude=0, longitude=-30).utcoffset(datetime(2024, 1, 1)) is not None  # noqa: DTZ001 -- wall clock


def test_a_time_shown_twice_is_the_first_or_the_latest() -> None:
    shown_twice = datetime(2024, 11, 3, 1, 30)  # noqa: DTZ001 -- wall clock
    first = wall_clock(shown_twice, NEW_YORK, latest=False)
    latest = wall_clock(shown_twice, NEW_YORK, latest=True)
    assert (latest - first).total_seconds() == 3600


@pytest.mark.parametrize(
    ("start", "end", "shown"),
    [
        ((5, 45), (6, 15), ("01:45 EDT", "01:15 EST")),
        ((4, 30), (5, 30), ("00:30 EDT", "01:30 EDT")),
        ((4, 30), (7, 30), ("00:30", "02:30")),
        ((3, 45), (4, 45), ("23:45", "00:45")),
    ],
)
def test_clocks_are_named_where_they_show_a_time_twice(
    start: tuple[int, int], end: tuple[int, int], shown: tuple[str, str]
) -> None:
    first, last = (datetime(2024, 11, 3, *one, tzinfo=UTC) for one in (start, end))
    assert say_clock_times(first, last, NEW_YORK) == shown


def test_a_skipped_time_is_after_the_jump() -> None:
    skipped = datetime(2024, 3, 10, 2, 30)  # noqa: DTZ001 -- wall clock
    assert wall_clock(skipped, NEW_YORK, latest=False) == datetime(2024, 3, 10, 7, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("latitude", "longitude", "country"),
    [
        (39.29, -76.61, "US"),
        (43.65, -79.38, "CA"),
        (47.66, 9.17, "DE"),
        (47.56, 7.59, "CH"),
        (52.37, 4.90, "NL"),
        (44.5, -6.0, ""),
    ],
)
def test_a_country_is_known_by_its_clocks(latitude: float, longitude: float, country: str) -> None:
    assert country_at(latitude=latitude, longitude=longitude) == country


def test_time_that_passes_over_a_change_of_the_clocks_is_not_what_they_show() -> None:
    since = datetime(2024, 3, 10, 1, 30, tzinfo=NEW_YORK)
    until = datetime(2024, 3, 10, 3, 30, tzinfo=NEW_YORK)
    assert elapsed(since, until) == timedelta(hours=1)


def test_nothing_is_added_to_a_local_time() -> None:
    with pytest.raises(ValueError, match="local time"):
        require_even_time(datetime(2024, 3, 10, 1, 30, tzinfo=NEW_YORK))
    assert require_even_time(datetime(2024, 3, 10, tzinfo=UTC)) == datetime(2024, 3, 10, tzinfo=UTC)
