"""Pictures from strangers: only their pixels remain, and what is none is refused."""

import io
import struct
import zlib

import pytest
from PIL import Image, PngImagePlugin

from roundsman.domain.errors import InvalidArgument
from roundsman.images.decoder_process import reencode


def jpeg(size: tuple[int, int] = (40, 20), **options: object) -> bytes:
    picture = Image.new("RGB", size, (200, 30, 30))
    written = io.BytesIO()
    picture.save(written, "JPEG", **options)
    return written.getvalue()


def with_exif(orientation: int) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = orientation
    exif[0x010F] = "SecretMaker"
    exif.get_ifd(0x8825)[1] = "N"
    return jpeg(exif=exif, comment=b"secret comment")


@pytest.mark.spec("decisions §10")
def test_what_came_with_a_photo_is_gone_and_it_stands_upright() -> None:
    given = with_exif(orientation=6)
    assert b"SecretMaker" in given
    safe = reencode(given)
    assert safe.media_type == "image/jpeg"
    assert b"SecretMaker" not in safe.data
    assert b"secret comment" not in safe.data
    with Image.open(io.BytesIO(safe.data)) as picture:
        assert picture.size == (20, 40)
        assert not picture.getexif()


@pytest.mark.spec("decisions §10")
def test_a_signature_keeps_its_transparency_and_loses_its_text() -> None:
    told = PngImagePlugin.PngInfo()
    told.add_text("Author", "secret author")
    written = io.BytesIO()
    Image.new("RGBA", (30, 10), (0, 0, 0, 0)).save(written, "PNG", pnginfo=told)
    safe = reencode(written.getvalue())
    assert safe.media_type == "image/png"
    assert b"secret author" not in safe.data
    with Image.open(io.BytesIO(safe.data)) as picture:
        assert picture.getpixel((0, 0)) == (0, 0, 0, 0)


def bomb(width: int, height: int) -> bytes:
    """Return a small PNG that says it is huge."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\0" * 1_000)
    parts = (chunk(b"IHDR", header), chunk(b"IDAT", body), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.mark.spec("decisions §10")
@pytest.mark.parametrize(("width", "height"), [(50_000_001, 1), (10_000, 5_001), (2**31 - 1,) * 2])
def test_a_picture_that_would_be_huge_is_refused_by_its_header(width: int, height: int) -> None:
    with pytest.raises(InvalidArgument, match="at most 50 megapixels"):
        reencode(bomb(width, height))


NO_PICTURES = {
    "nothing": b"",
    "text": b"hello",
    "html": b"<html><script>alert(1)</script>",
    "svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    "pdf": b"%PDF-1.7",
    "cut jpeg": jpeg()[:-200],
    "cut png": bomb(100, 100),
    "gif": b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04",
}


@pytest.mark.spec("decisions §10")
@pytest.mark.parametrize("name", NO_PICTURES)
def test_what_is_no_picture_is_refused(name: str) -> None:
    with pytest.raises(InvalidArgument, match="cannot be decoded"):
        reencode(NO_PICTURES[name])
