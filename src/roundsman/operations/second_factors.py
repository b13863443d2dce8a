"""Codes beside the password: whether one is wanted, and whether it is right (RFC 6238).

A code works once, also when two browsers send it at the same moment, and guesses at codes are
counted apart from those at passwords: whoever gets so far knows the password.
"""

from roundsman.domain.errors import PermissionDenied, ResourceExhausted
from roundsman.domain.member import MemberStatus, email_key
from roundsman.domain.principal import member as member_principal
from roundsman.domain.second_factor import SecondFactorNeeded
from roundsman.domain.security_event import (
    RequestOrigin,
    SecurityEventDetails,
    SecurityEventKind,
)
from roundsman.kit.leaky_bucket import Rate
from roundsman.kit.one_time_codes import find_matching_step, plain_recovery_code
from roundsman.kit.secrets import hash_secret
from roundsman.operations.request import Request
from roundsman.operations.security_events import record
from roundsman.operations.tools import Tools
from roundsman.storage import members
from roundsman.storage import second_factors as stored
from roundsman.storage.database import Transaction
from roundsman.storage.sealed_columns import TOTP_SECRET, sealing_purpose
from roundsman.storage.tables import as_micros

TOTP = "TOTP"
PASSKEY = "PASSKEY"
PASSWORD = "PASSWORD"  # noqa: S105 -- a way to sign in
OPENID_CONNECT = "OPENID_CONNECT"
LINK = "LINK"
"""By what somebody signed in, as security events say it; TOTP is a code beside the password."""

GUESSES = Rate(capacity=10, interval_micros=6 * 60_000_000)
"""Ten wrong codes of a person at once, then ten an hour: one in 4,000 days of guessing is right."""

_WRONG = "code is wrong, or was used before"


def require_code(tools: Tools, request: Request, email: str, code: str) -> bool:
    """Refuse who has an app for codes and sends none, or a wrong one; use the right one up.

    Return whether one was wanted.

    Called only after the password was right: whoever does not know it learns nothing here.
    """
    with tools.database.reading() as tx:
        totp = stored.find_totp(tx, email)
    if totp is None or not totp.is_confirmed:
        return False
    if not code.strip():
        raise SecondFactorNeeded
    key = f"second-factor:{hash_secret(email_key(email)).hex()[:32]}"
    now = as_micros(tools.clock.now())
    verdict = tools.buckets.look(key, now, GUESSES)
    if not verdict.is_allowed:
        raise ResourceExhausted("too many wrong codes", verdict.retry_after_seconds)
    if not _is_right_code(tools, request, email, totp.sealed, code):
        tools.buckets.take(key, now, GUESSES)
        raise PermissionDenied(_WRONG)
    return True


def _is_right_code(tools: Tools, request: Request, email: str, sealed: str, code: str) -> bool:
    """Say whether a code is right, and use it up."""
    step = find_totp_step(tools, email, sealed, code)
    with tools.database.writing() as tx:
        if step is not None:
            return stored.use_totp_step(tx, email, step)
        if not stored.use_recovery_code(tx, email, hash_secret(plain_recovery_code(code))):
            return False
        record_of_person(tools, tx, request, email, SecurityEventKind.RECOVERY_CODE_USED)
        return True


def find_totp_step(tools: Tools, email: str, sealed: str, code: str) -> int | None:
    """Return the step that a code of an app is of; None for a wrong code."""
    secret = tools.secret_box.unseal(sealing_purpose(TOTP_SECRET, email_key(email)), sealed)
    return find_matching_step(secret, code, tools.clock.now().timestamp())


def record_of_person(
    tools: Tools,
    tx: Transaction,
    request: Request,
    email: str,
    kind: SecurityEventKind,
    factor: str = "",
) -> None:
    """Record a security event of a person with every organization that they plan for."""
    for known in members.list_memberships(tx, email):
        if known.member.status is not MemberStatus.ACTIVE:
            continue
        found = known.member
        principal = member_principal(known.organization_id, found.id, found.email, found.role)
        origin = RequestOrigin(
            principal=principal,
            address=request.address,
            user_agent=request.user_agent,
            command=request.command,
        )
        details = SecurityEventDetails(factor=factor) if factor else SecurityEventDetails()
        record(tx, origin, kind, tools.clock.now(), tools.ids, details)
