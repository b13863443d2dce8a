"""Passkeys, as the library for WebAuthn checks them (W3C Web Authentication, Level 3).

A passkey holds a name of its own, and proves that its person was verified by the device: so it
stands for both factors. Its challenge is signed by us and lasts for minutes.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

_NAME = "Roundsman"
_FAULTS = (WebAuthnException, ValueError, KeyError, TypeError)


class BadPasskey(Exception):
    """An answer of a browser that proves nothing; the message says what is wrong."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NewPasskey:
    """What is kept of a passkey."""

    id: str
    public_key: bytes
    sign_count: int


def make_registration_options(
    origin: str, email: str, user_id: bytes, challenge: bytes, known: Sequence[str]
) -> str:
    """Return what a browser makes a passkey of, but not on a device that has one of `known`."""
    options = generate_registration_options(
        rp_id=host_of(origin),
        rp_name=_NAME,
        user_name=email,
        user_id=user_id,
        challenge=challenge,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[
            PublicKeyCredentialDescriptor(id=base64url_to_bytes(one)) for one in known
        ],
    )
    return options_to_json(options)


def make_authentication_options(origin: str, challenge: bytes) -> str:
    """Return what a browser signs with a passkey, whichever its person chooses."""
    options = generate_authentication_options(
        rp_id=host_of(origin),
        challenge=challenge,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return options_to_json(options)


@dataclass(frozen=True, kw_only=True, slots=True)
class ClientData:
    """What a browser says of its answer: of which passkey it is, to which challenge, at where."""

    passkey_id: str
    challenge: bytes
    origin: str


def read_client_data(credential: str) -> ClientData:
    """Return what a browser says; nothing of it is proved yet."""
    try:
        answer = json.loads(credential)
        data = json.loads(base64url_to_bytes(answer["response"]["clientDataJSON"]))
        return ClientData(
            passkey_id=str(answer["id"]),
            challenge=base64url_to_bytes(data["challenge"]),
            origin=str(data["origin"]),
        )
    except _FAULTS as error:
        raise BadPasskey("the browser's answer cannot be read") from error


def check_registration(credential: str, challenge: bytes, origin: str) -> NewPasskey:
    """Return the passkey that a browser has made; raise BadPasskey."""
    try:
        made = verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=host_of(origin),
            expected_origin=origin,
            require_user_verification=True,
        )
    except _FAULTS as error:
        raise BadPasskey(str(error)) from error
    return NewPasskey(
        id=bytes_to_base64url(made.credential_id),
        public_key=made.credential_public_key,
        sign_count=made.sign_count,
    )


def check_sign_in(credential: str, challenge: bytes, origin: str, known: NewPasskey) -> int:
    """Return how often the passkey says it has signed; raise BadPasskey for a wrong signature."""
    try:
        checked = verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=host_of(origin),
            expected_origin=origin,
            credential_public_key=known.public_key,
            credential_current_sign_count=known.sign_count,
            require_user_verification=True,
        )
    except _FAULTS as error:
        raise BadPasskey(str(error)) from error
    return checked.new_sign_count


def host_of(origin: str) -> str:
    """Return the host of an origin, which passkeys belong to."""
    return urlsplit(origin).hostname or ""
