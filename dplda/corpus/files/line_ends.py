r"""Ends of lines: one ``\n`` each, whatever a program wrote."""

import re

_N_LOOKED_AT = 1 << 18  # characters in which a text without LF shows that CR ends its lines
_CRS_BEFORE_LF = re.compile(
    r"(?<!\r)\r++\n"
)  # possessive: a run of CR without LF is gone through once


class LineEnds:
    r"""Brings the ends of lines of a text, which comes in pieces, to ``\n``.

    If the first 262,144 characters hold no LF, every CR ends a line, as on old Macs. Otherwise LF
    does, with any CR before it: programs that convert a text twice write CR CR LF. A CR that no LF
    follows is then part of its line, because as an end it would make two documents of one.
    """

    def __init__(self) -> None:
        self._first_pieces: list[str] | None = []  # kept until it is decided what ends lines
        self._n_first_characters = 0
        self._every_cr_ends = False
        self._n_waiting_crs = 0  # CRs at the end of the last piece, which an LF may follow

    def translate(self, piece: str, *, is_last: bool) -> str:
        """Translate the next piece; a part that cannot be decided yet comes with a later piece.

        Args:
            piece: text that follows the last piece.
            is_last: whether nothing follows, so that everything comes now.
        """
        if self._first_pieces is not None:
            n_missing = _N_LOOKED_AT - self._n_first_characters
            has_lf = "\n" in piece[:n_missing]
            self._first_pieces.append(piece)
            self._n_first_characters += len(piece)
            if not (has_lf or is_last or len(piece) >= n_missing):
                return ""
            piece = "".join(self._first_pieces)
            self._first_pieces = None
            self._every_cr_ends = not has_lf
        return self._translate(piece, is_last=is_last)

    def _translate(self, piece: str, *, is_last: bool) -> str:
        """Translate a piece by the rule that was decided; CRs at its end wait for the next one.

        If every CR ends a line, CR LF is one end. Otherwise all CRs before an LF belong to that
        end, and other CRs stay as they are.
        """
        if not (is_last or piece.strip("\r")):
            self._n_waiting_crs += len(piece)
            return ""
        text = "\r" * self._n_waiting_crs + piece
        self._n_waiting_crs = 0 if is_last else len(text) - len(text.rstrip("\r"))
        if self._n_waiting_crs:
            text = text[: -self._n_waiting_crs]
        if "\r" not in text:
            return text
        if self._every_cr_ends:
            return text.replace("\r\n", "\n").replace("\r", "\n")
        if "\r\r" in text:
            return _CRS_BEFORE_LF.sub("\n", text)
        return text.replace("\r\n", "\n")
