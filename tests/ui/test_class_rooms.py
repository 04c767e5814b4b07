"""Classes that phones join are bounded, and forgotten after an hour."""

from collections.abc import Iterator
from threading import Timer

import pytest

from dplda.ui.learn.classroom import class_rooms
from dplda.ui.learn.classroom.class_rooms import (
    MAX_PHONES,
    MAX_ROOMS,
    SECONDS_KEPT,
    SECONDS_UNSEEN,
    ClassError,
    ClassRooms,
)

N_STEPS = 4


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def rooms(clock: Clock) -> Iterator[ClassRooms]:
    class_rooms_of_test = ClassRooms(clock)
    yield class_rooms_of_test
    for code in list(class_rooms_of_test._rooms):
        class_rooms_of_test.close(code)


def test_answers_keep_the_last_one_of_each_phone(rooms) -> None:
    code = rooms.open(N_STEPS)
    for phone, answer in (("a", 0.0), ("b", 1.0), ("a", 2.0)):
        rooms.answer(code, 0, phone, answer)
    assert rooms.n_answers(code, 0) == 2
    assert sorted(rooms.take_answers(code, 0)) == [1.0, 2.0]
    assert rooms.take_answers(code, 0) == (), "a second vote begins with none"


def test_answer_to_another_step_than_the_teachers_is_refused(rooms) -> None:
    code = rooms.open(N_STEPS)
    rooms.show_step(code, 2)
    with pytest.raises(ClassError, match="another question"):
        rooms.answer(code, 0, "a", 1.0)
    assert rooms.n_answers(code, 0) == 0


def test_answers_beyond_the_limit_are_refused_but_may_change(rooms) -> None:
    code = rooms.open(N_STEPS)
    for number in range(MAX_PHONES):
        rooms.answer(code, 0, str(number), 0.0)
    with pytest.raises(ClassError, match="no more fit"):
        rooms.answer(code, 0, "one more", 0.0)
    rooms.answer(code, 0, "0", 1.0)
    assert rooms.n_answers(code, 0) == MAX_PHONES


def test_class_is_forgotten_after_its_hour(rooms, clock) -> None:
    code = rooms.open(N_STEPS)
    rooms.answer(code, 0, "a", 1.0)
    clock.seconds += SECONDS_KEPT - 1
    assert rooms.is_open(code)
    clock.seconds += 1
    assert not rooms.is_open(code)
    assert rooms.take_answers(code, 0) == ()
    with pytest.raises(ClassError, match="over"):
        rooms.answer(code, 0, "b", 1.0)


def test_timer_forgets_a_class_that_nobody_asks_for(monkeypatch) -> None:
    timers: list[Timer] = []

    def make_timer(seconds: float, *arguments: object) -> Timer:
        assert seconds == class_rooms.SECONDS_KEPT
        timers.append(Timer(0.05, *arguments))
        return timers[0]

    monkeypatch.setattr(class_rooms, "Timer", make_timer)
    rooms = ClassRooms(Clock())
    rooms.open(N_STEPS)
    timers[0].join(30)
    assert rooms._rooms == {}


def test_classes_beyond_the_limit_are_refused_while_teachers_look(rooms, clock) -> None:
    codes = [rooms.open(N_STEPS) for _ in range(MAX_ROOMS)]
    with pytest.raises(ClassError, match="no more fit"):
        rooms.open(N_STEPS)
    clock.seconds += SECONDS_UNSEEN
    for code in codes[1:]:
        rooms.n_answers(code, 0)
    assert rooms.open(N_STEPS) not in codes
    assert [code for code in codes if not rooms.is_open(code)] == codes[:1], "its teacher left"
    assert len(rooms._rooms) == MAX_ROOMS
