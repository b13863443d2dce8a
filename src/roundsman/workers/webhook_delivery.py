"""Sends events: claim, sign, send, record, round after round (decisions §9).

A round is one transaction in a thread beside the loop. Attempts run side by side; what ended while
a round was on its way to the disk is recorded by the next one, so that commits are shared when
there is much to do, and nobody waits when there is little. Rounds begin when an attempt ends, when
this process has recorded an event, and once a second for what others left.
"""

import asyncio
import time
from collections.abc import Collection

import structlog

from roundsman.domain.delivery import Claim, Ended, Errand
from roundsman.domain.errors import Unavailable
from roundsman.domain.noun import UNSET, UnsetType
from roundsman.operations.deliveries import Round, advance, is_anything_due
from roundsman.operations.work import Tools
from roundsman.webhooks.envelope import encode_body, make_headers
from roundsman.webhooks.sender import Sender
from roundsman.workers.waiting import wait_for

_MOST_IN_FLIGHT = 400
_MOST_IN_FLIGHT_TO_FAILING = 200
_LOOK_EVERY_SECONDS = 1.0
_FASTEST_LOOK_SECONDS = 0.02
_EXTEND_EVERY_SECONDS = 2.0
_PAUSE_WHEN_AWAY_SECONDS = 1.0
_LONGEST_DRAIN_SECONDS = 20.0

_log = structlog.get_logger()


class WebhookDelivery:
    """One process's share of sending."""

    def __init__(self, tools: Tools, sender: Sender) -> None:
        self._tools = tools
        self._sender = sender
        self._worker_id = str(tools.ids.new_uuid())
        self._under_way: dict[asyncio.Task[None], Errand] = {}
        self._ended: list[Ended] = []
        self._is_rung = False
        self._news = asyncio.Event()
        self._looked_at = self._extended_at = float("-inf")

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
            while await self._take_round() or self._under_way or self._ended:
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
                await self._take_round(among={one.claim.subscription_id for one in self._ended})
        except Unavailable as error:
            # What ended is kept, to be recorded when the database is back.
            _log.warning("deliveries_wait_for_database", reason=str(error))
            await asyncio.sleep(_PAUSE_WHEN_AWAY_SECONDS)

    def _until_look(self) -> float:
        """Return how many seconds remain until all receivers are looked at again."""
        pause = _FASTEST_LOOK_SECONDS if self._is_rung else _LOOK_EVERY_SECONDS
        return max(0.0, pause - (time.monotonic() - self._looked_at))

    async def _look_around(self) -> None:
        self._looked_at = time.monotonic()
        self._is_rung = False
        is_idle = not self._ended and not self._under_way
        if is_idle and not await asyncio.to_thread(is_anything_due, self._tools):
            return
        await self._take_round()

    async def _take_round(self, among: Collection[str] | UnsetType = UNSET) -> int:
        """Record, extend and claim in one transaction; return how many attempts began."""
        ended, self._ended = self._ended, []
        to_failing = sum(errand.is_to_failing for errand in self._under_way.values())
        room = _MOST_IN_FLIGHT - len(self._under_way)
        round_ = Round(
            worker_id=self._worker_id,
            ended=ended,
            under_way=self._claims_to_extend(),
            room=room,
            room_for_failing=min(room, _MOST_IN_FLIGHT_TO_FAILING - to_failing),
            among=among,
        )
        return await self._advance(round_)

    async def _advance(self, round_: Round) -> int:
        try:
            errands = await asyncio.to_thread(advance, self._tools, round_)
        except Unavailable:
            self._ended[:0] = round_.ended
            raise
        bodies: dict[str, bytes] = {}
        for errand in errands:
            event_id = errand.claim.event_id
            if event_id not in bodies:
                bodies[event_id] = encode_body(errand.event)
            task = asyncio.create_task(self._carry_out(errand, bodies[event_id]))
            self._under_way[task] = errand
            task.add_done_callback(self._under_way.pop)
        return len(errands)

    def _claims_to_extend(self) -> list[Claim]:
        if time.monotonic() - self._extended_at < _EXTEND_EVERY_SECONDS:
            return []
        self._extended_at = time.monotonic()
        return [errand.claim for errand in self._under_way.values()]

    async def _carry_out(self, errand: Errand, body: bytes) -> None:
        headers = make_headers(errand, body, self._tools.clock.now())
        attempt = await self._sender.send(errand.url, body, headers)
        self._ended.append(Ended(claim=errand.claim, attempt=attempt))
        self._news.set()

    async def _drain(self) -> None:
        """Finish what is under way and record it; begin nothing."""
        deadline = time.monotonic() + _LONGEST_DRAIN_SECONDS
        while (self._under_way or self._ended) and time.monotonic() < deadline:
            if self._under_way:
                await asyncio.wait(self._under_way, return_when=asyncio.FIRST_COMPLETED)
            ended, self._ended = self._ended, []
            round_ = Round(
                worker_id=self._worker_id, ended=ended, under_way=self._claims_to_extend()
            )
            try:
                await self._advance(round_)
            except Unavailable:
                await asyncio.sleep(_PAUSE_WHEN_AWAY_SECONDS)
