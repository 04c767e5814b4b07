"""Lists of words that people write down: one a line, with comments."""

from collections.abc import Iterable

_COMMENT_SIGNS = "#|"
_BYTE_ORDER_MARK = "\ufeff"


class WordList(tuple[str, ...]):
    """Words of a list as they are read today, and as reading 1 took the same list.

    Attributes:
        former: None where reading 1 refused the list.
    """

    former: tuple[str, ...] | None

    def __new__(cls, words: Iterable[str], former: Iterable[str] | None) -> "WordList":
        """A list of both readings."""
        made = super().__new__(cls, words)
        made.former = None if former is None else tuple(former)
        return made

    def __getnewargs__(self) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
        """What a copy in another process is made of."""
        return tuple(self), self.former


def entries_of(text: str) -> tuple[str, ...]:
    r"""The words of a list, one a line; ``#`` and ``|`` begin a comment.

    Example:
        >>> entries_of("# German\nund  | and\noder\n")
        ('und', 'oder')
    """
    lines = text.removeprefix(_BYTE_ORDER_MARK).splitlines()
    entries = (_without_comment(line).strip() for line in lines)
    return tuple(entry for entry in entries if entry)


def _without_comment(line: str) -> str:
    for sign in _COMMENT_SIGNS:
        line = line.partition(sign)[0]
    return line
