"""One shop over HTTP: JSON in and out, and what its answers mean for who asked."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

from roundsman.kit.http import HttpClient, HttpFailure, HttpResponse, OutgoingRequest
from roundsman.kit.retry_after import read_http_date, read_retry_after
from roundsman.storefronts.port import (
    ADDRESS,
    Busy,
    CheckResult,
    Refused,
    StorefrontFailure,
    Unauthorized,
)

type Json = Any

_LATER = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS)
_LONGEST_SENTENCE = 300
_NOT_LET_IN = (
    "Check the credentials and what they are allowed: give the connection others, "
    "or resume it where these were put right in the shop."
)
_CHECK_THE_ADDRESS = (
    "Check the address: no shop of this platform answers there. It may lack a path, or the shop's "
    "interface may be switched off."
)
_PASSES = {"THROTTLED", "INTERNAL_SERVER_ERROR"}
"""Codes of GraphQL errors that the same document may not meet later."""

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_ANY_TIME = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True, slots=True)
class ShopClient:
    """One shop's interface: `root` is in front of every path, `headers` go with every request."""

    http: HttpClient
    root: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    def get(self, path: str, **query: str) -> Json:
        """Return the object that a path answers."""
        return self._fetch(path, dict, query)

    def get_list(self, path: str, **query: str) -> list[Json]:
        """Return the list that a path answers."""
        found: list[Json] = self._fetch(path, list, query)
        return found

    def find(self, path: str, **query: str) -> Json | None:
        """Return the object that a path answers; None where there is nothing (404)."""
        try:
            return self.get(path, **query)
        except Missing:
            return None

    def find_list(self, path: str) -> list[Json] | None:
        """Return the list that a path answers; None where there is no such path (404)."""
        try:
            return self.get_list(path)
        except Missing:
            return None

    def fetch_options(self, path: str) -> Json:
        """Return how a path describes itself."""
        return self._fetch(path, dict, {}, "OPTIONS")

    def send(self, path: str, body: Json, method: str = "POST") -> Json:
        """Return the object that a shop answers to a body; an empty one for nothing."""
        request = OutgoingRequest(
            url=self.root + path, method=method, headers=self.headers, body=body
        )
        answer = self.exchange(request)
        return _require_shape(request, {} if answer is None else answer, dict)

    def _fetch(self, path: str, shape: type, query: Mapping[str, str], method: str = "GET") -> Json:
        request = OutgoingRequest(
            url=self.root + path, method=method, query=query, headers=self.headers
        )
        return _require_shape(request, self.exchange(request), shape)

    def exchange(self, request: OutgoingRequest) -> Json:
        """Return the JSON of a shop's answer; raise StorefrontFailure for what is none."""
        try:
            response = self.http.exchange(request)
        except HttpFailure as error:
            raise Busy("UNREACHABLE", str(error)) from error
        if not response.is_success():
            raise _failure(request.host(), response)
        if not response.body:
            return None
        try:
            return _storable(json.loads(response.body))
        except ValueError as error:
            # A page of a proxy or of maintenance, with a status of success.
            raise NotUnderstood("NO_JSON", f"{request.host()} answered no JSON") from error

    def query(self, document: str, variables: Json, remedies: Mapping[str, str]) -> Json:
        """Return the data that a GraphQL document asks for.

        Its errors come with a status of success. `remedies` says by their codes which of them mean
        that a permission is missing, and what helps.
        """
        said = self.send("", {"query": document, "variables": variables})
        errors = said.get("errors")
        if not errors:
            data = said.get("data")
            if not isinstance(data, dict):
                message = "the shop answered something else than was asked for"
                raise NotUnderstood("NO_JSON", message)
            return data
        first: Json = errors[0] if isinstance(errors, list) else {"message": str(errors)}
        code = str((first.get("extensions") or {}).get("code", "GRAPHQL"))
        message = str(first.get("message", ""))[:_LONGEST_SENTENCE]
        if code in remedies:
            raise Unauthorized(code, message, remedies[code])
        if code in _PASSES:
            raise Busy(code, message, _wait_for_points(said))
        raise Refused(code, message)


