"""What every test stands on: databases, a standing clock, and which tests run when.

A test that takes `database` or `database_url` runs on SQLite; marked `both_databases` it runs on
PostgreSQL too. With `--full` every such test runs on both, and those marked `full` run at all.
"""

import gc
import logging
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Literal

import pytest
import structlog
from hypothesis import settings
from tests.postgres import find_binaries, postgres_server
from tests.support.databases import copy_sqlite, empty_postgres, make_migrated, new_postgres
from tests.support.statements import share_statements
from tests.world import CountingIds, FixedClock

from roundsman.geocoding.gazetteer import Gazetteer
from roundsman.geography import make_gazetteer
from roundsman.storage.database import Database

# A property that holds holds on a slow machine too; what CI tries, it tries again the next time.
settings.register_profile("roundsman", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("roundsman")

share_statements()

# Whoever was started in the background is deaf to Ctrl-C, and so would be what tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Who keeps no compiled modules compiles all of ours at each start, and every test module in each
# worker: the tests keep them, as set-up does, whatever this machine's processes are told.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

_connect = socket.socket.connect
_SCOPES: dict[str, Literal["function", "session"]] = {
    "database_url": "function",
    "empty_url": "function",
    "installation": "session",
}
"""Fixtures that are, or stand on, a database of either kind."""

_NEED_POSTGRESQL = {"postgres_address", "migrated_postgres", "new_postgres_url"}


_MEMORY = Path("/dev/shm")  # noqa: S108 -- a folder of the test run's own is made in it
_ROOM_BYTES = 2 * 1024**3


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Keep the tests' files in memory where there is room: no test waits for a disk to sync."""
    if config.option.basetemp or hasattr(config, "workerinput") or not _MEMORY.is_dir():
        return
    if os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ROOM_BYTES:
        folder = tempfile.mkdtemp(prefix="roundsman-tests-", dir=_MEMORY)
        config.option.basetemp = f"{folder}/pytest"
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look through nothing for garbage while tests are listed, nor ever through what they are.

    Some million objects of modules and tests live as long as the run.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="every test, on both databases")
    parser.addoption("--renew-screens", action="store_true", help="take the screens' pictures")
    parser.addoption("--only-sqlite", action="store_true", help="no test on PostgreSQL")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = {item for item in items if _is_left_out(item)}
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = [item for item in items if item not in left_out]


def _is_left_out(item: pytest.Item) -> bool:
    if item.get_closest_marker("full") and not item.config.getoption("--full"):
        return True
    if not (item.config.getoption("--only-sqlite") and isinstance(item, pytest.Function)):
        return False
    chosen = item.callspec.params.values() if hasattr(item, "callspec") else ()
    is_chosen = any(isinstance(one, str) and one == "postgresql" for one in chosen)
    return is_chosen or not _NEED_POSTGRESQL.isdisjoint(item.fixturenames)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    chosen = {mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")}
    for fixture in _SCOPES.keys() & set(metafunc.fixturenames) - chosen:
        kinds = _kinds(metafunc)
        metafunc.parametrize(fixture, kinds, indirect=True, scope=_SCOPES[fixture])


def _kinds(metafunc: pytest.Metafunc) -> list[str]:
    is_marked = any(metafunc.definition.iter_markers("both_databases"))
    if metafunc.config.getoption("--only-sqlite"):
        return ["sqlite"]
    is_on_both = is_marked or metafunc.config.getoption("--full")
    return ["sqlite", "postgresql"] if is_on_both else ["sqlite"]


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse connections to anywhere but this machine."""

    def connect(self: socket.socket, address: object) -> None:
        host = str(address[0]) if isinstance(address, tuple) else "unix"
        assert host in {"127.0.0.1", "::1", "localhost", "unix"}, f"test connects to {host}"
        _connect(self, address)  # type: ignore[arg-type] # the standard library accepts more

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture(scope="session")
def gazetteer() -> Gazetteer:
    """The built-in gazetteer, whose index was made at set-up, read once for all tests."""
    return make_gazetteer()


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def ids() -> CountingIds:
    return CountingIds()


@pytest.fixture(scope="session")
def postgres_address() -> Iterator[str]:
    """The address of a running server of this worker's own, up to the database's name."""
    binaries = find_binaries()
    if binaries is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL's binaries are missing; CI must have them")
        pytest.skip("PostgreSQL's binaries are not installed")
    with postgres_server(binaries) as server:
        yield server.address


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated file that is copied and never opened."""
    file = tmp_path_factory.mktemp("migrated") / "roundsman.db"
    make_migrated(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def migrated_postgres(postgres_address: str) -> Iterator[str]:
    """The one migrated database of this worker."""
    with new_postgres(postgres_address) as url:
        yield make_migrated(url)


@pytest.fixture
def new_postgres_url(postgres_address: str) -> Iterator[str]:
    """A database on PostgreSQL that nothing has been made in."""
    with new_postgres(postgres_address) as url:
        yield url


@pytest.fixture
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of either kind that nothing has been made in."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.db'}"
    url: str = request.getfixturevalue("new_postgres_url")
    return url


@pytest.fixture(autouse=True)
def logs_stay_as_they_were() -> Iterator[None]:
    """Undo what a command that ran in this process did to the log: others look at theirs."""
    before, of_libraries = structlog.get_config(), logging.lastResort
    yield
    structlog.configure(**before)
    logging.lastResort = of_libraries


@pytest.fixture
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty, migrated database of either kind."""
    if request.param == "sqlite":
        file: Path = request.getfixturevalue("migrated_sqlite")
        if "inhabitants" in request.fixturenames:
            file = request.getfixturevalue("inhabitants").file
        return copy_sqlite(file, tmp_path / "roundsman.db")
    url: str = request.getfixturevalue("migrated_postgres")
    empty_postgres(url)
    return url


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = Database(database_url)
    yield opened
    opened.close()
