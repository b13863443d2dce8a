"""Requests a second of the service beside a bare handler that returns the same bytes, by `wrk`."""

import re
import shutil
import statistics
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx2 as httpx

from bench.installation import process

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


@dataclass(frozen=True, kw_only=True)
class Throughput:
    """Requests a second, and which part of the bare handler's they are."""

    ours: float
    bare: float
    ratio: float


def can_be_measured() -> bool:
    """Say whether `wrk` is there: a client in Python would measure itself."""
    return shutil.which("wrk") is not None


def measure_throughput(
    address: str, path: str, tokens: Sequence[str], folder: Path, *, rounds: int, seconds: int
) -> Throughput:
    """Ask both servers in turn; the median round counts, so that a busy machine slows both."""
    (folder / "tokens").write_text("\n".join(tokens))
    script = folder / "ask.lua"
    script.write_text(_SCRIPT % (folder / "tokens"))
    headers = {"Authorization": f"Bearer {tokens[0]}"}
    body = httpx.get(address + path, headers=headers, timeout=60).raise_for_status().content
    (folder / "body").write_bytes(body)
    with process("-m", "bench.bare", str(folder / "body"), ready="bare on ") as (bare, _):
        pairs = [
            (_read(address + path, script, seconds), _read(bare + path, script, seconds))
            for _ in range(rounds)
        ]
    ours, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
    ratio = statistics.median(ours / theirs for ours, theirs in pairs)
    return Throughput(ours=ours, bare=theirs, ratio=ratio)


def _read(url: str, script: Path, seconds: int) -> float:
    command = ["wrk", "-t1", "-c16", f"-d{seconds}s", "-s", str(script), url]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603 -- a load generator on this machine
    refused = re.search(r"refused (\d+)", told)
    found = re.search(r"Requests/sec:\s+([\d.]+)", told)
    if refused is None or int(refused[1]) or found is None:
        raise RuntimeError(f"some requests were refused, or none was counted: {told}")
    return float(found[1])
