"""Tests a new road graph before it is used: an engine must start on it and find a way."""

import threading
from pathlib import Path

import numpy as np

from roundsman.domain.address import Coordinates
from roundsman.kit.http import HttpClient
from roundsman.roads.engine import EngineAway, NoWay, TooMany
from roundsman.roads.engine_process import EngineProcess
from roundsman.roads.network import TravelProfile
from roundsman.roads.osrm import OsrmEngine

_START_TRIES = 600
_TRY_SECONDS = 0.1
_ANSWER_SECONDS = 30.0


class FailedSelfTest(Exception):
    """No route can be driven on a graph; the message says what failed."""


def try_graph(graph: Path, version: str, points: list[Coordinates], http: HttpClient) -> None:
    """Start an engine on a graph and drive between some points; raise FailedSelfTest."""
    process = EngineProcess(graph)
    try:
        _await_answer(process, http)
        _drive(OsrmEngine(http, lambda: process.address, version=version), points)
    finally:
        process.stop()


def _await_answer(process: EngineProcess, http: HttpClient) -> None:
    pause = threading.Event()
    for _ in range(_START_TRIES):
        if process.exit_code() is not None:
            raise FailedSelfTest("the road engine does not start on the new map")
        if process.answers(http):
            return
        pause.wait(_TRY_SECONDS)
    raise FailedSelfTest("the road engine does not answer on the new map")


def _drive(engine: OsrmEngine, points: list[Coordinates]) -> None:
    """Request a table and one of its routes, which must have a length."""
    try:
        table = engine.table(points, points, _ANSWER_SECONDS, avoid_tolls=False)
        there = np.argwhere(~np.isnan(table.durations) & (table.distances > 0))
        if len(there) == 0:
            raise FailedSelfTest("no route can be driven on the new map")
        here, target = there[len(there) // 2].tolist()
        ends = [points[here], points[target]]
        drive = engine.drive(ends, TravelProfile(), _ANSWER_SECONDS, with_points=True)
    except (EngineAway, NoWay, TooMany) as error:
        raise FailedSelfTest(f"the road engine fails on the new map: {error}") from error
    if len(drive.points) < 2 or drive.legs[0][1] <= 0:
        raise FailedSelfTest("a route on the new map has no length")
