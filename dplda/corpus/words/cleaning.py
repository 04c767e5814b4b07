"""Letters of a text as they are counted: entities decoded, plain forms, no invisible characters.

Zero-width spaces and control characters separate words. Joiners, soft hyphens, marks of direction
and of byte order, variation selectors and the strokes that stretch Arabic words are removed.
Ligatures, full-width and mathematical letters become plain ones (normal form KC, with the
exceptions of ``_plain_form``).
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
_SEPARATING_FORMATS = (
    "\u200b"  # zero-width space
    "\u2061\u2062\u2063\u2064"  # invisible operators of formulas
    "\ufff9\ufffa\ufffb"  # notes between lines
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2"  # signs before digits
    "\U000110bd\U000110cd"  # and two more of them
)
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and a symbol that are drawn as a space
_STRETCHES = "\u0640\u07fa\u180a"  # kashida and its like
_INVISIBLE = frozenset(
    map(chr, chain(range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0)))  # variation selectors
) | frozenset("\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f" + _STRETCHES)
_QUOTES_OF_CP1252 = {"\x91": "‘", "\x92": "’"}  # read as if they were Latin-1
# Typed alone on purpose; normal form KC would take them for parts of syllables.
_SINGLE_HANGUL_LETTERS = (0x3131, 0x318E)
_REPLACEMENT = "\ufffd"

_APOSTROPHES = "`\u1fef´\u1ffd\u0374‘‛ʹʻʼʽʾʿˈˊˋ΄᾽᾿′‵՚׳ߴߵꞌꞋ" + _REPLACEMENT
"""Signs that people use for an apostrophe beside ' and ’.

The last one replaces a lost apostrophe.
"""

_CONTRACTED = re.compile(
    f"[{_APOSTROPHES}](?:(?<=[nN].)(?=[tT]\\b)|(?<=\\w.)(?=(?:[sSdDmM]|[lL][lL]|[rRvV][eE])\\b))"
)
_AMPERSANDS = "(?:amp;|#0*38;|#[xX]0*26;)*"  # of text that was escaped more than once
_ENTITY = re.compile(
    f"&({_AMPERSANDS})"
    "(#[0-9]{1,9}(?![0-9])|#[xX][0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{1,31})(;?)"
)
_ESCAPED_APOSTROPHE = re.compile(r"(?<=\w)(?:\\'|'')(?=(?:[stdmSTDM]|[lL][lL]|[rRvV][eE])\b)")
_BEYOND_BASIC_PLANE = "\U00010000-\U0010ffff"
_TERMINAL_CODE = re.compile("(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]")  # colors of a log, for example
_ASCII_CONTROLS = bytes(
    code for code in range(128) if not chr(code).isprintable() and chr(code) not in "\t\n\v\f\r"
)
_CONTROLS_TO_SPACES = bytes(32 if code in _ASCII_CONTROLS else code for code in range(256))


class CleanText(NamedTuple):
    """A text to find words in.

    Attributes:
        text: the text in plain letters.
        n_removed: control and format characters that it had.
        n_entities: entities that were decoded.
    """

    text: str
    n_removed: int
    n_entities: int


def clean_text(text: str) -> CleanText:
    """Normalize a text before it is divided into words; white space stays.

    References of HTML are decoded, escaped apostrophes made plain, control characters replaced
    and letters brought to plain forms. What was removed and decoded is counted.
    """
    n_entities = 0
    if "&" in text:
        text, n_entities = decode_entities(text)
    if "''" in text or "\\'" in text:  # as SQL and programs write apostrophes
        text = _ESCAPED_APOSTROPHE.sub("'", text)
    clean, n_removed = _clean_ascii(text) if text.isascii() else _plain_letters(text)
    return CleanText(clean, n_removed, n_entities)


def decode_entities(text: str) -> tuple[str, int]:
    """Decode HTML's character references, and count them; unknown names stay as they are.

    A number, and names as old as ``&nbsp``, need no semicolon, as in browsers. Of text that was
    escaped more than once, all escapes are undone. An unknown name whose ampersand was escaped
    keeps one plain ampersand, and is counted.
    """
    n_decoded = 0

    def decode(reference: re.Match[str]) -> str:
        """The text in place of one reference, which is counted if it changes.

        A number or a known name becomes its character. An unknown name that was escaped more than
        once keeps one ampersand, and any other unknown name stays.
        """
        nonlocal n_decoded
        escaped_ampersands, name, semicolon = reference.groups()
        is_known = name.startswith("#") or name + semicolon in html5
        n_decoded += is_known or bool(escaped_ampersands)
        if is_known:
            return html.unescape(f"&{name};")
        if escaped_ampersands:
            return f"&{name}{semicolon}"
        return reference.group()

    return _ENTITY.sub(decode, text), n_decoded


def _clean_ascii(text: str) -> tuple[str, int]:
    """Replace control characters by spaces and backquotes of contractions by apostrophes.

    Returns:
        The text, and its number of control characters. Colors of a terminal become one space each.
    """
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
    """Bring letters to plain forms in normal form C; count control and format characters.

    Codes of a terminal become spaces, and backquotes of contractions apostrophes. A text without
    special characters is only brought to the normal form.
    """
    special_pattern = _special_characters()
    if special_pattern.search(text) is None:
        return normalised("NFC", text), 0
    n_unseen = sum(
        unicodedata.category(character) in ("Cc", "Cf")
        for character in special_pattern.findall(text)
    )
    if "\x1b" in text or "\x9b" in text:
        text = _TERMINAL_CODE.sub(" ", text)
    plain_forms = _plain_forms()

    def plain_form(match: re.Match[str]) -> str:
        """The plain form of a special character; itself if it has none."""
        character = match[0]
        return plain_forms.get(character, character)

    plain_text = normalised("NFC", special_pattern.sub(plain_form, text))
    return _CONTRACTED.sub("'", plain_text), n_unseen


@functools.cache
def _special_characters() -> re.Pattern[str]:
    """Pattern of a character with another plain form, an apostrophe's sign, or a high one."""
    return basic_plane_set({*_plain_forms(), *_APOSTROPHES}, _BEYOND_BASIC_PLANE)


