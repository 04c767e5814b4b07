"""Summary of a reading: what was read, dropped and changed, as numbers and places, no content."""

import re
from dataclasses import dataclass

from dplda.core.formatting import counted
from dplda.core.safe_open import printable
from dplda.corpus.remarks import CountedRemark
from dplda.corpus.words.splitting import UNSPACED_LETTER

_MAX_SHOWN_LENGTH = 30  # characters of a stop word
SMALL_SHARE_KEPT = (
    0.5  # a vocabulary that keeps a smaller share of the words does not fit the documents
)
_TAG = re.compile(r"<(?:!doctype|!--|/?[a-z][a-z0-9]*[\s/>])", re.IGNORECASE)
_FIELDS = (
    "From|To|Date|Subject|Message-ID|Received|Return-Path|Newsgroups|Path|MIME-Version|Content-Type"
)
_HEADER = re.compile(rf"\s*(?:From \S+@|(?:{_FIELDS}): )", re.IGNORECASE)
_UNSPACED_RUN = re.compile(
    f"{UNSPACED_LETTER.pattern}{{6,}}"
)  # longer than words of these scripts are
_MANY = 0.05  # share of texts
_MOST = 0.5  # share of texts, and of a text's characters
_CHARACTERS_LOOKED_AT = 500  # characters of each


@dataclass(frozen=True, slots=True)
class Intake:
    r"""Counts of what a reader met. They depend on the documents: for the curator's eyes only.

    Attributes:
        n_read: documents read.
        n_short: documents with fewer than 3 words of the vocabulary; they are kept.
        n_truncated: documents cut to the public limit on words.
        n_duplicates: documents equal to an earlier one; they are kept.
        n_control_removed: invisible characters that were removed or read as a space.
        n_tokens: words of three or more letters, after documents were cut.
        n_tokens_kept: those of them that are in the vocabulary.
        n_words_met: distinct words that are no stop words; those of the vocabulary, if one was
            given.
        n_repeated_entries: entries of a matrix for the same document and word; they are summed.
        n_files: files read.
        n_files_dropped: files skipped for an unknown format.
        n_stopped: of ``n_tokens``, stop words outside the vocabulary.
        n_left_out: words outside ``n_tokens``, too short for their script or too long, and no stop
            words.
        n_entities: character references of HTML that were decoded.
        idle_stop_words: entries of the list of stop words that can never match.
        looks_html: whether many texts have tags of HTML.
        looks_mail: whether many texts begin with a header of mail.
        looks_unspaced: whether most texts are in a script without spaces between words.
        remarks: unusual things that were met or could not be read, with numbers and places.

    Example:
        >>> import io
        >>> import dplda
        >>> text = io.BytesIO(b"green tea with milk\ngreen tea with milk\nno\n")
        >>> corpus = dplda.load(("cups.txt", text), label="public", n_words=3)
        >>> corpus.intake.n_read, corpus.intake.n_duplicates, corpus.intake.n_short
        (3, 1, 1)
    """

    n_read: int
    n_short: int
    n_truncated: int
    n_duplicates: int
    n_control_removed: int
    n_tokens: int
    n_tokens_kept: int
    n_words_met: int
    n_repeated_entries: int = 0
    n_files: int = 1
    n_files_dropped: int = 0
    n_stopped: int = 0
    n_left_out: int = 0
    n_entities: int = 0
    idle_stop_words: tuple[str, ...] = ()
    looks_html: bool = False
    looks_mail: bool = False
    looks_unspaced: bool = False
    remarks: tuple[CountedRemark, ...] = ()

    @property
    def share_kept(self) -> float:
        """Share of words that are in the vocabulary, stop words not counted.

        Words that are too short or too long count as not kept. 1 if there are no words.
        """
        n_words = self.n_tokens - self.n_stopped + self.n_left_out
        if n_words:
            return self.n_tokens_kept / n_words
        return 1.0

    def warnings(self) -> tuple[str, ...]:
        """Sentences on what to mend in the text before these counts are used.

        They are on stop words that match nothing, of which three are shown, and on text that looks
        like HTML, like mail, or has no spaces. Empty if nothing looks wrong.
        """
        sentences = []
        if self.idle_stop_words:
            shown_entries = ", ".join(
                f"“{printable(entry)[:_MAX_SHOWN_LENGTH]}”" for entry in self.idle_stop_words[:3]
            )
            idle_count_text = counted(len(self.idle_stop_words), "stop word")
            sentences.append(
                f"{idle_count_text} can match no word of these documents: {shown_entries}."
                " Put one word on each line, as it is written in a text."
            )
        if self.looks_html:
            sentences.append(
                "This text looks like HTML: its tags were counted as words. Save it as plain text"
                " first."
            )
        if self.looks_mail:
            sentences.append(
                "This looks like mail: read it as .mbox or .eml so that headers are left out."
            )
        if self.looks_unspaced:
            sentences.append(
                "This text has no spaces between words, like Chinese, Japanese or Thai. Choose a"
                " column in which spaces already separate the words."
            )
        return tuple(sentences)

    def kept_in_words(self) -> tuple[str, ...]:
        """Sentences: the share kept, advice if that is less than half, and ``warnings``."""
        share_sentence = (
            f"The word list keeps {self.share_kept:.0%} of the words, not counting stop words."
        )
        if self.share_kept >= SMALL_SHARE_KEPT:
            return (share_sentence, *self.warnings())
        advice = (
            "That is less than half, and topics would describe only those words. Use a list that"
            " fits the documents."
        )
        return (share_sentence, advice, *self.warnings())

    def lines(self) -> tuple[tuple[int, str], ...]:
        """Lines of the summary, each a number and the thing it counts; lines with 0 are left out.

        The first line, on documents read, is always there.
        The text does not hold the number; its first word is in the singular for 1.
        """
        numbers_and_texts = (
            (self.n_read, "documents read, all of them kept"),
            (self.n_files_dropped, f"files skipped: unknown format ({self.n_files:,} read)"),
            *((remark.n, remark.sentence()) for remark in self.remarks),
            (
                self.n_short,
                "documents with fewer than 3 words of the list: kept, but they add nothing to"
                " pairs and triples",
            ),
            (self.n_truncated, "documents cut to the public limit on words"),
            (
                self.n_duplicates,
                "copies of an earlier document: if one person wrote m of them, they are protected"
                " only as a group",
            ),
            (self.n_repeated_entries, "repeated entries for the same document and word: added up"),
            (
                self.n_control_removed,
                "characters that are not seen (control, zero-width) removed, or read as a space",
            ),
            (self.n_entities, "entities of HTML decoded, such as &amp;"),
            (
                self.n_tokens - self.n_tokens_kept,
                f"words of {self.n_tokens:,} skipped: stop words or not on the list",
            ),
            (self.n_left_out, "words skipped: too short for their script, or too long for any"),
            (self.n_words_met, "different words met"),
        )
        return tuple(
            _with_number(n, text)
            for n, text in numbers_and_texts
            if n or text.startswith("documents read")
        )

    def remark_lines(self) -> tuple[str, ...]:
        """One line for each of ``remarks``, with its number."""
        return tuple(map(remark_line, self.remarks))


