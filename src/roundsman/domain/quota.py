"""How much one client may store: the bounds of a stop and a route (decisions §22, quotas)."""

from roundsman.domain.errors import FailedPrecondition, PreconditionViolation

MOST_STOPS = 1_000
MOST_STOP_BYTES = 64 * 1024
MOST_ROUTE_BYTES = 8 * 1024 * 1024


def over(quota: str, subject: str, actual: int, allowed: int) -> PreconditionViolation:
    """Say which quota is exceeded, by what, and what is allowed."""
    unit = "stops" if quota == "stops" else "bytes"
    return PreconditionViolation(
        type=quota,
        subject=subject,
        description=f"would have {actual:,} {unit}; at most {allowed:,} are allowed",
    )


def refuse_over_quota(violations: list[PreconditionViolation]) -> None:
    """Raise FailedPrecondition where there are any."""
    if not violations:
        return
    first = violations[0]
    more = f", and {len(violations) - 1} more" if len(violations) > 1 else ""
    raise FailedPrecondition(
        f"quota exceeded: {first.type} of {first.subject} {first.description}{more}", violations
    )
