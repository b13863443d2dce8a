"""The front of the house: one address, several doors, each behind its own paths."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from starlette.types import ASGIApp, Receive, Scope, Send


@dataclass(frozen=True, slots=True)
class Front:
    """Hands each request to the door whose prefix its path has, and any other to `otherwise`."""

    doors: Mapping[str, ASGIApp]
    otherwise: ASGIApp
    closing: Sequence[Callable[[], None]] = ()
    """What is to be called when nobody comes any more."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Find the door; a prefix ends where a part of the path ends."""
        path: str = scope["path"]
        for prefix, door in self.doors.items():
            if path == prefix or path.startswith(f"{prefix}/"):
                await door(scope, receive, send)
                return
        await self.otherwise(scope, receive, send)

    def close(self) -> None:
        """Wait for what is running behind every door."""
        for close in self.closing:
            close()
