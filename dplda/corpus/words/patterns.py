"""Words by a regular expression that somebody gave, within a limit of time.

Python's matcher takes time exponential in the text for patterns such as ``(a+)+$``, and a thread cannot stop it. Such
patterns are matched in a process of their own, which can stop. Those that are plainly linear are not.
"""

import functools
import re
import signal
from collections.abc import Sequence
from functools import partial
from types import FrameType

from dplda.core.errors import InputError

WITH_DIGITS = r"[^\W_]+(?:-[^\W_]+)*"
"""Letters and digits, with hyphens between them: a pattern that many texts need."""

_SECONDS, _CHARACTERS_A_SECOND = 4, 500_000  # a second allows a tenth of what a usual pattern reads
_PATIENCE = 20  # times as long by the clock: the process has to start, and others run beside it
_ITEM = r"(?:\\[wWsSdD]|\[\^?(?:\\.|[^\]\\])+\]|[A-Za-z0-9])"
_PLAINLY_LINEAR = re.compile(rf"(?:\(\?u\))?(?:\\b)?(?:{_ITEM}*{_ITEM}[+*]?|{_ITEM}*\\w\+?\\b)")


def find_words(pattern: str, texts: Sequence[str]) -> list[list[str]]:
    """The matches of a pattern in each text.

    Raises:
        InputError: it is no regular expression, or takes far longer than usual.
    """
    compiled_pattern(pattern)
    if pattern == WITH_DIGITS or _PLAINLY_LINEAR.fullmatch(pattern):
        return _matches(pattern, texts)
    from dplda.corpus.files import reading_process  # here, as few patterns need a process

    n_characters = sum(map(len, texts))
    seconds = _SECONDS + n_characters // _CHARACTERS_A_SECOND
    limit = f"quick to match, at most {seconds} seconds for {n_characters:,} characters"
    fix = "Do not repeat what is a repetition itself: a+ in place of (a+)+."
    too_slow = InputError("pattern", limit, "one that takes longer", fix)
    work = partial(_matches_within, seconds, too_slow, pattern, list(texts))
    try:
        return reading_process.run_in_process(work, seconds=_PATIENCE * seconds)
    except reading_process.TooSlowError:
        raise too_slow from None


@functools.lru_cache(maxsize=16)
def compiled_pattern(pattern: str) -> re.Pattern[str]:
    """A regular expression, checked.

    Raises:
        InputError: it is none.
    """
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError, TypeError):
        fix = r"\w+, say, for letters and digits."
        raise InputError("pattern", "a regular expression", "something else", fix) from None


def _matches_within(
    seconds: int, too_slow: InputError, pattern: str, texts: Sequence[str]
) -> list[list[str]]:
    """The matches, or ``too_slow`` after so many seconds of processor time, where the system can tell."""
    if not hasattr(signal, "setitimer"):
        return _matches(pattern, texts)

    def give_up(number: int, frame: FrameType | None) -> None:
        raise too_slow

    before = signal.signal(signal.SIGVTALRM, give_up)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        return _matches(pattern, texts)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _matches(pattern: str, texts: Sequence[str]) -> list[list[str]]:
    finditer = compiled_pattern(pattern).finditer
    return [[match.group() for match in finditer(text)] for text in texts]
