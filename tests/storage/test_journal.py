from datetime import datetime
from typing import Any

import pytest
from tests.storage.pages import read_all
from tests.storage.rows import ACME, HERE, MICROSECOND, NOW, OTHER, STRANGE, add_drivers, at

from roundsman.domain.actions import (
    ActionKind,
    ActionResult,
    DriverAction,
    Fix,
    JournalEntry,
    Outcome,
    Reason,
)
from roundsman.domain.driver_session import DriverSession
from roundsman.domain.route_actions import Position as PositionAction
from roundsman.domain.route_actions import ProofNote, RouteStarted, Signature
from roundsman.storage.database import Database, Transaction
from roundsman.storage.driver_sessions import add_session
from roundsman.storage.journal import (
    MOST_WAITING,
    JournaledAction,
    JournalFilter,
    Mark,
    Settled,
    add_settled,
    find_entry,
    find_recorded,
    find_superseded,
    has_gap_before,
    latest_actions,
    list_entries,
    list_positions_within,
    list_routes_waiting_for,
    list_waiting,
    note_heard,
    note_resolved,
    note_result,
    note_superseded,
    read_journal_state,
)
from roundsman.storage.routes import VersionConflict

pytestmark = pytest.mark.both_databases

UPLOAD = "7b5f2c0e-52a6-4f0e-9d3a-0c1d2e3f4a5b"


