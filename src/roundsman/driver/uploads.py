"""Uploads at the door: `Content-Range` says which part of the file a request brings."""

import re

from starlette.responses import Response

from roundsman.domain.errors import FieldViolation, InvalidArgument
from roundsman.doors.door import Arrival
from roundsman.driver.answering import answer
from roundsman.operations import uploads
from roundsman.operations.driver_request import DriverRequest
from roundsman.operations.uploads import MOST_BYTES, UploadPart
from roundsman.operations.work import Tools
from roundsman.storage.attachments import StoredUpload
from roundsman.wire.driver.answers import UploadAnswer

HASH = "X-Content-SHA256"
RANGE = "Content-Range"
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_RANGE = re.compile(r"bytes (\d{1,9})-(\d{1,9})/(\d{1,9})", re.ASCII)


def show_upload(tools: Tools, arrival: Arrival, request: DriverRequest) -> Response:
    """Say how far an upload has come."""
    return _answer(uploads.look_at_upload(tools, request, _upload_id(arrival)))


def take_upload(tools: Tools, arrival: Arrival, request: DriverRequest) -> Response:
    """Take a part of a file, or all of it."""
    return _answer(uploads.take_part(tools, request, _part(arrival)))


def _answer(upload: StoredUpload) -> Response:
    return answer(
        UploadAnswer(
            id=upload.id,
            size=upload.size,
            received=upload.received,
            complete=upload.attachment_id is not None,
            attachment_id=upload.attachment_id or "",
        )
    )


def _part(arrival: Arrival) -> UploadPart:
    offset, size = _range(arrival)
    if not 1 <= size <= MOST_BYTES:
        raise _wrong(RANGE, f"must be of a file of 1 to {MOST_BYTES} bytes")
    given = arrival.headers.get(HASH, "").strip().lower()
    if not _SHA256.fullmatch(given):
        raise _wrong(HASH, "must be the SHA-256 of the whole file in 64 hex digits")
    return UploadPart(
        upload_id=_upload_id(arrival),
        sha256=bytes.fromhex(given),
        size=size,
        offset=offset,
        data=arrival.body,
        has_left=arrival.has_left,
    )


def _range(arrival: Arrival) -> tuple[int, int]:
    """Return where the part begins and how long the whole file is."""
    given = arrival.headers.get(RANGE)
    if given is None:
        return 0, len(arrival.body)
    match = _RANGE.fullmatch(given.strip())
    if match is None:
        raise _wrong(RANGE, "must be bytes <first>-<last>/<size>")
    first, last, size = (int(digits) for digits in match.groups())
    if last - first + 1 != len(arrival.body) or last >= size:
        raise _wrong(RANGE, f"does not fit a body of {len(arrival.body)} bytes")
    return first, size


def _upload_id(arrival: Arrival) -> str:
    given = arrival.parameters["uploadId"].lower()
    if not _UUID.fullmatch(given):
        raise _wrong("uploadId", "must be a UUID")
    return given


def _wrong(field: str, description: str) -> InvalidArgument:
    return InvalidArgument(
        f"{field} {description}", [FieldViolation(field=field, description=description)]
    )
