"""Persons of documents: names become numbers, so that no name is kept."""

import functools
import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dplda.core.errors import CorpusError
from dplda.corpus.addresses import addresses_in
from dplda.corpus.remarks import Remark
from dplda.corpus.words.cleaning import decode_entities
from dplda.corpus.words.vocabulary import code_points_of, normalised, strip_controls

Persons = NDArray[np.int64]

UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
"""Marks and letters that are drawn as nothing: fillers, blanks, joiners and selectors of variants.
"""

_UNNAMED = frozenset(
    {
        *("nan", "<na>", "na", "n/a", "#n/a", "null", "none", "nil", "undefined", "not available"),
        *("-", "--", "?", "unknown", "anonymous", "deleted", "[deleted]", "removed", "[removed]"),
    }
)  # what programs and sites write where they know no author
_WHOLE_NUMBER = re.compile(r"\+?(-?)([0-9]+)(?:\.0*|,00?)?")  # 101, 101.0, 101,00
_GROUPED_NUMBER = re.compile(r"\+?(-?)([0-9]{1,3}(?:([ ,.'])[0-9]{3})(?:\3[0-9]{3})*)")  # 1,234
_POWER_OF_TEN = re.compile(r"\+?([0-9])(?:[.,]([0-9]*))?e\+?([0-9]{1,2})")  # 1.01e+02
_FEW_DECIMALS = 4  # of a power of ten; programs that shorten a number write more
_APOSTROPHES = "‘’‚‛`´′‵ʹʻʼʽˈ＇❛❜՚׳"
_QUOTES_AROUND = "'\"“”„‟«»‹›「」()[]{}<>"
_FORMULA = re.compile(r'=\s*"(.*)"', re.DOTALL)  # ="101", by which tables keep zeros in front


class Author(NamedTuple):
    """Person whose document it is, as a name, key or header says.

    Attributes:
        name: one spelling for all names of one person; empty if the name is blank.
        remark: a remark on how the name was read; None if there is none.
        has_address: whether the name is an address.
    """

    name: str
    remark: Remark | None = None
    has_address: bool = False


def author_named(name: str) -> Author:
    """Read the author from a cell, key or header.

    The first address counts if there is one, else the text without invisible characters; words such
    as *unknown* get a remark, as do several addresses and a number that is rewritten. Whole numbers
    are one person however spreadsheets and data frames write them. Joining two persons is always
    safe, since both are then protected together; splitting one person protects neither half.
    """
    decoded_name, _ = decode_entities(name)
    visible_text = _without_unseen(decoded_name)
    addresses = addresses_in(visible_text)
    if addresses:
        remark = Remark.SEVERAL_AUTHORS if len(addresses) > 1 else None
        return Author(_one_spelling(addresses[0]), remark, has_address=True)
    spelled_name = _one_spelling(visible_text)
    if spelled_name in _UNNAMED:
        return Author(spelled_name, Remark.UNNAMED_AUTHOR)
    unified_name = _whole_number(spelled_name)
    if _is_shortened(spelled_name):
        return Author(unified_name, Remark.NUMBER_SHORTENED)
    if unified_name != spelled_name:
        return Author(unified_name, Remark.NUMBER_REWRITTEN)
    return Author(unified_name, None)


def author_named_formerly(name: str) -> Author:
    """Read the author as reading 1 did, which took an address, or a number, for its letters."""
    return Author(_former_spelling(name))


class PersonRoll:
    """Numbers persons in the order in which they are met.

    Names that differ only in case, width, white space or invisible characters are one person.
    """

    def __init__(self) -> None:
        self._number_of_name: dict[str, int] = {}
        self._document_persons: list[int] = []

    def add(self, author: Author) -> bool:
        """Record the author of the next document.

        Returns:
            Whether anything was recorded; nothing is for a blank name.
        """
        if not author.name:
            return False
        next_number = len(self._number_of_name)
        person_number = self._number_of_name.setdefault(author.name, next_number)
        self._document_persons.append(person_number)
        return True

    def numbers(self) -> Persons:
        """The person of each document, from 0, shape (N,)."""
        return np.array(self._document_persons, dtype=np.int64)


def _without_unseen(text: str) -> str:
    """The text without control characters and others that nobody sees."""
    return UNSEEN.sub("", strip_controls(text).text)


