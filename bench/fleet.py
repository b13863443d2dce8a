"""Plan fleet instances: one of a file, or whole families beside other engines in one table.

    python -m bench.fleet INSTANCE.json --seconds 5 --seed 0 --out PLAN.json
    python -m bench.fleet --families day short --sizes 100 200 --instances 2 --seconds 1 5
    python -m bench.fleet --published R103.txt X-n101-k25.vrp --seconds 1 5 --peers PyVRP

Seconds are processor seconds, with kernels compiled. Every plan of the table is judged by the
published judge, not by us; an illegal one is an error. Gaps are to the best plan of the run and of
one longer run of ours (`--reference`). Run it with `processor_clock.c` (README) where other
engines are compared on a busy machine.
"""

import argparse
import json
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.fleet_instances import (
    FAMILIES,
    NotPlanned,
    judge,
    load_file,
    make_instance,
    read_instance,
)
from bench.fleet_published import read_published
from roundsman.kit.loading import load
from roundsman.planning import warm
from roundsman.planning.fleet import FleetBudget, plan_fleet

type Json = Any
type Engine = Callable[[Json, float, int], Json | None]

SIZES = {
    "day": (100, 200, 500),
    "mixed": (60, 150),
    "breaks": (60, 200),
    "reload": (60, 200),
    "short": (80, 250),
    "live": (100, 300),
}
FIRST_SEED = 8000
"""Of the instances that are planned here; nothing was tuned on them."""

OURS = "roundsman"


@dataclass
class Tally:
    """What one engine did on one group with one budget."""

    gaps: list[float] = field(default_factory=list)
    vehicles: list[int] = field(default_factory=list)
    missing: int = 0

    def __str__(self) -> str:
        """Return the mean gap, and how many instances have no plan."""
        if not self.gaps:
            return "-"
        text = f"{statistics.fmean(self.gaps):.2f} % ({statistics.fmean(self.vehicles):.1f})"
        return f"{text}, none of {self.missing}" if self.missing else text


def main() -> None:
    """Plan one instance of a file, or print the table."""
    asked = _arguments()
    load("roundsman.planning.fleet.search:compile_fleet")()
    warm()
    if asked.instance is not None:
        _plan_one(asked)
    else:
        _compare(asked)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.fleet",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("instance", type=Path, nargs="?", help="of the generator's format")
    parser.add_argument("--seconds", type=float, nargs="+", default=[1.0, 5.0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="where the plan goes; else to standard output")
    parser.add_argument("--families", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    parser.add_argument("--sizes", type=int, nargs="+", help="instead of each family's own")
    parser.add_argument("--published", type=Path, nargs="+", help="files of published instances")
    parser.add_argument("--instances", type=int, default=2, help="of each family and size")
    parser.add_argument("--seeds", type=int, default=1, help="runs of each engine")
    parser.add_argument("--peers", nargs="*", default=["PyVRP", "VROOM"])
    parser.add_argument("--reference", type=float, default=20.0, help="our long run, seconds")
    return parser.parse_args()


def _plan_one(asked: argparse.Namespace) -> None:
    try:
        given = load_file(asked.instance)
        plan = solve_ours(given, asked.seconds[-1], asked.seed)
    except (OSError, json.JSONDecodeError, NotPlanned) as error:
        sys.exit(f"{asked.instance}: {error}")
    except KeyError as error:
        sys.exit(f"{asked.instance}: is no instance of the generator's format: it has no {error}")
    text = json.dumps(plan)
    if asked.out is None:
        print(text)
    else:
        asked.out.write_text(text)


def solve_ours(given: Json, seconds: float, seed: int) -> Json:
    """Plan with our engine; reading the instance is part of its time."""
    budget = FleetBudget(seconds=seconds, clock=time.process_time)
    instance = read_instance(given)
    return instance.write_plan(plan_fleet(instance.problem, budget, seed=seed))


def _compare(asked: argparse.Namespace) -> None:
    engines: dict[str, Engine] = {OURS: solve_ours}
    if asked.peers:
        peers: dict[str, Engine] = load("bench.fleet_peers:PEERS")
        engines |= {name: peers[name] for name in asked.peers}
    tallies: dict[tuple[str, str, float], Tally] = defaultdict(Tally)
    for group, given in _list_instances(asked):
        _run(given, group, engines, asked, tallies)
    print(f"| instances | seconds | {' | '.join(engines)} |")
    print(f"|---|---|{'---|' * len(engines)}")
    for group in dict.fromkeys(group for group, _, _ in tallies):
        for seconds in asked.seconds:
            cells = " | ".join(str(tallies[group, name, seconds]) for name in engines)
            print(f"| {group} | {seconds:g} | {cells} |")


def _list_instances(asked: argparse.Namespace) -> Iterator[tuple[str, Json]]:
    """Yield instances with their groups: those of files, or those that the generator makes."""
    if asked.published:
        try:
            found = [read_published(path) for path in asked.published]
        except (OSError, ValueError) as error:
            sys.exit(str(error))
        yield from found
        return
    for family in asked.families:
        for size in asked.sizes or SIZES[family]:
            for number in range(asked.instances):
                yield f"{family} {size}", make_instance(family, size, FIRST_SEED + number)


def _run(
    given: Json,
    group: str,
    engines: dict[str, Engine],
    asked: argparse.Namespace,
    tallies: dict[tuple[str, str, float], Tally],
) -> None:
    """Let the engines plan one instance, then compare all with the best."""
    reached: list[tuple[str, float, Json | None]] = []
    for name, solve in engines.items():
        for seconds in asked.seconds:
            for seed in range(asked.seeds):
                plan = solve(given, seconds, asked.seed + seed)
                verdict = None if plan is None else _judged(given, name, plan)
                reached.append((name, seconds, verdict))
                _say(given, name, seconds, verdict)
    long_run = _judged(given, OURS, solve_ours(given, asked.reference, asked.seed + 1))
    best = min([long_run["cost"], *(one["cost"] for _, _, one in reached if one)])
    for name, seconds, verdict in reached:
        tally = tallies[group, name, seconds]
        if verdict is None:
            tally.missing += 1
        else:
            tally.gaps.append(100 * (verdict["cost"] / best - 1))
            tally.vehicles.append(verdict["vehicles"])


def _judged(given: Json, name: str, plan: Json) -> Json:
    verdict = judge(given, plan)
    if not verdict["feasible"]:
        sys.exit(f"{given['name']}: {name} broke {verdict['violations'][:3]}")
    return verdict


def _say(given: Json, name: str, seconds: float, verdict: Json | None) -> None:
    said = "no plan" if verdict is None else f"{verdict['cost']:.0f}, {verdict['vehicles']} vans"
    left: Sequence[str] = () if verdict is None else verdict["unassigned"]
    print(f"{given['name']} {name} {seconds:g} s: {said}, {len(left)} out", file=sys.stderr)


if __name__ == "__main__":
    main()
