"""Write whose work stands in the scripts of the web applications, with the terms.

Run it after a package of `web/` has changed: `python scripts/notices.py`. It needs `npm ci`.
"""

import json
import re
from pathlib import Path
from typing import Any

WEB = Path(__file__).parents[1] / "web"
_NAME = r"(@[^/\"]+/[^/\"?]+|[^./\"?][^/\"?]*)"
_IMPORT = re.compile(rf'(?:^import (?!type )[^"]*|url\()"{_NAME}', re.MULTILINE)
APPLICATIONS = {
    "console": "the console's script",
    "driver": "the script of the driver's app",
    "map": "the map's script, its worker and its fonts",
}
_INSIDE = {
    "zxing-wasm": "\n\nIts program zxing_reader.wasm is ZXing-C++, Apache License 2.0: the terms"
    " that come with Roundsman itself."
}
"""What a package holds of others, by its own word, without their terms beside it."""

_BUILD_TOOLS = (
    "Vite, Rolldown and TypeScript build it and leave nothing of their own in it but a few lines "
    "that load files (MIT; TypeScript Apache-2.0)."
)


def read_lock() -> dict[str, Any]:
    """Return the packages of the lock, by their folders."""
    text = (WEB / "package-lock.json").read_text(encoding="utf-8")
    packages: dict[str, Any] = json.loads(text)["packages"]
    return packages


def packages_of(application: str) -> dict[str, str]:
    """Return what an application's script holds, with versions: what it imports, and so on."""
    lock = read_lock()
    sources = [
        path
        for folder in (application, "kit")
        for path in (WEB / folder).rglob("*.*s*")
        if not {"tests", "public"} & set(path.parts) and "config" not in path.name
    ]
    found: set[str] = set()
    waiting = {name for path in sources for name in _IMPORT.findall(path.read_text())}
    while waiting:
        name = waiting.pop()
        found.add(name)
        needed = lock[f"node_modules/{name}"].get("dependencies", {})
        waiting |= {one for one in needed if not one.startswith("@types/")} - found
    return {name: str(lock[f"node_modules/{name}"]["version"]) for name in sorted(found)}


def write_notices(application: str) -> None:
    """Write the file that stands beside an application's script."""
    where = APPLICATIONS[application]
    head = f"Parts of other projects in {where}, and the terms under which they may be passed on."
    parts = [f"{head}\n{_BUILD_TOOLS}"]
    parts += [
        f"== {name} {version} ==\n\n{_terms_of(name)}"
        for name, version in packages_of(application).items()
    ]
    file = WEB / application / "public" / "NOTICES.txt"
    file.write_text("\n\n\n".join(parts) + "\n", encoding="utf-8")


def _terms_of(name: str) -> str:
    folder = WEB / "node_modules" / name
    for file in sorted(folder.iterdir()):
        if re.match(r"licen[sc]e", file.name, re.IGNORECASE):
            return file.read_text(encoding="utf-8").strip() + _INSIDE.get(name, "")
    described = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    author = described.get("author", "")
    by = author.get("name", "") if isinstance(author, dict) else author
    return f"{described['license']}{', ' + by if by else ''}"


if __name__ == "__main__":
    for application in APPLICATIONS:
        write_notices(application)
