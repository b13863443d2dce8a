"""Drivers on the command line (decisions §11)."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from roundsman.cli.installation import installation
from roundsman.cli.operator import operator_request
from roundsman.cli.options import AsJson, DataFolder, list_choices
from roundsman.cli.organizations import Slug
from roundsman.cli.output import print_result, print_rows
from roundsman.domain.driver import Driver, DriverDraft, DriverStatus, name_of_driver
from roundsman.domain.driver_session import DriverSession
from roundsman.domain.queries import ListDrivers
from roundsman.operations import driver_sessions, drivers
from roundsman.operations.organizations import require_organization
from roundsman.operations.paging import list_all
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.reading import read_value

driver = typer.Typer(help="Invite, list and sign out drivers.", no_args_is_help=True)

DriverId = Annotated[str, typer.Argument(metavar="ID", help="The driver's id.")]

_ONLY_HERE = (
    "roundsman: the link is to this machine, port 8000; set ROUNDSMAN_BASE_URL to the address at "
    "which phones reach the service"
)


@driver.command("list")
def list_drivers(
    slug: Slug,
    status: Annotated[
        DriverStatus,
        typer.Option(
            metavar="STATUS",
            show_default=False,
            help=f"Only those who are {list_choices(DriverStatus)}; else all but the archived.",
        ),
    ] = DriverStatus.UNKNOWN,
    *,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """List an organization's drivers, oldest first."""
    with installation(data) as (_, tools):
        require_organization(tools.database, slug)
        found = list_all(partial(drivers.list_drivers, tools, slug), ListDrivers(status=status))
    shown = [msgspec.to_builtins(one) if as_json else _sum_up_driver(one) for one in found]
    print_rows("drivers", shown, as_json=as_json)


@driver.command("invite")
def invite_driver(  # noqa: PLR0913 -- an option each
    slug: Slug,
    first_name: Annotated[str, typer.Option(metavar="NAME", help="The driver's first name.")],
    last_name: Annotated[str, typer.Option(metavar="NAME", help="The driver's last name.")],
    phone: Annotated[
        str, typer.Option(metavar="NUMBER", help="The driver's phone, such as +14105550123.")
    ],
    email: Annotated[str, typer.Option(metavar="EMAIL", help="The driver's e-mail address.")] = "",
    *,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Add a driver; the link to sign up with is shown this once."""
    given = {"firstName": first_name, "lastName": last_name, "phone": phone, "email": email}
    with installation(data) as (settings, tools):
        draft = read_value(given, DriverDraft)
        invitation = drivers.add_driver(tools, operator_request(tools, slug), draft)
    if not settings.base_url:
        typer.echo(_ONLY_HERE, err=True)
    shown = msgspec.to_builtins(invitation.driver)
    if as_json:
        print_result({"driver": shown, "inviteUrl": invitation.url}, as_json=True)
    else:
        print_result({**shown, "inviteUrl": invitation.url}, as_json=False)


@driver.command("activate")
def activate_driver(
    driver_id: DriverId, *, as_json: AsJson = False, data: DataFolder = None
) -> None:
    """Let a driver drive, signed up or not."""
    _move(drivers.activate_driver, driver_id, data, as_json=as_json)


@driver.command("deactivate")
def deactivate_driver(
    driver_id: DriverId, *, as_json: AsJson = False, data: DataFolder = None
) -> None:
    """Keep a driver from driving for now."""
    _move(drivers.deactivate_driver, driver_id, data, as_json=as_json)


@driver.command("archive")
def archive_driver(
    driver_id: DriverId, *, as_json: AsJson = False, data: DataFolder = None
) -> None:
    """Take a driver off the fleet for good."""
    _move(drivers.archive_driver, driver_id, data, as_json=as_json)


@driver.command("sessions")
def list_sessions(driver_id: DriverId, *, as_json: AsJson = False, data: DataFolder = None) -> None:
    """List the devices on which a driver is signed in."""
    with installation(data) as (_, tools):
        employer = drivers.find_employer(tools, driver_id)
        devices = driver_sessions.list_devices(tools, employer, driver_id)
    shown = [
        msgspec.to_builtins(device) if as_json else _sum_up_session(device) for device in devices
    ]
    print_rows("sessions", shown, as_json=as_json)


@driver.command("sign-out")
def sign_out(
    driver_id: DriverId,
    session_id: Annotated[
        str,
        typer.Argument(
            metavar="SESSION", help="The device's session, as `driver sessions` shows it."
        ),
    ],
    *,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Sign a driver's device out, at once."""
    with installation(data) as (_, tools):
        request = operator_request(tools, drivers.find_employer(tools, driver_id))
        driver_sessions.sign_out_device(tools, request, driver_id, session_id)
    print_result({"session": session_id, "signedIn": False}, as_json=as_json)


def _sum_up_session(device: DriverSession) -> dict[str, object]:
    return {
        "session": device.id,
        "since": f"{device.created_at:%Y-%m-%d %H:%M}Z",
        "device": device.device,
    }


def _sum_up_driver(one: Driver) -> dict[str, object]:
    return {
        "id": one.id,
        "status": one.status.value,
        "name": name_of_driver(one),
        "phone": one.phone,
    }


def _move(
    move: Callable[[Tools, Request, str], Driver],
    driver_id: str,
    data: Path | None,
    *,
    as_json: bool,
) -> None:
    with installation(data) as (_, tools):
        request = operator_request(tools, drivers.find_employer(tools, driver_id))
        moved = move(tools, request, driver_id)
    print_result(msgspec.to_builtins(moved), as_json=as_json)
