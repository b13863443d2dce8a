"""Tells drivers' phones by push that something has changed: claims who is due, sends, records."""

import asyncio

import structlog

from roundsman.domain.errors import Unavailable
from roundsman.notifications.web_push import make_push_headers
from roundsman.operations.driver_push import (
    OutgoingPush,
    claim_pushes,
    has_due_pushes,
    push_identity,
    record_push,
)
from roundsman.operations.tools import Tools
from roundsman.webhooks.sender import Sender
from roundsman.workers.runner import wait_for

_MOST_AT_ONCE = 20
_LOOK_EVERY_SECONDS = 1.0

_log = structlog.get_logger()


class PushDelivery:
    """The pushes of one process."""

    def __init__(self, tools: Tools, sender: Sender) -> None:
        self._tools = tools
        self._sender = sender
        self._worker_id = tools.ids.new_uuid()

    async def run(self, stopping: asyncio.Event) -> None:
        """Tell who is due until stopped; then finish what is under way."""
        async with self._sender:
            while not stopping.is_set():
                try:
                    if await asyncio.to_thread(has_due_pushes, self._tools):
                        await self._go_on()
                except Unavailable as error:
                    # A claim that could not be settled ends by itself: the phone is told twice.
                    _log.warning("pushes_wait_for_database", reason=str(error))
                await wait_for(stopping, _LOOK_EVERY_SECONDS)

    async def send_due(self) -> None:
        """Tell who is due now, then return."""
        async with self._sender:
            while await self._go_on():
                pass

    async def _go_on(self) -> int:
        claimed = await asyncio.to_thread(claim_pushes, self._tools, self._worker_id, _MOST_AT_ONCE)
        await asyncio.gather(*(self._send(outgoing) for outgoing in claimed))
        return len(claimed)

    async def _send(self, outgoing: OutgoingPush) -> None:
        now = self._tools.clock.now()
        headers = make_push_headers(push_identity(self._tools), outgoing.endpoint, now)
        attempt = await self._sender.send(outgoing.endpoint, b"", headers)
        await asyncio.to_thread(record_push, self._tools, outgoing, attempt)
