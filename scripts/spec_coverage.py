"""Write docs/spec-coverage.md: which tests hold which section, read off the tests' marks."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "docs" / "spec-coverage.md"
_HEAD = """# Specification and tests

Which tests hold which section of the interface specification and of its decisions (`decisions §n`).
Made from the tests' marks by `make coverage-page`; a test holds that it is current.

| Section | Tests |
|---|---|
"""


def marked_tests() -> Iterator[tuple[str, str]]:
    """Yield each mark's section and the test that carries it."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for section in _sections(node):
                    yield section, f"`{path.relative_to(ROOT / 'tests')}::{node.name}`"


def _sections(node: ast.FunctionDef) -> Iterator[str]:
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.spec":
            for argument in decorator.args:
                if isinstance(argument, ast.Constant):
                    yield str(argument.value)


def rendered() -> str:
    """Return the page."""
    tests: dict[str, list[str]] = defaultdict(list)
    for section, test in marked_tests():
        tests[section].append(test)
    rows = [
        f"| {section} | {'<br>'.join(tests[section])} |" for section in sorted(tests, key=_order)
    ]
    return _HEAD + "\n".join(rows) + "\n"


def _order(section: str) -> tuple[bool, int, str]:
    number = section.removeprefix("decisions §")
    return number != section, int(number) if number.isdigit() else 0, section


if __name__ == "__main__":
    TARGET.write_text(rendered(), encoding="utf-8")
