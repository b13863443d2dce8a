"""Letters on real sockets: what a mail server is handed, and what it is never handed."""

import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import AuthResult, LoginPassword
from tests.notifications.post_office import PostOffice, open_post_office
from tests.notifications.wiretap import Wiretap, tapped
from tests.webhooks.certificates import make_certificate

from roundsman.notifications.email import (
    Handover,
    Letter,
    Mail,
    MailServer,
    WrongAddress,
    send_letter,
)

NOW = datetime(2024, 7, 1, 12, tzinfo=UTC)
PASSWORD = "open/sesame"
LETTER = Letter(id="msg-1", to="ann@example.com", subject="Hello", text="Good day.", headers={})


@dataclass
class Gate:
    """Whom the server lets in, and whether each sign-in was encrypted."""

    were_encrypted: list[bool] = field(default_factory=list)

    def __call__(
        self, _server: Any, session: Any, _envelope: Any, _mechanism: str, given: Any
    ) -> AuthResult:
        self.were_encrypted.append(session.ssl is not None)
        is_right = given == LoginPassword(b"acme", PASSWORD.encode())
        return AuthResult(success=is_right, handled=False)


@dataclass(frozen=True)
class Served:
    """A mail server that somebody listens in front of."""

    office: PostOffice
    tap: Wiretap
    gate: Gate
    trusted: ssl.SSLContext

    def send(self, url: str, certificates: ssl.SSLContext | None = None) -> Handover:
        server = MailServer.parse(url.replace("PORT", str(self.tap.port)))
        mail = Mail(
            server=server,
            sender="Acme <post@example.com>",
            certificates=certificates or self.trusted,
        )
        return send_letter(mail, LETTER, NOW)

    def overheard(self) -> str:
        return self.tap.sent.decode("latin-1").lower()


@contextmanager
def served(folder: Path, name: str = "127.0.0.1", **options: Any) -> Iterator[Served]:
    """Serve with STARTTLS and sign-in, unless the options say otherwise."""
    authority, context = make_certificate(folder, name)
    gate = Gate()
    usual = {"tls_context": context, "require_starttls": True, "authenticator": gate}
    usual |= {"auth_required": True}
    with ExitStack() as stack:
        given = {name: value for name, value in (usual | options).items() if value is not None}
        office = stack.enter_context(open_post_office(**given))
        tap = stack.enter_context(tapped(office.port))
        yield Served(office, tap, gate, ssl.create_default_context(cafile=str(authority)))


SIGNED_IN = "smtp://acme:open%2Fsesame@127.0.0.1:PORT"
UNHEARD = ("auth", "acme", "mail from", "ann@", "good day")
PLAIN: dict[str, Any] = {
    "tls_context": None,
    "require_starttls": None,
    "auth_require_tls": False,
    "auth_required": None,
}


@pytest.mark.spec("decisions §16")
def test_the_password_and_the_letter_go_out_when_the_connection_is_encrypted(
    tmp_path: Path,
) -> None:
    with served(tmp_path) as server:
        assert server.send(f"{SIGNED_IN}?tls=required") == Handover()
        assert [letter["To"] for letter in server.office.letters] == ["ann@example.com"]
        assert server.gate.were_encrypted == [True]
        assert "starttls" in server.overheard()
        assert not any(word in server.overheard() for word in UNHEARD)


def test_with_smtps_all_is_encrypted_from_the_first_byte(tmp_path: Path) -> None:
    with served(tmp_path / "plain", tls_context=None, require_starttls=None) as plain:
        handed = plain.send(SIGNED_IN.replace("smtp:", "smtps:"))
        assert handed.error
        assert plain.office.letters == []
        assert "acme" not in plain.overheard()
    authority, context = make_certificate(tmp_path)
    gate = Gate()
    options = {"ssl_context": context, "authenticator": gate, "auth_require_tls": False}
    with open_post_office(**options) as office, tapped(office.port) as tap:
        trusted = ssl.create_default_context(cafile=str(authority))
        server = Served(office, tap, gate, trusted)
        assert server.send(SIGNED_IN.replace("smtp:", "smtps:")) == Handover()
        assert len(office.letters) == len(gate.were_encrypted) == 1
        assert "ehlo" not in server.overheard()


@pytest.mark.parametrize("name", ["127.0.0.1", "mail.example.com"])
def test_a_server_whose_certificate_is_not_trusted_is_handed_nothing(
    tmp_path: Path, name: str
) -> None:
    """Neither one that nobody vouches for, nor one that is another server's."""
    with served(tmp_path, name) as server:
        is_known = name != "127.0.0.1"
        certificates = server.trusted if is_known else ssl.create_default_context()
        handed = server.send(f"{SIGNED_IN}?tls=required", certificates)
        assert "the mail server's certificate is not trusted" in handed.error
        assert "nothing was sent" in handed.error
        assert not handed.is_final, "the operator can mend it"
        assert server.office.letters == []
        assert server.gate.were_encrypted == []
        assert "starttls" in server.overheard()
        assert not any(word in server.overheard() for word in UNHEARD)


