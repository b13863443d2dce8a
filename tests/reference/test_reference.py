"""Registries are code, pages and tests at once: nothing is used unsaid, or said and not used."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.metrics import MetricWrapperBase
from scripts.reference import pages
from scripts.reference.commands_page import commands
from scripts.reference.pages import ROOT
from tests.docs.pages import DOCS, prose_pages

from roundsman.api.app import OPERATIONS
from roundsman.cli.assistant import VARIABLES
from roundsman.domain import errors
from roundsman.domain.topics import MEANINGS, Topic
from roundsman.endpoints.errors import STATUS_OF
from roundsman.endpoints.router import Found, PathTable
from roundsman.kit import metrics
from roundsman.kit.telemetry import LOG_EVENTS
from roundsman.members.app import API_PREFIX as MEMBERS_PREFIX
from roundsman.members.app import OPERATIONS as MEMBERS_OPERATIONS
from roundsman.monitoring.app import PATHS as MONITORING_PATHS
from roundsman.settings import CONFIG, PREFIX, Settings

SOURCES = sorted((ROOT / "src").rglob("*.py"))
PAGES = [path for path in prose_pages() if path.name not in {"benchmarks.md", "spec-coverage.md"}]
INTERFACE_PAGES = [
    path
    for path in PAGES
    if path.parent != DOCS or path.name in {"index.md", "tutorial.md", "glossary.md"}
]
"""Pages whose operations are the public interface's; other doors have pages of their own."""

DEPLOYED = sorted((ROOT / "deploy").iterdir())
LOG_METHODS = {"debug", "info", "warning", "error", "exception", "critical"}


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def source_but(*names: str) -> str:
    return "\n".join(text_of(path) for path in SOURCES if path.name not in names)


@pytest.mark.spec("decisions §11")
@pytest.mark.parametrize("path", sorted(pages.PAGES))
def test_what_is_made_from_the_code_is_current(path: str) -> None:
    assert text_of(ROOT / path) == pages.PAGES[path](), "run make describe"


def test_every_setting_that_is_named_anywhere_is_one() -> None:
    known = {f"{PREFIX}{setting.name.upper()}" for setting in fields(Settings)} | {CONFIG}
    known |= {*VARIABLES}
    for path in (*SOURCES, *PAGES, *DEPLOYED, ROOT / "CHANGELOG.md"):
        named = set(re.findall(rf"\b{PREFIX}[A-Z][A-Z_]*[A-Z]\b", text_of(path)))
        assert named <= known, relative(path)


def test_every_setting_is_asked_for() -> None:
    code = source_but("settings.py")
    for setting in fields(Settings):
        asked = re.search(rf"\bsettings\.{setting.name}\b", code)
        assert asked, setting.name


def test_every_topic_has_a_meaning() -> None:
    assert set(MEANINGS) == set(Topic)


def test_every_error_has_a_status_and_every_status_an_error_that_is_raised() -> None:
    kinds = {
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type)
        and issubclass(kind, errors.RoundsmanError)
        and kind is not errors.RoundsmanError
    }
    assert set(STATUS_OF) <= kinds
    for kind in kinds:
        assert any(parent in STATUS_OF for parent in kind.__mro__), kind
        assert re.search(rf"\b{kind.__name__}\(", source_but("errors.py")), kind


def test_every_metric_is_listed_and_counted() -> None:
    defined = {
        name: made for name, made in vars(metrics).items() if isinstance(made, MetricWrapperBase)
    }
    assert set(defined.values()) == set(metrics.ALL)
    for name in defined:
        assert re.search(rf"\b{name}\.", source_but("metrics.py")), name


def logged_events() -> Iterator[str]:
    for path in SOURCES:
        for node in ast.walk(ast.parse(text_of(path))):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id=("_log" | "log")), attr=attr),
                    args=[event, *_],
                ) if attr in LOG_METHODS:
                    assert isinstance(event, ast.Constant), f"{relative(path)}: name the event"
                    yield str(event.value)


def test_every_log_event_is_listed_and_logged() -> None:
    assert set(logged_events()) == set(LOG_EVENTS), "say it in kit.telemetry.LOG_EVENTS"


def test_every_command_and_option_says_what_it_is_for() -> None:
    for name, command in commands():
        assert command.help, name
        for parameter in command.params:
            assert parameter.help or getattr(parameter, "hidden", False), f"{name} {parameter.name}"


@cache
def known_commands() -> dict[str, Any]:
    """Return every command by its name, looked for once for all pages."""
    return dict(commands())


