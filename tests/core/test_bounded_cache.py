from dplda.core.bounded_cache import BoundedCache


def test_the_least_recently_used_goes_first() -> None:
    cache = BoundedCache[str](capacity=2)
    cache.put("a", "A", 1)
    cache.put("b", "B", 1)
    assert cache.get("a") == "A"
    cache.put("c", "C", 1)
    assert cache.get("b") is None
    assert cache.get("a") == "A"


def test_one_value_is_kept_whatever_it_weighs() -> None:
    cache = BoundedCache[str](capacity=1)
    cache.put("a", "A", 100)
    assert cache.get("a") == "A"
    cache.put("b", "B", 100)
    assert cache.get("a") is None
