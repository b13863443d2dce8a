"""Every budget of speed and memory, measured in one run: figure, budget, and their ratio.

python -m bench.budgets [--databases sqlite postgresql] [--processes 1 4] [--write FILE]
                        [--stored-stops 50000 --stored-routes 2500]

A row says which part of its budget a figure uses: 100 % is all of it, and what is over is said so.
Throughput is beside a bare handler of the same framework in the same run, imports and lists beside
the same rows in raw SQL. SQLite serves with one process. The quality of orders is measured by
`python -m bench` and `python -m bench.evaluate`.
"""

import argparse
import compileall
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import httpx2 as httpx
from tests.support.ports import free_port
from tests.torture.scenarios import delays_beside_bad_receivers

from bench import growth, throughput
from bench.databases import KINDS, database_server, new_database
from bench.installation import (
    DEPOT,
    Installation,
    draw_bodies,
    fill,
    list_family,
    process,
    resident_megabytes,
)
from bench.raw_sql import RawSql, added, raw_sql
from bench.stalls import measure_stalls
from bench.webhooks import measure_deliveries
from roundsman.settings import Settings

BASE = "/api/2024-07"
_CLIENTS = 800
"""So many that no rate limit is reached: each may ask 120 times at once and 10 times a second."""
_EVENTS = 4_000
_ROUNDS = 9
_CONNECTIONS = 64
_SLOW_MILLISECONDS = 60
_REOPTIMIZED = ((100, 0.25), (500, 1.5), (1_000, 4.0))
_IMPORT_SECONDS = {"sqlite": 0.06, "postgresql": 0.1}


@dataclass(frozen=True, kw_only=True)
class Row:
    """A budget, and what was measured."""

    work: str
    figure: str
    budget: str
    used: float

    def __str__(self) -> str:
        verdict = "" if self.used <= 1 else ", over"
        return f"| {self.work} | {self.figure} | {self.budget} | {self.used:.0%}{verdict} |"


def main() -> None:
    """Print a table for each way to serve, and write them where told."""
    parser = argparse.ArgumentParser(prog="python -m bench.budgets", description=__doc__)
    parser.add_argument("--databases", nargs="+", default=list(KINDS), choices=KINDS)
    parser.add_argument("--processes", nargs="+", type=int, default=[1, 4])
    parser.add_argument("--stored-stops", type=int, default=50_000)
    parser.add_argument("--stored-routes", type=int, default=2_500)
    parser.add_argument("--write", type=Path, help="a Markdown page to renew")
    asked = parser.parse_args()
    lines: list[str] = []
    for line in _measure(asked):
        print(line, flush=True)
        lines.append(line)
    if asked.write:
        asked.write.write_text("\n".join([*_head(), *lines, ""]), encoding="utf-8")


def _head() -> list[str]:
    command = " ".join(["python", "-m", "bench.budgets", *sys.argv[1:]])
    cores, load = len(os.sched_getaffinity(0)), os.getloadavg()[2]
    python = platform.python_version()
    return [
        "# Budgets",
        "",
        "For whoever wonders how fast it is. Made by:",
        "",
        "```",
        command,
        "```",
        "",
        f"{platform.machine()}, {cores} cores, load {load:.1f}, Python {python}.",
        "The last column is the part of the budget that is used.",
        "What is budgeted, and why: [decision 34](decisions/0034-less-machinery.md).",
    ]


def _measure(asked: argparse.Namespace) -> Iterator[str]:
    for kind in asked.databases:
        with database_server(kind) as server:
            for count in asked.processes if kind == "postgresql" else [1]:
                yield from _table(f"{kind}, {count} process(es)", _serve_rows(kind, server, count))
            sent = partial(_delivery_rows, kind, server)
            grown = partial(_growth_rows, server, asked.stored_stops, asked.stored_routes)
            yield from _table(f"{kind}, beside requests", [*sent(), *grown()])
    yield from _table("event loop", _stall_rows())


def _table(name: str, rows: Any) -> Iterator[str]:
    yield from ("", f"## {name}", "", "| work | figure | budget | used |", "|---|---|---|---|")
    for row in rows:
        yield str(row)


def _serve_rows(kind: str, server: str, count: int) -> Iterator[Row]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="roundsman-budgets-")))
        url = new_database(server)
        settings = Settings(data=folder, database_url=url)
        made = fill(settings, clients=_CLIENTS, stored_stops=0, stored_routes=0)
        environment = {
            "ROUNDSMAN_DATA": str(folder),
            "ROUNDSMAN_DATABASE_URL": url,
            "ROUNDSMAN_WORKERS": str(count),
        }
        serve = ("-m", "roundsman", "serve", "--port", "0")
        # As installed: pip writes bytecode, which a checkout may lack.
        compileall.compile_dir(str(files("roundsman")), quiet=1)
        begun = time.perf_counter()
        address, pid = stack.enter_context(process(*serve, ready="listening on ", **environment))
        yield _seconds("start on an existing database", [time.perf_counter() - begun], 2.0)
        throughput.await_rest(pid)
        yield from _read_rows(made, (address, pid), folder)
        yield _memory("memory of the largest process after reading", pid, 300)
        with raw_sql(settings.database()) as raw:
            yield from _work_rows(kind, made, address, raw)
        yield _memory("memory of the largest process after 1,000 stops", pid, 600)


