"""What was made a moment ago and may be asked for again: bytes by key, the oldest forgotten."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field


@dataclass(slots=True)
class RecentBytes[State]:
    """Keeps rendered answers with the state that they were rendered from, up to a size in bytes."""

    most_bytes: int
    _kept: OrderedDict[Hashable, tuple[State, bytes]] = field(default_factory=OrderedDict)
    _size: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def find(self, key: Hashable) -> tuple[State, bytes] | None:
        """Return what is kept under a key, and keep it longer for having been asked for."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def keep(self, key: Hashable, state: State, rendered: bytes) -> None:
        """Keep bytes in place of what was kept under this key."""
        with self._lock:
            _, before = self._kept.pop(key, (None, b""))
            self._kept[key] = (state, rendered)
            self._size += len(rendered) - len(before)
            while self._size > self.most_bytes:
                _, (_, oldest) = self._kept.popitem(last=False)
                self._size -= len(oldest)
