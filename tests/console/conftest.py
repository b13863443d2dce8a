"""The planner's door in process, on both databases."""

from collections.abc import Iterator

import pytest
from tests.api.conftest import World, inhabitants, world
from tests.support.in_process import InProcessClient

from roundsman.app import make_application
from roundsman.settings import Settings

__all__ = ["inhabitants", "world"]


@pytest.fixture
def http(world: World) -> Iterator[InProcessClient]:
    """Whoever comes to the house with a browser."""
    front = make_application(Settings(), world.tools)
    yield InProcessClient(front, base_url="https://roundsman.test")
    front.close()
