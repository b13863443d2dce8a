"""Which version of the software runs, as its package says."""

from functools import cache
from importlib.metadata import version


@cache
def software_version() -> str:
    """Return the version; it is kept, because finding it opens files."""
    return version("roundsman")
