"""Passkeys: making them, and signing in with one instead of password and code.

A challenge is signed, so that nothing is written for strangers who ask for one; that it was
answered is written, so that no answer counts twice.
"""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

from roundsman.domain.errors import (
    FailedPrecondition,
    FieldViolation,
    InvalidArgument,
    PermissionDenied,
)
from roundsman.domain.member import email_key
from roundsman.domain.principal import Principal
from roundsman.domain.second_factor import CHALLENGE_LIFETIME, Passkey
from roundsman.domain.security_event import SecurityEventKind
from roundsman.kit.loading import load
from roundsman.kit.secrets import hash_secret, seal, unseal
from roundsman.operations.member_sign_in import (
    SignedInMember,
    choose_active,
    find_principals,
    open_session,
)
from roundsman.operations.request import Request
from roundsman.operations.second_factors import PASSKEY
from roundsman.operations.sign_in_failures import FailedSignIn
from roundsman.operations.tools import Tools
from roundsman.storage.database import Transaction
from roundsman.storage.second_factors import (
    StoredPasskey,
    find_passkey,
    note_passkey_used,
    use_challenge,
)

_REFUSED = "the passkey does not sign anybody in here"
_SIGN_IN = "passkey sign-in"
_MAKING = "passkey of"
_RANDOM_BYTES = 16


def make_passkey_options(tools: Tools, origin: str, email: str, known: Sequence[str]) -> str:
    """Return what a browser makes a passkey of a person from."""
    _require_host_name(origin)
    user_id = hashlib.sha256(f"passkeys:{email_key(email)}".encode()).digest()
    challenge = _new_challenge(tools, f"{_MAKING} {email_key(email)}")
    options: str = load("roundsman.kit.passkeys:make_registration_options")(
        origin, email, user_id, challenge, known
    )
    return options


def begin_passkey_sign_in(tools: Tools, origin: str) -> str:
    """Return what a browser signs in with, whoever sits before it."""
    _require_host_name(origin)
    challenge = _new_challenge(tools, _SIGN_IN)
    options: str = load("roundsman.kit.passkeys:make_authentication_options")(origin, challenge)
    return options


def read_new_passkey(
    tools: Tools, origin: str, email: str, name: str, credential: str
) -> StoredPasskey:
    """Return a passkey that a browser has made; raise InvalidArgument."""
    bad = load("roundsman.kit.passkeys:BadPasskey")
    try:
        _, challenge = _answered(tools, origin, f"{_MAKING} {email_key(email)}", credential)
        made = load("roundsman.kit.passkeys:check_registration")(credential, challenge, origin)
    except bad as error:
        violation = FieldViolation(field="credential", description=f"proves nothing: {error}")
        raise InvalidArgument(f"credential {violation.description}", [violation]) from error
    passkey = Passkey(id=made.id, name=name.strip() or "Passkey", created_at=tools.clock.now())
    return StoredPasskey(
        passkey=passkey,
        email_key=email_key(email),
        public_key=made.public_key,
        sign_count=made.sign_count,
    )


def sign_in_by_passkey(
    tools: Tools,
    request: Request,
    origin: str,
    credential: str,
    organization_id: str,
) -> SignedInMember:
    """Sign in whoever a passkey belongs to; raise PermissionDenied for any that proves nothing.

    Who plans for several organizations and names none is told so before anything is written, and
    may send the same answer again with a name. What proves nothing is written down as a failure of
    whoever has that passkey.
    """
    try:
        return _sign_in(tools, request, origin, credential, organization_id)
    except PermissionDenied:
        _note_failure(tools, request, credential)
        raise


def _note_failure(tools: Tools, request: Request, credential: str) -> None:
    try:
        claimed = load("roundsman.kit.passkeys:read_client_data")(credential).passkey_id
    except load("roundsman.kit.passkeys:BadPasskey"):
        claimed = ""
    tools.failures.note(
        FailedSignIn(
            kind=SecurityEventKind.MEMBER_SIGN_IN_FAILED,
            claimed=hash_secret(claimed).hex(),
            find=partial(_find_owners, claimed),
            at=tools.clock.now(),
            address=request.address,
            user_agent=request.user_agent,
        )
    )


def _find_owners(passkey_id: str, tx: Transaction) -> Sequence[Principal]:
    known = find_passkey(tx, passkey_id)
    return [] if known is None else find_principals(known.email_key, tx)


def _sign_in(
    tools: Tools, request: Request, origin: str, credential: str, organization_id: str
) -> SignedInMember:
    bad = load("roundsman.kit.passkeys:BadPasskey")
    try:
        passkey_id, challenge = _answered(tools, origin, _SIGN_IN, credential)
        known = _find(tools, passkey_id)
        if known is None:
            raise PermissionDenied(_REFUSED)
        is_kept = load("roundsman.kit.passkeys:NewPasskey")(
            id=known.passkey.id, public_key=known.public_key, sign_count=known.sign_count
        )
        count = load("roundsman.kit.passkeys:check_sign_in")(credential, challenge, origin, is_kept)
    except bad as error:
        raise PermissionDenied(_REFUSED) from error
    with tools.database.writing() as tx:
        now = tools.clock.now()
        if not use_challenge(tx, hash_secret(challenge.hex()), now + CHALLENGE_LIFETIME):
            raise PermissionDenied(_REFUSED)
        note_passkey_used(tx, known.passkey.id, count, now)
        membership = choose_active(tx, known.email_key, organization_id)
        if membership is None:
            raise PermissionDenied(_REFUSED)
        return open_session(tools, tx, request, membership, PASSKEY)


def _find(tools: Tools, passkey_id: str) -> StoredPasskey | None:
    with tools.database.reading() as tx:
        return find_passkey(tx, passkey_id)


def _require_host_name(origin: str) -> None:
    """Refuse an address without a name: browsers make passkeys for names alone."""
    host = load("roundsman.kit.passkeys:host_of")(origin)
    if ":" in host or host.replace(".", "").isdigit():
        raise FailedPrecondition(
            f"passkeys belong to a host name, and {host} is an address: open localhost, or the "
            "name that ROUNDSMAN_BASE_URL says"
        )


def _new_challenge(tools: Tools, purpose: str) -> bytes:
    """Return random bytes with our signature and the time until which they are good."""
    expires_at = tools.clock.now() + CHALLENGE_LIFETIME
    text = f"{tools.ids.random_bytes(_RANDOM_BYTES).hex()} {expires_at.timestamp():.0f}"
    return seal(tools.link_key, purpose, text).encode()


def _answered(tools: Tools, origin: str, purpose: str, credential: str) -> tuple[str, bytes]:
    """Return which passkey answers which challenge; raise BadPasskey for one that is not ours."""
    bad = load("roundsman.kit.passkeys:BadPasskey")
    said = load("roundsman.kit.passkeys:read_client_data")(credential)
    text = unseal(tools.link_key, purpose, said.challenge.decode("ascii", "replace"))
    if text is None or said.origin != origin:
        raise bad("the challenge was not made here")
    expires_at = datetime.fromtimestamp(int(text.split(" ")[1]), UTC)
    if tools.clock.now() >= expires_at:
        raise bad("the challenge is too old")
    return said.passkey_id, said.challenge
