"""Stage 1: clipped word counts, from which word frequencies and word weights follow."""

from dplda.methods.base.previous_release import RunState
from dplda.methods.denoising.word_frequencies import NoisyWordCounts, inverse_variance_mean
from dplda.methods.refined.documents.documents import Documents, bounded_word_counts
from dplda.methods.refined.plan.quantities import WORDS
from dplda.methods.refined.stages.run import RefinementRun
from dplda.privacy.mechanisms import Mechanisms


def release_first_word_counts(run: RefinementRun) -> NoisyWordCounts:
    """Word counts that all later stages build on: of this run, and of what it continues.

    A continued run whose earlier releases spent enough on word counts releases none.
    """
    word_share = run.schedule.word_share
    if run.previous_state is not None and not word_share:
        return run.previous_state.words
    return _release_share(run, run.previous_state, word_share)


def release_more_word_counts(run: RefinementRun, words: NoisyWordCounts) -> NoisyWordCounts:
    """Word counts on which all is spent that steps would have had, averaged with the first ones."""
    more_words = _release_share(run, None, run.schedule.more_words_share)
    return inverse_variance_mean(words, more_words)


def release_word_counts(
    documents: Documents,
    mechanisms: Mechanisms,
    previous_state: RunState | None,
    *,
    clip_norm: float,
    mu: float,
) -> NoisyWordCounts:
    """One Gaussian release of clipped word counts, averaged with those that were released before.

    Args:
        previous_state: state of the release that is continued; None for none.
        clip_norm: largest length of a document's counts.
        mu: Gaussian budget of the release.
    """
    word_counts = bounded_word_counts(documents, clip_norm, is_exact=mechanisms.is_exact)
    noisy_counts = mechanisms.release_sum(WORDS, word_counts, mu=mu)
    words = NoisyWordCounts(noisy_counts, mechanisms.noise_std_of(WORDS))
    if previous_state is None:
        return words
    return inverse_variance_mean(previous_state.words, words)


def _release_share(
    run: RefinementRun, previous_state: RunState | None, share: float
) -> NoisyWordCounts:
    """Word counts released at a share of the run's μ², averaged with earlier ones if given."""
    return release_word_counts(
        run.documents,
        run.mechanisms,
        previous_state,
        clip_norm=run.constants.clip_norm,
        mu=run.schedule.mu_for(share),
    )
