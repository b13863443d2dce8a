"""The client for Python: the main job, lost answers, errors, tokens, webhooks, its README."""

import asyncio
import json
import random
import re
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from typing import Any

import httpx2
import pytest
from scripts.clients import ROOT, written
from tests.acceptance.test_main_job import roundsman as command
from tests.acceptance.test_main_job import serving
from tests.api.conftest import World, inhabitants, world

from roundsman.endpoints import access
from roundsman.kit.leaky_bucket import Rate
from roundsman.webhooks.envelope import sign_message
from roundsman_client import (
    Answered,
    ApiError,
    AsyncRoundsman,
    ConnectionFailed,
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    PermissionDenied,
    Roundsman,
    WebhookRefused,
    unwrap,
)
from roundsman_client.calls import (
    Access,
    Call,
    IncomingResponse,
    OutgoingRequest,
    Pause,
    SignIn,
    carry_out,
)

__all__ = ["inhabitants", "world"]

pytestmark = pytest.mark.spec("decisions §19")

type Json = Any

START: Json = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}


@pytest.mark.parametrize("path", sorted(written()), ids=lambda path: path.name)
def test_what_is_generated_is_current(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == written()[path], "run python -m scripts.clients"


def test_it_is_built_as_a_package(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT / "sdk" / "python", check=True, capture_output=True)  # noqa: S603 -- ours
    (wheel,) = tmp_path.glob("roundsman_client-*.whl")
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())
        (license_,) = (name for name in names if name.endswith("/licenses/LICENSE"))
        assert opened.read(license_) == (ROOT / "LICENSE").read_bytes()
    assert {"roundsman_client/client.py", "roundsman_client/py.typed"} <= names
    assert not any(name.startswith("roundsman/") for name in names)


def stops(count: int) -> Iterator[Json]:
    for number in range(count):
        place = {"latitude": 39.28 + number / 2_000, "longitude": -76.61}
        yield {"orderName": f"#{number}", "coordinates": place}


class _Inbox(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.inbox.put((body, dict(self.headers)))  # type: ignore[attr-defined]
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def inbox() -> Iterator[tuple[str, Queue[tuple[bytes, dict[str, str]]]]]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Inbox)
    arrived: Queue[tuple[bytes, dict[str, str]]] = Queue()
    server.inbox = arrived  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/in", arrived
    server.shutdown()
    server.server_close()


@pytest.fixture
def shop(tmp_path: Path) -> Json:
    """Return an organization's secret and credentials, and where its data are."""
    url = f"sqlite:///{tmp_path / 'roundsman.db'}"
    made = command(tmp_path, url, "organization", "create", "Acme Foods")
    owner = ("--organization", made["organization"], "--email", "dev@example.com")
    key = command(tmp_path, url, "credentials", "create", *owner)
    return {"folder": tmp_path, "url": url, "secret": made["webhookSecret"], **key}


def test_the_main_job_with_a_webhook_that_is_verified(shop: Json) -> None:
    with (
        inbox() as (address, arrived),
        serving(shop["folder"], shop["url"], ROUNDSMAN_WEBHOOK_ALLOW="127.0.0.0/8") as service,
        Roundsman(service, shop["clientId"], shop["clientSecret"]) as roundsman,
    ):
        roundsman.add_webhook({"url": address, "topics": ["ROUTE_DISPATCHED"]})
        imported = list(roundsman.import_all_stops(stops(250)))
        assert len({stop["id"] for stop in imported}) == 250
        route = roundsman.create_route({"name": "Van 1", "start": START})
        chosen: Json = [{"importedStopId": stop["id"]} for stop in imported[::5]]
        added = roundsman.add_route_stops(route["id"], chosen)
        best = roundsman.reoptimize_route(route["id"])
        assert best["totalDistanceMeters"] <= added["totalDistanceMeters"]
        assert best["optimized"]
        dispatched = roundsman.dispatch_route(route["id"])
        body, headers = arrived.get(timeout=30)
        event = unwrap(body, headers, ["QUJD", shop["secret"]])
        assert (event["topic"], event["objectId"]) == ("ROUTE_DISPATCHED", route["id"])
        with pytest.raises(WebhookRefused):
            unwrap(body + b" ", headers, shop["secret"])
        listed = list(roundsman.iterate_imported_stops(unrouted=True, limit=40))
        assert len(listed) == 200
        topics = [one["topic"] for one in roundsman.iterate_events(limit=100)]
        assert topics.count("IMPORTED_STOP_CREATED") == 250
        sheet = roundsman.export_route(route["id"], format_="CSV")
        assert sheet.count(b"\n") >= 50
        assert dispatched["dispatchedUntil"]


