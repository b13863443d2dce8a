"""What the interpreter says while a request is answered: files, calls, types and statements.

A *file entered* is a file under src/roundsman of which a function began to run. A *call* is a pair
of files, counted once however often it is made: the file of a function that began, and the file of
the nearest function of ours on the stack under it, when that is another file. A *climb* is a call
from a lower floor to a higher one; floors are those of the import rules. A *return* is a call into
a file that was entered before, so that a journey in which each file has one caller has none. What
stood on a thread's stack before the request came in, such as the event loop, calls nobody.

Threads that run what goes on beside the requests (`workers`) are left out.

A *type* is a class of ours that was called, whose object was changed by `replace`, or that msgspec
was asked to make; enumerations do not count. Statements are counted at SQLite itself,
so that whatever goes around SQLAlchemy counts; beginning, ending and settings are none.
"""

import sqlite3
import sys
import threading
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, get_args

import msgspec

_TOOL = sys.monitoring.PROFILER_ID
_WORKERS = "workers/"
_NOT_STATEMENTS = ("BEGIN", "COMMIT", "ROLLBACK", "PRAGMA", "SAVEPOINT", "RELEASE")


@dataclass(frozen=True, kw_only=True, slots=True)
class Trace:
    """What one request did; paths are relative to src/roundsman."""

    files: list[str]
    """In the order in which they were entered."""
    climbs: list[str]
    returns: list[str]
    below_doors: list[str]
    """Those of the files that stand on a floor under the doors and what doors share."""
    types: list[str]
    """Our classes of which an object was made."""
    statements: list[str]
    transactions: int


