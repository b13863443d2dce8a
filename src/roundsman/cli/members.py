"""Members on the command line: who plans for an organization (decisions §13)."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from roundsman.cli.installation import installation
from roundsman.cli.options import AsJson, DataFolder
from roundsman.cli.organizations import Slug
from roundsman.cli.output import print_result, print_rows
from roundsman.cli.running_command import running_command
from roundsman.domain.address import EmailAddress
from roundsman.domain.member import Member, MemberDraft
from roundsman.domain.principal import Role, operator
from roundsman.domain.queries import ListMembers
from roundsman.operations import members, password_resets, second_factor_settings
from roundsman.operations.organizations import require_organization
from roundsman.operations.paging import list_all
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.settings import Settings
from roundsman.wire.reading import read_value

member = typer.Typer(
    help="Invite, list and let in the people who plan for an organization.", no_args_is_help=True
)

MemberId = Annotated[str, typer.Argument(metavar="ID", help="The member's id.")]

_ONLY_HERE = (
    "roundsman: the link is to this machine, port 8000; set ROUNDSMAN_BASE_URL to the address at "
    "which browsers reach the service"
)


def _operator(slug: str) -> Request:
    return Request(principal=operator(slug), command=running_command())


def _read_role(text: str) -> Role:
    try:
        return Role(text.upper())
    except ValueError:
        raise typer.BadParameter(f'must be one of {", ".join(Role)}, not "{text}"') from None


@member.command("invite")
def invite_member(
    slug: Slug,
    email: Annotated[str, typer.Option(metavar="EMAIL", help="The member's e-mail address.")],
    name: Annotated[str, typer.Option(metavar="NAME", help="The member's name.")] = "",
    role: Annotated[
        Role,
        typer.Option(
            metavar="ROLE",
            parser=_read_role,
            help="OWNER may do all, PLANNER all but settings, VIEWER only look.",
        ),
    ] = Role.PLANNER,
    *,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Invite somebody to plan; the link to sign up with is shown this once."""
    with installation(data) as (settings, tools):
        draft = read_value({"email": email, "name": name, "role": role.value}, MemberDraft)
        require_organization(tools.database, slug)
        made = members.add_member(tools, _operator(slug), draft)
    _warn_of_address(settings)
    shown = msgspec.to_builtins(made.member)
    if as_json:
        print_result({"member": shown, "inviteUrl": made.url}, as_json=True)
    else:
        print_result({**shown, "inviteUrl": made.url}, as_json=False)


@member.command("list")
def list_members(slug: Slug, *, as_json: AsJson = False, data: DataFolder = None) -> None:
    """List the people who plan for an organization, oldest first."""
    with installation(data) as (_, tools):
        require_organization(tools.database, slug)
        found = list_all(partial(members.list_members, tools, slug), ListMembers())
    shown = [msgspec.to_builtins(one) if as_json else _sum_up(one) for one in found]
    print_rows("members", shown, as_json=as_json)


@member.command("deactivate")
def deactivate_member(
    member_id: MemberId, *, as_json: AsJson = False, data: DataFolder = None
) -> None:
    """Keep a member from signing in, and sign them out at once."""
    _move(members.deactivate_member, member_id, data, as_json=as_json)


@member.command("activate")
def activate_member(
    member_id: MemberId, *, as_json: AsJson = False, data: DataFolder = None
) -> None:
    """Let a deactivated member in again."""
    _move(members.activate_member, member_id, data, as_json=as_json)


@member.command("reset-password")
def reset_password(
    email: Annotated[str, typer.Argument(metavar="EMAIL", help="The member's e-mail address.")],
    *,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Print a link to choose a new password with: once, within 24 hours.

    The old password works until then. Choosing a new one signs the member out everywhere.
    """
    with installation(data) as (settings, tools):
        known = read_value({"email": email}, EmailAddress)
        url = password_resets.make_reset_link(tools, known.email, running_command())
    _warn_of_address(settings)
    print_result({"email": email, "resetUrl": url}, as_json=as_json)


@member.command("reset-second-factor")
def reset_second_factor(
    email: Annotated[str, typer.Argument(metavar="EMAIL", help="The member's e-mail address.")],
    *,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Take every second factor of a person away who has lost them: codes and passkeys.

    Make sure who asks: the password alone signs them in then.
    """
    with installation(data) as (_, tools):
        known = read_value({"email": email}, EmailAddress)
        second_factor_settings.reset_second_factors(tools, known.email, running_command())
    print_result({"email": email, "secondFactors": "none"}, as_json=as_json)


def _move(
    move: Callable[[Tools, Request, str], Member],
    member_id: str,
    data: Path | None,
    *,
    as_json: bool,
) -> None:
    with installation(data) as (_, tools):
        slug = members.find_organization_of_member(tools, member_id)
        moved = move(tools, _operator(slug), member_id)
    print_result(msgspec.to_builtins(moved), as_json=as_json)


def _warn_of_address(settings: Settings) -> None:
    if not settings.base_url:
        typer.echo(_ONLY_HERE, err=True)


def _sum_up(one: Member) -> dict[str, object]:
    return {
        "id": one.id,
        "status": one.status.value,
        "role": one.role.value,
        "email": one.email,
        "name": one.name,
    }