def uuid(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-00000000000a"


def note(number: int, *, sequence: int = 1, route_id: str = "rte-1", **changes: Any) -> ProofNote:
    plain = {"kind": ActionKind.PROOF_NOTE, "at": NOW, "stop_id": "stp-1", "note": STRANGE}
    named = {"id": uuid(number), "sequence": sequence, "route_id": route_id}
    return ProofNote(**{**plain, **named, **changes})


def started(number: int, *, sequence: int = 1, route_id: str = "rte-1") -> RouteStarted:
    return RouteStarted(
        id=uuid(number),
        kind=ActionKind.ROUTE_STARTED,
        sequence=sequence,
        at=NOW,
        route_id=route_id,
    )


def signature(number: int, *, route_id: str = "rte-1", upload_id: str = UPLOAD) -> Signature:
    return Signature(
        id=uuid(number),
        kind=ActionKind.SIGNATURE,
        sequence=number,
        at=NOW,
        route_id=route_id,
        stop_id="stp-1",
        upload_id=upload_id,
    )


def settled(
    action: DriverAction,
    outcome: Outcome = Outcome.APPLIED,
    reason: Reason = Reason.NONE,
    *,
    driver_id: str = "a",
    device: str = "phone",
    received: float = 0,
    at_: datetime | None = None,
) -> Settled:
    entry = JournalEntry(
        id=action.id,
        driver_id=driver_id,
        session_id=device,
        sequence=action.sequence,
        kind=action.kind,
        route_id=action.route_id,
        at=at_ or action.at,
        received_at=at(received),
        outcome=outcome,
        reason=reason,
        message=STRANGE,
    )
    return Settled(action=action, entry=entry, fingerprint=b"\0\xff", answer=f'"{STRANGE}"')


def waiting(action: DriverAction, **changes: Any) -> Settled:
    return settled(action, Outcome.KEPT, Reason.WAITING, **changes)


@pytest.fixture
def drivers(shared: Database) -> Database:
    with shared.writing() as tx:
        add_drivers(tx, a=ACME, b=ACME, z=OTHER)
    return shared


def test_an_action_is_kept_once_for_each_driver_who_told_it(drivers: Database) -> None:
    with drivers.writing() as tx:
        add_settled(tx, ACME, [])
        add_settled(tx, ACME, [settled(note(1)), settled(note(2)), settled(note(1), driver_id="b")])
        recorded = find_recorded(tx, "a", [uuid(1), uuid(2), uuid(3)])
        assert recorded.keys() == {uuid(1), uuid(2)}
        assert (recorded[uuid(1)].fingerprint, recorded[uuid(1)].answer) == (
            b"\0\xff", f'"{STRANGE}"',
        )  # fmt: skip
        assert find_recorded(tx, "z", [uuid(1)]) == find_recorded(tx, "a", []) == {}
        with pytest.raises(VersionConflict, match="try again"), tx.begin_nested():
            add_settled(tx, ACME, [settled(note(4)), settled(note(2))])
        assert find_recorded(tx, "a", [uuid(4)]) == {}


def test_entries_are_listed_oldest_first_page_by_page_with_what_was_told(
    drivers: Database,
) -> None:
    with drivers.writing() as tx:
        for number, received in ((4, 1), (2, 1), (3, 1), (5, 1.000001), (1, 0)):
            add_settled(tx, ACME, [settled(note(number), received=received)])
        add_settled(tx, ACME, [settled(note(6, route_id="rte-2"), received=2)])
        add_settled(tx, ACME, [settled(note(7), Outcome.REFUSED, driver_id="b", received=3)])
        add_settled(tx, OTHER, [settled(note(9), driver_id="z", received=1)])

    def read(
        tx: Transaction, wanted: JournalFilter, count: int = 2, owner: str = ACME
    ) -> list[int]:
        found = read_all(lambda after, some: list_entries(tx, owner, wanted, after, some), count)
        return [int(entry.id[:8], 16) for entry, _ in found]

    with drivers.reading() as tx:
        for count in (1, 2, 3, 7, 8):
            assert read(tx, JournalFilter(), count) == [1, 2, 3, 4, 5, 6, 7]
        assert read(tx, JournalFilter(route_id="rte-2")) == [6]
        assert read(tx, JournalFilter(driver_id="b")) == [7]
        assert read(tx, JournalFilter(driver_id="z")) == []
        assert read(tx, JournalFilter(outcome=Outcome.REFUSED)) == [7]
        assert read(tx, JournalFilter(route_id="rte-1", driver_id="a"), 9) == [1, 2, 3, 4, 5]
        assert read(tx, JournalFilter(is_position=False), 9) == [1, 2, 3, 4, 5, 6, 7]
        assert read(tx, JournalFilter(is_position=True)) == []
        assert read(tx, JournalFilter(), owner=OTHER) == [9]
        (_, (entry, content)) = list_entries(tx, OTHER, JournalFilter(), None, 1)[0]
        assert entry == settled(note(9), driver_id="z", received=1).entry
        assert STRANGE.split("'")[0] in content.decode()


def test_waiting_actions_are_told_device_by_device_in_their_order_until_they_are_done(
    drivers: Database,
) -> None:
    far = 2**53
    with drivers.writing() as tx:
        add_settled(
            tx,
            ACME,
            [
                waiting(started(1, sequence=far), device="b phone"),
                waiting(note(2, sequence=10), device="b phone", at_=at(-1)),
                waiting(note(3, sequence=9), device="b phone"),
                waiting(note(4, sequence=99), device="a phone"),
                waiting(note(5, route_id="rte-2")),
                waiting(note(6), driver_id="b"),
                settled(note(7), Outcome.KEPT, Reason.ROUTE_GONE),
            ],
        )
        found = list_waiting(tx, "a", "rte-1")
        assert [int(one.action.id[:8]) for one in found] == [4, 3, 2, 1]
        mark = Mark(session_id="b phone", sequence=10, at=at(-1))
        assert found[2] == JournaledAction(action=note(2, sequence=10), driver_id="a", mark=mark)
        assert found[3].action == started(1, sequence=far)
        applied = ActionResult(id=uuid(2), outcome=Outcome.APPLIED, message="done")
        note_result(tx, found[2], applied)
        note_result(tx, found[2], ActionResult(id=uuid(2), outcome=Outcome.REFUSED))
        left = [int(one.action.id[:8]) for one in list_waiting(tx, "a", "rte-1")]
        assert left == [4, 3, 1]
        entries = list_entries(tx, ACME, JournalFilter(outcome=Outcome.APPLIED), None, 9)
        assert [(one.id, one.reason, one.message) for _, (one, _) in entries] == [
            (uuid(2), Reason.NONE, "done")
        ]
        assert len(list_waiting(tx, "b", "rte-1")) == 1
        assert list_waiting(tx, "b", "rte-2") == []


def test_an_entry_is_ticked_off_until_something_else_becomes_of_it(drivers: Database) -> None:
    with drivers.writing() as tx:
        add_settled(tx, ACME, [waiting(note(1)), waiting(note(2, sequence=2), received=1)])
        assert find_entry(tx, OTHER, "a", uuid(1)) is None
        assert find_entry(tx, ACME, "b", uuid(1)) is None
        found = find_entry(tx, ACME, "a", uuid(1).upper())
        assert found is not None
        entry = found[0].resolved(STRANGE, at(5))
        note_resolved(tx, OTHER, entry)
        assert find_entry(tx, ACME, "a", uuid(1)) == found
        note_resolved(tx, ACME, entry)
        assert find_entry(tx, ACME, "a", uuid(1)) == (entry, found[1])

    def listed(tx: Transaction, *, is_resolved: bool) -> list[str]:
        wanted = JournalFilter(is_resolved=is_resolved)
        return [one.id for _, (one, _) in list_entries(tx, ACME, wanted, None, 9)]

    with drivers.writing() as tx:
        assert listed(tx, is_resolved=True) == [uuid(1)]
        assert listed(tx, is_resolved=False) == [uuid(2)]
        gone = ActionResult(id=uuid(1), outcome=Outcome.KEPT, reason=Reason.STOP_GONE)
        note_result(tx, list_waiting(tx, "a", "rte-1")[0], gone)
        assert listed(tx, is_resolved=True) == []
        assert listed(tx, is_resolved=False) == [uuid(1), uuid(2)]


def test_what_another_device_has_overtaken_is_kept_and_found(drivers: Database) -> None:
    with drivers.writing() as tx:
        add_settled(tx, ACME, [settled(note(1)), settled(note(2, stop_id="stp-2"))])
        (overtaken,) = latest_actions(tx, ACME, "rte-1", [note(1).slot()]).values()
        note_superseded(tx, overtaken)
        assert find_superseded(tx, "a", [uuid(1), uuid(2)]) == {uuid(1)}
        assert find_superseded(tx, "b", [uuid(1)]) == set()
        assert latest_actions(tx, ACME, "rte-1", [note(1).slot()]) == {}
        kept = list_entries(tx, ACME, JournalFilter(outcome=Outcome.KEPT), None, 9)
        assert [(one.id, one.reason) for _, (one, _) in kept] == [(uuid(1), Reason.SUPERSEDED)]


def test_no_more_waiting_actions_are_tried_at_once_than_one_transaction_bears(
    drivers: Database,
) -> None:
    with drivers.writing() as tx:
        many = range(1, MOST_WAITING + 3)
        add_settled(tx, ACME, [waiting(note(number, sequence=number)) for number in many])
        found = list_waiting(tx, "a", "rte-1")
    assert [one.mark.sequence for one in found] == list(many)[:MOST_WAITING]


def test_the_routes_that_wait_for_an_upload_are_named_once(drivers: Database) -> None:
    with drivers.writing() as tx:
        add_settled(
            tx,
            ACME,
            [
                waiting(signature(1, upload_id=UPLOAD.upper())),
                waiting(signature(2)),
                waiting(signature(3, route_id="rte-2")),
                settled(signature(4, route_id="rte-3")),
                waiting(signature(5, route_id="rte-4"), driver_id="b"),
                waiting(note(6, route_id="rte-5")),
            ],
        )
        assert sorted(list_routes_waiting_for(tx, "a", UPLOAD)) == ["rte-1", "rte-2"]
        assert list_routes_waiting_for(tx, "b", UPLOAD) == ["rte-4"]
        assert list_routes_waiting_for(tx, "a", uuid(1)) == []


def test_a_slot_was_set_last_by_the_devices_own_count_or_else_by_the_clocks(
    drivers: Database,
) -> None:
    first, second = note(1, sequence=5), note(2, sequence=6)
    slot, other_slot = first.slot(), note(9, stop_id="stp-2").slot()
    with drivers.writing() as tx:
        add_settled(tx, ACME, [settled(second, at_=at(-5)), settled(first, at_=at(5))])
        asked = [slot, other_slot]

        def latest(owner: str = ACME, route_id: str = "rte-1") -> dict[str, Mark]:
            found = latest_actions(tx, owner, route_id, asked)
            return {slot: one.mark for slot, one in found.items()}

        # One device counts, whatever its clock says.
        ours = Mark(session_id="phone", sequence=6, at=at(-5))
        assert latest() == {slot: ours}
        theirs = settled(note(3), driver_id="b", device="tablet", at_=at(-5) + MICROSECOND)
        add_settled(
            tx, ACME, [theirs, waiting(note(4, sequence=9)), settled(note(5, route_id="rte-2"))]
        )
        mark = Mark(session_id="tablet", sequence=1, at=at(-5) + MICROSECOND)
        assert latest() == {slot: mark}
        assert mark.is_after(ours)
        assert not ours.is_after(mark)
        assert latest_actions(tx, ACME, "rte-1", asked)[slot].action == theirs.action
        assert latest(OTHER) == {}
        assert latest_actions(tx, ACME, "rte-1", []) == {}
        assert latest(route_id="rte-2").keys() == {slot}


def test_a_gap_is_what_a_device_has_neither_told_before_nor_tells_now(drivers: Database) -> None:
    position = PositionAction(
        id=uuid(9),
        kind=ActionKind.POSITION,
        sequence=2**53,
        at=NOW,
        route_id="rte-1",
        position=Fix(latitude=HERE.latitude, longitude=HERE.longitude),
    )
    with drivers.writing() as tx:
        kept = [settled(note(number, sequence=number)) for number in (1, 2, 4)]
        add_settled(tx, ACME, [*kept, settled(position), settled(note(20, sequence=2))])
        add_settled(tx, ACME, [settled(note(30, sequence=3), device="tablet")])

        def has_gap(sequence: int, beside: set[int]) -> bool:
            return has_gap_before(tx, "phone", sequence, beside)

        assert [has_gap(place, set()) for place in (1, 2, 3, 4, 5)] == [
            False, False, False, True, True,
        ]  # fmt: skip
        assert not has_gap(4, {3})
        assert not has_gap(5, {3, 4, 5, 6})
        assert has_gap(6, {3, 4})
        assert has_gap(2**53, {3})
        assert not has_gap_before(tx, "unknown", 1, set())


def position(number: int, *, sequence: int = 1, seconds: float = 0) -> PositionAction:
    return PositionAction(
        id=uuid(number),
        kind=ActionKind.POSITION,
        sequence=sequence,
        at=at(seconds),
        route_id="rte-1",
        position=Fix(latitude=HERE.latitude, longitude=HERE.longitude),
    )


def test_kept_positions_are_found_by_when_they_were_ends_included(drivers: Database) -> None:
    with drivers.writing() as tx:
        told = [settled(position(n, sequence=n, seconds=10 * n)) for n in range(1, 5)]
        add_settled(tx, ACME, [*told, settled(note(9), at_=at(20))])
        add_settled(tx, ACME, [settled(position(8, seconds=20), driver_id="b", device="other")])
        assert list_positions_within(tx, "a", []) == []
        spans = [(at(10), at(20)), (at(40) + MICROSECOND, at(99))]
        assert sorted(list_positions_within(tx, "a", spans)) == [at(10), at(20)]
        assert list_positions_within(tx, "b", [(at(0), at(99))]) == [at(20)]
        alone = JournalFilter(driver_id="b", is_position=True)
        assert [one.id for _, (one, _) in list_entries(tx, ACME, alone, None, 9)] == [uuid(8)]
        without = JournalFilter(is_position=False)
        assert [one.id for _, (one, _) in list_entries(tx, ACME, without, None, 9)] == [uuid(9)]
        assert list_positions_within(tx, "z", [(at(0), at(99))]) == []


def test_what_was_told_and_not_kept_leaves_no_gap_once_it_is_noted(drivers: Database) -> None:
    with drivers.writing() as tx:
        add_session(tx, "a", DriverSession(id="phone", device="x", created_at=NOW), b"t")
        add_settled(tx, ACME, [settled(note(1, sequence=1)), settled(note(4, sequence=4))])
        assert has_gap_before(tx, "phone", 5, set())
        note_heard(tx, "phone", [6])  # beyond the gap: nothing can be said of it
        assert has_gap_before(tx, "phone", 5, set())
        note_heard(tx, "phone", [2, 3])
        assert not has_gap_before(tx, "phone", 5, set())
        assert has_gap_before(tx, "phone", 6, set())
        note_heard(tx, "phone", [5])
        assert not has_gap_before(tx, "phone", 6, set())


def test_what_has_arrived_of_a_journal_is_said_with_its_gaps(drivers: Database) -> None:
    with drivers.writing() as tx:
        add_settled(
            tx,
            ACME,
            [
                settled(note(1, sequence=1)),
                waiting(note(2, sequence=3)),
                settled(note(3, sequence=6)),
                settled(note(4, sequence=2), device="other"),
            ],
        )
        state = read_journal_state(tx, "phone", 10)
        assert (state.last_sequence, state.gaps) == (6, (2, 4, 5))
        assert [(one.id, one.sequence) for one in state.waiting] == [(uuid(2), 3)]
        assert read_journal_state(tx, "phone", 2).gaps == (2, 4)
        nothing = read_journal_state(tx, "nobody's", 10)
        assert (nothing.last_sequence, nothing.gaps, nothing.waiting) == (0, (), ())
