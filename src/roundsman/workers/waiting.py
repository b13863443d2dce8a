"""Waits for an asyncio event with a time limit."""

import asyncio


async def wait_for(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event for at most this long; return whether it was set."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True
