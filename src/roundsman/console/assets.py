"""The built files of the console, which stand in the package: `web/` makes them, no start does."""

from importlib.resources import files

MEDIA_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}


def list_assets() -> list[str]:
    """Return the names of all files."""
    names = (entry.name for entry in files("roundsman.console").joinpath("built").iterdir())
    return sorted(name for name in names if media_type_of(name))


def media_type_of(name: str) -> str:
    """Return what kind of file it is; "" for one that is none of the console's."""
    return MEDIA_TYPES.get(name[name.rfind(".") :], "")


def read_asset(name: str) -> str:
    """Return a file's text."""
    return files("roundsman.console").joinpath("built", name).read_text(encoding="utf-8")
