"""Everything that one server answers: each door below its own path."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from starlette.types import Receive, Scope, Send


class ServedDoor(Protocol):
    """An ASGI application with threads of its own."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        ...

    def close(self) -> None:
        """Wait for what is running."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Site:
    """Hands each request to the door of its path; the public interface answers the rest."""

    doors: Sequence[tuple[str, ServedDoor]]
    otherwise: ServedDoor

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Find the door and let it answer."""
        path: str = scope.get("path", "")
        door = next((door for prefix, door in self.doors if path.startswith(prefix)), None)
        await (door or self.otherwise)(scope, receive, send)

    def close(self) -> None:
        """Close every door."""
        for _, door in self.doors:
            door.close()
        self.otherwise.close()
