"""What the commands write is private, whatever the umask of the shell that calls them."""

import json
import os
import signal
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2 as httpx
import pytest
from tests.acceptance.test_main_job import read_address
from tests.roads.town import write_town
from tests.support import commands
from tests.support.commands import COMMAND, CommandProcess

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")

STOPS = "name,latitude,longitude\nAnn,39.30,-76.61\n"


def roundsman(folder: Path, *arguments: str) -> str:
    done = commands.run(
        [*COMMAND, *arguments],
        cwd=folder,
        umask=0o022,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def running(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    process = CommandProcess(
        [*COMMAND, *arguments],
        cwd=folder,
        umask=0o022,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


def modes(folder: Path) -> dict[str, str]:
    """Return how open each file and folder is that is open to anybody but its owner."""
    return {
        str(path.relative_to(folder)): oct(stat.S_IMODE(path.lstat().st_mode))
        for path in folder.rglob("*")
        if stat.S_IMODE(path.lstat().st_mode) & 0o077
    }


@pytest.fixture
def shell(tmp_path: Path) -> Path:
    """A folder that anybody may look into, as most are."""
    folder = tmp_path / "work"
    folder.mkdir()
    folder.chmod(0o755)
    return folder


def given(shell: Path, name: str, content: str) -> str:
    file = shell.parent / name
    file.write_text(content, encoding="utf-8")
    return str(file)


def test_nobody_else_can_read_what_any_command_writes(shell: Path) -> None:
    stops = given(shell, "stops.csv", STOPS)
    extract = shell.parent / "town.osm.pbf"
    write_town(extract)
    data = ("--data", "data")
    made = roundsman(shell, "organization", "create", "Acme", "--json", *data)
    slug = json.loads(made)["organization"]
    roundsman(
        shell, "credentials", "create", "--organization", slug, "--email", "a@b.example", *data
    )
    roundsman(shell, "demo", *data)
    roundsman(
        shell, "plan", stops, "--start", "39.29,-76.61", "--seconds", "0.1", "--map", "o.html"
    )
    roundsman(shell, "map", "import", str(extract), *data)
    (shell / "plan.csv").write_text("open before", encoding="utf-8")
    van = ("--start", "39.29,-76.61", "--vehicles", "1", "--effort", "QUICK", "--csv", "plan.csv")
    roundsman(shell, "plan", stops, *van)
    with running(shell, "serve", "--port", "0", *data) as server:
        httpx.get(f"{read_address(server)}/healthz").raise_for_status()
        roundsman(shell, "backup", "backup.db", *data)
        while_serving = modes(shell)
        names = {path.name for path in (shell / "data").iterdir()}
    assert {"secret.key", "roundsman.db", "roundsman.db-wal", "roundsman.db-shm", "maps"} <= names
    assert {path.name for path in shell.iterdir()} == {"data", "backup.db", "o.html", "plan.csv"}
    assert while_serving == {}
    assert modes(shell) == {}


@pytest.mark.full
def test_what_is_found_open_to_everybody_is_closed_and_a_group_that_was_let_in_stays(
    shell: Path,
) -> None:
    roundsman(shell, "organization", "create", "Acme", "--data", "data")
    data, file = shell / "data", shell / "data" / "roundsman.db"
    for folder_mode, file_mode, left in ((0o755, 0o644, {}), (0o750, 0o640, {"0o750", "0o640"})):
        data.chmod(folder_mode)
        file.chmod(file_mode)
        roundsman(shell, "organization", "list", "--data", "data")
        assert set(modes(shell).values()) == set(left)


def test_a_folder_that_others_may_share_is_told_of_and_left_as_it_is(shell: Path) -> None:
    (shell / "somebody").mkdir()
    with running(shell, "serve", "--port", "0", "--data", ".") as server:
        answer = httpx.get(f"{read_address(server)}/readyz")
        assert answer.status_code == 200
        assert "every account of this machine" in answer.json()["warnings"][0]
        server.send_signal(signal.SIGTERM)
        log = [json.loads(line) for line in server.communicate(timeout=60)[1].splitlines()]
    (told,) = [line for line in log if line["event"] == "data_open_to_others"]
    assert told["paths"] == [str(shell)] or told["paths"] == ["."]
    assert stat.S_IMODE(shell.stat().st_mode) == 0o755
    assert stat.S_IMODE((shell / "roundsman.db").stat().st_mode) == 0o600
