"""Does to an installation what machines and networks do; see `python -m tests.torture --help`."""

import argparse
import sys

from tests.torture.driving import strike_driver
from tests.torture.scenarios import (
    Outcome,
    delays_beside_bad_receivers,
    kill_one,
    restart_database,
    strike,
    tear_log,
)

_SLOWEST_SECONDS = 2.0


def main() -> int:
    """Run every scenario; return 1 when anything was lost or came late."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture")
    parser.add_argument("--databases", nargs="+", default=["sqlite", "postgresql"])
    parser.add_argument("--kills", type=int, default=50, help="on each database")
    parser.add_argument("--events", type=int, default=25_000, help="on each database")
    parser.add_argument("--port", type=int, default=8_731, help="the server's")
    asked = parser.parse_args()
    outcomes: list[tuple[str, Outcome]] = []

    def told(name: str, outcome: Outcome) -> None:
        print(f"{name}: {outcome}", flush=True)  # noqa: T201 -- talks to the terminal
        outcomes.append((name, outcome))

    is_late = is_wrong = False
    for kind in asked.databases:
        some = {"events": max(asked.events // 10, 100), "port": asked.port}
        blows = max(asked.kills // 10, 2)
        whole = {"blows": asked.kills, "events": asked.events, "port": asked.port}
        told(f"{kind}, kill -9", strike(kind, kill_one, **whole))
        if kind == "sqlite":
            told("sqlite, torn log", strike(kind, tear_log, blows=blows, **some))
        else:
            told("postgresql, crashes", strike(kind, restart_database, blows=blows, **some))
        driven = strike_driver(kind, blows=blows, port=asked.port)
        print(f"{kind}, {driven}", flush=True)  # noqa: T201 -- talks to the terminal
        is_wrong |= not driven.holds()
        delays = delays_beside_bad_receivers(kind, **some)
        is_late |= delays.late > _SLOWEST_SECONDS
        print(f"{kind}, {delays}", flush=True)  # noqa: T201 -- talks to the terminal
    return int(is_late or is_wrong or not all(outcome.holds() for _, outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
