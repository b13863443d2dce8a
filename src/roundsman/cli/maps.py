"""Maps on the command line: made of an extract, brought, listed, removed (decisions §11)."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from roundsman.cli.interrupts import INTERRUPTED
from roundsman.cli.options import AsJson, DataFolder, errors_in_one_line
from roundsman.cli.output import print_result, print_table
from roundsman.geocoding.extract_index import index_addresses
from roundsman.geocoding.extract_reader import UnreadableExtract
from roundsman.geocoding.index_file import WrongIndex
from roundsman.geography import brought_tiles, maps_folder, open_client
from roundsman.kit.clock import SystemClock
from roundsman.operations.maps import (
    MapTools,
    bring_tiles,
    delete_map,
    find_maps,
    import_map,
)
from roundsman.roads.capacity import TooLittleRoom
from roundsman.roads.extract import BadExtract
from roundsman.roads.graph_version import engine_version, graph_version, is_outdated
from roundsman.roads.installed_maps import BadMapName, InstalledMap, MapsBusy
from roundsman.roads.self_test import FailedSelfTest
from roundsman.settings import load_settings
from roundsman.tiles.archive import UnreadableTiles
from roundsman.tiles.brought_tiles import copy_tiles
from roundsman.tiles.builder import build_tiles

maps = typer.Typer(
    help="Import, list and remove maps: roads and addresses from OpenStreetMap.",
    no_args_is_help=True,
)

_REMARKS = Console(stderr=True)
_FAILURES = (
    BadExtract,
    BadMapName,
    FailedSelfTest,
    MapsBusy,
    OSError,
    TooLittleRoom,
    UnreadableExtract,
    UnreadableTiles,
    WrongIndex,
)
_MEGABYTE = 1_000_000


@maps.command("import")
def import_extract(
    extract: Annotated[
        Path,
        typer.Argument(
            metavar="EXTRACT.osm.pbf",
            exists=True,
            dir_okay=False,
            readable=True,
            help="An OpenStreetMap extract.",
        ),
    ],
    *,
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="What the map is called; else after its file."),
    ] = None,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Try it where disk or memory seem too little.")
    ] = False,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Make roads, addresses and streets of an extract; it replaces the map of the same name.

    The map in use stays until the new one has been tried; a running service then goes over to it.
    """
    with _failures_in_one_line():
        tools = MapTools(
            maps=maps_folder(load_settings(os.environ, data=str(data) if data else None)),
            clock=SystemClock(),
            http=open_client(),
            index_addresses=index_addresses,
            draw_streets=build_tiles,
        )
        if anyway:
            tools = replace(tools, capacity=None)
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeElapsedColumn(),
        )
        silent = not _REMARKS.is_terminal
        with Progress(*columns, console=_REMARKS, transient=True, disable=silent) as bar:
            task = bar.add_task("Starting", total=1.0)
            made = import_map(
                tools,
                extract,
                name,
                lambda doing, share: bar.update(task, description=doing, completed=share),
            )
    print_result(_shown(made), as_json=as_json)
    if tools.index_addresses is None:
        _REMARKS.print("Addresses are not indexed: this map is of roads only.", style="yellow")


@maps.command("list")
def show_maps(*, as_json: AsJson = False, data: DataFolder = None) -> None:
    """List the maps of this installation."""
    with _failures_in_one_line():
        found = find_maps(maps_folder(load_settings(os.environ, data=str(data) if data else None)))
    if as_json:
        typer.echo(json.dumps([_shown(one) for one in found]))
        return
    if not found:
        typer.echo("No maps; travel times are estimates. Import an extract: roundsman map import")
        return
    print_table("maps", [_sum_up(one) for one in found])
    for attribution in dict.fromkeys(one.manifest.attribution for one in found):
        typer.echo(attribution)
    for one in found:
        if not one.manifest.tiles:
            _REMARKS.print(
                f"{one.manifest.name} has no streets to look at: import it again", style="yellow"
            )
        if is_outdated(one.graph):
            made_by, engine = graph_version(one.graph), engine_version()
            _REMARKS.print(
                f"{one.manifest.name} was made for road engine {made_by}, {engine} is installed: "
                "import it again",
                style="yellow",
            )


@maps.command("tiles")
def bring(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            exists=True,
            dir_okay=False,
            readable=True,
            help="Vector tiles as MBTiles or PMTiles, of the Protomaps schema.",
        ),
    ],
    *,
    data: DataFolder = None,
) -> None:
    """Show the streets of a finished file, before those of the imported maps."""
    with _failures_in_one_line():
        kept = brought_tiles(load_settings(os.environ, data=str(data) if data else None))
        count = bring_tiles(file, kept, copy_tiles)
    typer.echo(f"{count} tiles of {file.name} are in use")


@maps.command("remove")
def remove(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The map's name.")],
    *,
    data: DataFolder = None,
) -> None:
    """Remove a map; routes there are estimated from then on."""
    with _failures_in_one_line():
        folder = maps_folder(load_settings(os.environ, data=str(data) if data else None))
        if not delete_map(folder, name):
            names = ", ".join(one.manifest.name for one in find_maps(folder)) or "none"
            typer.echo(f'roundsman: no map "{name}"; there are: {names}', err=True)
            raise typer.Exit(1)
    typer.echo(f"removed {name}")


@contextmanager
def _failures_in_one_line() -> Iterator[None]:
    with errors_in_one_line():
        try:
            yield
        except _FAILURES as error:
            typer.echo(f"roundsman: {error}; maps in use are as they were", err=True)
            raise typer.Exit(1) from error
        except KeyboardInterrupt as error:
            typer.echo("roundsman: interrupted; maps in use are as they were", err=True)
            raise typer.Exit(INTERRUPTED) from error


def _shown(installed: InstalledMap) -> dict[str, object]:
    manifest = installed.manifest
    bounds = manifest.bounds
    return {
        "name": manifest.name,
        "version": manifest.version,
        "source": manifest.source,
        "dataDate": manifest.data_date,
        "importedAt": manifest.imported_at.isoformat(timespec="seconds"),
        "bounds": [bounds.south, bounds.west, bounds.north, bounds.east],
        "roads": manifest.roads,
        "addresses": manifest.addresses,
        "tiles": manifest.tiles,
        "attribution": manifest.attribution,
    }


def _sum_up(installed: InstalledMap) -> dict[str, object]:
    shown = _shown(installed)
    return {
        "map": shown["name"],
        "dataOf": shown["dataDate"] or "unknown",
        "imported": str(shown["importedAt"])[:10],
        "roads": shown["roads"],
        "addresses": shown["addresses"],
        "tiles": shown["tiles"],
        "megabytes": f"{installed.size_bytes() / _MEGABYTE:.1f}",
    }
