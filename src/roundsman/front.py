"""The front of the house: one address, several doors, each behind its own paths."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from starlette.types import ASGIApp, Receive, Scope, Send

from roundsman.doors.error_pages import as_page, wants_error_page


@dataclass(frozen=True, slots=True)
class Front:
    """Hands each request to the door whose name its path begins with, any other to `otherwise`."""

    doors: Mapping[str, ASGIApp]
    """By the first part of a path, with its slash."""

    otherwise: ASGIApp
    closing: Sequence[Callable[[], None]] = ()
    """What is to be called when nobody comes any more."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Find the door."""
        path: str = scope["path"]
        name = path[: path.find("/", 1)] if "/" in path[1:] else path
        if wants_error_page(scope):
            send = as_page(scope, receive, send)
        await self.doors.get(name, self.otherwise)(scope, receive, send)

    def close(self) -> None:
        """Wait for what is running behind every door."""
        for close in self.closing:
            close()
