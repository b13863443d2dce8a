"""Evidence on the command line: verified without a database and without a network."""

from pathlib import Path
from typing import Annotated

import typer

from roundsman.cli.options import AsJson, errors_in_one_line
from roundsman.cli.output import print_result
from roundsman.operations.evidence_verification import BundleVerdict, verify_bundle

evidence = typer.Typer(help="Verify what proves a delivery.", no_args_is_help=True)


@evidence.command("verify")
def verify(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", exists=True, dir_okay=False, readable=True, help="The ZIP of a stop."
        ),
    ],
    *,
    key: Annotated[
        Path | None,
        typer.Option(
            metavar="PEM",
            exists=True,
            dir_okay=False,
            help="The key that the organization publishes, to compare with the bundle's.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say whether a stop's evidence is whole, and what was changed, dropped or moved if it is not.

    Exits 1 where it is not whole.
    """
    with errors_in_one_line():
        verdict = verify_bundle(file.read_bytes(), key.read_bytes() if key else None)
    if as_json:
        print_result(_shown(verdict), as_json=True)
    else:
        _say(verdict, is_key_known=key is not None)
    if verdict.problems:
        raise typer.Exit(1)


def _shown(verdict: BundleVerdict) -> dict[str, object]:
    return {
        "whole": not verdict.problems,
        "problems": list(verdict.problems),
        "organization": verdict.organization,
        "records": verdict.records,
        "checkpointAt": verdict.checkpoint_at,
        "publicKey": verdict.public_key,
    }


def _say(verdict: BundleVerdict, *, is_key_known: bool) -> None:
    if verdict.problems:
        typer.echo("The evidence is NOT whole:")
        for problem in verdict.problems:
            typer.echo(f"  {problem}")
        return
    typer.echo(
        f"The evidence is whole: {verdict.records} records of {verdict.organization},"
        f" signed at {verdict.checkpoint_at}."
    )
    if not is_key_known:
        typer.echo("Compare its key with the one that the organization publishes (--key):")
        typer.echo(verdict.public_key.rstrip())
