"""A shop of so many orders in a process of its own: `python -m bench.shop PLATFORM ORDERS`.

Prints its address and serves until its standard input ends. `/bench/calls` answers how often it was
asked; `/bench/change?number=7&quantity=4` changes an order.
"""

import itertools
import sys

from tests.storefronts.platform_shops import KINDS, Facts, PlatformShop
from tests.storefronts.web_shop import Answer, Asked, serve


class CountedShop:
    """A shop that counts what it is asked."""

    def __init__(self, kind: PlatformShop, orders: int) -> None:
        self.kind = kind
        self.calls = 0
        self.seconds = itertools.count(orders + 1)
        for number in range(1, orders + 1):
            kind.put(number, Facts(second=number))

    def answer(self, asked: Asked) -> Answer:
        """Answer the platform's interface, or the bench."""
        match asked.path:
            case "/bench/calls":
                return Answer({"calls": self.calls})
            case "/bench/change":
                quantity, number = int(asked.query["quantity"]), int(asked.query["number"])
                self.kind.put(number, Facts(second=next(self.seconds), quantity=quantity))
                return Answer({"id": self.kind.id_of(number)})
        self.calls += 1
        return self.kind.answer(asked)


def main() -> None:
    """Serve until nobody listens."""
    platform, orders = sys.argv[1:]
    with serve(CountedShop(KINDS[platform](), int(orders)).answer) as address:
        print(address, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
