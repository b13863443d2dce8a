"""The description and its readable pages, all served from here: no content network is asked."""

import html
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

_ASSETS = {
    "swagger-ui.css": "text/css",
    "swagger-ui-bundle.js": "text/javascript",
    "favicon-32x32.png": "image/png",
}
_INDEX = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" href="docs/favicon-32x32.png">
</head>
<body>
<div id="docs"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
"""
_START = """SwaggerUIBundle({
  url: "openapi.json", dom_id: "#docs", deepLinking: true, validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
"""


@dataclass(frozen=True, slots=True)
class Page:
    """A fixed answer."""

    body: bytes
    media_type: str


def documentation_pages(description: bytes) -> Mapping[str, Page]:
    """Return every page by its path below the base path."""
    assets = files("swagger_ui") / "static"
    pages = {
        f"/docs/{name}": Page((assets / name).read_bytes(), media_type)
        for name, media_type in _ASSETS.items()
    }
    index = _INDEX.format(title=html.escape("Roundsman interface 2024-07"))
    return {
        "/openapi.json": Page(description, "application/json"),
        "/docs": Page(index.encode(), "text/html"),
        "/docs/start.js": Page(_START.encode(), "text/javascript"),
        **pages,
    }
