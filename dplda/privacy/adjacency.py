"""The definition of neighboring corpora, and the assumptions that depend on it."""

from enum import StrEnum

REPLACEMENT_IN_WORDS = (
    "Replacing a document removes one and adds one."
    " With sampled minibatches and bounded, non-negative contributions, that is exactly the cost."
    " Each step counts as two steps of a mechanism that hides whether a document is there."
    " So the same noise has a larger ε than the papers print for adding or removing a document."
)


class Adjacency(StrEnum):
    """Pairs of corpora that a guarantee makes hard to distinguish.

    Methods here protect ``REPLACE_ONE``. Published accounting of sampled minibatches uses
    ``ADD_OR_REMOVE_ONE``, which protects N too; ``REPLACEMENT_IN_WORDS`` gives the cost of the
    change. N counts persons for ``REPLACE_PERSON``.
    """

    REPLACE_ONE = "replace one document"
    ADD_OR_REMOVE_ONE = "add or remove one document"
    REPLACE_PERSON = "replace all documents of one person"

    @property
    def change(self) -> str:
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


STATED = "The owner states that these were chosen without looking at the documents"


class Assumption(StrEnum):
    """An assumption, worded by what is protected and by how words are chosen."""

    NEIGHBOURS = "Neighboring corpora differ in {changes}{words}. The number of {unit}s is public."
    CHOSEN = (
        STATED
        + ": {chosen}, the numbers of {unit}s and topics, the method, α0, ε, δ and the split."
    )
    CHOSEN_BUT_TOTAL = (
        STATED + ": {chosen}, the numbers of {unit}s and topics, the method, α0, δ and the split."
    )

    def sentence_for(self, unit: str, *, selected: bool) -> str:
        """Write the assumption as a sentence about this unit and choice of words.

        Args:
            unit: what is protected, ``document`` or ``person``.
            selected: whether words are selected privately; else there is a public word list.
        """
        change_of_unit = {
            "document": "one document, replaced by any other",
            "person": "all documents of one person, which are read as one, replaced by any others",
        }
        words_clause = "" if selected else " over the same word list"
        word_choice = "how words are selected" if selected else "the word list"
        return self.value.format(
            changes=change_of_unit[unit], words=words_clause, chosen=word_choice, unit=unit
        )
