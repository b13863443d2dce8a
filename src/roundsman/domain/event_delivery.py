"""Event deliveries: one event on its way to one subscription, attempt by attempt (decisions §9)."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from roundsman.domain.event import RenderedEvent
from roundsman.domain.issue import IssueType
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.topics import Topic
from roundsman.domain.webhook_subscription import PayloadForm

MOST_TRIES = 11
"""One attempt and ten retries, then the delivery is dropped."""

LONGEST_ANSWER = 2_048
"""How much of an answer's body is read and kept, in bytes."""


_GONE = 410


class DeliveryState(StrEnum):
    """Where a delivery stands."""

    PENDING = "PENDING"
    DELIVERED = "DELIVERED"
    DROPPED = "DROPPED"


class Result(StrEnum):
    """How an attempt ended."""

    ACKNOWLEDGED = "acknowledged"
    REFUSED = "refused"
    UNANSWERED = "unanswered"


class DeliveryClaim(Model):
    """One attempt of one delivery, handed to one worker; `number` counts every attempt."""

    event_id: str
    subscription_id: str
    number: int
    tries: int
    """Attempts since the delivery was recorded, or replayed."""

    @property
    def key(self) -> tuple[str, str]:
        """Return what names the delivery."""
        return self.event_id, self.subscription_id

    def is_last(self) -> bool:
        """Say whether no retry follows this attempt."""
        return self.tries >= MOST_TRIES


class ClaimedDelivery(Model):
    """Everything needed to carry out a claim."""

    claim: DeliveryClaim
    url: str
    event: RenderedEvent
    secrets: Annotated[tuple[str, ...], Meta(min_length=1)]
    """What signs it, the webhook's own or the organization's; more while one is replaced."""

    payload_form: PayloadForm = PayloadForm.FULL
    is_to_failing: bool = False


class Attempt(Model):
    """How one attempt went; a `status` of 0 says that no answer came."""

    started_at: datetime
    duration: timedelta
    status: int = 0
    answer: str = ""
    error: str = ""
    error_type: IssueType | UnsetType = UNSET
    retry_after: timedelta | UnsetType = UNSET
    was_connected: bool = True
    """Whether a connection was made, so that the receiver may have got something."""

    def is_unsent(self) -> bool:
        """Say whether the receiver certainly got nothing."""
        return not self.was_connected

    def is_success(self) -> bool:
        """Say whether the receiver acknowledged the event (specification, Delivery rules)."""
        return not self.error and 200 <= self.status < 300

    def result(self) -> Result:
        """Return how it ended, in a word."""
        if self.error:
            return Result.UNANSWERED
        return Result.ACKNOWLEDGED if self.is_success() else Result.REFUSED

    def is_gone(self) -> bool:
        """Say whether the receiver wants to hear nothing any more."""
        return self.status == _GONE


class Ended(Model):
    """A claim and how its attempt went."""

    claim: DeliveryClaim
    attempt: Attempt


class DeliveryReport(Model):
    """What became of a delivery, as its history shows it."""

    event_id: str
    topic: Topic
    event_timestamp: datetime
    state: DeliveryState
    attempts: tuple[Attempt, ...] = ()
    due_at: datetime | UnsetType = UNSET
    """When the next attempt is due."""
