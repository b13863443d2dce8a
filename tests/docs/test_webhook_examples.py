"""The receivers of the how-to page take what is signed and nothing else."""

import base64
import hashlib
import hmac
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2 as httpx
import pytest
from tests.docs.pages import DOCS, ROOT

RECEIVERS = ROOT / "examples" / "webhooks"
SECRET = base64.b64encode(bytes(range(32))).decode()
EVENT = {"eventId": "evt-1", "topic": "TEST", "eventTimestamp": "2024-07-01T06:00:00Z"}
BODY = json.dumps({**EVENT, "objectId": "sub-1"}).encode()


@contextmanager
def running(program: str, file: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with subprocess.Popen(  # noqa: S603 -- our own example
        [program, str(RECEIVERS / file), "0"],
        env={"WEBHOOK_SECRET": SECRET},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as receiver:
        try:
            assert receiver.stdout is not None
            port = receiver.stdout.readline().strip().removeprefix("listening on port ")
            yield receiver, f"http://127.0.0.1:{port}/in"
        finally:
            receiver.terminate()


def signed(body: bytes, key: bytes) -> dict[str, str]:
    signature = base64.b64encode(hmac.digest(key, body, hashlib.sha256)).decode()
    return {"X-Service-Hmac-Sha256": signature, "Content-Type": "application/json"}


@pytest.mark.spec("Events, Signature")
@pytest.mark.parametrize(
    ("program", "file"), [(sys.executable, "receive.py"), ("node", "receive.mjs")]
)
def test_a_receiver_takes_each_signed_event_once(program: str, file: str) -> None:
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed")
    key = base64.b64decode(SECRET)
    with running(found, file) as (receiver, url), httpx.Client() as http:

        def post(body: bytes, headers: dict[str, str]) -> int:
            return http.post(url, content=body, headers=headers).status_code

        assert post(BODY, {}) == 401
        assert post(BODY, signed(BODY, b"another key")) == 401
        assert post(BODY + b" ", signed(BODY, key)) == 401
        assert post(BODY, signed(BODY, key)) == 204
        assert post(BODY, signed(BODY, key)) == 204
        other = BODY.replace(b"evt-1", b"evt-2")
        assert post(other, signed(other, key)) == 204
        assert receiver.stdout is not None
        told = [receiver.stdout.readline().strip() for _ in range(2)]
        assert told == ["2024-07-01T06:00:00Z TEST sub-1"] * 2


def test_the_page_shows_the_receivers_as_they_are() -> None:
    page = (DOCS / "how-to" / "receive-webhooks.md").read_text(encoding="utf-8")
    for name in ("receive.py", "receive.mjs"):
        assert f'--8<-- "examples/webhooks/{name}"' in page
