"""Erasing a driver: what in a stored document is the driver's, and what of it is left.

That a driver, known by the id alone, drove a route and when stays: accounting needs it. What the
driver did at a customer's door is about the customer, and stays until that customer is erased or
the proof is too old; where the driver stood meanwhile goes.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from roundsman.domain.driver import Driver, DriverStatus, name_of_driver
from roundsman.domain.erasure import Document
from roundsman.domain.position_erasure import is_on_road, leaving_from_town, without_line

_KEPT_OF_DRIVER = ("id", "status")
_POSITIONS = ("lastFix", "lastPosition", "position")
_ORIGINS = ("ipAddress", "userAgent", "email")
_OF_OTHERS = ("contact", "address", "recipientName")
"""A customer's own fields: a customer may have the driver's name, or be the same person."""

_DOOR = "deliveredCoordinates"
_ERASED = "\N{HORIZONTAL ELLIPSIS}"
"""In a text, in place of what was the driver's: never longer, so no text becomes too long."""

_MEMBER = "mem-"


def erased_driver(driver: Driver) -> Driver:
    """Return what is left of a driver: an id that routes name."""
    return Driver(id=driver.id, status=DriverStatus.ARCHIVED)


class DriverSearch:
    """Finds in documents what is about a driver."""

    def __init__(self, driver: Driver) -> None:
        self._id = driver.id
        full_name = name_of_driver(driver) if driver.first_name and driver.last_name else ""
        # A first name alone is the name of many.
        known = [text for text in (full_name, driver.phone, driver.email) if text]
        self._words = [text.casefold() for text in known]
        pattern = "|".join(re.escape(text) for text in known)
        self._pattern = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE) if known else None

    def repeats_words(self, text: str) -> bool:
        """Say whether a text repeats the driver's full name, phone or e-mail."""
        folded = text.casefold()
        return any(word in folded for word in self._words)

    def scrub(self, document: Document, stops_at_door: Collection[str] = ()) -> Document:
        """Return a document without the driver's data; the same one where it has none.

        `stops_at_door` are the stops at whose doors this driver was.
        """
        scrubbed = self._scrub(document, stops_at_door)
        return document if scrubbed == document else scrubbed

    def _scrub(self, value: Document, stops: Collection[str], name: str = "") -> Document:
        if isinstance(value, dict):
            return self._scrub_object(value, stops)
        if isinstance(value, list):
            return [self._scrub(one, stops, name) for one in value]
        if isinstance(value, str) and self._pattern is not None and not _is_id(name):
            return self._pattern.sub(_ERASED, value)
        return value

    def _scrub_object(self, one: Mapping[str, Any], stops: Collection[str]) -> Document:
        if one.get("id") == self._id:
            return {
                name: "" if isinstance(value, str) and name not in _KEPT_OF_DRIVER else value
                for name, value in one.items()
            }
        if str(one.get("id", "")).startswith(_MEMBER):
            return one
        inner = {
            name: value if name in _OF_OTHERS else self._scrub(value, stops, name)
            for name, value in one.items()
        }
        gone: tuple[str, ...] = (_DOOR,) if one.get("id") in stops else ()
        if self._is_of_driver(one):
            gone += (*_POSITIONS, *_ORIGINS)
            if "inviteUrl" in inner:
                inner["inviteUrl"] = ""
            if is_on_road(one):
                inner = leaving_from_town(inner)
            inner = without_line(inner)
        return {name: value for name, value in inner.items() if name not in gone}

    def _is_of_driver(self, one: Mapping[str, Any]) -> bool:
        driver = one.get("driver")
        shown = driver.get("id") if isinstance(driver, dict) else None
        return self._id in {one.get("driverId"), shown}


def list_doors(document: Document) -> Iterator[str]:
    """Yield the stops of a document that say where their drivers stood at the door."""
    if isinstance(document, dict):
        if _DOOR in document:
            yield str(document.get("id", ""))
        for value in document.values():
            yield from list_doors(value)
    elif isinstance(document, list):
        for value in document:
            yield from list_doors(value)


def _is_id(name: str) -> bool:
    """Say whether a field is read by programs: another value would be another thing."""
    return name == "id" or name.endswith(("Id", "Ids", "url", "Url"))
