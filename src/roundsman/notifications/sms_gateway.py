"""Requests to a gateway for text messages: the organization's own, filled in with one message.

What is put in fits where it stands: JSON in a body, unless its header says that it is a form, and
percent signs in an address.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from roundsman.domain.message import SmsGateway

_PLACEHOLDER = re.compile(r"\{(to|text|id)\}")
_FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, kw_only=True, slots=True)
class GatewayRequest:
    """What is sent to a gateway."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes


def make_request(gateway: SmsGateway, *, to: str, text: str, message_id: str) -> GatewayRequest:
    """Return the request that has a gateway send one text message."""
    values = {"to": to, "text": text, "id": message_id}
    headers = {name: _fill(value, values, _one_line) for name, value in gateway.headers.items()}
    given = {name.lower(): value for name, value in headers.items()}
    media_type = given.get("content-type", "application/json")
    if gateway.body and "content-type" not in given:
        headers["Content-Type"] = media_type
    if gateway.takes_key() and "idempotency-key" not in given:
        headers["Idempotency-Key"] = message_id
    escape = _percent if media_type.startswith(_FORM) else _json
    return GatewayRequest(
        method=gateway.method,
        url=_fill(gateway.url, values, _percent),
        headers=headers,
        body=_fill(gateway.body, values, escape).encode(),
    )


def _fill(template: str, values: Mapping[str, str], escape: Callable[[str], str]) -> str:
    """Fill in what stood in the template, and nothing that a message says."""
    return _PLACEHOLDER.sub(lambda found: escape(values[found[1]]), template)


def _json(value: str) -> str:
    return json.dumps(value)[1:-1]


def _percent(value: str) -> str:
    return quote(value, safe="")


def _one_line(value: str) -> str:
    return " ".join(value.split()).encode("ascii", "replace").decode()
