import gzip
from collections.abc import Callable

import pytest
from starlette.responses import Response, StreamingResponse

from roundsman.endpoints.compression import accepts_gzip, compress
from roundsman.endpoints.responses import JsonResponse

TEXT = b'{"stops": [%b]}' % b", ".join([b'"a stop"'] * 200)


@pytest.mark.parametrize(
    ("accepted", "is_taken"),
    [
        ("", False),
        ("gzip", True),
        ("GZip", True),
        ("x-gzip", True),
        ("gzip, deflate, br", True),
        ("br;q=1.0, gzip;q=0.8, *;q=0.1", True),
        ("*", True),
        ("deflate, br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.0, *", False),
        ("*;q=0", False),
        ("identity", False),
        ("identity, gzip;q=0.5", False),
        ("identity;q=0.5, gzip", True),
        ("gzip;q=1, identity;q=0", True),
        ("gzip;q=much", False),
        ("gzipped", False),
        (",, ,gzip", True),
    ],
)
@pytest.mark.spec("decisions §14")
def test_gzip_is_for_those_who_take_it_and_would_not_rather_have_the_text(
    accepted: str, *, is_taken: bool
) -> None:
    assert accepts_gzip(accepted) is is_taken


@pytest.mark.spec("decisions §14")
def test_a_compressed_answer_says_so_and_how_long_it_is() -> None:
    response = JsonResponse(TEXT)
    compress(response, "gzip")
    assert gzip.decompress(bytes(response.body)) == TEXT
    assert response.headers["Content-Encoding"] == "gzip"
    assert int(response.headers["Content-Length"]) == len(response.body) < len(TEXT) / 10
    assert response.headers["Vary"] == "Accept-Encoding"


def test_other_bytes_have_another_tag() -> None:
    for accepted, mark in (("gzip", '"abc-gzip"'), ("", '"abc"')):
        for vary in ("Accept", "Accept, Accept-Encoding"):
            response = JsonResponse(TEXT, headers={"ETag": '"abc"', "Vary": vary})
            compress(response, accepted)
            assert response.headers["ETag"] == mark
            assert response.headers["Vary"] == "Accept, Accept-Encoding"


LEFT_ALONE: dict[str, Callable[[], Response]] = {
    "short": lambda: JsonResponse(b" " * 1024),
    "a picture": lambda: Response(b"\xff" * 5_000, media_type="image/jpeg"),
    "compressed already": lambda: JsonResponse(TEXT, headers={"Content-Encoding": "br"}),
    "a stream": lambda: StreamingResponse(iter([TEXT]), media_type="application/json"),
    "nothing": lambda: Response(status_code=304, headers={"ETag": '"a"'}),
}


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_what_is_not_worth_it_is_left_alone(name: str) -> None:
    response = LEFT_ALONE[name]()
    before = list(response.raw_headers)
    compress(response, "gzip")
    assert response.raw_headers == before


def test_one_byte_more_than_a_kilobyte_is_worth_it() -> None:
    response = JsonResponse(b" " * 1025)
    compress(response, "gzip")
    assert response.headers["Content-Encoding"] == "gzip"
