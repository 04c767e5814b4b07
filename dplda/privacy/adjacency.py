"""The one definition of neighbouring corpora."""

from enum import StrEnum

REPLACEMENT_IN_WORDS = (
    "A document that is replaced is one removed and one added. Where every document's contribution is non-negative"
    " and bounded, and minibatches are sampled, that is exactly what it costs: each step counts as two steps of a"
    " mechanism that protects a document's presence, so the same noise has a larger ε than the papers print for adding"
    " or removing one."
)


class Adjacency(StrEnum):
    """Which corpora a guarantee makes hard to tell apart.

    Everything this program compares protects ``REPLACE_ONE``; published accounting of sampled minibatches speaks of
    ``ADD_OR_REMOVE_ONE``, under which N itself is protected. ``REPLACEMENT_IN_WORDS`` says what the change costs.
    Where documents of a person are read as one, replacing one protects the person: ``REPLACE_PERSON``, N being the
    number of persons.
    """

    REPLACE_ONE = "replace one document"
    ADD_OR_REMOVE_ONE = "add or remove one document"
    REPLACE_PERSON = "replace all documents of one person"

    @property
    def happens(self) -> str:
        """What sets neighbours apart, as a clause."""
        return {
            Adjacency.REPLACE_ONE: "one document is replaced",
            Adjacency.ADD_OR_REMOVE_ONE: "one document is added or removed",
            Adjacency.REPLACE_PERSON: "all documents of one person are replaced",
        }[self]

    @property
    def unit(self) -> str:
        """What is protected: a document, or a person."""
        return "person" if self is Adjacency.REPLACE_PERSON else "document"
