"""What days teach of arrivals: kept as drivers drive, worked out once a day, used afterwards."""

from collections.abc import Callable
from datetime import timedelta

from roundsman.domain.arrival_forecast import (
    KEPT_FOR,
    learn_spreads,
    list_arrivals,
    list_forecasts,
)
from roundsman.domain.arrival_window import ArrivalSpreads
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.route import Route
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import UnitOfWork
from roundsman.storage.arrivals import (
    add_forecasts,
    find_learned_at,
    find_spreads,
    list_to_learn_from,
    note_arrivals,
    save_spreads,
)
from roundsman.storage.organizations import select_organizations

_LEARNED_EVERY = timedelta(hours=20)


def note_progress(work: UnitOfWork, before: Route, after: Route) -> None:
    """Keep what a change on the road says of arrivals: those that were, and those expected now."""
    note_arrivals(work.tx, work.organization_id, list_arrivals(before, after))
    add_forecasts(work.tx, work.organization_id, list_forecasts(before, after, work.now))


def learn_from_days(tools: Tools, is_stopping: Callable[[], bool] = lambda: False) -> None:
    """Work out for each organization how wide windows have to be, once a day."""
    with tools.database.reading() as tx:
        organizations = select_organizations(tx)
    for organization in organizations:
        if not is_stopping():
            _learn(tools, organization.id)


def _learn(tools: Tools, organization_id: str) -> None:
    now = tools.clock.now()
    with tools.database.reading() as tx:
        learned_at = find_learned_at(tx, organization_id)
        if learned_at is not None and now - learned_at < _LEARNED_EVERY:
            return
        kept = list_to_learn_from(tx, organization_id, now - KEPT_FOR)
    if not kept and learned_at is None:
        return
    learned = learn_spreads(kept)
    with tools.database.writing() as tx:
        save_spreads(tx, organization_id, learned, now)


def load_spreads(tools: Tools, organization_id: str) -> ArrivalSpreads | UnsetType:
    """Return what an organization's days have taught; unset where the start values hold."""
    with tools.database.reading() as tx:
        return find_spreads(tx, organization_id) or UNSET
