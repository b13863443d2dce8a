"""What making a map needs of disk and memory, and what the machine has free.

The factors are measured (docs/maps.md): of four real extracts the largest use was twelve times the
extract's size on disk, and in memory a fixed amount plus fifteen times its size. An import that
cannot succeed is refused before it begins, instead of ending an hour later with a killed program.
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
    """The machine has too little room for a map; the message says what is needed and free."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Capacity:
    """Free bytes; None where the system does not say."""

    disk: int | None
    memory: int | None


def measure_capacity(maps: Path) -> Capacity:
    """Return what is free for a map in this folder; counts swap and a container's limit."""
    return Capacity(disk=shutil.disk_usage(maps).free, memory=_free_memory(_MEMINFO, _GROUP))


def require_capacity(extract: Path, maps: Path, capacity: Capacity) -> None:
    """Raise TooLittleRoom when an extract needs more than is free."""
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
        shortage = "; ".join(lacking)
        raise TooLittleRoom(
            f"making a map of {extract.name} ({_megabytes(size)}) needs {shortage}; "
            "make room, or try it nevertheless with --anyway"
        )


def _megabytes(count: int) -> str:
    return f"{round(count / _MEGABYTE):,} MB"


def _free_memory(meminfo: Path, group: Path) -> int | None:
    try:
        memory = dict(re.findall(r"^(\w+):\s+(\d+) kB$", meminfo.read_text(), re.MULTILINE))
        free = (int(memory["MemAvailable"]) + int(memory["SwapFree"])) * _KIBIBYTE
    except (OSError, KeyError):
        return None
    try:
        limit = (group / "memory.max").read_text().strip()
        used = int((group / "memory.current").read_text())
    except (OSError, ValueError):
        return free
    return min(free, int(limit) - used) if limit.isdigit() else free
