"""Kernels of a cache apart are taken over where none are kept, whole and never mixed."""

import operator
from functools import partial
from pathlib import Path

import pytest

from roundsman.planning.compilation import adopt_kernels, run_in_process


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
