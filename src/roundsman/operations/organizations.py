"""Organizations: making, finding and listing them."""

from dataclasses import dataclass

from roundsman.domain.errors import (
    FailedPrecondition,
    InvalidArgument,
    NotFound,
)
from roundsman.domain.organization import Organization, slug_of
from roundsman.domain.principal import operator
from roundsman.domain.security_event import (
    NO_DETAILS,
    RequestOrigin,
    SecurityEventDetails,
    SecurityEventKind,
)
from roundsman.kit.clock import Clock
from roundsman.kit.ids import IdSource
from roundsman.kit.secrets import new_signing_secret
from roundsman.operations.security_events import record
from roundsman.storage import organizations
from roundsman.storage.database import Database, Transaction
from roundsman.storage.organizations import add_organization, find_organization

_MOST_DRAWS = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Registrar:
    """What identity operations need."""

    database: Database
    clock: Clock
    ids: IdSource
    command: str = ""
    """Which command of the command line asks; nothing else asks but tests."""

    def record(
        self,
        tx: Transaction,
        organization_id: str,
        kind: SecurityEventKind,
        details: SecurityEventDetails = NO_DETAILS,
    ) -> None:
        """Record what the operator did."""
        origin = RequestOrigin(principal=operator(organization_id), command=self.command)
        record(tx, origin, kind, self.clock.now(), self.ids, details)


def create_organization(registrar: Registrar, name: str, timezone: str) -> Organization:
    """Make a new tenant with a webhook secret of its own."""
    if not name.strip():
        raise InvalidArgument("name must not be empty")
    with registrar.database.writing() as tx:
        organization = Organization(
            id=_free_slug(tx, registrar.ids, name),
            name=name.strip(),
            timezone=timezone,
            webhook_secret=new_signing_secret(registrar.ids),
        )
        add_organization(tx, organization, registrar.clock.now())
        registrar.record(tx, organization.id, SecurityEventKind.ORGANIZATION_CREATED)
    return organization


def _free_slug(tx: Transaction, ids: IdSource, name: str) -> str:
    """Draw digits until no organization of the name has them: four soon meet their like."""
    for _ in range(_MOST_DRAWS):
        slug = slug_of(name, ids.random_bytes(2))
        if find_organization(tx, slug) is None:
            return slug
    raise FailedPrecondition(f'too many organizations are called "{name.strip()}"')


def get_organization(database: Database, organization_id: str) -> Organization:
    """Return an organization by its slug; raise NotFound when there is none."""
    with database.reading() as tx:
        organization = find_organization(tx, organization_id)
    if organization is None:
        raise NotFound(f'organization "{organization_id}" not found')
    return organization


def require_organization(database: Database, organization_id: str) -> None:
    """Refuse a slug that no organization has."""
    get_organization(database, organization_id)


def list_organizations(database: Database) -> list[Organization]:
    """Return all organizations, oldest first: for whoever runs the installation."""
    with database.reading() as tx:
        return organizations.select_organizations(tx)
