"""Our own order alone, over whole families: what to run while changing the search.

Prints the mean gap per family and budget. Seconds are processor seconds of the searching thread,
so that a busy machine does not blur the figures. The best travel ever seen of each instance is
kept in a file named by `--known` and only ever improves, so gaps of an earlier run may grow.
"""

import argparse
import json
import pickle
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from bench.instance import Instance
from bench.published import shared_folder, tsplib_instances, tsptw_instances
from bench.roads import road_instance
from roundsman.planning import optimize, schedule, warm

TOWNS = [
    (size, kind, is_open)
    for size in (50, 100, 200, 400, 800)
    for kind, is_open in (("none", True), ("none", False), ("broad", True), ("narrow", False))
]


def main() -> None:
    """Run the chosen families and print one line each."""
    parser = argparse.ArgumentParser(prog="python -m bench.evaluate", description=__doc__)
    parser.add_argument(
        "--families", nargs="+", default=[""], help="beginnings of names; a/ is a alone"
    )
    parser.add_argument("--seconds", type=float, nargs="+", default=[0.1, 1.0])
    parser.add_argument("--towns", type=int, default=4, help="towns a family")
    parser.add_argument("--folder", type=Path, required=True, help="for towns and best travels")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    time.monotonic = time.thread_time  # processor time, as the module's text says
    warm()
    known_file = arguments.folder / "known.json"
    known = json.loads(known_file.read_text()) if known_file.exists() else {}
    for family, instances in _families(arguments.families, arguments.towns, arguments.folder):
        for seconds in arguments.seconds:
            _run(family, instances, seconds, arguments, known)
            known_file.write_text(json.dumps(known))


def _run(
    family: str,
    instances: list[Instance],
    seconds: float,
    arguments: argparse.Namespace,
    known: dict[str, int],
) -> None:
    travels, late, over = [], 0, 0.0
    for instance in instances:
        for seed in range(arguments.seeds):
            begun = time.thread_time()
            found = optimize(instance.problem, seconds=seconds, seed=seed)
            over = max(over, time.thread_time() - begun - seconds)
            plan = schedule(instance.problem, found.order)
            if plan.lateness_seconds:
                late += 1
                print(f"    {instance.name} is {plan.lateness_seconds} late")
                continue
            travels.append((instance, plan.travel_seconds))
    gaps = []
    for instance, travel in travels:
        best = instance.known_travel or known.get(instance.name, travel)
        if instance.known_travel is None:
            known[instance.name] = best = min(best, travel)
        gaps.append(100 * (travel / best - 1))
        if arguments.verbose:
            print(f"    {instance.name}: {gaps[-1]:.3f} % {travel} {best}")
    mean, worst = (statistics.fmean(gaps), max(gaps)) if gaps else (0.0, 0.0)
    print(
        f"{family:32} {seconds:5g} s  mean {mean:7.3f} %  worst {worst:7.3f} %"
        f"  late {late}/{late + len(gaps)}  over {over * 1000:.0f} ms",
        flush=True,
    )


def _families(wanted: list[str], towns: int, folder: Path) -> Iterator[tuple[str, list[Instance]]]:
    for size, kind, is_open in TOWNS:
        name = f"roads-{size}-{kind}-{'open' if is_open else 'round'}"
        if any(f"{name}/".startswith(start) for start in wanted):
            seeds = range(5000 + size, 5000 + size + towns)
            yield name, [_town(folder, size, kind, seed, is_open=is_open) for seed in seeds]
    shared = shared_folder()
    if shared is None:
        return
    groups: dict[str, list[Instance]] = {}
    for instance in [
        *tsptw_instances(shared),
        *tsplib_instances(shared, "atsp"),
        *tsplib_instances(shared, "tsp"),
    ]:
        groups.setdefault(instance.group.replace(" ", "-"), []).append(instance)
    for name, members in groups.items():
        if any(f"{name}/".startswith(start) for start in wanted):
            yield name, members


def _town(folder: Path, size: int, kind: str, seed: int, *, is_open: bool) -> Instance:
    """Make a town once; large ones take long, and must not change with the search."""
    path = folder / f"{size}-{kind}-{is_open}-{seed}.pickle"
    if path.exists():
        kept: Instance = pickle.loads(path.read_bytes())  # noqa: S301 -- written below
        return kept
    instance = road_instance(size, kind, is_open=is_open, seed=seed)
    path.write_bytes(pickle.dumps(instance))
    return instance


if __name__ == "__main__":
    main()
