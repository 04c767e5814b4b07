"""How much a reader accepts: public numbers, set before a file is opened."""

from dataclasses import dataclass, fields

from dplda.core import checks
from dplda.core.errors import ReadError


@dataclass(frozen=True, slots=True)
class Limits:
    r"""Bounds on what is read. All refuse a file but ``max_words_per_document``, which cuts a document short.

    Attributes:
        max_field_chars: characters of one line or field, since these are held in memory whole.
        max_distinct_words: distinct words met while a vocabulary is taken from the data.
        max_words_per_document: ``L_max``, words of a document that are looked at, stop words included;
            those after are passed over. It is part of the guarantee, so it must not follow from the data.
        max_seconds: that a DOCX, PDF or Excel file may take to be taken apart.

    Example:
        >>> import io
        >>> from dplda.corpus import Limits, load
        >>> text = io.BytesIO(b"green tea with milk\nblack tea with milk\nmilk without tea\n")
        >>> short = load(("cups.txt", text), label="public", limits=Limits(max_words_per_document=2))
        >>> short.intake.n_truncated, short.vocabulary
        (3, ('tea', 'black', 'green', 'milk'))
    """

    max_bytes: int = 200_000_000
    max_documents: int = 1_000_000
    max_field_chars: int = 20_000_000
    max_distinct_words: int = 2_000_000
    max_words_per_document: int = 10_000
    max_seconds: int = 60

    def __post_init__(self) -> None:
        for field in fields(self):
            checks.integer_at_least(field.name, getattr(self, field.name), 1)


def over_size(name: str, limits: Limits) -> ReadError:
    """The refusal of what is too large."""
    fix = "Split the file, or read it from Python with a higher Limits.max_bytes."
    return ReadError(name, f"more than {limits.max_bytes:,} bytes, the limit", fix)
