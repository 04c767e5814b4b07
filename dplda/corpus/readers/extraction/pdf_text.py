"""The text of a PDF document as PDFium reads it, with words that a line's end parted put together again."""

import re

_LETTERS = r"[^\W\d_]"
_LINE_END_HYPHENS = "\x02\ufffe"  # how PDFium marks them
_SOFT_HYPHEN = "\u00ad"
_BREAK = rf"(?:[{_LINE_END_HYPHENS}]\s*+|{_SOFT_HYPHEN}(?:[ \t]*+\r?\n\s*+)?|[-‐][ \t]*+\r?\n\s*+)"
_WORD = re.compile(rf"{_LETTERS}++")
_FIRST_HALF = re.compile(rf"(?<!{_LETTERS})({_LETTERS}++)({_BREAK})(?=({_LETTERS}++))")
_BROKEN_WORD = re.compile(rf"(?<!{_LETTERS}){_LETTERS}++(?:{_BREAK}{_LETTERS}++)+")
_LEFT_OVER = re.compile(f"[{_LINE_END_HYPHENS}]")


def pdf_text(content: bytes) -> str:
    """The text of all pages; pictures of text are not read. A document that needs no password to open is decrypted."""
    from pypdfium2 import PdfDocument

    document = PdfDocument(content)
    pages = []
    for page in document:
        shown = page.get_textpage()
        pages.append(shown.get_text_bounded())
        shown.close()
        page.close()
    document.close()
    return join_broken_words("\n".join(pages))


def join_broken_words(text: str) -> str:
    """Put the halves of words together that a hyphen at a line's end parts.

    They stay apart where both halves are words of the text and the whole is not, as in *well-known*, and where the
    second half begins with a capital after small letters, as in *Anglo-Saxon*.
    """
    met = {word.casefold() for word in _WORD.findall(_BROKEN_WORD.sub(" ", text))}

    def without_hyphen(match: re.Match[str]) -> str:
        first, hyphen, second = match.groups()
        if hyphen.startswith(_SOFT_HYPHEN):
            return first
        if second[0].isupper() and not first.isupper():
            return f"{first}-"
        whole, halves = (first + second).casefold(), {first.casefold(), second.casefold()}
        return f"{first}-" if halves <= met and whole not in met else first

    return _LEFT_OVER.sub("-", _FIRST_HALF.sub(without_hyphen, text))