def read_floors(root: Path) -> dict[str, int]:
    """Return the floor of each room and of each module above them, counted from the top."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(one["layers"] for one in contracts if one["type"] == "layers")
    return {
        name.strip("() "): floor for floor, rooms in enumerate(layers) for name in rooms.split("|")
    }


@dataclass
class _Journal:
    """What was seen of one request so far."""

    package: str
    standing: set[FrameType]
    """Frames that were there before; held, so that no new frame takes the place of one."""
    files: dict[str, None] = field(default_factory=dict)
    calls: dict[tuple[str, str], bool] = field(default_factory=dict)
    """Pairs of files, and whether the second had been entered before."""
    types: set[str] = field(default_factory=set)
    statements: list[str] = field(default_factory=list)
    is_counted: dict[int, bool] = field(default_factory=dict)
    """By thread."""

    def enter(self, code: CodeType, frame: FrameType) -> None:
        if code.co_name == "<module>" or not self.counts_thread(frame):
            return
        entered = code.co_filename.removeprefix(self.package)
        caller = self._caller(frame)
        if caller is not None and caller != entered:
            self.calls.setdefault((caller, entered), entered in self.files)
        self.files.setdefault(entered)

    def counts_thread(self, frame: FrameType) -> bool:
        thread = threading.get_ident()
        if thread not in self.is_counted:
            room = self.package + _WORKERS
            frames = _stack(frame)
            self.is_counted[thread] = not any(
                one.f_code.co_filename.startswith(room) for one in frames
            )
        return self.is_counted[thread]

    def _caller(self, frame: FrameType) -> str | None:
        for one in _stack(frame.f_back):
            if one in self.standing:
                return None
            if one.f_code.co_filename.startswith(self.package):
                return one.f_code.co_filename.removeprefix(self.package)
        return None


class Tracer:
    """Watches the interpreter and SQLite; to be made before anything of ours is imported."""

    def __init__(self, root: Path) -> None:
        self._package = f"{root / 'src' / 'roundsman'}/"
        self._floors = read_floors(root)
        self._journal: _Journal | None = None
        _watch_sqlite(self._note_statement)
        _watch_conversions(self._note_made)
        sys.monitoring.use_tool_id(_TOOL, "measure_house")
        events = sys.monitoring.events
        sys.monitoring.register_callback(_TOOL, events.PY_START, self._note_start)
        sys.monitoring.register_callback(_TOOL, events.CALL, self._note_call)

    def start(self) -> None:
        """Begin to watch."""
        stacks = sys._current_frames().values()  # noqa: SLF001 -- the only way to other threads' stacks
        standing = {frame for top in stacks for frame in _stack(top)}
        self._journal = _Journal(self._package, standing)
        events = sys.monitoring.events
        sys.monitoring.set_events(_TOOL, events.PY_START | events.CALL)
        sys.monitoring.restart_events()

    def stop(self) -> Trace:
        """Watch no longer; return what was seen."""
        journal = self._journal
        if journal is None:
            raise RuntimeError("nothing was started")
        sys.monitoring.set_events(_TOOL, 0)
        self._journal = None
        statements = [one for one in journal.statements if not one.startswith(_NOT_STATEMENTS)]
        return Trace(
            files=list(journal.files),
            climbs=[_arrow(call) for call in journal.calls if self._floor(*call) > 0],
            returns=[_arrow(call) for call, was_entered in journal.calls.items() if was_entered],
            below_doors=[name for name in journal.files if self._is_below_doors(name)],
            types=sorted(journal.types),
            statements=statements,
            transactions=sum(one.startswith("BEGIN") for one in journal.statements),
        )

    def _floor(self, caller: str, called: str) -> int:
        """Return by how many floors a call goes up."""
        return self._floors[_room(caller)] - self._floors[_room(called)]

    def _is_below_doors(self, name: str) -> bool:
        shared = max(self._floors.get(room, 0) for room in ("doors", "endpoints"))
        return self._floors[_room(name)] > shared

    def _note_start(self, code: CodeType, _offset: int) -> Any:
        if not code.co_filename.startswith(self._package):
            return sys.monitoring.DISABLE
        if self._journal is not None:
            self._journal.enter(code, _running_frame())
        return None

    def _note_call(self, _code: CodeType, _offset: int, called: object, first: object) -> None:
        if isinstance(called, type):
            self._note_made(called)
        elif getattr(called, "__name__", "") == "replace" and isinstance(first, msgspec.Struct):
            self._note_made(type(first))
        elif getattr(called, "__name__", "") == "decode":
            decoder = getattr(called, "__self__", first)
            if isinstance(decoder, msgspec.json.Decoder | msgspec.msgpack.Decoder):
                self._note_made(decoder.type)

    def _note_made(self, made: object) -> None:
        journal = self._journal
        if journal is None or not journal.counts_thread(_running_frame()):
            return
        for one in (made, *get_args(made)):
            is_ours = isinstance(one, type) and one.__module__.startswith("roundsman.")
            if is_ours and isinstance(one, type) and not issubclass(one, Enum):
                journal.types.add(f"{one.__module__.removeprefix('roundsman.')}.{one.__qualname__}")

    def _note_statement(self, sql: str) -> None:
        journal = self._journal
        if journal is not None and journal.counts_thread(_running_frame()):
            journal.statements.append(" ".join(sql.split()))


def _room(name: str) -> str:
    return name.partition("/")[0].removesuffix(".py")


def _arrow(call: tuple[str, str]) -> str:
    return " -> ".join(call)


def _running_frame() -> FrameType:
    """Return the frame that called the caller."""
    return sys._getframe(2)  # noqa: SLF001 -- inspect's own is this one, or None


def _stack(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _watch_sqlite(note: Callable[[str], None]) -> None:
    """Have every connection tell each statement once, however many rows it is executed for."""

    class Cursor(sqlite3.Cursor):
        def execute(self, sql: str, *parameters: Any) -> Any:
            note(sql)
            return super().execute(sql, *parameters)

        def executemany(self, sql: str, *parameters: Any) -> Any:
            note(sql)
            return super().executemany(sql, *parameters)

    class Connection(sqlite3.Connection):
        def cursor(self, factory: Any = Cursor) -> Any:
            return super().cursor(factory)

        def execute(self, sql: str, *parameters: Any) -> Any:
            note(sql)
            return super().execute(sql, *parameters)

    connect = sqlite3.connect

    def connect_watched(*given: Any, **named: Any) -> Any:
        return connect(*given, **{"factory": Connection, **named})

    sqlite3.connect = sqlite3.dbapi2.connect = connect_watched


def _watch_conversions(note: Callable[[object], None]) -> None:
    """Have msgspec tell the types that it is asked to make out of plain values."""
    convert = msgspec.convert

    def convert_watched(value: Any, type: Any, **named: Any) -> Any:  # noqa: A002 -- its name there
        note(type)
        return convert(value, type, **named)

    msgspec.convert = convert_watched  # type: ignore[assignment] # its overloads all lead here
