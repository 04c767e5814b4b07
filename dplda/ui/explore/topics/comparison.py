"""Private topics beside un-noised and true ones, every topic under its own number whatever the noise does."""

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from dplda import figures
from dplda.core.errors import DpldaError, InputError, NoFiniteNoise, NoTopics
from dplda.core.formatting import COVERAGE, WITHOUT_TOPICS, counted
from dplda.core.types import Matrix
from dplda.evaluation import topic_error
from dplda.figures import Lane
from dplda.figures.topics.lanes import as_reference, lane, true_lane
from dplda.methods.chain.pipeline import Curator
from dplda.methods.method import TopicResult
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, findings
from dplda.ui.shell.frame import Experiment
from dplda.ui.state import cache, session
from dplda.ui.state.keys import Key

WORDS = 8  # shown of a topic
SIGNAL = " *Signal* is the share of a topic's direction that the noise on the pair moment is expected to have left."
WHISKERS = (
    f" *Whiskers* at the foot of a bar are intervals for noise and sampling: {COVERAGE}. On real text the error can be"
    " larger."
)


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """What an experiment's method found, with noise and without, its topics in numbered places."""

    private: TopicResult
    exact: TopicResult
    lanes: tuple[Lane, ...]
    n_true: int | None = None

    @property
    def rising(self) -> int:
        """How many directions rise above the noise on the pair moment; fewer than are shown where none is dropped."""
        whitening = self.private.curator.whitening
        return self.private.topics.resolved if whitening is None else whitening.rising

    @property
    def knows_noise(self) -> bool:
        """Whether there is noise on the pair moment, whose known size tells signal from noise."""
        return _knows_noise(self.private.curator)

    @property
    def one_list(self) -> bool:
        """Whether one word distribution stands for every topic."""
        topics = self.private.topics
        return topics.resolved == len(topics.words) and not np.any(np.ptp(topics.words, axis=0))


def compare(experiment: Experiment) -> Comparison:
    """Fit with and without noise. Ends the run, with the reason, where a fit was refused or cancelled."""
    corpus, settings = experiment.corpus, experiment.settings
    try:
        exact = cache.without_noise(corpus, settings, settings.method.beside)
        private = cache.found(corpus, settings)
    except NoTopics as error:  # a finding, not a fault
        st.header(f"0 of {settings.problem.n_topics} directions rise above the noise", anchor=False)
        st.info(literal(str(error)), icon=":material/waves:")
        st.stop()
    except NoFiniteNoise as error:  # the same: what the configuration asks of the documents is not there
        st.header(f"No topics: the private lower bound of {error.quantity} is 0", anchor=False)
        st.info(literal(str(error)), icon=":material/block:")
        st.button("See where the noise would go", on_click=session.go, args=("explore", "Noise"), key=Key.SEE_NOISE)
        st.stop()
    except DpldaError as error:
        if isinstance(error, InputError) and error.what == "n_topics":
            error = InputError(
                "k", error.limit, error.got, f"The sidebar sets it; these documents have {corpus.n_words:,} words."
            )
        st.error(literal(str(error)))
        st.stop()
    if exact is None or private is None:
        st.stop()
    reference = _reference(experiment, exact, private)
    epsilon = f"private, ε = {settings.budget.epsilon:g}"
    knows_noise = _knows_noise(private.curator)
    lanes = [
        lane(
            epsilon,
            private.topics,
            reference,
            shows_overlap=knows_noise,
            uncertainty=private.uncertainty,
            shares=private.shares,
        )
    ]
    if experiment.sensitive:
        st.session_state[Key.TOPIC_ORDER] = as_reference(lanes[0], reference)
    lanes.append(replace(lane("without noise", exact.topics, reference, shares=exact.shares), empty="no topic found"))
    if corpus.truth is not None:
        lanes.append(true_lane("truth", corpus.truth.topics, corpus.truth.alpha, reference))
    return Comparison(private, exact, tuple(lanes), None if corpus.truth is None else len(corpus.truth.topics))


