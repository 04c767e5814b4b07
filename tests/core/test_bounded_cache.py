from dplda.core.bounded_cache import BoundedCache


def test_bounded_cache_drops_the_least_recently_used_first() -> None:
    cache = BoundedCache[str](capacity=2)
    cache.put("a", "A", 1)
    cache.put("b", "B", 1)
    assert cache.get("a") == "A"
    cache.put("c", "C", 1)
    assert cache.get("b") is None
    cache.put("d", "D", 100)
    assert (cache.get("a"), cache.get("c"), cache.get("d")) == (None, None, "D"), (
        "one is kept, whatever it weighs"
    )


def test_replace_keeps_the_new_value_in_the_place_of_the_old() -> None:
    cache = BoundedCache[str](capacity=2)
    cache.put("a", "A", 1)
    assert cache.put("a", "B", 1) == "A"
    cache.replace("a", "B", 1)
    assert cache.get("a") == "B"
