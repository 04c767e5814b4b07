"""Private topics beside noiseless and true ones; a topic's number is independent of the noise."""

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from dplda.core.errors import DpldaError, InputError, NoFiniteNoise, NoTopics
from dplda.core.types import Matrix
from dplda.evaluation.evidence import EvidenceCheck
from dplda.experiments.configuration_board import mean_error
from dplda.figures import Lane
from dplda.figures.topics.lanes import fitted_lane, next_reference, true_lane
from dplda.methods.base.method import FitResult
from dplda.methods.configurations.chain.noise_table import EdgeNoise
from dplda.ui.explore.configurations import step_noise
from dplda.ui.literal import literal
from dplda.ui.shell.frame import LoadedExperiment
from dplda.ui.state import cache, first_look, null_runs
from dplda.ui.state.keys import Key

ALL_LOST = "All {} topics are lost in noise"
NO_PROTECTION = "No topics: this method cannot protect these documents at this ε"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Comparison:
    """Topics found with noise and, if they may be shown, without, in numbered places.

    Attributes:
        private: the private fit.
        noiseless: the same without noise; None where it may not be shown.
        lanes: private, noiseless and true topics, as far as there are, in the same places.
        n_true_topics: of simulated documents; None for others.
        null_comparison: evidence beside that of documents without topics; None before it is known.
        error_bars_pending: whether error bars can be had and are not worked out yet.
        n_looked_at: documents of a first look, which the private fit is of while all others are
            fitted; None once it is of all.
        error: mean L1 distance of the private topics from the true ones, in [0, 2]; None where
            these are unknown, or more or fewer.
        drowned: the step whose noise exceeds its signal the most; None where none does, or where
            the signal is unknown.
    """

    private: FitResult
    noiseless: FitResult | None
    lanes: tuple[Lane, ...]
    n_true_topics: int | None
    null_comparison: EvidenceCheck | None
    error_bars_pending: bool
    n_looked_at: int | None = None
    error: float | None = None
    drowned: EdgeNoise | None = None

    @property
    def has_one_word_list(self) -> bool:
        """Whether all topics are the same word distribution."""
        topics = self.private.topics
        return topics.resolved == len(topics.words) and not np.any(np.ptp(topics.words, axis=0))


def compare(loaded: LoadedExperiment, *, may_look_first: bool = False) -> Comparison | None:
    """Fit the documents with and without noise, and match the topics of both by number.

    Sensitive documents are fitted without noise only if their owner asks. A comparison of some
    documents says how many they are, and its error bars are pending.

    Args:
        loaded: documents and experiment.
        may_look_first: whether the private fit may be of some documents where that of all takes
            long.

    Returns:
        None if a fit was refused, which is explained on the page, or canceled.
    """
    shows_noiseless = not loaded.is_sensitive or bool(st.session_state.get(Key.UNNOISED))
    looks_first = may_look_first and first_look.pays(loaded.corpus, loaded.experiment)
    fit_privately = first_look.take if looks_first else cache.fit
    try:
        noiseless_fit = None
        if shows_noiseless:
            noiseless_fit = cache.noiseless_twin(loaded.corpus, loaded.experiment)
        private_fit = fit_privately(loaded.corpus, loaded.experiment)
    except DpldaError as error:
        _explain(error, loaded)
        return None
    if private_fit is None or (shows_noiseless and noiseless_fit is None):
        return None
    comparison = _compare_fits(loaded, private_fit, noiseless_fit)
    if not looks_first:
        return comparison
    return replace(comparison, n_looked_at=first_look.N_LOOKED_AT, error_bars_pending=True)


def _explain(error: DpldaError, loaded: LoadedExperiment) -> None:
    """Draw why there are no topics, and what would help.

    Noise that hides all topics, and a method without finite noise, get a header as a finding; any
    other error is drawn as such. A k above the number of words is explained as a setting of the
    sidebar.
    """
    if isinstance(error, NoTopics | NoFiniteNoise):  # a finding, not a fault
        title = NO_PROTECTION
        if isinstance(error, NoTopics):
            title = ALL_LOST.format(loaded.experiment.problem.n_topics)
        st.header(title, anchor=False)
        st.info(literal(str(error)), icon=":material/waves:")
        return
    if isinstance(error, InputError) and error.what == "n_topics":
        n_words = loaded.corpus.n_words
        fix = f"Choose a smaller k in the sidebar: the vocabulary has {n_words:,} words."
        error = InputError("k", error.limit, error.got, fix)
    st.error(literal(str(error)))