def remark_line(remark: CountedRemark) -> str:
    """Write a remark with its number as one line."""
    n, sentence = _with_number(remark.n, remark.sentence())
    return f"{n:,} {sentence}"


def _with_number(n: int, description: str) -> tuple[int, str]:
    """The number, and the description with its first word in the singular if the number is 1.

    The first word must be a plural. Its last letter is dropped, except for three irregular words.
    """
    if n != 1:
        return n, description
    plural, separator, other_words = description.partition(" ")
    singular_of_plural = {"entries": "entry", "copies": "copy", "entities": "entity"}
    singular = singular_of_plural.get(plural, plural[:-1])
    return n, singular + separator + other_words


class TextKindCounter:
    """Counts texts that look like HTML, mail or a script without spaces, not like plain text."""

    def __init__(self) -> None:
        self._n_texts = 0
        self._n_with_tags = 0
        self._n_with_headers = 0
        self._n_unspaced = 0

    def add(self, text: str) -> None:
        """Count a text, and whether it begins with tags, headers as of mail, or without spaces.

        One text may count as several of these. An ASCII text never counts as without spaces.

        Args:
            text: not empty; only its beginning is looked at.
        """
        beginning = text[:_CHARACTERS_LOOKED_AT]
        self._n_texts += 1
        if "<" in beginning and _TAG.search(beginning):
            self._n_with_tags += 1
        if _HEADER.match(beginning):
            self._n_with_headers += 1
        if not beginning.isascii():
            n_in_runs = sum(map(len, _UNSPACED_RUN.findall(beginning)))
            self._n_unspaced += n_in_runs > _MOST * len(beginning)

    @property
    def looks_html(self) -> bool:
        """Whether more than one text in twenty has a tag of HTML."""
        return self._n_with_tags > _MANY * self._n_texts

    @property
    def looks_mail(self) -> bool:
        """Whether more than one text in twenty begins with a header of mail."""
        return self._n_with_headers > _MANY * self._n_texts

    @property
    def looks_unspaced(self) -> bool:
        """Whether more than half of the texts consist mostly of long runs without spaces."""
        return self._n_unspaced > _MOST * self._n_texts
