"""What all platforms say in different words: names, phones, addresses, attributes, moments.

Shops check little of what their customers write, so texts are cut to what is stored here, and what
does not fit its field goes to the attributes, where a planner sees it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from msgspec import structs

from roundsman.domain.address import Address, Contact
from roundsman.domain.imported_stop import Attribute
from roundsman.domain.model import UNSET
from roundsman.domain.store_order import StoreOrderDraft
from roundsman.kit.loading import load
from roundsman.storefronts.delivery_times import DeliveryTimes, find_delivery_times
from roundsman.storefronts.port import ShopConnection

type Json = Any

_LINE = 1_500
_PROSE = 10_000
_LONGEST_EMAIL = 254
_MOST_ATTRIBUTES = 100
_MOST_TAGS = 100
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")


def line(value: Json) -> str:
    """Return a text on one line, as long as may be stored."""
    return " ".join(str(value if value is not None else "").split())[:_LINE]


def prose(value: Json) -> str:
    """Return a text of several lines, as long as may be stored."""
    return str(value if value is not None else "").strip()[:_PROSE]


def tags(values: Iterable[Json]) -> tuple[str, ...]:
    """Return each tag once."""
    return tuple(dict.fromkeys(line(value) for value in values if line(value)))[:_MOST_TAGS]


def attributes(values: Iterable[tuple[Json, Json]]) -> tuple[Attribute, ...]:
    """Return attributes that say something; nested values are none."""
    found = [
        Attribute(key=line(key), value=line(value))
        for key, value in values
        if line(key) and not isinstance(value, dict | list) and line(value)
    ]
    return tuple(found[:_MOST_ATTRIBUTES])


def instant(value: Json) -> datetime:
    """Return a moment of ISO 8601; one without a zone is of UTC."""
    moment = datetime.fromisoformat(str(value))
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def iso(moment: datetime) -> str:
    """Return a moment as interfaces of shops take it, in UTC."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def address(**parts: Json) -> Address:
    """Return an address of whatever there is of it; countries in capitals."""
    cleaned = {name: line(value) for name, value in parts.items()}
    cleaned["country_code"] = cleaned.get("country_code", "").upper()
    return Address(**cleaned)


@dataclass(frozen=True, kw_only=True, slots=True)
class Person:
    """Who gets an order, as the shop has it."""

    first_name: Json = ""
    last_name: Json = ""
    company: Json = ""
    phone: Json = ""
    email: Json = ""
    country_code: str = ""

    def contact(self) -> Contact:
        """Return a contact with what of it may be stored."""
        email = line(self.email)
        return Contact(
            first_name=line(self.first_name),
            last_name=line(self.last_name),
            company=line(self.company),
            phone=self._phone(),
            email=email if _EMAIL.fullmatch(email) and len(email) <= _LONGEST_EMAIL else "",
        )

    def unread(self) -> tuple[tuple[str, str], ...]:
        """Return the phone as it was written where it could not be brought to its form."""
        return (("Phone", line(self.phone)),) if line(self.phone) and not self._phone() else ()

    def _phone(self) -> str:
        try:
            return str(
                load("roundsman.kit.phones:parse_phone")(line(self.phone), self.country_code)
            )
        except ValueError:
            return ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadOrder:
    """A draft with its day and windows, and what of it could not be understood."""

    draft: StoreOrderDraft
    remarks: Sequence[str] = field(default_factory=tuple)


def with_delivery_times(
    draft: StoreOrderDraft, connection: ShopConnection, given: DeliveryTimes | None = None
) -> ReadOrder:
    """Return a draft with the day and windows that its attributes, or else its platform, name."""
    times = find_delivery_times(draft.attributes, connection.date_names, connection.window_names)
    if given is not None:
        times = replace(
            times,
            delivery_date=times.delivery_date or given.delivery_date,
            time_windows=times.time_windows or given.time_windows,
        )
    timed = structs.replace(
        draft, delivery_date=times.delivery_date or UNSET, time_windows=times.time_windows
    )
    return ReadOrder(draft=timed, remarks=times.remarks)


def weigh(value: Json, unit: str) -> int:
    """Return grams of a weight in a unit of shops; 0 for what is none."""
    per_unit = {"g": 1.0, "kg": 1000.0, "oz": 28.349523, "lb": 453.59237, "lbs": 453.59237}
    try:
        return max(0, round(float(value) * per_unit.get(unit.lower(), 0.0)))
    except (TypeError, ValueError):
        return 0


def https_url(value: Json) -> str:
    """Return a link that may be stored; empty for any other."""
    text = str(value or "")
    return text if re.fullmatch(r"https://[^\s/?#@]+([/?#]\S*)?", text) else ""
