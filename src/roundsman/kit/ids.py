"""Identifiers and secrets, asked for instead of drawn, so that a test can repeat itself."""

import json
import secrets
import uuid
from typing import Protocol


class IdSource(Protocol):
    """Whatever makes identifiers nobody else has, and bytes nobody can guess."""

    def new_uuid(self) -> str:
        """Return an identifier that was never returned before, in its usual form."""
        ...

    def random_bytes(self, count: int) -> bytes:
        """Return bytes fit for a secret."""
        ...


class RandomIds:
    """Version 4 UUIDs and the operating system's randomness."""

    def new_uuid(self) -> str:
        return str(uuid.uuid4())  # noqa: TID251 -- the one place where identifiers are drawn

    def random_bytes(self, count: int) -> bytes:
        """Return bytes from the operating system."""
        return secrets.token_bytes(count)


def new_request_id(ids: IdSource) -> str:
    """Return what one request is called in its answer and in the log.

    Each request draws one, and this takes a fifth of the time that a UUID does.
    """
    return ids.random_bytes(16).hex()


def derived_id(prefix: str, *parts: str) -> str:
    """Return the identifier that always comes of these parts, of the same form as a new one.

    What is stored under it is stored once, however often it is asked for.
    """
    return f"{prefix}-{uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(parts))}"


def new_id(ids: IdSource, prefix: str) -> str:
    """Return an identifier of the interface's form, such as `rte-<uuid>`."""
    return f"{prefix}-{ids.new_uuid()}"