def keeps_words(text: str, clean: str) -> bool:
    """Whether a text surely has the same runs of letters before and after cleaning.

    False means that they may differ.

    Args:
        text: as it came.
        clean: the same in plain letters.
    """
    if clean is text:
        return True
    has_other_signs = any(text.count(sign) != clean.count(sign) for sign in "'\\")
    if text.isascii() or has_other_signs or "&" in text:
        return False
    return _changes_of_letters().search(text) is None


@functools.cache
def _changes_of_letters() -> re.Pattern[str]:
    """Pattern of a character that cleaning may change within a word, or beyond the basic plane."""
    changes = {
        character
        for character, form in _plain_forms().items()
        if not (_separates_words(character) and form and _separates_words(form))
    }
    return basic_plane_set(changes, _BEYOND_BASIC_PLANE)


def _separates_words(text: str) -> bool:
    """Whether no character of a text can be within a word: letter, mark, control, apostrophe."""
    return not any(
        unicodedata.category(character)[0] in "LMC" or character == "'" for character in text
    )


@functools.cache
def _plain_forms() -> dict[str, str]:
    """The plain form of each character that is not plain itself.

    Beyond U+1FFFE there are only control, format and invisible characters.
    """
    n_code_points = 0x1FFFF  # beyond it form C is enough, except for invisible marks
    characters_not_in_kc = {
        character
        for character in map(chr, range(n_code_points))
        if not unicodedata.is_normalized("NFKC", character)
    }
    control_characters = map(chr, code_points_of(("Cc", "Cf", "Cs")))
    invisible_characters = {*control_characters, *_INVISIBLE, *_BLANKS}
    plain_forms = {}
    for character in characters_not_in_kc | invisible_characters:
        plain_form = _plain_form(character)
        if plain_form != character:
            plain_forms[character] = plain_form
    return plain_forms


def _plain_form(character: str) -> str:
    """The form in which a character is read; itself if it is plain, or if normal form C decides.

    Tabs, line ends and separators of lines stay. A space stands for other characters that separate
    words, and "" for those that are removed. Surrogates become the replacement character. Two
    controls are quotation marks.
    """
    category = unicodedata.category(character)
    if character in _WHITE_SPACE:
        return character
    if character in _QUOTES_OF_CP1252:
        return _QUOTES_OF_CP1252[character]
    if category == "Cs":
        return _REPLACEMENT
    if category == "Cc" or character in _SEPARATING_FORMATS or character in _BLANKS:
        return " "
    if category == "Cf" or character in _INVISIBLE:
        return ""
    return _compatible_form(character, category)


def _compatible_form(character: str, category: str) -> str:
    """Normal form KC of a character; the character itself if form C decides or KC would do harm.

    ``category`` is its Unicode category.

    Stretching characters are removed from it. Hangul letters typed alone stay, and a narrow one
    becomes the usual one. Accents that stand alone stay; their form would be a space with a mark.
    The form of a symbol of several letters or digits (™, ½) has a space on both sides.
    """
    if unicodedata.is_normalized("NFKC", character):
        return character
    form = unicodedata.normalize("NFKC", character)
    if form == unicodedata.normalize("NFC", character):
        return character
    first_hangul, last_hangul = _SINGLE_HANGUL_LETTERS
    if first_hangul <= ord(character) <= last_hangul:
        return character
    decomposition = unicodedata.decomposition(character)
    if decomposition.startswith("<narrow> 31"):  # a narrow letter of Hangul
        return chr(int(decomposition.split()[1], 16))
    if form.startswith(" ") and form.strip():
        return character
    for stretching_character in _STRETCHES:
        form = form.replace(stretching_character, "")
    is_symbol = category in ("So", "No")
    if is_symbol and len(form) > 1:
        return f" {form} "
    return form
