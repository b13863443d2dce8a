"""Second factors of people: each used up once, and each person's own."""

from datetime import timedelta

import pytest
from tests.storage.rows import ACME, NOW

from roundsman.domain.member import Member
from roundsman.domain.second_factor import Passkey
from roundsman.storage.database import Database, Transaction
from roundsman.storage.members import insert_member
from roundsman.storage.second_factors import (
    StoredPasskey,
    StoredTotp,
    add_passkey,
    confirm_totp,
    count_recovery_codes,
    find_passkey,
    find_totp,
    list_passkeys,
    note_passkey_used,
    remove_expired_challenges,
    remove_passkey,
    remove_passkeys,
    remove_second_factors,
    remove_totp,
    replace_recovery_codes,
    save_unconfirmed_totp,
    use_challenge,
    use_recovery_code,
    use_totp_step,
)

pytestmark = pytest.mark.both_databases

ANN, BOB = "Ann@example.com", "bob@example.com"


def settle(tx: Transaction) -> None:
    for name in (ANN, BOB):
        insert_member(tx, ACME, Member(id=f"mem-{name}", email=name, created_at=NOW))


def passkey(name: str, owner: str = "ann@example.com") -> StoredPasskey:
    shown = Passkey(id=name, name=f"The {name}", created_at=NOW)
    return StoredPasskey(passkey=shown, email_key=owner, public_key=b"\x00key", sign_count=3)


def test_an_app_is_confirmed_and_each_step_is_used_once(shared: Database) -> None:
    with shared.writing() as tx:
        settle(tx)
        assert find_totp(tx, ANN) is None
        save_unconfirmed_totp(tx, ANN, "first")
        save_unconfirmed_totp(tx, ANN, "sealed")
        assert find_totp(tx, ANN.upper()) == StoredTotp(sealed="sealed", is_confirmed=False)
        confirm_totp(tx, ANN)
        assert find_totp(tx, ANN) == StoredTotp(sealed="sealed", is_confirmed=True)
        assert find_totp(tx, BOB) is None
        used = [use_totp_step(tx, ANN, step) for step in (10, 10, 9, 11)]
        assert used == [True, False, False, True]
        assert not use_totp_step(tx, BOB, 12)


def test_recovery_codes_are_used_once_replaced_and_removed_with_the_app(shared: Database) -> None:
    with shared.writing() as tx:
        settle(tx)
        save_unconfirmed_totp(tx, ANN, "sealed")
        replace_recovery_codes(tx, ANN, [b"one", b"two"])
        replace_recovery_codes(tx, ANN, [b"three", b"four"])
        tried = [use_recovery_code(tx, ANN, code) for code in (b"one", b"three", b"three")]
        assert tried == [False, True, False]
        assert not use_recovery_code(tx, BOB, b"four")
        assert (count_recovery_codes(tx, ANN), count_recovery_codes(tx, BOB)) == (1, 0)
        assert remove_totp(tx, ANN)
        assert (find_totp(tx, ANN), count_recovery_codes(tx, ANN)) == (None, 0)
        assert not remove_totp(tx, ANN)


def test_passkeys_are_found_by_id_and_removed_by_whose_they_are(shared: Database) -> None:
    with shared.writing() as tx:
        settle(tx)
        phone, key = passkey("phone"), passkey("key")
        assert add_passkey(tx, phone)
        assert add_passkey(tx, key)
        assert not add_passkey(tx, passkey("phone", "bob@example.com"))
        assert find_passkey(tx, "phone") == phone
        assert find_passkey(tx, "else") is None
        later = NOW + timedelta(hours=1)
        note_passkey_used(tx, "phone", 7, later)
        used = find_passkey(tx, "phone")
        assert used is not None
        assert (used.sign_count, used.passkey.last_used_at) == (7, later)
        assert [one.id for one in list_passkeys(tx, ANN)] == ["key", "phone"]
        assert list_passkeys(tx, BOB) == []
        assert not remove_passkey(tx, BOB, "phone")
        assert remove_passkey(tx, ANN, "phone")
        assert not remove_passkeys(tx, BOB)
        assert remove_passkeys(tx, ANN)
        assert list_passkeys(tx, ANN) == []
        assert add_passkey(tx, passkey("key"))
        assert remove_second_factors(tx, ANN)
        assert list_passkeys(tx, ANN) == []
        save_unconfirmed_totp(tx, ANN, "sealed")
        assert remove_second_factors(tx, ANN)
        assert not remove_second_factors(tx, ANN)


def test_a_challenge_is_answered_once_and_forgotten_when_it_is_old(shared: Database) -> None:
    with shared.writing() as tx:
        assert use_challenge(tx, b"asked", NOW)
        assert not use_challenge(tx, b"asked", NOW)
        remove_expired_challenges(tx, NOW - timedelta(seconds=1))
        assert not use_challenge(tx, b"asked", NOW)
        remove_expired_challenges(tx, NOW)
        assert use_challenge(tx, b"asked", NOW)
