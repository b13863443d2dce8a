"""A picture as it may be shown, and how one travels between a decoder and who asked for it."""

from dataclasses import dataclass

LENGTH_BYTES = 4
"""Of the number before a picture that says how long it is."""

JPEG, PNG, REFUSED, TOO_LARGE = b"J", b"P", b"R", b"M"
"""What a decoder answers; REFUSED says why."""

UNDECODABLE = "image cannot be decoded; send a JPEG or a PNG"
MEDIA_TYPES = {JPEG: "image/jpeg", PNG: "image/png"}


@dataclass(frozen=True, slots=True)
class SafePicture:
    """A picture of which nothing but its pixels has remained."""

    media_type: str
    data: bytes
