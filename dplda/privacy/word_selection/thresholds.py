r"""Cost of selecting words: two rounds of noise on the weights of words that occur.

A public list needs neither.

Neighboring corpora differ in one unit: a document, or all documents of a person. Each unit
:math:`u` names a set :math:`S_u` of at most m of its distinct words that are off the public
list; m is 300 unless set lower. The set depends on the unit and public numbers alone, not on its
place (which for a person says when others first wrote).

- *First round.* A unit gives each word of :math:`S_u` the weight :math:`1/\sqrt{|S_u|}`, rounded
  down. The sum of every named word gets noise of standard deviation :math:`σ_1`. Sums above
  :math:`2σ_1` make the set P of promising words.
- *Second round.* A unit gives each word of :math:`S_u \cap P` the weight
  :math:`1/\sqrt{|S_u \cap P|}`, rounded down, so that none is lost on words that hardly anybody
  has. The sum of every word of P gets noise of standard deviation :math:`σ_2`. Words above a
  threshold T are released, with their noisy weights of both rounds.

Theorem:
    Let :math:`μ_v^2 = 2/σ_1^2 + 2/σ_2^2` and :math:`0 < γ < 1`. For t = 1, …, m let
    :math:`q_t = Φ(1/(\sqrt t σ_1) - 2)` and :math:`r_t = (1 - (1-γ)^{1/t}) / q_t`. Let T be the
    largest of :math:`1 + σ_2 Φ^{-1}(1 - \min(r_t, 1/2))`. Let the later releases together be
    :math:`μ_f`-GDP for any selected words (0 without any). If a Gaussian mechanism of
    :math:`μ^2 = μ_v^2 + μ_f^2` is (ε, δ)-DP, everything together is (ε, δ + γ)-DP when one unit is
    replaced. Releases that continue others over the same words are later releases like any.

Proof:
    Let D and D' differ in one unit, and let A be the words named in both. A word of D outside A is
    named by the replaced unit alone; let there be t of them, so each has a first weight of at most
    :math:`1/\sqrt t`. Likewise for D'. All other units name words in A only, the same in D and D'.

    *Lucky words.* Draw second noise for all words outside A, needed or not. Call one lucky if it is
    promising and its second noise is above T - 1. The chance is at most
    :math:`q_t r_t = 1 - (1-γ)^{1/t}`. Noise is independent across words, so any is lucky with
    chance :math:`γ_1 \le γ` for D and :math:`γ_2 \le γ` for D', independently of all noise on A. A
    second weight is at most 1, so only lucky words pass.

    *Without them.* Let M be the run, and G the run given that no word is lucky. In G words outside
    A are not released. They matter only by the set B of promising ones, which have a part in the
    replaced unit's second weights. Given B in D and B' in D', G is a function of noisy weights on A
    and of later releases. The first weights on A differ by two vectors, non-negative and of length
    at most 1 each, so by at most :math:`\sqrt2`. So do the second, after any first answer on A. So
    G is μ-GDP given B and B'. Neither set depends on noise on A, so both may be drawn beforehand,
    independently, and the mixture is μ-GDP too: :math:`P(G(D) \in O) \le e^ε P(G(D') \in O) + δ`.

    *Together.* M is G with chance :math:`1 - γ_1` for D and :math:`1 - γ_2` for D', so

    .. math:: P(M(D) \in O) \le γ_1 + (1-γ_1) P(G(D) \in O) \le γ + (1-γ) P(G(D) \in O)
        \le γ + (1-γ) (e^ε P(G(D') \in O) + δ) \le e^ε P(M(D') \in O) + δ + γ.

    *Exact noise.* Weights are counted in steps of :math:`2^{-26}` or finer and get exact noise. The
    theorem of ``exact`` applies to at most N·m numbers a round and those of a list, with rounded
    normal noise: a word of weight w then passes only if its normal noise is above the threshold
    less w and half a step, which both make room for.

    *Public list.* Its words are candidates whatever the documents hold, so they need no threshold.
    Where all fit, all are taken: that says nothing of the documents. Else each unit gives listed
    words, in both rounds, weights like the first of others, and every listed word gets noise, named
    or not. Both kinds together move by 2, and 4 replaces 2 in :math:`μ_v^2`.

Source:
    Korolova, Kenthapadi, Mishra & Ntoulas 2009, releasing search queries and clicks privately; Gopi
    et al. 2020, differentially private set union, for the Gaussian threshold with weights; Swanberg
    et al. 2023, DP-SIPS, for rounds, which there leave out words already found, here those without
    a chance. All add or remove a unit, where only one neighbor has such words; with replacement
    both do, hence √2.
"""

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal

