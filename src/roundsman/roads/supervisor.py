"""Keeps one road engine running for each installed map.

A thread looks at the maps and the processes several times a second: it starts an engine for a new
build and lets the old one go once the new one answers, starts again what has died, after a rest
that grows with every death, and ends what does not answer any more. A map that was made by another
version of OSRM, and on which no engine starts, is given up. Requests never wait for any of this;
while an engine is away its map is estimated.
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
"""How often the folder of maps is read, and how soon a new map is noticed."""
_CHECK_SECONDS = 5.0
_CHECKS_MISSED = 3
_FIRST_REST_SECONDS = 0.2
_LONGEST_REST_SECONDS = 30.0
_HEALTHY_SECONDS = 60.0
_FAREWELL_SECONDS = 30.0
"""How long an engine of a replaced map may finish what it was asked."""


@dataclass(eq=False, kw_only=True, slots=True)
class _Charge:
    """A build with its engine, in whatever state that is."""

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
        """Return where the engine answers, if it does."""
        process = self.process
        return process.address if process is not None and self.is_ready else None

    def is_settled(self) -> bool:
        """Tell whether there is nothing to wait for."""
        return self.is_ready or self.is_given_up or self.leave_at is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class MappedRoads:
    """A map's manifest, and the roads on it."""

    manifest: MapManifest
    roads: EngineRoads


@dataclass(eq=False)
class EngineSupervisor:
    """Made idle; `start` begins the watch, `close` ends it and every engine."""

    maps: Path
    http: HttpClient
    now: Callable[[], float] = time.monotonic
    _charges: tuple[_Charge, ...] = ()
    _thread: threading.Thread | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _over: threading.Event = field(default_factory=threading.Event)
    _settled: threading.Event = field(default_factory=threading.Event)
    _look_at: float = 0.0

    def start(self) -> None:
        """Begin to watch; further calls change nothing."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="road-engines")
                self._thread.daemon = True
                self._thread.start()

    def wait_settled(self, seconds: float) -> bool:
        """Wait until every map has an engine that answers; tell whether that came about."""
        return self._settled.wait(seconds)

    def mapped_roads(self) -> list[MappedRoads]:
        """Return the roads of the maps in use, whether or not their engines answer now.

        Of two builds of a map it is the newer one, as soon as that answers.
        """
        chosen: dict[str, _Charge] = {}
        for charge in sorted(self._charges, key=_standing):
            if charge.leave_at is None:
                chosen[charge.map.manifest.name] = charge
        return [
            MappedRoads(manifest=charge.map.manifest, roads=charge.roads)
            for charge in chosen.values()
        ]

    def engine_pids(self) -> list[int]:
        """Return the ids of the engines' processes."""
        return [charge.process.pid for charge in self._charges if charge.process]

    def close(self) -> None:
        """End every engine, and the watch."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()
        self.http.close()

    def _watch(self) -> None:
        try:
            while not self._over.is_set():
                try:
                    self._tick()
                except OSError as error:  # out of files or processes for now; the watch goes on
                    _LOG.error("road_engines_unattended", reason=error.strerror)
                self._over.wait(_TICK_SECONDS)
        finally:
            for charge in self._charges:
                self._stop(charge)

    def _tick(self) -> None:
        if self.now() >= self._look_at:
            self._look_at = self.now() + _LOOK_SECONDS
            self._look()
        for charge in self._charges:
            self._tend(charge)
        self._let_go()
        if all(charge.is_settled() for charge in self._charges):
            self._settled.set()
        else:
            self._settled.clear()

    def _look(self) -> None:
        """Take on new builds; builds that are in use no more leave when they are replaced."""
        installed = {one.manifest.version: one for one in list_maps(self.maps)}
        staying = [charge for charge in self._charges if charge.leave_at is None]
        known = {charge.map.manifest.version for charge in staying}
        added = [self._take_on(one) for version, one in installed.items() if version not in known]
        if added:
            self._charges = (*self._charges, *added)
        for charge in self._charges:
            if charge.map.manifest.version not in installed and charge.leave_at is None:
                heirs = [one for one in self._charges if _succeeds(one, charge)]
                if not heirs or any(heir.is_ready for heir in heirs):
                    charge.leave_at = self.now() + _FAREWELL_SECONDS

    def _take_on(self, installed: InstalledMap) -> _Charge:
        charge: _Charge

        def locate() -> str | None:
            return charge.address()

        engine = OsrmEngine(
            self.http,
            locate,
            version=installed.manifest.version,
            table_points=TABLE_POINTS,
            drive_points=DRIVE_POINTS,
        )
        charge = _Charge(map=installed, roads=EngineRoads(engine))
        return charge

    def _tend(self, charge: _Charge) -> None:
        if charge.process is None:
            if self.now() >= charge.start_at and not charge.is_settled():
                self._start_engine(charge)
        elif charge.process.exit_code() is not None:
            self._bury(charge, charge.process)
        elif not charge.is_ready:
            if charge.process.answers(self.http):
                charge.is_ready = True
                charge.check_at = self.now() + _CHECK_SECONDS
                _LOG.info("road_engine_ready", map=charge.map.manifest.name)
        elif self.now() >= charge.check_at:
            self._check(charge, charge.process)

    def _start_engine(self, charge: _Charge) -> None:
        charge.started = self.now()
        charge.missed = 0
        charge.process = EngineProcess(charge.map.graph)

    def _bury(self, charge: _Charge, process: EngineProcess) -> None:
        """Note a death, and when to start again."""
        name, was_ready = charge.map.manifest.name, charge.is_ready
        charge.is_ready = False
        if self.now() - charge.started >= _HEALTHY_SECONDS:
            charge.rest = _FIRST_REST_SECONDS
        charge.start_at = self.now() + charge.rest
        charge.rest = min(2 * charge.rest, _LONGEST_REST_SECONDS)
        _LOG.warning("road_engine_died", map=name, exit_code=process.exit_code())
        process.stop()
        charge.process = None
        if not was_ready and is_outdated(charge.map.graph):
            charge.is_given_up = True
            made_by, engine = graph_version(charge.map.graph), engine_version()
            _LOG.error(
                "road_map_outdated",
                map=name,
                made_by=made_by,
                engine=engine,
                remedy="import it again",
            )

    def _check(self, charge: _Charge, process: EngineProcess) -> None:
        charge.check_at = self.now() + _CHECK_SECONDS
        charge.missed = 0 if process.answers(self.http) else charge.missed + 1
        if charge.missed >= _CHECKS_MISSED:
            _LOG.warning("road_engine_hangs", map=charge.map.manifest.name)
            process.stop()  # found dead, and started again, by the next tick

    def _let_go(self) -> None:
        gone = [
            charge
            for charge in self._charges
            if charge.leave_at is not None and self.now() >= charge.leave_at
        ]
        if gone:
            self._charges = tuple(charge for charge in self._charges if charge not in gone)
            for charge in gone:
                self._stop(charge)

    def _stop(self, charge: _Charge) -> None:
        charge.is_ready = False
        if charge.process is not None:
            charge.process.stop()
            charge.process = None


def _standing(charge: _Charge) -> tuple[bool, datetime]:
    return charge.is_ready, charge.map.manifest.imported_at


def _succeeds(younger: _Charge, elder: _Charge) -> bool:
    same_map = younger.map.manifest.name == elder.map.manifest.name
    return same_map and younger.map.manifest.imported_at > elder.map.manifest.imported_at
