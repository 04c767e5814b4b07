"""Classes that phones join: their answers, in this server's memory alone, for an hour at most.

Nobody gives a name. An answer is kept under a random number that the phone's session draws. Rooms,
phones of a room, and the work of a call are bounded, so that nobody can fill the memory or keep
others waiting.
"""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock, Timer

from dplda.core.errors import Mendable

MAX_ROOMS = 50
MAX_PHONES = 200  # that answer one question of a class
SECONDS_KEPT = 3600.0
SECONDS_UNSEEN = 120.0  # after which a class makes place for another one: its teacher has left
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that are taken for one another
CODE_LENGTH = 6


class ClassError(Mendable):
    """An answer or a class that is not accepted."""


@dataclass(slots=True, eq=False)
class _Room:
    """One class.

    Attributes:
        opened_at: time of the clock.
        step: index of the teacher's step.
        answers: of each step, by phone.
        timer: forgets the class after its hour.
        seen_at: time at which its teacher last looked.
    """

    opened_at: float
    step: int
    answers: tuple[dict[str, float], ...]
    timer: Timer
    seen_at: float


class ClassRooms:
    """All classes of a server.

    Args:
        clock: seconds, never going back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin without a class."""
        self._clock = clock
        self._lock = Lock()
        self._rooms: dict[str, _Room] = {}

    def open(self, n_steps: int) -> str:
        """Open a class whose phones can answer questions, and return the code that they join by.

        It is forgotten after ``SECONDS_KEPT``, whether or not anybody asks for it again. If all
        places are taken, it takes that of a class at which no teacher looks.

        Raises:
            ClassError: there are ``MAX_ROOMS`` classes whose teachers look at them.
        """
        with self._lock:
            self._forget_expired()
            self._make_place()
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            now = self._clock()
            timer = Timer(SECONDS_KEPT, self.close, (code,))
            timer.daemon = True
            answers: tuple[dict[str, float], ...] = tuple({} for _ in range(n_steps))
            self._rooms[code] = _Room(
                opened_at=now, step=0, answers=answers, timer=timer, seen_at=now
            )
            timer.start()
        return code

    def close(self, code: str) -> None:
        """Forget a class and its answers; nothing happens if it is forgotten already."""
        with self._lock:
            if code in self._rooms:
                self._forget(code)

    def is_open(self, code: str) -> bool:
        """Whether there is a class of this code."""
        with self._lock:
            return self._find(code) is not None

    def show_step(self, code: str, step: int) -> None:
        """Note the step that the teacher shows; nothing happens if the class is over.

        It counts as a look of the teacher, which keeps the class its place.

        Args:
            code: of the class.
            step: index of the step.
        """
        with self._lock:
            room = self._find(code)
            if room is not None:
                room.step = step
                room.seen_at = self._clock()

    def current_step(self, code: str) -> int | None:
        """Index of the teacher's step; None if there is no such class, or it is over."""
        with self._lock:
            room = self._find(code)
            return None if room is None else room.step

    def answer(self, code: str, step: int, phone_id: str, answer: float) -> None:
        """Keep the answer of a phone, in place of an earlier one to the same step.

        The value of the answer is not checked.

        Args:
            code: of the class.
            step: index of the step that was answered.
            phone_id: its random identifier.
            answer: index of an option, or the number.

        Raises:
            ClassError: the class is over, shows another step, or has ``MAX_PHONES`` other answers.
        """
        with self._lock:
            room = self._find(code)
            if room is None:
                raise ClassError("This class is over", "Ask your teacher for a new link.")
            if room.step != step:
                raise ClassError(
                    "Your teacher shows another question", "Look at the screen, then answer here."
                )
            answers = room.answers[step]
            if phone_id not in answers and len(answers) >= MAX_PHONES:
                raise ClassError(
                    f"{MAX_PHONES} phones have answered, and no more fit",
                    "Raise your hand instead.",
                )
            answers[phone_id] = answer

    def n_answers(self, code: str, step: int) -> int:
        """Number of phones that answered a step since its answers were last taken.

        0 if the class is over. It counts as a look of the teacher, which keeps the class its place.

        Args:
            code: of the class.
            step: index of the step.
        """
        with self._lock:
            room = self._find(code)
            if room is None:
                return 0
            room.seen_at = self._clock()
            return len(room.answers[step])

    def take_answers(self, code: str, step: int) -> tuple[float, ...]:
        """Return the answers to a step and forget them, so that a second vote begins with none.

        There is one for each phone, in the order of their first answers; none if the class is over.

        Args:
            code: of the class.
            step: index of the step.
        """
        with self._lock:
            room = self._find(code)
            if room is None:
                return ()
            answers = tuple(room.answers[step].values())
            room.answers[step].clear()
            return answers

    def _find(self, code: str) -> _Room | None:
        """The class of a code, unless its hour is over."""
        room = self._rooms.get(code)
        if room is None or self._clock() - room.opened_at >= SECONDS_KEPT:
            return None
        return room

    def _forget(self, code: str) -> None:
        """Forget a class that is kept, and its timer."""
        self._rooms.pop(code).timer.cancel()

    def _forget_expired(self) -> None:
        """Forget classes whose hour is over."""
        for code in [code for code in self._rooms if self._find(code) is None]:
            self._forget(code)

    def _make_place(self) -> None:
        """Where all places are taken, forget the class whose teacher has not looked for longest.

        Raises:
            ClassError: every teacher looked within ``SECONDS_UNSEEN``.
        """
        if len(self._rooms) < MAX_ROOMS:
            return
        code, room = min(self._rooms.items(), key=lambda code_and_room: code_and_room[1].seen_at)
        if self._clock() - room.seen_at < SECONDS_UNSEEN:
            raise ClassError(
                f"This server has {MAX_ROOMS} classes, and no more fit", "Count hands instead."
            )
        self._forget(code)


CLASS_ROOMS = ClassRooms()
