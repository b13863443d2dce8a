"""Visits shops: once a minute each, at once after a hook or a change of a stop; some at a time.

Each visit goes on in a thread of its own. Its claim is kept meanwhile; one whose worker has died is
due again by itself (`storage/leases.py`).
"""

import asyncio
import time
from collections import Counter
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor

import structlog

from roundsman.domain.errors import Unavailable
from roundsman.operations.storefront_visits import (
    HookUrl,
    claim_visits,
    extend_visit_claims,
    fail_visit,
    is_any_shop_due,
    visit_shop,
)
from roundsman.operations.tools import Tools
from roundsman.storage.fair_claims import Room
from roundsman.storage.storefronts import VisitClaim
from roundsman.workers.runner import wait_for

_MOST_AT_ONCE = 8
_MOST_EACH = 2
"""Of one organization, whose shops may be silent: the others go on in the places left."""

_LOOK_EVERY_SECONDS = 1.0
_EXTEND_EVERY_SECONDS = 2.0

_log = structlog.get_logger()


class StorefrontVisits:
    """The visits of one process."""

    def __init__(self, tools: Tools, hook_url: HookUrl) -> None:
        self._tools = tools
        self._hook_url = hook_url
        self._worker_id = tools.ids.new_uuid()
        # In those that the loop has for all, visits of silent shops would keep everything waiting.
        self._threads = ThreadPoolExecutor(_MOST_AT_ONCE, thread_name_prefix="visits")
        self._under_way: dict[asyncio.Task[None], VisitClaim] = {}
        self._stopping = asyncio.Event()
        self._extended_at = float("-inf")

    async def run(self, stopping: asyncio.Event) -> None:
        """Visit what is due until stopped; then let visits end their present step."""
        self._stopping = stopping
        try:
            while not stopping.is_set():
                try:
                    await self._go_on()
                except Unavailable as error:
                    _log.warning("storefronts_wait_for_database", reason=str(error))
                await wait_for(stopping, _LOOK_EVERY_SECONDS)
        finally:
            await self._finish()
            self._threads.shutdown()

    async def visit_due(self, among: Collection[str] | None = None) -> None:
        """Make the visits that are due now, of all shops or of some, then return."""
        while await self._claim(among) or self._under_way:
            if self._under_way:
                await asyncio.wait(self._under_way, timeout=_EXTEND_EVERY_SECONDS)
                await self._extend()

    async def _go_on(self) -> None:
        await self._extend()
        if await asyncio.to_thread(is_any_shop_due, self._tools):
            await self._claim()

    async def _extend(self) -> None:
        if self._under_way and time.monotonic() - self._extended_at >= _EXTEND_EVERY_SECONDS:
            self._extended_at = time.monotonic()
            claims = list(self._under_way.values())
            await asyncio.to_thread(extend_visit_claims, self._tools, claims)

    async def _claim(self, among: Collection[str] | None = None) -> int:
        count = _MOST_AT_ONCE - len(self._under_way)
        if count <= 0:
            return 0
        own = Counter(claim.organization_id for claim in self._under_way.values())
        room = Room(count=count, most_each=_MOST_EACH, under_way=own)
        claimed = await asyncio.to_thread(claim_visits, self._tools, self._worker_id, room, among)
        for claim in claimed:
            task = asyncio.create_task(self._visit_apart(claim))
            self._under_way[task] = claim
            task.add_done_callback(self._under_way.pop)
        return len(claimed)

    async def _visit_apart(self, claim: VisitClaim) -> None:
        await asyncio.get_running_loop().run_in_executor(self._threads, self._visit, claim)

    def _visit(self, claim: VisitClaim) -> None:
        try:
            try:
                visit_shop(self._tools, claim, self._hook_url, self._stopping.is_set)
            except Unavailable:
                raise
            except Exception:  # noqa: BLE001 -- a door
                _log.exception("storefront_visit_broke", storefront=claim.storefront_id)
                fail_visit(self._tools, claim)
        except Unavailable as error:
            # The claim is not kept any more, so the visit is made again when it ends.
            _log.warning("storefronts_wait_for_database", reason=str(error))

    async def _finish(self) -> None:
        """Wait for what is under way, and keep its claims meanwhile."""
        while self._under_way:
            await asyncio.wait(self._under_way, timeout=_EXTEND_EVERY_SECONDS)
            try:
                await self._extend()
            except Unavailable as error:
                _log.warning("storefronts_wait_for_database", reason=str(error))
