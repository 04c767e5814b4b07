"""The definition of neighboring corpora, and the assumptions that depend on it."""

from enum import StrEnum

REPLACEMENT_IN_WORDS = (
    "Replacing a document removes one and adds one. With sampled minibatches and bounded, non-negative contributions,"
    " that is exactly the cost. Each step counts as two steps of a mechanism that hides whether a document is there."
    " So the same noise has a larger ε than the papers print for adding or removing a document."
)


class Adjacency(StrEnum):
    """Which pairs of corpora a guarantee makes hard to distinguish; N counts persons for ``REPLACE_PERSON``.

    Methods here protect ``REPLACE_ONE``. Published accounting of sampled minibatches uses ``ADD_OR_REMOVE_ONE``, which
    protects N too; ``REPLACEMENT_IN_WORDS`` gives the cost of the change.
    """

    REPLACE_ONE = "replace one document"
    ADD_OR_REMOVE_ONE = "add or remove one document"
    REPLACE_PERSON = "replace all documents of one person"

    @property
    def happens(self) -> str:
        """The difference between neighbors, as a clause."""
        return {
            Adjacency.REPLACE_ONE: "one document is replaced",
            Adjacency.ADD_OR_REMOVE_ONE: "one document is added or removed",
            Adjacency.REPLACE_PERSON: "all documents of one person are replaced",
        }[self]

    @property
    def unit(self) -> str:
        """The protected unit: a document or a person."""
        return "person" if self is Adjacency.REPLACE_PERSON else "document"


_PERSON = (
    "Neighboring corpora differ in all documents of one person, replaced by any others over the same word list. A"
    " person's documents are read as one, and the number of persons is public."
)
_CHOSEN = (
    "The owner states that these were chosen without looking at the documents: the word list, the numbers of {unit}s"
    " and topics, the method, α0, ε, δ and the split."
)
_CHOSEN_BUT_FOR_WORDS = (
    "The owner states that these were chosen without looking at the documents: the numbers of {unit}s and topics, the"
    " method, α0, ε, δ, the split, and how words are selected."
)


class Assumption(StrEnum):
    """An assumption, worded for protected documents and a fixed word list."""

    NEIGHBOURS = (
        "Neighboring corpora differ in one document, replaced by any other over the same word list. The number of"
        " documents is public."
    )
    CHOSEN = _CHOSEN.format(unit="document")

    def of(self, unit: str, *, selected: bool) -> str:
        """The sentence for a unit (document or person), with or without private word selection."""
        match self:
            case Assumption.NEIGHBOURS:
                return self.value if unit == "document" else _PERSON
            case Assumption.CHOSEN:
                return (_CHOSEN_BUT_FOR_WORDS if selected else _CHOSEN).format(unit=unit)
