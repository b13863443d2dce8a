"""Photos and signatures: taken in parts, checked and made safe, then shown.

The address of an attachment is stable; the link behind it is good for a minute.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from roundsman.domain.attachment import Attachment
from roundsman.domain.errors import (
    FailedPrecondition,
    FieldViolation,
    InvalidArgument,
    NotFound,
    PreconditionViolation,
    Unavailable,
)
from roundsman.images.safe_picture import SafePicture
from roundsman.kit.ids import new_id
from roundsman.kit.secrets import hash_secret, is_signed, new_secret, sign
from roundsman.operations.execution import resume_route
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import UnitOfWork, begin_work
from roundsman.storage import attachments as stored
from roundsman.storage.attachments import Picture, StoredUpload, find_attachment_id, read_picture
from roundsman.storage.journal import list_routes_waiting_for

MOST_BYTES = 10 * 1024 * 1024
"""Decisions §10."""

UPLOADS_KEPT_FOR = timedelta(days=7)
"""How long an upload that nobody goes on with is kept."""

_MOST_OPEN = 100
"""Uploads that one driver may have begun and not finished."""


@dataclass(frozen=True, kw_only=True, slots=True)
class UploadPart:
    """Some bytes of a file: which file, how long and of which hash the whole is, where they go."""

    upload_id: str
    sha256: bytes
    size: int
    offset: int
    data: bytes
    has_left: Callable[[], bool] = lambda: False
    """Says whether the client has hung up, and would send it again."""


def look_at_upload(tools: Tools, request: Request, upload_id: str) -> StoredUpload:
    """Return how far an upload has come.

    What waits for a complete one goes on now, if whoever completed it died before seeing to that.
    """
    upload = _get(tools, request, upload_id)
    if upload.attachment_id is not None:
        _wake_actions(tools, request, upload_id)
    return upload


def _get(tools: Tools, request: Request, upload_id: str) -> StoredUpload:
    with tools.database.reading() as tx:
        upload = stored.find_upload(tx, request.principal.driver_id, upload_id)
    if upload is None:
        raise NotFound("upload not found")
    return upload


def take_part(tools: Tools, request: Request, part: UploadPart) -> StoredUpload:
    """Add bytes to an upload; with the last of them it becomes an attachment."""
    whole = _store_part(tools, request, part)
    if whole is not None:
        _complete(tools, request, part, _check(tools, request, part, whole))
    return look_at_upload(tools, request, part.upload_id)


def _store_part(tools: Tools, request: Request, part: UploadPart) -> bytes | None:
    """Store what is new of a part; return the whole file once all of it is here."""
    with begin_work(tools, request) as work:
        upload = _find_or_begin(work, request, part)
        if upload.attachment_id is not None:
            return work.done(None)
        if part.offset > upload.received:
            raise _continue_at(upload)
        fresh = part.data[upload.received - part.offset :]
        if fresh:
            stored.add_part(work.tx, request.principal.driver_id, upload, fresh)
            work.added_bytes += len(fresh)
        if upload.received + len(fresh) < upload.size:
            return work.done(None)
        return work.done(stored.read_parts(work.tx, request.principal.driver_id, upload.id))


def _find_or_begin(work: UnitOfWork, request: Request, part: UploadPart) -> StoredUpload:
    upload = stored.find_upload(work.tx, request.principal.driver_id, part.upload_id)
    if upload is None:
        before = work.now - UPLOADS_KEPT_FOR
        stored.remove_stale_uploads(work.tx, before, _MOST_OPEN, request.principal.driver_id)
        if stored.count_open(work.tx, request.principal.driver_id) >= _MOST_OPEN:
            raise FailedPrecondition(f"more than {_MOST_OPEN} uploads are unfinished; finish some")
        begun = StoredUpload(id=part.upload_id, sha256=part.sha256, size=part.size)
        stored.add_upload(
            work.tx, work.organization_id, request.principal.driver_id, begun, work.now
        )
        upload = stored.find_upload(work.tx, request.principal.driver_id, part.upload_id)
    if upload is None or (upload.sha256, upload.size) != (part.sha256, part.size):
        description = "differs from what this upload began with; use a new upload id"
        raise InvalidArgument(
            f"X-Content-SHA256 or the size {description}",
            [FieldViolation(field="X-Content-SHA256", description=description)],
        )
    return upload


def _continue_at(upload: StoredUpload) -> FailedPrecondition:
    description = f"{upload.received} of {upload.size} bytes are here; go on from there"
    violation = PreconditionViolation(type="offset", subject=upload.id, description=description)
    return FailedPrecondition(description, [violation])


def _check(tools: Tools, request: Request, part: UploadPart, whole: bytes) -> SafePicture:
    """Return the picture in a file; a file that is damaged or no picture is forgotten."""
    try:
        _require_intact(whole, part.sha256)
        return tools.decoders.reencode(whole, part.has_left)
    except InvalidArgument:
        with begin_work(tools, request) as work:
            stored.remove_upload(work.tx, request.principal.driver_id, part.upload_id)
            work.done(None)
        raise


def _require_intact(whole: bytes, sha256: bytes) -> None:
    if hashlib.sha256(whole).digest() == sha256:
        return
    description = "is not the hash of what arrived; send the file again"
    violation = FieldViolation(field="X-Content-SHA256", description=description)
    raise InvalidArgument(f"X-Content-SHA256 {description}", [violation])


def _complete(tools: Tools, request: Request, part: UploadPart, picture: SafePicture) -> None:
    token = new_secret(tools.ids)
    attachment = Attachment(
        id=new_id(tools.ids, "att"),
        created_at=tools.clock.now(),
        url=f"{tools.address.url}/attachments/{token}",
    )
    with begin_work(tools, request) as work:
        if stored.complete_upload(
            work.tx, request.principal.driver_id, part.upload_id, attachment.id
        ):
            stored.add_attachment(
                work.tx,
                work.organization_id,
                attachment,
                hash_secret(token),
                Picture(media_type=picture.media_type, data=picture.data),
            )
            stored.remove_parts(work.tx, request.principal.driver_id, part.upload_id)
            work.added_bytes += len(picture.data) - part.size
        work.done(None)


def _wake_actions(tools: Tools, request: Request, upload_id: str) -> None:
    """Apply the actions that named this upload before it was here."""
    with tools.database.reading() as tx:
        routes = list_routes_waiting_for(tx, request.principal.driver_id, upload_id)
    for route_id in routes:
        resume_route(tools, request, route_id)


LINK_LIFETIME = timedelta(seconds=60)
"""Decisions §10."""

_PURPOSE = "attachment"

LEAST_WIDTH, MOST_WIDTH = 16, 2048
"""In pixels, of a smaller copy."""


def make_link(tools: Tools, token: str, width: str = "") -> str:
    """Return the path, good for a minute, of the attachment that a stable address names.

    With a width it shows a copy that is not wider than so many pixels.
    """
    _read_width(width)
    with tools.database.reading() as tx:
        attachment_id = find_attachment_id(tx, hash_secret(token))
    if attachment_id is None:
        raise NotFound("attachment not found")
    expires = str(int((tools.clock.now() + LINK_LIFETIME).timestamp()))
    signature = sign(tools.link_key, _PURPOSE, attachment_id, expires, width)
    narrowed = f"&width={width}" if width else ""
    return f"/files/{attachment_id}?expires={expires}{narrowed}&signature={signature}"


def _read_width(width: str) -> int | None:
    """Return a width in pixels; None asks for the picture as it is."""
    if not width:
        return None
    is_number = width.isascii() and width.isdigit() and len(width) <= len(str(MOST_WIDTH))
    if is_number and LEAST_WIDTH <= int(width) <= MOST_WIDTH:
        return int(width)
    description = f"must be a whole number from {LEAST_WIDTH} to {MOST_WIDTH}"
    violation = FieldViolation(field="width", description=description)
    raise InvalidArgument(f"width {description}", [violation])


def follow_link(
    tools: Tools, attachment_id: str, expires: str, signature: str, width: str = ""
) -> Picture:
    """Return the picture that a link shows; an expired or foreign link shows none."""
    is_ours = is_signed(tools.link_key, signature, _PURPOSE, attachment_id, expires, width)
    if not is_ours or datetime.fromtimestamp(int(expires), UTC) < tools.clock.now():
        raise NotFound("link has expired")
    with tools.database.reading() as tx:
        picture = read_picture(tx, attachment_id)
    if picture is None:
        raise NotFound("attachment not found")
    pixels = _read_width(width)
    if pixels is None:
        return picture
    try:
        small = tools.copy_makers.shrink(picture.data, pixels)
    except Unavailable:
        # Too many are being made: the picture itself is slower to load, and better than none.
        return picture
    return Picture(media_type=small.media_type, data=small.data)
