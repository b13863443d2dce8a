"""A photo or a signature kept as proof."""

from datetime import datetime

from roundsman.domain.noun import Noun


class Attachment(Noun):
    """A stored file; `url` is stable and unguessable (decisions §10)."""

    id: str
    created_at: datetime
    url: str
