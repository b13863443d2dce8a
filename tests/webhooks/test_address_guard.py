from ipaddress import ip_address, ip_network

import pytest
from tests.webhooks.names import KnownNames

from roundsman.webhooks.address_guard import (
    AddressGuard,
    RefusedUrl,
    Unresolvable,
    check_url,
    is_public,
)
from roundsman.webhooks.resolution import SystemResolver

FINE = [
    "https://example.com",
    "https://example.com/",
    "HTTPS://EXAMPLE.COM/Hooks",
    "https://example.com.",
    "https://example.com:8443/hooks?shop=1&b=%20",
    "https://example.com:/hooks",
    "https://hooks.example.com/a/b;c=d/@e",
    "https://six.example.com/",
    "https://93.184.215.14/hooks",
    "https://8.8.8.8:443",
    "https://[2606:4700:4700::1111]/hooks",
    "https://[2606:4700:4700::1111]:8443/hooks",
]

HOSTILE_HOSTS = [
    # Loopback, private, link-local and other special IPv4.
    *("127.0.0.1", "127.0.0.1:443", "127.1.2.3", "127.255.255.255", "0.0.0.0:443", "0.1.2.3"),
    *("10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1"),
    *("192.168.255.255", "169.254.169.254", "169.254.0.1", "100.64.0.1", "100.127.255.255"),
    *("192.0.0.1", "192.0.0.9", "192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1"),
    *("198.19.255.255", "192.88.99.1", "224.0.0.1", "239.255.255.250", "240.0.0.1"),
    *("255.255.255.255",),
    # Other spellings of 127.0.0.1 and of neighbours.
    *("2130706433", "0x7f000001", "0x7F000001", "017700000001", "127.1", "127.0.1", "0"),
    *("0x0", "0177.0.0.1", "0x7f.0.0.1", "0x7f.1", "127.0.0.0x1", "127.0.0.01", "00127.0.0.1"),
    *("127.0.0.1.", "2852039166", "0xa9fea9fe", "10.1", "3232235521", "1.1.1.1.1", "256.1.1.1"),
    *("127.0.0.1%00", "127%2e0%2e0%2e1", "%31%32%37.0.0.1", "4294967296", "127..1", "1.2.3"),
    # IPv6: loopback, unspecified, link-local, site-local, unique local, multicast, documentation.
    *("[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[fe80::1]", "[febf::1]", "[fec0::1]", "[fc00::1]"),
    *("[fd00:ec2::254]", "[ff02::1]", "[ff0e::1]", "[2001:db8::1]", "[3fff::1]", "[100::1]"),
    *("[5f00::1]", "[4000::1]", "[2001:10::1]", "[2001:20::1]", "[2001:2::1]"),
    # IPv6 that stands for an IPv4 address: mapped, compatible, NAT64, 6to4, Teredo.
    *("[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:10.0.0.1]", "[::ffff:8.8.8.8]"),
    *("[::127.0.0.1]", "[::7f00:1]", "[::ffff:0:127.0.0.1]", "[64:ff9b::7f00:1]"),
    *("[64:ff9b::127.0.0.1]", "[64:ff9b::8.8.8.8]", "[64:ff9b:1::a00:1]", "[2002:7f00:1::]"),
    *("[2002:a00:1::1]", "[2002:808:808::1]", "[2001::7f00:1]", "[2001:0:53aa:64c::1]"),
    # Zones, and brackets that do not hold what they should.
    *("[fe80::1%eth0]", "[fe80::1%25eth0]", "[2606:4700:4700::1111%25lo]", "[127.0.0.1]"),
    *("[v1.a]", "[example.com]", "[::1", "::1", "[::1].example.com", "[]", "[::1]:99999"),
    # Names that resolve to something private, wholly or in part, or to nothing.
    *("localhost", "LOCALHOST", "localhost.", "localhost:8443", "intranet", "half.example.com"),
    *("rebind.example.com", "mapped.example.com", "metadata.example.com", "empty.example.com"),
    *("nowhere.example.com", "localhost.localdomain"),
    # User info, odd ports, and hosts that are none.
    *("user@example.com", "user:secret@example.com", "example.com@127.0.0.1", ":@example.com"),
    *("@example.com", "example.com:0", "example.com:65536", "example.com:http", "example.com:-1"),
    *("", ":443", ".", "..", "-example.com", "example-.com", "exa mple.com", "example.com\\@x"),
    *("example..com", "exam%70le.com", "ex\u0430mple.com", "\uff11\uff12\uff17.0.0.1"),
    *("127\u30020\u30020\u30021", "\u2460.1.1.1", "example.com\t", "example.com\n.evil"),
    *("a" * 64 + ".com", ("a" * 60 + ".") * 5 + "com", "ex*mple.com", "{host}", "a,b.com"),
]
HOSTILE_URLS = [
    *("http://example.com/hooks", "http://127.0.0.1/", "ftp://example.com/", "file:///etc/passwd"),
    *("javascript:alert(1)", "//example.com/", "example.com", "/hooks", "", " ", "https:"),
    *("https://", "https:/example.com", "https:example.com", "https:///example.com", "gopher://x"),
    *("https://example.com/#fragment", "https://example.com/ hooks", "\thttps://example.com/"),
    *("https://example.com/\r\nHost: evil", "https://example.com/\x00", "wss://example.com/"),
    *("https://example.com/" + "x" * 2_048, "unix:///var/run/docker.sock", "https:\\\\x.com"),
    *("https://example.com/\u00e9", "httpsx://example.com", "https+unix://example.com/"),
]


