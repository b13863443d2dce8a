"""Which stops kept actions were for, and where those are now."""

from collections.abc import Sequence

import msgspec

from roundsman.domain.actions import JournalEntry, KeptStop, Outcome
from roundsman.domain.stop_name import name_of_order, name_of_stop
from roundsman.storage.database import Transaction
from roundsman.storage.imported_stops import find_imported_stops
from roundsman.storage.store_orders import find_store_orders
from roundsman.storage.tracking_links import find_latest_stop, find_stop_origins

type Entry = tuple[JournalEntry, bytes]


class _StopAction(msgspec.Struct, rename="camel"):
    stop_id: str = ""


def find_kept_stops(
    tx: Transaction, organization_id: str, entries: Sequence[Entry]
) -> dict[str, KeptStop]:
    """Return by the id of the action which stop each kept one was for, as far as that is known."""
    stop_ids = {
        entry.id: stop_id
        for entry, content in entries
        if entry.outcome is Outcome.KEPT
        and (stop_id := msgspec.json.decode(content, type=_StopAction).stop_id)
    }
    if not stop_ids:
        return {}
    origins = find_stop_origins(tx, organization_id, sorted(set(stop_ids.values())))
    origin_ids = sorted({origin_id for _, origin_id in origins.values()} - {""})
    imported = {one.id: one for one in find_imported_stops(tx, organization_id, ids=origin_ids)}
    orders = find_store_orders(
        tx, organization_id, [one for one in origin_ids if one not in imported]
    )

    def show(stop_id: str) -> KeptStop:
        route_id, origin_id = origins[stop_id]
        if not route_id and origin_id:
            route_id, latest_id = find_latest_stop(tx, organization_id, origin_id)
            stop_id = latest_id or stop_id
        if origin_id in imported:
            name = name_of_stop(imported[origin_id])
        else:
            name = name_of_order(orders[origin_id]) if origin_id in orders else ""
        return KeptStop(
            id=stop_id,
            name=name,
            route_id=route_id,
            imported_stop_id=origin_id if origin_id in imported else "",
        )

    shown = {stop_id: show(stop_id) for stop_id in origins}
    return {action_id: shown[one] for action_id, one in stop_ids.items() if one in shown}
