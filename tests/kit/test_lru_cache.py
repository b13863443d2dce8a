from roundsman.kit.lru_cache import LruCache


def test_what_was_asked_for_last_is_kept_up_to_a_size() -> None:
    recent: LruCache[str] = LruCache(100)
    for name in "abc":
        recent.keep(name, name.upper(), 40)
    assert [recent.find(name) for name in "abc"] == [None, "B", "C"]
    recent.find("b")
    recent.keep("d", "D", 40)
    assert [recent.find(name) for name in "bcd"] == ["B", None, "D"]


def test_a_value_takes_the_place_of_the_one_before_it() -> None:
    recent: LruCache[str] = LruCache(10)
    for value in ("one", "two"):
        recent.keep("key", value, 10)
    assert recent.find("key") == "two"
    recent.keep("key", "large", 11)
    assert recent.find("key") is None
