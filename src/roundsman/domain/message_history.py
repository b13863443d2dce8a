"""What the customer of one stop was told so far, and what may be told next (decisions §16)."""

from collections.abc import Sequence

from roundsman.domain.message import (
    KEPT_FOR_THE_LAST_WORD,
    MOST_MESSAGES_A_STOP,
    ON_NO_ROUTE,
    OVERTAKEN,
    Channel,
    MessageStatus,
    Trigger,
)
from roundsman.domain.model import Model

_TAKEN_BACK = frozenset({OVERTAKEN, ON_NO_ROUTE})


class PastMessage(Model):
    """A message to the customer of a stop, as far as the next one depends on it."""

    stop_id: str
    moment: Trigger
    channel: Channel
    epoch: int
    status: MessageStatus
    reason: str = ""
    """Why it was not sent."""

    def counts(self) -> bool:
        """Say whether the customer has it, or may get it."""
        return self.status is not MessageStatus.SUPPRESSED


def epoch_of(told: Sequence[PastMessage], trigger: Trigger, channel: Channel) -> int | None:
    """Return the number of the next message of a moment; None where it was told already.

    What was taken back before it went out, and is true again, is told anew. What has gone out is
    not, for a customer gets one message for a moment at most.
    """
    same = [one for one in told if one.moment is trigger and one.channel is channel]
    if not same:
        return 1
    latest = max(same, key=lambda one: one.epoch)
    was_taken_back = not latest.counts() and latest.reason in _TAKEN_BACK
    is_told_anew = trigger.is_last_word or trigger is Trigger.PLANNED
    return latest.epoch + 1 if is_told_anew and was_taken_back else None


def is_within_limit(told: Sequence[PastMessage], trigger: Trigger, *, keeps_room: bool) -> bool:
    """Say whether the customer may be told of one moment more.

    `keeps_room` says that there is a last word to come, which the others leave a place.
    """
    sent = [one for one in told if one.counts()]
    if trigger.is_last_word:
        return len(sent) < MOST_MESSAGES_A_STOP
    others = sum(not one.moment.is_last_word for one in sent)
    most = MOST_MESSAGES_A_STOP - (KEPT_FOR_THE_LAST_WORD if keeps_room else 0)
    return others < most and len(sent) < MOST_MESSAGES_A_STOP
