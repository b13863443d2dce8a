"""Addresses on the command line: where one is, and which one is at a place."""

import os
from contextlib import closing
from typing import Annotated, Any

import typer

from roundsman.cli.options import AsJson, DataFolder, errors_in_one_line
from roundsman.cli.output import print_result
from roundsman.cli.plan_ends import parse_coordinates
from roundsman.geocoding.answer_cache import AnswersInMemory
from roundsman.geocoding.geocoder import Match, Miss
from roundsman.geocoding.one_line import parse_one_line
from roundsman.geography import make_geocoder, make_reverse_geocoder
from roundsman.kit.clock import SystemClock
from roundsman.settings import load_settings

address = typer.Typer(help="Look up an address, or what is at a place.", no_args_is_help=True)


@address.command("find")
def find(
    text: Annotated[str, typer.Argument(metavar="ADDRESS", help="An address on one line.")],
    *,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Say where an address is, how close to its door, and how sure that is.

    Exit status 1: it cannot be located; the reason is on standard error.
    """
    with errors_in_one_line():
        settings = load_settings(os.environ, data=str(data) if data else None)
        made = make_geocoder(settings, memory=AnswersInMemory(), clock=SystemClock())
        with closing(made) as geocoder:
            (answer,) = geocoder.geocode([parse_one_line(text)])
    _report(answer, as_json=as_json)


@address.command("at")
def at(
    location: Annotated[
        str, typer.Argument(metavar="LAT,LON", help="A place in degrees, such as 39.29,-76.61.")
    ],
    *,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Say which address is nearest to a place.

    Exit status 1: nothing is near; the reason is on standard error.
    """
    with errors_in_one_line():
        coordinates = parse_coordinates(location)
        settings = load_settings(os.environ, data=str(data) if data else None)
        with closing(make_reverse_geocoder(settings)) as geocoder:
            answer = geocoder.reverse(coordinates)
    _report(answer, as_json=as_json)


def _report(answer: Match | Miss, *, as_json: bool) -> None:
    if isinstance(answer, Miss):
        typer.echo(f"roundsman: {answer.reason}", err=True)
        raise typer.Exit(1)
    shown: dict[str, Any] = {
        "matchedAddress": answer.label,
        "latitude": answer.coordinates.latitude,
        "longitude": answer.coordinates.longitude,
        "matchType": str(answer.match_type),
        "matchConfidence": answer.confidence,
        "attribution": answer.attribution,
    }
    print_result(shown, as_json=as_json)
