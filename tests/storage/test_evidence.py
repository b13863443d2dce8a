import pytest
from sqlalchemy.exc import IntegrityError
from tests.storage.rows import ACME, NOW, OTHER, STRANGE, at

from roundsman.storage.database import Database, Transaction
from roundsman.storage.evidence import (
    EvidenceLink,
    EvidenceRecord,
    StoredEvidenceKey,
    add_evidence,
    add_evidence_key,
    count_evidence,
    erase_disclosed,
    find_chain_end,
    find_checkpoint,
    find_evidence_key,
    list_evidence,
    list_evidence_links,
    list_evidence_of_customer,
    remove_old_evidence,
)

pytestmark = pytest.mark.both_databases


def record(sequence: int, stop_id: str = "rst-1", signature: bytes | None = None) -> EvidenceRecord:
    link = EvidenceLink(
        sequence=sequence,
        recorded_at=at(sequence),
        record_hash=bytes([sequence]) * 32,
        hash=bytes([100 + sequence]) * 32,
        signature=signature,
    )
    return EvidenceRecord(
        link=link,
        stop_id=stop_id,
        route_id="rte-1",
        record=f'{{"sequence":{sequence}}}',
        disclosed={"note": ("00ff", STRANGE)},
        customer=f"phone-of-{stop_id} mail_of_{stop_id}",
    )


CHAIN = [record(1), record(2, "rst-2"), record(3, signature=b"signed"), record(4, "rst-2")]


def fill(tx: Transaction) -> None:
    assert add_evidence(tx, ACME, CHAIN) > 4 * len(STRANGE)
    add_evidence(tx, OTHER, [record(1, signature=b"theirs")])


def test_an_organization_has_one_key(shared: Database) -> None:
    key = StoredEvidenceKey(public_key="PEM\n", private_key="sealed:a:b", created_at=NOW)
    with shared.writing() as tx:
        assert find_evidence_key(tx, ACME) is None
        add_evidence_key(tx, ACME, key)
        assert find_evidence_key(tx, ACME) == key
        assert find_evidence_key(tx, OTHER) is None
        with pytest.raises(IntegrityError), tx.begin_nested():
            add_evidence_key(tx, ACME, key)


def test_a_chain_is_read_by_stop_by_place_and_from_its_end(shared: Database) -> None:
    with shared.writing() as tx:
        assert find_chain_end(tx, ACME) == (None, None)
        key = StoredEvidenceKey(public_key="PEM\n", private_key="sealed:a:b", created_at=NOW)
        add_evidence_key(tx, ACME, key)
        add_evidence_key(tx, OTHER, key)
        assert find_chain_end(tx, ACME) == (key, None)
        fill(tx)
        assert find_chain_end(tx, ACME) == (key, CHAIN[3].link)
        assert list_evidence(tx, ACME, "rst-1") == [CHAIN[0], CHAIN[2]]
        assert list_evidence(tx, OTHER, "rst-2") == []
        assert count_evidence(tx, ACME, ["rst-1", "rst-2", "rst-3"]) == {"rst-1": 2, "rst-2": 2}
        assert count_evidence(tx, OTHER, ["rst-2"]) == {}
        links = [one.link for one in CHAIN]
        assert list_evidence_links(tx, ACME, 2, 9) == links[1:]
        assert find_checkpoint(tx, ACME, 1) == links[2]
        assert find_checkpoint(tx, ACME, 4) is None
        with pytest.raises(IntegrityError), tx.begin_nested():
            add_evidence(tx, ACME, [record(4)])


def test_records_are_found_by_the_customer_of_any_of_the_stops_records(shared: Database) -> None:
    with shared.writing() as tx:
        fill(tx)
        assert list_evidence_of_customer(tx, ACME, "mail_of_rst-2") == [CHAIN[1], CHAIN[3]]
        assert list_evidence_of_customer(tx, ACME, "mailXof_rst-2") == []
        assert list_evidence_of_customer(tx, OTHER, "mail_of_rst-2") == []
        erase_disclosed(tx, ACME, ["rst-2"])
        assert list_evidence_of_customer(tx, ACME, "mail_of_rst-2") == []


def test_personal_fields_are_erased_and_the_chain_stays(shared: Database) -> None:
    with shared.writing() as tx:
        fill(tx)
        assert erase_disclosed(tx, ACME, ["rst-1"]) == 2
        assert erase_disclosed(tx, ACME, ["rst-1"]) == 0
        assert [one.disclosed for one in list_evidence(tx, ACME, "rst-1")] == [{}, {}]
        assert list_evidence(tx, ACME, "rst-2")[0] == CHAIN[1]
        assert list_evidence(tx, OTHER, "rst-1")[0].disclosed
        assert list_evidence_links(tx, ACME, 1, 9) == [one.link for one in CHAIN]


def test_old_records_are_forgotten_and_their_digests_stay(shared: Database) -> None:
    with shared.writing() as tx:
        fill(tx)
        assert remove_old_evidence(tx, ACME, at(3), 1) == 1
        assert remove_old_evidence(tx, ACME, at(3), 9) == 1
        assert remove_old_evidence(tx, ACME, at(3), 9) == 0
        assert list_evidence(tx, ACME, "rst-1") == [CHAIN[2]]
        assert list_evidence_links(tx, ACME, 1, 9) == [one.link for one in CHAIN]
        assert list_evidence(tx, OTHER, "rst-1") != []
