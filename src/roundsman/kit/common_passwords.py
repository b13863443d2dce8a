"""The commonest passwords, from published lists; where they are from stands at the file's head."""

from functools import cache
from importlib.resources import files


def is_common_password(text: str) -> bool:
    """Say whether a text is one of the commonest of ten characters and more, in any case."""
    return text.casefold() in list_common_passwords()


@cache  # read when somebody first chooses a password
def list_common_passwords() -> frozenset[str]:
    """Return all of them, in small letters."""
    text = files("roundsman.kit").joinpath("common_passwords.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if not line.startswith("# "))
