"""The version of OSRM that made a road graph; another version may be unable to read it.

OSRM writes its version into every file, and refuses files whose first two numbers differ.
"""

import tarfile
from pathlib import Path

from roundsman.roads.programs import osrm_version

_STAMP = "osrm_fingerprint.meta"
_MAGIC = b"OSR"
_FIRST_NUMBER = 4


def graph_version(graph: Path) -> str:
    """Return the first two numbers of the version that made a graph; empty when unknown."""
    try:
        with tarfile.open(graph.with_name(f"{graph.name}.nbg_nodes")) as archive:
            file = archive.extractfile(_STAMP)
            stamp = file.read() if file else b""
    except (OSError, KeyError, tarfile.TarError):
        return ""
    if not stamp.startswith(_MAGIC) or len(stamp) < _FIRST_NUMBER + 2:
        return ""
    return f"{stamp[_FIRST_NUMBER]}.{stamp[_FIRST_NUMBER + 1]}"


def engine_version() -> str:
    """Return the first two numbers of the installed version."""
    return ".".join(osrm_version().split(".")[:2])


def is_outdated(graph: Path) -> bool:
    """Return whether the installed version differs from the one that made a graph."""
    made_by = graph_version(graph)
    return made_by not in {"", engine_version()}
