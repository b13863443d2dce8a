"""E-mail by SMTP: what a letter looks like, and how it is handed to the server.

A server elsewhere has to offer STARTTLS with a certificate that is valid for its name, unless the
setting says that it has none; otherwise whoever sits between could read the letters. No password
goes to another machine unencrypted, whatever the setting says. A server on this machine is spoken
to as it is, unless the setting asks for STARTTLS there, too.
"""

import html
import re
import smtplib
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime, parseaddr
from ipaddress import ip_address
from urllib.parse import parse_qsl, unquote, urlsplit

SECONDS = 10.0
"""How long the server may take for each step but the last."""

_TAKING_SECONDS = 60.0
"""How long it may take to say that it has the letter: it looks through it meanwhile. RFC 5321
(4.5.3.2.6) asks for ten minutes; a process that is stopped does not wait so long."""

_LINK = re.compile(r"https?://[^\s<>\"]*[A-Za-z0-9/_=&#%~+-]")
"""What ends a sentence, or closes a bracket, behind a link is none of it."""

_LONGEST_ERROR = 300
_UNKNOWN_MAILBOX = re.compile(r"5\.1\.(1|6|10)(?![0-9])")
"""RFC 3463: no such mailbox, one that has moved; RFC 7505: a domain that takes no mail. A bare 550
says as well that the server may not be used for this, which is no fault of the recipient's."""

_PORTS = {"smtp": 587, "smtps": 465}


class _LetterPolicy(EmailPolicy):
    """Folds headers as RFC 5322 does, and encodes no link.

    The library takes a word that is longer than a line for text, and encodes it by RFC 2047. No
    mail program reads that in a structured header (RFC 2047, section 5; RFC 8058): such a header
    stands on one line, which may have 998 characters.
    """

    def fold(self, name: str, value: str) -> str:
        if name.lower() in _STRUCTURED:
            return f"{name}: {value}{self.linesep}"
        folded: str = super().fold(name, value)
        return folded

    def fold_binary(self, name: str, value: str) -> bytes:
        if name.lower() in _STRUCTURED:
            return self.fold(name, value).encode("ascii")
        folded: bytes = super().fold_binary(name, value)
        return folded


_STRUCTURED = frozenset({"auto-submitted", "list-unsubscribe", "list-unsubscribe-post"})
_POLICY = _LetterPolicy()


