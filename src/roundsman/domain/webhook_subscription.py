"""Webhook subscriptions: which events go to which address, and whether a receiver answers there.

The receiver is the program at that address; its answers make the subscription's health.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from roundsman.domain.errors import FailedPrecondition, PreconditionViolation
from roundsman.domain.model import UNSET, Model, Rule, Tags, UnsetType, obey_rules
from roundsman.domain.topics import Topic

MOST_SUBSCRIPTIONS = 5
"""Specification, Limits: webhook subscriptions per organization."""

_ONE_OF_BOTH = {Topic.STOP_UPDATED, Topic.STOP_STATUS_UPDATED}


class PayloadForm(StrEnum):
    """What an event's body holds of its object."""

    FULL = "FULL"
    """The object as it was at that change."""

    THIN = "THIN"
    """Its ids, version and status: at most 2 KB, and nothing about a customer."""


class WebhookFilter(Model):
    """Which events of the topics are sent: of objects with one of the tags.

    Without tags all do. Objects that have no tags, such as drivers, never pass a filter with some.
    """

    tags: Tags = ()

    def passes(self, tags: Collection[str]) -> bool:
        """Say whether an event of an object with these tags passes."""
        return not self.tags or any(tag in self.tags for tag in tags)


type Topics = Annotated[tuple[Topic, ...], Meta(min_length=1, max_length=len(Topic))]
"""None twice, so never more than there are."""


def _judge_topics(draft: Any) -> Iterator[str]:
    """Find topics that would send one change twice (specification, Topics)."""
    for topic, times in Counter(draft.topics).items():
        if times > 1:
            yield f"must not repeat {topic}"
    if set(draft.topics) >= _ONE_OF_BOTH:
        yield "must name STOP_UPDATED or STOP_STATUS_UPDATED, which it includes"


class WebhookSubscriptionDraft(Model):
    """The address to send to, and the topics to send."""

    rules: ClassVar = (Rule(_judge_topics, ("topics",)),)
    server_set: ClassVar[frozenset[str]] = frozenset({"id", "active"})

    url: Annotated[str, Meta(min_length=1, max_length=2_048)]
    topics: Topics
    payload: PayloadForm = PayloadForm.FULL
    filter: WebhookFilter | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class WebhookSubscription(WebhookSubscriptionDraft):
    """A request to be sent events; while it is not active, nothing is sent."""

    id: str
    active: bool = True

    def wants(self, topic: Topic, object_id: str, tags: Collection[str]) -> bool:
        """Say whether an event is sent; a test is sent to the tested subscription alone."""
        if topic is Topic.TEST:
            return self.active and object_id == self.id
        return self.active and topic in self.topics and self.lets_pass(tags)

    def lets_pass(self, tags: Collection[str]) -> bool:
        """Say whether the filter lets events of an object with these tags pass."""
        return not isinstance(self.filter, WebhookFilter) or self.filter.passes(tags)

    def require_active(self) -> None:
        """Refuse to send anything while the subscription is not active."""
        if not self.active:
            raise FailedPrecondition(
                "webhook is not active",
                [
                    PreconditionViolation(
                        type="active", subject=self.id, description="activate the webhook first"
                    )
                ],
            )


def require_room(count: int) -> None:
    """Refuse one more subscription than an organization may have."""
    if count >= MOST_SUBSCRIPTIONS:
        description = f"an organization has at most {MOST_SUBSCRIPTIONS} webhooks; delete one first"
        violation = PreconditionViolation(
            type="webhooks", subject="organization", description=description
        )
        raise FailedPrecondition(description, [violation])


MOST_IN_FLIGHT = 10
MOST_IN_FLIGHT_WHILE_FAILING = 2

_LONGEST_SILENCE = timedelta(days=5)
_SHORTEST_FAILING = timedelta(hours=12)
_FEWEST_DROPPED = 3
_SHORTEST_NOTICE = timedelta(days=1)
"""Whoever is warned of a deactivation has this long to prevent it."""


class SubscriptionHealth(Model):
    """What the latest attempts say of the receiver; `failing_since` is unset while it answers."""

    answered_at: datetime
    """The last 2xx; before the first one, when the subscription was added or activated."""

    failing_since: datetime | UnsetType = UNSET
    dropped_in_row: int = 0

    def is_failing(self) -> bool:
        """Say whether the latest attempt failed."""
        return not isinstance(self.failing_since, UnsetType)

    def room(self) -> int:
        """Return how many attempts may be in flight at once (decisions §9)."""
        return MOST_IN_FLIGHT_WHILE_FAILING if self.is_failing() else MOST_IN_FLIGHT

    def answered(self, now: datetime) -> "SubscriptionHealth":
        """Return the health after an acknowledged attempt."""
        return SubscriptionHealth(answered_at=now)

    def failed(self, now: datetime, *, is_dropped: bool) -> "SubscriptionHealth":
        """Return the health after a failed attempt."""
        return SubscriptionHealth(
            answered_at=self.answered_at,
            failing_since=now if isinstance(self.failing_since, UnsetType) else self.failing_since,
            dropped_in_row=self.dropped_in_row + is_dropped,
        )

    def hopeless_from(self) -> datetime | UnsetType:
        """Return from when on a failure deactivates, once enough was dropped."""
        if isinstance(self.failing_since, UnsetType):
            return UNSET
        return max(self.answered_at + _LONGEST_SILENCE, self.failing_since + _SHORTEST_FAILING)

    def warns_of(self, now: datetime) -> datetime | UnsetType:
        """Return from when on a failure deactivates, where that is worth a warning now.

        That is so when this is no single outage, an event is lost already, and there is time left.
        """
        due = self.hopeless_from()
        if (
            isinstance(self.failing_since, UnsetType)
            or isinstance(due, UnsetType)
            or now - self.failing_since < _SHORTEST_FAILING
            or not self.dropped_in_row
            or due - now < _SHORTEST_NOTICE
        ):
            return UNSET
        return due

    def is_hopeless(self, now: datetime) -> bool:
        """Say whether to stop sending: long silence, and failures that are no single outage."""
        due = self.hopeless_from()
        return (
            not isinstance(due, UnsetType) and now >= due and self.dropped_in_row >= _FEWEST_DROPPED
        )
