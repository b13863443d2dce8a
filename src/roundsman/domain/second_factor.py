"""What proves a member beside the password: codes of an app, codes on paper, passkeys."""

from datetime import datetime, timedelta

from roundsman.domain.errors import FailedPrecondition, PreconditionViolation
from roundsman.domain.model import UNSET, Line, Model, UnsetType

RECOVERY_CODES = 10
"""So many are made at once; each works once."""

CHALLENGE_LIFETIME = timedelta(minutes=5)
"""How long a browser may take to answer with a passkey."""

MOST_PASSKEYS = 20


class SecondFactorNeeded(FailedPrecondition):
    """The password was right, and is not enough."""

    def __init__(self) -> None:
        wanted = PreconditionViolation(
            type="secondFactor",
            subject="TOTP",
            description="send code: six digits of the app, or a recovery code",
        )
        super().__init__("a second factor is needed: send code", [wanted])


class Passkey(Model):
    """A passkey of a person, as they see it."""

    id: str
    name: Line
    created_at: datetime
    last_used_at: datetime | UnsetType = UNSET


class SecondFactors(Model):
    """What a person has set up."""

    has_password: bool
    totp: bool = False
    """Whether signing in by password takes a code."""

    recovery_codes_left: int = 0
    passkeys: tuple[Passkey, ...] = ()
