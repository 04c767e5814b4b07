"""Lists of words that people write down: one word a line, with comments."""

from collections.abc import Iterable

_COMMENT_SIGNS = "#|"
_BYTE_ORDER_MARK = "\ufeff"


class WordList(tuple[str, ...]):
    """Words of a list as they are read today, and as reading 1 took the same list.

    Args:
        words: as they are read today.
        former: as reading 1 took them; None if it refused the list.

    Attributes:
        former: as given.
    """

    former: tuple[str, ...] | None

    def __new__(cls, words: Iterable[str], former: Iterable[str] | None) -> "WordList":
        """Make a list of both readings."""
        word_list = super().__new__(cls, words)
        word_list.former = None if former is None else tuple(former)
        return word_list

    def __getnewargs__(self) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
        """Arguments from which a copy in another process is made."""
        return tuple(self), self.former


def entries_of(text: str) -> tuple[str, ...]:
    r"""List the words of a text, one a line.

    ``#`` and ``|`` begin a comment anywhere in a line. Blank lines and a byte order mark at the
    beginning are left out. Doubles stay, and so does white space within a line.

    Example:
        >>> entries_of("# German\nund  | and\noder\n")
        ('und', 'oder')
    """
    lines = text.removeprefix(_BYTE_ORDER_MARK).splitlines()
    entries = (_without_comment(line).strip() for line in lines)
    return tuple(entry for entry in entries if entry)


def _without_comment(line: str) -> str:
    """The line up to the first ``#`` or ``|``."""
    for sign in _COMMENT_SIGNS:
        line = line.partition(sign)[0]
    return line