def test_a_server_that_offers_no_starttls_hears_neither_password_nor_letter(
    tmp_path: Path,
) -> None:
    with served(tmp_path, **PLAIN) as server:
        handed = server.send(f"{SIGNED_IN}?tls=required")
        assert handed.error == "the mail server offers no STARTTLS; nothing was sent"
        assert server.office.letters == []
        assert server.gate.were_encrypted == []
        assert not any(word in server.overheard() for word in UNHEARD)


def test_a_wrong_password_is_said_without_it_and_is_tried_again(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        handed = server.send(f"{SIGNED_IN}?tls=required".replace("sesame", "barley"))
        assert "535" in handed.error
        assert "barley" not in handed.error
        assert not handed.is_final
        assert server.office.letters == []


def test_a_server_on_this_machine_is_spoken_to_as_it_is(tmp_path: Path) -> None:
    with served(tmp_path, **PLAIN) as server:
        assert server.send(SIGNED_IN) == Handover()
        assert server.gate.were_encrypted == [False]
        assert len(server.office.letters) == 1


LINK = (
    f"https://{'.'.join(['deliveries-of-our-town'] * 10)}.example.com"
    "/t/uZRDPR6aTqSfzKNbt-FKoA.0.GTKEJ6ibjQ3vy0Lqp6vv_a3ODDKxItvxnJleFhcPj7g/unsubscribe"
)
"""With a name of a host of some 250 characters, the longest that there is."""


def test_no_header_but_texts_is_encoded_on_its_way(tmp_path: Path) -> None:
    """Mail programs read no encoded word in `List-Unsubscribe` (RFC 2047, 5; RFC 8058)."""
    headers = {
        "List-Unsubscribe": f"<{LINK}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    to = f"{'a' * 64}@{'.'.join(['b' * 45] * 4)}.com"
    with served(tmp_path, **PLAIN) as server:
        mail = Mail(
            server=MailServer(host="127.0.0.1", port=server.tap.port, needs_starttls=False),
            sender=f'"Bäckerei Müller" <d@{"c" * 60}.{"d" * 60}.example.com>',
            certificates=ssl.create_default_context(),
        )
        sent = replace(LETTER, to=to, subject="Schöne Grüße " * 20, headers=headers)
        assert send_letter(mail, sent, NOW) == Handover()
        written = bytes(server.tap.sent)
    lines = written.partition(b"data\r\n")[2].partition(b"\r\n\r\n")[0].split(b"\r\n")
    assert f"List-Unsubscribe: <{LINK}>".encode() in lines
    assert b"List-Unsubscribe-Post: List-Unsubscribe=One-Click" in lines
    assert f"To: {to}".encode() in lines
    names = [line.partition(b":")[0] for line in lines if not line.startswith(b" ")]
    assert b"Message-ID" in names
    encoded = {
        names[sum(not line.startswith(b" ") for line in lines[: index + 1]) - 1]
        for index, line in enumerate(lines)
        if b"=?" in line
    }
    assert encoded == {b"From", b"Subject"}
    assert all(len(line) <= 998 and line.isascii() for line in lines)


ELSEWHERE = MailServer(host="mail.example.com", port=587)


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://mail.example.com", ELSEWHERE),
        ("smtp://mail.example.com?tls=required", ELSEWHERE),
        ("smtp://mail.example.com?tls=none", replace(ELSEWHERE, needs_starttls=False)),
        (
            "smtps://a:b%40c@mail.example.com",
            replace(
                ELSEWHERE, port=465, user="a", password="b@c", is_tls=True, needs_starttls=False
            ),
        ),
        (
            "smtp://a:b@localhost:25?tls=none",
            MailServer(host="localhost", port=25, user="a", password="b", needs_starttls=False),
        ),
    ],
)
def test_what_an_address_says(url: str, server: MailServer) -> None:
    assert MailServer.parse(url) == server


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("smtp://a:b@mail.example.com?tls=none", "would show its password to the network"),
        ("smtps://mail.example.com?tls=none", "takes no \\?tls="),
        ("smtp://mail.example.com?tls=maybe", "\\?tls=none or \\?tls=required"),
        ("http://mail.example.com", "must be smtp://host:587"),
    ],
)
def test_an_address_that_would_not_hold_is_refused(url: str, why: str) -> None:
    with pytest.raises(WrongAddress, match=why):
        MailServer.parse(url)


@pytest.mark.parametrize(
    ("answer", "is_unknown"),
    [
        ("550 5.1.1 <ann@example.com> User unknown", True),
        ("550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found", True),
        ("551 5.1.6 has moved", True),
        ("550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain", False),
        ("550 5.7.1 blocked for its sender's reputation", False),
        ("550 5.1.8 Sender address rejected", False),
        ("550 relay not permitted", False),
        ("450 4.1.1 try again", False),
    ],
)
def test_a_mailbox_is_unknown_where_the_server_says_so_and_not_where_it_refuses_us(
    answer: str,
    *,
    is_unknown: bool,
) -> None:
    with open_post_office() as office:
        office.refusals["ann@example.com"] = answer
        server = MailServer.parse(f"smtp://127.0.0.1:{office.port}")
        mail = Mail(server=server, sender="post@example.com", certificates=UNASKED)
        handed = send_letter(mail, LETTER, NOW)
    assert handed.is_unknown_mailbox is is_unknown
    assert answer[:3] in handed.error


UNASKED = ssl.create_default_context()
"""Nobody is asked for a certificate on this machine."""
