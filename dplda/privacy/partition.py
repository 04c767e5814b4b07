r"""What it costs to select words by how many units hold them: noise on words that occur, and a threshold.

A unit is what neighbouring corpora differ in: a document, or all documents of a person. Each unit :math:`u` names a set
:math:`S_u` of at most w of its distinct words, which depends on that unit and on public numbers alone. It does not
depend on the unit's place, which for a person says when others first wrote. Let :math:`c(x)` be how many units name x.
To every word with :math:`c(x) \ge 1` noise of standard deviation σ is added, and the words above a threshold T are
released with their noisy numbers; nothing is said of the others.

Theorem:
    Let :math:`μ_v = \sqrt{2w}/σ`, let :math:`q = Φ(-(T-1)/σ)` and :math:`γ = 1 - (1-q)^w \le 1/2`. Let releases follow
    that together are :math:`μ_f`-GDP for any words that were selected. Where a Gaussian mechanism of
    :math:`μ^2 = μ_v^2 + μ_f^2` is (ε, δ)-differentially private, all of it together is (ε, δ + 2γ)-differentially
    private when one unit is replaced. Without anything that follows, :math:`μ_f = 0`.

Proof:
    Let D and D' differ in one unit, which names S in D and S' in D'. Let A be the words that occur in both, that is
    are named by some unit of either. A word of D outside A is named by no unit of D', so by the replaced unit alone:
    it is one of at most w such words, and its number is 1. Likewise for D'.

    *Without such words.* Let G be the run that passes over all words outside A, and M the run as it is. On A the
    numbers of D and D' differ by at most 1 for words of S and of S', at most 2w in all: by :math:`\sqrt{2w}` together.
    What G releases is a function of these numbers with normal noise and of what follows, so G is μ-GDP:
    :math:`P(G(D) \in O) \le e^ε P(G(D') \in O) + δ`.

    *With them.* Noise is independent from word to word. M is G unless a word outside A passes, which happens with
    chance :math:`γ_1 \le γ` for D and :math:`γ_2 \le γ` for D', whatever the noise on A. Given that none does, M and G
    have one law. So :math:`P(M(D) \in O) \le γ_1 + (1-γ_1) P(G(D) \in O)` and
    :math:`P(M(D') \in O) \ge (1-γ_2) P(G(D') \in O)`. Let :math:`p = e^ε P(M(D') \in O)`. Where p is 1 or more, nothing
    is to be shown. Otherwise :math:`p/(1-γ_2) \le p + γ_2/(1-γ_2)`, and

    .. math:: P(M(D) \in O) \le γ_1 + (1-γ_1) \Big(p + \frac{γ_2}{1-γ_2} + δ\Big)
        \le p + δ + γ_1 + (1-γ_1)\frac{γ}{1-γ} \le p + δ + 2γ,

    as the last bound rises with :math:`γ_1` while :math:`γ \le 1/2`, and is 2γ at γ.

    *Exact noise.* Numbers are counted in steps of :math:`2^{-26}` or finer, with exact noise on them. The theorem of
    ``exact`` applies, on at most N·w numbers, however many either neighbour has, with rounded normal noise in the place
    of normal noise: a word of number 1 then passes only if its normal noise is above :math:`T - 1` less half a step,
    which T makes room for.

    Where the words to choose from are a public list, noise is added to the numbers of all of them, those of words that
    nobody names too. No threshold is needed then, γ is 0, and all of δ is for the noise.

Source:
    Korolova, Kenthapadi, Mishra & Ntoulas 2009, releasing search queries and clicks privately; Gopi et al. 2020,
    differentially private set union, for the Gaussian threshold. Both add or remove a unit, which leaves words of one
    neighbour only: replacing one has words of both, hence 2w and 2γ.
"""

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal

from scipy.special import ndtri

from dplda.corpus.words.selection import Selection
from dplda.privacy import gaussian, sensitivity
from dplda.privacy.noise.exact import RESERVED

PASSING = 0.5  # part of δ for words that only one of two neighbours holds; none from a public list
ROOM = 2.0**-20  # of a unit: more than half a step


@dataclass(frozen=True, slots=True)
class Threshold:
    """What a selection draws.

    Attributes:
        sensitivity: how far the numbers of two neighbours are apart on words that both hold, L2.
        mu: of the noise on them.
        scale: its standard deviation, in units.
        passing: ``γ``, bound on the chance that any word passes that only one neighbour holds.
        threshold: ``T``, in units; words above it are taken. Minus infinity, from a public list.
    """

    sensitivity: float
    mu: float
    scale: float
    passing: float
    threshold: float


def threshold(selection: Selection) -> Threshold:
    """Noise and threshold that make a selection (ε, δ)-differentially private, drawn exactly or not; rounded up."""
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
    """ε and δ of a selection and of what is fitted over its words; ε is rounded up to five digits, δ to twelve.

    Args:
        epsilon: ε > 0 of the fit.
        delta: δ of the fit, in [0, 1).
        gaussian_fit: whether it is μ-GDP for the μ of (ε, δ), so that squares add up; else ε and δ do.
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
    """No less, in so many digits, so that it is written out as it is."""
    return float(written.quantize(Decimal((0, (1,), written.adjusted() + 1 - digits)), ROUND_CEILING))
