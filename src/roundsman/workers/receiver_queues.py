"""A queue for each receiver of events: a few attempts run at once, the others wait in order.

More deliveries are claimed for a receiver that answers than may be in flight to it, so that its
next attempt does not wait for a transaction. When an attempt fails, the claims that wait behind it
are given back, because they were made for a receiver that answers.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from roundsman.domain.event_delivery import ClaimedDelivery, DeliveryClaim
from roundsman.domain.webhook_subscription import MOST_IN_FLIGHT


@dataclass(slots=True)
class _ReceiverQueue:
    """The claimed deliveries of one receiver."""

    in_flight: int = 0
    waiting: deque[ClaimedDelivery] = field(default_factory=deque)

    def clear(self) -> list[DeliveryClaim]:
        """Remove and return the waiting claims."""
        claims = [delivery.claim for delivery in self.waiting]
        self.waiting.clear()
        return claims


class ReceiverQueues:
    """The queues of all receivers; calls `begin` with each delivery whose turn has come."""

    def __init__(self, begin: Callable[[ClaimedDelivery], None]) -> None:
        self._begin = begin
        self._queues: dict[str, _ReceiverQueue] = {}

    def waiting(self) -> list[DeliveryClaim]:
        """Return the claims that wait."""
        return [delivery.claim for queue in self._queues.values() for delivery in queue.waiting]

    def enter(self, delivery: ClaimedDelivery) -> None:
        """Add a delivery; it begins at once if fewer are in flight than may be."""
        queue = self._queues.setdefault(delivery.claim.subscription_id, _ReceiverQueue())
        queue.waiting.append(delivery)
        self._fill(queue)

    def leave(self, delivery: ClaimedDelivery, *, is_answered: bool) -> list[DeliveryClaim]:
        """Remove a finished delivery; return the claims that are given back because it failed."""
        receiver = delivery.claim.subscription_id
        queue = self._queues[receiver]
        queue.in_flight -= 1
        given_back = [] if is_answered else queue.clear()
        self._fill(queue)
        if not queue.in_flight:
            del self._queues[receiver]
        return given_back

    def clear(self) -> list[DeliveryClaim]:
        """Remove and return the waiting claims of all receivers; deliveries in flight go on."""
        return [claim for queue in self._queues.values() for claim in queue.clear()]

    def _fill(self, queue: _ReceiverQueue) -> None:
        while queue.waiting and queue.in_flight < MOST_IN_FLIGHT:
            queue.in_flight += 1
            self._begin(queue.waiting.popleft())
