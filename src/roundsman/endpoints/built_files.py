"""The built files of a web application, which stand in its package: `web/` makes them."""

import hashlib
from importlib.resources import files

MEDIA_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}
"""The kinds of files that a browser asks for; others that stand beside them are not served."""


class BuiltFiles:
    """The files of one application, read once."""

    def __init__(self, package: str) -> None:
        folder = files(package).joinpath("built")
        self._bytes = {
            entry.name: entry.read_bytes()
            for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
            if self.media_type_of(entry.name)
        }

    def names(self) -> tuple[str, ...]:
        """Return the names of all files."""
        return tuple(self._bytes)

    def read(self, name: str) -> bytes:
        """Return a file's bytes."""
        return self._bytes[name]

    def version(self) -> str:
        """Return a mark that changes with any file."""
        whole = hashlib.sha256()
        for name, content in self._bytes.items():
            whole.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
        return whole.hexdigest()[:16]

    @staticmethod
    def media_type_of(name: str) -> str:
        """Return what kind of file it is; "" for one that no browser asks for."""
        return MEDIA_TYPES.get(name[name.rfind(".") :], "")
