"""Operations that take long notice that nobody waits for them."""

import asyncio
import threading
from collections.abc import MutableMapping
from typing import Any

from starlette.responses import Response
from tests.api.conftest import World, inhabitants, world

from roundsman.endpoints.access import Anybody, HttpRequest
from roundsman.endpoints.application import Application, Door, Doors
from roundsman.endpoints.operation import Operations
from roundsman.endpoints.transport import Transport

__all__ = ["inhabitants", "world"]


def test_an_operation_that_takes_long_notices_that_its_client_hangs_up(world: World) -> None:
    begun, noticed = threading.Event(), threading.Event()

    operations = Operations("Work", Anybody())

    @operations.add("PUT", "/work", notices_departure=True)
    def work(http: HttpRequest) -> Response:
        begun.set()
        while not http.has_left():
            pass
        noticed.set()
        return Response()

    door = Application(
        Doors([Door(prefix="", operations=operations.listed)]), world.tools, Transport()
    )
    asked = iter(({"type": "http.request", "body": b"all"},))

    async def receive() -> MutableMapping[str, Any]:
        for message in asked:
            return message
        await asyncio.to_thread(begun.wait)
        return {"type": "http.disconnect"}

    async def send(_message: MutableMapping[str, Any]) -> None:
        pass

    scope = {
        "type": "http",
        "method": "PUT",
        "path": "/work",
        "query_string": b"",
        "headers": [],
        "client": ("127.0.0.1", 1),
        "scheme": "http",
        "server": ("127.0.0.1", 80),
    }
    asyncio.run(asyncio.wait_for(door(scope, receive, send), 30))
    door.close()
    assert noticed.is_set()
