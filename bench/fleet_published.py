"""Published instances of vehicle routing in the fleet generator's form.

Solomon's and Gehring and Homberger's format (`.txt`: one depot, equal vehicles, windows) with
distances of one decimal, cut off, as the collections' best known values are; and TSPLIB's `.vrp`
with EUC_2D distances, rounded. They are part of no folder here: whoever has them names the files.
"""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

type Json = Any

_TENTHS = 10
_UNSERVED = 10**9
_ALL_DAY = 10**8
_SPARE_VEHICLES = 2
"""Times as many as a `.vrp` names with its `-k`: their number is free there."""


def read_published(path: Path) -> tuple[str, Json]:
    """Return a group's name and the instance; raise ValueError where the file is no such one."""
    lines = path.read_text(encoding="ascii").splitlines()
    try:
        found = _read_tsplib(lines) if path.suffix == ".vrp" else _read_solomon(lines)
    except (IndexError, KeyError, ValueError) as error:
        raise ValueError(f"{path} is no instance of a known format: {error}") from error
    stops = len(found["stops"])
    group = "X" if path.suffix == ".vrp" else f"windows {stops}"
    return group, found | {"format": "roundsman-fleet-1", "name": path.stem}


def _read_solomon(lines: Sequence[str]) -> Json:
    numbers = [[int(cell) for cell in line.split()] for line in lines if _is_numbers(line)]
    (vehicles, capacity), *rows = numbers
    points = [(row[1], row[2]) for row in rows]
    depot = rows[0]
    stops = [
        {
            "id": f"s{row[0]}",
            "location": number,
            "duration": row[6] * _TENTHS,
            "load": [row[3]],
            "timeWindows": [[row[4] * _TENTHS, row[5] * _TENTHS]],
            "skills": [],
            "priority": 0,
        }
        for number, row in enumerate(rows)
        if number
    ]
    shift = [depot[4] * _TENTHS, depot[5] * _TENTHS]
    return _instance(points, stops, vehicles, capacity, shift, lambda gap: int(gap * _TENTHS))


def _read_tsplib(lines: Sequence[str]) -> Json:
    head = dict(line.split(":", 1) for line in lines if ":" in line)
    fields = {name.strip(): value.strip() for name, value in head.items()}
    if fields["EDGE_WEIGHT_TYPE"] != "EUC_2D":
        raise ValueError("distances are not EUC_2D")
    size = int(fields["DIMENSION"])
    first = [line.strip() for line in lines].index("NODE_COORD_SECTION") + 1
    points = [
        (float(x), float(y)) for _, x, y in (line.split() for line in lines[first : first + size])
    ]
    second = [line.strip() for line in lines].index("DEMAND_SECTION") + 1
    demands = [int(line.split()[1]) for line in lines[second : second + size]]
    stops = [
        {
            "id": f"s{number}",
            "location": number,
            "duration": 0,
            "load": [demands[number]],
            "timeWindows": [],
            "skills": [],
            "priority": 0,
        }
        for number in range(1, size)
    ]
    vehicles = _SPARE_VEHICLES * int(fields["NAME"].rpartition("-k")[2])
    capacity = int(fields["CAPACITY"])
    return _instance(points, stops, vehicles, capacity, [0, _ALL_DAY], lambda gap: int(gap + 0.5))


def _instance(
    points: Sequence[tuple[float, float]],
    stops: Sequence[Json],
    vehicles: int,
    capacity: int,
    shift: Sequence[int],
    whole: Callable[[float], int],
) -> Json:
    """Return the instance where a unit of the way costs one unit of money."""
    table = [[whole(math.dist(here, there)) for there in points] for here in points]
    costs = {"fixed": 0, "perHour": 0, "perTraveledHour": 3600, "perKilometer": 0}
    return {
        "dimensions": ["demand"],
        "durations": table,
        "distances": table,
        "stops": list(stops),
        "vehicles": [
            {
                "id": f"v{number}",
                "startLocation": 0,
                "endLocation": 0,
                "shift": list(shift),
                "capacity": [capacity],
                "skills": [],
                "breaks": [],
                "costs": costs,
            }
            for number in range(vehicles)
        ],
        "unplannedCost": _UNSERVED,
    }


def _is_numbers(line: str) -> bool:
    cells = line.split()
    return len(cells) in {2, 7} and all(cell.isdigit() for cell in cells)
