"""Smaller copies of pictures that this service has encoded itself."""

import io

from PIL import Image

from roundsman.images.safe_picture import SafePicture

_QUALITY = 80


def shrink(picture: SafePicture, width: int) -> SafePicture:
    """Return a picture of this width, in pixels; one that is no wider comes back as it is.

    Only for pictures that `decoders` has encoded: nothing else is decoded in this process.
    """
    with Image.open(io.BytesIO(picture.data)) as shown:
        if shown.width <= width:
            return picture
        height = max(1, round(shown.height * width / shown.width))
        # A JPEG is decoded at an eighth of its size where that is enough.
        shown.draft(None, (width, height))
        small = shown.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=2.0)
    written = io.BytesIO()
    form = picture.media_type.removeprefix("image/").upper()
    small.save(written, form, quality=_QUALITY)
    return SafePicture(picture.media_type, written.getvalue())
