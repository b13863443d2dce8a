"""The key that secrets are sealed with, on the command line (decisions §17)."""

import typer

from roundsman.cli.installation import installation
from roundsman.cli.options import AsJson, DataFolder
from roundsman.cli.output import print_result
from roundsman.operations import secret_keys

secrets = typer.Typer(
    help="Replace the key that webhook secrets and other credentials are sealed with.",
    no_args_is_help=True,
)


@secrets.command("rotate")
def rotate_key(*, as_json: AsJson = False, data: DataFolder = None) -> None:
    """Seal every secret with a new key; the secrets stay, and the service may go on meanwhile.

    Back the key's file up again afterwards: a backup of the database is of no use without it.
    """
    with installation(data) as (_, tools):
        sealed = secret_keys.rotate_secret_key(tools)
        result = {"secretsSealed": sealed, "keyFile": str(tools.secret_box.file)}
    print_result(result, as_json=as_json)
