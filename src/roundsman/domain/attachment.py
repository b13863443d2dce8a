"""A photo or a signature kept as proof."""

from datetime import datetime

from roundsman.domain.model import Model


class Attachment(Model):
    """A stored file; `url` is stable and unguessable (decisions §10)."""

    id: str
    created_at: datetime
    url: str
