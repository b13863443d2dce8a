"""Nobody's long body is collected before it is known whose it is."""

import asyncio
from typing import Any

import pytest
from starlette.types import ASGIApp
from tests.api.conftest import World

from roundsman.api.app import BASE_PATH
from roundsman.app import make_application
from roundsman.settings import Settings

LONG = 7 * 1024 * 1024
IMPORTS = f"{BASE_PATH}/stops/imports"
REOPTIMIZE = f"{BASE_PATH}/routes/rte-1/reoptimize"

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def send(app: ASGIApp, path: str, method: str = "POST", **headers: str) -> tuple[int, int]:
    """Send a request with an endless body; return the status, and how often it was read."""
    reads, statuses = 0, []

    async def receive() -> Any:
        nonlocal reads
        reads += 1
        return {"type": "http.request", "body": b" " * 65_536, "more_body": True}

    async def answer(message: Any) -> None:
        statuses.append(message.get("status"))

    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "scheme": "https",
        "client": ("203.0.113.7", 1),
        "headers": [
            (name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()
        ],
    }

    async def run() -> None:
        await app(scope, receive, answer)

    asyncio.run(run())
    return statuses[0], reads


@pytest.mark.spec("decisions §1")
def test_a_long_body_is_read_only_from_those_who_may_send_it(world: World) -> None:
    front = make_application(Settings(), world.tools)
    known = world.client.headers["Authorization"]
    long, endless = {"content_length": str(LONG)}, {"transfer_encoding": "chunked"}
    try:
        for size in (long, endless):
            for path, method in ((IMPORTS, "POST"), (REOPTIMIZE, "POST")):
                assert send(front, path, method, **size) == (401, 0)
                token = {"authorization": "Bearer nonsense"}
                assert send(front, path, method, **size, **token) == (401, 0)
                # Of a client it is read, until it is longer than a body may be.
                status, reads = send(front, path, method, **size, authorization=known)
                assert (status, reads) == (413, 129)
            upload = "/driver/api/uploads/00000000-0000-4000-8000-000000000000"
            assert send(front, upload, "PUT", **size) == (401, 0)
            assert send(front, "/driver/api/actions", **size) == (401, 0)
    finally:
        front.close()


@pytest.mark.spec("decisions §1")
def test_a_body_that_says_it_is_too_long_is_not_read_at_all(world: World) -> None:
    front = make_application(Settings(), world.tools)
    known = world.client.headers["Authorization"]
    too_long = {"content_length": str(8 * 1024 * 1024 + 1)}
    try:
        assert send(front, IMPORTS, authorization=known, **too_long) == (413, 0)
        assert send(front, f"{BASE_PATH}/authenticate", content_length="16385") == (413, 0)
        assert send(front, "/ratings/x", content_length="16385") == (413, 0)
    finally:
        front.close()
