"""Delivers events in rounds: claim, sign, send, record (decisions §9).

A round is one transaction, in a thread beside the event loop. Attempts run concurrently. Attempts
that end while a round is being committed are recorded by the next round: under load commits are
shared, and without load nothing waits. A round begins when an attempt ends, when this process has
recorded an event, and once a second for events of other processes. Failing receivers are not part
of every round but are probed a few times a second. However fast they refuse thousands of events,
they take no more of the worker than that.

Each receiver has a queue: a few attempts run at once, the others wait in order. More deliveries
are claimed for a receiver that answers than may be in flight to it, so that its next attempt does
not wait for a transaction. When an attempt fails, the claims that wait behind it are given back,
because they were made for a receiver that answers.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import structlog
from opentelemetry.trace import SpanKind

from roundsman.domain.errors import Unavailable
from roundsman.domain.event_delivery import Attempt, ClaimedDelivery, DeliveryClaim, Ended, Result
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.webhook_subscription import MOST_IN_FLIGHT
from roundsman.kit import metrics
from roundsman.kit.tracing import begin_trace, describe_span
from roundsman.operations.event_deliveries import Round, advance, is_anything_due
from roundsman.operations.tools import Tools
from roundsman.webhooks.envelope import PLAIN, Envelope
from roundsman.webhooks.sender import Sender
from roundsman.workers.runner import wait_for


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


_MOST_CLAIMED = 600
_KEPT_FOR_OTHERS = 400
"""Room in a round that is kept for receivers with less claimed than may be in flight."""

_MOST_IN_FLIGHT_TO_FAILING = 200
_LOOK_EVERY_SECONDS = 1.0
_PROBE_EVERY_SECONDS = 0.25
"""How often failing receivers are probed, with two attempts at most."""

_FASTEST_LOOK_SECONDS = 0.02
_EXTEND_EVERY_SECONDS = 2.0
_PAUSE_WHEN_AWAY_SECONDS = 1.0
_LONGEST_DRAIN_SECONDS = 20.0

_log = structlog.get_logger()


class WebhookDelivery:
    """The event delivery of one process."""

    def __init__(self, tools: Tools, sender: Sender, envelope: Envelope = PLAIN) -> None:
        self._tools = tools
        self._sender = sender
        self._envelope = envelope
        self._worker_id = tools.ids.new_uuid()
        self._under_way: dict[asyncio.Task[None], ClaimedDelivery] = {}
        self._queues = ReceiverQueues(self._begin)
        self._ended: list[Ended] = []
        self._given_back: list[DeliveryClaim] = []
        self._is_signalled = self._has_failed = False
        self._work = asyncio.Event()
        self._looked_at = self._extended_at = self._probed_at = float("-inf")

    async def run(self, stopping: asyncio.Event) -> None:
        """Send what is due until stopped; then finish and record what is under way."""
        self._loop = asyncio.get_running_loop()
        waking = asyncio.create_task(self._wake_when(stopping))
        async with self._sender:
            try:
                with self._tools.outbox_signal.received_by(self._signal):
                    while not stopping.is_set():
                        await self._go_on()
                await self._drain()
            finally:
                waking.cancel()
                if self._under_way:
                    await asyncio.wait(self._under_way)

    async def send_due(self) -> None:
        """Send and record what is due now, then return."""
        async with self._sender:
            while await self._take_round(is_probing=True) or self._under_way or self._ended:
                if self._under_way:
                    await asyncio.wait(self._under_way, return_when=asyncio.FIRST_COMPLETED)

    async def _wake_when(self, stopping: asyncio.Event) -> None:
        await stopping.wait()
        self._work.set()

    def _signal(self) -> None:
        self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._is_signalled = True
        self._work.set()

    async def _go_on(self) -> None:
        """Wait until there is work, and do it."""
        if not self._ended:
            await wait_for(self._work, self._until_look())
        self._work.clear()
        try:
            if self._until_look() == 0:
                await self._look_around()
            elif self._ended:
                answered = {
                    one.claim.subscription_id for one in self._ended if one.attempt.is_success()
                }
                await self._take_round(among=answered)
        except Unavailable as error:
            # Finished attempts are kept, and recorded when the database answers again.
            _log.warning("deliveries_wait_for_database", reason=str(error))
            await asyncio.sleep(_PAUSE_WHEN_AWAY_SECONDS)

    def _until_look(self) -> float:
        """Return the seconds until all receivers are checked again."""
        pause = _PROBE_EVERY_SECONDS if self._has_failed else _LOOK_EVERY_SECONDS
        pause = _FASTEST_LOOK_SECONDS if self._is_signalled else pause
        return max(0.0, pause - (time.monotonic() - self._looked_at))

    async def _look_around(self) -> None:
        self._looked_at = time.monotonic()
        self._is_signalled = False
        is_idle = not self._ended and not self._under_way
        if is_idle and not await asyncio.to_thread(is_anything_due, self._tools):
            return
        is_probing = self._looked_at - self._probed_at >= _PROBE_EVERY_SECONDS
        if is_probing:
            self._probed_at = self._looked_at
            self._has_failed = False
        await self._take_round(is_probing=is_probing)

    async def _take_round(
        self, among: Collection[str] | UnsetType = UNSET, *, is_probing: bool = False
    ) -> int:
        """Record, extend and claim in one transaction; return how many deliveries were claimed."""
        waiting = self._queues.waiting()
        room = 0 if among == set() else _MOST_CLAIMED - len(self._under_way) - len(waiting)
        to_failing = sum(delivery.is_to_failing for delivery in self._under_way.values())
        left_to_failing = max(0, _MOST_IN_FLIGHT_TO_FAILING - to_failing)
        return await self._advance(
            self._hand_over(
                waiting,
                room=room,
                spare=max(0, room - _KEPT_FOR_OTHERS),
                room_for_failing=min(room, left_to_failing) if is_probing else 0,
                among=among,
            )
        )

    def _hand_over(self, waiting: Sequence[DeliveryClaim], **limits: Any) -> Round:
        """Return a round with all that is to be recorded, and remove it from this worker."""
        ended, self._ended = self._ended, []
        given_back, self._given_back = self._given_back, []
        under_way: list[DeliveryClaim] = []
        if time.monotonic() - self._extended_at >= _EXTEND_EVERY_SECONDS:
            self._extended_at = time.monotonic()
            under_way = [*(delivery.claim for delivery in self._under_way.values()), *waiting]
        return Round(
            worker_id=self._worker_id,
            ended=ended,
            given_back=given_back,
            under_way=under_way,
            **limits,
        )

    async def _advance(self, round_: Round) -> int:
        try:
            deliveries = await asyncio.to_thread(advance, self._tools, round_)
        except Unavailable:
            self._ended[:0] = round_.ended
            self._given_back[:0] = round_.given_back
            raise
        for delivery in deliveries:
            self._queues.enter(delivery)
        return len(deliveries)

    def _begin(self, delivery: ClaimedDelivery) -> None:
        task = asyncio.create_task(self._carry_out(delivery))
        self._under_way[task] = delivery
        task.add_done_callback(self._under_way.pop)

    async def _carry_out(self, delivery: ClaimedDelivery) -> None:
        is_answered = False
        try:
            body = self._envelope.encode_body(delivery)
            headers = self._envelope.make_headers(delivery, body, self._tools.clock.now())
            attempt = await self._attempt(delivery, body, headers)
            self._ended.append(Ended(claim=delivery.claim, attempt=attempt))
            _count(attempt, self._tools.clock.now() - delivery.event.event.timestamp)
            is_answered = attempt.is_success()
        finally:
            self._has_failed |= not is_answered
            self._given_back += self._queues.leave(delivery, is_answered=is_answered)
            self._work.set()

    async def _attempt(
        self, delivery: ClaimedDelivery, body: bytes, headers: Mapping[str, str]
    ) -> Attempt:
        topic = delivery.event.event.topic
        with begin_trace("webhook", SpanKind.CLIENT, topic=topic):
            attempt = await self._sender.send(delivery.url, body, headers)
            describe_span(outcome=attempt.result())
            if attempt.status:
                describe_span(status=attempt.status)
            return attempt

    async def _drain(self) -> None:
        """Finish and record what is under way, give back what waits; begin nothing."""
        deadline = time.monotonic() + _LONGEST_DRAIN_SECONDS
        self._given_back += self._queues.clear()
        while self._is_busy() and time.monotonic() < deadline:
            if self._under_way and not self._given_back:
                await asyncio.wait(self._under_way, return_when=asyncio.FIRST_COMPLETED)
            try:
                await self._advance(self._hand_over(()))
            except Unavailable:
                await asyncio.sleep(_PAUSE_WHEN_AWAY_SECONDS)

    def _is_busy(self) -> bool:
        return bool(self._under_way or self._ended or self._given_back)


def _count(attempt: Attempt, age: timedelta) -> None:
    result = attempt.result()
    metrics.DELIVERY_ATTEMPTS.labels(result).inc()
    metrics.DELIVERY_ATTEMPT_SECONDS.labels(result).observe(attempt.duration.total_seconds())
    if result is Result.ACKNOWLEDGED:
        metrics.DELIVERY_AGE_SECONDS.observe(max(0.0, age.total_seconds()))
