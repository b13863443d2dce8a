"""Reads vector tiles back, by the specification and without the code under test."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

_VARINT, _BYTES = 0, 2
_MOVE, _DRAW = 1, 2


@dataclass
class Layer:
    """A layer of a tile."""

    name: str = ""
    version: int = 0
    extent: int = 0
    features: list[dict[str, Any]] = field(default_factory=list)


def decode(tile: bytes) -> dict[str, Layer]:
    layers = [_layer(content) for number, content in _fields(tile) if number == 3]
    return {layer.name: layer for layer in layers}


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def _fields(data: bytes) -> Iterator[tuple[int, Any]]:
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        if key & 7 == _VARINT:
            value, at = _varint(data, at)
            yield key >> 3, value
        else:
            assert key & 7 == _BYTES
            size, at = _varint(data, at)
            yield key >> 3, data[at : at + size]
            at += size


def _numbers(data: bytes) -> list[int]:
    at, found = 0, []
    while at < len(data):
        value, at = _varint(data, at)
        found.append(value)
    return found


def _layer(data: bytes) -> Layer:
    found: dict[int, list[Any]] = {}
    for number, content in _fields(data):
        found.setdefault(number, []).append(content)
    keys = [key.decode() for key in found.get(3, [])]
    values = [_value(value) for value in found.get(4, [])]
    layer = Layer(name=found[1][0].decode(), extent=found[5][0], version=found[15][0])
    for one in (dict(_fields(feature)) for feature in found.get(2, [])):
        tags = _numbers(one.get(2, b""))
        named = {keys[k]: values[v] for k, v in zip(tags[::2], tags[1::2], strict=True)}
        layer.features.append({"kind": one[3], "tags": named, "commands": _numbers(one[4])})
    return layer


def _value(data: bytes) -> Any:
    ((number, content),) = _fields(data)
    return content.decode() if number == 1 else bool(content) if number == 7 else content


def paths(commands: list[int]) -> list[list[tuple[int, int]]]:
    """Return the lines, rings or points that commands draw."""
    found: list[list[tuple[int, int]]] = []
    x = y = at = 0
    while at < len(commands):
        command, count = commands[at] & 7, commands[at] >> 3
        at += 1
        if command not in (_MOVE, _DRAW):
            continue
        for _ in range(count):
            x += (commands[at] >> 1) ^ -(commands[at] & 1)
            y += (commands[at + 1] >> 1) ^ -(commands[at + 1] & 1)
            at += 2
            if command == _MOVE:
                found.append([])
            found[-1].append((x, y))
    return found
