"""Host names of a world without a network."""

from collections.abc import Sequence
from ipaddress import ip_address

from roundsman.webhooks.address_guard import Address, Unresolvable

NAMES = {
    "example.com": ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"],
    "hooks.example.com": ["93.184.215.14"],
    "six.example.com": ["2606:2800:21f:cb07:6820:80da:af6b:8b2c"],
    "localhost": ["127.0.0.1"],
    "intranet": ["10.0.0.5"],
    "half.example.com": ["93.184.215.14", "10.0.0.5"],
    "rebind.example.com": ["127.0.0.1"],
    "mapped.example.com": ["::ffff:10.0.0.5"],
    "metadata.example.com": ["169.254.169.254"],
    "empty.example.com": [],
}


class KnownNames:
    """Resolves the names it was given, and no other."""

    def __init__(self, names: dict[str, list[str]] = NAMES) -> None:
        self._names = names

    def resolve(self, host: str) -> Sequence[Address]:
        if host.removesuffix(".") not in self._names:
            raise Unresolvable(host)
        return [ip_address(text) for text in self._names[host.removesuffix(".")]]
