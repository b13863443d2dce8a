"""The one way to write a JSON value, as RFC 8785 says, so that equal values have equal hashes."""

import json
from collections.abc import Mapping, Sequence

type Plain = str | int | bool | Sequence[Plain] | Mapping[str, Plain]
"""What can be written without a question: fractions are written as text."""


def canonical_json(value: Plain) -> bytes:
    """Return the canonical form; raise ValueError for what has none here."""
    _require_plain(value)
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return text.encode()


def _require_plain(value: object) -> None:
    if isinstance(value, str | bool | int):
        return
    if isinstance(value, Mapping):
        if not all(isinstance(name, str) and name.isascii() for name in value):
            raise ValueError("names are ASCII: others are sorted differently elsewhere")
        for one in value.values():
            _require_plain(one)
    elif isinstance(value, list | tuple):
        for one in value:
            _require_plain(one)
    else:
        raise ValueError(f"{type(value).__name__} has no canonical form here")  # noqa: TRY004 -- a value, not a type of argument
