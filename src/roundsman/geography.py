"""Where addresses are and how roads run, as the settings say: what a plan needs beside its stops.

Apart from the composition root proper, so that a plan need not load a server.
"""

import os
from pathlib import Path

from roundsman.geocoding.answer_cache import ANSWERS_KEPT, AnswerCache, CachingGeocoder
from roundsman.geocoding.chain import GeocoderChain
from roundsman.geocoding.gazetteer import Gazetteer, builtin_gazetteer
from roundsman.geocoding.geocoder import Geocoder, ReverseGeocoder
from roundsman.geocoding.localities_file import user_cache_folder
from roundsman.geocoding.map_indexes import MapIndexes
from roundsman.geocoding.nominatim import Nominatim
from roundsman.geocoding.photon import Photon
from roundsman.kit.clock import Clock
from roundsman.kit.http import HttpClient, HttpLimits
from roundsman.kit.software import software_version
from roundsman.roads.engine_roads import EngineRoads
from roundsman.roads.estimate import EstimatedRoads
from roundsman.roads.installed_maps import Bounds, list_maps
from roundsman.roads.map_roads import MapRoads
from roundsman.roads.network import RoadNetwork
from roundsman.roads.osrm import OsrmEngine
from roundsman.roads.supervisor import EngineSupervisor
from roundsman.roads.travel_cache import TravelCache
from roundsman.roads.valhalla import ValhallaEngine
from roundsman.settings import Settings
from roundsman.tiles.street_map import StreetMap, TileSource

USER_AGENT = f"Roundsman/{software_version()} (self-hosted route planning)"
"""How servers over HTTP are told who asks."""

_ROAD_LIMITS = HttpLimits(
    connect_seconds=1, read_seconds=5, deadline_seconds=20, max_bytes=64 * 1024 * 1024
)
_FOREIGN_WAYS_LAST_SECONDS = 900.0
"""The operator's engine may be given a new map at any time, and does not tell."""


def make_geocoder(settings: Settings, *, memory: AnswerCache, clock: Clock) -> Geocoder:
    """Return what the settings say; `memory` is for answers over a network."""
    kind, _, url = settings.geocoder.partition(":")
    if kind == "builtin":
        return make_gazetteer()
    if kind == "osm":
        return GeocoderChain([_map_indexes(settings), make_gazetteer()])
    over_http = _over_http(kind, url)
    return CachingGeocoder(over_http, settings.geocoder, ANSWERS_KEPT, memory, clock)


def make_reverse_geocoder(settings: Settings) -> ReverseGeocoder:
    """Return who names places: the server that the setting chooses, else the imported maps."""
    kind, _, url = settings.geocoder.partition(":")
    return _over_http(kind, url) if url else _map_indexes(settings)


def _over_http(kind: str, url: str) -> Nominatim | Photon:
    client = HttpClient(USER_AGENT, HttpLimits(read_seconds=5, deadline_seconds=10))
    return Nominatim(client, url) if kind == "nominatim" else Photon(client, url)


def _map_indexes(settings: Settings) -> MapIndexes:
    return MapIndexes(lambda: [found.addresses for found in list_maps(maps_folder(settings))])


def open_roads(settings: Settings) -> RoadNetwork:
    """Return the roads that the setting chooses; engines of maps start when first needed."""
    kind, _, url = settings.roads.partition(":")
    if kind == "builtin":
        return EstimatedRoads()
    http = HttpClient(USER_AGENT, _ROAD_LIMITS)
    if kind == "osm":
        return MapRoads(EngineSupervisor(maps=maps_folder(settings), http=http), patient=True)
    engine = OsrmEngine(http, lambda: url) if kind == "osrm" else ValhallaEngine(http, url)
    return EngineRoads(engine, TravelCache(lifetime_seconds=_FOREIGN_WAYS_LAST_SECONDS))


def maps_folder(settings: Settings) -> Path:
    """Return where the maps of an installation are kept."""
    return settings.data / "maps"


def open_street_map(settings: Settings) -> StreetMap:
    """Return the streets to look at: those that were brought, then those of the maps."""
    brought, maps = brought_tiles(settings), maps_folder(settings)

    def list_sources() -> list[TileSource]:
        found = [
            TileSource(one.manifest.version, one.tiles, _corners(one.manifest.bounds))
            for one in list_maps(maps)
            if one.tiles.is_file()
        ]
        try:
            stamp = brought.stat()
        except FileNotFoundError:
            return found
        return [TileSource(f"{stamp.st_mtime_ns:x}", brought, None), *found]

    return StreetMap(list_sources)


def _corners(bounds: Bounds) -> tuple[float, float, float, float]:
    return bounds.west, bounds.south, bounds.east, bounds.north


def brought_tiles(settings: Settings) -> Path:
    """Return where tiles are kept that were brought in a finished file."""
    return settings.data / "streets.mbtiles"


def make_gazetteer() -> Gazetteer:
    """Return the built-in gazetteer."""
    # The index depends on nothing but the wheels, so every installation of a user shares one.
    return builtin_gazetteer(user_cache_folder(os.environ))


def open_client() -> HttpClient:
    """Return what asks servers of roads and maps."""
    return HttpClient(USER_AGENT, _ROAD_LIMITS)
