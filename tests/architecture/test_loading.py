"""What is loaded by its name exists: no type checker follows a name in a string."""

import re
from pathlib import Path

import roundsman
from roundsman.kit.loading import load


def test_whatever_is_loaded_by_its_name_is_there() -> None:
    sources = [
        path.read_text(encoding="utf-8") for path in Path(roundsman.__file__).parent.rglob("*.py")
    ]
    constants = {
        name: value
        for source in sources
        for name, value in re.findall(r'^(\w+) = "(roundsman[\w.]+)"', source, re.MULTILINE)
    }
    named = [
        f"{constants[place.strip('{}')] if place.startswith('{') else place}:{name}"
        for source in sources
        for place, name in re.findall(r"""\bload\(\s*f?["']([\w.{}]+):(\w+)["']""", source)
    ]
    assert len(named) >= 8
    for one in named:
        assert callable(load(one)), one
