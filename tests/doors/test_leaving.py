import asyncio
import threading
from collections.abc import MutableMapping
from typing import Any

from starlette.responses import Response
from tests.world import CountingIds

from roundsman.doors.door import Arrival, Door, Endpoint
from roundsman.doors.transport import Transport


def test_what_takes_long_is_told_when_its_client_hangs_up() -> None:
    begun, noticed = threading.Event(), threading.Event()

    def work(arrival: Arrival) -> Response:
        begun.set()
        while not arrival.has_left():
            pass
        noticed.set()
        return Response()

    endpoint = Endpoint(id="work", method="PUT", path="/work", handle=work, may_be_left=True)
    door = Door(endpoints=[endpoint], transport=Transport(), ids=CountingIds())
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
