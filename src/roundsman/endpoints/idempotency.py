"""The Idempotency-Key header: its form, and what makes two requests the same."""

import hashlib
import json
import re
from collections.abc import Mapping

from roundsman.domain.errors import FieldViolation, InvalidArgument
from roundsman.operations.idempotency import Claim
from roundsman.operations.tools import Tools

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
_FORM = re.compile(r"[\x20-\x7e]{1,255}")


def claim_of(
    headers: Mapping[str, str], owner: str, request: tuple[str, str, object], tools: Tools
) -> Claim | None:
    """Return the claim that a request makes, or None when it has no key.

    Two requests are the same when method, path and the body's JSON value are.
    """
    key = headers.get(HEADER)
    if key is None:
        return None
    key = key.strip(" \t")  # around a header's value they are no part of it (RFC 9110)
    if not _FORM.fullmatch(key):
        description = "must be 1 to 255 printable ASCII characters"
        violation = FieldViolation(field=HEADER, description=description)
        raise InvalidArgument(f"{HEADER} {description}", [violation])
    canonical = json.dumps(request, sort_keys=True, separators=(",", ":"))
    return Claim(
        client_id=owner,
        key=key,
        fingerprint=hashlib.sha256(canonical.encode()).digest(),
        token=tools.ids.new_uuid(),
        holder=tools.presence,
    )
