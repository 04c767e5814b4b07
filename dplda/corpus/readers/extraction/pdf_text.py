"""Text of a PDF document as PDFium reads it, with words joined that a line's end has split."""

import re

from dplda.core.optional_packages import requiring

_LETTERS = r"[^\W\d_]"
_LINE_END_HYPHENS = "\x02\ufffe"  # PDFium's marks for them
_SOFT_HYPHEN = "\u00ad"
_BREAK = rf"(?:[{_LINE_END_HYPHENS}]\s*+|{_SOFT_HYPHEN}(?:[ \t]*+\r?\n\s*+)?|[-‐][ \t]*+\r?\n\s*+)"
_WORD = re.compile(rf"{_LETTERS}++")
_FIRST_HALF = re.compile(rf"(?<!{_LETTERS})({_LETTERS}++)({_BREAK})(?=({_LETTERS}++))")
_BROKEN_WORD = re.compile(rf"(?<!{_LETTERS}){_LETTERS}++(?:{_BREAK}{_LETTERS}++)+")
_OTHER_HYPHEN = re.compile(f"[{_LINE_END_HYPHENS}]")


def pdf_text(content: bytes) -> str:
    """Extract the text of all pages, with the halves of broken words joined.

    Pictures of text are not read. A document that needs no password to open is decrypted; for any
    other one PDFium's error is passed on.

    Raises:
        MissingPackageError: pypdfium2 is not installed.
    """
    with requiring("pypdfium2", "Reading PDF documents"):
        from pypdfium2 import PdfDocument

    document = PdfDocument(content)
    page_texts = []
    for page in document:
        text_page = page.get_textpage()
        page_texts.append(text_page.get_text_bounded())
        text_page.close()
        page.close()
    document.close()
    return join_broken_words("\n".join(page_texts))


def join_broken_words(text: str) -> str:
    """Join the halves of words that a hyphen at a line's end separates.

    The hyphen stays if both halves are words of the text and the whole is not, as in *well-known*,
    and if the second half begins with a capital after small letters, as in *Anglo-Saxon*. A soft
    hyphen never stays. Other signs for a hyphen become plain ones.
    A soft hyphen, or PDFium's mark for one at a line's end, joins without a line break too.
    """
    text_without_broken = _BROKEN_WORD.sub(" ", text)
    unbroken_words = {word.casefold() for word in _WORD.findall(text_without_broken)}

    def join(match: re.Match[str]) -> str:
        """First half of a broken word, with its hyphen if that belongs to the word.

        The rules are those of ``join_broken_words``. The second half stays in the text.
        """
        first_half, hyphen, second_half = match.groups()
        if hyphen.startswith(_SOFT_HYPHEN):
            return first_half
        if second_half[0].isupper() and not first_half.isupper():
            return f"{first_half}-"
        joined_word = (first_half + second_half).casefold()
        halves = {first_half.casefold(), second_half.casefold()}
        is_compound = halves <= unbroken_words and joined_word not in unbroken_words
        if is_compound:
            return f"{first_half}-"
        return first_half

    joined_text = _FIRST_HALF.sub(join, text)
    return _OTHER_HYPHEN.sub("-", joined_text)
