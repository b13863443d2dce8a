"""Whether a receiver answers, how much it may be sent at once, and when it is given up."""

from datetime import datetime, timedelta

from roundsman.domain.noun import UNSET, Noun, UnsetType

MOST_IN_FLIGHT = 10
MOST_IN_FLIGHT_WHILE_FAILING = 2

_LONGEST_SILENCE = timedelta(days=5)
_SHORTEST_FAILING = timedelta(hours=12)
_FEWEST_DROPPED = 3


class ReceiverHealth(Noun):
    """What a receiver's latest attempts say; `failing_since` is unset while it answers."""

    answered_at: datetime
    """The last 2xx; before the first one, when the receiver was registered or activated."""

    failing_since: datetime | UnsetType = UNSET
    dropped_in_row: int = 0

    def is_failing(self) -> bool:
        """Say whether the latest attempt failed."""
        return not isinstance(self.failing_since, UnsetType)

    def room(self) -> int:
        """Return how many attempts may be in flight at once (decisions §9)."""
        return MOST_IN_FLIGHT_WHILE_FAILING if self.is_failing() else MOST_IN_FLIGHT

    def answered(self, now: datetime) -> "ReceiverHealth":
        """Return the health after an acknowledged attempt."""
        return ReceiverHealth(answered_at=now)

    def failed(self, now: datetime, *, is_dropped: bool) -> "ReceiverHealth":
        """Return the health after a failed attempt."""
        return ReceiverHealth(
            answered_at=self.answered_at,
            failing_since=now if isinstance(self.failing_since, UnsetType) else self.failing_since,
            dropped_in_row=self.dropped_in_row + is_dropped,
        )

    def is_hopeless(self, now: datetime) -> bool:
        """Say whether to stop sending: long silence, and failures that are no single outage."""
        return (
            not isinstance(self.failing_since, UnsetType)
            and now - self.answered_at >= _LONGEST_SILENCE
            and now - self.failing_since >= _SHORTEST_FAILING
            and self.dropped_in_row >= _FEWEST_DROPPED
        )
