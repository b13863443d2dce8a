"""Streets at the door, in process."""

from tests.api.conftest import inhabitants, world

__all__ = ["inhabitants", "world"]
