"""The planner is compiled beside a server: it says how far it is, and ends with the server."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from roundsman.cli.compiling import COMMAND, Compilation
from roundsman.cli.serving import compile_and_load
from roundsman.geocoding.chain import GeocoderChain
from roundsman.geocoding.map_indexes import MapIndexes
from roundsman.planning import do_without_kernels, has_kernels, use_kernels


@pytest.fixture(autouse=True)
def without_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert do_without_kernels()
    yield
    use_kernels()


def compilation(code: str) -> Compilation:
    return Compilation((sys.executable, "-c", code))


def test_who_watches_is_told_how_far_it_is_and_kernels_are_used_at_the_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    compilation("print('12 of 57 kernels')").run()
    assert capsys.readouterr().out == (
        "Planning is slower for some minutes, until the planner is compiled for this machine"
        " (12 of 57 kernels)\nThe planner is compiled\n"
    )
    assert has_kernels()


def test_a_compiler_that_fails_is_logged_and_nobody_waits_for_it(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with capture_logs() as lines:
        compilation("raise SystemExit('no room left')").run()
    assert [(line["event"], line["exit_code"]) for line in lines] == [("planner_not_compiled", 1)]
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "no room left" in captured.err
    assert has_kernels()


def test_a_compiler_that_cannot_be_started_is_logged_and_nobody_waits_for_it(
    tmp_path: Path,
) -> None:
    with capture_logs() as lines:
        Compilation((str(tmp_path / "no-python"),)).run()
    assert [line["event"] for line in lines] == ["planner_not_compiled"]
    assert "No such file" in lines[0]["reason"]
    assert has_kernels()


def test_files_where_a_server_was_started_are_not_taken_for_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "structlog.py").write_text("raise SystemExit('not this one')")
    monkeypatch.chdir(tmp_path)
    with capture_logs() as lines:
        Compilation((*COMMAND[: COMMAND.index("-m")], "-c", "import structlog")).run()
    assert lines == []


def test_nobody_waits_for_a_compiler_where_places_cannot_be_loaded() -> None:
    def find() -> list[Path]:
        raise PermissionError("the folder of maps")

    geocoder = GeocoderChain([MapIndexes(find)])
    with pytest.raises(PermissionError):
        compile_and_load(geocoder, compilation("pass"))
    assert has_kernels()


_WITH_A_CHILD = """
import subprocess, sys
child = "out = open({held!r}, 'w'); print('begun', file=out, flush=True); input()"
subprocess.run([sys.executable, "-c", child])
"""


def test_a_server_that_ends_takes_the_compiler_and_its_children_with_it(tmp_path: Path) -> None:
    held = tmp_path / "held"
    os.mkfifo(held)
    running = compilation(_WITH_A_CHILD.replace("{held!r}", repr(str(held))))
    thread = threading.Thread(target=running.run)
    thread.start()
    with held.open() as child:
        assert child.readline() == "begun\n"
        running.stop()
        assert child.read() == ""  # all have ended that held it open
    thread.join(60)
    assert not thread.is_alive()
    assert not has_kernels()


def test_a_server_that_ends_at_once_starts_no_compiler() -> None:
    running = compilation("raise SystemExit('started')")
    running.stop()
    running.run()
    assert not has_kernels()


def test_a_compiler_ends_when_its_server_was_killed() -> None:
    code = (
        "import threading; from roundsman.cli.compiling import end_group, end_with_parent;"
        "end_with_parent(end_group); print('begun', flush=True); threading.Event().wait()"
    )
    with subprocess.Popen(  # noqa: S603 -- our own interpreter
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        assert os.getpriority(os.PRIO_PROCESS, process.pid) > os.getpriority(os.PRIO_PROCESS, 0)
        process.stdin.close()  # as the system does when a process ends
        assert process.wait(60) < 0
