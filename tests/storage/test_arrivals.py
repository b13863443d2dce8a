"""What was expected of arrivals, what came of it, and what was learned."""

from datetime import timedelta

import pytest
from tests.storage.rows import ACME, NOW, OTHER, at

from roundsman.domain.arrival_forecast import ArrivalForecast
from roundsman.domain.arrival_window import START_SPREADS, ArrivalSpreads, ArrivalWindow, Spread
from roundsman.storage.arrivals import (
    add_forecasts,
    find_learned_at,
    find_spreads,
    list_kept_forecasts,
    list_to_learn_from,
    note_arrivals,
    remove_old_forecasts,
    save_spreads,
)
from roundsman.storage.database import Database

pytestmark = pytest.mark.both_databases

WINDOW = ArrivalWindow(start=at(300), end=at(900))


def forecast(stop_id: str, ahead: int = 0, known: float = 0) -> ArrivalForecast:
    return ArrivalForecast(
        stop_id=stop_id,
        stops_ahead=ahead,
        is_estimated=False,
        known_at=at(known),
        expected_at=at(600),
        window=WINDOW,
    )


def test_what_was_expected_first_and_who_came_first_count(shared: Database) -> None:
    with shared.writing() as tx:
        add_forecasts(tx, ACME, [forecast("a"), forecast("a", 3, 1), forecast("b", 0, 2)])
        add_forecasts(tx, ACME, [forecast("a", known=9)])
        add_forecasts(tx, OTHER, [forecast("c")])
        note_arrivals(tx, OTHER, {"a": at(1)})
        note_arrivals(tx, ACME, {"a": at(700), "none": at(1)})
        note_arrivals(tx, ACME, {"a": at(800)})
    with shared.reading() as tx:
        kept = list_kept_forecasts(tx, ACME, NOW, at(10))
        assert [(one.stop_id, one.stops_ahead, one.known_at, one.arrived_at) for one in kept] == [
            ("a", 0, at(0), at(700)),
            ("a", 3, at(1), at(700)),
        ]
        assert kept[0].window == WINDOW
        assert list_kept_forecasts(tx, ACME, at(1), at(10)) == kept[1:]
        assert list_kept_forecasts(tx, OTHER, NOW, at(10)) == []
        assert list_to_learn_from(tx, ACME, at(1)) == kept[1:]
        assert list_to_learn_from(tx, OTHER, NOW) == []


def test_old_forecasts_go(shared: Database) -> None:
    with shared.writing() as tx:
        add_forecasts(tx, ACME, [forecast(name, known=number) for number, name in enumerate("abc")])
        add_forecasts(tx, OTHER, [forecast("d")])
        note_arrivals(tx, ACME, dict.fromkeys("abc", at(5)))
        assert remove_old_forecasts(tx, ACME, at(2), 1) == 1
        assert remove_old_forecasts(tx, ACME, at(2), 5) == 1
        assert [one.stop_id for one in list_kept_forecasts(tx, ACME, NOW, at(9))] == ["c"]
        assert remove_old_forecasts(tx, OTHER, at(2), 5) == 1


def test_what_was_learned_last_counts(shared: Database) -> None:
    learned = ArrivalSpreads(roads=[Spread(early=0.1, late=0.2)] * 5, estimates=[])
    with shared.writing() as tx:
        assert find_spreads(tx, ACME) is None
        assert find_learned_at(tx, ACME) is None
        save_spreads(tx, ACME, START_SPREADS, NOW)
        save_spreads(tx, ACME, learned, NOW + timedelta(days=1))
        assert find_spreads(tx, ACME) == learned
        assert find_learned_at(tx, ACME) == NOW + timedelta(days=1)
        assert find_spreads(tx, OTHER) is None
