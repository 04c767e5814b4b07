"""Letters of a text as they are counted: entities decoded, one form for each letter, nothing that is not seen.

Zero-width spaces and control characters part words. Joiners, soft hyphens, marks of direction and of byte order, variation
selectors and the strokes that stretch Arabic words are removed. Ligatures, full-width and mathematical letters become
plain ones (normal form KC, with the exceptions of ``_plain_form``).
"""

import functools
import html
import re
import unicodedata
from html.entities import html5
from itertools import chain
from typing import NamedTuple

from dplda.corpus.words.vocabulary import basic_plane_set, code_points_of, normalised

_WHITE_SPACE = "\t\n\v\f\r\x85\u2028\u2029"
_PARTING_FORMATS = (
    "\u200b"  # zero-width space
    "\u2061\u2062\u2063\u2064"  # invisible operators of formulas
    "\ufff9\ufffa\ufffb"  # notes between lines
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"  # signs before digits
)
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and a symbol that are drawn as a space
_STRETCHES = "\u0640\u07fa\u180a"  # kashida and its like
_UNSEEN = frozenset(
    map(chr, chain(range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0)))  # variation selectors
) | frozenset("\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f" + _STRETCHES)
_QUOTES_OF_CP1252 = {"\x91": "‘", "\x92": "’"}  # read as if they were Latin-1
_HANGUL_LETTERS = (
    0x3131,
    0x318E,
)  # typed alone on purpose; normal form KC would take them for parts of syllables
_REPLACEMENT = "\ufffd"

_APOSTROPHES = "`\u1fef´\u1ffd\u0374‘‛ʹʻʼʽʾʿˈˊˋ΄᾽᾿′‵՚׳ߴߵꞌꞋ" + _REPLACEMENT
"""Signs that people use for an apostrophe beside ' and ’; the last is where one was lost."""

_CONTRACTED = re.compile(
    f"[{_APOSTROPHES}](?:(?<=[nN].)(?=[tT]\\b)|(?<=\\w.)(?=(?:[sSdDmM]|[lL][lL]|[rRvV][eE])\\b))"
)
_AMPERSANDS = "(?:amp;|#0*38;|#[xX]0*26;)*"  # of text that was escaped more than once
_ENTITY = re.compile(
    f"&({_AMPERSANDS})(#[0-9]{{1,9}}(?![0-9])|#[xX][0-9a-fA-F]{{1,8}}|[A-Za-z][A-Za-z0-9]{{1,31}})(;?)"
)
_ESCAPED_APOSTROPHE = re.compile(r"(?<=\w)(?:\\'|'')(?=(?:[stdmSTDM]|[lL][lL]|[rRvV][eE])\b)")
_BEYOND_BASIC_PLANE = "\U00010000-\U0010ffff"
_TERMINAL_CODE = re.compile("(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]")  # colors of a log, for example
_ASCII_CONTROLS = bytes(
    code for code in range(128) if not chr(code).isprintable() and chr(code) not in "\t\n\v\f\r"
)
_CONTROLS_TO_SPACES = bytes(32 if code in _ASCII_CONTROLS else code for code in range(256))


class CleanText(NamedTuple):
    """A text to find words in, and how many control or format characters and entities it had."""

    text: str
    n_removed: int
    n_entities: int


def clean_text(text: str) -> CleanText:
    """Bring a text into the one form in which words are looked for; white space is kept."""
    n_entities = 0
    if "&" in text:
        text, n_entities = _decode_entities(text)
    if "''" in text or "\\'" in text:  # as SQL and programs write them
        text = _ESCAPED_APOSTROPHE.sub("'", text)
    if text.isascii():
        text, n_removed = _part_at_controls(text)
    else:
        text, n_removed = _plain_letters(text)
    return CleanText(text, n_removed, n_entities)


def _decode_entities(text: str) -> tuple[str, int]:
    """The text with HTML's character references decoded, and their number; unknown ones stay as they are.

    A number, and names as old as ``&nbsp``, need no semicolon, as browsers have it.
    """
    n_decoded = 0

    def decoded(reference: re.Match[str]) -> str:
        nonlocal n_decoded
        ampersands, name, semicolon = reference.groups()
        is_known = name.startswith("#") or name + semicolon in html5
        n_decoded += is_known or bool(ampersands)
        if is_known:
            return html.unescape(f"&{name};")
        return f"&{name}{semicolon}" if ampersands else reference.group()

    return _ENTITY.sub(decoded, text), n_decoded