@pytest.mark.spec("decisions §9")
@pytest.mark.parametrize("url", FINE)
def test_public_receivers_are_fine(url: str) -> None:
    check_url(url, (), KnownNames())


@pytest.mark.spec("decisions §9")
@pytest.mark.parametrize(
    "url", [*(f"https://{host}/hooks" for host in HOSTILE_HOSTS), *HOSTILE_URLS], ids=ascii
)
def test_hostile_receivers_are_refused(url: str) -> None:
    with pytest.raises(RefusedUrl, match=r"^must "):
        check_url(url, (), KnownNames())


@pytest.mark.spec("decisions §9")
@pytest.mark.parametrize(
    ("url", "is_fine"),
    [
        ("https://127.0.0.1:8443/", True),
        ("http://127.0.0.1:8080/", True),
        ("http://localhost:8080/", True),
        ("http://rebind.example.com/", True),
        ("https://10.0.0.5/", True),
        ("http://[fd00::5]/", True),
        ("https://half.example.com/", True),
        ("http://half.example.com/", False),
        ("http://example.com/", False),
        ("http://10.1.0.5/", False),
        ("http://2130706433/", False),
        ("http://[::ffff:127.0.0.1]/", False),
        ("http://user@127.0.0.1/", False),
        ("ftp://127.0.0.1/", False),
    ],
)
def test_what_the_operator_allows_is_fine_over_plain_http_too(url: str, is_fine: object) -> None:
    allowed = [ip_network(text) for text in ("127.0.0.0/8", "10.0.0.0/16", "fd00::/8")]
    if is_fine:
        check_url(url, allowed, KnownNames())
    else:
        with pytest.raises(RefusedUrl):
            check_url(url, allowed, KnownNames())


@pytest.mark.spec("decisions §9")
def test_every_address_of_a_private_range_is_known_at_its_edges() -> None:
    for text, public in {
        "9.255.255.255": True,
        "11.0.0.0": True,
        "172.15.255.255": True,
        "172.32.0.0": True,
        "100.63.255.255": True,
        "100.128.0.0": True,
        "223.255.255.255": True,
        "2600::": True,
        "2001:200::1": True,
        "2001:1ff::1": False,
        "2003::1": True,
        "fe80::1%eth0": False,
        "2606:4700:4700::1111%1": False,
    }.items():
        assert is_public(ip_address(text)) is public, text


def test_the_system_resolver_knows_this_machine_and_refuses_nonsense() -> None:
    assert all(address.is_loopback for address in SystemResolver().resolve("localhost"))
    with pytest.raises(Unresolvable):
        SystemResolver().resolve("a" * 64)


def test_a_connection_goes_to_an_address_of_a_host_of_which_all_are_allowed() -> None:
    guard = AddressGuard(allowed_subnets=(ip_network("127.0.0.0/8"),), resolver=KnownNames())
    assert guard.choose_address("example.com", is_encrypted=True) == "93.184.215.14"
    assert guard.choose_address("2606:4700:4700::1111", is_encrypted=True) == "2606:4700:4700::1111"
    assert guard.choose_address("localhost", is_encrypted=False) == "127.0.0.1"
    for host in ("half.example.com", "metadata.example.com", "10.0.0.5", "::1", "nowhere.test"):
        with pytest.raises(RefusedUrl):
            guard.choose_address(host, is_encrypted=True)
    with pytest.raises(RefusedUrl):
        guard.choose_address("example.com", is_encrypted=False)
