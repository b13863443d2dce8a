from ipaddress import ip_network

import pytest
from starlette.requests import Request

from roundsman.domain.errors import FailedPrecondition
from roundsman.endpoints.transport import Transport
from roundsman.kit.peers import counted_as

PROXIES = Transport((ip_network("10.0.0.0/8"), ip_network("fd00::/8")))
NO_PROXIES = Transport()


def request(peer: str | None, scheme: str = "http", **headers: str) -> Request:
    return Request(
        {
            "type": "http",
            "scheme": scheme,
            "client": None if peer is None else (peer, 50_000),
            "headers": [
                (name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()
            ],
        }
    )


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
def test_this_machine_may_speak_plain_http(peer: str) -> None:
    NO_PROXIES.require_secure(request(peer))
    for told in ("https", "http, https", ""):
        NO_PROXIES.require_secure(request(peer, x_forwarded_proto=told))


@pytest.mark.parametrize("peer", ["10.1.2.3", "203.0.113.9", "2001:db8::1", None])
def test_everybody_may_speak_https(peer: str | None) -> None:
    NO_PROXIES.require_secure(request(peer, "https"))


@pytest.mark.parametrize("peer", ["10.1.2.3", "fd00::7", "::ffff:10.1.2.3"])
@pytest.mark.parametrize("told", ["https", " HTTPS ", "http, https"])
def test_a_trusted_proxy_says_how_the_client_connected(peer: str, told: str) -> None:
    PROXIES.require_secure(request(peer, x_forwarded_proto=told))


@pytest.mark.parametrize(
    ("transport", "peer", "headers"),
    [
        (NO_PROXIES, "10.1.2.3", {"x_forwarded_proto": "https"}),
        (PROXIES, "203.0.113.9", {"x_forwarded_proto": "https"}),
        (PROXIES, "10.1.2.3", {}),
        (PROXIES, "10.1.2.3", {"x_forwarded_proto": "http"}),
        # What a client says before the proxy adds its own counts for nothing.
        (PROXIES, "10.1.2.3", {"x_forwarded_proto": "https, http"}),
        # A proxy on this machine is believed too, when it says that its client came without TLS.
        (NO_PROXIES, "127.0.0.1", {"x_forwarded_proto": "http"}),
        (NO_PROXIES, "::1", {"x_forwarded_proto": "https, http"}),
        (PROXIES, "127.0.0.1", {"x_forwarded_proto": "http"}),
        (PROXIES, "testclient", {"x_forwarded_proto": "https"}),
        (PROXIES, None, {"x_forwarded_proto": "https"}),
    ],
)
def test_plain_http_from_elsewhere_is_refused(
    transport: Transport, peer: str | None, headers: dict[str, str]
) -> None:
    with pytest.raises(FailedPrecondition, match="requests must use HTTPS"):
        transport.require_secure(request(peer, **headers))


@pytest.mark.parametrize(
    ("peer", "forwarded_for", "source"),
    [
        ("10.1.2.3", "198.51.100.7", "198.51.100.7"),
        ("10.1.2.3", "192.0.2.1, 198.51.100.7", "198.51.100.7"),
        ("10.1.2.3", "", "10.1.2.3"),
        ("203.0.113.9", "198.51.100.7", "203.0.113.9"),
        (None, "198.51.100.7", ""),
        ("10.1.2.3", "198.51.100.7:40001", "198.51.100.7"),
        ("10.1.2.3", '"198.51.100.7:40001"', "198.51.100.7"),
        ("10.1.2.3", "[2001:db8::7]:443", "2001:db8::7"),
        ("10.1.2.3", '"[2001:DB8::7]"', "2001:db8::7"),
        ("10.1.2.3", "2001:db8::7", "2001:db8::7"),
        ("10.1.2.3", "::ffff:198.51.100.7", "198.51.100.7"),
        ("10.1.2.3", "junk-1", "10.1.2.3"),
        ("10.1.2.3", "198.51.100.7, unknown", "10.1.2.3"),
        ("10.1.2.3", "198.51.100.7:80:80", "10.1.2.3"),
        ("10.1.2.3", "[198.51.100.7", "198.51.100.7"),
    ],
)
def test_only_a_trusted_proxy_names_the_source(
    peer: str | None, forwarded_for: str, source: str
) -> None:
    assert PROXIES.source(request(peer, x_forwarded_for=forwarded_for)) == source


def test_of_two_lines_the_proxys_own_counts() -> None:
    lines = [(b"x-forwarded-for", b"192.0.2.1"), (b"x-forwarded-for", b"198.51.100.7")]
    scope = {"type": "http", "scheme": "http", "client": ("10.1.2.3", 1), "headers": lines}
    assert PROXIES.source(Request(scope)) == "198.51.100.7"


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("2001:db8:1:2::7", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::7", "2001:db8:1:3::/64"),
        ("::ffff:198.51.100.7", "198.51.100.7"),
        ("", ""),
    ],
)
def test_a_network_of_ipv6_counts_as_one_address(address: str, counted: str) -> None:
    assert counted_as(address) == counted