import numpy as np
from scipy.special import ndtr, ndtri

from dplda.core.errors import InputError
from dplda.corpus.corpus import Selection
from dplda.privacy import sensitivity
from dplda.privacy.accounting import gaussian
from dplda.privacy.accounting.budget_caps import SELECTION_FAILURE_SHARE
from dplda.privacy.noise.exact import RESERVED_DELTA_SHARE

MAX_WORDS_PER_ROW = 300  # distinct words of a row that have weight
FIRST_ROUND_SHARE = 0.25  # of μ²
PROMISING_DEVIATIONS = 2.0  # threshold of the first round, in standard deviations of its noise
TYPICAL_WORDS = 25  # words off the list in a row, for an example of what thresholds ask
TYPICAL_PROMISING_WORDS = 10  # promising ones among them, likewise
STEP_MARGIN = 2.0**-20  # more than half a step of the whole numbers


@dataclass(frozen=True, slots=True)
class SelectionRound:
    """Noise and threshold of one round.

    Attributes:
        mu: μ of the round, above 0.
        noise_std: standard deviation of the noise on a word's weight.
        threshold: words off the list pass if their noisy weight is larger.
    """

    mu: float
    noise_std: float
    threshold: float


@dataclass(frozen=True, slots=True)
class SelectionThresholds:
    """The noise and thresholds of a selection.

    Attributes:
        sensitivity: L2 distance of two neighbors' weights, on words that both have, in each round.
        mu: of both rounds together.
        selection_failure: ``γ``, bound on the chance that any word of only one neighbor passes
            both.
        first: the round that finds promising words.
        second: the round that selects among them.
    """

    sensitivity: float
    mu: float
    selection_failure: float
    first: SelectionRound
    second: SelectionRound


def selection_thresholds(
    selection: Selection, *, max_words_per_row: int = MAX_WORDS_PER_ROW
) -> SelectionThresholds:
    """Noise and thresholds, rounded up, that make a selection (ε, δ)-differentially private.

    They do so whether or not the noise is exact: ``RESERVED_DELTA_SHARE`` of δ is left for that.

    Args:
        selection: how many words, the public list, ε and δ.
        max_words_per_row: m, distinct words that any row gives weight to at most. With fewer the
            second threshold is lower; nothing else changes.

    Raises:
        InputError: δ is too small for this ε to be computed.
    """
    delta = (1 - RESERVED_DELTA_SHARE) * selection.delta * (1 - 1e-12)
    mu = gaussian.mu_for(selection.epsilon, (1 - SELECTION_FAILURE_SHARE) * delta)
    selection_failure = SELECTION_FAILURE_SHARE * delta
    weight_sensitivity = sensitivity.word_weights(ranked=selection.ranks)
    first_mu = gaussian.mu_of_share(mu, FIRST_ROUND_SHARE)
    first_std = weight_sensitivity / first_mu * (1 + 1e-15)
    second_mu = gaussian.mu_of_share(mu, 1 - FIRST_ROUND_SHARE)
    second_std = weight_sensitivity / second_mu * (1 + 1e-15)
    deviations = _second_round_deviations(first_std, selection_failure, max_words_per_row)
    return SelectionThresholds(
        sensitivity=weight_sensitivity,
        mu=mu,
        selection_failure=selection_failure,
        first=SelectionRound(
            mu=first_mu,
            noise_std=first_std,
            threshold=PROMISING_DEVIATIONS * first_std + STEP_MARGIN,
        ),
        second=SelectionRound(
            mu=second_mu,
            noise_std=second_std,
            threshold=1 + second_std * deviations + STEP_MARGIN,
        ),
    )


