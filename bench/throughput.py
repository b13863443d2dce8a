"""What the service answers beside a bare handler that returns the same bytes, asked by `wrk`.

Requests a second, and the processor time that the server spent on one. The load generator keeps to
the machine's last core and a server of one process to the others, as if they were on two machines:
where they share cores, they chase each other's memory out of the caches. PostgreSQL runs where it
likes. Servers of several processes want all cores, and get them. Rounds are short and many, because
a virtual machine's speed changes from one second to the next.

How many connections ask at once decides what is measured. With few, a server that waits for its
database rests while all of them wait for it: that is how long an answer takes. What it answers at
most, its throughput, shows when there are always others to answer.
"""

import os
import re
import shutil
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx2 as httpx

from bench.installation import list_family, process

_SCRIPT = """
local tokens = {}
for line in io.lines("%s") do tokens[#tokens + 1] = line end
local turn = 0
request = function()
  turn = turn %% #tokens + 1
  return wrk.format("GET", nil, {["Authorization"] = "Bearer " .. tokens[turn]%s})
end
done = function(summary, latency, requests)
  io.write("refused ", summary.errors.status, "\\n")
end
"""


_REST_SECONDS = 1.0
_SECONDS = 1


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How fast a server answered, and what a request cost it."""

    requests_a_second: float
    processor_micros: float
    slow_milliseconds: float
    """Within which 99 of 100 requests were answered."""


@dataclass(frozen=True, kw_only=True)
class Throughput:
    """Ours and the bare handler's reading, and which part of it ours is."""

    ours: Reading
    bare: Reading
    share: float
    processor_share: float


def can_be_measured() -> bool:
    """Say whether `wrk` is there: a client in Python would measure itself."""
    return shutil.which("wrk") is not None


def await_rest(pid: int) -> None:
    """Wait until a server that has just started has loaded its kernels and places."""
    before, now = -1.0, _processor_seconds(pid)
    while now - before > _REST_SECONDS / 20:
        time.sleep(_REST_SECONDS)
        before, now = now, _processor_seconds(pid)


def measure_throughput(  # noqa: PLR0913 -- the keywords say what is asked for, and how
    server: tuple[str, int],
    path: str,
    tokens: Sequence[str],
    folder: Path,
    *,
    connections: int,
    rounds: int,
    unchanged: bool = False,
) -> Throughput:
    """Ask both servers in turn; the median round counts, so that a busy machine slows both."""
    (folder / "tokens").write_text("\n".join(tokens))
    script = folder / "ask.lua"
    headers = {"Authorization": f"Bearer {tokens[0]}", "Accept-Encoding": "identity"}
    answer = httpx.get(server[0] + path, headers=headers, timeout=60).raise_for_status()
    known = f", [\"If-None-Match\"] = '{answer.headers['ETag']}'" if unchanged else ""
    script.write_text(_SCRIPT % (folder / "tokens", known))
    (folder / "body").write_bytes(b"" if unchanged else answer.content)
    with (
        process("-m", "bench.bare", str(folder / "body"), ready="bare on ") as bare,
        _apart(server[1], bare[1]),
    ):
        read = partial(_read, path=path, script=script, connections=connections)
        pairs = [(read(server), read(bare)) for _ in range(rounds)]
    ours, theirs = (_middle(side) for side in zip(*pairs, strict=True))
    return Throughput(
        ours=ours,
        bare=theirs,
        share=statistics.median(
            one.requests_a_second / other.requests_a_second for one, other in pairs
        ),
        processor_share=statistics.median(
            other.processor_micros / one.processor_micros for one, other in pairs
        ),
    )


@contextmanager
def _apart(*servers: int) -> Iterator[None]:
    """Keep what this process starts on the last core and servers off it, if they need only one."""
    cores = os.sched_getaffinity(0)
    if len(cores) == 1 or any(len(list_family(server)) > 1 for server in servers):
        yield
        return
    last = {max(cores)}
    try:
        os.sched_setaffinity(0, last)
        _keep_on(cores - last, servers)
        yield
    finally:
        os.sched_setaffinity(0, cores)
        _keep_on(cores, servers)


def _keep_on(cores: set[int], servers: Sequence[int]) -> None:
    for server in servers:
        for thread in Path(f"/proc/{server}/task").iterdir():
            os.sched_setaffinity(int(thread.name), cores)


def _middle(readings: Sequence[Reading]) -> Reading:
    return Reading(
        requests_a_second=statistics.median(one.requests_a_second for one in readings),
        processor_micros=statistics.median(one.processor_micros for one in readings),
        slow_milliseconds=statistics.median(one.slow_milliseconds for one in readings),
    )


def _read(server: tuple[str, int], path: str, script: Path, connections: int) -> Reading:
    address, pid = server
    before = _processor_seconds(pid)
    load = ["-t1", f"-c{connections}", f"-d{_SECONDS}s"]
    command = ["wrk", "--latency", *load, "-s", str(script), address + path]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603 -- a load generator on this machine
    spent = _processor_seconds(pid) - before
    refused = re.search(r"refused (\d+)", told)
    rate = re.search(r"Requests/sec:\s+([\d.]+)", told)
    answered = re.search(r"(\d+) requests in", told)
    slow = re.search(r"99%\s+([\d.]+)(us|ms|s)", told)
    if refused is None or int(refused[1]) or rate is None or answered is None or slow is None:
        raise RuntimeError(f"some requests were refused, or none was counted: {told}")
    return Reading(
        requests_a_second=float(rate[1]),
        processor_micros=1e6 * spent / int(answered[1]),
        slow_milliseconds=float(slow[1]) * {"us": 0.001, "ms": 1, "s": 1_000}[slow[2]],
    )


def _processor_seconds(pid: int) -> float:
    """Return what a process and its children have spent, the system's work for them included."""
    ticks = 0
    for one in list_family(pid):
        told = Path(f"/proc/{one}/stat").read_text(encoding="ascii")
        ticks += sum(int(each) for each in told.rpartition(")")[2].split()[11:13])
    return ticks / os.sysconf("SC_CLK_TCK")
