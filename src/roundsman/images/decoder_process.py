"""`python -m roundsman.images.decoder_process`: decodes pictures for its parent process.

A picture comes on standard input and goes back on standard output, in frames: a length of four
bytes, then so many bytes. An answer begins with a letter for its kind. The system holds the limits:
processor time for each picture, memory for the process. When the parent closes its end of the pipe,
this process exits.
"""

import os
import resource
import sys
import threading
from math import ceil
from queue import SimpleQueue
from typing import IO

from roundsman.domain.errors import InvalidArgument
from roundsman.images.reencoding import reencode
from roundsman.images.safe_picture import (
    LENGTH_BYTES,
    MEDIA_TYPES,
    REFUSED,
    TOO_LARGE,
    UNDECODABLE,
)

_LETTERS = {media_type: letter for letter, media_type in MEDIA_TYPES.items()}


def main() -> None:
    """Decode pictures until the input ends."""
    cpu_seconds, memory_bytes = (int(given) for given in sys.argv[1:])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    pictures: SimpleQueue[bytes] = SimpleQueue()
    reader = threading.Thread(target=_read_pictures, args=[sys.stdin.buffer, pictures], daemon=True)
    reader.start()
    while True:
        picture = pictures.get()
        _limit_processor_time(cpu_seconds)
        _write(sys.stdout.buffer, *_decode(picture))


def _read_pictures(source: IO[bytes], pictures: SimpleQueue[bytes]) -> None:
    while len(head := source.read(LENGTH_BYTES)) == LENGTH_BYTES:
        pictures.put(source.read(int.from_bytes(head)))
    os._exit(0)  # also in the middle of a picture: the parent has gone


def _limit_processor_time(seconds: int) -> None:
    """Let the system end this process when the next picture takes too much processor time."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = ceil(used.ru_utime + used.ru_stime)
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (spent + seconds, most))


def _decode(picture: bytes) -> tuple[bytes, bytes]:
    try:
        safe = reencode(picture)
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
