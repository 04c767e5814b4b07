"""Assumptions whose sentences depend on what a promise protects, and on how its words were chosen."""

from enum import StrEnum

_PERSON = (
    "Neighbouring corpora differ in all documents of one person, replaced by any others over the same vocabulary; a"
    " person's documents are read as one, and the number of persons is public."
)
_CHOSEN = (
    "The owner states that the vocabulary, the numbers of {unit}s and topics, the method, α0, ε, δ and the split were"
    " chosen without looking at the documents."
)
_CHOSEN_BUT_FOR_WORDS = (
    "The owner states that the numbers of {unit}s and topics, the method, α0, ε, δ, the split and how words are"
    " selected were chosen without looking at the documents."
)


class Assumption(StrEnum):
    """An assumption, as it reads where documents are protected and no words were selected."""

    NEIGHBOURS = (
        "Neighbouring corpora differ in one document, replaced by any other over the same vocabulary; the number of"
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
