"""A certificate that phones accept, once its authority is installed."""

import hashlib
import socket
import ssl
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from roundsman.kit.certificates import LASTS, MadeCertificate, make_certificate, read_certificate

NAMES = ["plan", "plan.local", "localhost", "192.168.1.7", "127.0.0.1", "::1"]


def now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 -- the library that checks certificates asks the machine


def shake_hands(made: MadeCertificate, folder: Path, name: str) -> None:
    """Connect to a server that has the certificate, as a phone that has the authority."""
    for file, content in (("chain.pem", made.chain), ("key.pem", made.key)):
        (folder / file).write_bytes(content)
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(folder / "chain.pem", folder / "key.pem")
    trusting = ssl.create_default_context(cadata=made.authority.decode())
    trusting.verify_flags |= ssl.VERIFY_X509_STRICT
    here, there = socket.socketpair()
    server = threading.Thread(target=lambda: serving.wrap_socket(there, server_side=True).close())
    server.start()
    try:
        trusting.wrap_socket(here, server_hostname=name).close()
    finally:
        here.close()
        server.join()


@pytest.mark.parametrize("name", NAMES)
def test_a_client_that_trusts_the_authority_accepts_every_name(tmp_path: Path, name: str) -> None:
    shake_hands(make_certificate(NAMES, now()), tmp_path, name)


def test_a_certificate_says_what_it_is_for_and_how_long() -> None:
    made = make_certificate(NAMES, now())
    read = read_certificate(made.chain)
    assert read.names == tuple(NAMES)
    assert read.valid_until <= now() + LASTS
    assert not read.is_ending(now())
    assert read.is_ending(now() + timedelta(days=390))
    first, _ = made.chain.decode().split("-----END CERTIFICATE-----\n", 1)
    der = ssl.PEM_cert_to_DER_cert(f"{first}-----END CERTIFICATE-----\n")
    assert read.fingerprint.replace(":", "").lower() == hashlib.sha256(der).hexdigest()


def test_the_key_of_the_authority_is_not_kept(tmp_path: Path) -> None:
    made = make_certificate(NAMES, now())
    (tmp_path / "authority.pem").write_bytes(made.authority)
    (tmp_path / "key.pem").write_bytes(made.key)
    assert made.key.count(b"PRIVATE KEY") == 2
    with pytest.raises(ssl.SSLError, match=r"(?i)key.*mismatch"):
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(
            tmp_path / "authority.pem", tmp_path / "key.pem"
        )


def test_what_is_no_certificate_is_refused() -> None:
    with pytest.raises(ValueError, match="PEM"):
        read_certificate(b"hello")
