"""Mail addresses in headers and cells, in the ways that people and public archives write them.

``email.utils.getaddresses`` gives other answers in other versions of Python, none for the addresses
that archives disguise, and would make one author two persons after an upgrade. This reader is
deterministic and takes linear time.
"""

import re

from dplda.corpus.words.cleaning import decode_entities
from dplda.corpus.words.vocabulary import normalised

_AT_IN_BRACKETS = re.compile(r"(?<=[\w.])\s*(?:[(\[{<](?:at|a|@)[)\]}>]|%40)\s*(?=\w)", re.I)
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
_PUNYCODE = "xn--"  # begins a part of a domain that stands for other letters
_MAX_LABEL_LENGTH = 63  # of a part of a domain, in ASCII
_MAX_TEXT_LENGTH = 100_000  # characters of a cell or header, which name no author


def addresses_in(text: str) -> list[str]:
    """List the distinct addresses in a header or cell, in order and in one spelling each.

    None in a plain name. An address in angle brackets counts and not the name beside it. Comments
    in parentheses and names in quotation marks count only if there is no address outside them.
    ``ann at x.test``, ``ann(a)x.test`` and ``ann [at] x [dot] test`` are read as ``ann@x.test``.
    HTML entities are decoded. Encoded words, such as ``=?utf-8?Q?…?=``, are not: they are left out.
    A text of more than 100,000 characters has none.
    """
    if len(text) > _MAX_TEXT_LENGTH:
        return []
    visible_text = normalised("NFKC", _ENCODED.sub(" ", decode_entities(text)[0]))
    visible_text = _DOT_IN_BRACKETS.sub(".", _AT_IN_BRACKETS.sub("@", visible_text))
    text_without_comments = visible_text
    for _ in range(_DEEPEST_COMMENT):
        text_without_comments = _COMMENT.sub(" ", text_without_comments)
    unquoted_text = _QUOTED.sub(" ", text_without_comments)
    pieces = _SEPARATORS.split(unquoted_text)
    addresses = [address for piece in pieces for address in _author_addresses(piece)]
    if not addresses:
        addresses = _ADDRESS.findall(visible_text)
    return list(dict.fromkeys(map(_one_spelling, addresses)))


def _one_spelling(address: str) -> str:
    """One spelling for addresses that reach the same mailbox.

    Case does not count, nor what follows a plus sign in the name of the mailbox, nor whether a
    domain is written in its own letters or in those of ASCII.

    Source:
        RFC 5233 (detail of an address), RFC 3492 (Punycode).
    """
    mailbox, _, domain = address.strip(".").lower().rpartition("@")
    user = mailbox.partition("+")[0] or mailbox
    return f"{user}@{'.'.join(map(_decoded_label, domain.split('.')))}"


def _decoded_label(label: str) -> str:
    """A part of a domain in its own letters, in lower case.

    Only a part that begins with ``xn--``, in lower case, and has at most 63 characters is decoded.
    Any other part, or one that cannot be decoded, is returned unchanged.
    """
    if not label.startswith(_PUNYCODE) or len(label) > _MAX_LABEL_LENGTH:
        return label
    try:
        return label.removeprefix(_PUNYCODE).encode("ascii").decode("punycode").lower()
    except UnicodeError:
        return label


def _author_addresses(piece: str) -> list[str]:
    """Addresses between two separators, all of the first form that occurs; empty if none does.

    The forms are, in order: plain in angle brackets, disguised there, plain outside, disguised
    outside.
    """
    in_angles = [
        bracketed_text for bracketed_text in _IN_ANGLES.findall(piece) if bracketed_text.strip()
    ]
    outside_angles = _IN_ANGLES.sub(" ", piece)
    for part in (" ".join(in_angles), outside_angles):
        addresses = _ADDRESS.findall(part) or _disguised_addresses(part)
        if addresses:
            return addresses
    return []


def _disguised_addresses(text: str) -> list[str]:
    """Addresses written like ``ann at x.test``.

    In a text of several words an address must end in a domain: the word *at* alone makes none.
    """
    rewritten_text = _DOT_AS_WORD.sub(".", _AT_AS_WORD.sub("@", text))
    is_one_word = len(rewritten_text.split()) == 1
    addresses = _ADDRESS.findall(rewritten_text)
    return [address for address in addresses if is_one_word or _DOMAIN.search(address)]
