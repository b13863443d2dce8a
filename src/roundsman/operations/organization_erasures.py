"""Erasing a whole organization, for whoever runs the installation.

Nobody is let in any more; then table after table is emptied, some rows a transaction, each with
what was removed so far. The organization's own row goes last; then the database forgets the rows.
Started again after it was killed, it goes on: the row that says how far it is outlives the others.
"""

from collections.abc import Callable

from msgspec.structs import replace

from roundsman.domain.erasure import OrganizationErasure, routes_under_way
from roundsman.domain.errors import NotFound
from roundsman.kit.secrets import sign
from roundsman.operations.tools import Tools
from roundsman.storage.database import Transaction
from roundsman.storage.driver_erasures import list_routes_under_way
from roundsman.storage.organization_erasures import (
    Removed,
    add_up,
    close_organization,
    find_organization_erasure,
    list_table_removals,
    remove_organization,
    save_organization_erasure,
)
from roundsman.storage.organizations import find_organization, lock_organization
from roundsman.storage.removed_rows import purge_removed_rows

type Report = Callable[[int], None]
"""Told after each step how many rows are removed so far."""


def erase_organization(
    tools: Tools, slug: str, report: Report = lambda _: None, *, is_forced: bool = False
) -> OrganizationErasure:
    """Remove everything that an organization owns; return the receipt.

    One with routes under way is refused unless it is forced.
    """
    key = sign(tools.link_key, "organization erasure", slug)
    with tools.database.writing() as tx:
        erasure = _begin(tools, tx, slug, key, is_forced=is_forced)
    if erasure.completed_at is not None:
        return erasure
    for remove in list_table_removals():
        while True:
            with tools.database.writing() as tx:
                erasure, has_removed = _note(tx, key, remove(tx, slug))
            report(sum(erasure.removed.values()))
            if not has_removed:
                break
    with tools.database.writing() as tx:
        erasure, _ = _note(tx, key, remove_organization(tx, slug))
    report(sum(erasure.removed.values()))
    purge_removed_rows(tools.database)
    with tools.database.writing() as tx:
        erasure = replace(erasure, completed_at=tools.clock.now())
        save_organization_erasure(tx, key, erasure)
    return erasure


def _begin(
    tools: Tools, tx: Transaction, slug: str, key: str, *, is_forced: bool
) -> OrganizationErasure:
    """Close the organization; return how far its erasure is where one has begun."""
    lock_organization(tx, slug)
    begun = find_organization_erasure(tx, key)
    is_there = find_organization(tx, slug) is not None
    if begun is not None and (begun.completed_at is None or not is_there):
        return begun
    if not is_there:
        raise NotFound(f'organization "{slug}" not found')
    if not is_forced:
        _refuse_under_way(tools, tx, slug)
    removed = close_organization(tx, slug)
    erasure = OrganizationErasure(begun_at=tools.clock.now(), removed=removed)
    save_organization_erasure(tx, key, erasure)
    return erasure


def _refuse_under_way(tools: Tools, tx: Transaction, slug: str) -> None:
    found = list_routes_under_way(tx, slug, tools.clock.now())
    if found:
        raise routes_under_way(
            f"routes of the organization are under way: {', '.join(found)}; complete, undispatch or"
            " archive them first, or say --force",
            found,
        )


def _note(tx: Transaction, key: str, removed: Removed) -> tuple[OrganizationErasure, bool]:
    """Keep what a step has removed, in the transaction of the step."""
    erasure = find_organization_erasure(tx, key)
    if erasure is None:
        raise NotFound("nobody erases this organization")
    if not removed:
        return erasure, False
    erasure = replace(erasure, removed=add_up(erasure.removed, removed))
    save_organization_erasure(tx, key, erasure)
    return erasure, True
