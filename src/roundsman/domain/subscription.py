"""Who wants to be told of events."""

from collections import Counter
from typing import Annotated, ClassVar

from msgspec import Meta

from roundsman.domain.errors import FailedPrecondition, PreconditionViolation
from roundsman.domain.noun import BadField, Noun
from roundsman.domain.topics import Topic

MOST_SUBSCRIPTIONS = 5
"""Specification, Limits: webhook subscriptions per organization."""

_ONE_OF_BOTH = {Topic.STOP_UPDATED, Topic.STOP_STATUS_UPDATED}

type Topics = Annotated[tuple[Topic, ...], Meta(min_length=1)]


class SubscriptionDraft(Noun):
    """A receiver's address and the topics it asks for."""

    server_set: ClassVar[frozenset[str]] = frozenset({"id", "active"})

    url: Annotated[str, Meta(min_length=1, max_length=2_048)]
    topics: Topics

    def __post_init__(self) -> None:
        """Refuse to tell a receiver anything twice (specification, Topics)."""
        repeated = [topic for topic, times in Counter(self.topics).items() if times > 1]
        wrong = [BadField("topics", f"must not repeat {topic}") for topic in repeated]
        if set(self.topics) >= _ONE_OF_BOTH:
            told = "must name STOP_UPDATED or STOP_STATUS_UPDATED, which it includes"
            wrong.append(BadField("topics", told))
        if wrong:
            raise ExceptionGroup("topics", wrong)


class Subscription(SubscriptionDraft):
    """A receiver that is told of events while it is active."""

    id: str
    active: bool = True

    def wants(self, topic: Topic, object_id: str) -> bool:
        """Say whether an event goes to this receiver; a test goes to the one that is tested."""
        if topic is Topic.TEST:
            return self.active and object_id == self.id
        return self.active and topic in self.topics

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
