"""The set-up says how far it is."""

import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from roundsman import planning
from roundsman.cli.preparing import count_compiled, count_kernels, report_while

STEP = Path(__file__).parents[2] / "scripts" / "step.py"


def test_kernels_are_counted_once_wherever_they_are_compiled(tmp_path: Path) -> None:
    kept, apart = tmp_path / "kernels-1", tmp_path / "kernels-1" / "apart" / "kernels-1"
    for folder, names in ((kept / "planning", "ab"), (apart / "planning", "bc")):
        folder.mkdir(parents=True)
        for name in names:
            (folder / f"tour.{name}-1.py313.nbi").touch()
            (folder / f"tour.{name}-1.py313.1.nbc").touch()
    assert count_compiled(kept) == 3
    (tmp_path / "tour.py").write_text(
        "@compiled\ndef a(): ...\n\n@inlined\ndef b(): ...\n# @compiled\n"
    )
    assert count_kernels(tmp_path) == 2
    assert count_kernels(Path(planning.__file__).parent) > 50


def test_how_many_kernels_are_compiled_is_told_while_they_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    counted = threading.Event()

    def count() -> int:
        counted.set()
        return 1

    report_while(lambda: counted.wait(60), count, of=3)
    assert "1 of 3 kernels\n" in capsys.readouterr().out


def step(*arguments: str, code: str) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603 -- our own interpreter
        [sys.executable, STEP, "A step", *arguments, "--", sys.executable, "-u", "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.parametrize(("status", "ending"), [(0, "  done in 0 s\n"), (3, "inner words\n")])
def test_what_a_step_prints_is_shown_when_it_fails(status: int, ending: str) -> None:
    process = step("--every", "60", code=f"print('inner words'); raise SystemExit({status})")
    told, _ = process.communicate()
    assert process.returncode == status
    assert re.sub(r"\d+ s", "0 s", told) == f"A step\n{ending}"


def test_a_step_that_takes_long_says_how_far_it_is(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    code = f"print('Collecting a\\nelse\\nCollecting b'); open({str(gate)!r}).read()"
    arguments = ("--count", "^Collecting ", "--of", "7", "--every", "0.1")
    with step(*arguments, code=code) as process:
        assert process.stdout is not None
        found = next(line for line in process.stdout if "2 of 7 found, " in line)
        gate.write_text("go on")
        assert found.startswith("  ")
        assert "done in" in process.stdout.read()
