"""A drawn picture of a parcel at a door, for the demo, so that no photo has to be shipped."""

import io

from PIL import Image, ImageDraw

_SIZE = (480, 360)
_WALL, _DOOR, _FRAME = (214, 205, 190), (58, 92, 112), (240, 236, 228)
_STEP, _PARCEL, _TAPE, _KNOB = (150, 146, 140), (196, 154, 104), (168, 124, 74), (226, 190, 90)


def draw_parcel(number: int) -> bytes:
    """Return a JPEG of a parcel at a door; pictures of different numbers differ."""
    picture = Image.new("RGB", _SIZE, _WALL)
    draw = ImageDraw.Draw(picture)
    left = 120 + 40 * (number % 3)
    draw.rectangle((0, 310, *_SIZE), fill=_STEP)
    draw.rectangle((left, 30, left + 170, 310), fill=_FRAME)
    draw.rectangle((left + 12, 42, left + 158, 310), fill=_DOOR)
    draw.ellipse((left + 134, 176, left + 148, 190), fill=_KNOB)
    right = left + 200
    draw.rectangle((right - 60, 250, right + 40, 330), fill=_PARCEL)
    draw.rectangle((right - 18, 250, right - 2, 330), fill=_TAPE)
    draw.text((14, 12), f"Demo photo {number}", fill=_DOOR)
    written = io.BytesIO()
    picture.save(written, "JPEG", quality=85)
    return written.getvalue()
