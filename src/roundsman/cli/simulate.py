"""`roundsman simulate day`: a test organization's day, with made-up customers and drivers."""

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta, tzinfo
from functools import partial
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

import msgspec
import typer

from roundsman.app import KINDS, warm_up
from roundsman.cli.day_runs import open_day_run
from roundsman.cli.demo import DEMO_PLACE, DEMO_TOWN
from roundsman.cli.installation import installation
from roundsman.cli.interrupts import INTERRUPTED
from roundsman.cli.options import AsJson, DataFolder
from roundsman.cli.output import print_result
from roundsman.cli.plan_ends import locate_route_end
from roundsman.cli.running_command import program_name, running_command
from roundsman.console.app import PREFIX as CONSOLE_PREFIX
from roundsman.domain.address import Address
from roundsman.domain.errors import FailedPrecondition
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.organization import Organization
from roundsman.domain.plan_draft import PlanRouteDetails
from roundsman.domain.principal import operator
from roundsman.installation import make_registrar
from roundsman.kit.clock import Clock
from roundsman.kit.time_zones import wall_clock, zone_at
from roundsman.kit.timestamps import format_timestamp
from roundsman.operations.organizations import create_organization, get_organization
from roundsman.operations.plans import get_plan
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.simulation.breakdown import Breakdown
from roundsman.simulation.clock import DayClock
from roundsman.simulation.day import DayRun, SimulatedDay, departure_of
from roundsman.simulation.preparing import (
    BEFORE_LEAVING,
    SHIFT,
    DayTools,
    DayToSimulate,
    PreparedDay,
    name_of_van,
    prepare_day,
    prepare_plan,
    require_test_organization,
)

simulate = typer.Typer(help="Play a day of a test organization.", no_args_is_help=True)

_NAME = "Simulated day"
_ZONE = "America/New_York"
_LEAVES = time(8)


@simulate.callback()
def _simulate() -> None:
    """Have a day be one of the things that can be simulated."""


_Slug = Annotated[
    str,
    typer.Option(
        "--organization",
        metavar="SLUG",
        help="A test organization; without it one is made.",
        show_default=False,
    ),
]
_Stops = Annotated[int, typer.Option(min=1, max=2_000, help="How many customers.")]
_Vans = Annotated[int, typer.Option(min=1, max=50, help="How many vans, each with a driver.")]
_PlanId = Annotated[
    str,
    typer.Option(
        "--plan",
        metavar="ID",
        help="Drive this plan's routes instead of made-up ones; it is applied first.",
        show_default=False,
    ),
]
_Start = Annotated[
    str,
    typer.Option(
        metavar="PLACE",
        help="An address or LAT,LON around which the customers live; without it the"
        " organization's own start, or Baltimore.",
        show_default=False,
    ),
]
_On = Annotated[
    datetime | None,
    typer.Option(
        "--date",
        formats=["%Y-%m-%d"],
        metavar="DATE",
        help="Which day, not one to come; without it the last that was over.",
        show_default=False,
    ),
]
_Speed = Annotated[
    float, typer.Option(min=0, help="How many times as fast as time; 0 is as fast as it goes.")
]
_Pace = Annotated[
    float,
    typer.Option(
        min=0.5,
        max=3,
        help="How many times as long as planned driving and service take: 1.2 is a slow day.",
    ),
]
_Seed = Annotated[int, typer.Option(min=0, max=1_000_000_000, help="Same seed, same day.")]
_Breakdowns = Annotated[
    list[str] | None,
    typer.Option(
        "--breakdown",
        metavar="VAN@HH:MM",
        help="This van, by number or name, breaks down at that time, by the clocks at the start;"
        " others take over. May be given repeatedly.",
        show_default=False,
    ),
]
_Force = Annotated[
    bool, typer.Option("--force", help="Though drivers are signed in on devices of their own.")
]


