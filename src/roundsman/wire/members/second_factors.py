"""Second factors as JSON."""

from typing import Annotated

from msgspec import Meta

from roundsman.domain.model import Line, Model

type Credential = Annotated[str, Meta(min_length=2, max_length=20_000)]
"""What a browser answers: the JSON text of WebAuthn's `toJSON`, which the library reads."""


type Code = Annotated[str, Meta(max_length=40)]


class PasswordBody(Model):
    """The password once more, before what guards the account is changed."""

    password: Line
    code: Code = ""
    """What the app shows, or a recovery code, where signing in takes one."""


class CodeBody(Model):
    """What the app shows now."""

    code: Code


class NewTotpAnswer(Model):
    """What the app is given, to be typed or read as a QR code of the URI."""

    secret: str
    uri: str


class RecoveryCodesAnswer(Model):
    """Codes for the day on which the app is lost; they are shown this once."""

    recovery_codes: tuple[str, ...]


class PasskeyOptionsAnswer(Model):
    """What a browser makes a passkey from, or signs in with: JSON text of WebAuthn's options."""

    options: str


class NewPasskeyBody(Model):
    """A passkey that the browser has made, and what its person calls it."""

    name: Line = ""
    credential: Credential


class PasskeySignInBody(Model):
    """Who signs in by a passkey; the organization may be left out by who plans for one."""

    credential: Credential
    organization: Line = ""
