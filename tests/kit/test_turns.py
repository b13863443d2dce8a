"""Turns: whoever goes alone is waited for, at the same keys and by nobody else."""

import os
import threading

import pytest

from roundsman.kit.turns import Turns


def test_who_goes_alone_is_waited_for_and_others_are_not() -> None:
    turns = Turns()
    order: list[str] = []
    begun = threading.Event()

    def come(name: str, *keys: str, alone: bool) -> None:
        begun.set()
        with turns.at(keys, alone=alone):
            order.append(name)

    with turns.at(["a", "b"], alone=True):
        threads = [
            threading.Thread(target=come, args=("first", "b", "c"), kwargs={"alone": True}),
            threading.Thread(target=come, args=("second", "a"), kwargs={"alone": False}),
        ]
        for thread in threads:
            thread.start()
        assert begun.wait(10)
        come("elsewhere", "c", alone=True)
        order.append("alone")
    for thread in threads:
        thread.join(10)
    assert order[:2] == ["elsewhere", "alone"]
    assert set(order[2:]) == {"first", "second"}


def test_a_turn_ends_when_its_work_fails() -> None:
    turns = Turns()
    for _ in range(2):
        with pytest.raises(KeyError), turns.at(["a"], alone=True):
            os.environ["ROUNDSMAN_IS_NOT_SET_HERE"]
    with turns.at(["a"], alone=False):
        pass


def test_nobody_waits_for_themselves_nor_for_ever() -> None:
    turns = Turns(longest_wait_seconds=0.05)
    order: list[str] = []

    def come() -> None:
        with turns.at(["a"], alone=True):
            order.append("other")

    with turns.at(["a"], alone=True):
        with turns.at(["a"], alone=True):
            order.append("same")
        other = threading.Thread(target=come)
        other.start()
        other.join(10)
    assert order == ["same", "other"]
