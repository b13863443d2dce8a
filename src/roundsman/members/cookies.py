"""The cookie that keeps a member signed in (decisions §13)."""

from collections.abc import Mapping

from roundsman.domain.member_session import MEMBER_SESSION_LIFETIME
from roundsman.endpoints.access import (
    HttpRequest,
    cookie_name,
    cookie_of,
    session_cookie_name,
)

_LIFETIME_SECONDS = int(MEMBER_SESSION_LIFETIME.total_seconds())


def keep_session(http: HttpRequest, token: str) -> Mapping[str, str]:
    """Return the header that has a browser send the token, to this server and to no script."""
    return {"Set-Cookie": _cookie(http, session_cookie_name(http), token, _LIFETIME_SECONDS)}


def forget_session(http: HttpRequest) -> Mapping[str, str]:
    """Return the header that has a browser forget the token."""
    return {"Set-Cookie": _cookie(http, session_cookie_name(http), "", 0)}


def keep_attempt(http: HttpRequest, kept: str, seconds: int) -> Mapping[str, str]:
    """Return the header that has a browser keep what it needs when it is back from a provider.

    Another site sends it back, so it is not as strict as a session's, which signs nobody in.
    """
    return {"Set-Cookie": _cookie(http, _attempt_cookie_name(http), kept, seconds, "Lax")}


def find_attempt(http: HttpRequest) -> str:
    """Return what the browser kept while it was at the provider; empty without it."""
    return cookie_of(http, _attempt_cookie_name(http))


def _attempt_cookie_name(http: HttpRequest) -> str:
    return cookie_name("roundsman-oidc", is_https=http.is_https)


def _cookie(
    http: HttpRequest, name: str, value: str, lifetime_seconds: int, same_site: str = "Strict"
) -> str:
    parts = [
        f"{name}={value}",
        "Path=/",
        f"Max-Age={lifetime_seconds}",
        "HttpOnly",
        f"SameSite={same_site}",
    ]
    if http.is_https:
        parts.append("Secure")
    return "; ".join(parts)
