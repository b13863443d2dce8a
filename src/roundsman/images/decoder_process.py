"""`python -m roundsman.images.decoder_process`: decodes pictures for its parent process.

A picture comes on standard input and goes back on standard output, in frames: a length of four
bytes, then so many bytes. Between both a question has the width of a smaller copy, or 0, in two
bytes, and an answer a letter for its kind. The system holds the limits:
processor time for each picture, memory for the process. When the parent closes its end of the pipe,
this process exits.

A picture is encoded again, so that only its pixels remain: where, by what and by whom it was taken
is removed, and its orientation is kept by turning the pixels. The size is read from the header
before a pixel is decoded, so that a small file cannot become a huge picture.
"""

import io
import os
import resource
import sys
import threading
from math import ceil
from queue import SimpleQueue
from typing import IO

from PIL import Image, ImageOps

from roundsman.domain.errors import InvalidArgument
from roundsman.images.safe_picture import (
    LENGTH_BYTES,
    MEDIA_TYPES,
    REFUSED,
    TOO_LARGE,
    UNDECODABLE,
    WIDTH_BYTES,
    SafePicture,
)
from roundsman.images.smaller import shrink

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
        return _encode_as(turned.convert("RGBA"), "PNG", "image/png")
    if picture.format == "PNG":
        return _encode_as(turned.convert("RGB"), "PNG", "image/png")
    return _encode_as(turned.convert("RGB"), "JPEG", "image/jpeg")


def _encode_as(picture: Image.Image, form: str, media_type: str) -> SafePicture:
    picture.info = {}  # comments, profiles and text would otherwise be written again
    written = io.BytesIO()
    picture.save(written, form, quality=_QUALITY)
    return SafePicture(media_type, written.getvalue())


_LETTERS = {media_type: letter for letter, media_type in MEDIA_TYPES.items()}


def main() -> None:
    """Decode pictures until the input ends."""
    cpu_seconds, memory_bytes = (int(given) for given in sys.argv[1:])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    questions: SimpleQueue[tuple[bytes, int]] = SimpleQueue()
    reader = threading.Thread(
        target=_read_questions, args=[sys.stdin.buffer, questions], daemon=True
    )
    reader.start()
    while True:
        picture, width = questions.get()
        _limit_processor_time(cpu_seconds)
        _write(sys.stdout.buffer, *_decode(picture, width))


def _read_questions(source: IO[bytes], questions: SimpleQueue[tuple[bytes, int]]) -> None:
    while len(head := source.read(LENGTH_BYTES + WIDTH_BYTES)) == LENGTH_BYTES + WIDTH_BYTES:
        size, width = head[:LENGTH_BYTES], head[LENGTH_BYTES:]
        questions.put((source.read(int.from_bytes(size)), int.from_bytes(width)))
    os._exit(0)  # also in the middle of a picture: the parent has gone


def _limit_processor_time(seconds: int) -> None:
    """Let the system end this process when the next picture takes too much processor time."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = ceil(used.ru_utime + used.ru_stime)
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (spent + seconds, most))


def _decode(picture: bytes, width: int) -> tuple[bytes, bytes]:
    try:
        safe = shrink(picture, width) if width else reencode(picture)
    except InvalidArgument as refusal:
        return REFUSED, refusal.message.encode()
    except MemoryError:
        return TOO_LARGE, b""
    except Exception:  # noqa: BLE001 -- a door: what is broken makes decoders raise anything
        return REFUSED, UNDECODABLE.encode()
    return _LETTERS[safe.media_type], safe.data


def _write(target: IO[bytes], kind: bytes, content: bytes) -> None:
    target.write(len(content).to_bytes(LENGTH_BYTES) + kind)
    target.write(content)
    target.flush()


if __name__ == "__main__":
    main()
