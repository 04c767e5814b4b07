r"""Ends of lines: one ``\n`` each, however a program wrote them."""

import re

_LOOKED_AT = 1 << 18  # characters in which a text without LF shows that CR ends its lines
_SEVERAL = re.compile(r"(?<!\r)\r++\n")  # possessive: a run of CR without LF is gone through once


class LineEnds:
    r"""Brings the ends of lines of a text, which comes in pieces, to ``\n``.

    Where the first 262,144 characters hold no LF, every CR ends a line, as on old Macs. Elsewhere LF does, with any CR
    before it: programs that convert a text twice write CR CR LF. A CR that no LF follows is then a part of its line,
    because taken for an end it would make two documents of one.
    """

    def __init__(self) -> None:
        self._begin: list[str] | None = []  # of the text, until it is decided what ends lines
        self._n_begin = 0
        self._every_cr_ends = False
        self._n_waiting = 0  # CRs at the end of the last piece, which an LF may follow

    def translate(self, piece: str, *, is_last: bool) -> str:
        """The next piece, less what cannot be decided yet."""
        if self._begin is not None:
            missing = _LOOKED_AT - self._n_begin
            has_lf = "\n" in piece[:missing]
            self._begin.append(piece)
            self._n_begin += len(piece)
            if not (has_lf or is_last or len(piece) >= missing):
                return ""
            piece = "".join(self._begin)
            self._begin, self._every_cr_ends = None, not has_lf
        return self._translate(piece, is_last=is_last)

    def _translate(self, piece: str, *, is_last: bool) -> str:
        if not (is_last or piece.strip("\r")):
            self._n_waiting += len(piece)
            return ""
        text = "\r" * self._n_waiting + piece
        self._n_waiting = 0 if is_last else len(text) - len(text.rstrip("\r"))
        if self._n_waiting:
            text = text[: -self._n_waiting]
        if "\r" not in text:
            return text
        if self._every_cr_ends:
            return text.replace("\r\n", "\n").replace("\r", "\n")
        return _SEVERAL.sub("\n", text) if "\r\r" in text else text.replace("\r\n", "\n")
