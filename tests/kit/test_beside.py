"""Work beside one's own is done when the block ends, or has failed aloud."""

import operator
from functools import partial
from pathlib import Path

import pytest

from roundsman.kit.beside import done_beside


def test_work_is_done_when_the_block_ends(tmp_path: Path) -> None:
    made = tmp_path / "made"
    with done_beside(made.mkdir):
        pass
    assert made.is_dir()


def test_work_that_fails_is_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    with (
        pytest.raises(RuntimeError, match="exit code 1"),
        done_beside(partial(operator.truediv, 1, 0)),
    ):
        pass
    assert "ZeroDivisionError" in capfd.readouterr().err
