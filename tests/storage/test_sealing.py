"""What is sealed opens with its key, for its purpose, and with nothing else."""

import base64
import os
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidTag
from tests.storage.rows import ACME, OTHER
from tests.world import CountingIds

from roundsman.domain.errors import Unavailable
from roundsman.storage.database import Database
from roundsman.storage.sealed_columns import (
    SEALED_COLUMNS,
    has_sealed,
    list_sealed,
    overwrite_what_is_replaced,
    sealing_purpose,
    update_sealed,
)
from roundsman.storage.sealing import SecretBox, is_sealed

pytestmark = pytest.mark.both_databases  # what takes no database runs once


def box(folder: Path, *, may_be_made: bool = True) -> SecretBox:
    return SecretBox(folder / "secret.key", CountingIds(), lambda: may_be_made)


@pytest.mark.spec("decisions §17")
def test_a_sealed_text_opens_for_its_purpose_alone(tmp_path: Path) -> None:
    sealed = box(tmp_path).seal("sms acme", "grüezi 😀")
    assert is_sealed(sealed)
    assert "grüezi" not in sealed
    assert box(tmp_path).unseal("sms acme", sealed) == "grüezi 😀"
    with pytest.raises(InvalidTag):
        box(tmp_path).unseal("sms other", sealed)
    head, _, data = sealed.rpartition(":")
    changed = bytearray(base64.urlsafe_b64decode(data))
    changed[-1] ^= 1
    with pytest.raises(InvalidTag):
        box(tmp_path).unseal(
            "sms acme", f"{head}:{base64.urlsafe_b64encode(bytes(changed)).decode()}"
        )


def test_what_the_version_before_stored_in_the_clear_is_read_as_it_is(tmp_path: Path) -> None:
    assert box(tmp_path).unseal("sms acme", "plain") == "plain"


def test_the_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    first, second = box(tmp_path), box(tmp_path)
    assert second.unseal("x", first.seal("x", "text")) == "text"
    assert first.file.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["secret.key"]


@pytest.mark.parametrize(
    ("content", "mode", "says"),
    [
        (None, 0, "is missing"),
        ("", 0o600, "is empty"),
        ("\n", 0o600, "is empty"),
        ("c2hvcnQ=", 0o600, "no key of 32 bytes"),
        ("nonsense!", 0o600, "holds no key"),
        (base64.b64encode(bytes(32)).decode(), 0o644, "may be read by others"),
        (base64.b64encode(bytes(32)).decode(), 0o640, "may be read by others"),
    ],
)
def test_a_file_that_cannot_be_trusted_is_refused(
    tmp_path: Path, content: str | None, mode: int, says: str
) -> None:
    if content is not None:
        (tmp_path / "secret.key").write_text(content, encoding="ascii")
        (tmp_path / "secret.key").chmod(mode)
    with pytest.raises(Unavailable, match=says) as refused:
        box(tmp_path, may_be_made=False).require_usable()
    assert "\n" not in str(refused.value)


def test_a_new_key_seals_from_then_on_and_is_seen_by_who_had_read_the_file(
    tmp_path: Path,
) -> None:
    running, rotating = box(tmp_path), SecretBox(tmp_path / "secret.key", CountingIds(), bool)
    old = running.seal("x", "text")
    name = running.newest()
    rotating._ids.draw_on_from(9)  # type: ignore[attr-defined]
    rotating.add_key()
    assert rotating.newest() != name
    new = rotating.seal("x", "text")
    assert running.unseal("x", new) == "text"
    assert running.newest() == rotating.newest()
    assert rotating.unseal("x", old) == "text"
    rotating.forget_older_keys()
    assert rotating.unseal("x", old) == "text"  # a backup from before the rotation
    rotating.add_key()
    rotating.forget_older_keys()
    with pytest.raises(Unavailable, match="lacks the key"):
        box(tmp_path).unseal("x", old)


def test_the_keys_outlive_a_file_that_was_touched(tmp_path: Path) -> None:
    one = box(tmp_path)
    sealed = one.seal("x", "text")
    os.utime(one.file, (1, 1))
    assert one.unseal("x", sealed) == "text"
    assert one.seal("x", "text")


def test_sealed_columns_are_listed_and_replaced_row_by_row(shared: Database) -> None:
    current, following = SEALED_COLUMNS[:2]
    with shared.writing() as tx:
        assert not has_sealed(tx)
        assert list_sealed(tx, current) == [(ACME, f"{ACME} signs"), (OTHER, f"{OTHER} signs")]
        assert list_sealed(tx, following) == []
        overwrite_what_is_replaced(tx)
        update_sealed(tx, current, ACME, "sealed:abc:text")
        assert has_sealed(tx)
        assert has_sealed(tx, "sealed:abc:")
        assert not has_sealed(tx, "sealed:a_c:")
        assert list_sealed(tx, current)[0] == (ACME, "sealed:abc:text")
        assert list_sealed(tx, current)[1] == (OTHER, f"{OTHER} signs")
    assert current.purpose_of(ACME) == sealing_purpose("webhook secret", ACME)
