"""Uploads at the door: `Content-Range` says which part of the file a request brings."""

import re

from roundsman.domain.errors import FieldViolation, InvalidArgument
from roundsman.endpoints.access import DriverDevice, HttpRequest
from roundsman.endpoints.operation import Operations, Pool
from roundsman.operations import attachments
from roundsman.operations.attachments import MOST_BYTES, UploadPart
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.storage.attachments import StoredUpload
from roundsman.wire.driver.answers import UploadAnswer

HASH = "X-Content-SHA256"
RANGE = "Content-Range"
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_RANGE = re.compile(r"bytes (\d{1,9})-(\d{1,9})/(\d{1,9})", re.ASCII)


OPERATIONS = Operations("Uploads", DriverDevice())


@OPERATIONS.add("GET", "/uploads/{uploadId}", summary="See how far an upload has come")
def show_upload(tools: Tools, request: Request, upload_id: str) -> UploadAnswer:
    """See how much of a file has arrived, to go on from there."""
    return _answer(attachments.look_at_upload(tools, request, _lowered(upload_id)))


# Parts are told apart by what they hold, so sending one again does no harm.
@OPERATIONS.add(
    "PUT",
    "/uploads/{uploadId}",
    summary="Send a part of a file, or all of it",
    pool=Pool.UPLOAD,
    notices_departure=True,
    keeps_answers=False,
    most_body_bytes=MOST_BYTES,
    describe_body=lambda _schemas: {"application/octet-stream": {"schema": {}}},
)
def take_upload(tools: Tools, http: HttpRequest, request: Request, upload_id: str) -> UploadAnswer:
    """Send a file, or the part of it that is missing. Its hash is checked when it is whole."""
    return _answer(attachments.take_part(tools, request, _part(http, _lowered(upload_id))))


def _answer(upload: StoredUpload) -> UploadAnswer:
    return UploadAnswer(
        id=upload.id,
        size=upload.size,
        received=upload.received,
        complete=upload.attachment_id is not None,
        attachment_id=upload.attachment_id or "",
    )


def _part(http: HttpRequest, upload_id: str) -> UploadPart:
    offset, size = _range(http)
    if not 1 <= size <= MOST_BYTES:
        raise _wrong(RANGE, f"must be of a file of 1 to {MOST_BYTES} bytes")
    given = http.headers.get(HASH, "").strip().lower()
    if not _SHA256.fullmatch(given):
        raise _wrong(HASH, "must be the SHA-256 of the whole file in 64 hex digits")
    return UploadPart(
        upload_id=upload_id,
        sha256=bytes.fromhex(given),
        size=size,
        offset=offset,
        data=http.body,
        has_left=http.has_left,
    )


def _range(http: HttpRequest) -> tuple[int, int]:
    """Return where the part begins and how long the whole file is."""
    given = http.headers.get(RANGE)
    if given is None:
        return 0, len(http.body)
    match = _RANGE.fullmatch(given.strip())
    if match is None:
        raise _wrong(RANGE, "must be bytes <first>-<last>/<size>")
    first, last, size = (int(digits) for digits in match.groups())
    if last - first + 1 != len(http.body) or last >= size:
        raise _wrong(RANGE, f"does not fit a body of {len(http.body)} bytes")
    return first, size


def _lowered(upload_id: str) -> str:
    given = upload_id.lower()
    if not _UUID.fullmatch(given):
        raise _wrong("uploadId", "must be a UUID")
    return given


def _wrong(field: str, description: str) -> InvalidArgument:
    return InvalidArgument(
        f"{field} {description}", [FieldViolation(field=field, description=description)]
    )
