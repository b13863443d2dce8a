"""What to change about a plan that cannot be met, in the terms of a sheet and its command line."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from roundsman.domain.advice import Advice, ChangeKind, SuggestedChange
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.route_stop import RouteStop
from roundsman.kit.timestamps import format_timestamp
from roundsman.routing.wording import Wording, describe_window

_OPTIONS = {
    ChangeKind.SCHEDULED_FOR: "--start-at",
    ChangeKind.MAX_DURATION: "--max-duration",
    ChangeKind.MAX_KILOGRAMS: "--max-kilograms",
}


@dataclass(frozen=True, slots=True)
class SheetWording(Wording):
    """Stops are rows of a sheet, and any of them can be edited; limits are options."""

    rows: Mapping[str, int]

    def stop(self, stop: RouteStop) -> str:
        """Return the row, and the name if it has one."""
        row = f"row {self.rows[stop.id]}"
        return f'{row} "{stop.order_name}"' if stop.order_name else row

    def may_widen(self, stop: RouteStop) -> bool:  # noqa: ARG002 -- any row will do
        """Say whether the windows of a stop can be changed."""
        return True


def say_advice(advice: Advice) -> list[str]:
    """Return what cannot be met together, then what to change, a line each."""
    lines = [conflict.description for conflict in advice.conflicts]
    lines += [f"to meet everything: {_say(change)}" for change in advice.changes]
    for combination in advice.combinations:
        together = "; ".join(_say(change) for change in combination.changes)
        lines.append(f"to meet everything, all of: {together}")
    return lines


def render_change(change: SuggestedChange, rows: Mapping[str, int]) -> dict[str, Any]:
    """Return a change as JSON; its value is what the cell or the option has to say."""
    row = rows.get(change.subject)
    shown = {
        "kind": change.kind.value,
        "subject": "route" if row is None else f"row {row}",
        "description": change.description,
    }
    value = _value(change)
    return shown if value is None else {**shown, change.kind.value: value}


def _say(change: SuggestedChange) -> str:
    option = _OPTIONS.get(change.kind)
    return f"{change.description} ({option} {_value(change)})" if option else change.description


def _value(change: SuggestedChange) -> str | float | None:
    match change.kind:
        case ChangeKind.TIME_WINDOWS if change.time_windows:
            windows = [describe_window(window) for window in change.time_windows]
            anytime = next((text for text in windows if text == "any time"), None)
            return anytime or "; ".join(windows).replace("\N{EN DASH}", "-")
        case ChangeKind.SCHEDULED_FOR if not isinstance(change.scheduled_for, UnsetType):
            return format_timestamp(change.scheduled_for)
        case ChangeKind.MAX_DURATION if change.max_duration is not UNSET:
            return str(change.max_duration)
        case ChangeKind.MAX_KILOGRAMS if change.max_kilograms is not UNSET:
            return float(change.max_kilograms)
    return None
