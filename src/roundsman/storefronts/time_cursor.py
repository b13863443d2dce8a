"""Where to go on reading a shop whose orders are listed by when they changed."""

from datetime import datetime, timedelta

from roundsman.storefronts.reading import instant, iso

_OVERLAP = timedelta(minutes=2)
"""Clocks of a shop's machines differ, and what was changed first may be listed later."""

_TIES = 10
"""Orders of one moment that two pages have both: what leaves it meanwhile moves the others up."""

_NO_TIME = timedelta(0)


class TimeCursor:
    """A moment to read from, and on later pages the place among what is found there."""

    def __init__(self, text: str, since: datetime) -> None:
        begin, _, self.place = text.partition("|")
        self.after = instant(begin) if begin else since

    def next_page(self, place: object) -> str:
        """Return the cursor of a further page."""
        return f"{iso(self.after)}|{place}"

    def next_page_from(self, changed_last: object, size: int, tick: timedelta = _NO_TIME) -> str:
        """Return the cursor of a further page of a list that is paged by counting.

        An order that changes while pages are read moves to the end, and all behind it up by one;
        so the next page begins at the last change seen, and counts only among orders of one
        moment. `tick` is the smallest step of a shop whose list leaves out the moment itself.
        """
        moment = instant(changed_last) - tick
        if moment > self.after:
            return f"{iso(moment)}|0"
        return self.next_page(int(self.place or 0) + size - _TIES)

    def next_visit(self, changed_last: object) -> str:
        """Return where the next visit begins: a little before the last change that was seen."""
        return iso(instant(changed_last) - _OVERLAP if changed_last else self.after)
