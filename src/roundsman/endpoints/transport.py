"""How a request came here: over HTTPS, from this machine, or through a proxy that is trusted."""

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network

from starlette.requests import Request

from roundsman.domain.errors import FailedPrecondition, PreconditionViolation
from roundsman.kit.peers import is_loopback, parse_forwarded, read_peer

type Subnet = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class Transport:
    """Which proxies may report how the client connected (decisions §3, HTTPS)."""

    trusted_proxies: Sequence[Subnet] = ()

    def is_https(self, request: Request) -> bool:
        """Say whether the client came by HTTPS, to us or to a proxy that is believed."""
        host = _host(request)
        is_believed = is_loopback(host) or self._is_trusted(host)
        reported = self._reported_scheme(request) if is_believed else ""
        return (reported or request.scope["scheme"]) == "https"

    def require_secure(self, request: Request) -> None:
        """Refuse plain HTTP from anywhere but this machine, and what a proxy had by plain HTTP.

        A proxy on this machine counts as one, named as trusted or not: who lies there could as
        well come without a proxy.
        """
        host = _host(request)
        if self.is_https(request) or (is_loopback(host) and not self._reported_scheme(request)):
            return
        message = "requests must use HTTPS"
        violation = PreconditionViolation(type="https", subject="request", description=message)
        raise FailedPrecondition(message, [violation])

    def source(self, request: Request) -> str:
        """Return the address that a request came from, as a trusted proxy reports it.

        The last entry counts, which the proxy wrote; where that is no address, the proxy's own.
        """
        host = _host(request)
        if not self._is_trusted(host):
            return host
        reported = request.headers.getlist("x-forwarded-for")
        return (parse_forwarded(reported[-1].split(",")[-1]) if reported else "") or host

    @staticmethod
    def _reported_scheme(request: Request) -> str:
        """Return how the client came to the proxy, as that says; "" where it says nothing."""
        reported = request.headers.getlist("x-forwarded-proto")
        return reported[-1].split(",")[-1].strip().lower() if reported else ""

    def _is_trusted(self, host: str) -> bool:
        peer = read_peer(host) if self.trusted_proxies else None
        return peer is not None and any(peer in subnet for subnet in self.trusted_proxies)


def _host(request: Request) -> str:
    client = request.scope.get("client")
    return client[0] if client else ""
