"""Measure the house of a checkout: `python -m scripts.measure_house [--root DIR] [--json]`.

What its files say is read (`static_figures`); what requests do is watched in a process that serves
it (`journeys`, `tracing`). An older checkout is measured by this script too: name it with --root.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from scripts.measure_house.static_figures import StaticFigures, count

_HERE = Path(__file__).parents[2]

type Journey = dict[str, Any]


def main() -> None:
    """Print a table, or everything as JSON."""
    parser = argparse.ArgumentParser(prog="python -m scripts.measure_house", description=__doc__)
    parser.add_argument("--root", type=Path, default=_HERE, help="the checkout to measure")
    parser.add_argument("--json", action="store_true", help="all of it, with names, as JSON")
    parser.add_argument("--static", action="store_true", help="only what the files say")
    options = parser.parse_args()
    root = options.root.resolve()
    figures = count(root)
    journeys = {} if options.static else _watch_journeys(root)
    if options.json:
        print(json.dumps({"files": asdict(figures), "journeys": journeys}, indent=2))
        return
    for label, figure in (*_rows_of_journeys(journeys), *_rows_of_files(figures)):
        print(f"{label:64}{figure:>8,}")
    for name, journey in journeys.items():
        print(f"\n{name}: files by room: {_by_room(journey['files'])}")


def _watch_journeys(root: Path) -> dict[str, Journey]:
    with tempfile.TemporaryDirectory(prefix="measure-house-") as folder:
        target = Path(folder) / "journeys.json"
        command = [sys.executable, "-m", "scripts.measure_house.journeys", str(root), str(target)]
        path = f"{root / 'src'}{os.pathsep}{_HERE}"
        done = subprocess.run(  # noqa: S603 -- this module's own neighbour
            command,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode or not target.exists():
            sys.exit(f"{root} could not be served and asked:\n{done.stdout}{done.stderr}")
        journeys: dict[str, Journey] = json.loads(target.read_text(encoding="utf-8"))
        return journeys


def _rows_of_journeys(journeys: dict[str, Journey]) -> Iterator[tuple[str, int]]:
    for name, journey in journeys.items():
        deciding = sum(_room(file) in {"operations", "routing"} for file in journey["files"])
        yield f"{name}: files entered", len(journey["files"])
        yield f"{name}: files below the doors", len(journey["below_doors"])
        yield f"{name}: files of operations and routing", deciding
        yield f"{name}: climbs", len(journey["climbs"])
        yield f"{name}: returns", len(journey["returns"])
        yield f"{name}: SQL statements", len(journey["statements"])
        yield f"{name}: transactions", journey["transactions"]
        yield f"{name}: types of which objects are made", len(journey["types"])


def _rows_of_files(figures: StaticFigures) -> Iterator[tuple[str, int]]:
    classes = [name for name in figures.names_twice if name.lstrip("_")[0].isupper()]
    yield "lines of src/roundsman without planning and geocoding", figures.lines
    yield "modules under 40 lines", len(figures.short_modules)
    yield "names defined twice or more", len(figures.names_twice)
    yield "of them classes", len(classes)
    yield "modules with one importer, in their own room", len(figures.single_importer)
    yield "lines outside wire that name an interface version", len(figures.version_lines)


def _by_room(files: list[str]) -> str:
    counts = Counter(_room(file) for file in files)
    return ", ".join(f"{room} {number}" for room, number in counts.most_common())


def _room(file: str) -> str:
    room, slash, _ = file.partition("/")
    return room if slash else "above"


main()
