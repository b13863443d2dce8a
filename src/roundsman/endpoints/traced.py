"""A door whose requests are recorded as spans; put in front of it only while somebody traces."""

from dataclasses import dataclass

from starlette.types import ASGIApp, Receive, Scope, Send

from roundsman.kit.tracing import Side, begin_trace

_METHODS = frozenset(
    ("CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE", "QUERY")
)
_PARENT = b"traceparent"


@dataclass(frozen=True, slots=True)
class TracedDoor:
    """Records each request from its first byte to the last of its answer."""

    door: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through; what the door notes of it (`noting`) is told with the span."""
        # Whatever else is sent as a method is the sender's own word, and not to be told.
        method = scope["method"] if scope["method"] in _METHODS else "_OTHER"
        parents = [value for name, value in scope["headers"] if name == _PARENT]
        parent = parents[0].decode("latin-1") if len(parents) == 1 else ""
        with begin_trace("request", Side.ANSWERING, traceparent=parent, method=method):
            await self.door(scope, receive, send)
