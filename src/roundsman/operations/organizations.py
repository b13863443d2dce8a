"""Organizations: making, finding, listing and changing them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from roundsman.domain.errors import (
    FailedPrecondition,
    InvalidArgument,
    NotFound,
)
from roundsman.domain.organization import Logo, Organization, slug_of
from roundsman.domain.principal import operator
from roundsman.domain.security_event import (
    NO_DETAILS,
    RequestOrigin,
    SecurityEventDetails,
    SecurityEventKind,
)
from roundsman.kit.clock import Clock
from roundsman.kit.ids import IdSource, new_id
from roundsman.kit.secrets import new_signing_secret
from roundsman.operations.request import Request
from roundsman.operations.retention import retention_of
from roundsman.operations.security_events import record
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.storage import organizations
from roundsman.storage.database import Database, Transaction
from roundsman.storage.organizations import (
    add_organization,
    find_logo,
    find_organization,
    remove_logo,
    replace_logo,
    save_simulated_until,
    update_organization,
)
from roundsman.storage.sealed_columns import WEBHOOK_SECRET, sealing_purpose
from roundsman.storage.sealing import SecretBox

_MOST_DRAWS = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Registrar:
    """What identity operations need."""

    database: Database
    clock: Clock
    ids: IdSource
    secret_box: SecretBox
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
        purpose = sealing_purpose(WEBHOOK_SECRET, organization.id)
        sealed = registrar.secret_box.seal(purpose, organization.webhook_secret)
        kept = replace(organization, webhook_secret=sealed)
        add_organization(tx, kept, registrar.clock.now())
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


LOGO_PATH = "/t/logo"
MOST_LOGO_BYTES = 1024 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class OrganizationView:
    """An organization, and where its logo is shown; empty without one."""

    organization: Organization
    logo_url: str


def view_organization(tools: Tools, organization_id: str) -> OrganizationView:
    """Return an organization as its clients see it."""
    return _view(tools, get_organization(tools.database, organization_id))


def change_organization(
    tools: Tools, request: Request, values: Mapping[str, Any]
) -> OrganizationView:
    """Set an organization's name and what it says of itself."""
    with begin_work(tools, request) as work:
        known = _require(work.tx, work.organization_id)
        changed = replace(known, **values)
        changed = replace(changed, name=changed.name.strip())
        if changed != known:
            update_organization(work.tx, changed)
        return work.done(_view(tools, changed))


def put_logo(
    tools: Tools, request: Request, data: bytes, has_left: Callable[[], bool]
) -> OrganizationView:
    """Keep a picture as the organization's logo, written anew so that nothing hides in it."""
    picture = tools.decoders.reencode(data, has_left)
    logo = Logo(id=new_id(tools.ids, "lgo"), media_type=picture.media_type, data=picture.data)
    with begin_work(tools, request) as work:
        replace_logo(work.tx, work.organization_id, logo)
        return work.done(_view(tools, _require(work.tx, work.organization_id)))


def delete_logo(tools: Tools, request: Request) -> OrganizationView:
    """Show no logo any more."""
    with begin_work(tools, request) as work:
        remove_logo(work.tx, work.organization_id)
        return work.done(_view(tools, _require(work.tx, work.organization_id)))


def _require(tx: Transaction, organization_id: str) -> Organization:
    organization = find_organization(tx, organization_id)
    if organization is None:
        raise NotFound(f'organization "{organization_id}" not found')
    return organization


def _view(tools: Tools, organization: Organization) -> OrganizationView:
    shown = replace(organization, retention=retention_of(tools, organization))
    return OrganizationView(organization=shown, logo_url=make_logo_url(tools, organization))


def make_logo_url(tools: Tools, organization: Organization) -> str:
    """Return where everybody may see the logo; another logo has another address."""
    if not organization.logo_id:
        return ""
    return f"{tools.address.url}{LOGO_PATH}/{organization.logo_id}"


def read_logo(tools: Tools, logo_id: str) -> Logo:
    """Return a logo that is shown now."""
    with tools.database.reading() as tx:
        logo = find_logo(tx, logo_id)
    if logo is None:
        raise NotFound("logo not found")
    return logo


def keep_simulated(database: Database, organization_id: str, until: datetime | None) -> None:
    """Say that a simulated day goes on, until so late by the real clock; None that it is over.

    What becomes true with time is that day's own to note meanwhile (`note_slips_of`).
    """
    with database.writing() as tx:
        save_simulated_until(tx, organization_id, until)
