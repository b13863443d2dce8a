from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from roundsman.storage.database import Database
from roundsman.storage.geocoder_answers import StoredAnswers

NOW = datetime(2024, 7, 1, tzinfo=UTC)
LATER = NOW + timedelta(days=1)


def test_answers_are_recalled_until_their_time_by_every_process(database: Database) -> None:
    ours, theirs = StoredAnswers(database), StoredAnswers(database)
    ours.remember("photon", {b"a": ("one", LATER), b"b": ("two", NOW)}, NOW)
    assert theirs.recall("photon", [b"a", b"b", b"c"], NOW) == {b"a": "one"}
    assert theirs.recall("nominatim", [b"a"], NOW) == {}
    assert theirs.recall("photon", [b"a"], LATER) == {}
    assert theirs.recall("photon", [], NOW) == {}


def test_a_newer_answer_takes_the_place_of_the_old(database: Database) -> None:
    answers = StoredAnswers(database)
    answers.remember("photon", {b"a": ("one", LATER)}, NOW)
    answers.remember("photon", {b"a": ("two", LATER)}, NOW)
    assert answers.recall("photon", [b"a"], NOW) == {b"a": "two"}


def test_old_answers_are_thrown_away_in_passing(database: Database) -> None:
    answers = StoredAnswers(database)
    answers.remember("photon", {b"a": ("one", LATER)}, NOW)
    answers.remember("photon", {b"b": ("two", LATER + timedelta(days=1))}, LATER)
    with database.reading() as tx:
        assert tx.exec_driver_sql("SELECT count(*) FROM geocoder_answers").scalar_one() == 1


def test_many_are_asked_for_at_once(database: Database) -> None:
    answers = StoredAnswers(database)
    many = {number.to_bytes(4): (str(number), LATER) for number in range(1_200)}
    answers.remember("photon", many, NOW)
    assert len(answers.recall("photon", list(many), NOW)) == 1_200


def test_processes_that_write_the_same_answers_do_not_block_each_other(database: Database) -> None:
    answers = StoredAnswers(database)
    some = {number.to_bytes(1): ("one", LATER) for number in range(50)}
    backwards = dict(reversed(some.items()))
    with ThreadPoolExecutor(4) as threads:
        written = [
            threads.submit(answers.remember, "photon", given, NOW)
            for given in (some, backwards) * 5
        ]
    assert all(done.exception() is None for done in written)
    assert len(answers.recall("photon", list(some), NOW)) == 50
