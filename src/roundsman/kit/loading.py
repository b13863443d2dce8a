"""What few runs need, loaded when a run needs it; what all need but not yet, loaded meanwhile.

Imports stand at the top of a module, and everything a program imports it waits for. Where that is
long and mostly for nothing, or for later, a place is named instead, and loaded at its first use.
"""

from importlib import import_module
from typing import Any


def load(place: str) -> Any:
    """Return what stands at a place, written `module:name`."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)
