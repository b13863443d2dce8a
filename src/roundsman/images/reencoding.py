"""Decodes a photo or a signature and encodes it again, so that only its pixels remain.

Where, by what and by whom a picture was taken is removed; its orientation is kept by turning the
pixels. The size is read from the header before a pixel is decoded, so that a small file cannot
become a huge picture.
"""

import io

from PIL import Image, ImageOps

from roundsman.domain.errors import InvalidArgument
from roundsman.images.safe_picture import UNDECODABLE, SafePicture

MOST_PIXELS = 50_000_000
"""Decisions §10."""

_QUALITY = 85
_FORMATS = ("JPEG", "PNG")
_WITH_TRANSPARENCY = {"RGBA", "LA", "PA", "P"}

# Our own bound is lower than Pillow's, and a warning would only be printed.
Image.MAX_IMAGE_PIXELS = None


def reencode(data: bytes) -> SafePicture:
    """Return the picture encoded again; raise InvalidArgument when it is none or is too large."""
    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as picture:
            width, height = picture.size
            if width * height > MOST_PIXELS:
                raise InvalidArgument(
                    f"image has {width} x {height} pixels; "
                    f"at most {MOST_PIXELS // 1_000_000} megapixels are taken"
                )
            return _encode(picture)
    # Pillow raises many kinds of exception for broken files.
    except (OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError) as error:
        raise InvalidArgument(UNDECODABLE) from error


def _encode(picture: Image.Image) -> SafePicture:
    turned = ImageOps.exif_transpose(picture)
    if picture.format == "PNG" and turned.mode in _WITH_TRANSPARENCY:
        return _write(turned.convert("RGBA"), "PNG", "image/png")
    if picture.format == "PNG":
        return _write(turned.convert("RGB"), "PNG", "image/png")
    return _write(turned.convert("RGB"), "JPEG", "image/jpeg")


def _write(picture: Image.Image, form: str, media_type: str) -> SafePicture:
    picture.info = {}  # comments, profiles and text would otherwise be written again
    written = io.BytesIO()
    picture.save(written, form, quality=_QUALITY)
    return SafePicture(media_type, written.getvalue())
