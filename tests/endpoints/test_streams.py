"""Answers that go on while things happen, over real sockets."""

import asyncio
import json
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from structlog.testing import capture_logs
from tests.api.conftest import World, inhabitants, world
from tests.support.streaming import HEARTBEAT, SOON, Client, serving, sign_in
from tests.support.waiting import wait_until

from roundsman.domain.model import Model
from roundsman.domain.principal import Scope
from roundsman.domain.queries import Query
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.application import Application, Door, Doors
from roundsman.endpoints.connections import ConnectionTimeouts
from roundsman.endpoints.openapi import Description
from roundsman.endpoints.operation import Operations
from roundsman.endpoints.streams import EventStream, RunInThread, ServerSentEvent, StreamLimits
from roundsman.endpoints.transport import Transport
from roundsman.installation import make_registrar
from roundsman.operations.api_clients import (
    finish_rotation,
    rotate_secret,
)
from roundsman.operations.tools import Tools

__all__ = ["inhabitants", "world"]

LARGE = b'"' + b"x" * 1_000_000 + b'"'


class Choice(Model):
    """What a client asks a stream for."""

    size: int = 0


@dataclass
class Board:
    """Streams to everybody what is posted."""

    opened: int = 0
    closed: int = 0
    _queues: list[asyncio.Queue[bytes]] = field(default_factory=list)
    _loop: asyncio.AbstractEventLoop | None = None

    async def follow(self, tools: Tools, run: RunInThread) -> AsyncGenerator[ServerSentEvent]:
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._queues.append(queue)
        self.opened += 1
        try:
            yield ServerSentEvent(name="now", data=await run(count_organizations, tools))
            while True:
                data = await queue.get()
                yield ServerSentEvent(name="change", id=f"after-{data.decode()}", data=data)
        finally:
            self.closed += 1

    async def flood(self) -> AsyncGenerator[ServerSentEvent]:
        self.opened += 1
        try:
            while True:
                yield ServerSentEvent(name="flood", data=LARGE)
        finally:
            self.closed += 1

    async def fail(self) -> AsyncGenerator[ServerSentEvent]:
        yield ServerSentEvent(name="now", data=b"{}")
        raise ZeroDivisionError

    def post(self, data: bytes) -> None:
        assert self._loop is not None
        for queue in self._queues:
            self._loop.call_soon_threadsafe(queue.put_nowait, data)


def count_organizations(tools: Tools) -> bytes:
    with tools.database.reading() as tx:
        count = tx.exec_driver_sql("SELECT count(*) FROM organizations").scalar_one()
    return json.dumps([threading.current_thread().name[:4], count]).encode()


def operations_of(board: Board) -> Operations:
    operations = Operations("Streams", ApiClient(), Scope.SETTINGS)

    @operations.add("GET", "/follow", summary="Follow what is posted")
    def follow(tools: Tools, query: Query[Choice]) -> EventStream:
        assert query is not None
        return EventStream(lambda streams: board.follow(tools, streams.run_in_thread))

    @operations.add("GET", "/flood")
    def flood() -> EventStream:
        return EventStream(lambda _run: board.flood())

    @operations.add("GET", "/fail")
    def fail() -> EventStream:
        return EventStream(lambda _run: board.fail())

    @operations.add("GET", "/secret", scope=Scope.SETTINGS)
    def secret() -> EventStream:
        return EventStream(lambda _run: board.flood())

    return operations


@dataclass
class Running:
    address: tuple[str, int]
    board: Board
    stop: Callable[[], bool]
    """Stops the server and says whether it ended soon."""


@contextmanager
def running(
    world: World, *, timeouts: ConnectionTimeouts | None = None, limits: StreamLimits | None = None
) -> Iterator[Running]:
    board = Board()
    door = Door(prefix="", operations=operations_of(board).listed)
    streams = limits or StreamLimits()
    application = Application(Doors([door]), world.tools, Transport(), stream_limits=streams)
    with serving(application, timeouts) as served:
        yield Running(served.address, board, served.stop)


