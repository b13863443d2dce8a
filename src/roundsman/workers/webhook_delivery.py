"""Sends events: claim, sign, send, record, round after round (decisions §9).

A round is one transaction in a thread beside the loop. Attempts run side by side; what ended while
a round was on its way to the disk is recorded by the next one, so that commits are shared when
there is much to do, and nobody waits when there is little. Rounds begin when an attempt ends, when
this process has recorded an event, and once a second for what others left. Receivers that fail are
not looked after by every round but probed a few times a second: however fast they refuse thousands
of events, they take no more of the worker than that.
"""

import asyncio
import time
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any

import structlog

from roundsman.domain.delivery import Attempt, Claim, Ended, Errand, Result
from roundsman.domain.errors import Unavailable
from roundsman.domain.noun import UNSET, UnsetType
from roundsman.kit import metrics
from roundsman.kit.tracing import Side, begin_trace
from roundsman.operations.deliveries import Round, advance, is_anything_due
from roundsman.operations.work import Tools
from roundsman.webhooks.envelope import PLAIN, Envelope
from roundsman.webhooks.sender import Sender
from roundsman.workers.lanes import Lanes
from roundsman.workers.waiting import wait_for

_MOST_CLAIMED = 600
_KEPT_FOR_OTHERS = 400
"""Room that no receiver may fill by having more claimed for it than may be in flight to it."""

_MOST_IN_FLIGHT_TO_FAILING = 200
_LOOK_EVERY_SECONDS = 1.0
_PROBE_EVERY_SECONDS = 0.25
"""How often failing receivers are sent something, which is two attempts at most."""

_FASTEST_LOOK_SECONDS = 0.02
_EXTEND_EVERY_SECONDS = 2.0
_PAUSE_WHEN_AWAY_SECONDS = 1.0
_LONGEST_DRAIN_SECONDS = 20.0

_log = structlog.get_logger()


class WebhookDelivery:
    """One process's share of sending."""

    def __init__(self, tools: Tools, sender: Sender, envelope: Envelope = PLAIN) -> None:
        self._tools = tools
        self._sender = sender
        self._envelope = envelope
        self._worker_id = tools.ids.new_uuid()
        self._under_way: dict[asyncio.Task[None], Errand] = {}
        self._lanes = Lanes(self._begin)
        self._ended: list[Ended] = []
        self._given_back: list[Claim] = []
        self._is_rung = self._has_failed = False
        self._news = asyncio.Event()
        self._looked_at = self._extended_at = self._probed_at = float("-inf")

    async def run(self, stopping: asyncio.Event) -> None:
        """Send what is due until told to stop; finish and record what is under way."""
        self._loop = asyncio.get_running_loop()
        waking = asyncio.create_task(self._wake_when(stopping))
        async with self._sender:
            try:
                with self._tools.outbox_bell.heard_by(self._ring):
                    while not stopping.is_set():
                        await self._go_on()
                await self._drain()
            finally:
                waking.cancel()
                if self._under_way:
                    await asyncio.wait(self._under_way)

    async def send_due(self) -> None:
        """Send and record whatever is due now, then return."""
        async with self._sender:
            while await self._take_round(is_probing=True) or self._under_way or self._ended:
                if self._under_way:
                    await asyncio.wait(self._under_way, return_when=asyncio.FIRST_COMPLETED)

    async def _wake_when(self, stopping: asyncio.Event) -> None:
        await stopping.wait()
        self._news.set()

    def _ring(self) -> None:
        self._loop.call_soon_threadsafe(self._hear)

    def _hear(self) -> None:
        self._is_rung = True
        self._news.set()

    async def _go_on(self) -> None:
        """Wait until there is something to do, and do it."""
        if not self._ended:
            await wait_for(self._news, self._until_look())
        self._news.clear()
        try:
            if self._until_look() == 0:
                await self._look_around()
            elif self._ended:
                answered = {
                    one.claim.subscription_id for one in self._ended if one.attempt.is_success()
                }
                await self._take_round(among=answered)
        except Unavailable as error:
            # What ended is kept, to be recorded when the database is back.
            _log.warning("deliveries_wait_for_database", reason=str(error))
            await asyncio.sleep(_PAUSE_WHEN_AWAY_SECONDS)

    def _until_look(self) -> float:
        """Return how many seconds remain until all receivers are looked at again."""
        pause = _PROBE_EVERY_SECONDS if self._has_failed else _LOOK_EVERY_SECONDS
        pause = _FASTEST_LOOK_SECONDS if self._is_rung else pause
        return max(0.0, pause - (time.monotonic() - self._looked_at))

    async def _look_around(self) -> None:
        self._looked_at = time.monotonic()
        self._is_rung = False
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
        """Record, extend and claim in one transaction; return how many attempts were claimed."""
        waiting = self._lanes.waiting()
        room = 0 if among == set() else _MOST_CLAIMED - len(self._under_way) - len(waiting)
        to_failing = sum(errand.is_to_failing for errand in self._under_way.values())
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

    def _hand_over(self, waiting: Sequence[Claim], **asked: Any) -> Round:
        """Return a round with all that is to be recorded, which is this worker's no longer."""
        ended, self._ended = self._ended, []
        given_back, self._given_back = self._given_back, []
        under_way: list[Claim] = []
        if time.monotonic() - self._extended_at >= _EXTEND_EVERY_SECONDS:
            self._extended_at = time.monotonic()
            under_way = [*(errand.claim for errand in self._under_way.values()), *waiting]
        return Round(
            worker_id=self._worker_id,
            ended=ended,
            given_back=given_back,
            under_way=under_way,
            **asked,
        )

    async def _advance(self, round_: Round) -> int:
        try:
            errands = await asyncio.to_thread(advance, self._tools, round_)
        except Unavailable:
            self._ended[:0] = round_.ended
            self._given_back[:0] = round_.given_back
            raise
        for errand in errands:
            self._lanes.enter(errand)
        return len(errands)

    def _begin(self, errand: Errand) -> None:
        task = asyncio.create_task(self._carry_out(errand))
        self._under_way[task] = errand
        task.add_done_callback(self._under_way.pop)

    async def _carry_out(self, errand: Errand) -> None:
        is_answered = False
        try:
            body = self._envelope.encode_body(errand)
            headers = self._envelope.make_headers(errand, body, self._tools.clock.now())
            attempt = await self._attempt(errand, body, headers)
            self._ended.append(Ended(claim=errand.claim, attempt=attempt))
            _count(attempt, self._tools.clock.now() - errand.event.event.timestamp)
            is_answered = attempt.is_success()
        finally:
            self._has_failed |= not is_answered
            self._given_back += self._lanes.leave(errand, is_answered=is_answered)
            self._news.set()

    async def _attempt(self, errand: Errand, body: bytes, headers: Mapping[str, str]) -> Attempt:
        topic = errand.event.event.topic
        with begin_trace("webhook", Side.ASKING, topic=topic) as sending:
            attempt = await self._sender.send(errand.url, body, headers)
            sending.tell(outcome=attempt.result())
            if attempt.status:
                sending.tell(status=attempt.status)
            return attempt

    async def _drain(self) -> None:
        """Finish what is under way and record it, give back what waits; begin nothing."""
        deadline = time.monotonic() + _LONGEST_DRAIN_SECONDS
        self._given_back += self._lanes.clear()
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
