"""What a customer may say about a delivery."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from roundsman.domain.model import Line, Model


class RatingDraft(Model):
    """A rating from 1 to 5, and words if they like."""

    rating: Annotated[int, Meta(ge=1, le=5)]
    comment: Line = ""


class CustomerRating(Model):
    """What the customer said afterwards."""

    rating: int
    """From 1 to 5, best last."""

    comment: str = ""
    """The customer's own words, if any."""

    created_at: datetime
    """When it was given."""
