"""Where to go on reading a shop whose orders are listed by when they changed."""

from datetime import datetime, timedelta

from roundsman.storefronts.reading import instant, iso

_OVERLAP = timedelta(minutes=2)
"""Clocks of a shop's machines differ, and what was changed first may be listed later."""


class TimeCursor:
    """A moment to read from, and on later pages the place among what is found there."""

    def __init__(self, text: str, since: datetime) -> None:
        begin, _, self.place = text.partition("|")
        self.after = instant(begin) if begin else since

    def next_page(self, place: object) -> str:
        """Return the cursor of a further page."""
        return f"{iso(self.after)}|{place}"

    def next_visit(self, changed_last: object) -> str:
        """Return where the next visit begins: a little before the last change that was seen."""
        last = instant(changed_last) - _OVERLAP if changed_last else self.after
        return iso(max(last, self.after))
