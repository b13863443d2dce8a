"""Photos and signatures, and the uploads that they arrive in; the bytes lie in the database."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from roundsman.domain.attachment import Attachment
from roundsman.storage.database import Transaction
from roundsman.storage.driver_tables import attachments, upload_parts, uploads


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredUpload:
    """How far an upload has come; complete ones name what was made of them."""

    id: str
    sha256: bytes
    size: int
    received: int = 0
    attachment_id: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Picture:
    """The bytes of an attachment as they are shown."""

    media_type: str
    data: bytes


def find_uploaded(
    tx: Transaction, driver_id: str, upload_ids: Sequence[str]
) -> dict[str, Attachment]:
    """Return what was made of a driver's complete uploads; others are missing."""
    if not upload_ids:
        return {}
    rows = tx.execute(
        select(
            uploads.c.id.label("upload_id"),
            attachments.c.id,
            attachments.c.created_at,
            attachments.c.url,
        )
        .join(attachments, attachments.c.id == uploads.c.attachment_id)
        .where(uploads.c.driver_id == driver_id, uploads.c.id.in_(upload_ids))
    )
    return {
        row.upload_id: Attachment(id=row.id, created_at=row.created_at, url=row.url) for row in rows
    }


def find_upload(tx: Transaction, driver_id: str, upload_id: str) -> StoredUpload | None:
    """Return how far a driver's upload has come; other changes of it wait."""
    row = tx.execute(
        select(uploads)
        .where(uploads.c.driver_id == driver_id, uploads.c.id == upload_id)
        .with_for_update()
    ).first()
    if row is None:
        return None
    return StoredUpload(
        id=row.id,
        sha256=row.sha256,
        size=row.size,
        received=row.received,
        attachment_id=row.attachment_id,
    )


def add_upload(
    tx: Transaction, organization_id: str, driver_id: str, upload: StoredUpload, now: datetime
) -> bool:
    """Begin an upload; say whether nobody was faster."""
    try:
        with tx.begin_nested():
            tx.execute(
                insert(uploads).values(
                    driver_id=driver_id,
                    id=upload.id,
                    organization_id=organization_id,
                    sha256=upload.sha256,
                    size=upload.size,
                    received=0,
                    created_at=now,
                )
            )
    except IntegrityError:
        return False
    return True


def count_open(tx: Transaction, driver_id: str) -> int:
    """Return how many uploads a driver has begun and not finished."""
    return tx.execute(
        select(func.count())
        .select_from(uploads)
        .where(uploads.c.driver_id == driver_id, uploads.c.attachment_id.is_(None))
    ).scalar_one()


def add_part(tx: Transaction, driver_id: str, upload: StoredUpload, data: bytes) -> None:
    """Store bytes behind those that an upload has."""
    tx.execute(
        insert(upload_parts).values(
            driver_id=driver_id, upload_id=upload.id, offset=upload.received, data=data
        )
    )
    tx.execute(
        update(uploads)
        .where(uploads.c.driver_id == driver_id, uploads.c.id == upload.id)
        .values(received=upload.received + len(data))
    )


def read_parts(tx: Transaction, driver_id: str, upload_id: str) -> bytes:
    """Return the bytes of an upload so far."""
    parts = tx.execute(
        select(upload_parts.c.data)
        .where(upload_parts.c.driver_id == driver_id, upload_parts.c.upload_id == upload_id)
        .order_by(upload_parts.c.offset)
    ).scalars()
    return b"".join(bytes(part) for part in parts)


def remove_parts(tx: Transaction, driver_id: str, upload_id: str) -> None:
    """Forget the bytes of an upload."""
    tx.execute(
        delete(upload_parts).where(
            upload_parts.c.driver_id == driver_id, upload_parts.c.upload_id == upload_id
        )
    )


def remove_upload(tx: Transaction, driver_id: str, upload_id: str) -> None:
    """Forget an upload, so that it can begin again."""
    remove_parts(tx, driver_id, upload_id)
    tx.execute(
        delete(uploads).where(
            uploads.c.driver_id == driver_id,
            uploads.c.id == upload_id,
            uploads.c.attachment_id.is_(None),
        )
    )


def remove_stale_uploads(
    tx: Transaction, before: datetime, most: int, driver_id: str | None = None
) -> int:
    """Forget uploads, of one driver or of all, begun before an instant and never finished."""
    stale = (
        select(uploads.c.driver_id, uploads.c.id)
        .where(uploads.c.attachment_id.is_(None), uploads.c.created_at < before)
        .limit(most)
        .with_for_update()  # a part that comes now begins the upload again
    )
    if driver_id is not None:
        stale = stale.where(uploads.c.driver_id == driver_id)
    found = tx.execute(stale).fetchall()
    for upload in found:
        remove_upload(tx, upload.driver_id, upload.id)
    return len(found)


def complete_upload(tx: Transaction, driver_id: str, upload_id: str, attachment_id: str) -> bool:
    """Say what was made of an upload; say whether nobody was faster."""
    completed = tx.execute(
        update(uploads)
        .where(
            uploads.c.driver_id == driver_id,
            uploads.c.id == upload_id,
            uploads.c.attachment_id.is_(None),
        )
        .values(attachment_id=attachment_id)
    )
    return completed.rowcount == 1


def add_attachment(
    tx: Transaction,
    organization_id: str,
    attachment: Attachment,
    token_hash: bytes,
    picture: Picture,
) -> None:
    """Store a photo or a signature."""
    tx.execute(
        insert(attachments).values(
            id=attachment.id,
            organization_id=organization_id,
            token_hash=token_hash,
            url=attachment.url,
            media_type=picture.media_type,
            created_at=attachment.created_at,
            data=picture.data,
        )
    )


def find_attachment_id(tx: Transaction, token_hash: bytes) -> str | None:
    """Return the attachment that a stable URL leads to."""
    return tx.execute(
        select(attachments.c.id).where(attachments.c.token_hash == token_hash)
    ).scalar_one_or_none()


def read_picture(tx: Transaction, attachment_id: str) -> Picture | None:
    """Return the bytes of an attachment."""
    row = tx.execute(
        select(attachments.c.media_type, attachments.c.data).where(
            attachments.c.id == attachment_id
        )
    ).first()
    if row is None:
        return None
    return Picture(media_type=row.media_type, data=bytes(row.data))
