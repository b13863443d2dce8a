"""The tutorial and the how-to pages, typed block by block against a real service.

One reader reads them all: the tutorial first, as the how-to pages expect, then page after page in
the same terminal. Starting a service for each page would take longer than all the rest.
"""

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from tests.docs.pages import DOCS, Block, blocks_of
from tests.docs.reading import Reader

ALLOWED = {"ROUNDSMAN_WEBHOOK_ALLOW": "127.0.0.0/8"}
MOVES = "move-to-postgresql.md"
TUTORIAL = blocks_of(DOCS / "tutorial.md")


def is_typed(block: Block) -> bool:
    return block.language == "sh"


TYPED = [
    page.name
    for page in sorted((DOCS / "how-to").glob("*.md"))
    if page.name != MOVES and any(map(is_typed, blocks_of(page)))
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


@pytest.fixture
def empty_postgres(postgres_address: str) -> Iterator[str]:
    name = f"test_{uuid.uuid4().hex}"  # noqa: TID251 -- names a database of the test run's own
    with psycopg.connect(f"{postgres_address}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield f"{postgres_address}/{name}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_an_installation_moves_as_the_page_says(tmp_path: Path, empty_postgres: str) -> None:
    with taught(tmp_path, {**ALLOWED, "TARGET": empty_postgres}) as one:
        for block in blocks_of(DOCS / "how-to" / MOVES):
            one.do(block)