def headline(comparison: Comparison) -> None:
    """What is left beside the noise, and what would bring more."""
    uncertainty = comparison.private.uncertainty
    if uncertainty is not None:
        findings.topic_count(uncertainty, n_true=comparison.n_true)
        findings.mixing(uncertainty)
        return
    shown, rising, k = comparison.private.topics.resolved, comparison.rising, len(comparison.lanes[0].slots)
    if comparison.one_list:
        st.header("One word distribution stands for every topic", anchor=False)
        st.caption("This method looks for no topics: it is what private topics have to beat at the same guarantee.")
        return
    if comparison.private.curator.whitening is None:
        st.header(f"{shown} topics, taken as they come", anchor=False)
        st.caption(
            "This method gives as many topics as it is asked for: nothing tells how much of one is signal and how much"
            " noise. Beside each stands what the same method finds with its noise switched off, clipping and all: words"
            " that differ are what the noise costs."
        )
        return
    if not comparison.knows_noise:
        st.header(f"{shown} of {k} topics, taken as they come", anchor=False)
        st.caption("As published, the leading directions are used whatever they are: nothing tells topics from noise.")
        return
    st.header(f"{rising} of {k} directions rise above the noise", anchor=False)
    also = f" {WITHOUT_TOPICS}" if rising else ""
    if rising < shown:
        st.caption(
            f"{shown} are shown all the same: as published, the leading directions are used whatever they are, also"
            " where noise alone would look no different." + also
        )
    elif rising < k:
        st.caption(_others(rising, k, comparison.n_true) + also)
    elif comparison.exact.topics.resolved < k:
        st.caption("Even without noise fewer directions than were asked for stand out." + also)
    else:
        st.caption(
            "Compare each with its un-noised counterpart on its right: words that differ are the price of privacy."
            + also
        )


def _others(rising: int, k: int, n_true: int | None) -> str:
    """Why fewer rise than were asked for; nothing brings back topics that do not exist."""
    bring = "A larger ε, more documents or fewer words may bring them back."
    if n_true is None or n_true >= k:
        return f"The others are below the noise. {bring}"
    asked = f"The documents were drawn from {n_true} topics, and {k} are asked for."
    if rising >= n_true:
        return f"{asked} There are no others."
    return f"{asked} {counted(n_true - rising, 'of these drowns', 'of these drown')} in the noise. {bring}"


def errors(experiment: Experiment, comparison: Comparison) -> None:
    """Distance to the truth, where it is known."""
    truth = experiment.corpus.truth
    if truth is None:
        return
    k = experiment.settings.problem.n_topics
    if len(truth.topics) != k:
        st.caption(f"The truth has {len(truth.topics)} topics and {k} are asked for: set k to compare them by numbers.")
        return
    help_text = "Mean L1 distance between matched topics: 0 for the same distribution, 2 for no word in common."
    left, right = st.columns(2)
    for column, name, fit in ((left, "private", comparison.private), (right, "without noise", comparison.exact)):
        error = topic_error(truth.topics, fit.topics.words).l1_mean
        column.metric(f"L1 error to the truth, {name}", f"{error:.3f}", help=help_text, border=True)


def words(experiment: Experiment, comparison: Comparison) -> None:
    """The bars, in two columns that stack on a narrow screen."""
    vocabulary, lanes = experiment.corpus.vocabulary, comparison.lanes
    same = comparison.one_list and comparison.n_true is None  # what would be said of every topic is said once
    k = 1 if same else len(lanes[0].slots)
    half = (k + 1) // 2
    for column, first, last in zip(st.columns(2, gap="medium"), (0, half), (half, k), strict=True):
        if first == last:
            continue
        with column:
            mark = experiment.watermark
            figure = figures.top_words(lanes, vocabulary, n_shown=WORDS, first=first, last=last, watermark=mark)
            figure_view.draw(figure, f"topics.words.{first > 0}")
    st.caption(
        "One bar a word, its length the word's probability in the topic; all bars share one scale. A topic keeps its"
        " number and colour when ε moves."
        + (SIGNAL if comparison.knows_noise else "")
        + (WHISKERS if lanes[0].knows_uncertainty else "")
    )


def _knows_noise(curator: Curator) -> bool:
    return curator.whitening is not None and curator.whitening.noise_floor > 0


def _reference(experiment: Experiment, exact: TopicResult, private: TopicResult) -> Matrix:
    """What stands for each number: un-noised topics, or, on a sensitive corpus, the order shown last."""
    if not experiment.sensitive:
        return exact.topics.words
    before: Matrix | None = st.session_state.get(Key.TOPIC_ORDER)
    if before is not None and before.shape == private.topics.words.shape:
        return before
    return private.topics.words
