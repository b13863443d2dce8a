"""Which addresses events may be sent to: public ones, and those that the operator allows.

A private address would let a client make this server send requests into its own network (SSRF). So
a URL is refused when HTTP clients could read it differently, its host is resolved, and every
address of the host must be public (decisions §9). The same check runs again at every connection,
because a name may resolve to another address by then.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_network,
)
from typing import Protocol
from urllib.parse import SplitResult, urlsplit

type Address = IPv4Address | IPv6Address
type Subnet = IPv4Network | IPv6Network

_LONGEST_URL = 2_048
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NOT_PUBLIC: tuple[Subnet, ...] = tuple(
    ip_network(subnet)
    for subnet in (
        "0.0.0.0/8",  # this network
        "100.64.0.0/10",  # shared by carriers
        "192.0.0.0/24",  # protocol assignments
        "192.88.99.0/24",  # relays of 6to4
        "198.18.0.0/15",  # benchmarks
        "2001::/23",  # protocol assignments, Teredo among them
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which carries an IPv4 address
        "3fff::/20",  # documentation
    )
)
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)", re.ASCII | re.IGNORECASE)
_BRACKETED = re.compile(r"\[[0-9a-f:.]+\](:\d*)?", re.ASCII | re.IGNORECASE)
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*", re.ASCII | re.IGNORECASE)


class RefusedUrl(ValueError):
    """Events are not sent to this URL; the message says what would be right."""


class Unresolvable(OSError):
    """A host name without any address."""


class HostResolver(Protocol):
    """Finds the addresses of host names."""

    def resolve(self, host: str) -> Sequence[Address]:
        """Return every address of a host; raise Unresolvable when it has none."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class AddressGuard:
    """What the operator allows, and the resolver that is used."""

    allowed_subnets: tuple[Subnet, ...]
    resolver: HostResolver

    def check(self, url: str) -> None:
        """Raise RefusedUrl unless events may be sent to this URL."""
        check_url(url, self.allowed_subnets, self.resolver)

    def may_connect(self, address: Address, *, is_encrypted: bool) -> bool:
        """Return whether events may be sent to this address."""
        return may_connect(address, self.allowed_subnets, is_encrypted=is_encrypted)

    def choose_address(self, host: str, *, is_encrypted: bool) -> str:
        """Return one of a host's addresses; raise RefusedUrl when any of them is refused."""
        addresses = _addresses_of(_host_of(_split(f"http://{_in_url(host)}/")), self.resolver)
        if not all(self.may_connect(one, is_encrypted=is_encrypted) for one in addresses):
            raise RefusedUrl("must have a public host, not one of a private or special network")
        # A machine without IPv6 finds such addresses all the same.
        return str(min(addresses, key=lambda address: address.version))


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def is_public(address: Address) -> bool:
    """Return whether an address is reachable from anywhere and stands for no other address.

    IPv4-mapped, NAT64 and other transition addresses are outside 2000::/3 or listed above.
    """
    if isinstance(address, IPv6Address) and (
        address.scope_id is not None or address not in _GLOBAL_UNICAST
    ):
        return False
    if address.is_multicast or address.is_reserved or not address.is_global:
        return False
    return not any(address in subnet for subnet in _NOT_PUBLIC)


def is_allowed(address: Address, allowed_subnets: Sequence[Subnet]) -> bool:
    """Return whether the operator allows this address."""
    return any(address in subnet for subnet in allowed_subnets)


def may_connect(address: Address, allowed_subnets: Sequence[Subnet], *, is_encrypted: bool) -> bool:
    """Return whether events may be sent to this address; checked at every connection."""
    return is_allowed(address, allowed_subnets) or (is_encrypted and is_public(address))


def is_encrypted(url: str) -> bool:
    """Return whether a URL uses TLS; raise RefusedUrl for any scheme but HTTP and HTTPS."""
    parts = _split(url)
    _host_of(parts)
    return parts.scheme == "https"


def check_url(url: str, allowed_subnets: Sequence[Subnet], resolver: HostResolver) -> None:
    """Raise RefusedUrl unless events may be sent to this URL."""
    parts = _split(url)
    addresses = _addresses_of(_host_of(parts), resolver)
    is_https = parts.scheme == "https"
    if all(may_connect(address, allowed_subnets, is_encrypted=is_https) for address in addresses):
        return
    if is_https:
        raise RefusedUrl("must have a public host, not one of a private or special network")
    raise RefusedUrl("must be an https:// URL")


def _split(url: str) -> SplitResult:
    """Parse a URL; refuse what two parsers could read differently."""
    if len(url) > _LONGEST_URL:
        raise RefusedUrl(f"must have at most {_LONGEST_URL} characters, not {len(url)}")
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise RefusedUrl("must be written in ASCII without spaces, backslashes or controls")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise RefusedUrl("must be a URL such as https://example.com/hooks") from error
    if parts.scheme not in {"https", "http"} or not url[len(parts.scheme) :].startswith("://"):
        raise RefusedUrl("must be an https:// URL")
    if "@" in parts.netloc:
        raise RefusedUrl("must not hold a user name or a password")
    if port == 0:
        raise RefusedUrl("must have a port between 1 and 65535")
    if "#" in url:
        raise RefusedUrl("must not have a fragment, which is never sent")
    return parts


def _host_of(parts: SplitResult) -> str | Address:
    """Return the host: an address in its canonical form, or a name."""
    host = parts.hostname or ""
    if parts.netloc.startswith("["):
        if not _BRACKETED.fullmatch(parts.netloc):
            raise RefusedUrl("must write an IP address in its usual form, without a zone")
        return _address_of(host, IPv6Address)
    labels = host.removesuffix(".").split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return _address_of(host, IPv4Address)
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise RefusedUrl("must have a host name of letters, digits, hyphens and dots")
    return host


def _address_of(host: str, kind: type[IPv4Address] | type[IPv6Address]) -> Address:
    try:
        return kind(host)
    except ValueError as error:
        raise RefusedUrl("must write an IP address in its usual form") from error


def _addresses_of(host: str | Address, resolver: HostResolver) -> Sequence[Address]:
    if not isinstance(host, str):
        return [host]
    try:
        addresses = resolver.resolve(host)
    except Unresolvable as error:
        raise RefusedUrl("must have a host that resolves to an address") from error
    if not addresses:
        raise RefusedUrl("must have a host that resolves to an address")
    return addresses
