"""`roundsman simulate day`: a test organization's day, with made-up customers and drivers."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta, tzinfo
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

import msgspec
import typer

from roundsman.app import KINDS, make_application, make_registrar, warm_up
from roundsman.cli.demo import DEMO_PLACE, DEMO_TOWN
from roundsman.cli.installation import installation
from roundsman.cli.interrupts import INTERRUPTED
from roundsman.cli.options import AsJson, DataFolder
from roundsman.cli.output import print_result
from roundsman.cli.plan_ends import locate_route_end
from roundsman.cli.running_command import running_command
from roundsman.console.app import PREFIX as CONSOLE_PREFIX
from roundsman.domain.address import Address
from roundsman.domain.errors import FailedPrecondition
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.organization import Organization
from roundsman.domain.plan_draft import PlanRouteDetails
from roundsman.domain.principal import operator
from roundsman.kit.clock import Clock
from roundsman.kit.time_zones import zone_at
from roundsman.kit.timestamps import format_timestamp
from roundsman.operations.organizations import create_organization, get_organization
from roundsman.operations.plans import get_plan
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.settings import Settings
from roundsman.simulation.clock import DayClock, tools_of_day
from roundsman.simulation.day import DayRun, SimulatedDay
from roundsman.simulation.preparing import (
    BEFORE_LEAVING,
    SHIFT,
    DayTools,
    DayToSimulate,
    PreparedDay,
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


@simulate.command("day")
def day(  # noqa: PLR0913 -- one parameter an option
    *,
    slug: Annotated[
        str,
        typer.Option(
            "--organization",
            metavar="SLUG",
            help="A test organization; without it one is made.",
            show_default=False,
        ),
    ] = "",
    stops: Annotated[int, typer.Option(min=1, max=2_000, help="How many customers.")] = 200,
    vans: Annotated[
        int, typer.Option(min=1, max=50, help="How many vans, each with a driver.")
    ] = 8,
    plan_id: Annotated[
        str,
        typer.Option(
            "--plan",
            metavar="ID",
            help="Drive this plan's routes instead of made-up ones; it is applied first.",
            show_default=False,
        ),
    ] = "",
    start: Annotated[
        str,
        typer.Option(
            metavar="PLACE",
            help="An address or LAT,LON around which the customers live; without it the"
            " organization's own start, or Baltimore.",
            show_default=False,
        ),
    ] = "",
    on: Annotated[
        datetime | None,
        typer.Option(
            "--date",
            formats=["%Y-%m-%d"],
            metavar="DATE",
            help="Which day, not one to come; without it the last that was over.",
            show_default=False,
        ),
    ] = None,
    speed: Annotated[
        float,
        typer.Option(min=0, help="How many times as fast as time; 0 is as fast as it goes."),
    ] = 100,
    seed: Annotated[int, typer.Option(min=0, max=1_000_000_000, help="Same seed, same day.")] = 0,
    force: Annotated[
        bool, typer.Option("--force", help="Though drivers are signed in on devices of their own.")
    ] = False,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Play a day: customers order, vans are planned, drivers deliver through the driver's door.

    Events, messages, pages and the console are the real ones: have `roundsman serve` run beside it
    and look. Times are the day's own, and never ahead of the present.
    """
    if plan_id and not slug:
        raise typer.BadParameter("--plan is a plan of an organization: give --organization, too")
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
        then = tools_of_day(tools, clock)
        _say(f"Preparing {begins.date()} in {organization.id}", as_json=as_json)
        day_tools = DayTools(real=tools, then=then, kinds=KINDS)
        if asked is None:
            prepared = prepare_plan(day_tools, request, plan_id, PlanRouteDetails())
        else:
            prepared = prepare_day(day_tools, request, asked)
        _say(_describe(prepared), as_json=as_json)
        simulated = _run(settings, then, clock, request, prepared, seed=seed, is_quiet=as_json)
        if not as_json:
            _print_summary(simulated, organization, tools.address.url, data)
    if as_json:
        print_result({"organization": organization.id, **_shown(simulated)}, as_json=True)
    if not simulated.is_whole:
        raise typer.Exit(INTERRUPTED)


def _describe(prepared: PreparedDay) -> str:
    count = len(prepared.routes)
    routes = "1 route is" if count == 1 else f"{count} routes are"
    return f"{routes} dispatched, {prepared.unplanned} stops stay out"


def _say(line: str, *, as_json: bool) -> None:
    if not as_json:
        typer.echo(line)


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
    now = clock.now().astimezone(zone)
    ended = datetime.combine(now.date(), _LEAVES, zone) + SHIFT
    return now.date() if ended <= now else now.date() - timedelta(days=1)


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


def _run(  # noqa: PLR0913 -- what the command has put together
    settings: Settings,
    then: Tools,
    clock: DayClock,
    request: Request,
    prepared: PreparedDay,
    *,
    seed: int,
    is_quiet: bool,
) -> SimulatedDay:
    zone = ZoneInfo(get_organization(then.database, request.organization_id).timezone)

    def report(at: datetime, line: str) -> None:
        _say(f"{at.astimezone(zone):%H:%M} {line}", as_json=is_quiet)

    app = make_application(settings, then)
    try:
        with _stopping(clock):
            run = DayRun(
                tools=then, clock=clock, app=app, request=request, seed=seed, report=report
            )
            return run.run(prepared)
    finally:
        app.close()


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
    typer.echo(f"To sign in:  {Path(sys.argv[0])} {create}{folder}")


def _shown(simulated: SimulatedDay) -> dict[str, object]:
    shown: dict[str, object] = msgspec.to_builtins(simulated)
    return {_camel(name): value for name, value in shown.items()}


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))
