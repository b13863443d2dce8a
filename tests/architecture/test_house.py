"""What keeps the house small: sizes, pure rooms without async, every module described."""

import ast
from functools import cache
from pathlib import Path

import roundsman

HOUSE = Path(roundsman.__file__).parent
SOURCES = {
    path.relative_to(HOUSE).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(HOUSE.rglob("*.py"))
}
WEB = sorted(
    path
    for path in (HOUSE.parents[1] / "web").rglob("*.*s*")
    if "node_modules" not in path.parts and path.suffix in {".ts", ".tsx", ".css"}
)
PURE = ("domain", "planning", "wire", "kit")
NO_NOUNS = {
    "__init__",
    "app",
    "authentication",
    "documentation",
    "examples",
    "links",
    "oauth",
    "route_answers",
}
"""Files of `api` that are about no noun of the domain."""

IN_ANOTHER_FILE = {
    "domain/evidenc.py": "evidence has no plural: domain/evidence.py",
    "storage/route_stops.py": "a route's stops are stored in its document",
    "storage/exports.py": "a file that is taken away is not stored",
    "storage/insertions.py": "a place that nobody has chosen is not stored",
    "storage/reports.py": "a report is made of what other files store",
    "storage/route_previews.py": "a preview is not stored",
    "storage/transfers.py": "stops are stored with their routes",
}
LONGEST_MODULE = 500
LONGEST_FUNCTION = 60


@cache
def trees() -> dict[str, ast.Module]:
    """Return every module of the package, read when a test asks: not whenever tests are listed."""
    return {name: ast.parse(text) for name, text in SOURCES.items()}


def test_modules_stay_short_and_say_what_they_are_for() -> None:
    assert [name for name, text in SOURCES.items() if text.count("\n") > LONGEST_MODULE] == []
    assert [name for name, tree in trees().items() if not ast.get_docstring(tree)] == []


def test_files_of_the_web_pages_stay_short_and_say_what_they_are_for() -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in WEB}
    assert texts
    assert [name for name, text in texts.items() if text.count("\n") > LONGEST_MODULE] == []
    assert [name for name, text in texts.items() if not text.startswith(("// ", "/* "))] == []


def test_functions_stay_short_or_say_why_they_are_not() -> None:
    long = [
        f"{name}: {node.name} has {length} lines"
        for name, tree in trees().items()
        if "migrations" not in name  # a migration lists a schema
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or 0) - node.lineno + 1) > LONGEST_FUNCTION
        and not ast.get_docstring(node)
    ]
    assert long == []


def test_pure_rooms_wait_for_nothing() -> None:
    waiting = [
        name
        for name, tree in trees().items()
        if name.split("/")[0] in PURE
        and any(isinstance(node, ast.AsyncFunctionDef | ast.Await) for node in ast.walk(tree))
    ]
    assert waiting == []


def test_a_noun_of_the_interface_has_the_same_file_name_on_every_floor() -> None:
    nouns = {Path(name).stem for name in SOURCES if name.startswith("api/")} - NO_NOUNS
    wanted = {
        path
        for noun in nouns
        for path in (f"domain/{noun[:-1]}.py", f"operations/{noun}.py", f"storage/{noun}.py")
    }
    assert "operations/webhook_subscriptions.py" in wanted
    assert wanted - SOURCES.keys() == IN_ANOTHER_FILE.keys()
