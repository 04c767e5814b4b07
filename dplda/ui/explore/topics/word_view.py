"""Which topics a word belongs to."""

from collections.abc import Mapping

import streamlit as st

from dplda.core.formatting import COVERAGE
from dplda.ui.explore.topics.comparison import Comparison
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view
from dplda.ui.shell.frame import Experiment
from dplda.ui.state.keys import Key

SUGGESTED = 12


def draw(experiment: Experiment, found: Comparison, names: Mapping[int, str]) -> None:
    """A field for a word, and its probability in every topic."""
    typed = st.text_input(
        "Word",
        key=Key.SEARCH,
        persist_state="session",
        placeholder="A word of the vocabulary",
        help="In lower case. Type the beginning of a word to list all words that begin with it.",
        max_chars=100,
        width=320,
    )
    vocabulary = experiment.corpus.vocabulary
    asked = (typed or "").strip().lower()
    if not asked:
        st.caption(f"Type one of the {len(vocabulary):,} words to see which topics use it.")
        return
    if asked not in vocabulary:
        begun = [word for word in vocabulary if word.startswith(asked)][:SUGGESTED]
        said = f"Try {', '.join(map(literal, begun))}." if begun else "No word begins with it."
        st.info(f"“{literal(asked)}” is not in the vocabulary. {said}", icon=":material/search_off:")
        return
    rows = _rows(found, vocabulary.index(asked), names)
    figure_view.table(rows, "topic")
    interval = f" *Interval*: {COVERAGE}." if found.lanes[0].knows_uncertainty else ""
    st.caption(f"*Part of its uses*: how many of the word's uses come from the topic.{interval}")


def _rows(found: Comparison, index: int, names: Mapping[int, str]) -> list[dict[str, str]]:
    private = found.lanes[0]
    filled = [slot for slot in private.slots if slot.words is not None]
    weights = {slot.number: (slot.share or 0.0) * float(slot.words[index]) for slot in filled if slot.words is not None}
    total = sum(weights.values())
    rows = []
    for slot in sorted(filled, key=lambda slot: -weights[slot.number]):
        assert slot.words is not None
        row = {
            "topic": f"{slot.number} · {names[slot.number]}" + ("" if slot.readable else " (not readable)"),
            "probability": f"{slot.words[index]:.4f}",
        }
        if slot.lower is not None and slot.upper is not None:
            row["interval"] = f"{slot.lower[index]:.4f} to {slot.upper[index]:.4f}"
        if found.exact is not None:
            twin = found.lanes[1].slots[slot.number - 1].words
            row["without noise"] = "–" if twin is None else f"{twin[index]:.4f}"
        row["part of its uses"] = f"{weights[slot.number] / total:.0%}" if total > 0 else "–"
        rows.append(row)
    return rows
