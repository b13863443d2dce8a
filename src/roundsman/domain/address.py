"""Where and who: postal addresses, coordinates and contacts."""

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


class Address(Model):
    """A postal address; any part may be empty."""

    address1: Line = ""
    address2: Line = ""
    city: Line = ""
    province_code: Line = ""
    country_code: Line = ""
    zip: Line = ""

    def is_blank(self) -> bool:
        """Say whether no part says anything."""
        return not self.one_line()

    def one_line(self) -> str:
        """Return the parts that are there, as one would write them on one line."""
        region = " ".join(part.strip() for part in (self.province_code, self.zip) if part.strip())
        parts = (self.address1, self.address2, self.city, region, self.country_code)
        return ", ".join(part.strip() for part in parts if part.strip())


class Coordinates(Model):
    """A point in WGS 84 degrees; always named, never positional."""

    latitude: Annotated[float, Meta(ge=-90, le=90)]
    longitude: Annotated[float, Meta(ge=-180, le=180)]


class Contact(Model):
    """The person or company at a door."""

    first_name: Line = ""
    last_name: Line = ""
    company: Line = ""
    phone: Phone = ""
    email: Email = ""


class Location(Model):
    """A location as a client gives it: an address, coordinates, or both."""

    address: Address | UnsetType = UNSET
    coordinates: Coordinates | UnsetType = UNSET
