"""Makes a road graph from an OpenStreetMap extract: OSRM's extract, partition and customize.

Each step is a separate program, because it needs much memory and may crash on a damaged file. The
progress, and in the end the reason of a failure, are read from its output.
"""

import hashlib
import re
import subprocess
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import osmium
from numpy.typing import NDArray

from roundsman.domain.address import Coordinates
from roundsman.roads.installed_maps import Bounds
from roundsman.roads.programs import car_profile, start_program

type Progress = Callable[[float], None]

_CHUNK = 1 << 20
_KILLED = -9
_WHERE_IN_SOURCE = re.compile(r"\s*(?:src|include)/[\w/.-]+:\d+\s*$")
"""Where in their own source OSRM's programs gave up, which they append to the sentence."""

_FIXED_POINT = 1_000_000
_COORDINATES = "/common/nbn_data/coordinates"

# What the programs say on their way, and how much of the work is done by then.
_EXTRACT_STEPS = (
    ("Parse ways and nodes", 0.05),
    ("Parsing finished", 0.40),
    ("extraction finished", 0.48),
    ("Generating edge expanded nodes", 0.52),
    ("Generating edge-expanded edges", 0.58),
    ("Generating guidance turns", 0.66),
    ("Building r-tree", 0.78),
    ("RAM: peak", 0.80),
)
_PARTITION_STEPS = (("Full bisection done", 0.87), ("RAM: peak", 0.92))
_CUSTOMIZE_STEPS = (("Cells customization took", 0.97), ("RAM: peak", 1.0))


class BadExtract(Exception):
    """No map can be made of the extract; the message names the file and the reason."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ExtractFile:
    """A readable extract."""

    path: Path
    sha256: str
    data_date: str


def read_extract(path: Path) -> ExtractFile:
    """Return what identifies an extract; raise BadExtract when the file is none."""
    try:
        with osmium.io.Reader(str(path)) as reader:
            stamp = reader.header().get("osmosis_replication_timestamp")
        digest = hashlib.sha256()
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    except (RuntimeError, OSError) as error:
        reason = str(error).rstrip(".")
        raise BadExtract(f"{path.name} cannot be read: {reason}") from error
    return ExtractFile(path=path, sha256=digest.hexdigest(), data_date=stamp[:10])


def build_graph(extract: Path, graph: Path, version: str, progress: Progress) -> None:
    """Make the road graph of an extract; raise BadExtract when that fails."""
    steps = (
        (
            "osrm-extract",
            [str(extract), "-p", str(car_profile()), "-o", str(graph), "-d", version],
            _EXTRACT_STEPS,
        ),
        ("osrm-partition", [str(graph)], _PARTITION_STEPS),
        ("osrm-customize", [str(graph)], _CUSTOMIZE_STEPS),
    )
    for program, arguments, marks in steps:
        _run(program, arguments, marks, progress, extract)


def read_road_points(graph: Path) -> NDArray[np.int32]:
    """Return the graph's points as millionths of degrees, longitude before latitude."""
    file = graph.with_name(f"{graph.name}.nbg_nodes")
    with tarfile.open(file) as archive:
        member = next(one for one in archive if one.name.endswith(_COORDINATES[1:]))
        offset, size = member.offset_data, member.size
    points = np.memmap(file, dtype="<i4", mode="r", offset=offset, shape=(size // 8, 2))
    return np.asarray(points)


def bounds_of(points: NDArray[np.int32]) -> Bounds:
    """Return the box around all points; an extract's own header may be wrong about it."""
    west, south = (points.min(axis=0) / _FIXED_POINT).tolist()
    east, north = (points.max(axis=0) / _FIXED_POINT).tolist()
    return Bounds(south=south, west=west, north=north, east=east)


def sample_points(points: NDArray[np.int32], count: int) -> list[Coordinates]:
    """Return points from all over the graph, the same ones each time."""
    chosen = points[:: max(1, len(points) // count)][:count] / _FIXED_POINT
    return [
        Coordinates(latitude=latitude, longitude=longitude)
        for longitude, latitude in chosen.tolist()
    ]


def _run(
    program: str,
    arguments: list[str],
    marks: tuple[tuple[str, float], ...],
    progress: Progress,
    extract: Path,
) -> None:
    talk: list[str] = []
    process = start_program(program, *arguments, output=subprocess.PIPE)
    try:
        for raw in process.stdout or ():
            line = raw.decode(errors="replace").strip()
            for mark, share in marks:
                if mark in line:
                    progress(share)
            talk = [*talk[-20:], line]
        code = process.wait()
    finally:
        # An interrupt must not leave the program behind, writing into a folder that goes away.
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()
    if code != 0:
        raise BadExtract(f"{extract.name} cannot be made into a map: {_reason(talk, code)}")


def _reason(talk: list[str], code: int) -> str:
    if code == _KILLED:
        return "the program was killed, most likely for lack of memory"
    for line in reversed(talk):
        message = re.search(r"what\(\):\s*(.+)|\[error\]\s*(.+)", line)
        if message:
            said = message[1] or message[2]
            return _WHERE_IN_SOURCE.sub("", said.strip()).rstrip(". ")
    return f"the program ended with status {code}"
