"""Whose work stands in the scripts of the web applications is said beside them, with the terms."""

import json
import re
from pathlib import Path

import pytest
from scripts.notices import packages_of, read_lock

PACKAGE = Path(__file__).parents[2] / "src/roundsman"


@pytest.mark.parametrize(
    ("application", "room", "expected"),
    [
        ("console", "console", "preact"),
        ("driver", "driver", "signature_pad"),
        ("map", "visitors", "maplibre-gl"),
    ],
)
def test_every_package_in_a_script_is_named_with_its_version(
    application: str, room: str, expected: str
) -> None:
    notices = (PACKAGE / room / "built" / "NOTICES.txt").read_text(encoding="utf-8")
    shipped = packages_of(application)
    assert expected in shipped
    named = dict(re.findall(r"^== (\S+) (\S+) ==$", notices, re.MULTILINE))
    assert named == shipped


def test_the_lock_names_no_registry() -> None:
    for name, entry in read_lock().items():
        told = {key: value for key, value in entry.items() if key != "funding"}
        assert "resolved" not in told, name
        assert "http" not in json.dumps(told), name
