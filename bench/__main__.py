"""Print how far each engine ends from the best known order, per group and budget, one core each.

Best known is the published value; for towns it is the best of all engines and budgets in this run
and of a longer run of ours. Late routes count as infeasible and stay out of the mean; nobody is
given a second try.
"""

import argparse
import itertools
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from rich.console import Console

from bench.engines import ENGINES
from bench.instance import Instance
from bench.published import shared_folder, tsplib_instances, tsptw_instances
from bench.roads import KINDS, SIZES, road_instances
from roundsman.planning import optimize, schedule, warm

SETS = ("roads", "tsptw", "atsp", "tsp")


@dataclass
class Tally:
    """What one engine did on one group with one budget."""

    gaps: list[float] = field(default_factory=list)
    infeasible: int = 0
    skipped: int = 0
    slowest: float = 0.0

    def __str__(self) -> str:
        """Return the mean gap, and who is missing from it."""
        if not self.gaps:
            return "-" if self.skipped else f"0 of {self.infeasible} in time"
        text = f"{statistics.fmean(self.gaps):.2f} %"
        count = len(self.gaps)
        return f"{text} ({count}/{count + self.infeasible})" if self.infeasible else text


def main() -> None:
    """Run every engine on every instance and print one table."""
    arguments = _arguments()
    warm()
    tallies: dict[tuple[str, str, float], Tally] = defaultdict(Tally)
    engines = [name for name in ENGINES if name in arguments.engines]
    console = Console()
    for instance in _instances(arguments):
        console.print(f"[dim]{instance.group}: {instance.name}[/dim]")
        _run(instance, engines, arguments.seconds, arguments.reference, tallies)
    _print_table(tallies, engines, arguments.seconds)
    slowest = max(
        (tally.slowest for key, tally in tallies.items() if key[1] == "roundsman"), default=0
    )
    console.print(f"roundsman exceeded its seconds by at most {slowest * 1000:.0f} ms")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--seconds", type=float, nargs="+", default=[0.05, 0.1, 0.25, 1, 5])
    parser.add_argument("--set", choices=SETS, nargs="+", default=list(SETS))
    parser.add_argument("--limit", type=int, default=2, help="instances a group")
    parser.add_argument("--stops", type=int, nargs="+", default=list(SIZES), help="of the towns")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--engines", nargs="+", choices=list(ENGINES), default=list(ENGINES))
    parser.add_argument(
        "--reference", type=float, default=10.0, help="our long run on towns, seconds"
    )
    return parser.parse_args()


def _instances(asked: argparse.Namespace) -> Iterator[Instance]:
    """Yield so many instances of each group, spread over it."""
    sets, limit = asked.set, asked.limit
    if "roads" in sets:
        yield from road_instances(asked.stops, asked.kinds, limit)
    folder = shared_folder()
    if folder is None:
        Console().print("published instances are skipped: no ROUNDSMAN_SHARED")
        return
    found = list(tsptw_instances(folder)) if "tsptw" in sets else []
    for name in [name for name in ("atsp", "tsp") if name in sets]:
        found.extend(tsplib_instances(folder, name))
    for _, group in itertools.groupby(found, key=lambda instance: instance.group):
        members = list(group)
        yield from members[:: -(-len(members) // limit)]


def _run(
    instance: Instance,
    engines: list[str],
    budgets: list[float],
    reference: float,
    tallies: dict[tuple[str, str, float], Tally],
) -> None:
    """Let the engines order one instance, then compare all with the best."""
    reached: dict[tuple[str, float], int | None] = {}
    for name, seconds in itertools.product(engines, budgets):
        tally = tallies[instance.group, name, seconds]
        begun = time.monotonic()
        order = ENGINES[name](instance.problem, seconds)
        tally.slowest = max(tally.slowest, time.monotonic() - begun - seconds)
        if order is None and name == "fast-tsp":
            tally.skipped += 1
            continue
        plan = None if order is None else schedule(instance.problem, order)
        late = plan is None or plan.lateness_seconds > 0
        reached[name, seconds] = None if plan is None or late else plan.travel_seconds
    best = instance.known_travel
    if best is None:
        long_run = optimize(instance.problem, seconds=reference, seed=1).travel_seconds
        best = min([long_run, *(travel for travel in reached.values() if travel is not None)])
    for (name, seconds), travel in reached.items():
        tally = tallies[instance.group, name, seconds]
        if travel is None:
            tally.infeasible += 1
        else:
            tally.gaps.append(100 * (travel / best - 1))


def _print_table(
    tallies: dict[tuple[str, str, float], Tally], engines: list[str], budgets: list[float]
) -> None:
    """Print the table as the documentation holds it."""
    print(f"| group | seconds | {' | '.join(engines)} |")
    print(f"|---|---|{'---|' * len(engines)}")
    for group in dict.fromkeys(group for group, _, _ in tallies):
        for seconds in budgets:
            cells = " | ".join(str(tallies[group, name, seconds]) for name in engines)
            print(f"| {group} | {seconds:g} | {cells} |")


if __name__ == "__main__":
    main()
