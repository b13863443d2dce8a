"""Print whether windows hold: weeks of simulated days, driven through the driver's door.

`python -m bench.arrivals --days 60` plays one day after the other in one organization, learns from
them each night as a worker does, and prints how many of the windows that were shown after the first
two weeks held, how wide they were, and what half an hour to either side would have held. Every day
has a pace of its own around a bias: all takes some 8 % longer than planned, give or take 8 %; on
one day a van breaks down. Customers are told of every moment, and what they were told is looked
through for messages that contradict each other.
"""

import argparse
import logging
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from datetime import time as clock_time
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec

from roundsman.app import KINDS, warm_up
from roundsman.cli.day_runs import open_day_run
from roundsman.cli.demo import DEMO_PLACE, DEMO_TOWN
from roundsman.domain.arrival_forecast import KeptForecast
from roundsman.domain.message import Channel, MessageRule, Trigger
from roundsman.domain.principal import operator
from roundsman.domain.report import report_arrivals
from roundsman.installation import make_registrar, make_tools, open_database
from roundsman.kit.telemetry import configure_logs
from roundsman.operations.arrival_learning import learn_from_days
from roundsman.operations.messages import change_message_settings
from roundsman.operations.organizations import create_organization
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.settings import Settings
from roundsman.simulation.breakdown import Breakdown
from roundsman.simulation.clock import DayClock
from roundsman.simulation.preparing import DayTools, DayToSimulate, name_of_van, prepare_day
from roundsman.storage.arrivals import find_spreads, list_kept_forecasts
from roundsman.storage.database import Database
from roundsman.storage.migrate import migrate

_ZONE = ZoneInfo("America/New_York")
_BIAS, _VARIES = 1.08, 0.08
_NAIVE = timedelta(minutes=30)
_ORDER = ("PLANNED", "ON_THE_WAY", "NEXT")
_ENDS: Sequence[Sequence[str]] = ([], ["DELIVERED"], ["ATTEMPTED"], ["ATTEMPTED", "DELIVERED"])


@dataclass(frozen=True, kw_only=True)
class Days:
    """What is played."""

    count: int
    stops: int
    vans: int
    seed: int

    def dates(self) -> Iterator[date]:
        """Yield the last so many days that are over."""
        today = datetime.now(_ZONE).date()  # noqa: TID251 -- simulated days are of the past
        for number in range(self.count, 0, -1):
            yield today - timedelta(days=number)


def main() -> None:
    """Play the days and print what came of their windows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=60)
    parser.add_argument("--learning", type=int, default=14, help="days that do not count yet")
    parser.add_argument("--stops", type=int, default=48)
    parser.add_argument("--vans", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    days = Days(count=wanted.days, stops=wanted.stops, vans=wanted.vans, seed=wanted.seed)
    configure_logs(logging.WARNING)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            data=Path(folder), smtp_url="smtp://127.0.0.1:9", mail_from="a@example.com"
        )
        with closing(open_database(settings)) as database:
            migrate(database)
            with closing(make_tools(settings, database)) as tools:
                organization_id = _play(settings, tools, days)
            counted = list(days.dates())[wanted.learning]
            _print_windows(database, organization_id, counted)
            _print_messages(database)
    print(f"{wanted.days} days of {wanted.stops} stops in {time.monotonic() - begun:.0f} s")


def _play(settings: Settings, tools: Tools, days: Days) -> str:
    warm_up(tools.geocoder)
    organization = create_organization(make_registrar(tools), "Bench Goods", str(_ZONE))
    request = Request(principal=operator(organization.id))
    rules = tuple(MessageRule(moment=one, channel=Channel.EMAIL) for one in Trigger)
    change_message_settings(tools, request, {"message_rules": rules})
    for number, on in enumerate(days.dates()):
        _play_day(settings, tools, request, days, number, on)
    return organization.id


def _play_day(
    settings: Settings, tools: Tools, request: Request, days: Days, number: int, on: date
) -> None:
    seed = days.seed * 1_000 + number
    draw = random.Random(seed)  # noqa: S311 -- repeats itself on purpose
    asked = DayToSimulate(
        stops=days.stops,
        vans=days.vans,
        seed=seed,
        leaves=datetime.combine(on, clock_time(8), _ZONE),
        start=DEMO_PLACE,
        town=DEMO_TOWN,
    )
    broken = []
    if number == days.count // 2:
        noon = datetime.combine(on, clock_time(10, 30), _ZONE)
        broken.append(Breakdown(van=name_of_van(1), at=noon))
    clock = DayClock(asked.begins_at(), 0, tools.clock)
    with open_day_run(settings, tools, clock, request, seed) as run:
        run.pace = max(0.8, draw.gauss(_BIAS, _VARIES))
        prepared = prepare_day(
            DayTools(real=tools, then=run.tools, kinds=KINDS), run.request, asked
        )
        came = run.run(prepared, broken)
        assert came.is_whole
        assert came.actions_missing == 0
        # As housekeeping does, some time in the night.
        clock.advance_to(asked.leaves + timedelta(hours=14))
        learn_from_days(run.tools)
    told = ", ".join(f"{count} {what}" for what, count in came.happened.items())
    print(f"{on} pace {run.pace:.2f}: {told}", flush=True)


def _print_windows(database: Database, organization_id: str, since: date) -> None:
    begin = datetime.combine(since, clock_time(), _ZONE)
    with database.reading() as tx:
        kept = list_kept_forecasts(tx, organization_id, begin, begin + timedelta(days=400))
        spreads = find_spreads(tx, organization_id)
    print("stops ahead   count    held   mean width   half an hour to either side holds")
    for bucket in report_arrivals(kept).buckets:
        _print_row(
            str(bucket.stops_ahead), [x for x in kept if x.stops_ahead == bucket.stops_ahead]
        )
    _print_row("all", kept)
    print(f"learned: {msgspec.json.encode(spreads).decode()}")


def _print_row(name: str, kept: Sequence[KeptForecast]) -> None:
    if not kept:
        return
    held = sum(one.holds(one.arrived_at) for one in kept) / len(kept)
    width = sum((one.window.end - one.window.start).total_seconds() for one in kept) / len(kept)
    naive = sum(abs(one.arrived_at - one.expected_at) <= _NAIVE for one in kept) / len(kept)
    print(f"{name:>11} {len(kept):>7} {held:>7.1%} {width / 60:>8.1f} min {naive:>20.1%}")


def _print_messages(database: Database) -> None:
    with database.reading() as tx:
        rows = tx.exec_driver_sql(
            "SELECT stop_id, moment FROM messages ORDER BY created_at, rowid"
        ).all()
    told = defaultdict(list)
    for row in rows:
        told[row.stop_id].append(row.moment)
    wrong = [moments for moments in told.values() if _contradict(moments)]
    most = max(map(len, told.values()))
    print(
        f"{len(rows)} messages about {len(told)} stops, at most {most} about one;"
        f" {len(wrong)} stops were told what contradicts {wrong[:3] or ''}"
    )


def _contradict(moments: Sequence[str]) -> bool:
    """Say whether a stop's messages are doubled, out of order, or go on behind its end."""
    ends = [one for one in moments if one in {"DELIVERED", "ATTEMPTED"}]
    ahead = [one for one in moments if one in _ORDER]
    return (
        ends not in _ENDS
        or list(moments[len(moments) - len(ends) :]) != ends
        or ahead != sorted(set(ahead), key=_ORDER.index)
    )


if __name__ == "__main__":
    main()
