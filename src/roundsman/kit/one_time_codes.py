"""Codes of six digits that an app shows for half a minute, and codes to be used when it is lost.

RFC 6238 (TOTP) over RFC 4226 (HOTP), with SHA-1, six digits and steps of 30 seconds: what every app
of this kind takes.
"""

import base64
import hashlib
import hmac
import re
from urllib.parse import quote

from roundsman.kit.ids import IdSource

STEP_SECONDS = 30
_SECRET_BYTES = 20
_DIGITS = 6
_DRIFT_STEPS = 1
"""How many steps a phone's clock may be ahead or behind."""

_CODE = re.compile(r"[0-9]{6}")
_RECOVERY_BYTES = 15
"""So random that a plain hash of one can be kept: 112 bits are enough (ASVS 6.5.2)."""


def new_totp_secret(ids: IdSource) -> str:
    """Return a secret of 20 random bytes in base 32, as apps take it."""
    return base64.b32encode(ids.random_bytes(_SECRET_BYTES)).decode()


def provisioning_uri(secret: str, account: str, issuer: str) -> str:
    """Return what an app reads from a QR code."""
    label = quote(f"{issuer}:{account}", safe="")
    return f"otpauth://totp/{label}?secret={secret}&issuer={quote(issuer, safe='')}"


def code_at(secret: str, step: int) -> str:
    """Return the code of a step, which is the time in seconds by 30 (RFC 4226, section 5.3)."""
    digest = hmac.new(base64.b32decode(secret), step.to_bytes(8), hashlib.sha1).digest()
    offset = digest[-1] & 0xF
    number = int.from_bytes(digest[offset : offset + 4]) & 0x7FFF_FFFF
    return f"{number % 10**_DIGITS:0{_DIGITS}}"


def find_matching_step(secret: str, code: str, seconds: float) -> int | None:
    """Return the step that a code is of, now or next to it; None for a wrong one."""
    given = code.replace(" ", "")
    if not _CODE.fullmatch(given):
        return None
    now = int(seconds) // STEP_SECONDS
    steps = range(max(now - _DRIFT_STEPS, 0), now + _DRIFT_STEPS + 1)
    right = [step for step in steps if hmac.compare_digest(code_at(secret, step), given)]
    return right[0] if right else None


def new_recovery_code(ids: IdSource) -> str:
    """Return a code of 120 random bits, in six groups that can be read out, abcd-efgh and so on."""
    letters = base64.b32encode(ids.random_bytes(_RECOVERY_BYTES)).decode().lower()
    return "-".join(letters[start : start + 4] for start in range(0, len(letters), 4))


def plain_recovery_code(code: str) -> str:
    """Return a recovery code as it is hashed, however it was typed."""
    return re.sub(r"[\s-]", "", code).lower()
