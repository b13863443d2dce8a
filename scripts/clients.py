"""Write what is generated of the clients in sdk/: types and a method for each operation.

From docs/openapi.json, without a network; a test holds that the files are current.
"""

import json
from pathlib import Path

from scripts.described_calls import Models, read_calls
from scripts.python_client import write_models, write_operations
from scripts.typescript_client import (
    TypeScriptModels,
    write_typescript,
    write_typescript_models,
)

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "docs" / "openapi.json"
PYTHON = ROOT / "sdk" / "python" / "src" / "roundsman_client"
TYPESCRIPT = ROOT / "sdk" / "typescript" / "src"


def written() -> dict[Path, str]:
    """Return every generated file's content."""
    description = json.loads(SOURCE.read_text(encoding="utf-8"))
    schemas = description["components"]["schemas"]
    models, typed = Models(schemas), TypeScriptModels(schemas)
    calls, typed_calls = read_calls(description, models), read_calls(description, typed)
    return {
        PYTHON / "models.py": write_models(models),
        PYTHON / "operations.py": write_operations(calls, is_async=False),
        PYTHON / "async_operations.py": write_operations(calls, is_async=True),
        TYPESCRIPT / "models.ts": write_typescript_models(typed),
        TYPESCRIPT / "operations.ts": write_typescript(typed, typed_calls),
    }


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, encoding="utf-8")