def _read_rows(made: Installation, server: tuple[str, int], folder: Path) -> Iterator[Row]:
    if not throughput.can_be_measured():
        return
    for name, unchanged, least in (
        ("GET /routes/{id}, 200 stops", False, 1_200),
        ("the same, not modified", True, 3_000),
    ):
        measured = throughput.measure_throughput(
            server,
            f"{BASE}/routes/{made.long_route_id}",
            made.tokens,
            folder,
            connections=_CONNECTIONS,
            rounds=_ROUNDS,
            unchanged=unchanged,
        )
        ours, bare = measured.ours, measured.bare
        yield Row(
            work=f"{name}, {_CONNECTIONS} at once",
            figure=f"{ours.requests_a_second:,.0f}/s, 99 % within {ours.slow_milliseconds:.0f} ms;"
            f" {ours.processor_micros:.0f} µs of processor, {measured.share:.0%} of a bare"
            f" handler's {bare.requests_a_second:,.0f}/s",
            budget=f"{least:,}/s, 99 % within {_SLOW_MILLISECONDS} ms",
            used=max(least / ours.requests_a_second, ours.slow_milliseconds / _SLOW_MILLISECONDS),
        )


def _work_rows(kind: str, made: Installation, address: str, raw: RawSql) -> Iterator[Row]:
    tokens = iter(made.tokens)
    http = _client(address, next(tokens))
    stops = draw_bodies(200, seed=99)
    before = raw.imported()
    _post(http, "/stops/imports", stops)
    rows = added(before, raw.imported())
    yield _seconds(
        "import of 200 stops",
        [_timed(partial(_post, http, "/stops/imports", stops)) for _ in range(9)],
        _IMPORT_SECONDS[kind],
        [raw.time_writing_again(rows) for _ in range(9)],
    )
    listing = f"{BASE}/routes?query.limit=20"
    yield _seconds(
        "list of 20 routes x 100 stops",
        [_timed(lambda: http.get(listing).raise_for_status()) for _ in range(9)],
        0.06,
        [raw.time_listing(20) for _ in range(9)],
    )
    for count, budget in _REOPTIMIZED:
        http = _client(address, next(tokens))
        taken = [_reoptimize(http, count, seed) for seed in range(3)]
        yield _seconds(f"reoptimize {count} stops", taken, budget)


def _delivery_rows(kind: str, server: str) -> Iterator[Row]:
    bare, sent = measure_deliveries(new_database(server), _EVENTS)
    rate = sent.posts / sent.seconds
    yield Row(
        work="deliveries from one process",
        figure=f"{rate:,.0f}/s, {bare.seconds / sent.seconds:.0%} of a bare client's",
        budget="at least 1,000/s",
        used=1_000 / rate,
    )
    delays = delays_beside_bad_receivers(kind, events=1_000, port=free_port())
    yield Row(
        work="delay of a healthy receiver beside four bad ones",
        figure=f"median {delays.median:.2f} s, 95 of 100 within {delays.late:.2f} s",
        budget="2 s",
        used=delays.late / 2,
    )


def _growth_rows(server: str, stops: int, routes: int) -> Iterator[Row]:
    for name, before, after in growth.measure(server, (1_000, 50), (stops, routes)):
        yield Row(
            work=f"{name.strip()}, {stops:,} stops stored",
            figure=f"{1000 * after:.1f} ms, x {after / before:.2f} of the time with 1,000",
            budget=f"x {growth.BUDGET}",
            used=after / before / growth.BUDGET,
        )


def _stall_rows() -> Iterator[Row]:
    longest = measure_stalls(500).longest
    yield _seconds("longest stall of the event loop while it searches", [longest], 0.02)


def _seconds(
    work: str, taken: list[float], budget: float, raw: Sequence[float] | None = None
) -> Row:
    """Return a row of the median; `raw` is what the database's driver alone took."""
    median = statistics.median(taken)
    figure = f"{1000 * median:.0f} ms"
    if len(taken) > 1:
        figure += f", worst {1000 * max(taken):.0f} ms"
    if raw:
        alone = statistics.median(raw)
        figure += f"; {median / alone:.1f} x the {1000 * alone:.1f} ms of raw SQL"
    return Row(work=work, figure=figure, budget=f"{1000 * budget:,.0f} ms", used=median / budget)


def _memory(work: str, pid: int, budget: int) -> Row:
    each = [resident_megabytes(one) for one in list_family(pid)]
    figure = f"{max(each)} MB, {sum(each)} MB in all"
    return Row(work=work, figure=figure, budget=f"{budget} MB", used=max(each) / budget)


def _client(address: str, token: str) -> httpx.Client:
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.Client(base_url=address, headers=headers, timeout=120)


def _reoptimize(http: httpx.Client, count: int, seed: int) -> float:
    start = {"coordinates": {"latitude": DEPOT.latitude, "longitude": DEPOT.longitude}}
    made = _post(http, "/routes", {"start": start, "scheduledFor": "2026-12-01T08:00:00Z"})
    path = f"/routes/{made['id']}"
    drafts = draw_bodies(count, seed=1000 + seed)
    for begin in range(0, count, 200):
        imported = _post(http, "/stops/imports", drafts[begin : begin + 200])["stops"]
        _post(http, f"{path}/stops", [{"importedStopId": stop["id"]} for stop in imported])
    return _timed(lambda: _post(http, f"{path}/reoptimize", {}))


def _post(http: httpx.Client, path: str, body: Any) -> Any:
    return http.post(f"{BASE}{path}", json=body).raise_for_status().json()


def _timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
