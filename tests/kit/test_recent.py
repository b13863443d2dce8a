from roundsman.kit.recent import RecentBytes


def test_what_is_kept_comes_back_with_its_state() -> None:
    recent: RecentBytes[int] = RecentBytes(100)
    assert recent.find("a") is None
    recent.keep("a", 1, b"one")
    recent.keep("a", 2, b"two")
    assert recent.find("a") == (2, b"two")


def test_the_one_not_asked_for_longest_makes_room() -> None:
    recent: RecentBytes[int] = RecentBytes(10)
    recent.keep("a", 1, b"aaaa")
    recent.keep("b", 1, b"bbbb")
    recent.find("a")
    recent.keep("c", 1, b"cccc")
    assert recent.find("b") is None
    assert recent.find("a") == (1, b"aaaa")
    recent.keep("too long", 1, b"x" * 11)
    assert recent.find("too long") is None