def _one_spelling(name: str) -> str:
    """One spelling for names that differ in case, width, white space or kinds of signs alone.

    Invisible characters and quotation marks around the name are left out, and of a formula such as
    ``="101"`` all but the text. Every dash is a hyphen, every sign for an apostrophe is one, digits
    of any script are those of ASCII, and the dot of Turkish letters makes no other name.

    Source:
        The Unicode Standard, section 3.13: cases are folded twice, as folding can leave normal form
        and forms bring capitals back.
    """
    visible_text = _without_unseen(name)
    formula_match = _FORMULA.fullmatch(visible_text.strip())
    if formula_match:
        visible_text = formula_match[1]
    plain_signs = _plain_signs()
    composed_text = normalised("NFKC", visible_text.translate(plain_signs))
    decomposed_text = unicodedata.normalize("NFD", composed_text)
    folded_text = normalised("NFKC", decomposed_text.casefold()).casefold()
    undotted_text = folded_text.replace("i\u0307", "i").replace("ı", "i")
    plain_text = normalised("NFKC", undotted_text).translate(plain_signs)
    spaced_text = " ".join(plain_text.split())
    unquoted_text = spaced_text.strip(_QUOTES_AROUND + " ")
    return unquoted_text or spaced_text


def _former_spelling(name: str) -> str:
    """One spelling of reading 1: for case, width, white space and invisible characters alone."""
    visible_text = _without_unseen(name)
    composed_text = normalised("NFKC", visible_text)
    decomposed_text = unicodedata.normalize("NFD", composed_text)
    folded_text = normalised("NFKC", decomposed_text.casefold()).casefold()
    plain_text = normalised("NFKC", folded_text)
    return " ".join(plain_text.split())


@functools.cache
def _plain_signs() -> dict[int, str]:
    """Plain form of each sign that people type in another way: dashes, apostrophes and digits."""
    forms = dict.fromkeys(map(ord, _APOSTROPHES), "'")
    forms[0x2212] = "-"  # the sign of a negative number
    for code in code_points_of(("Pd", "Nd")):
        digit = unicodedata.decimal(chr(code), None)
        forms[code] = "-" if digit is None else str(digit)
    return forms


def _whole_number(name: str) -> str:
    """A whole number by its digits, without leading zeros and decimals; any other name as it is.

    Digits may be grouped, as in 1,000, or given by a power of ten, as in 1e+05.
    """
    match = _WHOLE_NUMBER.fullmatch(name) or _GROUPED_NUMBER.fullmatch(name)
    if match is not None:
        sign = match[1]
        digits = re.sub("[^0-9]", "", match[2])
        significant_digits = digits.lstrip("0")
        return sign + significant_digits if significant_digits else "0"
    if match := _POWER_OF_TEN.fullmatch(name):
        leading_digit = match[1]
        decimals = (match[2] or "").rstrip("0")
        power = int(match[3])
        if len(decimals) <= power:
            return (leading_digit + decimals.ljust(power, "0")).lstrip("0") or "0"
    return name


def _is_shortened(name: str) -> bool:
    """Whether a number is a power of ten with so many decimals that digits may be cut off."""
    match = _POWER_OF_TEN.fullmatch(name)
    return match is not None and len(match[2] or "") > _FEW_DECIMALS


def check_persons(persons: ArrayLike | None, n_documents: int) -> Persons | None:
    """Copy the persons of documents into a read-only array.

    They are renumbered from 0 in the order in which they are met.

    Args:
        persons: a whole number for each document; None, which is returned, if they are unknown.
        n_documents: number of documents.

    Raises:
        CorpusError: not one whole number for each document.
    """
    if persons is None:
        return None
    given_persons = _as_array(persons, n_documents)
    if given_persons.shape != (n_documents,) or given_persons.dtype.kind not in "iu":
        problem = (
            f"The persons are an array of {given_persons.dtype} of shape {given_persons.shape}"
            f" beside {n_documents:,} documents"
        )
        fix = "Give one whole number a document, the same for all documents of a person."
        raise CorpusError(problem, fix)
    _, first_document, person_of_document = np.unique(
        given_persons, return_index=True, return_inverse=True
    )
    rank_of_person = np.argsort(np.argsort(first_document))
    person_numbers: Persons = rank_of_person[person_of_document].astype(np.int64, copy=False)
    person_numbers.flags.writeable = False
    return person_numbers


def _as_array(persons: ArrayLike, n_documents: int) -> NDArray[np.generic]:
    """The persons as an array; an empty one for a ragged list, or a list of another length.

    A list is measured before it is copied: a range may be longer than memory.
    The shape and type of other arrays are not checked: lists of equal length give two axes.
    """
    has_other_length = isinstance(persons, Sequence) and len(persons) != n_documents
    if has_other_length:
        return np.empty(0)
    try:
        return np.asarray(persons)
    except ValueError:
        return np.empty(0)
