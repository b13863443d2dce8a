"""One shop over HTTP: JSON in and out, and what its answers mean for who asked."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

from roundsman.kit.http import HttpClient, HttpFailure, HttpResponse, OutgoingRequest
from roundsman.storefronts.port import Busy, Refused, StorefrontFailure, Unauthorized

type Json = Any

_LATER = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS)
_LONGEST_SENTENCE = 300


@dataclass(frozen=True, slots=True)
class ShopAnswer:
    """JSON, and the headers that came with it, their names in lower case."""

    value: Json
    headers: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class ShopClient:
    """One shop's interface: `root` is in front of every path, `headers` go with every request."""

    http: HttpClient
    root: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    def get(self, path: str, **query: str) -> ShopAnswer:
        """Return what a path answers."""
        return self.exchange(
            OutgoingRequest(url=self.root + path, query=query, headers=self.headers)
        )

    def find(self, path: str, **query: str) -> Json:
        """Return what a path answers; None where there is nothing (404)."""
        try:
            return self.get(path, **query).value
        except Missing:
            return None

    def send(self, path: str, body: Json, method: str = "POST") -> Json:
        """Return what a shop answers to a body."""
        request = OutgoingRequest(
            url=self.root + path, method=method, headers=self.headers, body=body
        )
        return self.exchange(request).value

    def exchange(self, request: OutgoingRequest) -> ShopAnswer:
        """Return a shop's answer; raise StorefrontFailure for what is none."""
        try:
            response = self.http.exchange(request)
        except HttpFailure as error:
            raise Busy("UNREACHABLE", str(error)) from error
        if not response.is_success():
            raise _failure(request.host(), response)
        if not response.body:
            return ShopAnswer(None, response.headers)
        try:
            return ShopAnswer(json.loads(response.body), response.headers)
        except ValueError as error:
            # A page of a proxy or of maintenance, with a status of success.
            raise Busy("NO_JSON", f"{request.host()} answered no JSON") from error


class Missing(Refused):
    """There is nothing at this path."""


def _failure(host: str, response: HttpResponse) -> StorefrontFailure:
    status = response.status
    code, said = _sentence_of(response)
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        remedy = "Check the credentials and what they are allowed, then resume the connection."
        return Unauthorized(code or str(status), said or f"{host} does not let us in", remedy)
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
    """Return the seconds of Retry-After, in either of its forms."""
    said = response.headers.get("retry-after", "").strip()
    if said.isdecimal():
        return float(said)
    try:
        until = parsedate_to_datetime(said)
        sent = parsedate_to_datetime(response.headers.get("date", ""))
        return max(0.0, (until - sent).total_seconds())
    except (ValueError, TypeError):
        return None
