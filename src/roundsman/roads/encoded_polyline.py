"""Google's encoded polyline format, in which engines and other programs send lines."""

from collections.abc import Iterable, Iterator

from roundsman.domain.address import Coordinates

_FIRST = 63
"""Added to each group of bits, so that it becomes a printable character."""
_MORE = 0x20
_BITS = 5


def decode_polyline(text: str, precision: int = 6) -> tuple[Coordinates, ...]:
    """Return the points of an encoded polyline; raise ValueError when it is cut short."""
    scale = 10**precision
    points = []
    latitude = longitude = 0
    steps = _numbers(text)
    for step in steps:
        latitude += step
        longitude += next(steps, 0)
        points.append(Coordinates(latitude=latitude / scale, longitude=longitude / scale))
    return tuple(points)


def encode_polyline(points: Iterable[Coordinates], precision: int = 5) -> str:
    """Return the encoded polyline through some points."""
    scale = 10**precision
    before = (0, 0)
    text = []
    for point in points:
        here = (round(point.latitude * scale), round(point.longitude * scale))
        text += [_encode(new - old) for new, old in zip(here, before, strict=True)]
        before = here
    return "".join(text)


def _encode(number: int) -> str:
    left = ~(number << 1) if number < 0 else number << 1
    groups = []
    while left >= _MORE:
        groups.append((left & (_MORE - 1)) | _MORE)
        left >>= _BITS
    return "".join(chr(group + _FIRST) for group in [*groups, left])


def _numbers(text: str) -> Iterator[int]:
    number = shift = 0
    for character in text:
        bits = ord(character) - _FIRST
        number |= (bits & (_MORE - 1)) << shift
        shift += _BITS
        if bits & _MORE:
            continue
        yield ~(number >> 1) if number & 1 else number >> 1
        number = shift = 0
    if shift:
        raise ValueError("a line ends in the middle of a number")
