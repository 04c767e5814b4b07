"""Work off the script threads: who asks together shares it, the last who leaves ends it."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from unittest.mock import Mock

import pytest

from dplda.core.types import silent
from dplda.ui.state.progress import GLANCE, Background

SOON = 30


class Slow:
    """Work that reports until it is let go."""

    def __init__(self, value: str) -> None:
        self.value, self.begun, self.go, self.ended = value, Event(), Event(), Event()
        self.times = 0

    def __call__(self, report: Callable[[float, str], None]) -> str:
        self.times += 1
        try:
            while True:
                report(0.5, self.value)
                self.begun.set()
                if self.go.wait(0.005):
                    return self.value
        finally:
            self.ended.set()


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


def test_background_work_asked_for_together_runs_once(pool) -> None:
    background, work = Background(), Slow("a")
    requests = [pool.submit(background.ask, "a", work, silent) for _ in range(4)]
    assert work.begun.wait(SOON)
    while background._jobs["a"].n_waiting < 4:
        assert not work.ended.wait(GLANCE)
    work.go.set()
    assert {request.result(SOON) for request in requests} == {"a"}
    assert work.times == 1
    assert background.ask("a", lambda report: "again", silent) == "again"  # it keeps nothing itself


def test_background_work_goes_on_while_somebody_stays(pool) -> None:
    background, work = Background(), Slow("a")
    stays = pool.submit(background.ask, "a", work, silent)
    assert work.begun.wait(SOON)
    with pytest.raises(InterruptedError):
        background.ask("a", work, Mock(side_effect=InterruptedError))
    assert not work.ended.is_set()
    work.go.set()
    assert stays.result(SOON) == "a"


def test_background_work_that_everybody_left_is_joined_by_nobody() -> None:
    background = Background()
    abandoned = Slow("b")
    with pytest.raises(InterruptedError):
        background.ask("b", abandoned, Mock(side_effect=InterruptedError))
    next_work = Slow("c")
    next_work.go.set()
    assert background.ask("b", next_work, silent) == "c"  # what is ending is joined by nobody
    assert abandoned.ended.wait(SOON) or not abandoned.times


def test_background_work_that_raises_tells_its_error() -> None:
    background = Background()
    with pytest.raises(ZeroDivisionError):
        background.ask("a", lambda report: 1 // 0, silent)
    assert background.ask("a", lambda report: 1, silent) == 1
