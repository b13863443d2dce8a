"""Where a server says that it listens is where it answers."""

import socket
import ssl
from pathlib import Path

import pytest
from tests.webhooks.certificates import make_certificate

from roundsman.cli.server import (
    Certificate,
    Reached,
    Serving,
    make_config,
    open_listener,
    reach,
)
from roundsman.kit.lan import _is_reachable

EVERY_IPV4 = "0.0.0.0"  # noqa: S104 -- on a port of its own, for as long as a test


def find() -> list[str]:
    return ["192.168.1.7", "fd00::7"]


@pytest.mark.parametrize(
    ("host", "here", "elsewhere"),
    [
        ("127.0.0.1", "http://127.0.0.1:PORT", ()),
        ("::1", "http://[::1]:PORT", ()),
        (EVERY_IPV4, "http://localhost:PORT", ("http://192.168.1.7:PORT",)),
        ("::", "http://localhost:PORT", ("http://192.168.1.7:PORT", "http://[fd00::7]:PORT")),
    ],
)
def test_what_is_said_is_an_address_that_works(
    host: str, here: str, elsewhere: tuple[str, ...]
) -> None:
    with open_listener(host, 0) as listener:
        port = str(listener.getsockname()[1])
        said = reach(listener, None, find)
        assert said.here == here.replace("PORT", port)
        assert said.elsewhere == tuple(one.replace("PORT", port) for one in elsewhere)
        where = said.here.removeprefix("http://").rpartition(":")[0].strip("[]")
        socket.create_connection((where, int(port)), timeout=5).close()


def test_every_address_of_both_kinds_is_listened_on() -> None:
    with open_listener("::", 0) as listener:
        port = listener.getsockname()[1]
        for host in ("127.0.0.1", "::1"):
            socket.create_connection((host, port), timeout=5).close()


def test_links_lead_phones_to_a_server_that_they_may_ask() -> None:
    with open_listener(EVERY_IPV4, 0) as listener:
        port = listener.getsockname()[1]
        plain = reach(listener, None, find)
        secure = reach(listener, Certificate(chain=Path("x.pem"), key=None), find)
        assert plain.in_links() == f"http://localhost:{port}"
        assert secure.in_links() == f"https://192.168.1.7:{port}"
        assert secure.here == f"https://localhost:{port}"
    assert Reached("https://localhost:1").in_links() == "https://localhost:1"


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", EVERY_IPV4, "169.254.3.4", "fe80::1"])
def test_an_address_that_others_cannot_use_is_not_named(address: str) -> None:
    assert not _is_reachable(address)


def test_a_certificate_is_shown_by_tls_1_2_or_newer_with_keys_that_are_used_once(
    tmp_path: Path,
) -> None:
    chain, _ = make_certificate(tmp_path)
    certificate = Certificate(chain=chain, key=tmp_path / "key.pem")
    config = make_config(lambda: None, Serving(certificate=certificate))  # type: ignore[arg-type, misc]  # asked nothing
    config.load()
    tls = config.ssl
    assert isinstance(tls, ssl.SSLContext)
    assert tls.minimum_version >= ssl.TLSVersion.TLSv1_2
    assert tls.maximum_version in {ssl.TLSVersion.TLSv1_3, ssl.TLSVersion.MAXIMUM_SUPPORTED}
    suites = {suite["name"] for suite in tls.get_ciphers()}
    assert all(name.startswith(("TLS_", "ECDHE-", "DHE-")) for name in suites), suites
    assert not [name for name in suites if "NULL" in name or "RC4" in name or "3DES" in name]
