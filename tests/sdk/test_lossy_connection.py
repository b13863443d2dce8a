"""The promise of keys through the client for Python: real sockets, threads, and losses."""

import random
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.fuzz.running import served_client
from tests.sdk.lossy_connection import lossy_connection

from roundsman.storage.database import Database
from roundsman_client import Answered, Roundsman

pytestmark = [pytest.mark.both_databases, pytest.mark.spec("decisions §4")]

CALLERS = 20
START: Any = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}


def no_pause(_seconds: float) -> None:
    """Try again at once: what is tried here is not the waiting."""


@pytest.mark.parametrize("keys", [15, pytest.param(500, marks=pytest.mark.full)])
def test_each_key_has_one_effect_over_a_connection_that_loses_one_in_ten(
    tmp_path: Path, database_url: str, keys: int
) -> None:
    seen: list[Answered] = []
    with (
        served_client(tmp_path, database_url) as service,
        lossy_connection(urlsplit(service.address).port or 0, seed=keys) as connection,
        Roundsman(
            f"http://127.0.0.1:{connection.server_port}",
            service.client_id,
            service.client_secret,
            tries=50,
            sleep=no_pause,
            on_answer=seen.append,
        ) as roundsman,
    ):

        def create(key: int) -> tuple[int, str]:
            made = roundsman.create_route({"start": START}, idempotency_key=f"key-{key}")
            return key, made["id"]

        sent = [key for key in range(keys) for _ in range(CALLERS)]
        random.Random(keys).shuffle(sent)  # noqa: S311 -- repeatable
        with ThreadPoolExecutor(CALLERS) as callers:
            made = list(callers.map(create, sent))
    by_key: dict[int, set[str]] = defaultdict(set)
    for key, route_id in made:
        by_key[key].add(route_id)
    assert {len(ids) for ids in by_key.values()} == {1}
    assert len(set.union(*by_key.values())) == keys
    # One in ten of each, less what chance takes off.
    assert connection.lost_requests > len(sent) / 20
    assert connection.lost_answers > len(sent) / 20
    assert sum(not one.was_replayed for one in seen if one.status == 200) <= keys
    database = Database(database_url)
    with database.reading() as tx:
        for table in ("routes", "events"):
            count = tx.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()  # noqa: S608 -- a table's name
            assert count == keys
    database.close()
