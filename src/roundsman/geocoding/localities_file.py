"""Stores the arrays of `localities` in one file, which is mapped into memory instead of read.

The file is a cache in the user's own folder, and its header is checked: a file that is missing, cut
short, of another version or of another program is built again. It is written under a temporary name
and renamed, so that readers see a whole file or none. Where the folder cannot be written, the
arrays stay in memory.
"""

import contextlib
import mmap
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import numpy as np

from roundsman.geocoding.localities import Arrays

_MAGIC = b"roundsman-localities-1\n"
_END = b"end\n"
_ALIGNMENT = 64


class _FilePart(msgspec.Struct):
    dtype: str
    start: int
    bytes: int


def user_cache_folder(environment: Mapping[str, str]) -> Path | None:
    """Return where this user's caches belong, or None when the environment names no home."""
    if given := environment.get("XDG_CACHE_HOME"):
        return Path(given) / "roundsman"
    if home := environment.get("HOME"):
        return Path(home) / ".cache" / "roundsman"
    return None


def load_or_build(path: Path | None, build: Callable[[], Arrays]) -> Arrays:
    """Return the arrays stored at `path`; else build them, and store them if possible."""
    if path is None:
        return build()
    with contextlib.suppress(OSError, ValueError, TypeError, msgspec.MsgspecError):
        return _load(path)
    arrays = build()
    with contextlib.suppress(OSError):
        _save(path, arrays)
    return arrays


def _load(path: Path) -> Arrays:
    with path.open("rb") as file:
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if content[: len(_MAGIC)] != _MAGIC:
        raise ValueError("not a file of localities")
    after_header = content.find(b"\n", len(_MAGIC))
    parts = msgspec.json.decode(content[len(_MAGIC) : after_header], type=dict[str, _FilePart])
    return {name: _part(content, part) for name, part in parts.items()}


def _part(content: mmap.mmap, part: _FilePart) -> np.ndarray:
    dtype = np.dtype(part.dtype)
    return np.frombuffer(content, dtype, count=part.bytes // dtype.itemsize, offset=part.start)


def _save(path: Path, arrays: Arrays) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, written = tempfile.mkstemp(prefix=path.name, dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(_header(arrays))
            for array in arrays.values():
                file.seek(_aligned(file.tell()))
                file.write(array.tobytes())
            file.seek(_aligned(file.tell()))
            file.write(_END)
            file.flush()
            os.fsync(file.fileno())
        Path(written).replace(path)
    except OSError:
        Path(written).unlink(missing_ok=True)
        raise


def _header(arrays: Arrays) -> bytes:
    """Return the header, padded so that the starts of the parts do not depend on its length."""
    room = _aligned(len(_MAGIC) + 128 * (len(arrays) + 1))
    parts: dict[str, _FilePart] = {}
    start = room
    for name, array in arrays.items():
        parts[name] = _FilePart(dtype=array.dtype.str, start=start, bytes=array.nbytes)
        start = _aligned(start + array.nbytes)
    return (_MAGIC + msgspec.json.encode(parts)).ljust(room - 1) + b"\n"


def _aligned(position: int) -> int:
    return -(-position // _ALIGNMENT) * _ALIGNMENT