def typed_commands(text: str) -> Iterator[str]:
    """Yield what stands in code and begins with the command, continued lines joined."""
    joined = text.replace("\\\n", " ")
    begins = r"(?:^[#$]? *|/bin/|\(|&& *|exec roundsman +)roundsman +([a-z][^|;)]*)"
    for block in re.findall(r"^ *```[^\n]*\n(.*?)^ *```$", joined, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            yield from re.findall(begins, line)
    yield from re.findall(r"`roundsman +([a-z][^`]*)`", joined)


def find_command(words: list[str], known: dict[str, Any]) -> Any:
    for length in (3, 2, 1):
        if found := known.get(" ".join(["roundsman", *words[:length]])):
            return found
    return None


def test_commands_are_found_however_they_are_typed() -> None:
    typed = "A=$(roundsman driver invite \\\n  --name D | x)\n/bin/roundsman serve"
    text = f"`roundsman plan`\n```sh\n{typed}\n```\n"
    found = [" ".join(one.split()) for one in typed_commands(text)]
    assert found == ["driver invite --name D", "serve", "plan"]


def _groups_of(name: str) -> Iterator[str]:
    """Yield `webhook` and `webhook secret` of `roundsman webhook secret show`."""
    words = name.split()[1:-1]
    return (" ".join(words[: count + 1]) for count in range(len(words)))


@pytest.mark.parametrize("path", [*PAGES, *DEPLOYED], ids=relative)
def test_every_command_that_a_page_shows_exists_with_its_options(path: Path) -> None:
    known = known_commands()
    groups = {part for name in known for part in _groups_of(name)}
    text = text_of(path)
    for typed in typed_commands(text if path.suffix == ".md" else f"```\n{text}\n```"):
        words = typed.split()
        command = find_command(words, known)
        if command is None:
            assert typed in groups, typed
            continue
        options = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in words if re.fullmatch(r"--[a-z-]+", word)} <= options, typed


@pytest.mark.parametrize("path", INTERFACE_PAGES, ids=relative)
def test_every_operation_that_a_page_shows_exists(path: Path) -> None:
    known = PathTable(OPERATIONS)
    of_members = PathTable(MEMBERS_OPERATIONS)
    shown = re.findall(r"""\b(GET|POST|PUT|PATCH|DELETE) ["']?(/[\w/{}$-]+)""", text_of(path))
    for method, template in shown:
        if template in MONITORING_PATHS:
            continue
        below = template.removeprefix(MEMBERS_PREFIX)
        table = known if below == template else of_members
        assert isinstance(table.find(method, below), Found), template


FIELD_TERMS = (
    "Leg",
    "Travel duration",
    "Waiting duration",
    "Arrival",
    "Departure",
    "Schedule",
    "Time window",
    "Load",
    "Limit",
    "Violation",
    "Matrix, travel matrix",
    "Profile",
    "Speed factor",
    "Proof of delivery",
    "Service, service duration",
    "Encoded polyline",
    "Principal",
    "Submitted action",
)


@pytest.mark.spec("Idempotency")
def test_the_page_of_retries_names_every_change_that_heeds_no_key() -> None:
    page = (DOCS / "how-to" / "retry-safely.md").read_text(encoding="utf-8")
    section = page.partition("## What heeds no key")[2].partition("## ")[0]
    first_cells = "".join(line.split("|")[1] for line in section.splitlines() if "|" in line)
    named = set(re.findall(r"`([A-Z]+ /\S+)`", first_cells))
    heedless = [one for one in OPERATIONS if one.changes and not one.takes_idempotency_key]
    assert named == {f"{one.method} {one.path}" for one in heedless}


def test_the_glossary_defines_each_term_once() -> None:
    defined = re.findall(r"^(\w[^\n]*)\n:   ", text_of(DOCS / "glossary.md"), re.MULTILINE)
    assert len(defined) == len(set(defined))
    assert set(FIELD_TERMS) <= set(defined)
    assert defined == sorted(defined, key=str.lower)


def test_every_page_says_for_whom_it_is() -> None:
    for page in sorted((DOCS / "how-to").glob("*.md")) + sorted(
        (DOCS / "explanation").glob("*.md")
    ):
        assert re.search(r"^For (the|whoever|everyone)", text_of(page), re.MULTILINE), page.name


def test_no_behaviour_is_pinned_twice() -> None:
    rows = [
        line.removeprefix("| ").split(". ")[0]
        for line in (DOCS / "pinned-behaviour.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| ")
    ]
    assert [row for row, count in Counter(rows).items() if count > 1] == []
