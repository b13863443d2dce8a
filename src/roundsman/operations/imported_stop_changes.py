"""Changing and removing imported stops; route stops made from them stay as they are."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from roundsman.domain.address import Address, Location
from roundsman.domain.events import Happening
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.item import Item
from roundsman.domain.task import TaskTemplate
from roundsman.domain.topics import Topic
from roundsman.operations.imported_stops import find_referred
from roundsman.operations.locations import locate_all
from roundsman.operations.quotas import require_stops_fit
from roundsman.operations.work import Request, Tools, begin_work
from roundsman.storage.imported_stops import remove_imported_stop, save_imported_stops
from roundsman.storage.organizations import lock_organization


def update_imported_stop(
    tools: Tools,
    request: Request,
    reference: str,
    change: Callable[[ImportedStop], ImportedStop],
) -> ImportedStop:
    """Change a stop; a change that changes nothing is neither saved nor told."""
    with begin_work(tools, request) as work:
        # Two changes at the same moment must not both start from the same stop.
        lock_organization(work.tx, work.organization_id)
        before = find_referred(work.tx, work.organization_id, reference)
        after = change(before)
        if after != before:
            require_stops_fit([after])
            save_imported_stops(work.tx, work.organization_id, [after], work.now)
            topic = Topic.IMPORTED_STOP_UPDATED
            work.record([Happening(topic=topic, object_id=after.id, subject=after)])
        return work.done(after)


def relocate_imported_stop(
    tools: Tools, request: Request, reference: str, place: Location
) -> ImportedStop:
    """Move a stop; an address alone is geocoded, coordinates alone leave the address."""
    with tools.database.reading() as tx:
        known = find_referred(tx, request.caller.organization_id, reference)
    sought = ("location.", place.address or known.address, place.coordinates)
    (location,) = locate_all(tools.geocoder, [sought])

    def relocate(stop: ImportedStop) -> ImportedStop:
        address = place.address if isinstance(place.address, Address) else stop.address
        return replace(
            stop,
            address=address,
            coordinates=location.coordinates,
            geocoding=location.geocoding,
        )

    return update_imported_stop(tools, request, reference, relocate)


def replace_items(
    tools: Tools, request: Request, reference: str, items: Sequence[Item]
) -> ImportedStop:
    """Replace all items of a stop."""
    return update_imported_stop(
        tools, request, reference, lambda stop: replace(stop, items=tuple(items))
    )


def replace_tasks(
    tools: Tools, request: Request, reference: str, tasks: Sequence[TaskTemplate]
) -> ImportedStop:
    """Replace all tasks of a stop."""
    return update_imported_stop(
        tools, request, reference, lambda stop: replace(stop, tasks=tuple(tasks))
    )


def delete_imported_stop(tools: Tools, request: Request, reference: str) -> ImportedStop:
    """Remove a stop from the pool; return it as it was."""
    with begin_work(tools, request) as work:
        stop = find_referred(work.tx, work.organization_id, reference)
        remove_imported_stop(work.tx, work.organization_id, stop.id)
        work.is_freeing = True
        topic = Topic.IMPORTED_STOP_DELETED
        work.record([Happening(topic=topic, object_id=stop.id, subject=stop)])
        return work.done(stop)
