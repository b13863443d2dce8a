"""The drivers of a fleet: invited, changed, let to drive or not, and listed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from msgspec.structs import asdict, replace

from roundsman.domain.change import ObjectKind
from roundsman.domain.driver import Driver, DriverDraft, DriverStatus
from roundsman.domain.errors import NotFound
from roundsman.domain.event import driver_changed
from roundsman.domain.queries import ListDrivers, Query
from roundsman.domain.security_event import SecurityEventDetails, SecurityEventKind
from roundsman.kit.ids import new_id
from roundsman.kit.secrets import hash_secret, new_secret
from roundsman.operations.paging import Page, list_page
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import UnitOfWork, begin_work
from roundsman.storage import drivers as stored
from roundsman.storage.database import Transaction
from roundsman.storage.driver_sessions import remove_invites, remove_sessions, replace_invite
from roundsman.storage.keyset import Position

INVITE_LIFETIME = timedelta(days=7)


@dataclass(frozen=True, kw_only=True, slots=True)
class Invitation:
    """A driver who is to sign up, and the link to do it with; it is shown this once."""

    driver: Driver
    url: str


def get_driver(tools: Tools, organization_id: str, driver_id: str) -> Driver:
    """Return a driver, whatever the status."""
    return _require(stored.look_up_driver(tools.database, organization_id, driver_id))


def list_drivers(tools: Tools, organization_id: str, query: Query[ListDrivers]) -> Page[Driver]:
    """Return a page of drivers, oldest first; archived ones only when asked for."""

    def fetch(
        tx: Transaction, arguments: ListDrivers, after: Position | None, count: int
    ) -> list[tuple[Position, Driver]]:
        status = None if arguments.status is DriverStatus.UNKNOWN else arguments.status
        return stored.select_drivers(tx, organization_id, status, after, count)

    return list_page(tools, organization_id, "drivers", query, fetch)


def add_driver(tools: Tools, request: Request, draft: DriverDraft) -> Invitation:
    """Add a driver and invite them."""
    with begin_work(tools, request) as work:
        driver = Driver(**asdict(draft), id=new_id(work.ids, "drv"))
        stored.insert_driver(work.tx, work.organization_id, driver, work.now)
        work.note(ObjectKind.DRIVER, driver.id)
        return work.done(_invite(tools, work, driver))


def invite_driver(tools: Tools, request: Request, driver_id: str) -> Invitation:
    """Make a new link, to sign up or to sign in on one more device; the one before is void."""
    with begin_work(tools, request) as work:
        return work.done(_invite(tools, work, _load(work, driver_id).invited()))


def _invite(tools: Tools, work: UnitOfWork, driver: Driver) -> Invitation:
    token = new_secret(work.ids)
    details = SecurityEventDetails(driver_id=driver.id)
    work.record_security(SecurityEventKind.DRIVER_INVITED, details)
    replace_invite(work.tx, driver.id, hash_secret(token), work.now + INVITE_LIFETIME)
    return Invitation(driver=driver, url=f"{tools.address.url}/driver/invite/{token}")


def update_driver(
    tools: Tools, request: Request, driver_id: str, values: Mapping[str, Any]
) -> Driver:
    """Change a driver's profile."""

    def update(driver: Driver) -> Driver:
        changed = replace(driver, **values)
        if changed != driver:
            driver.require_not_archived()
        return changed

    return _change(tools, request, driver_id, update)


def activate_driver(tools: Tools, request: Request, driver_id: str) -> Driver:
    """Let a driver drive, signed up or not."""
    kind = SecurityEventKind.DRIVER_ACTIVATED
    return _change(tools, request, driver_id, Driver.activated, kind)


def deactivate_driver(tools: Tools, request: Request, driver_id: str) -> Driver:
    """Keep a driver from driving for now."""
    kind = SecurityEventKind.DRIVER_DEACTIVATED
    return _change(tools, request, driver_id, Driver.deactivated, kind)


def archive_driver(tools: Tools, request: Request, driver_id: str) -> Driver:
    """Take a driver off the fleet for good."""
    kind = SecurityEventKind.DRIVER_ARCHIVED
    return _change(tools, request, driver_id, Driver.archived, kind)


def find_employer(tools: Tools, driver_id: str) -> str:
    """Return the organization that a driver drives for."""
    with tools.database.reading() as tx:
        organization_id = stored.find_driver_organization(tx, driver_id)
    if organization_id is None:
        raise NotFound("driver not found")
    return organization_id


def _change(
    tools: Tools,
    request: Request,
    driver_id: str,
    change: Callable[[Driver], Driver],
    kind: SecurityEventKind | None = None,
) -> Driver:
    with begin_work(tools, request) as work:
        driver = _load(work, driver_id)
        changed = change(driver)
        if changed != driver:
            stored.save_driver(work.tx, work.organization_id, changed)
            work.record(driver_changed(driver, changed))
            work.note(ObjectKind.DRIVER, driver_id)
            if kind is not None:
                work.record_security(kind, SecurityEventDetails(driver_id=driver_id))
        if not changed.may_be_invited():
            remove_invites(work.tx, driver_id)
        if changed.is_archived():
            remove_sessions(work.tx, driver_id)
        return work.done(changed)


def _load(work: UnitOfWork, driver_id: str) -> Driver:
    return _require(stored.find_driver(work.tx, work.organization_id, driver_id, locked=True))


def _require(driver: Driver | None) -> Driver:
    if driver is None:
        raise NotFound("driver not found")
    return driver
