"""Whose work stands in the console's script is said beside it, with the terms."""

import json
from pathlib import Path

WEB = Path(__file__).parents[2] / "web"
BUILT = Path(__file__).parents[2] / "src/roundsman/console/built"


def test_every_package_in_the_script_is_named_with_its_version() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    shipped = {
        path.removeprefix("node_modules/"): entry["version"]
        for path, entry in lock.items()
        if path and not entry.get("dev") and not entry.get("peer")
    }
    notices = (BUILT / "NOTICES.txt").read_text(encoding="utf-8")
    assert shipped
    assert [one for one in shipped.items() if f"== {one[0]} {one[1]} ==" not in notices] == []
    assert notices.count("Permission is hereby granted") == len(shipped)


def test_the_lock_names_no_registry() -> None:
    text = (WEB / "package-lock.json").read_text(encoding="utf-8")
    assert "resolved" not in text
    assert "http" not in text.replace('"url": "https://', "")
