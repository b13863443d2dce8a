import pytest
from tests.storage.rows import ACME, MICROSECOND, NOW, OTHER, STRANGE, add_drivers, at

from roundsman.domain.attachment import Attachment
from roundsman.storage.attachments import (
    Picture,
    StoredUpload,
    add_attachment,
    add_part,
    add_upload,
    complete_upload,
    count_open,
    find_attachment_id,
    find_upload,
    find_uploaded,
    read_parts,
    read_picture,
    remove_parts,
    remove_stale_uploads,
    remove_upload,
)
from roundsman.storage.database import Database, Transaction

pytestmark = pytest.mark.both_databases

OURS, THEIRS = "drv-ours", "drv-theirs"
EVERY_BYTE = bytes(range(256))


@pytest.fixture
def drivers(shared: Database) -> Database:
    with shared.writing() as tx:
        add_drivers(tx, **{OURS: ACME, THEIRS: OTHER})
    return shared


def upload(id_: str, size: int = 512) -> StoredUpload:
    return StoredUpload(id=id_, sha256=EVERY_BYTE[-32:], size=size)


def begin(tx: Transaction, driver_id: str, *ids: str, seconds: float = 0) -> None:
    for id_ in ids:
        assert add_upload(tx, ACME, driver_id, upload(id_), at(seconds))


def attach(tx: Transaction, id_: str, *, token: bytes, seconds: float = 0) -> Attachment:
    attachment = Attachment(id=id_, created_at=at(seconds), url=f"https://x.example/{id_}{STRANGE}")
    picture = Picture(media_type="image/webp", data=EVERY_BYTE * 3)
    add_attachment(tx, ACME, attachment, token, picture)
    return attachment


def test_an_upload_grows_part_by_part_beside_that_of_another_driver(drivers: Database) -> None:
    with drivers.writing() as tx:
        assert add_upload(tx, ACME, OURS, upload("u"), NOW)
        assert add_upload(tx, OTHER, THEIRS, upload("u", size=7), NOW)
        assert not add_upload(tx, ACME, OURS, upload("u", size=9), NOW)  # and tx goes on
        begun = find_upload(tx, OURS, "u")
        assert begun == upload("u")
        add_part(tx, OURS, begun, EVERY_BYTE)
    with drivers.writing() as tx:
        further = find_upload(tx, OURS, "u")
        assert further == StoredUpload(
            id="u", sha256=EVERY_BYTE[-32:], size=512, received=256, attachment_id=None
        )
        add_part(tx, OURS, further, EVERY_BYTE[::-1])
    with drivers.writing() as tx:
        whole = find_upload(tx, OURS, "u")
        assert whole is not None
        assert whole.received == 512
        assert read_parts(tx, OURS, "u") == EVERY_BYTE + EVERY_BYTE[::-1]
        assert find_upload(tx, THEIRS, "u") == upload("u", size=7)
        assert read_parts(tx, THEIRS, "u") == b""
        assert find_upload(tx, OURS, "U") is None


def test_what_was_made_of_an_upload_is_said_once_and_told_to_its_driver_alone(
    drivers: Database,
) -> None:
    with drivers.writing() as tx:
        begin(tx, OURS, "done", "open", "open too")
        begin(tx, THEIRS, "done")
        assert [count_open(tx, one) for one in (OURS, THEIRS, "nobody")] == [3, 1, 0]
        made = attach(tx, "att-1", token=b"1", seconds=5)
        assert complete_upload(tx, OURS, "done", "att-1")
        assert not complete_upload(tx, OURS, "done", "att-2")
        assert not complete_upload(tx, OURS, "unknown", "att-2")
    with drivers.reading() as tx:
        assert [count_open(tx, one) for one in (OURS, THEIRS)] == [2, 1]
        assert find_uploaded(tx, OURS, ["done", "open", "unknown"]) == {"done": made}
        assert find_uploaded(tx, OURS, ["open"]) == find_uploaded(tx, OURS, []) == {}
        assert find_uploaded(tx, THEIRS, ["done"]) == {}


def test_what_is_complete_is_not_removed_what_is_open_begins_again(drivers: Database) -> None:
    with drivers.writing() as tx:
        begin(tx, OURS, "done", "open", "kept")
        begin(tx, THEIRS, "open")
        for driver_id, id_ in ((OURS, "done"), (OURS, "open"), (OURS, "kept"), (THEIRS, "open")):
            add_part(tx, driver_id, upload(id_), id_.encode())
        attach(tx, "att-1", token=b"1")
        complete_upload(tx, OURS, "done", "att-1")
        remove_parts(tx, OURS, "done")
        assert read_parts(tx, OURS, "done") == b""
        assert read_parts(tx, OURS, "kept") == b"kept"
        remove_upload(tx, OURS, "done")
        remove_upload(tx, OURS, "open")
        done = find_upload(tx, OURS, "done")
        assert done is not None
        assert done.attachment_id == "att-1"
        assert find_upload(tx, OURS, "open") is None
        assert (read_parts(tx, OURS, "open"), read_parts(tx, THEIRS, "open")) == (b"", b"open")
        begin(tx, OURS, "open")
        assert find_upload(tx, OURS, "open") == upload("open")


def test_stale_uploads_are_forgotten_so_many_at_a_time_of_one_driver_or_of_all(
    drivers: Database,
) -> None:
    with drivers.writing() as tx:
        begin(tx, OURS, "a", "b", "c", "done")
        begin(tx, THEIRS, "a")
        begin(tx, OURS, "young", seconds=60)
        add_part(tx, OURS, upload("a"), b"bytes")
        attach(tx, "att-1", token=b"1")
        complete_upload(tx, OURS, "done", "att-1")
    with drivers.writing() as tx:
        assert remove_stale_uploads(tx, NOW, 10) == 0
        assert remove_stale_uploads(tx, NOW + MICROSECOND, 2, OURS) == 2
        assert (count_open(tx, OURS), count_open(tx, THEIRS)) == (2, 1)
        assert remove_stale_uploads(tx, at(60), 10) == 2
        assert (count_open(tx, OURS), count_open(tx, THEIRS)) == (1, 0)
        assert read_parts(tx, OURS, "a") == b""
        assert find_uploaded(tx, OURS, ["done"]).keys() == {"done"}
        assert remove_stale_uploads(tx, at(60) + MICROSECOND, 10) == 1


def test_a_picture_is_found_by_the_token_of_its_url_byte_by_byte(drivers: Database) -> None:
    with drivers.writing() as tx:
        for number in (1, 2):
            attach(tx, f"att-{number}", token=b"\0" * number)
        begin(tx, OURS, "u")
        complete_upload(tx, OURS, "u", "att-1")
    with drivers.reading() as tx:
        assert [find_attachment_id(tx, b"\0" * number) for number in range(4)] == [
            None, "att-1", "att-2", None,
        ]  # fmt: skip
        assert read_picture(tx, "att-1") == Picture(media_type="image/webp", data=EVERY_BYTE * 3)
        assert read_picture(tx, "att-3") is None
        assert find_uploaded(tx, OURS, ["u"])["u"].url == f"https://x.example/att-1{STRANGE}"
