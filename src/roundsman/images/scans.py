"""Counts the scans of a JPEG without decoding it.

A progressive picture is decoded once for each of its scans, and a scan of the whole picture takes
as little as a dozen bytes: a file of 100 kB can need minutes of work. Cameras and programs write
about ten scans.
"""

import re

MOST_SCANS = 100
"""Decisions §22, pictures."""

_START_OF_IMAGE = b"\xff\xd8"
_END_OF_IMAGE, _START_OF_SCAN = 0xD9, 0xDA
_ALONE = {0x01, *range(0xD0, 0xD9)}
"""Markers without a segment (ISO/IEC 10918-1, B.1.1.3)."""

_NEXT_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
"""In coded data 0xFF is followed by a zero or begins a restart marker."""


def count_scans(data: bytes) -> int:
    """Return how many scans a JPEG has; zero for anything else."""
    if not data.startswith(_START_OF_IMAGE):
        return 0
    scans, place = 0, len(_START_OF_IMAGE)
    while found := _NEXT_MARKER.search(data, place):
        marker, place = data[found.start() + 1], found.end()
        if marker == _END_OF_IMAGE:
            break
        if marker in _ALONE:
            continue
        scans += marker == _START_OF_SCAN
        place += max(2, int.from_bytes(data[place : place + 2]))
    return scans
