import pytest
from sqlalchemy.exc import IntegrityError
from tests.storage.rows import STRANGE

from roundsman.storage.database import Database
from roundsman.storage.installation import add_key, find_key, write_sample

pytestmark = pytest.mark.both_databases

EVERY_BYTE = bytes(range(256))


def test_a_key_is_made_once(database: Database) -> None:
    with database.writing() as tx:
        add_key(tx, STRANGE, EVERY_BYTE)
        with pytest.raises(IntegrityError), tx.begin_nested():
            add_key(tx, STRANGE, b"another")
        assert find_key(tx, STRANGE) == EVERY_BYTE
        assert find_key(tx, "unknown") is None


def test_a_sample_takes_the_place_of_the_last_one_and_of_no_key(database: Database) -> None:
    with database.writing() as tx:
        add_key(tx, "kept", b"1")
        for sample in (EVERY_BYTE, b"", EVERY_BYTE * 16):
            write_sample(tx, sample)
            assert find_key(tx, "sample") == sample
        assert find_key(tx, "kept") == b"1"
