"""Kernels of a cache apart are taken over where none are kept, whole and never mixed."""

import fcntl
import operator
from functools import partial
from pathlib import Path

import pytest

from roundsman.planning.compilation import adopt_kernels, run_in_process
from roundsman.planning.compiled import (
    are_kernels_compiled,
    cache_folder,
    compiling_alone,
    note_kernels_compiled,
)


def write(folder: Path, **contents: str) -> None:
    folder.mkdir(parents=True)
    for name, content in contents.items():
        file, _, number = name.partition("_")
        ending = f"{number}.nbc" if number else "nbi"
        (folder / f"{file}.py313.{ending}").write_text(content)


def test_a_kernel_is_taken_over_with_all_its_forms_unless_it_is_kept(tmp_path: Path) -> None:
    apart, kept = tmp_path / "apart", tmp_path / "kept"
    write(kept / "planning", draw="kept", draw_1="kept")
    write(apart / "kernels" / "planning", draw="new", draw_1="new", draw_2="new")
    write(apart / "kernels" / "other", drive="new", drive_1="new")
    (kept / "other").mkdir()
    adopt_kernels(apart, kept)
    assert {str(one.relative_to(kept)): one.read_text() for one in kept.glob("*/*")} == {
        "planning/draw.py313.nbi": "kept",
        "planning/draw.py313.1.nbc": "kept",
        "other/drive.py313.nbi": "new",
        "other/drive.py313.1.nbc": "new",
    }


def test_work_is_done_when_the_block_ends(tmp_path: Path) -> None:
    made = tmp_path / "made"
    with run_in_process(made.mkdir):
        pass
    assert made.is_dir()


def test_work_that_fails_is_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    with (
        pytest.raises(RuntimeError, match="exit code 1"),
        run_in_process(partial(operator.truediv, 1, 0)),
    ):
        pass
    assert "ZeroDivisionError" in capfd.readouterr().err


def is_locked(lock: Path) -> bool:
    with lock.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def test_one_process_at_a_time_writes_kernels_and_none_waits_where_all_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    lock = Path(cache_folder()) / "lock"
    with compiling_alone():
        with compiling_alone():  # by whoever called the one who compiles
            assert is_locked(lock)
        assert is_locked(lock)
    assert not is_locked(lock)
    assert not are_kernels_compiled()
    note_kernels_compiled()
    assert are_kernels_compiled()
    with compiling_alone():
        assert not is_locked(lock)
