"""Lanes of errands, one for each receiver: so many of a lane go at once, the others wait in line.

More is claimed for a receiver that answers than may be in flight to it, so that its next attempt
does not wait for a transaction. What waits behind an attempt that fails is given back: it was
claimed for a receiver that answered.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from roundsman.domain.delivery import Claim, Errand
from roundsman.domain.receiver_health import MOST_IN_FLIGHT


@dataclass(slots=True)
class _Lane:
    """One receiver's errands."""

    in_flight: int = 0
    waiting: deque[Errand] = field(default_factory=deque)

    def clear(self) -> list[Claim]:
        """Take out whatever waits."""
        claims = [errand.claim for errand in self.waiting]
        self.waiting.clear()
        return claims


class Lanes:
    """Every receiver's lane; an errand whose turn it is is begun."""

    def __init__(self, begin: Callable[[Errand], None]) -> None:
        self._begin = begin
        self._lanes: dict[str, _Lane] = {}

    def waiting(self) -> list[Claim]:
        """Return the claims whose turn has not come."""
        return [errand.claim for lane in self._lanes.values() for errand in lane.waiting]

    def enter(self, errand: Errand) -> None:
        """Begin an errand, at once or in its turn."""
        lane = self._lanes.setdefault(errand.claim.subscription_id, _Lane())
        lane.waiting.append(errand)
        self._fill(lane)

    def leave(self, errand: Errand, *, is_answered: bool) -> list[Claim]:
        """End an errand that was begun; return what is given back because of how it went."""
        receiver = errand.claim.subscription_id
        lane = self._lanes[receiver]
        lane.in_flight -= 1
        given_back = [] if is_answered else lane.clear()
        self._fill(lane)
        if not lane.in_flight:
            del self._lanes[receiver]
        return given_back

    def clear(self) -> list[Claim]:
        """Take out everything that waits; what is in flight goes on."""
        return [claim for lane in self._lanes.values() for claim in lane.clear()]

    def _fill(self, lane: _Lane) -> None:
        while lane.waiting and lane.in_flight < MOST_IN_FLIGHT:
            lane.in_flight += 1
            self._begin(lane.waiting.popleft())
