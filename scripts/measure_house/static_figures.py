"""What can be counted in a checkout's files, without running anything."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_PACKAGE = "roundsman"
_SEARCHING = {"planning", "geocoding"}
"""Rooms that are left out of the count of lines: their size is that of their algorithms."""

_MIGRATIONS = "storage/migrations/"
"""Left out of names: each migration defines the same two functions, for Alembic to find."""

_SHORT = 40
_VERSION = "v2024_07"


@dataclass(frozen=True, kw_only=True, slots=True)
class StaticFigures:
    """Counts of one checkout; paths are relative to src/roundsman."""

    lines: int
    """Lines of all modules outside planning and geocoding."""
    short_modules: list[str]
    """Modules under 40 lines, without `__init__.py`."""
    names_twice: dict[str, list[str]]
    """Classes and public module-level functions that several modules define, and where."""
    single_importer: dict[str, str]
    """Modules that one module alone imports, one of their own room; and which."""
    version_lines: list[str]
    """Lines outside `wire` that name the interface version's folder."""


def count(root: Path) -> StaticFigures:
    """Read src/roundsman of a checkout."""
    package = root / "src" / _PACKAGE
    texts = {
        path.relative_to(package).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(package.rglob("*.py"))
    }
    trees = {name: ast.parse(text) for name, text in texts.items()}
    return StaticFigures(
        lines=sum(
            text.count("\n") for name, text in texts.items() if _room(name) not in _SEARCHING
        ),
        short_modules=[
            name
            for name, text in texts.items()
            if text.count("\n") < _SHORT and not name.endswith("__init__.py")
        ],
        names_twice=_names_twice(trees),
        single_importer=_single_importer(trees),
        version_lines=[
            f"{name}:{number}"
            for name, text in texts.items()
            if _room(name) != "wire"
            for number, line in enumerate(text.splitlines(), 1)
            if _VERSION in line
        ],
    )


def _room(name: str) -> str:
    """Return the folder under the package that a module stands in; empty above all rooms."""
    room, slash, _ = name.partition("/")
    return room if slash else ""


def _names_twice(trees: dict[str, ast.Module]) -> dict[str, list[str]]:
    defined: dict[str, list[str]] = defaultdict(list)
    for name, tree in trees.items():
        if name.startswith(_MIGRATIONS):
            continue
        for node in tree.body:
            if isinstance(node, ast.ClassDef) or (
                isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
            ):
                defined[node.name].append(name)
    return {name: sorted(where) for name, where in sorted(defined.items()) if len(where) > 1}


def _single_importer(trees: dict[str, ast.Module]) -> dict[str, str]:
    dotted = {_dotted(name): name for name in trees}
    importers: dict[str, set[str]] = defaultdict(set)
    for name, tree in trees.items():
        for imported in _imports(tree):
            found = dotted.get(imported) or dotted.get(imported.rpartition(".")[0])
            if found is not None and found != name:
                importers[found].add(name)
    return {
        name: importer
        for name, by in sorted(importers.items())
        if len(by) == 1 and not name.endswith("__init__.py")
        for importer in by
        if _room(importer) == _room(name)
    }


def _imports(tree: ast.Module) -> Iterator[str]:
    """Yield what a module imports: modules, and names that may be modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _dotted(name: str) -> str:
    return f"{_PACKAGE}.{name.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}"