def test_the_main_job_awaited(shop: Json) -> None:
    async def work(service: str) -> None:
        async with AsyncRoundsman(service, shop["clientId"], shop["clientSecret"]) as roundsman:
            await roundsman.add_webhook({"url": address, "topics": ["ROUTE_DISPATCHED"]})
            imported = [stop async for stop in roundsman.import_all_stops(stops(5))]
            route = await roundsman.create_route({"start": START})
            chosen: Json = [{"importedStopId": stop["id"]} for stop in imported]
            await roundsman.add_route_stops(route["id"], chosen)
            assert (await roundsman.reoptimize_route(route["id"]))["optimized"]
            await roundsman.dispatch_route(route["id"])
            names = [one["name"] async for one in roundsman.iterate_routes(text="#4")]
            assert names == [route["name"]]
            body, headers = await asyncio.to_thread(arrived.get, timeout=30)
            assert unwrap(body, headers, shop["secret"])["objectId"] == route["id"]
            topics = [one["topic"] async for one in roundsman.iterate_events(limit=2)]
            assert topics.count("IMPORTED_STOP_CREATED") == 5
            assert topics[-1] == "ROUTE_DISPATCHED"

    with (
        inbox() as (address, arrived),
        serving(shop["folder"], shop["url"], ROUNDSMAN_WEBHOOK_ALLOW="127.0.0.0/8") as service,
    ):
        asyncio.run(work(service))


