from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.storage.rows import MICROSECOND, NOW, STRANGE, at

from roundsman.domain.errors import Aborted
from roundsman.storage.database import Database, Transaction
from roundsman.storage.idempotency import (
    Claim,
    Record,
    StoredAnswer,
    add_claim,
    find_record,
    keep_answer,
    release,
    remove_old_records,
    take_over,
)

pytestmark = pytest.mark.both_databases

ANSWER = StoredAnswer(
    body=f'{{"name": "{STRANGE}"}}'.encode(), headers={"ETag": STRANGE, "X-Two": ""}
)


def claim(
    key: str = "k", *, run: str = "one", client: str = "c", fingerprint: bytes = b"\0f"
) -> Claim:
    return Claim(client_id=client, key=key, fingerprint=fingerprint, token=run, holder=2**63 - 1)


def require(tx: Transaction, client_id: str = "c", key: str = "k") -> Record:
    found = find_record(tx, client_id, key)
    assert found is not None
    return found


def test_a_key_is_its_clients_and_is_claimed_once(database: Database) -> None:
    with database.writing() as tx:
        assert add_claim(tx, claim(), NOW)
        assert not add_claim(tx, claim(run="two", fingerprint=b"other"), at(1))  # and tx goes on
        assert add_claim(tx, claim(client="d"), NOW)
        assert add_claim(tx, claim("K"), NOW)
        assert add_claim(tx, claim(STRANGE), NOW)
    with database.reading() as tx:
        record = require(tx)
        assert record == Record(fingerprint=b"\0f", claim=claim().mark, answer=None, claimed_at=NOW)
        assert record.holder == 2**63 - 1
        assert find_record(tx, "d", "K") is None
        assert find_record(tx, "c", STRANGE) is not None


def test_an_answer_is_kept_with_its_headers_and_only_by_who_holds_the_claim(
    database: Database,
) -> None:
    with database.writing() as tx:
        add_claim(tx, claim(), NOW)
        add_claim(tx, claim(client="d"), NOW)
        for stranger in (claim(run="two"), claim("other"), claim(client="e")):
            with pytest.raises(Aborted, match="worked on elsewhere"), tx.begin_nested():
                keep_answer(tx, stranger, ANSWER, at(1))
        assert require(tx).answer is None
        keep_answer(tx, claim(), ANSWER, at(2))
    with database.writing() as tx:
        assert (require(tx).answer, require(tx).claimed_at) == (ANSWER, at(2))
        assert require(tx, "d").answer is None
        keep_answer(tx, claim(), StoredAnswer(body=b"", headers={}), at(3))
        assert require(tx).answer == StoredAnswer(body=b"", headers={})


def test_a_claim_that_is_no_longer_good_is_taken_over_by_one(database: Database) -> None:
    second, third = claim(run="two", fingerprint=b"new"), claim(run="three")
    with database.writing() as tx:
        add_claim(tx, claim(), NOW)
        add_claim(tx, claim(client="d"), NOW)
        keep_answer(tx, claim(), ANSWER, at(1))
        held = require(tx)
        assert take_over(tx, second, held, at(2))
        assert not take_over(tx, third, held, at(3))
        assert require(tx) == Record(
            fingerprint=b"new", claim=second.mark, answer=None, claimed_at=at(2)
        )
        assert require(tx, "d").claim == claim(client="d").mark
        with pytest.raises(Aborted), tx.begin_nested():
            keep_answer(tx, claim(), ANSWER, at(4))
        keep_answer(tx, second, ANSWER, at(4))
        assert require(tx).answer == ANSWER


def test_only_the_claim_of_a_failed_request_is_released(database: Database) -> None:
    with database.writing() as tx:
        for key in ("failed", "answered", "lost"):
            add_claim(tx, claim(key), NOW)
        add_claim(tx, claim("failed", client="d"), NOW)
        keep_answer(tx, claim("answered"), ANSWER, NOW)
        take_over(tx, claim("lost", run="two"), require(tx, key="lost"), NOW)
        for key in ("failed", "answered", "lost"):
            release(tx, claim(key))
        left = [find_record(tx, "c", key) is not None for key in ("failed", "answered", "lost")]
        assert left == [False, True, True]
        assert find_record(tx, "d", "failed") is not None
        assert add_claim(tx, claim("failed", run="two"), NOW)


def test_of_many_who_claim_a_key_at_once_one_is_the_first(database: Database) -> None:
    def come(number: int) -> bool:
        with database.writing() as tx:
            return add_claim(tx, claim(f"k{number % 5}", run=str(number)), NOW)

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(come, range(40))) == 5


def test_old_records_are_forgotten_the_oldest_first_so_many_at_a_time(database: Database) -> None:
    with database.writing() as tx:
        for number in (3, 0, 2, 1):
            add_claim(tx, claim(f"k{number}"), at(number))
            add_claim(tx, claim(f"k{number}", client="d"), at(number + 10))
        assert remove_old_records(tx, at(2), 1) == 1
        assert [find_record(tx, "c", f"k{number}") is None for number in range(3)] == [
            True, False, False,
        ]  # fmt: skip
        assert remove_old_records(tx, at(2), 9) == 1
        assert remove_old_records(tx, at(2), 9) == 0
        assert remove_old_records(tx, at(2) + MICROSECOND, 9) == 1
        assert require(tx, key="k3").claimed_at == at(3)
        assert all(find_record(tx, "d", f"k{number}") for number in range(4))
