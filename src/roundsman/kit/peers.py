"""The address at the other end of a connection."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address


@lru_cache(maxsize=1024)  # every request asks, and few peers ask most of the requests
def read_peer(host: str) -> IPv4Address | IPv6Address | None:
    """Return a peer's address, None for anything else; IPv4 within IPv6 counts as IPv4."""
    try:
        address = ip_address(host)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


@lru_cache(maxsize=1024)
def is_loopback(host: str) -> bool:
    """Say whether a peer is on this machine."""
    peer = read_peer(host)
    return peer is not None and peer.is_loopback
