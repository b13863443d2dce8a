"""Proposed changes: found by whose they are, made once, forgotten."""

from datetime import timedelta

import pytest
from msgspec.structs import replace
from tests.storage.rows import ACME, NOW, OTHER

from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.proposed_change import ProposedChange, ProposedKind
from roundsman.domain.transfer import StopMove
from roundsman.storage.database import Database
from roundsman.storage.proposed_changes import (
    add_proposed_change,
    find_proposed_change,
    remove_old_proposed_changes,
    remove_proposed_imports,
    save_proposed_change,
)

pytestmark = pytest.mark.both_databases

MOVES = ProposedChange(
    id="prp-moves",
    kind=ProposedKind.MOVES,
    proposed_by="client",
    proposed_at=NOW,
    expires_at=NOW + timedelta(minutes=15),
    moves=(StopMove(stop_id="rst-1", to_route_id="rte-1", index=2),),
    versions={"rte-1": 7},
)
IMPORT = replace(
    MOVES, id="prp-import", kind=ProposedKind.IMPORT, moves=(), drafts=(StopDraft(note="knock"),)
)


def test_a_change_is_found_by_its_organization_and_made_once(shared: Database) -> None:
    with shared.writing() as tx:
        assert add_proposed_change(tx, ACME, MOVES) > 100
        assert find_proposed_change(tx, ACME, MOVES.id) == MOVES
        assert find_proposed_change(tx, OTHER, MOVES.id) is None
        shown = replace(MOVES, is_shown=False)
        assert save_proposed_change(tx, shown)
        assert find_proposed_change(tx, ACME, MOVES.id) == shown
        made = replace(MOVES, made_at=NOW)
        assert save_proposed_change(tx, made)
        assert not save_proposed_change(tx, made)
        assert find_proposed_change(tx, ACME, MOVES.id) == made


def test_old_ones_and_those_that_hold_customers_are_removed(shared: Database) -> None:
    with shared.writing() as tx:
        for change in (MOVES, IMPORT):
            add_proposed_change(tx, ACME, change)
        add_proposed_change(tx, OTHER, replace(IMPORT, id="prp-other"))
        assert remove_proposed_imports(tx, ACME) == 1
        assert find_proposed_change(tx, ACME, IMPORT.id) is None
        assert find_proposed_change(tx, OTHER, "prp-other") is not None
        assert remove_old_proposed_changes(tx, ACME, MOVES.expires_at, 10) == 0
        past = MOVES.expires_at + timedelta(seconds=1)
        assert remove_old_proposed_changes(tx, OTHER, past, 0) == 0
        assert remove_old_proposed_changes(tx, ACME, past, 10) == 1
        assert find_proposed_change(tx, ACME, MOVES.id) is None
