"""What a letter looks like on its way, whatever somebody has typed."""

import ssl
from datetime import UTC, datetime

import pytest

from roundsman.notifications.email import Letter, Mail, MailServer, make_letter, send_letter

NOW = datetime(2024, 7, 1, 12, tzinfo=UTC)
MAIL = Mail(
    server=MailServer(host="127.0.0.1", port=1),
    sender="Acme <deliveries@example.com>",
    certificates=ssl.create_default_context(),
)


def letter(**fields: str) -> Letter:
    usual = {"id": "msg-1", "to": "ann@example.com", "subject": "Soon", "text": "Hello"}
    return Letter(**{**usual, **fields}, headers={})


@pytest.mark.parametrize(
    "fields",
    [
        {"subject": "Soon\r\nBcc: eve@example.com"},
        {"subject": "Soon\nBcc: eve@example.com"},
        {"to": "ann@example.com\r\nBcc: eve@example.com"},
        {"to": "ann@example.com, eve@example.com"},
        {"to": "ann@example.com>\r\nRCPT TO:<eve@example.com"},
    ],
)
def test_nothing_in_a_letter_adds_a_header_or_a_recipient(fields: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"(?i)addr|header|linefeed|newline|CR or LF"):
        make_letter(MAIL, letter(**fields), NOW)
    handed = send_letter(MAIL, letter(**fields), NOW)
    assert (handed.is_final, bool(handed.error)) == (True, True)


def test_a_text_stays_text_in_the_html_of_a_letter() -> None:
    made = make_letter(MAIL, letter(text="<b>x</b> https://example.com/a?b&c"), NOW)
    page = made.get_body(("html",))
    assert page is not None
    assert "&lt;b&gt;x&lt;/b&gt;" in page.get_content()
    assert 'href="https://example.com/a?b&amp;c"' in page.get_content()


@pytest.mark.parametrize("text", ["See {}.", "It is here (see {}), thank you", "{}!", "{}…", "{}"])
def test_a_link_ends_before_what_ends_its_sentence(text: str) -> None:
    link = "https://example.com/t/9hjb.0.7pIj-_nMA_"
    made = make_letter(MAIL, letter(text=text.format(link)), NOW)
    page = made.get_body(("html",))
    assert page is not None
    assert f'<a href="{link}">{link}</a>' in page.get_content()
