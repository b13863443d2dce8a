"""What can go wrong, by the code of the answer."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

_INDEX = re.compile(r"(?<![\w\]])\[(\d+)\](?=\.|$| has the same)")
"""Of a row of a request, in the name of a field or in words about it; not of a list in a row."""

_WITH_INDICES = ("field", "description")


class RoundsmanError(Exception):
    """Anything that this package raises."""

    idempotency_key: str | None = None
    """The key that a change was sent with: sent again with it, it still has one effect."""


class ConnectionFailed(RoundsmanError):
    """The service could not be reached, or its answer was lost, however often it was tried."""

    def __init__(self, message: str, *, was_never_sent: bool = False) -> None:
        super().__init__(message)
        self.was_never_sent = was_never_sent


class WebhookRefused(RoundsmanError):
    """A webhook that is not from the service, or is too old."""


class ApiError(RoundsmanError):
    """The service refused: `code` says how, `message` why, in words.

    `violations` name fields, or what stands in the way; `changes` are what would help, where the
    service knows.
    """

    def __init__(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        self.status = status
        self.code = int(body.get("code", 0))
        self.message = str(body.get("message") or f"the service answered {status}")
        self.details: list[dict[str, Any]] = list(body.get("details", []))
        self.request_id = headers.get("x-request-id", "")
        self.retry_after = _seconds_until(headers.get("retry-after", ""), headers.get("date", ""))
        """After how many seconds to try again, where the service says so."""
        super().__init__(self.message)

    @property
    def violations(self) -> list[dict[str, Any]]:
        """Return what is wrong: `field`, or `type` and `subject`, each with a `description`."""
        return [
            violation
            for detail in self.details
            for violation in (*detail.get("fieldViolations", ()), *detail.get("violations", ()))
        ]

    @property
    def changes(self) -> list[dict[str, Any]]:
        """Return the smallest changes that would help."""
        return [change for detail in self.details for change in detail.get("changes", ())]


class InvalidArgument(ApiError):
    """Something that was sent is wrong; `violations` name the fields."""

    def count_from(self, first: int) -> None:
        """Have indices of a piece, which begins at `first`, be those of the whole list."""

        def whole(text: str) -> str:
            return _INDEX.sub(lambda found: f"[{int(found[1]) + first}]", text)

        self.message = whole(self.message)
        self.args = (self.message,)
        for violation in self.violations:
            violation.update({name: whole(str(violation[name])) for name in _WITH_INDICES})


class NotFound(ApiError):
    """There is no such object."""


class PermissionDenied(ApiError):
    """The credentials are wrong, or lack the scope."""


class ResourceExhausted(ApiError):
    """Too often, or too much; retries did not help."""


class FailedPrecondition(ApiError):
    """Not as things are; `violations` say what stands in the way."""


class ChangedMeanwhile(FailedPrecondition):
    """What is changed has another version than `if_match` named."""


class Aborted(ApiError):
    """The same thing was being changed at the same time; retries did not help."""


class Unavailable(ApiError):
    """Something that the service needs is away; nothing was changed."""


class Unauthenticated(ApiError):
    """The token is not taken, nor is a new one."""


_BY_CODE: Mapping[int, type[ApiError]] = {
    3: InvalidArgument,
    5: NotFound,
    7: PermissionDenied,
    8: ResourceExhausted,
    9: FailedPrecondition,
    10: Aborted,
    14: Unavailable,
    16: Unauthenticated,
}


def error_of(status: int, headers: Mapping[str, str], content: bytes) -> ApiError:
    """Return the error that an answer is; also of a proxy, which answers what it likes."""
    try:
        body = json.loads(content)
    except ValueError:
        body = {}
    if not isinstance(body, dict):
        body = {}
    if "error" in body and "code" not in body:  # OAuth 2.0's form (RFC 6749, section 5.2)
        body = {"code": 7, "message": str(body.get("error_description") or body["error"])}
    kind = ChangedMeanwhile if status == 412 else _BY_CODE.get(_code(body), ApiError)
    return kind(status, {**body, "code": _code(body)}, headers)


def _seconds_until(said: str, answered: str) -> float | None:
    """Return the seconds of a Retry-After (RFC 9110, section 10.2.3): a number, or a date."""
    if said.isascii() and said.isdigit():
        return float(said[:9])
    try:
        then = parsedate_to_datetime(said)
        now = parsedate_to_datetime(answered) if answered else datetime.now(UTC)
        return max((then - now).total_seconds(), 0.0)
    except (ValueError, TypeError):  # no date, or only one of the two names its zone
        return None


def _code(body: Mapping[str, Any]) -> int:
    code = body.get("code")
    return code if isinstance(code, int) else 0
