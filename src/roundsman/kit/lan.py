"""Under which addresses other machines of the same network reach this one."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import ip_address

_ELSEWHERE = (
    (socket.AF_INET, "192.0.2.1"),
    (socket.AF_INET, "192.168.255.254"),
    (socket.AF_INET, "10.255.255.254"),
    (socket.AF_INET, "172.31.255.254"),
    (socket.AF_INET6, "2001:db8::1"),
)
"""Addresses of documentation and of private networks: nothing is ever sent to them."""

_ANY_PORT = 9


def lan_addresses() -> tuple[str, ...]:
    """Return the addresses that this machine would use towards others, the usual one first.

    Connecting a datagram socket sends nothing; it has the kernel choose the way there, and with it
    the address of this machine. No list of interfaces is needed, many of which are containers'.
    """
    found = dict.fromkeys(_chosen_addresses())
    return tuple(one for one in found if _is_reachable(one))


def _chosen_addresses() -> Iterator[str]:
    for family, elsewhere in _ELSEWHERE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, _ANY_PORT))
            yield str(probe.getsockname()[0])


def _is_reachable(address: str) -> bool:
    parsed = ip_address(address)
    return not (parsed.is_loopback or parsed.is_unspecified or parsed.is_link_local)