def test_every_example_of_the_readme_runs_alone(
    shop: Json, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = (ROOT / "sdk" / "python" / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert len(examples) == 5
    with serving(shop["folder"], shop["url"]) as service:
        given = {
            "url": service,
            "client_id": shop["clientId"],
            "client_secret": shop["clientSecret"],
            "secret": shop["secret"],
            "next_secret": shop["secret"],
        }
        known: dict[str, Any] = {}
        for example in examples:
            pasted: dict[str, Any] = dict(given)
            exec(compile(example, "README.md", "exec"), pasted)  # noqa: S102 -- our own page
            known |= pasted
    said = capsys.readouterr().out
    assert "'#1'" in said
    assert "stops[0].address" in said or "[0].address" in said
    body = b'{"topic": "TEST", "objectId": "sub-1"}'
    headers = signed(shop["secret"], body)
    assert (known["receive"](body, headers), known["receive"](body + b" ", headers)) == (200, 401)


def signed(secret: str, body: bytes, at: int | None = None) -> dict[str, str]:
    timestamp = int(time.time()) if at is None else at  # noqa: TID251 -- a receiver's clock
    signature = sign_message([secret], "evt-1", timestamp, body)
    return {
        "Webhook-Id": "evt-1",
        "Webhook-Timestamp": str(timestamp),
        "Webhook-Signature": signature,
    }


def test_a_webhook_is_refused_that_is_old_unsigned_or_forged() -> None:
    secret, body = "c2VjcmV0", b'{"topic": "TEST"}'
    headers = signed(secret, body, at=1_000)
    assert unwrap(body, headers, secret, now=1_300)["topic"] == "TEST"
    assert unwrap(body, headers, ["b3RoZXI=", f"whsec_{secret}"], now=700)["topic"] == "TEST"
    for wrong, now in (
        (headers, 1_301),
        (headers, 699),
        ({**headers, "Webhook-Id": "evt-2"}, 1_000),
        ({**headers, "Webhook-Signature": "v1,AAAA"}, 1_000),
        ({**headers, "Webhook-Timestamp": "soon"}, 1_000),
        ({}, 1_000),
    ):
        with pytest.raises(WebhookRefused):
            unwrap(body, wrong, secret, now=now)


@pytest.mark.parametrize("mistyped", ["bad base64!", "c2VjcmV", "", "whsec_", "c2V*jcmV0"])
def test_a_mistyped_secret_is_named_unless_another_has_signed(mistyped: str) -> None:
    secret, body = "c2VjcmV0", b'{"topic": "TEST"}'
    headers = signed(secret, body, at=1_000)
    assert unwrap(body, headers, [mistyped, f" {secret}\n"], now=1_000)["topic"] == "TEST"
    nobody = {**headers, "Webhook-Signature": signed("", body, at=1_000)["Webhook-Signature"]}
    for wrong in (signed("b3RoZXI=", body, at=1_000), nobody):
        with pytest.raises(WebhookRefused, match="secret 2 of 2 is empty or no base64"):
            unwrap(body, wrong, [secret, mistyped], now=1_000)


def connect(
    world: World, transport: httpx2.AsyncBaseTransport | None = None, **options: Any
) -> AsyncRoundsman:
    transport = transport or httpx2.ASGITransport(world.client.interface)
    return AsyncRoundsman(
        "https://roundsman.test",
        world.credentials.client_id,
        options.pop("secret", world.credentials.client_secret),
        http=httpx2.AsyncClient(transport=transport),
        **options,
    )


def ask(world: World, work: Any, **options: Any) -> Json:
    async def talk() -> Json:
        async with connect(world, **options) as roundsman:
            return await work(roundsman)

    return asyncio.run(talk())


def test_a_refusal_is_an_error_of_its_code_with_what_is_wrong(world: World) -> None:
    with pytest.raises(InvalidArgument) as invalid:
        ask(world, lambda client: client.create_route({"start": {}, "colour": "red"}))
    assert {one["field"] for one in invalid.value.violations} >= {"colour"}
    assert invalid.value.request_id
    with pytest.raises(NotFound, match="route not found"):
        ask(world, lambda client: client.get_route("rte-1"))
    with pytest.raises(PermissionDenied):
        ask(world, lambda client: client.get_organization(), secret="wrong")
    route = ask(world, lambda client: client.create_route({"start": START}))
    with pytest.raises(FailedPrecondition) as refused:
        ask(world, lambda client: client.dispatch_route(route["id"]))
    assert refused.value.violations


def test_a_refused_piece_names_stops_of_the_whole_list(world: World) -> None:
    misread = [*stops(201), {"duration": "soon"}, {"clientStopId": "x", "timeWindows": [{"at": 1}]}]

    async def import_all(client: AsyncRoundsman) -> None:
        assert [one async for one in client.import_all_stops(misread)]

    def import_all_at_once() -> None:
        answers = asyncio.Runner()
        asgi = httpx2.AsyncClient(transport=httpx2.ASGITransport(world.client.interface))

        def respond(request: httpx2.Request) -> httpx2.Response:
            copied = asgi.request(
                request.method, request.url, headers=request.headers, content=request.content
            )
            answer = answers.run(copied)
            return httpx2.Response(answer.status_code, content=answer.content)

        http = httpx2.Client(transport=httpx2.MockTransport(respond))
        known = world.credentials
        with (
            answers,
            Roundsman("https://r", known.client_id, known.client_secret, http=http) as client,
        ):
            assert list(client.import_all_stops(misread))

    for work in (lambda: ask(world, import_all), import_all_at_once):
        with pytest.raises(InvalidArgument, match=r"^\[201\]\.duration must be") as refused:
            work()
        fields = {one["field"] for one in refused.value.violations}
        assert fields >= {"[201].duration", "[202].timeWindows[0].at"}
        assert str(refused.value) == refused.value.message


def test_a_token_is_renewed_before_it_ends_and_after_it_was_ended(world: World) -> None:
    async def work(client: AsyncRoundsman) -> None:
        await client.get_organization()
        first = client._access.token
        await client.sign_out()
        await client.get_organization()
        second = client._access.token
        world.clock.advance(minutes=59, seconds=1)
        await client.get_organization()
        assert len({first, second, client._access.token}) == 3

    now = world.clock.now()

    def clock() -> float:
        return (world.clock.now() - now).total_seconds()

    ask(world, work, clock=clock)


class Lossy(httpx2.AsyncBaseTransport):
    """Loses one request in ten before it arrives, or its answer after it."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, seed: int) -> None:
        self.inner = inner
        self.draw = random.Random(seed)  # noqa: S311 -- repeatable losses
        self.lost = 0

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        fate = self.draw.random()
        if fate < 0.05:
            self.lost += 1
            raise httpx2.WriteError("lost on its way")
        answer = await self.inner.handle_async_request(request)
        if fate > 0.95:
            self.lost += 1
            raise httpx2.ReadError("the answer was lost")
        return answer


async def no_pause(_seconds: float) -> None:
    await asyncio.sleep(0)


def test_twenty_callers_of_each_key_have_one_effect(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = 25  # 500 go through a real connection, in test_lossy_connection.py
    monkeypatch.setattr(access, "CLIENT_RATE", Rate(capacity=1_000_000, interval_micros=1))
    transport = Lossy(httpx2.ASGITransport(world.client.interface), seed=keys)
    made: dict[str, set[str]] = {}

    async def one_caller(client: AsyncRoundsman, seed: int) -> None:
        order = [f"key-{number}" for number in range(keys)]
        random.Random(seed).shuffle(order)  # noqa: S311 -- repeatable
        for key in order:
            route = await client.create_route({"name": key, "start": START}, idempotency_key=key)
            made.setdefault(key, set()).add(route["id"])

    async def work(client: AsyncRoundsman) -> None:
        await client.get_organization()
        await asyncio.gather(*(one_caller(client, seed) for seed in range(20)))

    ask(world, work, transport=transport, sleep=no_pause, tries=50)
    assert transport.lost > keys
    assert len(made) == keys
    assert all(len(ids) == 1 for ids in made.values())
    assert world.count("routes") == keys


def steps_of(call: Call, answers: list[Any], tries: int = 3) -> tuple[list[Any], Any]:
    """Return what a call does when it is answered so, and what comes of it."""
    access_ = Access(url="https://r", client_id="c", client_secret="s", tries=tries)
    access_.token, access_.renew_at = "t", 1_000.0
    steps, done = carry_out(access_, call, lambda: 0.0), []
    came: Any = None
    try:
        while True:
            step = steps.send(came)
            done.append(step)
            came = answers.pop(0) if isinstance(step, OutgoingRequest) else None
            if isinstance(step, SignIn):
                came = ConnectionFailed("no token to be had")
    except StopIteration as end:
        return done, end.value
    except Exception as error:  # noqa: BLE001 -- what comes of it
        return done, error


def answer(status: int, body: Json, **headers: str) -> IncomingResponse:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return IncomingResponse(status=status, headers=named, content=json.dumps(body).encode())


def test_a_change_keeps_its_key_and_waits_as_long_as_it_is_told() -> None:
    busy = answer(429, {"code": 8, "message": "slow down"}, retry_after="7")
    call = Call("POST", "/routes", body={}, takes_key=True)
    done, came = steps_of(call, [busy, ConnectionFailed("lost"), answer(200, {"id": "rte-1"})])
    keys = [one.headers["Idempotency-Key"] for one in done if isinstance(one, OutgoingRequest)]
    assert len(keys) == 3
    assert len(set(keys)) == 1
    pauses = [one.seconds for one in done if isinstance(one, Pause)]
    assert pauses[0] == 7
    assert 0.5 <= pauses[1] <= 1
    assert came == {"id": "rte-1"}


def test_who_is_asked_to_wait_is_not_early_and_told_at_once_when_it_is_long() -> None:
    call = Call("POST", "/routes", body={}, takes_key=True)
    busy = answer(429, {"code": 8, "message": "slow down"}, retry_after="90")
    done, _ = steps_of(call, [busy, answer(200, {})])
    assert [one.seconds for one in done if isinstance(one, Pause)] == [90]
    later = {
        "date": "Tue, 24 Nov 2026 10:00:00 GMT",
        "retry_after": "Tue, 24 Nov 2026 10:00:20 GMT",
    }
    away = answer(503, "<html>", **later)
    done, _ = steps_of(call, [away, answer(200, {})])
    assert [one.seconds for one in done if isinstance(one, Pause)] == [20]
    closed = answer(503, "<html>", retry_after="3600")
    done, came = steps_of(call, [closed])
    assert (len(done), came.retry_after) == (1, 3600)
    done, _ = steps_of(call, [answer(503, {}, retry_after="soon"), answer(200, {})])
    assert [0.25 <= one.seconds <= 0.5 for one in done if isinstance(one, Pause)] == [True]


def test_who_gives_up_is_told_the_key_to_go_on_with() -> None:
    call = Call("POST", "/routes", body={}, takes_key=True)
    done, came = steps_of(call, [ConnectionFailed("lost") for _ in range(3)])
    assert isinstance(came, ConnectionFailed)
    sent = [one.headers["Idempotency-Key"] for one in done if isinstance(one, OutgoingRequest)]
    assert sent == [came.idempotency_key] * 3
    _, came = steps_of(call, [answer(401, {"code": 16}), ConnectionFailed("lost")], tries=1)
    assert isinstance(came, ConnectionFailed)
    assert came.idempotency_key


def test_an_answer_of_something_else_than_the_service_is_an_error_of_ours() -> None:
    came = steps_of(Call("GET", "/routes"), [answer(200, {})])[1]
    assert came == {}
    portal = IncomingResponse(status=200, headers={}, content=b"<html>sign in to the Wi-Fi</html>")
    came = steps_of(Call("GET", "/routes"), [portal])[1]
    assert isinstance(came, ApiError)
    assert came.message == "the answer is not JSON"


def test_an_answer_that_was_given_before_says_so(world: World) -> None:
    seen: list[Answered] = []

    async def work(client: AsyncRoundsman) -> None:
        for _ in range(2):
            await client.create_route({"start": START}, idempotency_key="monday-1")
        with pytest.raises(InvalidArgument, match="another request") as reused:
            await client.create_route({"start": START, "name": "x"}, idempotency_key="monday-1")
        assert reused.value.idempotency_key == "monday-1"

    ask(world, work, on_answer=seen.append)
    assert [(one.status, one.was_replayed) for one in seen] == [
        (200, False),
        (200, True),
        (400, False),
    ]
    assert {(one.method, one.path, one.idempotency_key) for one in seen} == {
        ("POST", "/routes", "monday-1")
    }
    assert len({one.request_id for one in seen}) == 3


def test_many_threads_whose_token_ended_get_one_new_token() -> None:
    callers = 20
    all_refused = threading.Barrier(callers, timeout=60)
    two_at_once = threading.Barrier(2, timeout=0.3)
    issued = 0

    def handle(request: httpx2.Request) -> httpx2.Response:
        nonlocal issued
        if request.url.path.endswith("/oauth/token"):
            # Each sign-in takes until another one joins it; nobody does.
            with pytest.raises(threading.BrokenBarrierError):
                two_at_once.wait()
            two_at_once.reset()
            issued += 1
            return httpx2.Response(200, json={"access_token": f"t-{issued}", "expires_in": 3600})
        if request.headers["Authorization"] == "Bearer t-1":
            all_refused.wait()
            return httpx2.Response(401, json={"code": 16, "message": "expired"})
        return httpx2.Response(200, json={"token": request.headers["Authorization"]})

    http = httpx2.Client(transport=httpx2.MockTransport(handle))
    with Roundsman("https://r", "c", "s", http=http) as client, ThreadPoolExecutor(callers) as pool:
        asked = [pool.submit(client.get_organization) for _ in range(callers)]
        answers: list[Json] = [one.result() for one in asked]
    assert answers == [{"token": "Bearer t-2"}] * callers
    assert issued == 2


@pytest.mark.parametrize("ending", ["", "/", "/api/2024-07", "/api/2024-07/"])
def test_an_address_may_have_the_interface_at_its_end(ending: str) -> None:
    asked: list[str] = []

    def respond(request: httpx2.Request) -> httpx2.Response:
        asked.append(str(request.url))
        return httpx2.Response(200, json={"access_token": "t", "expires_in": 3600})

    async def await_it() -> None:
        http = httpx2.AsyncClient(transport=httpx2.MockTransport(respond))
        async with AsyncRoundsman(f"https://r{ending}", "c", "s", http=http) as client:
            await client.get_organization()

    http = httpx2.Client(transport=httpx2.MockTransport(respond))
    with Roundsman(f"https://r{ending}", "c", "s", http=http) as client:
        client.get_organization()
    asyncio.run(await_it())
    once = ["https://r/api/2024-07/oauth/token", "https://r/api/2024-07/organization"]
    assert asked == [*once, *once]


def test_a_late_refusal_of_an_old_token_keeps_the_new_one() -> None:
    access_ = Access(url="https://r", client_id="c", client_secret="s")
    access_.token, access_.renew_at = "old", 1_000.0
    steps = carry_out(access_, Call("GET", "/routes"), lambda: 0.0)
    assert isinstance(next(steps), OutgoingRequest)
    access_.token = "new"  # another caller's, before the refusal arrives
    again = steps.send(answer(401, {"code": 16, "message": "expired"}))
    assert isinstance(again, OutgoingRequest)
    assert again.headers["Authorization"] == "Bearer new"


def test_what_takes_no_key_is_not_sent_again_after_a_lost_answer() -> None:
    call = Call("POST", "/credentials", body={})
    done, came = steps_of(call, [ConnectionFailed("lost")])
    assert (len(done), type(came)) == (1, ConnectionFailed)
    unsent = ConnectionFailed("no one there", was_never_sent=True)
    done, came = steps_of(call, [unsent, answer(200, {})])
    assert ([type(one) for one in done], came) == ([OutgoingRequest, Pause, OutgoingRequest], {})
    done, came = steps_of(call, [answer(502, "<html>")])
    assert (len(done), came.status) == (1, 502)


def test_names_in_paths_and_arguments_are_escaped() -> None:
    call = Call(
        "GET",
        "/stops/imports/{id}",
        path={"id": "a/b ü"},
        query={"query.unrouted": True, "query.text": "x&y", "cursor": None},
    )
    done, _ = steps_of(call, [answer(200, {})])
    assert done[0].url == (
        "https://r/api/2024-07/stops/imports/a%2Fb%20%C3%BC?query.unrouted=true&query.text=x%26y"
    )
