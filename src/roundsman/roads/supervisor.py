"""Keeps one road engine running for each installed map.

A thread reads the folder of maps and checks the processes several times a second. It starts an
engine for a new build, and stops the old engine when the new one answers. It restarts an engine
that has died, after a pause that grows with every death, and stops one that no longer answers. A
map that another version of OSRM made, and on which no engine starts, is given up. Requests never
wait for this; while an engine does not answer, its map is estimated.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import structlog

from roundsman.kit.http import HttpClient
from roundsman.roads.engine_process import DRIVE_POINTS, TABLE_POINTS, EngineProcess
from roundsman.roads.engine_roads import EngineRoads
from roundsman.roads.graph_version import engine_version, graph_version, is_outdated
from roundsman.roads.installed_maps import InstalledMap, MapManifest, list_maps
from roundsman.roads.osrm import OsrmEngine

_LOG = structlog.get_logger()
_TICK_SECONDS = 0.1
_LOOK_SECONDS = 1.0
"""How often the folder of maps is read, and so how soon a new map is noticed."""
_CHECK_SECONDS = 5.0
_CHECKS_MISSED = 3
_FIRST_REST_SECONDS = 0.2
_LONGEST_REST_SECONDS = 30.0
_HEALTHY_SECONDS = 60.0
_FAREWELL_SECONDS = 30.0
"""How long an engine of a replaced map may finish its requests."""


@dataclass(eq=False, kw_only=True, slots=True)
class _SupervisedEngine:
    """A build with its engine and the engine's state."""

    map: InstalledMap
    roads: EngineRoads
    process: EngineProcess | None = None
    is_ready: bool = False
    started: float = 0.0
    start_at: float = 0.0
    rest: float = _FIRST_REST_SECONDS
    check_at: float = 0.0
    missed: int = 0
    leave_at: float | None = None
    is_given_up: bool = False

    def address(self) -> str | None:
        """Return the engine's address while it answers."""
        process = self.process
        return process.address if process is not None and self.is_ready else None

    def is_settled(self) -> bool:
        """Return whether nothing more is to be waited for."""
        return self.is_ready or self.is_given_up or self.leave_at is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class MappedRoads:
    """A map's manifest, and its roads."""

    manifest: MapManifest
    roads: EngineRoads


