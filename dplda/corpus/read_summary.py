"""What came in when a corpus was read, and what was dropped or changed on the way: numbers and places, no content."""

import re
from dataclasses import dataclass

from dplda.core.formatting import counted
from dplda.core.safe_open import printable
from dplda.corpus.remarks import CountedRemark
from dplda.corpus.words.splitting import UNSPACED_LETTER

_LONGEST_SHOWN = 30  # characters of a stop word
LITTLE = 0.5  # a vocabulary that keeps a smaller share of the words does not fit the documents
_TAG = re.compile(r"<(?:!doctype|!--|/?[a-z][a-z0-9]*[\s/>])", re.IGNORECASE)
_FIELDS = (
    "From|To|Date|Subject|Message-ID|Received|Return-Path|Newsgroups|Path|MIME-Version|Content-Type"
)
_HEADER = re.compile(rf"\s*(?:From \S+@|(?:{_FIELDS}): )", re.IGNORECASE)
_RUN = re.compile(f"{UNSPACED_LETTER.pattern}{{6,}}")  # longer than words of these scripts are
_MANY, _MOST = 0.05, 0.5  # of the texts
_LOOKED_AT = 500  # characters of each


@dataclass(frozen=True, slots=True)
class Intake:
    r"""Counts of what a reader met, as ``lines`` says them. They depend on the documents: for the curator's eyes.

    Attributes:
        n_tokens, n_tokens_kept: words of three or more letters met, after truncation, and those in the vocabulary.
        n_words_met: distinct words met, stop words left out; where a vocabulary was given, those of it.
        n_stopped: of the words met, those that are stop words outside the vocabulary.
        n_left_out: words not among those met, too short for their script or too long, and no stop words.
        n_entities: character references of HTML that were decoded.
        idle_stop_words: entries of the list of stop words that can never match.
        remarks: what was read in another way than usual, or could not be read, with numbers and places.

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
        """Share of words that the vocabulary holds, of all but stop words; words of a wrong length count."""
        n_words = self.n_tokens - self.n_stopped + self.n_left_out
        return self.n_tokens_kept / n_words if n_words else 1.0

    def warnings(self) -> tuple[str, ...]:
        """What to mend in the text before these counts are used; none where nothing looks wrong."""
        entries = ", ".join(
            f"“{printable(entry)[:_LONGEST_SHOWN]}”" for entry in self.idle_stop_words[:3]
        )
        says = {
            f"{counted(len(self.idle_stop_words), 'stop word')} can match no word of these documents: {entries}."
            " Put one word on each line, as it is written in a text.": bool(self.idle_stop_words),
            "This text looks like HTML: its tags were counted as words. Save it as plain text first.": self.looks_html,
            "This looks like mail: read it as .mbox or .eml so that headers are left out.": self.looks_mail,
            "This text has no spaces between words, like Chinese, Japanese or Thai. Choose a column"
            " in which spaces already separate the words.": self.looks_unspaced,
        }
        return tuple(sentence for sentence, holds in says.items() if holds)

    def kept_in_words(self) -> tuple[str, ...]:
        """The share kept as a sentence, and warnings."""
        said = f"The word list keeps {self.share_kept:.0%} of the words, not counting stop words."
        little = "That is less than half, and topics would describe only those words. Use a list that fits the documents."
        return (said, *([little] if self.share_kept < LITTLE else []), *self.warnings())

    def lines(self) -> tuple[tuple[int, str], ...]:
        """What is worth saying: numbers, each with what it counts."""
        lines = (
            (self.n_read, "documents read, all of them kept"),
            (self.n_files_dropped, f"files skipped: unknown format ({self.n_files:,} read)"),
            *((it.n, it.sentence()) for it in self.remarks),
            (
                self.n_short,
                "documents with fewer than 3 words of the list: kept, but they add nothing to pairs and triples",
            ),
            (self.n_truncated, "documents cut to the public limit on words"),
            (
                self.n_duplicates,
                "copies of an earlier document: if one person wrote m of them, they are protected only as a group",
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
            _counted(n, text) for n, text in lines if n or text.startswith("documents read")
        )

    def remark_lines(self) -> tuple[str, ...]:
        """What was read in another way than usual, or could not be read, a sentence each."""
        return tuple(map(remark_line, self.remarks))


def remark_line(remark: CountedRemark) -> str:
    """A remark with its number, as a line."""
    n, text = _counted(remark.n, remark.sentence())
    return f"{n:,} {text}"


def _counted(n: int, text: str) -> tuple[int, str]:
    """A number with what it counts, whose first word is one in the singular where the number is 1."""
    noun, space, rest = text.partition(" ")
    irregular = {"entries": "entry", "copies": "copy", "entities": "entity"}
    return n, (irregular.get(noun, noun[:-1]) if n == 1 else noun) + space + rest


class Look:
    """Counts texts that are read as plain text and look like something else."""

    def __init__(self) -> None:
        self._n_texts, self._n = 0, [0, 0, 0]

    def at(self, text: str) -> None:
        """Look at the beginning of a text that is not empty."""
        text = text[:_LOOKED_AT]
        self._n_texts += 1
        self._n[0] += "<" in text and _TAG.search(text) is not None
        self._n[1] += _HEADER.match(text) is not None
        if not text.isascii():
            self._n[2] += sum(map(len, _RUN.findall(text))) > _MOST * len(text)

    def found(self) -> dict[str, bool]:
        """Whether many have tags, many begin with a header, and most are long runs of scripts that part no words."""
        names = {"looks_html": _MANY, "looks_mail": _MANY, "looks_unspaced": _MOST}
        return {
            name: n > share * self._n_texts
            for (name, share), n in zip(names.items(), self._n, strict=True)
        }
