"""Mail addresses in headers and cells, however people and public archives write them.

``email.utils.getaddresses`` gives other answers in other versions of Python, none for the addresses that archives
disguise, and would make one author two persons after an upgrade. This reader is deterministic and takes linear time.
"""

import re

from dplda.corpus.words.vocabulary import normalised

_AT_IN_BRACKETS = re.compile(r"(?<=[\w.])\s*(?:[(\[{<](?:at|a|@)[)\]}>]|&#64;|%40)\s*(?=\w)", re.I)
_DOT_IN_BRACKETS = re.compile(r"(?<=\w)\s*[(\[{<](?:dot|\.)[)\]}>]\s*(?=\w)", re.I)
_AT_AS_WORD = re.compile(r"(?<=[\w.+-])(?:\s+at\s+|_at_|\s*-at-\s*|\s+@\s+)(?=\w)", re.I)
_DOT_AS_WORD = re.compile(r"(?<=\w)\s+dot\s+(?=\w)", re.I)
_COMMENT = re.compile(r"\([^()]*\)")
_DEEPEST_COMMENT = 3  # comments in comments that are taken out
_QUOTED = re.compile(r'"[^"]*"(?!@)')
_ENCODED = re.compile(r"=\?[^?\s]*\?[bBqQ]\?[^?\s]*\?=")
_IN_ANGLES = re.compile(r"<([^<>]*)(?:>|$)")
_SEPARATORS = re.compile(r"[,;]")
_PART = r"""[^\s<>()\[\]",;:'@?]"""  # of an address, on either side of its @
_ADDRESS = re.compile(rf"(?<!{_PART}){_PART}++@{_PART}++")
_DOMAIN = re.compile(r"@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}$", re.I)
_FAR_TOO_LONG = 100_000  # characters of a cell or header, which name no author


def addresses_in(text: str) -> list[str]:
    """The different addresses in a header or cell, in their order and in lower case; none if it is a plain name.

    An address in angle brackets counts and not the name beside it; comments in parentheses and names in quotation marks
    count only where there is no address outside them. ``ann at x.test``, ``ann(a)x.test`` and ``ann [at] x [dot] test``
    are read as ``ann@x.test``.
    """
    if len(text) > _FAR_TOO_LONG:
        return []
    visible = normalised("NFKC", _ENCODED.sub(" ", text))
    visible = _DOT_IN_BRACKETS.sub(".", _AT_IN_BRACKETS.sub("@", visible))
    plain = visible
    for _ in range(_DEEPEST_COMMENT):
        plain = _COMMENT.sub(" ", plain)
    plain = _QUOTED.sub(" ", plain)
    pieces = _SEPARATORS.split(plain)
    found = [address for piece in pieces for address in _in_one_piece(piece)]
    if not found:
        found = _ADDRESS.findall(visible)
    return list(dict.fromkeys(address.strip(".").lower() for address in found))


def _in_one_piece(piece: str) -> list[str]:
    """The addresses of one author: those in angle brackets, else those in the open, else a disguised one."""
    in_angles = [inner for inner in _IN_ANGLES.findall(piece) if inner.strip()]
    for shown in (" ".join(in_angles), _IN_ANGLES.sub(" ", piece)):
        if found := _ADDRESS.findall(shown):
            return found
        if found := _disguised(shown):
            return found
    return []


def _disguised(text: str) -> list[str]:
    """``ann at x.test`` and the like; a sentence with the word *at* in it is no address."""
    open_text = _DOT_AS_WORD.sub(".", _AT_AS_WORD.sub("@", text))
    found = _ADDRESS.findall(open_text)
    is_whole = len(open_text.split()) == 1
    return [address for address in found if is_whole or _DOMAIN.search(address)]