def _part_at_controls(text: str) -> tuple[str, int]:
    """ASCII text with a space for each control character, and their number."""
    if "`" in text:
        text = _CONTRACTED.sub("'", text)
    content = text.encode()
    n_controls = len(content) - len(content.translate(None, _ASCII_CONTROLS))
    if not n_controls:
        return text, 0
    if "\x1b" in text:
        content = _TERMINAL_CODE.sub(" ", text).encode()
    return content.translate(_CONTROLS_TO_SPACES).decode(), n_controls


def _plain_letters(text: str) -> tuple[str, int]:
    """Text with every letter in its plain form, and the number of control and format characters in it."""
    special = _special_characters()
    if special.search(text) is None:
        return normalised("NFC", text), 0
    n_removed = sum(unicodedata.category(it) in ("Cc", "Cf") for it in special.findall(text))
    if "\x1b" in text or "\x9b" in text:
        text = _TERMINAL_CODE.sub(" ", text)
    plain_forms = _plain_forms()
    text = special.sub(lambda found: plain_forms.get(found[0], found[0]), text)
    return _CONTRACTED.sub("'", normalised("NFC", text)), n_removed


@functools.cache
def _special_characters() -> re.Pattern[str]:
    """The characters that have another plain form or may stand for an apostrophe, and all beyond the basic plane."""
    return basic_plane_set({*_plain_forms(), *_APOSTROPHES}, _BEYOND_BASIC_PLANE)


def keeps_words(text: str, clean: str) -> bool:
    """Whether a text has the same runs of letters as it stands and in plain letters: True only where that is sure."""
    if clean is text:
        return True
    has_other_signs = any(text.count(sign) != clean.count(sign) for sign in "'\\")
    if text.isascii() or has_other_signs or "&" in text:
        return False
    return _changes_of_letters().search(text) is None


@functools.cache
def _changes_of_letters() -> re.Pattern[str]:
    """Characters that do not part words both as they stand and in plain form, and all beyond the basic plane."""
    changes = {
        it for it, form in _plain_forms().items() if not (_parts(it) and form and _parts(form))
    }
    return basic_plane_set(changes, _BEYOND_BASIC_PLANE)


def _parts(text: str) -> bool:
    """Whether every character of a text parts words."""
    return not any(unicodedata.category(it)[0] in "LMC" or it == "'" for it in text)


@functools.cache
def _plain_forms() -> dict[str, str]:
    """The plain form of every character that is not plain itself."""
    last = 0x1FFFF  # beyond it form C is enough, but for marks that are not seen
    other_forms = {it for it in map(chr, range(last)) if not unicodedata.is_normalized("NFKC", it)}
    unseen = {*map(chr, code_points_of(("Cc", "Cf", "Cs"))), *_UNSEEN, *_BLANKS}
    forms = {character: _plain_form(character) for character in other_forms | unseen}
    return {character: form for character, form in forms.items() if form != character}


def _plain_form(character: str) -> str:
    """What a character is read as; itself where it is plain, or where normal form C decides."""
    category = unicodedata.category(character)
    if character in _WHITE_SPACE:
        return character
    if character in _QUOTES_OF_CP1252:
        return _QUOTES_OF_CP1252[character]
    if category == "Cs":
        return _REPLACEMENT
    if category == "Cc" or character in _PARTING_FORMATS or character in _BLANKS:
        return " "
    if category == "Cf" or character in _UNSEEN:
        return ""
    return _compatible_form(character, category)


def _compatible_form(character: str, category: str) -> str:
    """Normal form KC of a character, where it is of use.

    Accents that stand alone stay, as their form is a space with a mark. A symbol of several letters or digits (™, ½) is a
    word of its own, not the end of the one before.
    """
    if unicodedata.is_normalized("NFKC", character):
        return character
    form = unicodedata.normalize("NFKC", character)
    if form == unicodedata.normalize("NFC", character):
        return character
    if _HANGUL_LETTERS[0] <= ord(character) <= _HANGUL_LETTERS[1]:
        return character
    if unicodedata.decomposition(character).startswith("<narrow> 31"):
        return chr(int(unicodedata.decomposition(character).split()[1], 16))
    if form.startswith(" ") and form.strip():
        return character
    for stretch in _STRETCHES:
        form = form.replace(stretch, "")
    is_symbol = category in ("So", "No")
    return f" {form} " if is_symbol and len(form) > 1 else form
