from dplda.ui.shell.bounded_cache import Shelf


def test_the_least_recently_used_goes_first() -> None:
    shelf = Shelf[str](capacity=2)
    shelf.put("a", "A", 1)
    shelf.put("b", "B", 1)
    assert shelf.get("a") == "A"
    shelf.put("c", "C", 1)
    assert shelf.get("b") is None
    assert shelf.get("a") == "A"


def test_one_value_is_kept_whatever_it_weighs() -> None:
    shelf = Shelf[str](capacity=1)
    shelf.put("a", "A", 100)
    assert shelf.get("a") == "A"
    shelf.put("b", "B", 100)
    assert shelf.get("a") is None


def test_the_first_of_two_that_raced_is_kept() -> None:
    shelf = Shelf[str](capacity=10)
    assert shelf.put("a", "first", 1) == "first"
    assert shelf.put("a", "second", 1) == "first"
