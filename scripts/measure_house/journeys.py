"""Serve a checkout in this process, ask it over HTTP, and write down what that took: a JSON file.

Run by the module itself, with the checkout on the path. It speaks the public interface and the
command line alone, so that one script measures checkouts of different shapes. Each journey is made
twice before it is measured: what is loaded at first use is loaded then.
"""

import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from scripts.measure_house.tracing import Trace, Tracer

_WARM_UPS = 2
_WATCHED = 4
"""How often each journey is made to be measured. The one with the fewest files counts: what others
entered besides, a thread did that looks now and then whether there is work."""

_TIMES = _WARM_UPS + _WATCHED
_STOPS = 8
_SETTLING_SECONDS = 0.1
"""More than what a request leaves to be done after its answer takes, such as a line in the log."""

_START_SECONDS = 300
_START = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}

type Json = Any


def measure(root: Path) -> dict[str, Trace]:
    """Serve, make every journey, and stop; return what each took."""
    tracer = Tracer(root)
    traces: dict[str, Trace] = {}
    with tempfile.TemporaryDirectory(prefix="measure-house-") as data:
        os.environ["ROUNDSMAN_DATA"] = data
        credentials = _make_credentials()
        port = _free_port()
        client = _Client(f"http://127.0.0.1:{port}")

        def travel() -> None:
            try:
                client.wait_until_ready()
                client.sign_in(credentials)
                traces.update(_Journeys(tracer, client).make())
            finally:
                os.kill(os.getpid(), signal.SIGTERM)

        traveller = threading.Thread(target=travel, name="traveller")
        traveller.start()
        sys.argv = ["roundsman", "serve", "--port", str(port)]
        with suppress(SystemExit):
            runpy.run_module("roundsman", run_name="__main__", alter_sys=True)
        traveller.join()
    return traces


def _make_credentials() -> Json:
    made = _run("organization", "create", "House", "--timezone", "UTC")
    return _run("credentials", "create", "--organization", made["organization"], *_EMAIL)


_EMAIL = ("--email", "dev@example.com")


def _run(*words: str) -> Json:
    command = [sys.executable, "-m", "roundsman", *words, "--json"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)  # noqa: S603 -- words of ours
    return json.loads(done.stdout)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@dataclass
class _Client:
    """Sends JSON and gets JSON, as one API client or driver."""

    address: str
    headers: dict[str, str] = field(default_factory=dict)

    def wait_until_ready(self) -> None:
        ends = time.monotonic() + _START_SECONDS
        while True:
            try:
                urllib.request.urlopen(f"{self.address}/readyz", timeout=5).close()  # noqa: S310 -- as below
            except OSError:
                if time.monotonic() > ends:
                    raise
                time.sleep(0.1)
            else:
                return

    def sign_in(self, credentials: Mapping[str, str]) -> None:
        names = ("clientId", "clientSecret")
        answer = self.post("/authenticate", {name: credentials[name] for name in names})
        self.headers["Authorization"] = f"Bearer {answer['accessToken']}"

    def post(self, path: str, body: Json) -> Json:
        return self.ask("POST", f"/api/2024-07{path}", body)

    def ask(self, method: str, path: str, body: Json = None) -> Json:
        content = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Accept": "application/json", **self.headers}
        request = urllib.request.Request(  # noqa: S310 -- an address of this machine
            self.address + path, data=content, headers=headers, method=method
        )
        with urllib.request.urlopen(request, timeout=300) as response:  # noqa: S310 -- as above
            return json.loads(response.read() or b"null")


@dataclass
class _Journeys:
    tracer: Tracer
    client: _Client

    def make(self) -> dict[str, Trace]:
        return {
            "reoptimize": self._reoptimize(),
            "mark delivered": self._mark_delivered(),
            "import stops": self._import_stops(),
        }

    def _watch(self, requests: Sequence[Callable[[], Json]]) -> Trace:
        """Send requests that do the same; return what the quietest of the watched ones took."""
        for request in requests[:_WARM_UPS]:
            request()
        traces = []
        for request in requests[_WARM_UPS:]:
            time.sleep(_SETTLING_SECONDS)
            self.tracer.start()
            try:
                request()
                time.sleep(_SETTLING_SECONDS)
            finally:
                traces.append(self.tracer.stop())
        return min(traces, key=lambda trace: len(trace.files))

    def _reoptimize(self) -> Trace:
        routes = [self._make_route() for _ in range(_TIMES)]
        return self._watch(
            [partial(self.client.post, f"/routes/{id_}/reoptimize", {}) for id_ in routes]
        )

    def _import_stops(self) -> Trace:
        return self._watch([partial(self.client.post, "/stops/imports", _places())] * _TIMES)

    def _mark_delivered(self) -> Trace:
        made = self.client.post("/drivers", _DRIVER)
        token = made["inviteUrl"].rpartition("/")[2]
        device = _Client(self.client.address)
        answer = device.ask("POST", f"/driver/api/invites/{token}", {"device": "phone"})
        device.headers["Authorization"] = f"Bearer {answer['token']}"
        route = self._make_route(driverId=made["driver"]["id"])
        self.client.post(f"/routes/{route}/dispatch", {})
        stops = [stop["id"] for stop in self._find_stops(route)]
        actions = [
            {"kind": "ROUTE_STARTED"},
            *({"kind": "STOP_DELIVERED", "stopId": id_} for id_ in stops[: _TIMES - 1]),
        ]
        return self._watch(
            [
                partial(_act, device, number, {**action, "routeId": route})
                for number, action in enumerate(actions, 1)
            ]
        )

    def _find_stops(self, route: str) -> list[Json]:
        stops: list[Json] = self.client.ask("GET", f"/api/2024-07/routes/{route}")["stops"]
        return stops

    def _make_route(self, **fields: str) -> str:
        now = datetime.now(UTC).isoformat()  # noqa: TID251 -- a driver's device has no other clock
        route: str = self.client.post("/routes", {"start": _START, "scheduledFor": now, **fields})[
            "id"
        ]
        imported = self.client.post("/stops/imports", _places())["stops"]
        added = [{"importedStopId": stop["id"]} for stop in imported]
        self.client.post(f"/routes/{route}/stops", added)
        return route


_DRIVER = {
    "firstName": "Dana",
    "lastName": "Driver",
    "phone": "+14105550123",
    "email": "dana@example.com",
}


def _places() -> list[Json]:
    """Return stops around the start, in an order that can be bettered."""
    return [
        {"coordinates": {"latitude": 39.29 + (place * 3 % 7) / 100, "longitude": -76.61}}
        for place in range(1, _STOPS + 1)
    ]


def _act(device: _Client, number: int, action: Mapping[str, str]) -> None:
    now = datetime.now(UTC).isoformat()  # noqa: TID251 -- the device's clock
    entry = {"id": str(uuid.uuid4()), "sequence": number, "at": now, **action}  # noqa: TID251 -- the device's id
    (result,) = device.ask("POST", "/driver/api/actions", {"actions": [entry]})["results"]
    if result["outcome"] != "APPLIED":
        raise RuntimeError(f"the action was not applied: {result}")


if __name__ == "__main__":
    checkout, target = map(Path, sys.argv[1:])
    found = measure(checkout)
    target.write_text(json.dumps({name: asdict(trace) for name, trace in found.items()}))
