"""A photo or a signature kept as proof."""

from datetime import datetime

from roundsman.domain.model import Model


class Attachment(Model):
    """A stored file; `url` is stable and unguessable (decisions §10)."""

    id: str
    """The id of the file."""

    created_at: datetime
    """When it arrived here."""

    url: str
    """Where it is read; whoever has the address may."""
