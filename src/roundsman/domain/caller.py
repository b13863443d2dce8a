"""Who asks."""

from roundsman.domain.noun import Noun


class Caller(Noun):
    """An API client, acting for its organization; `email` is its developer contact."""

    organization_id: str
    client_id: str
    email: str