def _compare_fits(
    loaded: LoadedExperiment, private_fit: FitResult, noiseless_fit: FitResult | None
) -> Comparison:
    """Match the topics of both fits, and the true ones if they are known, by number.

    Evidence is checked once its null runs are done. The step whose noise drowns topics is sought
    only beside a noiseless fit. The mean error is that against the true topics. The order of a
    sensitive corpus' topics is kept in the session.
    """
    reference_topics = _reference(loaded, noiseless_fit, private_fit)
    null_comparison = null_runs.judged(loaded.corpus, loaded.experiment)
    if null_comparison is not None:
        private_fit = private_fit.with_evidence_check(null_comparison)
    drowned_step = None if noiseless_fit is None else _find_drowned(loaded)
    private_lane = _make_private_lane(
        private_fit,
        reference_topics,
        epsilon=loaded.experiment.budget.epsilon,
        null_comparison=null_comparison,
        drowned_step=drowned_step,
    )
    if loaded.is_sensitive:
        st.session_state[Key.TOPIC_ORDER] = next_reference(private_lane, reference_topics)
    truth = loaded.corpus.truth
    n_true_topics = None
    error = None
    if truth is not None:
        n_true_topics = len(truth.topics)
        error = mean_error(private_fit.topics.words, truth.topics)
    return Comparison(
        private=private_fit,
        noiseless=noiseless_fit,
        lanes=(private_lane, *_make_other_lanes(loaded, noiseless_fit, reference_topics)),
        n_true_topics=n_true_topics,
        null_comparison=null_comparison,
        error_bars_pending=_are_error_bars_pending(private_fit),
        error=error,
        drowned=drowned_step,
    )


def _are_error_bars_pending(private_fit: FitResult) -> bool:
    """Whether error bars can be had and are not worked out; a page would wait for them."""
    uncertainty = private_fit.uncertainty
    return uncertainty is not None and uncertainty.known_error_std is None


def _make_private_lane(
    private_fit: FitResult,
    reference_topics: Matrix,
    *,
    epsilon: float,
    null_comparison: EvidenceCheck | None,
    drowned_step: EdgeNoise | None,
) -> Lane:
    """Make the lane of the private topics, without error bars that are not worked out yet.

    Each topic's share of signal is shown where the noise on pairs of words is known, unless a later
    step drowns.

    Args:
        private_fit: the private fit.
        reference_topics: shape (k, d), the topic of each place.
        epsilon: ε of the fit, for the title.
        null_comparison: the fit beside null runs, which says which topics have evidence; None
            before they are done.
        drowned_step: the step whose noise exceeds its signal the most; None if none is known.
    """
    whitening = private_fit.curator.whitening
    is_pair_noise_known = whitening is not None and whitening.noise_floor > 0
    drowns_after_pairs = drowned_step is not None and step_noise.is_after_pairs(drowned_step)
    known_uncertainty = private_fit.uncertainty
    if _are_error_bars_pending(private_fit):
        known_uncertainty = None
    return fitted_lane(
        f"private, ε = {epsilon:g}",
        private_fit.topics,
        reference_topics,
        shows_overlap=is_pair_noise_known and not drowns_after_pairs,
        uncertainty=known_uncertainty,
        evidence=private_fit.evidence,
        has_prior=private_fit.prior_topics is not None,
        supported_topics=None if null_comparison is None else null_comparison.supported_topics,
        shares=private_fit.topic_shares,
    )


def _make_other_lanes(
    loaded: LoadedExperiment, noiseless_fit: FitResult | None, reference_topics: Matrix
) -> list[Lane]:
    """Make the lanes beside the private one: noiseless topics, then true ones, if there are any.

    A place without a noiseless topic says *no topic found*.
    """
    other_lanes = []
    if noiseless_fit is not None:
        noiseless_lane = fitted_lane(
            "without noise",
            noiseless_fit.topics,
            reference_topics,
            shares=noiseless_fit.topic_shares,
        )
        other_lanes.append(replace(noiseless_lane, empty="no topic found"))
    truth = loaded.corpus.truth
    if truth is not None:
        other_lanes.append(true_lane("truth", truth.topics, truth.alpha, reference_topics))
    return other_lanes


def _find_drowned(loaded: LoadedExperiment) -> EdgeNoise | None:
    """Find the step of a configuration whose noise exceeds its signal the most.

    None if none does, the method is no configuration, k differs from the true number of topics, or
    the spectrum is refused or canceled. Call it only where topics without noise are shown: it needs
    their spectrum.
    """
    truth = loaded.corpus.truth
    n_topics = loaded.experiment.problem.n_topics
    has_other_n_topics = truth is not None and len(truth.topics) != n_topics
    if loaded.experiment.plan is None or has_other_n_topics:  # some topics have no signal at all
        return None
    try:
        spectrum = cache.spectrum(loaded.corpus, loaded.experiment)
    except DpldaError:
        return None
    forecast_rows = step_noise.forecast_rows(loaded, loaded.experiment, spectrum)
    return step_noise.find_drowned(forecast_rows)


def _reference(
    loaded: LoadedExperiment, noiseless_fit: FitResult | None, private_fit: FitResult
) -> Matrix:
    """Topics that define the numbers: noiseless ones, or those last shown of a sensitive corpus.

    The private ones if there are neither, or the last ones have another shape. Noiseless topics
    of a sensitive corpus never define the numbers, even if they are shown.
    """
    if noiseless_fit is not None and not loaded.is_sensitive:
        return noiseless_fit.topics.words
    last_order: Matrix | None = st.session_state.get(Key.TOPIC_ORDER)
    if last_order is not None and last_order.shape == private_fit.topics.words.shape:
        return last_order
    return private_fit.topics.words
