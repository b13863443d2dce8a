"""Print how large a day is, and what answering it takes: whole, and where the client has it.

`python -m bench.days` makes 50 routes of 200 stops on SQLite and on PostgreSQL. A day is to take
400 KB compressed at most.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import msgspec
from starlette.responses import Response

from bench.databases import KINDS, database_server, new_database
from roundsman.domain.address import Address, Contact, Coordinates
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteStart
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.endpoints.compression import compress
from roundsman.installation import make_registrar, make_tools
from roundsman.kit.clock import SystemClock
from roundsman.kit.ids import RandomIds, new_id
from roundsman.operations.days import find_day, read_day
from roundsman.operations.organizations import create_organization
from roundsman.operations.tools import Tools
from roundsman.settings import Settings
from roundsman.storage.database import Database
from roundsman.storage.migrate import migrate
from roundsman.storage.routes import add_route

_BEGIN = datetime(2026, 7, 1, 8, tzinfo=UTC)
_FIRST = ("Ann", "Ben", "Cleo", "Dana", "Eli", "Fay", "Gus", "Hana", "Ivo", "Jo", "Kim", "Lea")
_LAST = ("Ames", "Brown", "Clark", "Diaz", "Evans", "Fisher", "Garcia", "Hill", "Irwin", "Jones")


def main() -> None:
    """Fill each database with a day and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--routes", type=int, default=50)
    parser.add_argument("--stops", type=int, default=200)
    parser.add_argument("--times", type=int, default=20)
    wanted = parser.parse_args()
    for kind in KINDS:
        with database_server(kind) as server, _opened(new_database(server)) as tools:
            registrar = make_registrar(tools)
            organization = create_organization(registrar, "Acme Foods", "America/New_York").id
            with tools.database.writing() as tx:
                for number in range(wanted.routes):
                    made = _route(Random(number), number, wanted.stops)  # noqa: S311 -- no secrets
                    add_route(tx, organization, made)
            _measure(kind, tools, organization, wanted.times)


@contextmanager
def _opened(address: str) -> Iterator[Tools]:
    with tempfile.TemporaryDirectory() as folder:
        database = Database(address or f"sqlite:///{Path(folder) / 'days.db'}")
        migrate(database)
        yield make_tools(Settings(data=Path(folder)), database, SystemClock(), RandomIds())
        database.close()


def _measure(kind: str, tools: Tools, organization: str, times: int) -> None:
    body = b""
    used = time.process_time()
    for _ in range(times):
        state = find_day(tools, organization, "2026-07-01")
        body = msgspec.json.encode(read_day(tools, organization, state))
    whole = time.process_time() - used
    used = time.process_time()
    for _ in range(times):
        find_day(tools, organization, "2026-07-01")
    unchanged = time.process_time() - used
    answer = Response(body, media_type="application/json", headers={"ETag": f'"{state.tag}"'})
    used = time.process_time()
    compress(answer, "gzip")
    compressing = time.process_time() - used
    compressed = len(answer.body)
    print(
        f"{kind}: {len(body) / 1e3:.0f} KB, compressed {compressed / 1e3:.0f} KB;"
        f" 200 takes {whole / times * 1e3:.1f} ms, 304 takes {unchanged / times * 1e3:.2f} ms"
        f" (compressing {compressing * 1e3:.0f} ms)"
        " of processor"
    )


def _route(random: Random, number: int, stops: int) -> Route:
    now = _BEGIN + timedelta(seconds=number)
    made = []
    for position in range(stops):
        arrival = _BEGIN + timedelta(seconds=150 * position + random.randrange(140))
        made.append(
            RouteStop(
                id=new_id(RandomIds(), "rst"),
                updated_at=now,
                planned_arrival=arrival,
                updated_arrival=arrival + timedelta(seconds=random.randrange(600)),
                planned_coordinates=Coordinates(
                    latitude=round(39.2 + random.random() / 5, 6),
                    longitude=round(-76.7 + random.random() / 5, 6),
                ),
                address=Address(
                    address1=f"{random.randrange(4000)} Light St", city="Baltimore", zip="21201"
                ),
                contact=Contact(
                    first_name=random.choice(_FIRST),
                    last_name=random.choice(_LAST),
                    phone=f"+1410555{random.randrange(10_000):04}",
                ),
                order_name=f"#{number * stops + position}",
                time_windows=(TimeWindow(start=TimeOfDay(hours=8), end=TimeOfDay(hours=12)),),
            )
        )
    start = RouteStart(coordinates=Coordinates(latitude=39.3, longitude=-76.6))
    return Route(
        id=new_id(RandomIds(), "rte"),
        number=number,
        name=f"Van {number}",
        start=start,
        stops=tuple(made),
        created_at=now,
        updated_at=now,
        scheduled_for=_BEGIN,
    )


if __name__ == "__main__":
    main()
