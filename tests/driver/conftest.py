"""The driver's door in process, on both databases."""

from collections.abc import Iterator

import pytest
from tests.api.conftest import World, world

from roundsman.doors.door import Door
from roundsman.doors.transport import Transport
from roundsman.driver.app import open_driver_door
from roundsman.kit.leaky_bucket import MemoryBuckets
from roundsman.visitors.app import open_visitors_door
from roundsman.visitors.start_pages import WaysIn

__all__ = ["world"]


@pytest.fixture
def door(world: World) -> Iterator[Door]:
    opened = open_driver_door(world.tools, MemoryBuckets(), Transport())
    yield opened
    opened.close()


@pytest.fixture
def visitors(world: World) -> Iterator[Door]:
    opened = open_visitors_door(
        world.tools,
        MemoryBuckets(),
        Transport(),
        ways_in=WaysIn(console="/console", interface="/docs"),
    )
    yield opened
    opened.close()
