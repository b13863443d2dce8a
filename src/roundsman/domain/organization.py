"""A business that runs routes, and the slug it is known by."""

import re
import unicodedata

from roundsman.domain.model import Model


class Organization(Model):
    """A tenant: everything else belongs to exactly one."""

    id: str
    name: str
    timezone: str
    webhook_secret: str


def slug_of(name: str, suffix: bytes) -> str:
    """Return the organization's identifier: its name as a slug and four hex digits."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].rstrip("-")
    return f"{words or 'organization'}-{suffix[:2].hex()}"
