"""A picture without metadata, and the frames between a decoder process and its parent."""

from dataclasses import dataclass

LENGTH_BYTES = 4
"""The size of the number that precedes a picture and gives its length."""

WIDTH_BYTES = 2
"""The size of the number after it in a question: how wide a copy is to be, 0 for no copy."""

JPEG, PNG, REFUSED, TOO_LARGE = b"J", b"P", b"R", b"M"
"""The kinds of answer; REFUSED is followed by the reason."""

UNDECODABLE = "image cannot be decoded; send a JPEG or a PNG"
MEDIA_TYPES = {JPEG: "image/jpeg", PNG: "image/png"}


@dataclass(frozen=True, slots=True)
class SafePicture:
    """A picture of which only the pixels are left."""

    media_type: str
    data: bytes