class WrongAddress(ValueError):
    """The address of a mail server cannot be read; the message says what would be right."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MailServer:
    """Where letters are handed in."""

    host: str
    port: int
    user: str = ""
    password: str = ""
    is_tls: bool = False
    """Whether TLS begins at once, as on port 465."""

    needs_starttls: bool = True

    @classmethod
    def parse(cls, url: str) -> "MailServer":
        """Return the server of smtp://user:password@host:587 or smtps://host:465.

        Behind smtp:// there may be ?tls=none or ?tls=required.
        """
        parts = urlsplit(url)
        try:
            port = parts.port
        except ValueError as error:
            raise WrongAddress("must have a port from 1 to 65535") from error
        options = dict(parse_qsl(parts.query))
        if parts.scheme not in _PORTS or not parts.hostname or parts.path not in {"", "/"}:
            raise WrongAddress("must be smtp://host:587 or smtps://host:465")
        if options not in ({}, {"tls": "none"}, {"tls": "required"}):
            raise WrongAddress("may have ?tls=none or ?tls=required and nothing else behind it")
        is_tls, is_near = parts.scheme == "smtps", _is_this_machine(parts.hostname)
        wanted = options.get("tls", "none" if is_tls or is_near else "required")
        if is_tls and options:
            raise WrongAddress("is encrypted with smtps:// and takes no ?tls=")
        if parts.username and wanted == "none" and not is_tls and not is_near:
            raise WrongAddress("would show its password to the network with ?tls=none")
        return cls(
            host=parts.hostname,
            port=port or _PORTS[parts.scheme],
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
            is_tls=is_tls,
            needs_starttls=wanted == "required",
        )


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@dataclass(frozen=True, kw_only=True, slots=True)
class Mail:
    """How e-mail is sent: by which server, from whom."""

    server: MailServer
    sender: str
    certificates: ssl.SSLContext


@dataclass(frozen=True, kw_only=True, slots=True)
class Letter:
    """An e-mail to one person."""

    id: str
    to: str
    subject: str
    text: str
    headers: Mapping[str, str]
    footer: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Handover:
    """How handing a letter in went."""

    error: str = ""
    is_final: bool = False
    """Whether trying again is of no use, or might bring the letter twice."""

    may_have_arrived: bool = False
    """Whether the letter was handed over and the answer was lost."""

    is_unknown_mailbox: bool = False


def make_letter(mail: Mail, letter: Letter, now: datetime) -> EmailMessage:
    """Return a letter as plain text and as simple HTML; raise ValueError for a bad address."""
    message = EmailMessage(_POLICY)
    name, sender = parseaddr(mail.sender)
    message["From"] = Address(display_name=name, addr_spec=sender)
    message["To"] = Address(addr_spec=letter.to)
    message["Subject"] = letter.subject
    message["Date"] = format_datetime(now)
    message["Message-ID"] = f"<{letter.id}@{sender.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    for header, value in letter.headers.items():
        message[header] = value
    whole = f"{letter.text}\n\n-- \n{letter.footer}\n" if letter.footer else f"{letter.text}\n"
    message.set_content(whole)
    footer = f"<p><small>{_render(letter.footer)}</small></p>" if letter.footer else ""
    paragraphs = "".join(f"<p>{_render(part)}</p>" for part in letter.text.split("\n\n"))
    message.add_alternative(
        f'<!doctype html><html><head><meta charset="utf-8"></head>'
        f"<body>{paragraphs}{footer}</body></html>\n",
        subtype="html",
    )
    return message


def _render(text: str) -> str:
    parts, last = [], 0
    for found in _LINK.finditer(text):
        link = html.escape(found[0])
        parts += [html.escape(text[last : found.start()]), f'<a href="{link}">{link}</a>']
        last = found.end()
    return "".join([*parts, html.escape(text[last:])]).replace("\n", "<br>")


def send_letter(mail: Mail, letter: Letter, now: datetime) -> Handover:
    """Hand a letter to the server; nothing that goes wrong there is raised."""
    try:
        message = make_letter(mail, letter, now)
    except (ValueError, IndexError) as error:
        return Handover(error=_describe(error, letter), is_final=True)
    try:
        client = _connect(mail)
    except ssl.SSLCertVerificationError as error:
        why = f"the mail server's certificate is not trusted: {error.verify_message}"
        return Handover(error=_conceal(f"{why}; nothing was sent", letter))
    except smtplib.SMTPNotSupportedError as error:
        return Handover(error=_conceal(f"{error}; nothing was sent", letter))
    except (OSError, smtplib.SMTPException) as error:
        return Handover(error=_describe(error, letter))
    try:
        return _hand_over(client, message, letter)
    finally:
        client.close()


def _connect(mail: Mail) -> smtplib.SMTP:
    server = mail.server
    if server.is_tls:
        client: smtplib.SMTP = smtplib.SMTP_SSL(
            server.host, server.port, timeout=SECONDS, context=mail.certificates
        )
    else:
        client = smtplib.SMTP(server.host, server.port, timeout=SECONDS)
    try:
        if server.needs_starttls:
            client.ehlo_or_helo_if_needed()
            if not client.has_extn("starttls"):
                raise smtplib.SMTPNotSupportedError("the mail server offers no STARTTLS")
            client.starttls(context=mail.certificates)
        if server.user:
            client.login(server.user, server.password)
    except (OSError, smtplib.SMTPException):
        client.close()
        raise
    return client


def _hand_over(client: smtplib.SMTP, message: EmailMessage, letter: Letter) -> Handover:
    sender = parseaddr(str(message["From"]))[1]
    is_data_sent = False
    try:
        client.ehlo_or_helo_if_needed()
        code, answer = client.mail(sender)
        if code >= 400:
            return _refused(code, answer, letter, is_mailbox=False)
        code, answer = client.rcpt(letter.to)
        if code >= 400:
            return _refused(code, answer, letter)
        is_data_sent = True
        if client.sock is not None:
            client.sock.settimeout(_TAKING_SECONDS)
        code, answer = client.data(message.as_bytes(policy=message.policy.clone(linesep="\r\n")))
        if code >= 400:
            return _refused(code, answer, letter, is_mailbox=False)
    except smtplib.SMTPDataError as error:
        # Refused before anything of the letter was taken.
        return _refused(error.smtp_code, error.smtp_error, letter, is_mailbox=False)
    except (OSError, smtplib.SMTPException, UnicodeError) as error:
        described = _describe(error, letter)
        if is_data_sent:
            return Handover(
                error=f"{described}; it may have been sent", is_final=True, may_have_arrived=True
            )
        return Handover(error=described, is_final=isinstance(error, UnicodeError))
    return Handover()


def _refused(
    code: int, answer: bytes | str, letter: Letter, *, is_mailbox: bool = True
) -> Handover:
    said = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
    return Handover(
        error=_conceal(f"the mail server answered {code} {said}", letter),
        is_final=code >= 500,
        is_unknown_mailbox=(
            is_mailbox and code >= 500 and _UNKNOWN_MAILBOX.match(said.strip()) is not None
        ),
    )


def _describe(error: Exception, letter: Letter) -> str:
    return _conceal(f"{type(error).__name__}: {error}", letter)


def _conceal(text: str, letter: Letter) -> str:
    """Return an error without whom it is about, on one line."""
    plain = text.replace(letter.to, "the recipient") if letter.to else text
    return " ".join(plain.replace("\0", " ").split())[:_LONGEST_ERROR]
