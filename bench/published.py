"""Readers for published instances: TSPTW sets, and TSPLIB's asymmetric and symmetric files.

The folder is named by ROUNDSMAN_SHARED or is `shared` beside the repository; without it these are
skipped.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.instance import Instance
from roundsman.planning import Problem

REAL_VALUED = {"SolomonPesant", "SolomonPotvinBengio"}
REAL_SCALE = 10_000


def shared_folder() -> Path | None:
    """Return the folder of published instances, if there is one."""
    named = os.environ.get("ROUNDSMAN_SHARED")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared"
    return folder / "bench" if (folder / "bench").is_dir() else None


def tsptw_instances(folder: Path) -> Iterator[Instance]:
    """Yield the travelling-salesman instances with time windows, set by set."""
    for group in sorted(path for path in (folder / "tsptw").iterdir() if path.is_dir()):
        scale = REAL_SCALE if group.name in REAL_VALUED else 1
        for name, best in _best_known(group).items():
            yield Instance(
                name=name,
                group=f"tsptw {group.name}",
                problem=_read_tsptw(group / name, scale),
                best_known=best,
                scale=scale,
            )


def tsplib_instances(folder: Path, kind: str) -> Iterator[Instance]:
    """Yield TSPLIB instances: kind is `atsp` or `tsp`."""
    for name, best in _best_known(folder / kind).items():
        text = (folder / kind / f"{name}.{kind}").read_text()
        durations = _euclidean(text) if kind == "tsp" else _full_matrix(text)
        yield Instance(name=name, group=kind, problem=_round_trip(durations), best_known=best)


def _best_known(folder: Path) -> dict[str, float]:
    rows = [line.split("\t") for line in (folder / "BEST_KNOWN.tsv").read_text().splitlines()]
    return {row[0]: float(row[1]) for row in rows if len(row) > 1 and row[0] != "instance"}


def _read_tsptw(path: Path, scale: int) -> Problem:
    lines = [line.split("#")[0] for line in path.read_text().splitlines()]
    numbers = np.array([float(word) for line in lines for word in line.split()])
    size = int(numbers[0])
    matrix = np.rint(numbers[1 : 1 + size * size].reshape(size, size) * scale).astype(np.int64)
    np.fill_diagonal(matrix, 0)
    edges = np.rint(numbers[1 + size * size :][: 2 * size].reshape(size, 2) * scale).astype(int)
    windows = [((int(opens), int(closes)),) for opens, closes in edges]
    none = np.zeros(size, dtype=np.int32)
    return Problem(matrix.astype(np.int32), None, 0, 0, none, windows, none, int(edges[0, 0]))


def _round_trip(durations: NDArray[np.int64]) -> Problem:
    none = np.zeros(len(durations), dtype=np.int32)
    return Problem(durations.astype(np.int32), None, 0, 0, none, [()] * len(durations), none, 0)


def _full_matrix(text: str) -> NDArray[np.int64]:
    body = text.split("EDGE_WEIGHT_SECTION")[1].split("EOF")[0].split()
    matrix = np.array(body, dtype=np.int64)
    size = round(len(matrix) ** 0.5)
    matrix = matrix.reshape(size, size)
    np.fill_diagonal(matrix, 0)
    return matrix


def _euclidean(text: str) -> NDArray[np.int64]:
    body = text.split("NODE_COORD_SECTION")[1].split("EOF")[0]
    rows = [re.split(r"\s+", line.strip()) for line in body.strip().splitlines()]
    points = np.array([[float(row[1]), float(row[2])] for row in rows])
    gaps = points[:, None, :] - points[None, :, :]
    lengths: NDArray[np.float64] = np.hypot(gaps[..., 0], gaps[..., 1])
    return np.floor(lengths + 0.5).astype(np.int64)
