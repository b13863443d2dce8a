"""Pictures that cost too much are refused, and cost nobody else anything."""

import io
import os
import resource
import signal
import struct
import threading
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image
from tests.images.test_decoder_process import NO_PICTURES, jpeg, with_exif

from roundsman.domain.errors import InvalidArgument, Unavailable
from roundsman.images.decoder_process import reencode
from roundsman.images.decoders import Decoders, DecodingLimits, count_scans

pytestmark = pytest.mark.spec("decisions §22")


@pytest.fixture
def make() -> Iterator[Callable[..., Decoders]]:
    made = []

    def make_decoders(**limits: float) -> Decoders:
        made.append(Decoders(DecodingLimits(**limits)))  # type: ignore[arg-type] # as given
        return made[-1]

    yield make_decoders
    for one in made:
        one.close()


def many_scans(count: int, side: int = 1448) -> bytes:
    """Return a progressive JPEG whose last scan, a dozen bytes that change nothing, is repeated."""
    written = io.BytesIO()
    Image.new("L", (side, side), 128).save(written, "JPEG", progressive=True)
    whole = written.getvalue()
    last = whole.rindex(b"\xff\xda")
    scans, end = whole[last:-2], whole[-2:]
    return whole[:-2] + scans * (count - count_scans(whole)) + end


def png(width: int, height: int) -> bytes:
    """Return a PNG of one colour, compressed row by row: a large one never lies in memory here."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    packer = zlib.compressobj(1)
    row = b"\0" + b"\x40\x80\xc0" * width
    body = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = (chunk(b"IHDR", head), chunk(b"IDAT", body), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def test_a_picture_is_the_same_as_if_it_were_decoded_here(make: Callable[..., Decoders]) -> None:
    decoders = make()
    for given in (with_exif(6), jpeg((400, 300), progressive=True), png(30, 10)):
        assert decoders.reencode(given) == reencode(given)
    for name, given in NO_PICTURES.items():
        with pytest.raises(InvalidArgument, match="cannot be decoded"):
            decoders.reencode(given)
        assert name
    assert len(decoders.process_ids()) == 1, "one is used again and again"


def test_a_copy_is_as_narrow_as_asked_for_and_never_wider(make: Callable[..., Decoders]) -> None:
    decoders = make()
    photo, signature = reencode(jpeg((400, 300))), reencode(png(300, 100))
    for given, size in ((photo, (40, 30)), (signature, (40, 13))):
        copy = decoders.shrink(given.data, 40)
        assert copy.media_type == given.media_type
        assert Image.open(io.BytesIO(copy.data)).size == size
        assert decoders.shrink(given.data, 400) == given
    assert decoders.reencode(with_exif(6)) == reencode(with_exif(6)), "the next one is whole"


def test_memory_of_a_copy_stays_outside(make: Callable[..., Decoders]) -> None:
    large = reencode(png(10_000, 5_000)).data
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert make().shrink(large, 320).media_type == "image/png"
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 50 * 1024, "kilobytes"


def test_scans_are_counted_where_they_are_and_nowhere_else() -> None:
    assert count_scans(jpeg()) == 1
    assert count_scans(many_scans(100)) == 100
    comment = jpeg(comment=b"\xff\xda" * 500)
    assert count_scans(comment) == 1, "bytes of a comment begin no scan"
    assert count_scans(jpeg() + b"\xff\xda" * 500) == 1, "nor does what follows the picture"
    assert count_scans(png(1, 1)) == 0
    assert count_scans(b"\xff\xd8" + b"\xff\xda\x00") == 1
    noise = Image.effect_noise((300, 300), 90).convert("RGB")
    written = io.BytesIO()
    noise.save(written, "JPEG", quality=95, restart_marker_rows=1)
    assert count_scans(written.getvalue()) == 1


def test_a_picture_of_very_many_scans_is_refused_undecoded(make: Callable[..., Decoders]) -> None:
    decoders = make()
    with pytest.raises(InvalidArgument, match="more than 100 scans"):
        decoders.reencode(many_scans(8_000))
    assert decoders.process_ids() == []
    assert decoders.reencode(many_scans(100)).media_type == "image/jpeg"


def test_a_picture_that_takes_too_long_is_refused_and_the_next_one_taken(
    make: Callable[..., Decoders],
) -> None:
    decoders = make(processor_seconds=1)
    with pytest.raises(InvalidArgument, match="more than 1 s to decode"):
        decoders.reencode(many_scans(100, side=7_000))
    assert decoders.reencode(jpeg()).media_type == "image/jpeg"


def test_memory_of_a_large_picture_stays_outside_and_is_limited(
    make: Callable[..., Decoders],
) -> None:
    large = png(10_000, 5_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert make().reencode(large).media_type == "image/png"
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 50 * 1024, "kilobytes"
    with pytest.raises(InvalidArgument, match="too much memory"):
        make(memory_bytes=300 << 20).reencode(large)


def test_a_process_that_was_killed_is_replaced_and_the_picture_taken_all_the_same(
    make: Callable[..., Decoders],
) -> None:
    decoders = make()
    decoders.reencode(jpeg())
    (first,) = decoders.process_ids()
    os.kill(first, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as others:
        asked = others.submit(decoders.reencode, with_exif(6))
        with pytest.raises(TimeoutError):
            asked.result(timeout=0.2)
        os.kill(first, signal.SIGKILL)
        assert asked.result(timeout=60) == reencode(with_exif(6))


def test_who_hangs_up_and_who_comes_when_too_many_wait_is_not_kept(
    make: Callable[..., Decoders],
) -> None:
    decoders = make(processes=1, waiting=1)
    decoders.reencode(jpeg())
    (only,) = decoders.process_ids()
    os.kill(only, signal.SIGSTOP)
    hung_up = threading.Event()
    with ThreadPoolExecutor(2) as others:
        busy = [others.submit(decoders.reencode, jpeg(), hung_up.is_set) for _ in range(2)]
        while decoders.under_way < 2:
            pass
        with pytest.raises(Unavailable, match="too many images"):
            decoders.reencode(jpeg())
        hung_up.set()
        for one in busy:
            assert isinstance(one.exception(timeout=60), Unavailable)
    assert decoders.reencode(jpeg()).media_type == "image/jpeg"


def test_a_machine_too_busy_to_decode_is_no_fault_of_the_picture(
    make: Callable[..., Decoders],
) -> None:
    decoders = make(seconds=0.5)
    with ThreadPoolExecutor(1) as others:
        asked = others.submit(_reencode_stopped, decoders)
        with pytest.raises(Unavailable, match="not decoded in time"):
            asked.result(timeout=60)


def _reencode_stopped(decoders: Decoders) -> object:
    decoders.reencode(jpeg())
    for pid in decoders.process_ids():
        os.kill(pid, signal.SIGSTOP)
    return decoders.reencode(jpeg())


@pytest.mark.parametrize("end", [Decoders.stop_soon, Decoders.close])
def test_a_server_that_stops_waits_for_no_picture(
    make: Callable[..., Decoders], end: Callable[[Decoders], None]
) -> None:
    decoders = make(stopping_seconds=0.1)
    with ThreadPoolExecutor(1) as others:
        asked = others.submit(decoders.reencode, many_scans(100, side=7_000))
        while not decoders.process_ids():
            pass
        end(decoders)
        assert isinstance(asked.exception(timeout=60), Unavailable | InvalidArgument)
    with pytest.raises(Unavailable):
        decoders.reencode(jpeg())
