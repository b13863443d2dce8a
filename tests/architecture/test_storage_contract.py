"""Whatever is public in `storage` is tried on both databases by `tests/storage`."""

import ast
from collections.abc import Iterator
from pathlib import Path

import roundsman

ROOM = Path(roundsman.__file__).parent / "storage"
TESTS = Path(__file__).parents[1] / "storage"

EXCEPTIONS = {
    "connection_failures.explain_failure": "of connections that fail: tried with its own server",
    "dialects.check_options": "of an address alone: tried without a database",
    "dialects.holds": "a part of the statements that list routes and stops",
    "dialects.without_limits": "a part of transactions for long: tried in test_time_limits",
    "private_files.close_to_others": "of files alone: tried in tests/acceptance",
    "private_files.list_open": "of SQLite's files alone: tried in tests/acceptance",
    "private_files.make_files_private": "of SQLite's files alone: tried in tests/acceptance",
    "private_files.make_private_folder": "of SQLite's files alone: tried in tests/acceptance",
    "private_files.require_usable": "of SQLite's files alone: tried in tests/acceptance",
    "server_lock.only_server": "of SQLite alone: tried in tests/acceptance",
    "routes.read_stored_route": "a part of the statements that read routes",
    "webhook_subscriptions.read_subscription": "a part of the statements that list subscriptions",
    "time_limits.LimitedConnection.wait": "of PostgreSQL alone: tried in test_time_limits",
    "time_limits.TimeLimits.lock_after": "of SQLite alone: tried in test_time_limits",
    "time_limits.TimeLimits.settings": "of PostgreSQL alone: tried in test_time_limits",
    "idle_connections.IdleConnections.use": "of connections of any kind: tried without a database",
    "lookups.Lookups.run": "called by Database",
    **{
        f"leases.Leases.{name}": "a part of the statements of outbox and jobs"
        for name in ("bring_forward", "is_running", "is_held", "extend", "release")
    },
    "tables.Instant.process_bind_param": "called by SQLAlchemy",
    "tables.Instant.process_result_value": "called by SQLAlchemy",
    "upgrading.upgrade": "called by migrate",
}
"""What no test names on both databases, and why."""


def public(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node


def offered() -> Iterator[tuple[str, str]]:
    """Return each public function and method: its full name, and what it is called."""
    for path in sorted(ROOM.glob("*.py")):
        for node in public(ast.parse(path.read_text(encoding="utf-8")).body):
            if isinstance(node, ast.FunctionDef):
                yield f"{path.stem}.{node.name}", node.name
            else:
                for method in public(node.body):
                    yield f"{path.stem}.{node.name}.{method.name}", method.name


def on_both() -> list[ast.Module]:
    """Return the modules that say of all their tests that they run on both databases."""
    modules = [
        ast.parse(path.read_text(encoding="utf-8")) for path in sorted(TESTS.glob("test_*.py"))
    ]
    return [module for module in modules if any(map(marks_both, module.body))]


def marks_both(statement: ast.stmt) -> bool:
    """Say whether a statement is such as `pytestmark = pytest.mark.both_databases`."""
    if not isinstance(statement, ast.Assign) or ast.unparse(statement.targets[0]) != "pytestmark":
        return False
    return "pytest.mark.both_databases" in ast.unparse(statement.value)


def names_in(modules: list[ast.Module]) -> tuple[set[str], set[str]]:
    """Return the functions imported from `storage`, and the names of all attributes used."""
    imported, attributes = set(), set()
    for node in (node for module in modules for node in ast.walk(module)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
            "roundsman.storage."
        ):
            stem = (node.module or "").rpartition(".")[2]
            imported |= {f"{stem}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Attribute):
            attributes.add(node.attr)
    return imported, attributes


def test_every_public_function_of_storage_is_called_on_both_databases() -> None:
    imported, attributes = names_in(on_both())
    untried = {
        full
        for full, name in offered()
        if full not in imported and not (full.count(".") == 2 and name in attributes)
    }
    assert untried - EXCEPTIONS.keys() == set(), "name these in tests/storage"
    assert EXCEPTIONS.keys() - untried == set(), "these are no exceptions any more"
