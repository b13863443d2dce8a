"""What mkdocs is told in Python: patterns in its navigation stand for pages named nowhere else."""

from pathlib import Path
from typing import Any

type Navigation = list[Any]


def on_config(config: Any) -> Any:
    """Put the pages that patterns stand for in their places."""
    docs = Path(config["docs_dir"])
    named = {path for path in _leaves(config["nav"]) if "*" not in path}
    config["nav"] = _expanded(config["nav"], docs, named)
    return config


def _leaves(nav: Navigation) -> list[str]:
    found: list[str] = []
    for entry in nav:
        content = next(iter(entry.values())) if isinstance(entry, dict) else entry
        found.extend(_leaves(content) if isinstance(content, list) else [content])
    return found


def _expanded(nav: Navigation, docs: Path, named: set[str]) -> Navigation:
    expanded: Navigation = []
    for entry in nav:
        match entry:
            case dict():
                ((title, content),) = entry.items()
                inner = _expanded(content, docs, named) if isinstance(content, list) else content
                expanded.append({title: inner})
            case str() if "*" in entry:
                pages = sorted(path.relative_to(docs).as_posix() for path in docs.glob(entry))
                expanded.extend(page for page in pages if page not in named)
            case _:
                expanded.append(entry)
    return expanded
