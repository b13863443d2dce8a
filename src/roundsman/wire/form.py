"""Forms as OAuth 2.0 sends them: each parameter once, an empty one as good as none."""

from urllib.parse import parse_qsl, unquote_plus

from roundsman.domain.errors import LONGEST_NAME, InvalidArgument

FORM = "application/x-www-form-urlencoded"


def read_form(body: bytes) -> dict[str, str]:
    """Return the parameters of a form (RFC 6749, section 3.2 and appendix B)."""
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, errors="strict")
    except UnicodeDecodeError:
        raise InvalidArgument("the form must be UTF-8") from None
    form: dict[str, str] = {}
    for name, value in pairs:
        if name in form:
            raise InvalidArgument(f"{name[:LONGEST_NAME]} is given more than once")
        form[name] = value
    return {name: value for name, value in form.items() if value}


def decode_form_value(text: str) -> str:
    """Return what a value stood for before it was form-urlencoded."""
    return unquote_plus(text, errors="strict")