@dataclass(eq=False)
class EngineSupervisor:
    """Does nothing until `start`; `close` ends the thread and every engine."""

    maps: Path
    http: HttpClient
    now: Callable[[], float] = time.monotonic
    _supervised: tuple[_SupervisedEngine, ...] = ()
    _thread: threading.Thread | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _over: threading.Event = field(default_factory=threading.Event)
    _settled: threading.Event = field(default_factory=threading.Event)
    _look_at: float = 0.0

    def start(self) -> None:
        """Start the thread; further calls change nothing."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="road-engines")
                self._thread.daemon = True
                self._thread.start()

    def wait_settled(self, seconds: float) -> bool:
        """Wait until every map has an engine that answers; return whether that happened in time."""
        return self._settled.wait(seconds)

    def mapped_roads(self) -> list[MappedRoads]:
        """Return the roads of the maps in use, whether or not their engines answer now.

        Of two builds of a map the newer one is returned as soon as its engine answers.
        """
        chosen: dict[str, _SupervisedEngine] = {}
        for supervised in sorted(self._supervised, key=_standing):
            if supervised.leave_at is None:
                chosen[supervised.map.manifest.name] = supervised
        return [
            MappedRoads(manifest=supervised.map.manifest, roads=supervised.roads)
            for supervised in chosen.values()
        ]

    def engine_pids(self) -> list[int]:
        """Return the ids of the engines' processes."""
        return [supervised.process.pid for supervised in self._supervised if supervised.process]

    def close(self) -> None:
        """End every engine and the thread."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()
        self.http.close()

    def _watch(self) -> None:
        try:
            while not self._over.is_set():
                try:
                    self._tick()
                except OSError as error:  # out of files or processes for now
                    _LOG.error("road_engines_unattended", reason=error.strerror)
                self._over.wait(_TICK_SECONDS)
        finally:
            for supervised in self._supervised:
                self._stop(supervised)

    def _tick(self) -> None:
        if self.now() >= self._look_at:
            self._look_at = self.now() + _LOOK_SECONDS
            self._look()
        for supervised in self._supervised:
            self._supervise(supervised)
        self._let_go()
        if all(supervised.is_settled() for supervised in self._supervised):
            self._settled.set()
        else:
            self._settled.clear()

    def _look(self) -> None:
        """Add new builds; schedule the end of replaced ones."""
        installed = {one.manifest.version: one for one in list_maps(self.maps)}
        staying = [supervised for supervised in self._supervised if supervised.leave_at is None]
        known = {supervised.map.manifest.version for supervised in staying}
        added = [self._take_on(one) for version, one in installed.items() if version not in known]
        if added:
            self._supervised = (*self._supervised, *added)
        for supervised in self._supervised:
            if supervised.map.manifest.version not in installed and supervised.leave_at is None:
                successors = [one for one in self._supervised if _succeeds(one, supervised)]
                if not successors or any(successor.is_ready for successor in successors):
                    supervised.leave_at = self.now() + _FAREWELL_SECONDS

    def _take_on(self, installed: InstalledMap) -> _SupervisedEngine:
        supervised: _SupervisedEngine

        def locate() -> str | None:
            return supervised.address()

        engine = OsrmEngine(
            self.http,
            locate,
            version=installed.manifest.version,
            table_points=TABLE_POINTS,
            drive_points=DRIVE_POINTS,
        )
        supervised = _SupervisedEngine(map=installed, roads=EngineRoads(engine))
        return supervised

    def _supervise(self, supervised: _SupervisedEngine) -> None:
        if supervised.process is None:
            if self.now() >= supervised.start_at and not supervised.is_settled():
                self._start_engine(supervised)
        elif supervised.process.exit_code() is not None:
            self._record_death(supervised, supervised.process)
        elif not supervised.is_ready:
            if supervised.process.answers(self.http):
                supervised.is_ready = True
                supervised.check_at = self.now() + _CHECK_SECONDS
                _LOG.info("road_engine_ready", map=supervised.map.manifest.name)
        elif self.now() >= supervised.check_at:
            self._check(supervised, supervised.process)

    def _start_engine(self, supervised: _SupervisedEngine) -> None:
        supervised.started = self.now()
        supervised.missed = 0
        supervised.process = EngineProcess(supervised.map.graph)

    def _record_death(self, supervised: _SupervisedEngine, process: EngineProcess) -> None:
        """Record that an engine died, and when to start it again."""
        name, was_ready = supervised.map.manifest.name, supervised.is_ready
        supervised.is_ready = False
        if self.now() - supervised.started >= _HEALTHY_SECONDS:
            supervised.rest = _FIRST_REST_SECONDS
        supervised.start_at = self.now() + supervised.rest
        supervised.rest = min(2 * supervised.rest, _LONGEST_REST_SECONDS)
        _LOG.warning("road_engine_died", map=name, exit_code=process.exit_code())
        process.stop()
        supervised.process = None
        if not was_ready and is_outdated(supervised.map.graph):
            supervised.is_given_up = True
            made_by, engine = graph_version(supervised.map.graph), engine_version()
            _LOG.error(
                "road_map_outdated",
                map=name,
                made_by=made_by,
                engine=engine,
                remedy="import it again",
            )

    def _check(self, supervised: _SupervisedEngine, process: EngineProcess) -> None:
        supervised.check_at = self.now() + _CHECK_SECONDS
        supervised.missed = 0 if process.answers(self.http) else supervised.missed + 1
        if supervised.missed >= _CHECKS_MISSED:
            _LOG.warning("road_engine_hangs", map=supervised.map.manifest.name)
            process.stop()  # the next tick restarts it

    def _let_go(self) -> None:
        gone = [
            supervised
            for supervised in self._supervised
            if supervised.leave_at is not None and self.now() >= supervised.leave_at
        ]
        if gone:
            self._supervised = tuple(
                supervised for supervised in self._supervised if supervised not in gone
            )
            for supervised in gone:
                self._stop(supervised)

    def _stop(self, supervised: _SupervisedEngine) -> None:
        supervised.is_ready = False
        if supervised.process is not None:
            supervised.process.stop()
            supervised.process = None


def _standing(supervised: _SupervisedEngine) -> tuple[bool, datetime]:
    return supervised.is_ready, supervised.map.manifest.imported_at


def _succeeds(younger: _SupervisedEngine, elder: _SupervisedEngine) -> bool:
    same_map = younger.map.manifest.name == elder.map.manifest.name
    return same_map and younger.map.manifest.imported_at > elder.map.manifest.imported_at
