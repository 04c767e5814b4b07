"""Private topics next to un-noised and true ones; each topic keeps its number when the noise changes."""

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from dplda.core.errors import DpldaError, InputError, NoFiniteNoise, NoTopics
from dplda.core.formatting import WITHOUT_TOPICS
from dplda.core.types import Matrix
from dplda.evaluation.evidence import NullComparison, describe_topics_above_noise
from dplda.figures import Lane
from dplda.figures.topics.lanes import as_reference, lane, true_lane
from dplda.methods.base.method import FitResult
from dplda.ui.literal import literal
from dplda.ui.shell import word_bars
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.state import cache, null_runs
from dplda.ui.state.keys import Key

WORDS, FEWEST = 8, 3  # shown of a topic, and of one among many
ROOM = 27  # rows of words that a screen has left: all topics are seen without a scroll, up to ten of them
LOST = "All {} topics are lost in noise"
SIGNAL_CAPTION = (
    "*Signal*: the share left after noise on pairs of words; later noise is not included."
)


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Topics found with noise and, if they may be shown, without, in numbered places."""

    private: FitResult
    exact: FitResult | None
    lanes: tuple[Lane, ...]
    n_true: int | None = None
    judged: NullComparison | None = None
    ranges_follow: bool = False

    @property
    def one_list(self) -> bool:
        """Whether all topics are the same word distribution."""
        topics = self.private.topics
        return topics.resolved == len(topics.words) and not np.any(np.ptp(topics.words, axis=0))


def compare(experiment: LoadedExperiment) -> Comparison | None:
    """Fit with and without noise; None, with the reason and what would help, where a fit was refused or cancelled.

    Of sensitive documents nothing is fitted without noise before their owner asks.
    """
    corpus, settings = experiment.corpus, experiment.settings
    beside = not experiment.is_sensitive or bool(st.session_state.get(Key.UNNOISED))
    try:
        exact = cache.noiseless_twin(corpus, settings) if beside else None
        private = cache.fit(corpus, settings)
    except (NoTopics, NoFiniteNoise) as error:  # a finding, not a fault
        unprotected = "No topics: this method cannot protect these documents at this ε"
        title = (
            LOST.format(settings.problem.n_topics) if isinstance(error, NoTopics) else unprotected
        )
        st.header(title, anchor=False)
        st.info(literal(str(error)), icon=":material/waves:")
        return None
    except DpldaError as error:
        if isinstance(error, InputError) and error.what == "n_topics":
            fix = f"Choose a smaller k in the sidebar: the vocabulary has {corpus.n_words:,} words."
            error = InputError("k", error.limit, error.got, fix)
        st.error(literal(str(error)))
        return None
    if private is None or (beside and exact is None):
        return None
    reference = _reference(experiment, exact, private)
    judged = null_runs.judged(experiment.corpus, settings)
    whitening, ranges = private.curator.whitening, private.uncertainty
    # Else a page would wait for them.
    follow = ranges is not None and ranges.known_error_std is None
    ours = lane(
        f"private, ε = {settings.budget.epsilon:g}",
        private.topics,
        reference,
        shows_overlap=whitening is not None
        and whitening.noise_floor > 0,  # which tells signal from noise
        uncertainty=None if follow else ranges,
        evidence=private.evidence,
        leans=private.prior_topics is not None,
        carrying=None if judged is None else judged.supported_topics,
        shares=private.topic_shares,
    )
    if experiment.is_sensitive:
        st.session_state[Key.TOPIC_ORDER] = as_reference(ours, reference)
    lanes = [ours]
    if exact is not None:
        unnoised = lane("without noise", exact.topics, reference, shares=exact.topic_shares)
        lanes.append(replace(unnoised, empty="no topic found"))
    if corpus.truth is not None:
        lanes.append(true_lane("truth", corpus.truth.topics, corpus.truth.alpha, reference))
    n_true = None if corpus.truth is None else len(corpus.truth.topics)
    return Comparison(private, exact, tuple(lanes), n_true, judged, follow)


def finding(found: Comparison) -> tuple[str, str]:
    """A title that says how many topics survive the noise, and a line on what that is worth or what would help."""
    evidence, topics, k = found.private.evidence, found.private.topics, len(found.lanes[0].slots)
    there = min(k, k if found.n_true is None else found.n_true)
    drawn = f"The documents were drawn from {there} topics, and you asked for {k}."
    if evidence is not None:
        worth = (
            describe_topics_above_noise(evidence)
            if found.judged is None
            else found.judged.describe(k)
        )
        return evidence.describe_gain().removesuffix(
            "."
        ), f"{drawn} {worth}" if there < k else worth
    if found.one_list:
        said = "It looks for no topics. Private topics have to beat it under the same guarantee."
        return "This method finds one list of words for every topic", said
    if not found.lanes[0].shows_overlap:
        said = (
            "Words that differ from those of the same topic without noise are the price of privacy."
        )
        return f"{topics.resolved} topics; the share of noise in each is unknown", said
    whitening = found.private.curator.whitening
    rising = (
        topics.resolved if whitening is None else whitening.rising
    )  # fewer than are shown where none is dropped
    lost = max(0, there - rising)
    title = (
        f"{lost} of {there} topics {'is' if lost == 1 else 'are'} lost in noise"
        if lost < there
        else LOST.format(k)
    )
    title = title if lost else "Noise on pairs of words hides no topic"
    if rising < topics.resolved:
        return (
            title,
            f"As published, the method shows all {topics.resolved} anyway, even where they are pure noise.",
        )
    said = "" if there == k else f"{drawn} " if lost else f"{drawn} There are no others. "
    bring = f"A larger ε, more documents or fewer words may bring {'lost topics' if there == k else 'those'} back."
    return title, said + (
        bring if lost else f"{WITHOUT_TOPICS} Noise added later can still change the words."
    )


def words(experiment: LoadedExperiment, found: Comparison) -> None:
    """Draw the words of all topics, few enough of each to see all topics at once."""
    lanes = found.lanes
    n_places = 1 if found.one_list and found.n_true is None else len(lanes[0].slots)
    n_rows = (n_places + 1) // word_bars.TOPICS_IN_A_ROW
    n_shown = min(WORDS, max(FEWEST, ROOM // n_rows - 2))
    word_bars.draw_topic_bars(
        lanes,
        experiment.corpus.vocabulary,
        n_shown=n_shown,
        key="topics.words",
        n_places=n_places,
        watermark=experiment.watermark,
    )
    captions = ["Longer bar: a more probable word."]
    if lanes[0].shows_overlap and lanes[0].filled:
        captions.append(SIGNAL_CAPTION)
    captions.append(word_bars.cut_bar_caption(lanes, n_shown, n_places))
    was_cancelled = str(st.session_state.get(Key.CANCELLED)).startswith("ranges")
    if found.ranges_follow and not was_cancelled:
        captions.append("Error bars follow.")
    else:
        captions.append(word_bars.error_bar_caption(lanes[0], n_shown))
    st.caption(
        " ".join(filter(None, captions)),
        help=f"{word_bars.SCALE_HELP} A topic keeps its number and color when ε moves."
        f" {word_bars.WHISKER_HELP}",
    )


def table(experiment: LoadedExperiment, found: Comparison) -> None:
    """Draw what public knowledge brought to each topic, beside what the documents added."""
    brought, mean_words = found.private.prior_topics, found.private.topics.mean_words
    assert brought is not None  # else this look is not offered
    vocabulary = experiment.corpus.vocabulary
    word_bars.draw_prior_words(
        found.lanes[0], brought, mean_words, vocabulary, experiment.watermark
    )


def _reference(experiment: LoadedExperiment, exact: FitResult | None, private: FitResult) -> Matrix:
    """Topics that define the numbers: the un-noised ones, or, on a sensitive corpus, those shown last."""
    if exact is not None and not experiment.is_sensitive:
        return exact.topics.words
    before: Matrix | None = st.session_state.get(Key.TOPIC_ORDER)
    return (
        before
        if before is not None and before.shape == private.topics.words.shape
        else private.topics.words
    )
