"""Words that match a regular expression of the user, within a limit of time.

Python's matcher takes time exponential in the text for patterns such as ``(a+)+$``, and a thread
cannot stop it. Such patterns are matched in a separate process, which can be stopped. Patterns that
are plainly linear are matched here.
"""

import functools
import re
import signal
from collections.abc import Sequence
from functools import partial
from types import FrameType

from dplda.core.errors import InputError

WITH_DIGITS = r"[^\W_]+(?:-[^\W_]+)*"
"""Pattern of letters and digits, with hyphens between them, which many texts need."""

_MAX_PATTERN_CHARACTERS = 10_000
_BASE_SECONDS = 4  # that any text may take
_CHARACTERS_A_SECOND = 500_000  # a tenth of the speed of a usual pattern
_CLOCK_FACTOR = 20  # clock over processor time: the process has to start, and others run beside it
_ITEM = r"(?:\\[wWsSdD]|\[\^?(?:\\.|[^\]\\])+\]|[A-Za-z0-9])"
_PLAINLY_LINEAR = re.compile(rf"(?:\(\?u\))?(?:\\b)?(?:{_ITEM}*{_ITEM}[+*]?|{_ITEM}*\\w\+?\\b)")


def find_words(pattern: str, texts: Sequence[str]) -> list[list[str]]:
    """Find the matches of a pattern in each text.

    A pattern that cannot be slow is matched here, any other in a process with a time limit.

    Args:
        pattern: a regular expression.
        texts: any texts; long ones are allowed more time.

    Returns:
        Whole matches of each text, without regard to groups.

    Raises:
        InputError: no regular expression, or one that takes far longer than usual.
    """
    compiled_pattern(pattern)
    if pattern == WITH_DIGITS or _PLAINLY_LINEAR.fullmatch(pattern):
        return _matches(pattern, texts)
    from dplda.core.worker_pool import reading_process  # here, as few patterns need a process

    n_characters = sum(map(len, texts))
    seconds = _BASE_SECONDS + n_characters // _CHARACTERS_A_SECOND
    limit_text = f"quick to match, at most {seconds} seconds for {n_characters:,} characters"
    fix = "Do not repeat what is a repetition itself: a+ in place of (a+)+."
    too_slow = InputError("pattern", limit_text, "one that takes longer", fix)
    matching_work = partial(_matches_in_time, seconds, too_slow, pattern, list(texts))
    try:
        return reading_process.run_in_process(matching_work, seconds=_CLOCK_FACTOR * seconds)
    except reading_process.TooSlowError:
        raise too_slow from None


@functools.lru_cache(maxsize=16)
def compiled_pattern(pattern: str) -> re.Pattern[str]:
    """Compile a regular expression; the last 16 are kept.

    Raises:
        InputError: it is no valid expression, or has more than 10,000 characters, as compiling
            takes seconds a megabyte.
    """
    if len(pattern) > _MAX_PATTERN_CHARACTERS:
        limit_text = f"a regular expression of at most {_MAX_PATTERN_CHARACTERS:,} characters"
        raise InputError("pattern", limit_text, f"one of {len(pattern):,}")
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError, TypeError):
        fix = r"\w+, say, for letters and digits."
        raise InputError("pattern", "a regular expression", "something else", fix) from None


def _matches_in_time(
    seconds: int, too_slow: InputError, pattern: str, texts: Sequence[str]
) -> list[list[str]]:
    """The matches in each text; raises ``too_slow`` after so many seconds of processor time.

    Only for the main thread of a process, as it sets a signal's handler. On systems without such
    a timer there is no limit here.
    """
    if not hasattr(signal, "setitimer"):
        return _matches(pattern, texts)

    def give_up(number: int, frame: FrameType | None) -> None:
        raise too_slow

    previous_handler = signal.signal(signal.SIGVTALRM, give_up)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        return _matches(pattern, texts)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous_handler)


def _matches(pattern: str, texts: Sequence[str]) -> list[list[str]]:
    """The matches in each text, without a limit of time."""
    find_matches = compiled_pattern(pattern).finditer
    return [[match.group() for match in find_matches(text)] for text in texts]
