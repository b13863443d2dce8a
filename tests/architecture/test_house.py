"""What keeps the house small: sizes, pure rooms without async, every operation described."""

import ast
from pathlib import Path

import pytest

import roundsman

SOURCES = sorted(Path(roundsman.__file__).parent.rglob("*.py"))
BOARD = sorted((Path(roundsman.__file__).parent / "console" / "board").glob("*.[jc]s*"))
PURE = ("domain", "planning", "wire", "kit")
LONGEST_MODULE = 400
LONGEST_FUNCTION = 60


def name(path: Path) -> str:
    return path.relative_to(Path(roundsman.__file__).parent).as_posix()


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_modules_stay_short_and_say_what_they_are_for(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= LONGEST_MODULE
    assert ast.get_docstring(ast.parse(text))


@pytest.mark.parametrize("path", BOARD, ids=name)
def test_files_of_the_board_stay_short_and_say_what_they_are_for(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= LONGEST_MODULE
    assert text.startswith(("// ", "/* "))


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_functions_stay_short(path: Path) -> None:
    if "migrations" in path.parts:
        return  # a migration lists a schema
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or 0) - node.lineno + 1
            assert length <= LONGEST_FUNCTION or ast.get_docstring(node), f"{node.name}: {length}"


@pytest.mark.parametrize("path", [p for p in SOURCES if name(p).startswith(PURE)], ids=name)
def test_pure_rooms_wait_for_nothing(path: Path) -> None:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    assert not any(isinstance(node, ast.AsyncFunctionDef | ast.Await) for node in nodes)
