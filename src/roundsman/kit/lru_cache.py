"""A cache of values by key, up to a size in bytes; what was asked for longest ago leaves first."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field


@dataclass(slots=True)
class LruCache[Value]:
    """Keeps the values that were asked for last; safe from any thread."""

    most_bytes: int
    _kept: OrderedDict[Hashable, tuple[Value, int]] = field(default_factory=OrderedDict)
    _size: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def find(self, key: Hashable) -> Value | None:
        """Return what is kept under a key, and keep it longer for having been asked for."""
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                return None
            self._kept.move_to_end(key)
            return found[0]

    def keep(self, key: Hashable, value: Value, size: int) -> None:
        """Keep a value of so many bytes in place of what was kept under this key."""
        with self._lock:
            _, before = self._kept.pop(key, (None, 0))
            self._kept[key] = (value, size)
            self._size += size - before
            while self._size > self.most_bytes:
                _, (_, freed) = self._kept.popitem(last=False)
                self._size -= freed
