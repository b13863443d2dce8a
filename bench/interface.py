"""How fast the interface answers, beside a bare handler of the same framework in the same run.

python -m bench.interface [--database postgresql://…] [--stored-stops 1000000 --stored-routes 50000]

Throughput needs `wrk` on the path: a client in Python would measure itself. Each reading is taken
against both servers in turn and the median round counts, so that a busy machine slows both. The
processor time that a server spent on a request is printed beside it: others on the machine, the
load generator among them, do not change it.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
from msgspec.json import encode

from bench.installation import (
    DEPOT,
    Installation,
    draw_stops,
    fill,
    process,
    resident_megabytes,
)
from roundsman.settings import Settings

BASE = "/api/2024-07"
_CLIENTS = 400
"""So many that no rate limit is reached: each may ask 120 times at once and 10 times a second."""
_REST_SECONDS = 1.0
_SCRIPT = """
local tokens = {}
for line in io.lines("%s") do tokens[#tokens + 1] = line end
local turn = 0
request = function()
  turn = turn %% #tokens + 1
  return wrk.format("GET", nil, {["Authorization"] = "Bearer " .. tokens[turn]})
end
done = function(summary, latency, requests)
  io.write("refused ", summary.errors.status, "\\n")
end
"""


def main() -> None:
    """Print one line a budget."""
    parser = argparse.ArgumentParser(prog="python -m bench.interface", description=__doc__)
    parser.add_argument("--database", default="", help="an empty database; SQLite when absent")
    parser.add_argument("--stored-stops", type=int, default=0)
    parser.add_argument("--stored-routes", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        made = fill(
            Settings(data=data, database_url=arguments.database),
            clients=_CLIENTS,
            stored_stops=arguments.stored_stops,
            stored_routes=arguments.stored_routes,
        )
        environment = {"ROUNDSMAN_DATA": folder, "ROUNDSMAN_DATABASE_URL": arguments.database}
        serve = ("-m", "roundsman", "serve", "--port", "0")
        with process(*serve, ready="listening on ", **environment) as (address, pid):
            _await_rest(pid)
            _compare_throughput(made, (address, pid), data, arguments)
            rest = resident_megabytes(pid)
            _time_work(made, address)
            print(f"memory: {rest} MB after reading, {resident_megabytes(pid)} MB after planning")


@dataclass(frozen=True, kw_only=True)
class _Reading:
    """How fast a server answered, and what a request cost it."""

    requests_a_second: float
    processor_micros: float


def _compare_throughput(
    made: Installation, server: tuple[str, int], data: Path, arguments: argparse.Namespace
) -> None:
    if shutil.which("wrk") is None:
        print("throughput: not measured, wrk is not installed")
        return
    tokens = data / "tokens"
    tokens.write_text("\n".join(made.tokens))
    script = data / "ask.lua"
    script.write_text(_SCRIPT % tokens)
    paths = {
        "GET /vehicles/{id}": f"{BASE}/vehicles/{made.vehicle_id}",
        "GET /routes/{id}, 200 stops": f"{BASE}/routes/{made.long_route_id}",
    }
    for name, path in paths.items():
        body = _ask(server[0], made.tokens[0]).get(path).raise_for_status().content
        (data / "body").write_bytes(body)
        with process("-m", "bench.bare", str(data / "body"), ready="bare on ") as bare:
            pairs = [
                (
                    _read_throughput(server, path, script, arguments.seconds),
                    _read_throughput(bare, path, script, arguments.seconds),
                )
                for _ in range(arguments.rounds)
            ]
        _print_pairs(name, pairs)


def _print_pairs(name: str, pairs: Sequence[tuple[_Reading, _Reading]]) -> None:
    ours, theirs = (statistics.median(side) for side in zip(*_rates(pairs), strict=True))
    ratio = statistics.median(ours / theirs for ours, theirs in _rates(pairs))
    print(f"{name}: {ours:.0f}/s, bare handler {theirs:.0f}/s, {ratio:.0%} of it")
    costs = [(one.processor_micros, other.processor_micros) for one, other in pairs]
    ours, theirs = (statistics.median(side) for side in zip(*costs, strict=True))
    ratio = statistics.median(theirs / ours for ours, theirs in costs)
    print(f"  processor: {ours:.0f} µs a request, bare handler {theirs:.0f} µs, {ratio:.0%} of it")


def _rates(pairs: Sequence[tuple[_Reading, _Reading]]) -> list[tuple[float, float]]:
    return [(one.requests_a_second, other.requests_a_second) for one, other in pairs]


def _read_throughput(server: tuple[str, int], path: str, script: Path, seconds: int) -> _Reading:
    address, pid = server
    url = f"{address}{path}"
    before = _processor_seconds(pid)
    command = ["wrk", "-t1", "-c16", f"-d{seconds}s", "-s", str(script), url]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603 -- a load generator on this machine
    refused = re.search(r"refused (\d+)", told)
    if refused is None or int(refused[1]):
        raise RuntimeError(f"some requests were refused: {told}")
    found = re.search(r"Requests/sec:\s+([\d.]+)", told)
    answered = re.search(r"(\d+) requests in", told)
    if found is None or answered is None:
        raise RuntimeError(f"wrk told no figure: {told}")
    spent = _processor_seconds(pid) - before
    return _Reading(
        requests_a_second=float(found[1]), processor_micros=1e6 * spent / int(answered[1])
    )


def _await_rest(pid: int) -> None:
    """Wait until a server that has just started has loaded its kernels and places."""
    before, now = -1.0, _processor_seconds(pid)
    while now - before > _REST_SECONDS / 20:
        time.sleep(_REST_SECONDS)
        before, now = now, _processor_seconds(pid)


def _processor_seconds(pid: int) -> float:
    """Return what a process has spent, in its own code and in the system's for it."""
    told = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    user, system = told.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _ask(address: str, token: str) -> httpx.Client:
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.Client(base_url=address, headers=headers, timeout=120)


def _time_work(made: Installation, address: str) -> None:
    clients = iter(made.tokens)
    http = _ask(address, next(clients))
    stops = [json.loads(encode(stop)) for stop in draw_stops(200, seed=99)]
    _print_times(
        "import of 200 stops",
        [_timed(lambda: _post(http, "/stops/imports", stops)) for _ in range(9)],
    )
    listing = f"{BASE}/routes?query.limit=20"
    _print_times(
        "list of 20 routes x 100 stops",
        [_timed(lambda: http.get(listing).raise_for_status()) for _ in range(9)],
    )
    for count in (100, 200, 500, 1_000):
        http = _ask(address, next(clients))
        _print_times(
            f"reoptimize {count} stops", [_reoptimize(http, count, seed) for seed in range(3)]
        )


def _reoptimize(http: httpx.Client, count: int, seed: int) -> float:
    start = {"coordinates": {"latitude": DEPOT.latitude, "longitude": DEPOT.longitude}}
    made = _post(http, "/routes", {"start": start, "scheduledFor": "2026-12-01T08:00:00Z"})
    path = f"/routes/{made['id']}"
    drafts = [json.loads(encode(stop)) for stop in draw_stops(count, seed=1000 + seed)]
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


def _print_times(name: str, seconds: Sequence[float]) -> None:
    shown = sorted(1000 * each for each in seconds)
    print(f"{name}: median {statistics.median(shown):.0f} ms, worst {shown[-1]:.0f} ms")


if __name__ == "__main__":
    main()
