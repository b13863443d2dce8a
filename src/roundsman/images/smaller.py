"""Smaller copies of pictures that this service has encoded itself."""

import io

from PIL import Image

from roundsman.images.safe_picture import SafePicture

_QUALITY = 80
_FORMATS = ("JPEG", "PNG")


def shrink(data: bytes, width: int) -> SafePicture:
    """Return a picture of this width, in pixels; one that is no wider comes back as it is."""
    with Image.open(io.BytesIO(data), formats=_FORMATS) as shown:
        form = str(shown.format)
        media_type = f"image/{form.lower()}"
        if shown.width <= width:
            return SafePicture(media_type, data)
        height = max(1, round(shown.height * width / shown.width))
        # A JPEG is decoded at an eighth of its size where that is enough.
        shown.draft(None, (width, height))
        small = shown.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=2.0)
    written = io.BytesIO()
    small.save(written, form, quality=_QUALITY)
    return SafePicture(media_type, written.getvalue())
