"""How many connections one address may hold open: nobody needs all of them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_network

from roundsman.kit.peers import counted_as, read_peer

MOST_CONNECTIONS = 500
THIS_MACHINE = (ip_network("127.0.0.0/8"), ip_network("::1"))


@dataclass(frozen=True, kw_only=True, slots=True)
class ConnectionCounts:
    """Counts connections by address; those of `exempt` subnets are not counted."""

    most: int = MOST_CONNECTIONS
    exempt: Sequence[IPv4Network | IPv6Network] = THIS_MACHINE
    _open: Counter[str] = field(default_factory=Counter)

    def enter(self, address: str) -> bool:
        """Say whether one more may be held open, and count it."""
        if self._is_exempt(address):
            return True
        counted = counted_as(address)
        if self._open[counted] >= self.most:
            return False
        self._open[counted] += 1
        return True

    def leave(self, address: str) -> None:
        """Count one less, which had entered."""
        if self._is_exempt(address):
            return
        counted = counted_as(address)
        self._open[counted] -= 1
        if not self._open[counted]:
            del self._open[counted]

    def _is_exempt(self, address: str) -> bool:
        peer = read_peer(address)
        return peer is not None and any(peer in subnet for subnet in self.exempt)
