"""Work that many ask for is done once, by the first, and by the next if the first gave up."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from dplda.core import single_flight
from dplda.core.single_flight import Once


def silent(share: float, line: str) -> None:
    pass


def test_twenty_who_ask_together_get_one_value() -> None:
    made, together, kept = [], Barrier(20), Once[int](2)

    def ask(number: int) -> int:
        together.wait(120)
        return kept.get("a", lambda: made.append(number) or number, silent)

    with ThreadPoolExecutor(20) as pool:
        found = set(pool.map(ask, range(20)))
    assert len(made) == 1
    assert found == set(made)
    assert kept.known("a") == made[0]


def test_who_waits_is_told_and_may_give_up(monkeypatch) -> None:
    monkeypatch.setattr(single_flight, "EVERY", 0.01)
    kept, begun, go = Once[int](2), Event(), Event()

    def slow() -> int:
        begun.set()
        assert go.wait(120)
        return 1

    def gives_up(share: float, line: str) -> None:
        raise InterruptedError(line)

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(kept.get, "a", slow, silent)
        assert begun.wait(120)
        with pytest.raises(InterruptedError, match="Another session"):
            kept.get("a", lambda: 2, gives_up)
        go.set()
        assert first.result(120) == 1
