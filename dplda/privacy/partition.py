r"""Cost of selecting words: noise on the weights of words that occur, then a threshold; a public list needs neither.

Neighboring corpora differ in one unit: a document, or all documents of a person. Each unit :math:`u` names a set
:math:`S_u` of at most m = 300 of its distinct words that are off the public list, and gives each of them the weight
:math:`1/\sqrt{|S_u|}`, rounded down. The set depends on the unit and public numbers alone, not on its place (which for
a person says when others first wrote). Let :math:`W(x)` be the sum of the weights that x gets. Every word that some
unit names gets noise of standard deviation σ; words above a threshold T are released with noisy weights.

Theorem:
    Let :math:`μ_v = \sqrt2/σ`, let γ ≤ 1/2, and let T be the largest of :math:`1/\sqrt t + σ Φ^{-1}((1-γ)^{1/t})` for
    t = 1, …, m. Let the later releases together be :math:`μ_f`-GDP for any selected words (0 without any). If a
    Gaussian mechanism of :math:`μ^2 = μ_v^2 + μ_f^2` is (ε, δ)-DP, everything together is (ε, δ + 2γ)-DP when one unit
    is replaced. Releases that continue others over the same words are later releases like any.

Proof:
    Let D and D' differ in one unit, which names t words S in D and s words S' in D'. Let A be the words named in both.
    A word of D outside A is named by the replaced unit alone: there are at most t such words, each of weight at most
    :math:`1/\sqrt t`. Likewise for D'.

    *Without such words.* Let M be the run, and G the run that skips all words outside A. Neighbors' weights on A
    differ by two vectors, non-negative and of length at most 1 each, so by at most :math:`\sqrt2`. G releases a
    function of these weights with normal noise and of later releases, so it is μ-GDP:
    :math:`P(G(D) \in O) \le e^ε P(G(D') \in O) + δ`.

    *With them.* One such word passes with chance at most :math:`1 - Φ((T - 1/\sqrt t)/σ) \le 1 - (1-γ)^{1/t}`. Noise is
    independent across words, so any of at most t passes with chance at most γ. M equals G unless a word outside A
    passes, with chance :math:`γ_1 \le γ` for D and :math:`γ_2 \le γ` for D', whatever the noise on A. If none passes,
    M and G have the same distribution. So :math:`P(M(D) \in O) \le γ_1 + (1-γ_1) P(G(D) \in O)` and
    :math:`P(M(D') \in O) \ge (1-γ_2) P(G(D') \in O)`. Let :math:`p = e^ε P(M(D') \in O)`. If :math:`p \ge 1`, there is
    nothing to show. Otherwise :math:`p/(1-γ_2) \le p + γ_2/(1-γ_2)`, and

    .. math:: P(M(D) \in O) \le γ_1 + (1-γ_1) \Big(p + \frac{γ_2}{1-γ_2} + δ\Big)
        \le p + δ + γ_1 + (1-γ_1)\frac{γ}{1-γ} \le p + δ + 2γ,

    as the last bound rises with :math:`γ_1` while :math:`γ \le 1/2`, and is 2γ at γ.

    *Exact noise.* Weights are counted in steps of :math:`2^{-26}` or finer and get exact noise. The theorem of
    ``exact`` applies to at most N·m numbers and those of a list, with rounded normal noise: a word of weight w then
    passes only if its normal noise is above :math:`T - w` less half a step, which T makes room for.

    *Public list.* Its words are candidates whatever the documents hold, so they need no threshold. Where all fit, all
    are taken: that says nothing of the documents. Else each unit gives listed words weights of the same kind as others,
    and every listed word gets noise, named or not. Both kinds together move by 2, and :math:`μ_v = 2/σ`.

Source:
    Korolova, Kenthapadi, Mishra & Ntoulas 2009, releasing search queries and clicks privately; Gopi et al. 2020,
    differentially private set union, for the Gaussian threshold with weights. Both add or remove a unit, where only
    one neighbor has such words; with replacement both do, hence √2 and 2γ.
"""

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal

import numpy as np
from scipy.special import ndtri

from dplda.core.errors import InputError
from dplda.corpus.corpus import Selection
from dplda.privacy import gaussian, sensitivity
from dplda.privacy.noise.exact import RESERVED

MOST_NAMED = 300  # distinct words of a row that have weight
PASSING = 0.5  # part of δ for words of only one neighbor
TYPICAL = 25  # words off the list in a row, for an example of what a threshold asks
ROOM = 2.0**-20  # more than half a step


@dataclass(frozen=True, slots=True)
class Threshold:
    """The noise and threshold of a selection.

    Attributes:
        sensitivity, mu: L2 distance of two neighbors' weights, on words that both have, and the noise's μ.
        scale: standard deviation of the noise.
        passing: ``γ``, bound on the chance that any word of only one neighbor passes.
        threshold: ``T``; words off the list of a larger noisy weight are taken.
    """

    sensitivity: float
    mu: float
    scale: float
    passing: float
    threshold: float


def threshold(selection: Selection) -> Threshold:
    """Noise and threshold that make a selection (ε, δ)-differentially private, exact noise or not; rounded up."""
    given = (1 - RESERVED) * selection.delta * (1 - 1e-12)
    mu, passing = gaussian.mu_for(selection.epsilon, (1 - PASSING) * given), PASSING * given / 2
    apart = sensitivity.word_weights(ranked=selection.ranks)
    scale = apart / mu * (1 + 1e-15)
    n_words = np.arange(1, MOST_NAMED + 1)
    above = -ndtri(-np.expm1(np.log1p(-passing) / n_words)) * (1 + 1e-9)
    return Threshold(apart, mu, scale, passing, float(np.max(1 / np.sqrt(n_words) + scale * above)) + ROOM)


def rows_needed(selection: Selection) -> float:
    """About how many rows must hold a word that is to be found, if each holds ``TYPICAL`` words off the list."""
    return math.sqrt(TYPICAL) * threshold(selection).threshold


def together(selection: Selection, *, epsilon: float, delta: float, gaussian_fit: bool) -> tuple[float, float]:
    """ε and δ of a selection and a fit over its words; ε is rounded up to five digits, δ to twelve.

    With ``gaussian_fit`` the fit is μ-GDP for the μ of its (ε, δ), so that squares add up; else ε and δ do.
    """
    total = min(1.0, _up(Decimal(repr(selection.delta)) + Decimal(repr(delta)), 12))
    if not gaussian_fit:
        return _up(Decimal(repr(selection.epsilon + epsilon))), total
    both = gaussian.compose([threshold(selection).mu, gaussian.mu_for(epsilon, delta)])
    left = (1 - RESERVED) * (delta + (1 - PASSING) * selection.delta) * (1 - 1e-12)
    return _up(Decimal(repr(gaussian.epsilon_for(both, left)))), total


def rest(selection: Selection, *, epsilon: float, delta: float) -> float:
    """ε that ``together`` leaves to a fit with this δ, of an ε for both; rounded down.

    Raises:
        InputError: the selection alone takes as much.
    """
    left = (1 - RESERVED) * (delta + (1 - PASSING) * selection.delta) * (1 - 1e-12)
    both, words = gaussian.mu_for(epsilon, left), threshold(selection).mu
    if both <= words:
        raise InputError("ε", "above what words alone take", f"{epsilon:g}", "Choose a larger total.")
    return gaussian.epsilon_for(gaussian.missing(both, words), delta) * (1 - 1e-6)


def _up(written: Decimal, digits: int = 5) -> float:
    return float(written.quantize(Decimal((0, (1,), written.adjusted() + 1 - digits)), ROUND_CEILING))
