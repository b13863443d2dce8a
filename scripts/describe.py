"""Write the interface description to docs/openapi.json, indented for reading and for diffs."""

import json
from pathlib import Path

from roundsman.api.app import describe

TARGET = Path(__file__).parent.parent / "docs" / "openapi.json"


def written() -> str:
    """Return the file's content."""
    return json.dumps(json.loads(describe()), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    TARGET.write_text(written(), encoding="utf-8")