def _storable(value: Json) -> Json:
    """Return JSON with a space for each character that cannot be stored.

    Shops cut texts within an emoji, and a NUL is a character to some. PostgreSQL stores none, and
    half a character is none in UTF-8: one such order would keep all of its shop away.
    """
    if isinstance(value, str):
        return _UNSTORABLE.sub(" ", value)
    if isinstance(value, list):
        return [_storable(one) for one in value]
    if isinstance(value, dict):
        return {_storable(name): _storable(one) for name, one in value.items()}
    return value


def _require_shape(request: OutgoingRequest, answer: Json, shape: type) -> Json:
    """Return an answer of the right shape; a page of maintenance may be JSON, too."""
    if not isinstance(answer, shape):
        message = f"{request.host()} answered something else than was asked for"
        raise NotUnderstood("NO_JSON", message)
    return answer


class Missing(Refused):
    """There is nothing at this path."""


class NotUnderstood(Busy):
    """What answered is no JSON, or JSON of another shape than the platform documents."""


def _failure(host: str, response: HttpResponse) -> StorefrontFailure:
    status = response.status
    code, said = _sentence_of(response)
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return Unauthorized(code or str(status), said or f"{host} does not let us in", _NOT_LET_IN)
    if status in _LATER or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Busy(code or str(status), said or f"{host} answered {status}", _wait_of(response))
    if status == HTTPStatus.NOT_FOUND:
        return Missing(code or str(status), said or f"{host} has nothing there")
    return Refused(code or str(status), said or f"{host} answered {status}")


def _sentence_of(response: HttpResponse) -> tuple[str, str]:
    """Return the code and the sentence of an error, as REST interfaces of shops write them."""
    try:
        said = json.loads(response.body)
    except ValueError:
        return "", ""
    if not isinstance(said, dict):
        return "", ""
    code = said.get("code") or said.get("type") or ""
    sentence = said.get("message") or ""
    return str(code)[:100], str(sentence)[:_LONGEST_SENTENCE]


def _wait_of(response: HttpResponse) -> float | None:
    """Return the seconds of Retry-After; a date counts from the shop's own clock."""
    text = response.headers.get("retry-after", "")
    # Without the shop's own date its seconds are read all the same: those need no clock.
    sent = read_http_date(response.headers.get("date", "")) or read_http_date(text) or _ANY_TIME
    wait = read_retry_after(text, sent)
    return None if wait is None else wait.total_seconds()


def _wait_for_points(said: Json) -> float | None:
    """Return how long until the bucket of Shopify's points holds what the query costs."""
    cost = (said.get("extensions") or {}).get("cost") or {}
    bucket = cost.get("throttleStatus") or {}
    if not bucket.get("restoreRate"):
        return None
    wanted, there = cost.get("requestedQueryCost") or 0, bucket.get("currentlyAvailable") or 0
    return max(1.0, float(wanted - there) / float(bucket["restoreRate"]))


def find_credentials_good() -> CheckResult:
    """Return what a check finds where orders can be read."""
    return CheckResult(subject="credentials", is_good=True, message="orders can be read")


def find_refused(failure: StorefrontFailure) -> CheckResult:
    """Return what a check finds where no order can be read, and what helps.

    Raise Busy for a shop that is away: nothing is known of the credentials then. Where nothing
    answers as the platform does, other credentials would find nothing, either.
    """
    if isinstance(failure, Missing | NotUnderstood):
        return CheckResult(
            subject=ADDRESS, is_good=False, message=str(failure), remedy=_CHECK_THE_ADDRESS
        )
    if isinstance(failure, Busy):
        raise failure
    return CheckResult(
        subject="credentials", is_good=False, message=str(failure), remedy=failure.remedy
    )
