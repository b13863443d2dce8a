"""Times the drawing of streets: `python -m bench.tiles EXTRACT…`.

Each extract is drawn in a process of its own; as many tiles as there are, at most 2,000, are then
read back in an order of chance.
"""

import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from roundsman.tiles.archive import TileFile
from roundsman.tiles.builder import build_tiles
from roundsman.tiles.mercator import tile_of

_READ = 2_000


def measure(extract: Path) -> str:
    """Return a line of the table of docs/maps.md."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "streets.mbtiles"
        started = time.perf_counter()
        count = build_tiles(extract, file, "", lambda _share: None)
        seconds = time.perf_counter() - started
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
        size = file.stat().st_size / 1_000_000
        reads = _read_rate(file)
    given = extract.stat().st_size / 1_000_000
    name = extract.name.partition(".")[0]
    cells = [f"{given:.1f}", f"{count}", f"{seconds:.1f}", f"{size:.2f}", f"{peak:.0f}"]
    return " | ".join(["", name, *cells, f"{reads:.0f}", ""]).strip()


def _read_rate(file: Path) -> float:
    tiles = TileFile(file)
    west, south, east, north = (float(one) for one in tiles.metadata["bounds"].split(","))
    chance = random.Random(1)  # noqa: S311 -- an order of chance, the same each time
    places = [
        tile_of(chance.uniform(west, east), chance.uniform(south, north), 14) for _ in range(_READ)
    ]
    started = time.perf_counter()
    for x, y in places:
        tiles.read(14, x, y)
    return _READ / (time.perf_counter() - started)


def main(arguments: list[str]) -> None:
    """Print the table."""
    if len(arguments) == 1:
        sys.stdout.write(measure(Path(arguments[0])) + "\n")
        return
    head = "| Extract | MB | tiles | seconds | MB of tiles | memory, MB | tiles read a second |"
    sys.stdout.write(f"{head}\n|---|---|---|---|---|---|---|\n")
    for extract in arguments:
        subprocess.run([sys.executable, "-m", "bench.tiles", extract], check=True)  # noqa: S603 -- this program


if __name__ == "__main__":
    main(sys.argv[1:])
