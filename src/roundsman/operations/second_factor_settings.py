"""Setting up second factors, and taking them away, as the member who is signed in."""

from collections.abc import Sequence
from dataclasses import dataclass

from roundsman.domain.errors import (
    FailedPrecondition,
    FieldViolation,
    InvalidArgument,
    NotFound,
)
from roundsman.domain.member import email_key
from roundsman.domain.principal import Principal, operator
from roundsman.domain.second_factor import MOST_PASSKEYS, RECOVERY_CODES, Passkey, SecondFactors
from roundsman.domain.security_event import SecurityEventKind
from roundsman.kit.one_time_codes import (
    new_recovery_code,
    new_totp_secret,
    plain_recovery_code,
    provisioning_uri,
)
from roundsman.kit.secrets import hash_secret
from roundsman.operations.member_sign_in import confirm_password
from roundsman.operations.passkeys import make_passkey_options, read_new_passkey
from roundsman.operations.request import Request
from roundsman.operations.second_factors import (
    PASSKEY,
    TOTP,
    find_totp_step,
    record_of_person,
    require_code,
)
from roundsman.operations.tools import Tools
from roundsman.storage import members
from roundsman.storage import second_factors as stored
from roundsman.storage.database import Transaction
from roundsman.storage.sealed_columns import TOTP_SECRET, sealing_purpose

_ISSUER = "Roundsman"


@dataclass(frozen=True, kw_only=True, slots=True)
class NewTotp:
    """What an app is given: the secret, and the same as a URI for a QR code."""

    secret: str
    uri: str


def show_second_factors(tools: Tools, principal: Principal) -> SecondFactors:
    """Return what a member has set up."""
    with tools.database.reading() as tx:
        totp = stored.find_totp(tx, principal.email)
        return SecondFactors(
            has_password=members.find_password_hash(tx, principal.email) is not None,
            totp=totp is not None and totp.is_confirmed,
            recovery_codes_left=stored.count_recovery_codes(tx, principal.email),
            passkeys=tuple(stored.list_passkeys(tx, principal.email)),
        )


def begin_totp(tools: Tools, request: Request, password: str, code: str) -> NewTotp:
    """Make a secret for an app; codes are wanted once it has shown one."""
    email = request.principal.email
    _confirm_member(tools, request, password, code)
    secret = new_totp_secret(tools.ids)
    purpose = sealing_purpose(TOTP_SECRET, email_key(email))
    with tools.database.writing() as tx:
        _require_no_totp(tx, email)
        stored.save_unconfirmed_totp(tx, email, tools.secret_box.seal(purpose, secret))
    return NewTotp(secret=secret, uri=provisioning_uri(secret, email, _ISSUER))


def want_totp_codes(tools: Tools, request: Request, code: str) -> Sequence[str]:
    """Want codes of an app that shows the right one from now on; return recovery codes."""
    email = request.principal.email
    with tools.database.reading() as tx:
        totp = stored.find_totp(tx, email)
        _require_no_totp(tx, email)
    if totp is None:
        raise FailedPrecondition("begin with a secret for the app")
    step = find_totp_step(tools, email, totp.sealed, code)
    codes = _new_codes(tools)
    with tools.database.writing() as tx:
        _require_no_totp(tx, email)
        if step is None or not stored.use_totp_step(tx, email, step):
            violation = FieldViolation(
                field="code", description="is not what the app shows now; look at its clock"
            )
            raise InvalidArgument(f"code {violation.description}", [violation])
        stored.confirm_totp(tx, email)
        stored.replace_recovery_codes(tx, email, _hashes(codes))
        record_of_person(tools, tx, request, email, SecurityEventKind.SECOND_FACTOR_ADDED, TOTP)
    return codes


def renew_recovery_codes(tools: Tools, request: Request, password: str, code: str) -> Sequence[str]:
    """Make recovery codes anew; those before work no more."""
    email = request.principal.email
    _confirm_member(tools, request, password, code)
    codes = _new_codes(tools)
    with tools.database.writing() as tx:
        totp = stored.find_totp(tx, email)
        if totp is None or not totp.is_confirmed:
            raise FailedPrecondition("no code is wanted when you sign in, so none can be missing")
        stored.replace_recovery_codes(tx, email, _hashes(codes))
        record_of_person(tools, tx, request, email, SecurityEventKind.RECOVERY_CODES_MADE)
    return codes


def want_no_totp_codes(tools: Tools, request: Request, password: str, code: str) -> None:
    """Want no codes any more."""
    email = request.principal.email
    _confirm_member(tools, request, password, code)
    with tools.database.writing() as tx:
        if stored.remove_totp(tx, email):
            kind = SecurityEventKind.SECOND_FACTOR_REMOVED
            record_of_person(tools, tx, request, email, kind, TOTP)


def begin_passkey(tools: Tools, request: Request, origin: str, password: str, code: str) -> str:
    """Return what a browser makes a passkey of."""
    email = request.principal.email
    _confirm_member(tools, request, password, code)
    with tools.database.reading() as tx:
        known = stored.list_passkeys(tx, email)
    if len(known) >= MOST_PASSKEYS:
        raise FailedPrecondition(f"{len(known)} passkeys are enough; remove one first")
    return make_passkey_options(tools, origin, email, [one.id for one in known])


def keep_passkey(
    tools: Tools, request: Request, origin: str, name: str, credential: str
) -> Passkey:
    """Keep a passkey that the member's browser has made."""
    email = request.principal.email
    made = read_new_passkey(tools, origin, email, name, credential)
    with tools.database.writing() as tx:
        if not stored.add_passkey(tx, made):
            raise FailedPrecondition("the passkey is known already")
        kind = SecurityEventKind.SECOND_FACTOR_ADDED
        record_of_person(tools, tx, request, email, kind, PASSKEY)
    return made.passkey


def end_passkey(tools: Tools, request: Request, passkey_id: str, password: str, code: str) -> None:
    """Let a passkey work no more, at once."""
    email = request.principal.email
    _confirm_member(tools, request, password, code)
    with tools.database.writing() as tx:
        if not stored.remove_passkey(tx, email, passkey_id):
            raise NotFound("passkey not found")
        kind = SecurityEventKind.SECOND_FACTOR_REMOVED
        record_of_person(tools, tx, request, email, kind, PASSKEY)


def reset_second_factors(tools: Tools, email: str, command: str = "") -> None:
    """Take every second factor of a person away, who has lost them; raise NotFound."""
    request = Request(principal=operator(""), command=command)
    with tools.database.writing() as tx:
        if not stored.remove_second_factors(tx, email):
            raise NotFound(f"nobody with the e-mail address {email} has a second factor")
        record_of_person(tools, tx, request, email, SecurityEventKind.SECOND_FACTOR_REMOVED)


def _confirm_member(tools: Tools, request: Request, password: str, code: str) -> None:
    """Refuse who could not sign in now: whoever finds a browser open changes no second factor."""
    email = request.principal.email
    confirm_password(tools, request, email, password)
    require_code(tools, request, email, code)


def _require_no_totp(tx: Transaction, email: str) -> None:
    totp = stored.find_totp(tx, email)
    if totp is not None and totp.is_confirmed:
        raise FailedPrecondition("codes of an app are wanted already; remove that first")


def _new_codes(tools: Tools) -> Sequence[str]:
    return [new_recovery_code(tools.ids) for _ in range(RECOVERY_CODES)]


def _hashes(codes: Sequence[str]) -> Sequence[bytes]:
    return [hash_secret(plain_recovery_code(code)) for code in codes]
