"""The driver's door in process, on both databases."""

import pytest
from tests.api.conftest import World, world

from roundsman.endpoints.application import Application

__all__ = ["world"]


@pytest.fixture
def door(world: World) -> Application:
    return world.client.interface


@pytest.fixture
def visitors(world: World) -> Application:
    return world.client.interface
