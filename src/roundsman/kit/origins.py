"""Where a URL leads to, whatever its path: a secret given for one place is for no other."""

from urllib.parse import urlsplit

_PORTS = {"http": 80, "https": 443}


def origin_of(url: str) -> tuple[str, str, int | None]:
    """Return scheme, host and port of a URL (RFC 6454); raise ValueError where its port is none."""
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port or _PORTS.get(parts.scheme)
