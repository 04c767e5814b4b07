r"""Cost of selecting words by how many units contain them: noise on words that occur, then a threshold.

Neighboring corpora differ in one unit: a document, or all documents of a person. Each unit :math:`u` names a set
:math:`S_u` of at most w of its distinct words, which depends on the unit and public numbers alone, not on its place
(which for a person says when others first wrote). Let :math:`c(x)` be the number of units that name x. Every word with
:math:`c(x) \ge 1` gets noise of standard deviation σ; words above a threshold T are released with noisy numbers.

Theorem:
    Let :math:`μ_v = \sqrt{2w}/σ`, :math:`q = Φ(-(T-1)/σ)` and :math:`γ = 1 - (1-q)^w \le 1/2`. Let the later releases
    together be :math:`μ_f`-GDP for any selected words (0 without any). If a Gaussian mechanism of
    :math:`μ^2 = μ_v^2 + μ_f^2` is (ε, δ)-DP, everything together is (ε, δ + 2γ)-DP when one unit is replaced.

Proof:
    Let D and D' differ in one unit, which names S in D and S' in D'. Let A be the words named in both. A word of D
    outside A is named by the replaced unit alone: there are at most w such words, each with number 1. Likewise for D'.

    *Without such words.* Let M be the run, and G the run that skips all words outside A. On A the numbers of D and D'
    differ by at most 1 for words of S and S', at most 2w in all: by :math:`\sqrt{2w}` together. G releases a function
    of these numbers with normal noise and of later releases, so it is μ-GDP:
    :math:`P(G(D) \in O) \le e^ε P(G(D') \in O) + δ`.

    *With them.* Noise is independent across words. M equals G unless a word outside A passes, with chance
    :math:`γ_1 \le γ` for D and :math:`γ_2 \le γ` for D', whatever the noise on A. If none passes, M and G have the same
    distribution. So :math:`P(M(D) \in O) \le γ_1 + (1-γ_1) P(G(D) \in O)` and
    :math:`P(M(D') \in O) \ge (1-γ_2) P(G(D') \in O)`. Let :math:`p = e^ε P(M(D') \in O)`. If :math:`p \ge 1`, there is
    nothing to show. Otherwise :math:`p/(1-γ_2) \le p + γ_2/(1-γ_2)`, and

    .. math:: P(M(D) \in O) \le γ_1 + (1-γ_1) \Big(p + \frac{γ_2}{1-γ_2} + δ\Big)
        \le p + δ + γ_1 + (1-γ_1)\frac{γ}{1-γ} \le p + δ + 2γ,

    as the last bound rises with :math:`γ_1` while :math:`γ \le 1/2`, and is 2γ at γ.

    *Exact noise.* Numbers are counted in steps of :math:`2^{-26}` or finer and get exact noise. The theorem of
    ``exact`` applies to at most N·w numbers, with rounded normal noise: a word of number 1 then passes only if its
    normal noise is above :math:`T - 1` less half a step, which T makes room for.

    *Public list.* All words of the list get noise, named or not. No threshold is needed, γ is 0, and all of δ is for
    the noise.

Source:
    Korolova, Kenthapadi, Mishra & Ntoulas 2009, releasing search queries and clicks privately; Gopi et al. 2020,
    differentially private set union, for the Gaussian threshold. Both add or remove a unit, where only one neighbor has
    such words; with replacement both do, hence 2w and 2γ.
"""

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal

from scipy.special import ndtri

from dplda.corpus.corpus import Selection
from dplda.privacy import gaussian, sensitivity
from dplda.privacy.noise.exact import RESERVED

PASSING = 0.5  # part of δ for words of only one neighbor; none from a public list
ROOM = 2.0**-20  # of a unit: more than half a step


@dataclass(frozen=True, slots=True)
class Threshold:
    """The noise and threshold of a selection.

    Attributes:
        sensitivity, mu: L2 distance of two neighbors' numbers, on words that both have, and the noise's μ.
        scale: standard deviation of the noise, in units.
        passing: ``γ``, bound on the chance that any word of only one neighbor passes.
        threshold: ``T``, in units; words above it are taken. Minus infinity for a public list.
    """

    sensitivity: float
    mu: float
    scale: float
    passing: float
    threshold: float


def threshold(selection: Selection) -> Threshold:
    """Noise and threshold that make a selection (ε, δ)-differentially private, exact noise or not; rounded up."""
    given = (1 - RESERVED) * selection.delta * (1 - 1e-12)
    mu = gaussian.mu_for(selection.epsilon, (1 - _passing(selection)) * given)
    passing = _passing(selection) * given / 2
    apart = sensitivity.words_named(per_unit=selection.per_unit)
    scale = apart / mu * (1 + 1e-15)
    if selection.listed:
        return Threshold(apart, mu, scale, passing, -math.inf)
    one_word = -math.expm1(math.log1p(-passing) / selection.per_unit)
    highest = 1 + ROOM - scale * float(ndtri(one_word)) * (1 + 1e-9)
    return Threshold(apart, mu, scale, passing, highest)


def together(selection: Selection, *, epsilon: float, delta: float, gaussian_fit: bool) -> tuple[float, float]:
    """ε and δ of a selection and a fit over its words; ε is rounded up to five digits, δ to twelve.

    With ``gaussian_fit`` the fit is μ-GDP for the μ of its (ε, δ), so that squares add up; else ε and δ do.
    """
    total = min(1.0, _up(Decimal(repr(selection.delta)) + Decimal(repr(delta)), 12))
    if not gaussian_fit:
        return _up(Decimal(repr(selection.epsilon + epsilon))), total
    law = threshold(selection)
    both = gaussian.compose([law.mu, gaussian.mu_for(epsilon, delta)])
    left = (1 - RESERVED) * (delta + (1 - _passing(selection)) * selection.delta) * (1 - 1e-12)
    return _up(Decimal(repr(gaussian.epsilon_for(both, left)))), total


def _passing(selection: Selection) -> float:
    return 0.0 if selection.listed else PASSING


def _up(written: Decimal, digits: int = 5) -> float:
    return float(written.quantize(Decimal((0, (1,), written.adjusted() + 1 - digits)), ROUND_CEILING))
