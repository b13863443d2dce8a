"""The address at the other end of a connection."""

from ipaddress import IPv4Address, IPv6Address, ip_address


def read_peer(host: str) -> IPv4Address | IPv6Address | None:
    """Return a peer's address, None for anything else; IPv4 within IPv6 counts as IPv4."""
    try:
        address = ip_address(host)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
