"""Identifiers and secrets, asked for instead of drawn, so that a test can repeat itself."""

import secrets
from typing import Protocol

_RANDOM = 0xFFFFFFFF_FFFF_0FFF_3FFF_FFFFFFFFFFFF
_VERSION_AND_VARIANT = 0x00000000_0000_4000_8000_000000000000


class IdSource(Protocol):
    """Whatever makes identifiers nobody else has, and bytes nobody can guess."""

    def new_uuid(self) -> str:
        """Return an identifier that was never returned before, in its usual form."""
        ...

    def random_bytes(self, count: int) -> bytes:
        """Return bytes fit for a secret."""
        ...


class RandomIds:
    """Version 4 UUIDs (RFC 9562, section 5.4) and the operating system's randomness."""

    def new_uuid(self) -> str:
        """Return a random UUID."""
        # Every request draws one, and the standard library's take twice as long.
        drawn = int.from_bytes(secrets.token_bytes(16)) & _RANDOM | _VERSION_AND_VARIANT
        hexed = f"{drawn:032x}"
        return f"{hexed[:8]}-{hexed[8:12]}-{hexed[12:16]}-{hexed[16:20]}-{hexed[20:]}"

    def random_bytes(self, count: int) -> bytes:
        """Return bytes from the operating system."""
        return secrets.token_bytes(count)


def new_id(ids: IdSource, prefix: str) -> str:
    """Return an identifier of the interface's form, such as `rte-<uuid>`."""
    return f"{prefix}-{ids.new_uuid()}"
