"""Assumptions in words, written out here once more: a changed comma would change a promise."""

import pytest

from dplda.privacy.assumption import Assumption

OWNER = "The owner states that "
UNSEEN = "chosen without looking at the documents."


@pytest.mark.parametrize("unit", ["document", "person"])
def test_what_the_owner_states_is_of_the_unit_and_of_how_words_were_chosen(unit: str) -> None:
    assert Assumption.CHOSEN.of(unit, selected=False) == (
        f"{OWNER}the vocabulary, the numbers of {unit}s and topics, the method, α0, ε, δ and the split were {UNSEEN}"
    )
    assert Assumption.CHOSEN.of(unit, selected=True) == (
        f"{OWNER}the numbers of {unit}s and topics, the method, α0, ε, δ, the split and how words are selected were"
        f" {UNSEEN}"
    )


@pytest.mark.parametrize("selected", [False, True])
def test_neighbours_are_of_the_unit_alone(selected: bool) -> None:
    assert Assumption.NEIGHBOURS.of("document", selected=selected) == (
        "Neighbouring corpora differ in one document, replaced by any other over the same vocabulary; the number of"
        " documents is public."
    )
    assert Assumption.NEIGHBOURS.of("person", selected=selected) == (
        "Neighbouring corpora differ in all documents of one person, replaced by any others over the same vocabulary;"
        " a person's documents are read as one, and the number of persons is public."
    )


def test_an_assumption_reads_as_of_documents_until_it_is_asked() -> None:
    assert all(str(one) == one.of("document", selected=False) for one in Assumption)
