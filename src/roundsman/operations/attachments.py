"""Showing photos and signatures: a stable address, and behind it a link that soon expires."""

from datetime import UTC, datetime, timedelta

from roundsman.domain.errors import NotFound
from roundsman.kit.secrets import hash_secret
from roundsman.kit.signed_links import is_signed, sign
from roundsman.operations.work import Tools
from roundsman.storage.attachments import Picture, find_attachment_id, read_picture

LINK_LIFETIME = timedelta(seconds=60)
"""Decisions §10."""

_PURPOSE = "attachment"


def make_link(tools: Tools, token: str) -> str:
    """Return the path, good for a minute, of the attachment that a stable address names."""
    with tools.database.reading() as tx:
        attachment_id = find_attachment_id(tx, hash_secret(token))
    if attachment_id is None:
        raise NotFound("attachment not found")
    expires = str(int((tools.clock.now() + LINK_LIFETIME).timestamp()))
    signature = sign(tools.link_key, _PURPOSE, attachment_id, expires)
    return f"/files/{attachment_id}?expires={expires}&signature={signature}"


def follow_link(tools: Tools, attachment_id: str, expires: str, signature: str) -> Picture:
    """Return the picture that a link shows; an expired or foreign link shows none."""
    is_ours = is_signed(tools.link_key, signature, _PURPOSE, attachment_id, expires)
    if not is_ours or datetime.fromtimestamp(int(expires), UTC) < tools.clock.now():
        raise NotFound("link has expired")
    with tools.database.reading() as tx:
        picture = read_picture(tx, attachment_id)
    if picture is None:
        raise NotFound("attachment not found")
    return picture