def test_what_happens_arrives_before_the_answer_ends(world: World) -> None:
    _, token = sign_in(world)
    with running(world) as server, Client(server.address, "/follow", token) as client:
        assert client.status == 200
        assert client.headers["content-type"] == "text/event-stream"
        assert client.headers["cache-control"] == "no-store"
        assert client.headers["ratelimit-remaining"] == "119"
        assert client.headers["x-request-id"]
        assert "content-encoding" not in client.headers
        assert client.event()
        for number in (b"1", b"2"):
            server.board.post(number)
            assert client.event() == b"event: change\nid: after-%b\ndata: %b\n\n" % (number, number)
        assert server.board.closed == 0


def test_what_a_stream_reads_is_read_in_a_thread_of_reads(world: World) -> None:
    _, token = sign_in(world)
    with running(world) as server, Client(server.address, "/follow", token) as client:
        assert client.event() == b'event: now\ndata: ["read", 2]\n\n'


def test_who_may_not_have_a_stream_is_refused_before_it_begins(world: World) -> None:
    _, token = sign_in(world, frozenset((Scope.READ,)))
    refused = {
        ("/follow", "nobody's"): (401, 16),
        ("/secret", token): (403, 7),
        ("/follow?query.size=many", token): (400, 3),
        ("/follow?query.sise=1", token): (400, 3),
    }
    with running(world) as server:
        for (path, shown), answer in refused.items():
            with Client(server.address, path, shown) as client:
                assert (client.status, client.json()["code"]) == answer, path
        assert server.board.opened == 0


def test_a_client_who_leaves_ends_the_stream(world: World) -> None:
    _, token = sign_in(world)
    with running(world) as server:
        with Client(server.address, "/follow", token) as client:
            assert client.event()
            assert server.board.closed == 0
        wait_until(lambda: server.board.closed == 1)


def test_one_principal_has_twenty_streams_at_the_same_time_and_another_has_as_many(
    world: World,
) -> None:
    (_, token), (_, another) = sign_in(world), sign_in(world)
    with running(world) as server, ExitStack() as open_streams:
        clients = [
            open_streams.enter_context(Client(server.address, "/follow", token)) for _ in range(20)
        ]
        assert {client.status for client in clients} == {200}
        with Client(server.address, "/follow", token) as one_too_many:
            assert one_too_many.status == 429
            assert one_too_many.headers["retry-after"] == "15"
            assert one_too_many.json() == {
                "code": 8,
                "message": "at most 20 streams may be open at the same time",
            }
        with Client(server.address, "/follow", another) as client:
            assert client.status == 200
        clients[0].close()

        def is_let_in() -> bool:
            with Client(server.address, "/follow", token) as client:
                return client.status == 200

        wait_until(is_let_in)


def test_a_server_that_stops_ends_streams_and_does_not_wait_for_them(world: World) -> None:
    _, token = sign_in(world)
    with running(world) as server, Client(server.address, "/follow", token) as client:
        assert client.event()
        assert server.stop()
        assert client.event() == b""
        assert client.connection.recv(1) == b""
        assert server.board.closed == 1


def test_a_server_that_stops_does_not_wait_for_who_does_not_read(world: World) -> None:
    _, token = sign_in(world)
    with running(world) as server, Client(server.address, "/flood", token):
        wait_until(lambda: server.board.opened == 1)
        assert server.stop()
        assert server.board.closed == 1


def test_a_stream_outlasts_the_limits_of_slow_clients(world: World) -> None:
    _, token = sign_in(world)
    quick = ConnectionTimeouts(head=0.1, body=0.1, answer=0.1)
    limits = StreamLimits(heartbeat_seconds=0.05)
    with (
        running(world, timeouts=quick, limits=limits) as server,
        Client(server.address, "/follow", token) as client,
    ):
        assert client.event()
        assert [client.part() for _ in range(10)] == [HEARTBEAT] * 10


