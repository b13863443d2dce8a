"""What making a map takes of disk and memory, and what the machine has of them.

The factors are measured (docs/maps.md): of four real extracts the hungriest needed twelve times its
size on disk, and the programs a fixed amount of memory and fifteen times the size. An import that
cannot succeed should say so before it begins, not end an hour later with a killed program.
"""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

_DISK_FACTOR = 12
_MEMORY_FACTOR = 15
_MEMORY_AT_LEAST = 250_000_000
_MEGABYTE = 1_000_000
_KIBIBYTE = 1_024
_MEMINFO = Path("/proc/meminfo")
_GROUP = Path("/sys/fs/cgroup")


class TooLittleRoom(Exception):
    """A machine that a map cannot be made on; the message says what is needed and what there is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Capacity:
    """Bytes that are free; None where the system does not tell."""

    disk: int | None
    memory: int | None


def measure_capacity(maps: Path) -> Capacity:
    """Return what is free for a map in this folder, swap and a container's limit included."""
    return Capacity(disk=shutil.disk_usage(maps).free, memory=_free_memory(_MEMINFO, _GROUP))


def require_capacity(extract: Path, maps: Path, capacity: Capacity) -> None:
    """Raise TooLittleRoom when an extract needs more than there is."""
    size = extract.stat().st_size
    needed = {
        "disk": (_DISK_FACTOR * size, capacity.disk, f" in {maps}"),
        "memory": (_MEMORY_AT_LEAST + _MEMORY_FACTOR * size, capacity.memory, ""),
    }
    lacking = [
        f"about {_megabytes(need)} of {kind}, and {_megabytes(free)} are free{where}"
        for kind, (need, free, where) in needed.items()
        if free is not None and free < need
    ]
    if lacking:
        told = "; ".join(lacking)
        raise TooLittleRoom(
            f"making a map of {extract.name} ({_megabytes(size)}) needs {told}; "
            "make room, or try it nevertheless with --anyway"
        )


def _megabytes(count: int) -> str:
    return f"{round(count / _MEGABYTE):,} MB"


def _free_memory(meminfo: Path, group: Path) -> int | None:
    try:
        told = dict(re.findall(r"^(\w+):\s+(\d+) kB$", meminfo.read_text(), re.MULTILINE))
        free = (int(told["MemAvailable"]) + int(told["SwapFree"])) * _KIBIBYTE
    except (OSError, KeyError):
        return None
    try:
        limit = (group / "memory.max").read_text().strip()
        used = int((group / "memory.current").read_text())
    except (OSError, ValueError):
        return free
    return min(free, int(limit) - used) if limit.isdigit() else free
