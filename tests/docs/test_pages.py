"""The tutorial and the how-to pages, typed block by block against a real service.

One reader reads them all: the tutorial first, as the how-to pages expect, then page after page in
the same terminal. Starting a service for each page would take longer than all the rest.
"""

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from tests.docs.pages import DOCS, Block, blocks_of
from tests.docs.reading import Reader
from tests.docs.shell import shell
from tests.postgres import find_binaries

ALLOWED = {"ROUNDSMAN_WEBHOOK_ALLOW": "127.0.0.0/8"}
EXAMPLE = "postgresql://roundsman@db.internal"
MOVES = "move-to-postgresql.md"
WEBHOOKS = "receive-webhooks.md"
"""Starts a service of its own: another one may not send to this machine."""

TUTORIAL = blocks_of(DOCS / "tutorial.md")


def is_typed(block: Block) -> bool:
    return block.language == "sh"


TYPED = [
    page.name
    for page in sorted((DOCS / "how-to").glob("*.md"))
    if page.name not in {MOVES, WEBHOOKS} and any(map(is_typed, blocks_of(page)))
]


@contextmanager
def taught(folder: Path, environment: Mapping[str, str]) -> Iterator[Reader]:
    with Reader(folder, environment) as reader:
        for block in TUTORIAL:
            reader.do(block)
        yield reader


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    with taught(tmp_path_factory.mktemp("reader"), ALLOWED) as one:
        yield one


def test_every_block_of_the_tutorial_does_what_the_page_says(reader: Reader) -> None:
    assert {block.language for block in TUTORIAL} == {"sh", "json", "text"}
    assert reader.typed == sum(map(is_typed, TUTORIAL))


@pytest.mark.parametrize("page", TYPED)
def test_what_a_page_says_is_what_happens(page: str, reader: Reader) -> None:
    for block in blocks_of(DOCS / "how-to" / page):
        reader.do(block)


def test_the_page_of_webhooks_works_from_its_first_line_on(tmp_path: Path) -> None:
    with Reader(tmp_path, {}) as reader:
        for block in blocks_of(DOCS / "how-to" / WEBHOOKS):
            reader.do(block)


@pytest.mark.full
def test_a_dump_of_postgresql_is_restored_as_the_page_says(
    tmp_path: Path, new_postgres_url: str
) -> None:
    binaries = find_binaries()
    assert binaries is not None
    dump, make, restore = (
        command.removeprefix("$ ")
        for block in blocks_of(DOCS / "how-to" / "back-up-and-restore.md")
        if "pg_dump" in block.text
        for command in block.text.splitlines()
    )
    assert make.startswith("createdb ")
    server, _, name = new_postgres_url.rpartition("/")
    restored = f"{name}_restored"
    environment = {
        "PATH": f"{binaries}:{os.environ['PATH']}",
        "ROUNDSMAN_DATABASE_URL": new_postgres_url,
    }
    roundsman = f"{sys.executable} -m roundsman"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        with shell(tmp_path, environment) as terminal:
            made = json.loads(terminal.run(f"{roundsman} organization create Acme --json"))
            terminal.run(dump.replace(f"{EXAMPLE}/roundsman", new_postgres_url))
            connection.execute(f"CREATE DATABASE {restored}")
            terminal.run(restore.replace(f"{EXAMPLE}/roundsman_restored", f"{server}/{restored}"))
            slug, address = made["organization"], f"ROUNDSMAN_DATABASE_URL={server}/{restored}"
            add = f"vehicle add --organization {slug} --name Van --json"
            assert json.loads(terminal.run(f"{address} {roundsman} {add}"))["name"] == "Van"
        connection.execute(f"DROP DATABASE {restored} WITH (FORCE)")


@pytest.mark.full
def test_an_installation_moves_as_the_page_says(tmp_path: Path, new_postgres_url: str) -> None:
    with taught(tmp_path, {**ALLOWED, "TARGET": new_postgres_url}) as one:
        for block in blocks_of(DOCS / "how-to" / MOVES):
            one.do(block)
