from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.webhooks.receiver import Receiver
from tests.workers.world import World, make_world
from tests.world import CountingIds, FixedClock

from roundsman.storage.database import Database


@pytest.fixture
def world(database: Database, clock: FixedClock, ids: CountingIds, tmp_path: Path) -> World:
    return make_world(database, clock, ids, tmp_path)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver().listening() as listening:
        yield listening
