"""The methods that compete on Regimes: chosen by chips, and kept in the address."""

from dataclasses import dataclass
from functools import partial

import streamlit as st

from dplda.methods.base.calibration import Calibration
from dplda.methods.registry import METHODS, calibrations, parse_method
from dplda.privacy.release import Status
from dplda.theory.prediction.expected import UNIGRAM, known, predicted_methods
from dplda.theory.theorems.at_budget import BOUNDED
from dplda.ui.shell import glossary, predictions, views
from dplda.ui.state import session
from dplda.ui.state.keys import Key

ALL, PUBLISHED, CORRECTED, PROVEN, TWO = "all", "as-published", "corrected", "proven", "two"
TITLES = {
    ALL: "All",
    PUBLISHED: "Paper: as published",
    CORRECTED: "Paper: corrected",
    PROVEN: "Proven",
    TWO: "Two",
}
CHOICE_HELP = (
    "The map's letters and colors are the methods to choose:"
    f" {predictions.RECOMMENDATION_RULE}. A stronger color wins by 10%, by 30%, or is twice as"
    " good. One private list of words, which finds no topics, competes with every choice."
    " Configurations 3 and 4 have no corrected form, so they are as published everywhere."
)


@dataclass(frozen=True, slots=True)
class Competition:
    """The methods between which a map decides.

    Attributes:
        methods: their texts; the last is the private unigram, which finds no topics.
    """

    methods: tuple[str, ...]

    @property
    def methods_of_answer(self) -> tuple[str, ...] | None:
        """The methods that the answer chooses from; None for all with predictions."""
        has_all = set(self.methods) == set(predicted_methods())
        if has_all:
            return None
        return self.methods

    @property
    def rivals(self) -> tuple[str, ...]:
        """The methods that find topics."""
        return tuple(method for method in self.methods if method != UNIGRAM)


def choose_group() -> str:
    """Draw the chips of groups of methods, and return the name of the chosen group.

    The address keeps the choice; the first group of ``TITLES`` is the default.
    """
    draw_chips = partial(
        st.segmented_control,
        "Methods",
        required=True,
        format_func=TITLES.get,
        help=f"{CHOICE_HELP}\n\n{glossary.describe_terms('as_published')}",
    )
    return views.choose("compare", list(TITLES), Key.REGIME_METHODS, draw_chips)


def complete_competition(chosen_group: str) -> Competition:
    """Return the methods of a group that compete, always with the unigram.

    Two lists are drawn if two methods are to compete; otherwise the address drops them.

    Args:
        chosen_group: name of the group.
    """
    if chosen_group == TWO:
        return Competition(_with_unigram(_choose_two()))
    session.write(dict.fromkeys((Key.REGIME_FIRST, Key.REGIME_SECOND)))
    return Competition(_with_unigram(_methods_of(chosen_group)))


def papers_four(calibration: Calibration) -> dict[str, str]:
    """Texts of the paper's four configurations by name, in one calibration.

    One that lacks it has its recommended calibration.
    """
    text_by_name = {}
    for name in BOUNDED:
        methods_by_calibration = calibrations(name)
        recommended_method = next(iter(methods_by_calibration.values()))
        text_by_name[name] = methods_by_calibration.get(str(calibration), recommended_method).key
    return text_by_name


def _methods_of(chosen_group: str) -> tuple[str, ...]:
    """Methods of a chosen group: the paper's four as published or corrected, or proven ones.

    One of the four without a correction has its recommended calibration.
    Proven methods without predictions are left out.
    Any other group has all methods whose errors can be predicted.
    """
    if chosen_group == PUBLISHED:
        return tuple(papers_four(Calibration.PUBLISHED).values())
    if chosen_group == CORRECTED:
        return tuple(papers_four(Calibration.CORRECTED).values())
    if chosen_group == PROVEN:
        return tuple(
            method for method in _predictable() if parse_method(method).status is Status.PROVEN
        )
    return predicted_methods()


def _predictable() -> tuple[str, ...]:
    """Texts of all methods with predictions in any calibration, in the order of the registry."""
    return tuple(text for text in METHODS if text in known())


def _with_unigram(method_texts: tuple[str, ...]) -> tuple[str, ...]:
    return (*(method for method in method_texts if method != UNIGRAM), UNIGRAM)


def _choose_two() -> tuple[str, str]:
    """Draw two lists of methods, and return both choices; the second lacks the first choice.

    Only methods whose errors can be predicted are offered, without the unigram.
    """
    candidates = [method for method in _predictable() if method != UNIGRAM]
    left_column, right_column = st.columns(2, gap="medium")
    with left_column:
        first_method = _choose_method(Key.REGIME_FIRST, "One method", candidates, BOUNDED[0])
    other_methods = [method for method in candidates if method != first_method]
    with right_column:
        second_method = _choose_method(
            Key.REGIME_SECOND, "Another method", other_methods, BOUNDED[1]
        )
    return first_method, second_method


def _choose_method(key: Key, label: str, methods: list[str], default_name: str) -> str:
    """Draw a list of methods, the default's recommended form first, and return the choice."""
    default_method = next(iter(calibrations(default_name).values())).key
    ordered_methods = sorted(methods, key=lambda method: method != default_method)
    draw_select_box = partial(
        st.selectbox, label, format_func=lambda method: parse_method(method).label
    )
    return views.choose("compare", ordered_methods, key, draw_select_box)
