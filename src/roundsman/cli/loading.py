"""Commands that are loaded when they are called.

Every command needs other libraries, and all of them together take longer to import than most
commands take to run.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

from roundsman.cli.help_text import ReadableCommand, ReadableGroup, make_readable
from roundsman.cli.interrupts import leaving_at_once
from roundsman.kit.loading import load


class _Commands(Mapping[str, Any]):
    """Commands by name, each made of a function or a `Typer` when it is first asked for."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            self._loaded[name] = _load(name, self._places[name])
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def group_of(places: Mapping[str, str]) -> type[TyperGroup]:
    """Return a group of the commands that stand at these places, written `module:name`."""

    class Group(ReadableGroup):
        """Has its commands loaded."""

        def __init__(self, **options: Any) -> None:
            super().__init__(**{**options, "commands": None})
            self.commands: Any = _Commands(places)

    return Group


def _load(name: str, place: str) -> Any:
    with leaving_at_once():
        found = load(place)
    holder = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode=None)
    if isinstance(found, typer.Typer):
        make_readable(found)
        holder.add_typer(found, name=name, cls=ReadableGroup)
    else:
        holder.command(name, cls=ReadableCommand)(found)
    return get_group(holder).commands[name]
