"""Hashes of passwords: argon2id (RFC 9106)."""

import threading

import argon2
from argon2.exceptions import InvalidHashError, VerificationError

# OWASP's least recommendation for argon2id: 19 MiB, two passes, one lane. More would let whoever
# sends wrong passwords use up the memory of a small machine.
_HASHER = argon2.PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)

_HASHES_AT_ONCE = threading.BoundedSemaphore(2)
"""Hashing holds a core and 19 MiB; whoever sends many passwords at once waits in line."""

NOBODYS_HASH = (
    "$argon2id$v=19$m=19456,t=2,p=1$8ZPGW22+dNDIppL8NZlH3w"
    "$4OWTkE7S+Ws1p/UsVL54CoADjyYsmL5A3HuIlxo8aok"
)
"""Compared with where there is no password: an unknown person costs as long as a wrong password."""


def hash_password(password: str) -> str:
    """Return what is stored of a password: algorithm, parameters, salt and hash as one text."""
    with _HASHES_AT_ONCE:
        return _HASHER.hash(password)


def is_password(password: str, stored: str) -> bool:
    """Say whether a password is the one that was hashed."""
    with _HASHES_AT_ONCE:
        try:
            return _HASHER.verify(stored, password)
        except (VerificationError, InvalidHashError):
            return False


def needs_rehash(stored: str) -> bool:
    """Say whether a hash was made with other parameters than are used now."""
    return _HASHER.check_needs_rehash(stored)
