"""What a customer asks of the driver before the delivery."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from roundsman.domain.model import Model, Rule, obey_rules

MOST_NOTE_CHARACTERS = 500


def _judge_note(draft: Any) -> Iterator[str]:
    if not draft.note.strip():
        yield "must not be blank"


class CustomerNoteDraft(Model):
    """What a customer sends: some words to the driver."""

    rules: ClassVar = (Rule(_judge_note, ("note",)),)

    note: Annotated[str, Meta(max_length=MOST_NOTE_CHARACTERS)]

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class CustomerNote(Model):
    """The customer's note at a stop, beside the planner's own."""

    note: str
    """In the customer's own words."""

    at: datetime
    """When it was written."""
