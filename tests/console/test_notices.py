"""Whose work stands in the scripts of the web applications is said beside them, with the terms."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
IMPORT = re.compile(r'(?:from|import) "(@[^/"]+/[^/"]+|[^./"][^/"]*)')


def read_lock() -> dict[str, Any]:
    packages: dict[str, Any] = json.loads((WEB / "package-lock.json").read_text())["packages"]
    return packages


def packages_of(application: str) -> set[str]:
    """Return what an application's script holds: what it imports, and what that rests on."""
    lock = read_lock()
    sources = [
        path
        for folder in (application, "kit")
        for path in (WEB / folder).rglob("*.ts*")
        if "tests" not in path.parts and "config" not in path.name
    ]
    found: set[str] = set()
    waiting = {name for path in sources for name in IMPORT.findall(path.read_text())}
    while waiting:
        name = waiting.pop()
        found.add(name)
        entry = lock[f"node_modules/{name}"]
        waiting |= set(entry.get("dependencies", {})) - found
    return found


@pytest.mark.parametrize("application", ["console", "driver"])
def test_every_package_in_a_script_is_named_with_its_version(application: str) -> None:
    lock = read_lock()
    built = ROOT / f"src/roundsman/{application}/built"
    notices = (built / "NOTICES.txt").read_text(encoding="utf-8")
    shipped = packages_of(application)
    assert "preact" in shipped
    named = dict(re.findall(r"^== (\S+) (\S+) ==$", notices, re.MULTILINE))
    assert named == {name: lock[f"node_modules/{name}"]["version"] for name in shipped}


def test_the_lock_names_no_registry() -> None:
    for name, entry in read_lock().items():
        told = {key: value for key, value in entry.items() if key != "funding"}
        assert "resolved" not in told, name
        assert "http" not in json.dumps(told), name
