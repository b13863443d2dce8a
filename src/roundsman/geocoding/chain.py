"""Several geocoders as one: who comes first is believed, who comes later fills the gaps."""

from collections.abc import Sequence

from roundsman.domain.address import Address
from roundsman.geocoding.geocoder import Geocoder, Match, Miss


class GeocoderChain:
    """Asks each link in one batch for what the links before it did not find."""

    def __init__(self, links: Sequence[Geocoder]) -> None:
        self._links = tuple(links)

    @property
    def is_local(self) -> bool:
        """Say whether every link is on this machine."""
        return all(link.is_local for link in self._links)

    def geocode(self, addresses: Sequence[Address]) -> list[Match | Miss]:
        """Locate each address, in order; a settled miss stays one, else the last link tells why."""
        answers: list[Match | Miss] = [Miss(reason="there is no geocoder")] * len(addresses)
        open_places = list(range(len(addresses)))
        for link in self._links:
            if not open_places:
                break
            found = link.geocode([addresses[place] for place in open_places])
            for place, answer in zip(open_places, found, strict=True):
                answers[place] = answer
            open_places = [place for place in open_places if _is_open(answers[place])]
        return answers

    def ask_all(self, address: Address) -> list[Match | Miss]:
        """Return what each link says of an address by itself."""
        return [answer for link in self._links for answer in link.geocode([address])]

    def close(self) -> None:
        """Close every link."""
        for link in self._links:
            link.close()


def _is_open(answer: Match | Miss) -> bool:
    return isinstance(answer, Miss) and not answer.settled