def test_who_stops_reading_is_dropped(world: World) -> None:
    _, token = sign_in(world)
    with (
        running(world, timeouts=ConnectionTimeouts(answer=0.1)) as server,
        Client(server.address, "/flood", token) as client,
    ):
        wait_until(lambda: server.board.closed == 1)
        with suppress(ConnectionResetError):
            while client.connection.recv(1_000_000):
                pass


def test_a_token_that_is_revoked_ends_its_streams(world: World) -> None:
    client_id, token = sign_in(world)
    limits = StreamLimits(heartbeat_seconds=0.05)
    with (
        running(world, limits=limits) as server,
        Client(server.address, "/follow", token) as client,
    ):
        assert client.event()
        assert client.part() == HEARTBEAT
        rotate_secret(make_registrar(world.tools), client_id)
        finish_rotation(make_registrar(world.tools), client_id)
        assert client.event() == b""


def test_a_stream_ends_after_its_longest_time(world: World) -> None:
    _, token = sign_in(world)
    with (
        running(world, limits=StreamLimits(longest_seconds=0.3)) as server,
        Client(server.address, "/follow", token) as client,
    ):
        while client.event():  # the first comes in time where the machine is not too busy
            pass
        assert server.board.closed == server.board.opened


def test_a_bug_in_a_stream_ends_it_and_is_logged_with_its_trace(world: World) -> None:
    _, token = sign_in(world)
    with (
        capture_logs() as logged,
        running(world) as server,
        Client(server.address, "/fail", token) as client,
    ):
        assert client.event()
        assert client.event() == b""
    [failed] = [line for line in logged if line["event"] == "request_failed"]
    assert failed["request_id"] == client.headers["x-request-id"]
    assert isinstance(failed["exc_info"], ZeroDivisionError)


def test_the_headers_of_a_stream_can_be_asked_for_alone(world: World) -> None:
    _, token = sign_in(world)
    with running(world) as server:
        with Client(server.address, "/follow", token, method="HEAD") as client:
            assert client.headers["content-type"] == "text/event-stream"
        assert server.board.opened == 0


def test_a_stream_is_described_by_its_media_type() -> None:
    description = Description(
        title="", version="", summary="", base_path="", operations=operations_of(Board()).listed
    )
    answers = json.loads(description.render())["paths"]["/follow"]["get"]["responses"]
    assert answers["200"]["content"] == {"text/event-stream": {"schema": {"type": "string"}}}
    assert "RateLimit-Remaining" in answers["200"]["headers"]
    assert answers["429"]["content"].keys() == {"application/json"}


SERVE_WITH_A_STREAM = """
import asyncio, sys
import roundsman.app
from roundsman.endpoints.access import Anybody
from roundsman.endpoints.application import Door
from roundsman.endpoints.operation import Operations
from roundsman.endpoints.streams import EventStream, ServerSentEvent
from roundsman.cli.main import app

operations = Operations("Streams", Anybody())

async def events(_run):
    yield ServerSentEvent(name="now", data=b"{}")
    await asyncio.Event().wait()

@operations.add("GET", "/follow")
def follow() -> EventStream:
    return EventStream(events)

roundsman.app.open_console_door = lambda: Door(prefix="/test", operations=operations.listed)
sys.argv = ["roundsman", "serve", "--port", "0", "--data", sys.argv[1]]
app()
"""


def test_sigterm_ends_the_streams_of_a_server_and_the_server(tmp_path: Path) -> None:
    with subprocess.Popen(  # noqa: S603 -- our own interpreter
        [sys.executable, "-c", SERVE_WITH_A_STREAM, str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        line = next(line for line in process.stdout if line.startswith("listening on "))
        address = ("127.0.0.1", int(line.rpartition(":")[2]))
        with Client(address, "/test/follow", "") as client:
            assert client.event() == b"event: now\ndata: {}\n\n"
            process.send_signal(signal.SIGTERM)
            assert client.event() == b""
        assert process.wait(SOON / 2) == 0
        logged = [json.loads(line)["event"] for line in process.stderr.read().splitlines()]
    assert logged == ["request"]
