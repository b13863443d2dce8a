"""The address at the other end of a connection."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address


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


def parse_forwarded(text: str) -> str:
    """Return the address that a proxy wrote down, whatever port or quotes it wrote with it.

    "" for what is no address: a name, a placeholder, or whatever the client itself sent.
    """
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    address = read_peer(text)
    return "" if address is None else str(address)


@lru_cache(maxsize=1024)
def counted_as(address: str) -> str:
    """Return what an address is counted as: one customer of a network has a whole /64 of IPv6."""
    peer = read_peer(address)
    if isinstance(peer, IPv6Address):
        return str(IPv6Network((int(peer), 64), strict=False))
    return address if peer is None else str(peer)
