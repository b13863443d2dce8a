"""Which parcel of a shop a stop carries: one that is sure to be its own, or none."""

from roundsman.storefronts.port import ReportedItem
from roundsman.storefronts.quantities import choose_packed

ONE_BOX = {"line": ("BOX", "Box", 1)}
TWO_BOXES = {"line": ("BOX", "Box", 2)}
BOX = [ReportedItem(sku="BOX", name="Box", quantity=1)]


def test_the_only_parcel_of_its_items_is_a_stops() -> None:
    assert choose_packed([("a", False, ONE_BOX)], BOX) == "a"
    assert (
        choose_packed([("a", False, ONE_BOX), ("b", False, {"x": ("HAM", "Ham", 1)})], BOX) == "a"
    )


def test_after_a_lost_answer_it_is_the_same_parcel() -> None:
    assert choose_packed([("a", True, ONE_BOX)], BOX) == "a"


def test_one_that_has_arrived_is_left_for_one_that_has_not() -> None:
    assert choose_packed([("old", True, ONE_BOX), ("new", False, ONE_BOX)], BOX) == "new"


def test_of_two_that_would_do_neither_is_taken() -> None:
    assert choose_packed([("a", False, ONE_BOX), ("b", False, ONE_BOX)], BOX) is None


def test_one_that_holds_more_is_not_taken() -> None:
    assert choose_packed([("a", False, TWO_BOXES)], BOX) is None
    mixed = {**ONE_BOX, "other": ("HAM", "Ham", 1)}
    assert choose_packed([("a", False, mixed)], BOX) is None


def test_a_stop_of_the_whole_order_takes_whatever_is_in_it() -> None:
    assert choose_packed([("a", False, TWO_BOXES)], []) == "a"
