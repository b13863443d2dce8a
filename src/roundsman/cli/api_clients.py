"""API clients and their credentials on the command line (decisions §11)."""

from typing import Annotated

import typer

from roundsman.cli.installation import installation
from roundsman.cli.options import AsJson, DataFolder
from roundsman.cli.organizations import Slug
from roundsman.cli.output import print_result, print_rows
from roundsman.cli.running_command import running_command
from roundsman.domain.address import EmailAddress
from roundsman.domain.principal import ALL_SCOPES, Scope
from roundsman.installation import make_registrar
from roundsman.kit.timestamps import format_timestamp
from roundsman.operations import api_clients
from roundsman.storage.api_clients import ClientRecord
from roundsman.wire.reading import read_value


def _read_scope(text: str) -> Scope:
    try:
        return Scope(text.upper())
    except ValueError:
        raise typer.BadParameter(f'must be one of {", ".join(Scope)}, not "{text}"') from None


credentials = typer.Typer(
    help="Make and list API clients, and replace their secrets.", no_args_is_help=True
)

ClientId = Annotated[str, typer.Option("--client-id", metavar="ID", help="The API client's ID.")]


@credentials.command("list")
def list_clients(slug: Slug, *, as_json: AsJson = False, data: DataFolder = None) -> None:
    """List an organization's API clients; secrets are not kept and cannot be shown."""
    with installation(data) as (_, tools):
        found = api_clients.list_clients(tools.database, slug)
    print_rows("clients", [_show_client(one) for one in found], as_json=as_json)


@credentials.command("create")
def create_credentials(
    slug: Slug,
    email: Annotated[
        str, typer.Option(metavar="EMAIL", help="Whom to write to about this client.")
    ],
    scope: Annotated[
        list[Scope] | None,
        typer.Option(
            help="What the client may do; may be given several times, none is all.",
            metavar="SCOPE",
            parser=_read_scope,
        ),
    ] = None,
    *,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Create an API client; its secret is shown this once.

    READ allows every GET, WRITE imports, routes, stops and store orders, DISPATCH making routes
    ready, dispatching them and writing to customers again, SETTINGS vehicles, drivers, webhooks.
    """
    scopes = frozenset(scope) if scope else ALL_SCOPES
    with installation(data) as (_, tools):
        contact = read_value({"email": email}, EmailAddress)
        made = api_clients.create_credentials(
            make_registrar(tools, running_command()), slug, contact.email, scopes
        )
    _print_credentials(made, as_json=as_json)


@credentials.command("rotate")
def rotate(client_id: ClientId, *, as_json: AsJson = False, data: DataFolder = None) -> None:
    """Add a second secret; both work until the rotation is finished or cancelled."""
    with installation(data) as (_, tools):
        made = api_clients.rotate_secret(make_registrar(tools, running_command()), client_id)
    _print_credentials(made, as_json=as_json)


@credentials.command("finish")
def finish(client_id: ClientId, *, as_json: AsJson = False, data: DataFolder = None) -> None:
    """Disable the old secret and every token made with it."""
    with installation(data) as (_, tools):
        api_clients.finish_rotation(make_registrar(tools, running_command()), client_id)
    print_result({"clientId": client_id, "rotation": "finished"}, as_json=as_json)


@credentials.command("cancel")
def cancel(client_id: ClientId, *, as_json: AsJson = False, data: DataFolder = None) -> None:
    """Disable the new secret and every token made with it."""
    with installation(data) as (_, tools):
        api_clients.cancel_rotation(make_registrar(tools, running_command()), client_id)
    print_result({"clientId": client_id, "rotation": "cancelled"}, as_json=as_json)


@credentials.command("delete")
def delete(client_id: ClientId, *, as_json: AsJson = False, data: DataFolder = None) -> None:
    """End all secrets and tokens of a client at once, for good."""
    with installation(data) as (_, tools):
        api_clients.delete_client(make_registrar(tools, running_command()), client_id)
    print_result({"clientId": client_id, "deleted": True}, as_json=as_json)


def _show_client(client: ClientRecord) -> dict[str, object]:
    return {
        "clientId": client.client_id,
        "email": client.email,
        "createdAt": format_timestamp(client.created_at),
        "rotation": "under way" if client.live_secrets > 1 else "none",
        "scopes": " ".join(one for one in Scope if one in client.scopes),
    }


def _print_credentials(made: api_clients.Credentials, *, as_json: bool) -> None:
    result = {
        "clientId": made.client_id,
        "clientSecret": made.client_secret,
        "organization": made.organization_id,
    }
    print_result(result, as_json=as_json)
