"""One organization asks for as much as it is let; another one beside it does its usual work."""

import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import httpx2 as httpx
from tests.torture.installation import Installation, installed
from tests.torture.load import STOP
from tests.torture.planners import Answered, ask, percentile, sign_in

_GREEDY_CLIENTS = 4
_STOPS_OF_A_ROUTE = 200
_PAUSE_SECONDS = 0.2
_SLOWEST_SECONDS = 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Beside:
    """How long a usual client waited alone, and beside a greedy organization."""

    seconds: float
    greedy_answers: int
    greedy_refusals: int
    """How many requests of the greedy ones were refused for their number."""

    requests: int
    failed: int
    """Requests of the usual client that were not answered 200."""

    alone: float
    """Seconds within which 95 of 100 of its requests were answered."""

    beside: float
    longest: float

    def bound(self) -> str:
        """Say when it holds."""
        return f"none failed, 95 of 100 within {_SLOWEST_SECONDS:g} s"

    def holds(self) -> bool:
        return self.failed == 0 and self.beside <= _SLOWEST_SECONDS

    def __str__(self) -> str:
        return (
            f"of a greedy organization {self.greedy_answers} requests answered and"
            f" {self.greedy_refusals} refused in {self.seconds:.0f} s: another one's"
            f" {self.requests} requests, {self.failed} failed, 95 of 100 within"
            f" {self.beside:.2f} s ({self.alone:.2f} s alone), the longest {self.longest:.2f} s"
        )


def work_beside_greedy(kind: str, *, seconds: float, port: int) -> Beside:
    """Let one organization import, add and reoptimize without a pause, and time another one."""
    with (
        installed(kind, port, clients=_GREEDY_CLIENTS) as installation,
        (installation.data / "log").open("wb") as log,
        httpx.Client(base_url=installation.address, timeout=60) as usual,
    ):
        other = installation.add_organization("Usual", clients=1)
        (server,) = installation.processes(log, workers=0)
        with server.serving():
            sign_in(usual, other[0])
            alone = _work(usual, seconds / 4)
            with _greedy(installation) as answers:
                beside = _work(usual, seconds)
    greedy = Counter(answers)
    return Beside(
        seconds=seconds,
        greedy_answers=greedy.total() - greedy[429],
        greedy_refusals=greedy[429],
        requests=len(beside),
        failed=sum(one.status != 200 for one in beside),
        alone=percentile([one.seconds for one in alone], 0.95),
        beside=percentile([one.seconds for one in beside], 0.95),
        longest=max(one.seconds for one in beside),
    )


def _work(http: httpx.Client, seconds: float) -> Sequence[Answered]:
    """Read and write as a planner's program does, some requests a second."""
    answers = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        answers.append(ask(http, "GET", "/stops/imports?query.limit=20"))
        answers.append(ask(http, "POST", "/stops/imports", [STOP]))
        time.sleep(_PAUSE_SECONDS)
    return answers


@contextmanager
def _greedy(installation: Installation) -> Iterator[list[int]]:
    """Keep every client of the first organization busy; yield the statuses that it was answered."""
    statuses: list[int] = []
    is_over = threading.Event()

    def run(credentials: tuple[str, str]) -> None:
        with httpx.Client(base_url=installation.address, timeout=60) as http:
            sign_in(http, credentials)
            while not is_over.is_set():
                statuses.extend(_fill_a_route(http))

    with ThreadPoolExecutor(_GREEDY_CLIENTS) as clients:
        running = [clients.submit(run, one) for one in installation.client_ids[:_GREEDY_CLIENTS]]
        yield statuses
        is_over.set()
        for one in running:
            one.result()


def _fill_a_route(http: httpx.Client) -> Iterator[int]:
    """Import as many stops as one request may, put them on a route, and have it optimized."""
    imported = http.post("/stops/imports", json=[STOP] * _STOPS_OF_A_ROUTE)
    yield imported.status_code
    made = http.post("/routes", json={"start": STOP})
    yield made.status_code
    if (imported.status_code, made.status_code) == (200, 200):
        ids = [{"importedStopId": stop["id"]} for stop in imported.json()["stops"]]
        path = f"/routes/{made.json()['id']}"
        yield http.post(f"{path}/stops", json=ids).status_code
        for _ in range(3):
            yield http.patch(
                path, json={"route": {"note": "x" * 9_000}, "updateMask": "note"}
            ).status_code
        yield http.post(f"{path}/reoptimize", json={}).status_code
