"""Sends messages to customers: claims what is due, sends some at once, records how it went.

E-mail is handed over in threads of its own: in those that the loop has for all, letters to a slow
mail server would keep waiting what is claimed, sent and recorded beside them. Text messages go by
the client that sends events. A claim is kept while its attempt goes on; one whose worker has died
is due again by itself (`storage/leases.py`).
"""

import asyncio
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import structlog

from roundsman.domain.errors import Unavailable
from roundsman.domain.event_delivery import Attempt
from roundsman.domain.message import HOPELESS_ANSWERS
from roundsman.domain.model import UNSET, UnsetType
from roundsman.notifications.email import Handover, send_letter
from roundsman.notifications.sms_gateway import GatewayRequest
from roundsman.operations.message_sending import (
    Outgoing,
    claim_messages,
    extend_messages,
    has_due_messages,
    mail_of,
    record_sending,
)
from roundsman.operations.message_writing import note_slips
from roundsman.operations.tools import Tools
from roundsman.storage.fair_claims import Room
from roundsman.storage.leases import LEASE
from roundsman.webhooks.sender import Sender
from roundsman.workers.runner import wait_for

_MOST_AT_ONCE = 30
_MOST_EACH = 10
"""Of one organization, whose gateway may be silent: the others go on in the places left."""

_LOOK_EVERY_SECONDS = 1.0
_EXTENSIONS_A_LEASE = 3
_LOOK_FOR_SLIPS_EVERY_SECONDS = 20.0
_TRY_TO_RECORD_EVERY_SECONDS = 1.0

_log = structlog.get_logger()


class MessageDelivery:
    """The sending of messages of one process."""

    def __init__(self, tools: Tools, sender: Sender, lease: timedelta = LEASE) -> None:
        self._tools = tools
        self._sender = sender
        self._lease = lease
        self._extend_every_seconds = lease.total_seconds() / _EXTENSIONS_A_LEASE
        self._worker_id = tools.ids.new_uuid()
        self._letters = ThreadPoolExecutor(_MOST_AT_ONCE, thread_name_prefix="letters")
        self._under_way: dict[asyncio.Task[None], Outgoing] = {}
        self._extended_at = self._slips_noted_at = float("-inf")

    async def run(self, stopping: asyncio.Event) -> None:
        """Send what is due until stopped; then finish what is under way."""
        async with self._sender:
            try:
                while not stopping.is_set():
                    try:
                        await self._go_on()
                    except Unavailable as error:
                        _log.warning("messages_wait_for_database", reason=str(error))
                    await wait_for(stopping, min(_LOOK_EVERY_SECONDS, self._extend_every_seconds))
            finally:
                await self._finish()
                self._letters.shutdown()

    async def send_due(self) -> None:
        """Send and record what is due now, then return."""
        async with self._sender:
            await asyncio.to_thread(note_slips, self._tools)
            while await self._claim() or self._under_way:
                if self._under_way:
                    await asyncio.wait(self._under_way)

    async def _go_on(self) -> None:
        now = time.monotonic()
        if now - self._slips_noted_at >= _LOOK_FOR_SLIPS_EVERY_SECONDS:
            self._slips_noted_at = now
            await asyncio.to_thread(note_slips, self._tools)
        await self._extend()
        if await asyncio.to_thread(has_due_messages, self._tools):
            await self._claim()

    async def _extend(self) -> None:
        since = time.monotonic() - self._extended_at
        if self._under_way and since >= self._extend_every_seconds:
            self._extended_at = time.monotonic()
            claims = [outgoing.claim for outgoing in self._under_way.values()]
            await asyncio.to_thread(extend_messages, self._tools, claims, self._lease)

    async def _claim(self) -> int:
        count = _MOST_AT_ONCE - len(self._under_way)
        if count <= 0:
            return 0
        claimed = await asyncio.to_thread(
            claim_messages, self._tools, self._worker_id, self._room(count), self._lease
        )
        for outgoing in claimed:
            task = asyncio.create_task(self._carry_out(outgoing))
            self._under_way[task] = outgoing
            task.add_done_callback(self._under_way.pop)
        return len(claimed)

    def _room(self, count: int) -> Room:
        own = Counter(outgoing.organization_id for outgoing in self._under_way.values())
        return Room(count=count, most_each=_MOST_EACH, under_way=own)

    async def _carry_out(self, outgoing: Outgoing) -> None:
        result, retry_after = await self._send(outgoing)
        while True:
            try:
                await asyncio.to_thread(record_sending, self._tools, outgoing, result, retry_after)
            except Unavailable as error:
                # What was sent is not sent again because the database is away for a while.
                _log.warning("message_waits_for_database", reason=str(error))
                await asyncio.sleep(_TRY_TO_RECORD_EVERY_SECONDS)
            else:
                return

    async def _send(self, outgoing: Outgoing) -> tuple[Handover, timedelta | UnsetType]:
        if outgoing.letter is not None:
            now = self._tools.clock.now()
            handed = await asyncio.get_running_loop().run_in_executor(
                self._letters, send_letter, mail_of(self._tools), outgoing.letter, now
            )
            return handed, UNSET
        if outgoing.gateway is None:
            raise RuntimeError("a message was claimed that nobody takes")
        attempt = await self._request(outgoing.gateway)
        return _judge(attempt, takes_key=outgoing.takes_key), attempt.retry_after

    async def _request(self, request: GatewayRequest) -> Attempt:
        return await self._sender.send(request.url, request.body, request.headers, request.method)

    async def _finish(self) -> None:
        """Wait for what is under way, and keep its claims meanwhile."""
        while self._under_way:
            await asyncio.wait(self._under_way, timeout=self._extend_every_seconds)
            try:
                await self._extend()
            except Unavailable as error:
                _log.warning("messages_wait_for_database", reason=str(error))


def _judge(attempt: Attempt, *, takes_key: bool) -> Handover:
    """Return what an answer of a gateway means."""
    if attempt.is_success():
        return Handover()
    if attempt.status in HOPELESS_ANSWERS:
        return Handover(error=f"the gateway answered {attempt.status}", is_final=True)
    if attempt.status:
        return Handover(error=f"the gateway answered {attempt.status}")
    if not attempt.is_unsent() and not takes_key:
        error = f"{attempt.error}; the gateway takes no {{id}}, so it may have been sent"
        return Handover(error=error, is_final=True)
    return Handover(error=attempt.error)
