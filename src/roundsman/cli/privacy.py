"""Customers' and drivers' data on the command line: erased, or taken out (decisions §17)."""

from datetime import timedelta
from typing import Annotated

import msgspec
import typer

from roundsman.app import KINDS
from roundsman.cli.installation import installation
from roundsman.cli.operator import operator_request
from roundsman.cli.options import AsJson, DataFolder
from roundsman.cli.organizations import Slug
from roundsman.cli.output import print_result
from roundsman.domain.erasure import Erasure, ErasureDraft, PersonIdentifier
from roundsman.domain.errors import RoundsmanError, Unavailable
from roundsman.domain.model import UnsetType
from roundsman.operations import driver_erasures, driver_exports, erasures
from roundsman.operations.job_runs import carry_out_job
from roundsman.operations.organizations import require_organization
from roundsman.wire.reading import read_value

privacy = typer.Typer(
    help="Erase a customer's or a driver's data, or take it out.", no_args_is_help=True
)

_OPTIONS = {
    "phone": "--phone",
    "email": "--email",
    "clientStopId": "--client-stop-id",
    "importedStopId": "--imported-stop-id",
    "driverId": "--driver",
}
_LEASE = timedelta(minutes=10)
"""Nobody extends it here; a command that was killed is gone on with by the service after that."""

_Phone = Annotated[str, typer.Option(metavar="PHONE", help="Such as +14105550123.")]
_Email = Annotated[str, typer.Option(metavar="EMAIL", help="In any case.")]
_ClientStopId = Annotated[str, typer.Option(metavar="ID", help="The id that a client gave.")]
_DriverId = Annotated[str, typer.Option("--driver", metavar="ID", help="The id of a driver.")]
_ImportedStopId = Annotated[str, typer.Option(metavar="ID", help="The id of an imported stop.")]


@privacy.command("erase")
def erase(  # noqa: PLR0913 -- one parameter an option
    slug: Slug,
    *,
    phone: _Phone = "",
    email: _Email = "",
    client_stop_id: _ClientStopId = "",
    imported_stop_id: _ImportedStopId = "",
    driver_id: _DriverId = "",
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Kept in the receipt.")] = "",
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Erase a customer or a driver everywhere, and print the receipt.

    Exactly one of phone, email and ids says who. It goes on though a service is running. A driver
    is archived and signed out first; one who has a route under way is refused.
    """
    who = _person(phone, email, client_stop_id, imported_stop_id, driver_id)
    with installation(data) as (_, tools):
        draft = read_value({**who, "reason": reason}, ErasureDraft)
        asked = driver_erasures.request_erasure(tools, operator_request(tools, slug), draft)
        job_id = erasures.find_erasure_job(tools, slug, asked.id)
        carry_out_job(tools, KINDS, slug, job_id, _LEASE)
        done = erasures.get_erasure(tools, slug, asked.id)
        if isinstance(done.receipt, UnsetType):
            raise Unavailable(f"{asked.id} is not done yet; the service goes on with it")
    print_result(_shown(done), as_json=as_json)


@privacy.command("export")
def export(  # noqa: PLR0913 -- one parameter an option
    slug: Slug,
    *,
    phone: _Phone = "",
    email: _Email = "",
    client_stop_id: _ClientStopId = "",
    imported_stop_id: _ImportedStopId = "",
    driver_id: _DriverId = "",
    data: DataFolder = None,
) -> None:
    """Print everything that is stored of a customer or a driver, as JSON."""
    who = _person(phone, email, client_stop_id, imported_stop_id, driver_id)
    with installation(data) as (_, tools):
        identifier = read_value(who, PersonIdentifier)
        require_organization(tools.database, slug)
        found = driver_exports.export_person(tools, slug, identifier)
    typer.echo(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())


def _person(
    phone: str, email: str, client_stop_id: str, imported_stop_id: str, driver_id: str
) -> dict[str, str]:
    """Return who is meant, as it is read from a request; end the command unless it is one."""
    values = (phone, email, client_stop_id, imported_stop_id, driver_id)
    given = {name: text for name, text in zip(_OPTIONS, values, strict=True) if text}
    if len(given) != 1:
        raise typer.BadParameter(f"say who: exactly one of {', '.join(_OPTIONS.values())}")
    return given


def _shown(done: Erasure) -> dict[str, object]:
    receipt = done.receipt
    if isinstance(receipt, UnsetType):
        raise RoundsmanError("an erasure that is done has a receipt")
    return {
        "id": done.id,
        "status": done.status.value,
        **({"driverId": done.driver_id} if done.driver_id else {}),
        "erasedAt": receipt.erased_at.isoformat().replace("+00:00", "Z"),
        "reason": receipt.reason,
        "importedStops": receipt.imported_stops,
        "routeStops": receipt.route_stops,
        "orders": receipt.orders,
        "documents": receipt.documents,
        "pictures": receipt.pictures,
        "evidenceRecords": receipt.evidence_records,
        "positions": receipt.positions,
        "journalEntries": receipt.journal_entries,
        "devices": receipt.devices,
    }
