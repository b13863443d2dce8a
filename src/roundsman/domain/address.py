"""Where and who: postal addresses, coordinates and contacts."""

from math import hypot
from typing import Annotated

from msgspec import Meta

from roundsman.domain.model import UNSET, Line, Model, UnsetType

type Phone = Annotated[
    str,
    Meta(
        pattern=r"^(\+[1-9][0-9]{1,14})?$",
        description="a phone number in E.164 form, such as +14105550123",
    ),
]
type Email = Annotated[
    str,
    Meta(
        pattern=r"^([^@\s]+@[^@\s]+)?$",
        max_length=254,
        description="an e-mail address, such as name@example.com",
    ),
]
type RequiredEmail = Annotated[
    str,
    Meta(
        pattern=r"^[^@\s]+@[^@\s]+$",
        max_length=254,
        description="an e-mail address, such as name@example.com",
    ),
]


class EmailAddress(Model):
    """An e-mail address alone, as commands take it."""

    email: RequiredEmail


class Address(Model):
    """A postal address; any part may be empty."""

    address1: Line = ""
    """House number and street."""

    address2: Line = ""
    """What is needed besides, such as a floor or a flat."""

    city: Line = ""
    """The town or village."""

    province_code: Line = ""
    """The state or province, as its short code where there is one, such as MD."""

    country_code: Line = ""
    """The country's code of two letters (ISO 3166-1)."""

    zip: Line = ""
    """The postal code."""

    def is_blank(self) -> bool:
        """Say whether no part says anything."""
        return not self.one_line()

    def one_line(self) -> str:
        """Return the parts that are there, as one would write them on one line."""
        region = " ".join(part.strip() for part in (self.province_code, self.zip) if part.strip())
        parts = (self.address1, self.address2, self.city, region, self.country_code)
        return ", ".join(part.strip() for part in parts if part.strip())


_NOWHERE_DEGREES = 0.001
"""Within a hundred metres of 0,0: in the Gulf of Guinea."""


class Coordinates(Model):
    """A point in WGS 84 degrees; always named, never positional."""

    latitude: Annotated[float, Meta(ge=-90, le=90)]
    """Degrees to the north; negative to the south."""

    longitude: Annotated[float, Meta(ge=-180, le=180)]
    """Degrees to the east; negative to the west."""

    def is_nowhere(self) -> bool:
        """Tell of the sea at 0,0, as lists and receivers say that know no place."""
        return hypot(self.latitude, self.longitude) < _NOWHERE_DEGREES


class Contact(Model):
    """The person or company at a door."""

    first_name: Line = ""
    """The customer's first name."""

    last_name: Line = ""
    """The customer's last name."""

    company: Line = ""
    """The company at the door."""

    phone: Phone = ""
    email: Email = ""


class Location(Model):
    """A location as a client gives it: an address, coordinates, or both."""

    address: Address | UnsetType = UNSET
    """Where it is in words; looked up where there are no coordinates."""

    coordinates: Coordinates | UnsetType = UNSET
    """Where it is; the address, if there is one, is kept beside them as it is."""
