"""What a password must be (decisions §13; NIST SP 800-63B-4 section 3.1.1.2)."""

import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum

from roundsman.domain.errors import FieldViolation, InvalidArgument
from roundsman.kit.common_passwords import is_common_password

SHORTEST_PASSWORD = 10
LONGEST_PASSWORD = 200

_FEWEST_DIFFERENT = 3

CONTEXT_WORDS = (
    *("roundsman", "dispatcher", "dispatch", "planner", "planning", "delivery", "deliveries"),
    *("logistics", "console", "drivers", "driver", "routes", "route", "admin", "owner", "viewer"),
)
"""What somebody who guesses at this software tries first."""

_SHORTEST_NAME = 3


def normalized(password: str) -> str:
    """Return a password in the form that is hashed: keyboards write some letters in two ways."""
    return unicodedata.normalize("NFKC", password)


class PasswordWeakness(StrEnum):
    """Why a password is refused."""

    LENGTH = "LENGTH"
    FREQUENT = "FREQUENT"
    EMAIL = "EMAIL"
    CONTEXT = "CONTEXT"


_PROBLEMS: Mapping[PasswordWeakness, str] = {
    PasswordWeakness.LENGTH: f"must have {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters",
    PasswordWeakness.FREQUENT: "is one of the commonest; choose another",
    PasswordWeakness.EMAIL: "must not be the e-mail address",
    PasswordWeakness.CONTEXT: "is made of words that anybody would try first; choose another",
}


class WeakPassword(InvalidArgument):
    """A new password that is too short, too long or easily guessed."""

    def __init__(self, weakness: PasswordWeakness) -> None:
        problem = _PROBLEMS[weakness]
        super().__init__(
            f"password {problem}", [FieldViolation(field="password", description=problem)]
        )
        self.weakness = weakness


def require_good_password(password: str, email: str) -> None:
    """Refuse a new password that is too short, too long or easily guessed."""
    if weakness := _find_weakness(normalized(password), email):
        raise WeakPassword(weakness)


def _find_weakness(password: str, email: str) -> PasswordWeakness | None:
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        return PasswordWeakness.LENGTH
    plain = password.casefold()
    if is_common_password(plain) or len(set(plain)) < _FEWEST_DIFFERENT:
        return PasswordWeakness.FREQUENT
    if plain in {email.casefold(), email.casefold().partition("@")[0]}:
        return PasswordWeakness.EMAIL
    if _is_of_context_words(plain, email.casefold()):
        return PasswordWeakness.CONTEXT
    return None


def _is_of_context_words(plain: str, email: str) -> bool:
    """Say whether no letter is left without words of this software and of the e-mail address."""
    names = [name for name in re.split(r"[\W\d_]+", email) if len(name) >= _SHORTEST_NAME]
    rest = plain
    for word in sorted((*names, *CONTEXT_WORDS), key=len, reverse=True):
        rest = rest.replace(word, "")
    return rest != plain and not any(letter.isalpha() for letter in rest)
