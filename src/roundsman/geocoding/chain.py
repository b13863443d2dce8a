"""Several geocoders in an order of trust: later ones get what earlier ones did not find."""

from collections.abc import Sequence

from roundsman.domain.address import Address
from roundsman.geocoding.geocoder import Geocoder, Match, Miss


class GeocoderChain:
    """Sends each geocoder, in one batch, the addresses that those before it did not find."""

    def __init__(self, links: Sequence[Geocoder]) -> None:
        self._links = tuple(links)

    @property
    def is_local(self) -> bool:
        """Return whether every geocoder runs on this machine."""
        return all(link.is_local for link in self._links)

    def geocode(self, addresses: Sequence[Address]) -> list[Match | Miss]:
        """Locate each address, in order; a settled miss stays, else the last geocoder's is kept."""
        answers: list[Match | Miss] = [Miss(reason="there is no geocoder")] * len(addresses)
        open_indexes = list(range(len(addresses)))
        for link in self._links:
            if not open_indexes:
                break
            found = link.geocode([addresses[index] for index in open_indexes])
            for index, answer in zip(open_indexes, found, strict=True):
                answers[index] = answer
            open_indexes = [index for index in open_indexes if _is_open(answers[index])]
        return answers

    def geocode_with_each(self, address: Address) -> list[Match | Miss]:
        """Return the answer of each geocoder by itself."""
        return [answer for link in self._links for answer in link.geocode([address])]

    def close(self) -> None:
        """Close every link."""
        for link in self._links:
            link.close()


def _is_open(answer: Match | Miss) -> bool:
    return isinstance(answer, Miss) and not answer.settled
