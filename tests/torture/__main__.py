"""Does to an installation what machines, networks and clients do: `python -m tests.torture --help`.

Prints what came of it, and writes it as a page where told.
"""

import argparse
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from tests.torture.driving import strike_driver
from tests.torture.greedy_tenant import work_beside_greedy
from tests.torture.hung_database import hang_database
from tests.torture.page import Row, Run, machine, render_page
from tests.torture.scenarios import (
    delays_beside_bad_receivers,
    kill_one,
    restart_database,
    strike,
    tear_log,
)
from tests.torture.selections import run_selections

from roundsman.kit.software import software_version

_SLOWEST_SECONDS = 2.0
_WHOLE = "none lost, none doubled, none with other bytes"
_SHORT = {"kills": 4, "events": 500, "seconds": 5.0}


def main() -> int:
    """Run every scenario and the tests; return 1 when anything was lost or came late."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture")
    parser.add_argument("--databases", nargs="+", default=["sqlite", "postgresql"])
    parser.add_argument("--kills", type=int, default=50, help="on each database")
    parser.add_argument("--events", type=int, default=25_000, help="on each database")
    parser.add_argument("--seconds", type=float, default=30.0, help="beside a greedy organization")
    parser.add_argument("--short", action="store_true", help="few of each: some minutes in all")
    parser.add_argument("--port", type=int, default=8_731, help="the server's")
    parser.add_argument("--write", type=Path, help="a Markdown page to renew")
    asked = parser.parse_args()
    if asked.short:
        vars(asked).update(_SHORT)
    rows: dict[str, list[Row]] = {kind: [] for kind in asked.databases}
    for kind, done in rows.items():
        for row in _strike(kind, asked):
            print(f"{kind}, {row.done}: {row.figures}", flush=True)  # noqa: T201 -- talks to the terminal
            done.append(row)
    run = Run(
        command=" ".join(["python", "-m", "tests.torture", *sys.argv[1:]]),
        day=datetime.now(UTC).date(),  # noqa: TID251 -- the page says when it was made
        version=software_version(),
        rows=rows,
        tallies=run_selections(asked.databases),
    )
    page = render_page(run, machine())
    print(page)  # noqa: T201 -- as above
    if asked.write:
        asked.write.write_text(page, encoding="utf-8")
    return int(not run.holds())


def _strike(kind: str, asked: argparse.Namespace) -> Iterator[Row]:
    port = asked.port
    blows = max(asked.kills // 10, 2)
    events = max(asked.events // 10, 100)
    killed = strike(kind, kill_one, blows=asked.kills, events=asked.events, port=port)
    yield Row(
        done="kill -9 of server and worker", figures=killed, bound=_WHOLE, holds=killed.holds()
    )
    name, blow = (
        ("kill -9 of all, and a torn log", tear_log)
        if kind == "sqlite"
        else ("crash of PostgreSQL", restart_database)
    )
    torn = strike(kind, blow, blows=blows, events=events, port=port)
    yield Row(done=name, figures=torn, bound=_WHOLE, holds=torn.holds())
    driven = strike_driver(kind, blows=blows, port=port)
    yield Row(
        done="kill -9 while a driver sends",
        figures=driven,
        bound="as many records and pictures as were sent, none wrong, every bundle whole",
        holds=driven.holds(),
    )
    hung = hang_database(kind, port=port)
    yield Row(done="hung database", figures=hung, bound=hung.bound(), holds=hung.holds())
    beside = work_beside_greedy(kind, seconds=asked.seconds, port=port)
    yield Row(
        done="greedy organization", figures=beside, bound=beside.bound(), holds=beside.holds()
    )
    delays = delays_beside_bad_receivers(kind, events=events, port=port)
    is_soon = delays.late <= _SLOWEST_SECONDS
    yield Row(
        done="bad webhook receivers",
        figures=delays,
        bound=f"95 of 100 within {_SLOWEST_SECONDS:g} s",
        holds=is_soon,
    )


if __name__ == "__main__":
    sys.exit(main())
