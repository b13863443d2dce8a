"""Where a server says that it listens is where it answers."""

import socket
from pathlib import Path

import pytest

from roundsman.cli.server import Certificate, Reached, open_listener, reach
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
