"""Count what a driver was shown and what arrived, while phone, tab, network and server die.

`python -m bench.driver_storm --runs 1000` takes SQLite and PostgreSQL in turn, some runs each: a
batch has a new server, a new phone and a seed of its own, which is printed with what it came to.
A batch that breaks off ends the command; `--seed` with the next number goes on.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from itertools import count, cycle
from pathlib import Path

from playwright.sync_api import sync_playwright
from tests.browser.driver_storm import Tally, run_storm

from bench.databases import KINDS, database_server, new_database

COLUMNS: dict[str, Callable[[Tally], int]] = {
    "runs": lambda tally: tally.runs,
    "promised": lambda tally: tally.promised,
    "perhaps": lambda tally: tally.perhaps,
    "arrived": lambda tally: tally.arrived,
    "lost": lambda tally: tally.lost,
    "doubled": lambda tally: tally.doubled,
    "gaps": lambda tally: tally.gaps,
    "pictures": lambda tally: tally.pictures,
    "pictures lost": lambda tally: tally.pictures_lost,
    "batches drained": lambda _: 1,  # one that does not drain within its time ends the command
}
WRONG = ("lost", "doubled", "gaps", "pictures lost")


def run_batch(server: str, runs: int, seed: int) -> Tally:
    """Return what some runs came to, on an empty database of a server, or SQLite without one."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        url = new_database(server) or f"sqlite:///{folder}/roundsman.db"
        return run_storm(playwright, Path(folder), url, runs, seed)


def main() -> int:
    """Print a line for each batch, then the table; say by the exit status if anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=25, help="runs on one database in a row")
    parser.add_argument("--seed", type=int, default=1, help="of the first batch")
    given = parser.parse_args()
    totals: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    slowest = 0.0
    with ExitStack() as stack:
        servers = {kind: stack.enter_context(database_server(kind)) for kind in KINDS}
        left = given.runs
        for seed, kind in zip(count(given.seed), cycle(KINDS), strict=False):
            if left <= 0:
                break
            tally = run_batch(servers[kind], min(given.batch, left), seed)
            left -= tally.runs
            totals[kind].update({name: read(tally) for name, read in COLUMNS.items()})
            totals[kind].update(tally.happened)
            slowest = max(slowest, tally.drained_seconds)
            sys.stdout.write(f"{kind}, seed {seed}: {tally}\n")
            sys.stdout.flush()
    happened = sorted(set().union(*totals.values()) - set(COLUMNS))
    for name in (*COLUMNS, *happened):
        sys.stdout.write(f"{name:16}" + "".join(f"{totals[kind][name]:8}" for kind in KINDS) + "\n")
    sys.stdout.write(f"the slowest batch had sent everything {slowest:.1f} s after its last run\n")
    return 1 if any(totals[kind][name] for kind in KINDS for name in WRONG) else 0


if __name__ == "__main__":
    sys.exit(main())
