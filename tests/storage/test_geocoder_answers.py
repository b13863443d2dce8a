from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from roundsman.storage.database import Database
from roundsman.storage.geocoder_answers import (
    StoredAnswers,
    remove_answers_with,
    remove_expired_answers,
)

pytestmark = pytest.mark.both_databases

NOW = datetime(2024, 7, 1, tzinfo=UTC)
LATER = NOW + timedelta(days=1)


def test_answers_are_recalled_until_their_time_by_every_process(database: Database) -> None:
    ours, theirs = StoredAnswers(database), StoredAnswers(database)
    ours.remember("photon", {b"a": ("one", LATER), b"b": ("two", NOW)})
    assert theirs.recall("photon", [b"a", b"b", b"c"], NOW) == {b"a": "one"}
    assert theirs.recall("nominatim", [b"a"], NOW) == {}
    assert theirs.recall("photon", [b"a"], LATER) == {}
    assert theirs.recall("photon", [], NOW) == {}


def test_a_newer_answer_takes_the_place_of_the_old(database: Database) -> None:
    answers = StoredAnswers(database)
    answers.remember("photon", {b"a": ("one", LATER)})
    answers.remember("photon", {b"a": ("two", LATER)})
    assert answers.recall("photon", [b"a"], NOW) == {b"a": "two"}


def count(database: Database) -> int:
    with database.reading() as tx:
        return int(tx.exec_driver_sql("SELECT count(*) FROM geocoder_answers").scalar_one())


def test_expired_answers_are_removed_so_many_at_a_time_the_oldest_first(
    database: Database,
) -> None:
    answers = StoredAnswers(database)
    old = {bytes([number]): ("old", NOW + timedelta(hours=number)) for number in range(5)}
    answers.remember("photon", old)
    answers.remember("nominatim", {bytes([0]): ("kept", LATER + timedelta(days=1))})
    with database.writing() as tx:
        assert remove_expired_answers(tx, LATER, 3) == 3
    assert answers.recall("photon", list(old), NOW).keys() == {bytes([3]), bytes([4])}
    with database.writing() as tx:
        assert remove_expired_answers(tx, LATER, 3) == 2
        assert remove_expired_answers(tx, LATER, 3) == 0
    assert count(database) == 1
    assert answers.recall("nominatim", [bytes([0])], LATER) == {bytes([0]): "kept"}


def test_many_are_asked_for_at_once(database: Database) -> None:
    answers = StoredAnswers(database)
    many = {number.to_bytes(4): (str(number), LATER) for number in range(1_200)}
    answers.remember("photon", many)
    assert len(answers.recall("photon", list(many), NOW)) == 1_200


def test_processes_that_write_the_same_answers_do_not_block_each_other(database: Database) -> None:
    answers = StoredAnswers(database)
    some = {number.to_bytes(1): ("one", LATER) for number in range(50)}
    backwards = dict(reversed(some.items()))
    with ThreadPoolExecutor(4) as threads:
        written = [
            threads.submit(answers.remember, "photon", given) for given in (some, backwards) * 5
        ]
    assert all(done.exception() is None for done in written)
    assert len(answers.recall("photon", list(some), NOW)) == 50


def test_answers_about_somebody_are_forgotten(database: Database) -> None:
    answers = StoredAnswers(database)
    answers.remember("photon", {b"1": ("12 Marzipan Alley", LATER), b"2": ("High St", LATER)})
    with database.writing() as tx:
        assert remove_answers_with(tx, lambda text: "Marzipan" in text) == 1
        assert remove_answers_with(tx, lambda text: "Marzipan" in text) == 0
    assert answers.recall("photon", [b"1", b"2"], NOW) == {b"2": "High St"}