def _second_round_deviations(
    first_std: float, selection_failure: float, max_words_per_row: int
) -> float:
    r"""Height of the second threshold above a weight of 1, in standard deviations of its noise.

    Words of one neighbor pass it rarely enough. It is the largest of
    :math:`Φ^{-1}(1 - \min(r_t, 1/2))` over t = 1, …, m in the module's theorem, rounded up.
    """
    n_new_words = np.arange(1, max_words_per_row + 1)  # t
    weight_in_stds = 1 / (np.sqrt(n_new_words) * first_std)
    promising_chance = ndtr(weight_in_stds - PROMISING_DEVIATIONS)  # q
    failure_per_word = -np.expm1(np.log1p(-selection_failure) / n_new_words)  # q r
    second_round_chance = failure_per_word / (promising_chance * (1 + 1e-9))
    second_round_chance = np.minimum(second_round_chance, 0.5)  # r
    largest_deviations = float(np.max(-ndtri(second_round_chance)))
    return largest_deviations * (1 + 1e-9)


def rows_needed(selection: Selection) -> float:
    """Number of rows, roughly, that must hold a word so that its weight reaches both thresholds.

    Rows are taken to hold ``TYPICAL_WORDS`` words off the list, of which
    ``TYPICAL_PROMISING_WORDS`` come into the second round. Noise is left out.
    """
    rounds = selection_thresholds(selection)
    n_for_first_round = math.sqrt(TYPICAL_WORDS) * rounds.first.threshold
    n_for_second_round = math.sqrt(TYPICAL_PROMISING_WORDS) * rounds.second.threshold
    return max(n_for_first_round, n_for_second_round)


def combine_with_fit(
    selection: Selection, *, epsilon: float, delta: float, gaussian_fit: bool
) -> tuple[float, float]:
    """ε and δ of a selection and a fit over its words; ε is rounded up to five digits, δ to twelve.

    The two δ add up, to at most 1.

    Args:
        selection: how words are selected, with its own ε and δ.
        epsilon: ε of the fit.
        delta: δ of the fit.
        gaussian_fit: whether the fit is μ-GDP for the μ of its (ε, δ), so that squares add up; else
            ε and δ do.
    """
    sum_of_deltas = _decimal_of(selection.delta) + _decimal_of(delta)
    total_delta = min(1.0, _round_up(sum_of_deltas, 12))
    if not gaussian_fit:
        sum_of_epsilons = _decimal_of(selection.epsilon + epsilon)
        return _round_up(sum_of_epsilons), total_delta
    selection_mu = selection_thresholds(selection).mu
    fit_mu = gaussian.mu_for(epsilon, delta)
    total_mu = gaussian.compose([selection_mu, fit_mu])
    noise_delta = _delta_of_both(selection, delta)
    total_epsilon = gaussian.epsilon_for(total_mu, noise_delta)
    return _round_up(_decimal_of(total_epsilon)), total_delta


def epsilon_for_fit(selection: Selection, *, epsilon: float, delta: float) -> float:
    """ε that ``combine_with_fit`` leaves to a Gaussian fit, rounded down.

    Args:
        selection: how words are selected, with its own ε and δ.
        epsilon: ε of both together.
        delta: δ of the fit alone; that of the selection comes on top.

    Raises:
        InputError: the selection alone takes as much.
    """
    noise_delta = _delta_of_both(selection, delta)
    total_mu = gaussian.mu_for(epsilon, noise_delta)
    selection_mu = selection_thresholds(selection).mu
    if total_mu <= selection_mu:
        raise InputError(
            "ε", "above what words alone take", f"{epsilon:g}", "Choose a larger total."
        )
    fit_mu = gaussian.remaining_mu(total_mu, selection_mu)
    return gaussian.epsilon_for(fit_mu, delta) * (1 - 1e-6)


def _delta_of_both(selection: Selection, fit_delta: float) -> float:
    """δ for the Gaussian noise of a selection and a fit, rounded down.

    Both δ together, less the selection's failure and the part reserved for exact noise.
    """
    selection_delta = (1 - SELECTION_FAILURE_SHARE) * selection.delta
    delta = fit_delta + selection_delta
    return (1 - RESERVED_DELTA_SHARE) * delta * (1 - 1e-12)


def _decimal_of(number: float) -> Decimal:
    """The shortest decimal of a float: 0.1 is a tenth."""
    return Decimal(repr(number))


def _round_up(number: Decimal, n_digits: int = 5) -> float:
    """Round a number up to so many significant digits."""
    last_exponent = number.adjusted() + 1 - n_digits
    last_digit = Decimal((0, (1,), last_exponent))
    return float(number.quantize(last_digit, ROUND_CEILING))
