"""Who wants to be told of events."""

from collections import Counter
from collections.abc import Collection, Iterator
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from roundsman.domain.errors import FailedPrecondition, PreconditionViolation
from roundsman.domain.noun import UNSET, Noun, Rule, Tags, UnsetType, obey_rules
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


class WebhookFilter(Noun):
    """Which events of the topics go to a receiver: of objects with one of the tags.

    Without tags all do. Objects that have no tags, such as drivers, never pass a filter with some.
    """

    tags: Tags = ()

    def passes(self, tags: Collection[str]) -> bool:
        """Say whether an event of an object with these tags passes."""
        return not self.tags or any(tag in self.tags for tag in tags)


type Topics = Annotated[tuple[Topic, ...], Meta(min_length=1, max_length=len(Topic))]
"""None twice, so never more than there are."""


def _judge_topics(draft: Any) -> Iterator[str]:
    """Find what would tell a receiver something twice (specification, Topics)."""
    for topic, times in Counter(draft.topics).items():
        if times > 1:
            yield f"must not repeat {topic}"
    if set(draft.topics) >= _ONE_OF_BOTH:
        yield "must name STOP_UPDATED or STOP_STATUS_UPDATED, which it includes"


class SubscriptionDraft(Noun):
    """A receiver's address and the topics it asks for."""

    rules: ClassVar = (Rule(_judge_topics, ("topics",)),)
    server_set: ClassVar[frozenset[str]] = frozenset({"id", "active"})

    url: Annotated[str, Meta(min_length=1, max_length=2_048)]
    topics: Topics
    payload: PayloadForm = PayloadForm.FULL
    filter: WebhookFilter | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class Subscription(SubscriptionDraft):
    """A receiver that is told of events while it is active."""

    id: str
    active: bool = True

    def wants(self, topic: Topic, object_id: str, tags: Collection[str]) -> bool:
        """Say whether an event goes to this receiver; a test goes to the one that is tested."""
        if topic is Topic.TEST:
            return self.active and object_id == self.id
        return self.active and topic in self.topics and self.lets_pass(tags)

    def lets_pass(self, tags: Collection[str]) -> bool:
        """Say whether the filter lets events of an object with these tags pass."""
        return not isinstance(self.filter, WebhookFilter) or self.filter.passes(tags)

    def require_active(self) -> None:
        """Refuse to send anything to a receiver that is switched off."""
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
