"""The assistants' door in process, with two organizations."""

import pytest
from tests.api.conftest import World, inhabitants, world

from roundsman.endpoints.application import Application

__all__ = ["inhabitants", "world"]


@pytest.fixture
def door(world: World) -> Application:
    return world.client.interface
