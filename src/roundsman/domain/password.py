"""What a password must be (decisions §13; NIST SP 800-63B-4 section 3.1.1.2)."""

import re
import unicodedata

from roundsman.domain.errors import FieldViolation, InvalidArgument

SHORTEST_PASSWORD = 10
LONGEST_PASSWORD = 200

_FEWEST_DIFFERENT = 3

_COMMON = """
0123456789 0987654321 1029384756 1111111111 1112223333 1122334455 1123581321 1212121212 123456789a
1234567890 12345678900 12345678910 123456789q 1234567891 123456789123 123qweasdzxc 1357924680
147258369a 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc 9876543210 a123456789 aa12345678 abc1234567
abcd123456 abcdefghij administrator baseball123 basketball changeme123 charlie123 chocolate1
computer123 dispatcher1 dragon1234 football123 iloveyou123 iloveyou12 letmein123 liverpool1
manchester michelle12 monkey1234 motdepasse123 p@ssw0rd123 p@ssword123 pass123456 passw0rd123
password01 password10 password11 password12 password123 password1234 password12345 passwort123
password1! password123! password!! planner123 princess12 q1w2e3r4t5 q1w2e3r4t5y6 qazwsxedcrfv
qwe1234567 qwer123456 qwerty1234 qwerty12345 qwerty123456 qwertyuiop qwertyuiop123 qwertzuiop
qwertz12345 roundsman1 roundsman12 roundsman123 starwars123 summer2024 summer2025 summer2026
sunshine12 superman123 temp123456 test123456 testtest123 trustno1234 welcome123 welcome1234
whatever123 winter2024 winter2025 winter2026 zaq12wsxcde3 zxcvbnm123 zxcvbnmasd
"""

COMMON_PASSWORDS = frozenset(_COMMON.split())
"""The commonest of ten characters and more, in small letters."""

CONTEXT_WORDS = (
    *("roundsman", "dispatcher", "dispatch", "planner", "planning", "delivery", "deliveries"),
    *("logistics", "console", "drivers", "driver", "routes", "route", "admin", "owner", "viewer"),
)
"""What somebody who guesses at this software tries first."""

_SHORTEST_NAME = 3


def normalized(password: str) -> str:
    """Return a password in the form that is hashed: keyboards write some letters in two ways."""
    return unicodedata.normalize("NFKC", password)


def require_good_password(password: str, email: str) -> None:
    """Refuse a new password that is too short, too long or easily guessed."""
    if problem := _problem(normalized(password), email):
        raise InvalidArgument(
            f"password {problem}", [FieldViolation(field="password", description=problem)]
        )


def _problem(password: str, email: str) -> str:
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        return f"must have {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters"
    plain = password.casefold()
    if plain in COMMON_PASSWORDS or len(set(plain)) < _FEWEST_DIFFERENT:
        return "is one of the commonest; choose another"
    if plain in {email.casefold(), email.casefold().partition("@")[0]}:
        return "must not be the e-mail address"
    if _is_of_context_words(plain, email.casefold()):
        return "is made of words that anybody would try first; choose another"
    return ""


def _is_of_context_words(plain: str, email: str) -> bool:
    """Say whether no letter is left without words of this software and of the e-mail address."""
    names = [name for name in re.split(r"[\W\d_]+", email) if len(name) >= _SHORTEST_NAME]
    rest = plain
    for word in sorted((*names, *CONTEXT_WORDS), key=len, reverse=True):
        rest = rest.replace(word, "")
    return rest != plain and not any(letter.isalpha() for letter in rest)
