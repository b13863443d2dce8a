"""The cookie that keeps a member signed in (decisions §13)."""

from collections.abc import Mapping

from roundsman.domain.member_session import MEMBER_SESSION_LIFETIME
from roundsman.endpoints.access import HttpRequest, cookie_name

_LIFETIME_SECONDS = int(MEMBER_SESSION_LIFETIME.total_seconds())


def keep_session(http: HttpRequest, token: str) -> Mapping[str, str]:
    """Return the header that has a browser send the token, to this server and to no script."""
    return _cookie(http, token, _LIFETIME_SECONDS)


def forget_session(http: HttpRequest) -> Mapping[str, str]:
    """Return the header that has a browser forget the token."""
    return _cookie(http, "", 0)


def _cookie(http: HttpRequest, value: str, lifetime_seconds: int) -> Mapping[str, str]:
    parts = [
        f"{cookie_name(is_https=http.is_https)}={value}",
        "Path=/",
        f"Max-Age={lifetime_seconds}",
        "HttpOnly",
        "SameSite=Strict",
    ]
    if http.is_https:
        parts.append("Secure")
    return {"Set-Cookie": "; ".join(parts)}
