"""How a request came here: over HTTPS, from this machine, or through a proxy that is trusted."""

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from starlette.requests import Request

from roundsman.domain.errors import FailedPrecondition, PreconditionViolation
from roundsman.kit.peers import read_peer

type Subnet = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class Transport:
    """Which proxies may report how the client connected (decisions §3, HTTPS)."""

    trusted_proxies: Sequence[Subnet] = ()

    def require_secure(self, request: Request) -> None:
        """Refuse plain HTTP from anywhere but this machine."""
        if request.scope["scheme"] == "https":
            return
        peer = read_peer(_host(request))
        if peer is not None and self._is_trusted(peer):
            reported = request.headers.get("x-forwarded-proto", "")
            if reported.split(",")[-1].strip().lower() == "https":
                return
        if peer is not None and peer.is_loopback:
            return
        told = "requests must use HTTPS"
        violation = PreconditionViolation(type="https", subject="request", description=told)
        raise FailedPrecondition(told, [violation])

    def source(self, request: Request) -> str:
        """Return the address that a request came from, as a trusted proxy reports it."""
        host = _host(request)
        peer = read_peer(host)
        if peer is not None and self._is_trusted(peer):
            reported = request.headers.get("x-forwarded-for", "").split(",")[-1].strip()
            return reported or host
        return host

    def _is_trusted(self, peer: IPv4Address | IPv6Address) -> bool:
        return any(peer in subnet for subnet in self.trusted_proxies)


def _host(request: Request) -> str:
    client = request.scope.get("client")
    return client[0] if client else ""
