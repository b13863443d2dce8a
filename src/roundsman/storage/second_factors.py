"""Second factors of people: secrets of apps (sealed), hashes of recovery codes, passkeys."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, insert, select, update

from roundsman.domain.member import email_key
from roundsman.domain.model import UNSET
from roundsman.domain.second_factor import Passkey
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import insert_missing, upsert
from roundsman.storage.member_tables import (
    passkey_challenges,
    passkeys,
    recovery_codes,
    totp_secrets,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredTotp:
    """The secret of a person's app, sealed; codes are wanted once it is confirmed."""

    sealed: str
    is_confirmed: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredPasskey:
    """A passkey, whose it is, and what proves it."""

    passkey: Passkey
    email_key: str
    public_key: bytes
    sign_count: int


def find_totp(tx: Transaction, email: str) -> StoredTotp | None:
    """Return the secret of a person's app, confirmed or not."""
    row = tx.execute(
        select(totp_secrets.c.secret, totp_secrets.c.is_confirmed).where(
            totp_secrets.c.email_key == email_key(email)
        )
    ).first()
    return None if row is None else StoredTotp(sealed=row.secret, is_confirmed=row.is_confirmed)


def save_unconfirmed_totp(tx: Transaction, email: str, sealed: str) -> None:
    """Keep the secret of an app that has not shown a code yet, in place of one before."""
    row = {"email_key": email_key(email), "secret": sealed, "is_confirmed": False, "last_step": 0}
    upsert(tx, totp_secrets, [row], keys=["email_key"])


def confirm_totp(tx: Transaction, email: str) -> None:
    """Want codes from now on."""
    tx.execute(
        update(totp_secrets)
        .where(totp_secrets.c.email_key == email_key(email))
        .values(is_confirmed=True)
    )


def use_totp_step(tx: Transaction, email: str, step: int) -> bool:
    """Use the code of a step up, and those before it; say whether it was still unused."""
    used = tx.execute(
        update(totp_secrets)
        .where(totp_secrets.c.email_key == email_key(email), totp_secrets.c.last_step < step)
        .values(last_step=step)
    )
    return used.rowcount == 1


def remove_totp(tx: Transaction, email: str) -> bool:
    """Want no codes any more, and forget those on paper; say whether any were wanted."""
    key = email_key(email)
    tx.execute(delete(recovery_codes).where(recovery_codes.c.email_key == key))
    removed = tx.execute(delete(totp_secrets).where(totp_secrets.c.email_key == key))
    return removed.rowcount == 1


def replace_recovery_codes(tx: Transaction, email: str, hashes: Sequence[bytes]) -> None:
    """Keep hashes of recovery codes; those before work no more."""
    key = email_key(email)
    tx.execute(delete(recovery_codes).where(recovery_codes.c.email_key == key))
    rows = [{"email_key": key, "code_hash": one} for one in hashes]
    tx.execute(insert(recovery_codes), rows)


def use_recovery_code(tx: Transaction, email: str, code_hash: bytes) -> bool:
    """Use a recovery code up; say whether it was there."""
    used = tx.execute(
        delete(recovery_codes).where(
            recovery_codes.c.email_key == email_key(email),
            recovery_codes.c.code_hash == code_hash,
        )
    )
    return used.rowcount == 1


def count_recovery_codes(tx: Transaction, email: str) -> int:
    """Return how many recovery codes are left."""
    return tx.execute(
        select(func.count())
        .select_from(recovery_codes)
        .where(recovery_codes.c.email_key == email_key(email))
    ).scalar_one()


def add_passkey(tx: Transaction, stored: StoredPasskey) -> bool:
    """Store a passkey; say whether nobody has it yet."""
    row = {
        "id": stored.passkey.id,
        "email_key": stored.email_key,
        "name": stored.passkey.name,
        "public_key": stored.public_key,
        "sign_count": stored.sign_count,
        "created_at": stored.passkey.created_at,
    }
    return insert_missing(tx, passkeys, row, keys=["id"])


def find_passkey(tx: Transaction, passkey_id: str) -> StoredPasskey | None:
    """Return a passkey of anybody's."""
    row = tx.execute(select(passkeys).where(passkeys.c.id == passkey_id)).first()
    return None if row is None else _read(row)


def list_passkeys(tx: Transaction, email: str) -> Sequence[Passkey]:
    """Return a person's passkeys, oldest first."""
    rows = tx.execute(
        select(passkeys)
        .where(passkeys.c.email_key == email_key(email))
        .order_by(passkeys.c.created_at, passkeys.c.id)
    )
    return [_read(row).passkey for row in rows]


def note_passkey_used(tx: Transaction, passkey_id: str, sign_count: int, now: datetime) -> None:
    """Note when a passkey was used, and how often it says it was."""
    tx.execute(
        update(passkeys)
        .where(passkeys.c.id == passkey_id)
        .values(sign_count=sign_count, last_used_at=now)
    )


def remove_passkey(tx: Transaction, email: str, passkey_id: str) -> bool:
    """Forget one of a person's passkeys; say whether it was there."""
    removed = tx.execute(
        delete(passkeys).where(
            passkeys.c.email_key == email_key(email), passkeys.c.id == passkey_id
        )
    )
    return removed.rowcount == 1


def remove_passkeys(tx: Transaction, email: str) -> bool:
    """Forget every passkey of a person; say whether there was any."""
    gone = tx.execute(delete(passkeys).where(passkeys.c.email_key == email_key(email)))
    return bool(gone.rowcount)


def remove_second_factors(tx: Transaction, email: str) -> bool:
    """Forget every second factor of a person; say whether there was any."""
    had_passkeys = remove_passkeys(tx, email)
    return remove_totp(tx, email) or had_passkeys


def use_challenge(tx: Transaction, challenge_hash: bytes, expires_at: datetime) -> bool:
    """Use a challenge up; say whether nobody has answered it before."""
    row = {"challenge_hash": challenge_hash, "expires_at": expires_at}
    return insert_missing(tx, passkey_challenges, row, keys=["challenge_hash"])


def remove_expired_challenges(tx: Transaction, now: datetime) -> None:
    """Forget used challenges that would be refused for their age alone."""
    tx.execute(delete(passkey_challenges).where(passkey_challenges.c.expires_at <= now))


def _read(row: Any) -> StoredPasskey:
    return StoredPasskey(
        passkey=Passkey(
            id=row.id,
            name=row.name,
            created_at=row.created_at,
            last_used_at=UNSET if row.last_used_at is None else row.last_used_at,
        ),
        email_key=row.email_key,
        public_key=row.public_key,
        sign_count=row.sign_count,
    )
