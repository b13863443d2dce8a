"""Write what is generated of the client for Python."""

from scripts.described_calls import Call, Models, snake

_HEADER = '''"""{doc}

Written by scripts/clients.py from the description of the interface; not by hand.
"""
'''


def write_models(models: Models) -> str:
    """Return models.py."""
    lines = [
        _HEADER.format(doc="What is sent and answered, as types of dictionaries."),
        "from typing import Any, Literal, NotRequired, TypedDict",
        *models.write(),
    ]
    return "\n".join(lines) + "\n"


def write_operations(calls: list[Call], *, is_async: bool) -> str:
    """Return operations.py, or the same for programs that await."""
    name = "AsyncOperations" if is_async else "Operations"
    iterator = "AsyncIterator" if is_async else "Iterator"
    lines = [
        _HEADER.format(doc="A method for each operation of the interface."),
        "from abc import ABC, abstractmethod",
        f"from collections.abc import {iterator}",
        "from typing import Any",
        "",
        "from roundsman_client.calls import Call",
        "from roundsman_client.models import *  # noqa: F403 -- all of them are named below",
        "",
        "",
        f"class {name}(ABC):",
        '    """What a client can ask; `_send` and `_walk` are the client\'s."""',
        "",
        "    @abstractmethod",
        f"    {'async ' if is_async else ''}def _send(self, call: Call) -> Any: ...",
        "",
        "    @abstractmethod",
        f"    def _walk(self, call: Call, rows: str) -> {iterator}[Any]: ...",
    ]
    for call in calls:
        lines += ["", *_write_method(call, is_async=is_async)]
        if call.rows:
            lines += ["", *_write_walk(call, iterator)]
    return "\n".join(lines) + "\n"


def _arguments(call: Call, *, is_walk: bool = False) -> list[str]:
    arguments = ["self", *(f"{snake(name)}: str" for name in call.path_names)]
    if call.body:
        arguments.append(f"body: {call.body}" + (" | None = None" if call.body_is_optional else ""))
    arguments.append("*")
    arguments += [
        f"{name}: {annotation} | None = None"
        for name, annotation in call.query_types.items()
        if not (is_walk and name == "cursor")
    ]
    if call.heeds_if_match:
        arguments.append("if_match: str | None = None")
    if call.takes_key:
        arguments.append("idempotency_key: str | None = None")
    return arguments if arguments[-1] != "*" else arguments[:-1]


def _write_method(call: Call, *, is_async: bool) -> list[str]:
    wait, define = ("await ", "async def") if is_async else ("", "def")
    return [
        f"    {define} {call.name}({', '.join(_arguments(call))}) -> {call.answer}:",
        f'        """{_say(call)}"""',
        f"        return {wait}self._send({_make(call)})  # type: ignore[no-any-return]",
    ]


def _write_walk(call: Call, iterator: str) -> list[str]:
    name, arguments = call.name.removeprefix("list_"), ", ".join(_arguments(call, is_walk=True))
    return [
        f"    def iterate_{name}({arguments}) -> {iterator}[{call.row}]:",
        f'        """Walk every page of: {call.summary[:1].lower()}{call.summary[1:]}."""',
        f'        return self._walk({_make(call, is_walk=True)}, "{call.rows}")',
    ]


def _say(call: Call) -> str:
    return f"{call.summary}.\n\n        {call.description}\n        "


def _make(call: Call, *, is_walk: bool = False) -> str:
    parts = [f'"{call.method}"', f'"{call.path}"']
    if call.path_names:
        named = ", ".join(f'"{name}": {snake(name)}' for name in call.path_names)
        parts.append(f"path={{{named}}}")
    queries = {
        name: sent for name, sent in call.queries.items() if not (is_walk and name == "cursor")
    }
    if queries:
        named = ", ".join(f'"{sent}": {name}' for name, sent in queries.items())
        parts.append(f"query={{{named}}}")
    if call.body:
        parts.append("body=body")
    if call.heeds_if_match:
        parts.append("if_match=if_match")
    if call.takes_key:
        parts += ["takes_key=True", "idempotency_key=idempotency_key"]
    if call.answer == "bytes":
        parts.append("answers_file=True")
    return f"Call({', '.join(parts)})"
