"""Phone numbers as people write them, to the E.164 form that contacts are kept in.

A number that begins with its country's code is taken by its form. One in national form means
something in its own country only: it is taken when that country is known and the
number is a valid one there, and is not guessed otherwise.
"""

import re
from collections.abc import Callable

import phonenumbers

_DECORATION = re.compile(r"[\s().\-/\N{NO-BREAK SPACE}]|^tel:")
_E164 = re.compile(r"\+[1-9]\d{1,14}", re.ASCII)
_ISO_LETTERS = 2

type CountryOf = Callable[[str], str | None]
"""Returns the ISO code of a country as written; None when there is no such country."""


def iso_code(written: str) -> str | None:
    """Return the text if it is an ISO code; names are known to the geocoding room."""
    return written.upper() if len(written) == _ISO_LETTERS and written.isalpha() else None


def parse_phone(text: str, country: str) -> str:
    """Return the number in E.164 form; `country` is an ISO code or empty. Raise ValueError."""
    # A national prefix in brackets, +49 (0)6221, is dialled by nobody from abroad.
    text = re.sub(r"^(\s*(?:\+|00)[^()]*)\(0\)", r"\1", text)
    bare = re.sub(r"^00", "+", _DECORATION.sub("", text))
    if _E164.fullmatch(bare):
        return bare
    if len(country) != _ISO_LETTERS or bare.startswith("+"):
        raise ValueError("is not of the form +14105550123")
    try:
        number = phonenumbers.parse(text, country.upper())
    except phonenumbers.NumberParseException as error:
        raise ValueError("is no phone number") from error
    if not phonenumbers.is_valid_number(number):
        raise ValueError(f"is no phone number of {country.upper()}")
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
