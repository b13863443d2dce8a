"""A retry is waited for, at the same keys and by nobody else."""

import os
import threading

import pytest

from roundsman.kit.retry_lock import RetryLock


def test_a_retry_is_waited_for_and_others_are_not() -> None:
    lock = RetryLock()
    order: list[str] = []
    begun = threading.Event()

    def come(name: str, *keys: str, is_retry: bool) -> None:
        begun.set()
        with lock.waited_for(keys, is_retry=is_retry):
            order.append(name)

    with lock.waited_for(["a", "b"], is_retry=True):
        threads = [
            threading.Thread(target=come, args=("first", "b", "c"), kwargs={"is_retry": True}),
            threading.Thread(target=come, args=("second", "a"), kwargs={"is_retry": False}),
        ]
        for thread in threads:
            thread.start()
        assert begun.wait(10)
        come("elsewhere", "c", is_retry=True)
        order.append("alone")
    for thread in threads:
        thread.join(10)
    assert order[:2] == ["elsewhere", "alone"]
    assert set(order[2:]) == {"first", "second"}


def test_a_retry_lets_go_when_it_fails() -> None:
    lock = RetryLock()
    for _ in range(2):
        with pytest.raises(KeyError), lock.waited_for(["a"], is_retry=True):
            os.environ["ROUNDSMAN_IS_NOT_SET_HERE"]
    with lock.waited_for(["a"], is_retry=False):
        pass


def test_nobody_waits_for_themselves_nor_for_ever() -> None:
    lock = RetryLock(longest_wait_seconds=0.05)
    order: list[str] = []

    def come() -> None:
        with lock.waited_for(["a"], is_retry=True):
            order.append("other")

    with lock.waited_for(["a"], is_retry=True):
        with lock.waited_for(["a"], is_retry=True):
            order.append("same")
        other = threading.Thread(target=come)
        other.start()
        other.join(10)
    assert order == ["same", "other"]