@simulate.command("day")
def day(  # noqa: PLR0913 -- one parameter an option
    *,
    slug: _Slug = "",
    stops: _Stops = 200,
    vans: _Vans = 8,
    plan_id: _PlanId = "",
    start: _Start = "",
    on: _On = None,
    speed: _Speed = 100,
    pace: _Pace = 1.0,
    seed: _Seed = 0,
    breakdown: _Breakdowns = None,
    force: _Force = False,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Play a day: customers order, vans are planned, drivers deliver through the driver's door.

    Events, messages, pages and the console are the real ones: have `roundsman serve` run beside it
    and look. Times are the day's own, and never ahead of the present.
    """
    if plan_id and not slug:
        raise typer.BadParameter("--plan is a plan of an organization: give --organization, too")
    broken = _read_breakdowns(breakdown or (), vans=0 if plan_id else vans)
    with installation(data, may_be_made=True) as (settings, tools):
        known = get_organization(tools.database, slug) if slug else None
        if known is not None and not force:
            require_test_organization(tools, slug)
        warm_up(tools.geocoder)
        asked = None
        if not plan_id:
            asked = _choose_day(tools, known, start, on, stops=stops, vans=vans, seed=seed)
        begins = asked.begins_at() if asked else _begin_of_plan(tools, slug, plan_id)
        organization = known or _make_organization(tools)
        request = Request(principal=operator(organization.id), command=running_command())
        clock = DayClock(begins, speed, tools.clock)
        say = _say_nothing if as_json else _say
        say(f"Preparing {begins.date()} in {organization.id}")
        report = partial(_report, say, ZoneInfo(organization.timezone))
        with (
            open_day_run(settings, tools, clock, request, seed, report) as run,
            _stopping(clock),
        ):
            run.pace = pace
            prepared = _prepare(tools, run, asked, plan_id)
            say(_describe(prepared))
            simulated = run.run(prepared, _date_breakdowns(broken, prepared))
        if not as_json:
            _print_summary(simulated, organization, tools.address.url, data)
    if as_json:
        print_result({"organization": organization.id, **_shown(simulated)}, as_json=True)
    if not simulated.is_whole:
        raise typer.Exit(INTERRUPTED)


def _read_breakdowns(texts: Sequence[str], *, vans: int) -> list[tuple[str, time]]:
    """Return what breaks down; refuse a van that a made-up day of so many has not.

    Of a plan, 0, it is known once its routes are made.
    """
    broken = [_read_breakdown(text) for text in texts]
    known = [name_of_van(number) for number in range(1, vans + 1)]
    for van, _ in broken:
        if known and van not in known:
            raise typer.BadParameter(f"--breakdown: no {van}; there are: {', '.join(known)}")
    return broken


def _read_breakdown(text: str) -> tuple[str, time]:
    """Return the van and the time of an option such as 2@11:30."""
    van, _, clock = text.rpartition("@")
    try:
        at = datetime.strptime(clock, "%H:%M").time()  # noqa: DTZ007 -- the zone is the start's
    except ValueError as error:
        raise typer.BadParameter(f"--breakdown must be VAN@HH:MM, not {text}") from error
    if not van:
        raise typer.BadParameter(f"--breakdown must be VAN@HH:MM, not {text}")
    return (name_of_van(int(van)) if van.isdecimal() else van), at


def _date_breakdowns(broken: Sequence[tuple[str, time]], prepared: PreparedDay) -> list[Breakdown]:
    """Return breakdowns on the day of the routes, by the clocks at their start."""
    if not broken:
        return []
    route = prepared.routes[0]
    leaves, here = departure_of(route), route.start.coordinates
    zone = zone_at(latitude=here.latitude, longitude=here.longitude)
    on = leaves.astimezone(zone).date()
    return [Breakdown(van=van, at=datetime.combine(on, at, zone)) for van, at in broken]


def _prepare(tools: Tools, run: DayRun, asked: DayToSimulate | None, plan_id: str) -> PreparedDay:
    day_tools = DayTools(real=tools, then=run.tools, kinds=KINDS)
    if asked is None:
        return prepare_plan(day_tools, run.request, plan_id, PlanRouteDetails())
    return prepare_day(day_tools, run.request, asked)


def _describe(prepared: PreparedDay) -> str:
    count = len(prepared.routes)
    routes = "1 route is" if count == 1 else f"{count} routes are"
    return f"{routes} dispatched, {prepared.unplanned} stops stay out"


def _say(line: str) -> None:
    typer.echo(line)


def _say_nothing(_line: str) -> None:
    """Leave standard output to the JSON."""


def _report(say: Callable[[str], None], zone: tzinfo, at: datetime, line: str) -> None:
    say(f"{at.astimezone(zone):%H:%M} {line}")


def _make_organization(tools: Tools) -> Organization:
    return create_organization(make_registrar(tools, running_command()), _NAME, _ZONE)


def _choose_day(  # noqa: PLR0913 -- what the options say
    tools: Tools,
    organization: Organization | None,
    start: str,
    on: datetime | None,
    *,
    stops: int,
    vans: int,
    seed: int,
) -> DayToSimulate:
    place, town = DEMO_PLACE, DEMO_TOWN
    usual = organization.start if organization else UNSET
    if start:
        located = locate_route_end(start, tools.geocoder)
        place, town = located.coordinates, located.address or Address()
    elif not isinstance(usual, UnsetType) and not isinstance(usual.coordinates, UnsetType):
        place, town = usual.coordinates, usual.address or Address()
    # Time windows are by the clocks that hang there, and so are shifts.
    zone = zone_at(latitude=place.latitude, longitude=place.longitude)
    asked = DayToSimulate(
        stops=stops,
        vans=vans,
        seed=seed,
        leaves=datetime.combine(
            on.date() if on else _last_day_over(tools.clock, zone), _LEAVES, zone
        ),
        start=place,
        town=town,
    )
    if asked.begins_at() > tools.clock.now():
        raise FailedPrecondition(
            f"{asked.leaves.date()} has not begun: its stops come in at"
            f" {format_timestamp(asked.begins_at())}; name a day that is over or under way"
        )
    return asked


def _last_day_over(clock: Clock, zone: tzinfo) -> date:
    """Return the last day whose vans are back by now."""
    now = clock.now()
    today = now.astimezone(zone).date()
    ended = wall_clock(datetime.combine(today, _LEAVES), zone, latest=False) + SHIFT
    return today if ended <= now else today - timedelta(days=1)


def _begin_of_plan(tools: Tools, organization_id: str, plan_id: str) -> datetime:
    """Return when the day of a plan begins; refuse one that is to come."""
    plan = get_plan(tools, organization_id, plan_id)
    leaves = [route.departure for route in plan.routes]
    if not leaves:
        raise FailedPrecondition(f"plan {plan_id} is {plan.status} and has no routes to drive")
    begins = min(leaves) - BEFORE_LEAVING
    if begins > tools.clock.now():
        raise FailedPrecondition(
            f"the vans of plan {plan_id} leave at {format_timestamp(min(leaves))}; name one"
            " whose day is over or under way"
        )
    return begins


@contextmanager
def _stopping(clock: DayClock) -> Iterator[None]:
    """Have Ctrl-C and SIGTERM end the day between two things that happen."""
    usual = {
        one: signal.signal(one, lambda *_: clock.stop()) for one in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for one, handler in usual.items():
            signal.signal(one, handler)


def _print_summary(
    simulated: SimulatedDay, organization: Organization, address: str, data: Path | None
) -> None:
    """Say what came of the day, and where to look at it."""
    happened = ", ".join(f"{count} {what}" for what, count in simulated.happened.items())
    ended = "The day is over" if simulated.is_whole else "The day was interrupted"
    on = simulated.began_at.astimezone(ZoneInfo(organization.timezone)).date()
    create = f"credentials create --organization {organization.id} --email you@example.com"
    folder = f" --data {data}" if data else ""
    typer.echo(f"{ended} after {simulated.seconds:g} s: {happened or 'nothing happened'}")
    typer.echo(
        f"{simulated.actions} actions of drivers, {simulated.photos} photos,"
        f" {simulated.batches_sent_twice} batches sent twice, {simulated.actions_missing} missing"
    )
    typer.echo(f"Look at it:  {address}{CONSOLE_PREFIX}#/day/{on}  (while `serve` runs)")
    typer.echo(f"To sign in:  {program_name()} {create}{folder}")


def _shown(simulated: SimulatedDay) -> dict[str, object]:
    shown: dict[str, object] = msgspec.to_builtins(simulated)
    return {_camel(name): value for name, value in shown.items()}


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))
