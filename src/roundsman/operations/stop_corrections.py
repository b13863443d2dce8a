"""Giving stops of the pool what was said of their copies, which leave their routes."""

from collections.abc import Iterable, Sequence

from roundsman.domain.event import Happening
from roundsman.domain.quota import require_stops_fit
from roundsman.domain.route import Route
from roundsman.domain.stop_correction import carry_corrections
from roundsman.domain.topics import Topic
from roundsman.operations.unit_of_work import UnitOfWork
from roundsman.storage.imported_stops import find_imported_stops, save_imported_stops


def return_corrections(
    work: UnitOfWork, before: Sequence[Route], after: Iterable[Route] = ()
) -> None:
    """Store what was corrected, or written by customers, of stops that are on none of these routes.

    One that is gone from the pool stays gone, and what changes nothing is not recorded.
    """
    left = {stop.id for route in after for stop in route.stops}
    leaving = [
        (stop, route)
        for route in before
        for stop in route.stops
        if (stop.corrected or stop.customer_note) and stop.id not in left
    ]
    if not leaving:
        return
    ids = {stop.imported_stop_id for stop, _ in leaving}
    known = {stop.id: stop for stop in find_imported_stops(work.tx, work.organization_id, ids=ids)}
    changed = dict(known)
    for stop, route in sorted(leaving, key=lambda one: one[0].updated_at):
        if origin := changed.get(stop.imported_stop_id):
            changed[origin.id] = carry_corrections(stop, route, origin)
    corrected = [stop for id_, stop in changed.items() if stop != known[id_]]
    if not corrected:
        return
    require_stops_fit(corrected)
    save_imported_stops(work.tx, work.organization_id, corrected, work.now)
    topic = Topic.IMPORTED_STOP_UPDATED
    work.record([Happening(topic=topic, object_id=one.id, subject=one) for one in corrected])
