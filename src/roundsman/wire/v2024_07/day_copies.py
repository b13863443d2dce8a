"""The body that copies the routes of a day."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from msgspec import Meta, field

from roundsman.domain.day_copy import MOST_COPIED_ROUTES
from roundsman.domain.model import Model, Rule, obey_rules
from roundsman.domain.planned_days import parse_planned_day

type _Id = Annotated[str, Meta(min_length=1, max_length=255)]


def _judge_day(body: Any) -> Iterator[str]:
    """Find a day that is in no calendar, or that nobody plans."""
    try:
        parse_planned_day(body.from_)
    except ValueError as error:
        yield str(error)


class DayCopyBody(Model):
    """Which day's routes are copied, and which of them; all of them where none is named."""

    rules: ClassVar = (Rule(_judge_day, ("from_",)),)

    from_: Annotated[str, Meta(max_length=10, description="A day such as 2024-07-01.")] = field(
        name="from"
    )
    route_ids: Annotated[tuple[_Id, ...], Meta(max_length=MOST_COPIED_ROUTES)] = ()
    """Routes of that day, by their ids; without any, all of them are copied."""

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)
