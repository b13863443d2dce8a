"""Maps of an installation: made from an OpenStreetMap extract, listed, removed.

An import builds everything beside the map in use, tries it, and only then lets it take over; the
rooms that make the road graph and the address index do not know each other, here they meet. A
running service notices the new map by itself.
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from roundsman.kit.clock import Clock
from roundsman.kit.http import HttpClient
from roundsman.roads.capacity import Capacity, measure_capacity, require_capacity
from roundsman.roads.extract import (
    ExtractFile,
    bounds_of,
    build_graph,
    read_extract,
    read_road_points,
    sample_points,
)
from roundsman.roads.installed_maps import (
    InstalledMap,
    MapManifest,
    addresses_of,
    changing_maps,
    clear_leftovers,
    graph_of,
    install_build,
    list_maps,
    map_name,
    name_of_extract,
    prepare_build,
    remove_map,
    tiles_of,
)
from roundsman.roads.network import OPENSTREETMAP
from roundsman.roads.self_test import try_graph

_SAMPLE = 40
"""Points that the self-test drives between."""

type Report = Callable[[str, float], None]
"""Takes what is being done and the share of all work that is done."""


type AddressIndexer = Callable[[Path, Path, Callable[[float], None]], int]
"""Makes an address index of an extract (first) in a file (second); returns its addresses."""


type StreetDrawer = Callable[[Path, Path, str, Callable[[float], None]], int]
"""Draws an extract (first) in a file (second), with an attribution; returns the number of tiles."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MapTools:
    """What maps are made with, and the folder they are kept in."""

    maps: Path
    clock: Clock
    http: HttpClient
    index_addresses: AddressIndexer | None
    """None makes maps of roads only."""

    draw_streets: StreetDrawer | None = None
    """None makes maps without streets to look at."""

    capacity: Callable[[Path], Capacity] | None = measure_capacity
    """Says what is free in a folder; None tries it however little that is."""


def import_map(tools: MapTools, extract: Path, name: str | None, report: Report) -> InstalledMap:
    """Make a map of an extract and put it in the place of the one of that name.

    Whatever interrupts it, the map in use stays as it is.
    """
    chosen = map_name(name) if name else name_of_extract(extract)
    report("Reading the extract", 0)
    source = read_extract(extract)
    with changing_maps(tools.maps):
        clear_leftovers(tools.maps)
        if tools.capacity is not None:
            require_capacity(extract, tools.maps, tools.capacity(tools.maps))
        build = prepare_build(tools.maps, chosen)
        try:
            manifest = _make(tools, source, build, chosen, report)
            report("Putting it in place", 1)
            install_build(build, manifest)
        except BaseException:  # an interrupt too must leave nothing behind
            shutil.rmtree(build, ignore_errors=True)
            raise
    return InstalledMap(manifest=manifest, folder=build)


def find_maps(maps: Path) -> list[InstalledMap]:
    """Return the maps in use."""
    return list_maps(maps)


def delete_map(maps: Path, name: str) -> bool:
    """Remove a map; return whether there was one."""
    with changing_maps(maps):
        return remove_map(maps, name)


def _make(
    tools: MapTools, source: ExtractFile, build: Path, name: str, report: Report
) -> MapManifest:
    graph = graph_of(build)
    version = f"{source.sha256[:16]}.{build.name}"
    build_graph(
        source.path, graph, version, lambda share: report("Building the road graph", 0.5 * share)
    )
    addresses = _index(tools, source, build, report)
    tiles = _draw(tools, source, build, report)
    report("Trying the map", 0.95)
    points = read_road_points(graph)
    try_graph(graph, version, sample_points(points, _SAMPLE), tools.http)
    return MapManifest(
        name=name,
        build=build.name,
        version=version,
        source=source.path.name,
        source_sha256=source.sha256,
        data_date=source.data_date,
        imported_at=tools.clock.now(),
        bounds=bounds_of(points),
        roads=len(points),
        addresses=addresses,
        tiles=tiles,
    )


def _index(tools: MapTools, source: ExtractFile, build: Path, report: Report) -> int:
    if tools.index_addresses is None:
        return 0
    return tools.index_addresses(
        source.path,
        addresses_of(build),
        lambda share: report("Indexing addresses", 0.5 + 0.25 * share),
    )


def _draw(tools: MapTools, source: ExtractFile, build: Path, report: Report) -> int:
    if tools.draw_streets is None:
        return 0
    return tools.draw_streets(
        source.path,
        tiles_of(build),
        OPENSTREETMAP,
        lambda share: report("Drawing streets", 0.75 + 0.2 * share),
    )


type TileCopier = Callable[[Path, Path, str], int]
"""Copies a finished file (first) into one of the service's own (second), with an attribution."""


def bring_tiles(given: Path, kept: Path, copy: TileCopier) -> int:
    """Take over tiles from a finished file; return how many there are.

    They are looked at before those of the imported maps. What fails leaves things as they are.
    """
    kept.parent.mkdir(parents=True, exist_ok=True)
    new = kept.with_name(f"{kept.name}.new")
    new.unlink(missing_ok=True)
    try:
        count = copy(given, new, OPENSTREETMAP)
        new.replace(kept)
    finally:
        new.unlink(missing_ok=True)
    return count
