"""Waiting for an event, but not for ever."""

import asyncio


async def wait_for(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event, but not longer than this; say whether it came."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True
