"""The one definition of neighbouring corpora, and assumptions whose sentences depend on it."""

from enum import StrEnum

REPLACEMENT_IN_WORDS = (
    "Replacing a document removes one and adds one. With sampled minibatches and bounded, non-negative contributions,"
    " that is exactly the cost. Each step counts as two steps of a mechanism that hides whether a document is there."
    " So the same noise has a larger ε than the papers print for adding or removing a document."
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


_PERSON = (
    "Neighbouring corpora differ in all documents of one person, replaced by any others over the same word list. A"
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
    """An assumption, as it reads where documents are protected and no words were selected."""

    NEIGHBOURS = (
        "Neighbouring corpora differ in one document, replaced by any other over the same word list. The number of"
        " documents is public."
    )
    CHOSEN = _CHOSEN.format(unit="document")

    def of(self, unit: str, *, selected: bool) -> str:
        """The sentence for documents or persons as a unit, with words selected privately or not."""
        match self:
            case Assumption.NEIGHBOURS:
                return self.value if unit == "document" else _PERSON
            case Assumption.CHOSEN:
                return (_CHOSEN_BUT_FOR_WORDS if selected else _CHOSEN).format(unit=unit)
