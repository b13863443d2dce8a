"""A change that was shown before it is made: an assistant proposes it, a person lets it happen.

Decisions §19: it has an id, lasts for 15 minutes, and what is made is what was shown. So it holds
the change itself, not the words that it was asked for in, and of which versions of routes and stops
it holds.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum

from roundsman.domain.errors import FailedPrecondition
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.principal import Scope
from roundsman.domain.transfer import StopMove

PROPOSED_FOR = timedelta(minutes=15)
"""How long a proposed change may be made."""

PROPOSED_CHANGES_KEPT_FOR = timedelta(days=1)
"""How long it is remembered that it was made, or that its time is over."""


class ProposedKind(StrEnum):
    """What would change."""

    PLAN = "PLAN"
    """Routes are made of a plan, or changed by it."""

    MOVES = "MOVES"
    """Stops change their routes, or their place on one."""

    DISPATCH = "DISPATCH"
    """A route becomes its driver's."""

    IMPORT = "IMPORT"
    """Stops are imported."""


def scope_of(kind: ProposedKind) -> Scope:
    """Return the scope without which such a change can be neither proposed nor made."""
    return Scope.DISPATCH if kind is ProposedKind.DISPATCH else Scope.WRITE


class ProposedChange(Model):
    """A change that nobody has made yet, or that was made."""

    id: str
    kind: ProposedKind
    proposed_by: str
    """The id of the principal who alone may have it made."""

    proposed_at: datetime
    expires_at: datetime
    is_shown: bool = True
    """Whether it was shown as it would be made: a plan is found later than it is asked for."""

    plan_id: str = ""
    moves: tuple[StopMove, ...] = ()
    route_id: str = ""
    """Of the route that would be dispatched."""

    versions: Mapping[str, int] = {}
    """Of each route that would change, the version that was shown."""

    drafts: tuple[StopDraft, ...] = ()
    replaced: Mapping[str, datetime] = {}
    """Of each imported stop that the drafts would replace, when it had changed last as shown."""

    made_at: datetime | UnsetType = UNSET

    def require_makeable(self, now: datetime) -> None:
        """Raise FailedPrecondition for a change that is made, past, or not shown yet."""
        if isinstance(self.made_at, datetime):
            raise FailedPrecondition(f"proposal {self.id} was applied already; nothing is to do")
        if now >= self.expires_at:
            raise FailedPrecondition(f"proposal {self.id} has expired; propose the change again")
        if not self.is_shown:
            raise FailedPrecondition(
                f"proposal {self.id} has not been shown yet; call show_proposal first"
            )
