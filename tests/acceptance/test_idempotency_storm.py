import os
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2 as httpx
import pytest
from tests.fuzz.running import served

from roundsman.storage.database import Database

pytestmark = pytest.mark.both_databases

KEYS = int(os.environ.get("ROUNDSMAN_STORM_KEYS", "15"))
CALLERS = 20
START = {"start": {"coordinates": {"latitude": 39.29, "longitude": -76.61}}}


@pytest.mark.spec("decisions §4")
def test_each_key_has_one_effect_however_many_send_it_at_once(
    tmp_path: Path, database_url: str
) -> None:
    with served(tmp_path, database_url) as (address, token), httpx.Client(timeout=60) as http:

        def create(key: int) -> tuple[int, int, bytes]:
            headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": f"key-{key}"}
            response = http.post(f"{address}/routes", json=START, headers=headers)
            return key, response.status_code, response.content

        sent = [key for key in range(KEYS) for _ in range(CALLERS)]
        with ThreadPoolExecutor(CALLERS) as callers:
            answers = list(callers.map(create, sent))
    by_key: dict[int, set[bytes]] = defaultdict(set)
    for key, status, content in answers:
        assert status == 200, content
        by_key[key].add(content)
    assert {len(contents) for contents in by_key.values()} == {1}
    database = Database(database_url)
    with database.reading() as tx:
        for table in ("routes", "events"):
            count = tx.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()  # noqa: S608 -- a table's name
            assert count == KEYS
    database.close()
