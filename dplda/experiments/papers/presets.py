"""The figures of both papers as data: what to compute, what the paper reports of it, and why we may differ."""

from dataclasses import dataclass
from enum import StrEnum

from dplda.corpus import Simulation
from dplda.experiments.papers.claims import Claim
from dplda.experiments.specs.setting import Setting
from dplda.experiments.specs.sources import Embedded
from dplda.experiments.specs.spec import Sweep
from dplda.methods.registry import parse_method

EPSILONS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
SMALL_EPSILONS = (0.001, 0.01, 0.1, 0.3, 1.0, 3.0, 10.0)
PUBLISHED = tuple(f"config-{number}/as published" for number in (1, 2, 3, 4))
DP_VI = "dp-vi/as published"
_SLOW = "config-2/corrected"  # half of the time at k = 25, and a hundred times the unigram model's perplexity
METHODS = tuple(
    map(
        parse_method,
        (
            "unnoised",
            "vi",
            "unigram",
            "refined",
            "adaptive",
            "config-1/corrected",
            "config-2/corrected",
            "dp-vi/corrected",
            *PUBLISHED,
            DP_VI,
        ),
    )
)


class Kind(StrEnum):
    """What a preset computes."""

    SWEEP = "sweep"
    PAIR_SPECTRUM = "pair spectrum"
    TENSOR_GAPS = "tensor gaps"
    BATCHES = "batches"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Preset:
    """One figure or table of a paper.

    Attributes:
        sweep: what to run; None where it is no sweep.
        log_epsilon: whether the paper's ε axis is logarithmic.
    """

    name: str
    title: str
    kind: Kind
    reports: str
    differs: str
    chosen: str
    claims: tuple[Claim, ...] = ()
    sweep: Sweep | None = None
    measure: str = "l1_sum"
    log_epsilon: bool = False

    @property
    def on_text(self) -> bool:
        """Whether the figure is one of real documents, and can be run on others."""
        return self.sweep is not None and not isinstance(self.sweep.settings[0].source, Simulation)


_BEATS_VI = Claim("every configuration beats DP variational inference", PUBLISHED, (DP_VI,))
_ONE_BEST = Claim("configuration 1 is the best of the four", PUBLISHED[:1], PUBLISHED[1:])
_TWO_BEST = Claim("configuration 2 is the best of the four", PUBLISHED[1:2], (PUBLISHED[0], *PUBLISHED[2:]))
_LAST_WORST = Claim("configurations 3 and 4 are the worst", PUBLISHED[:2], PUBLISHED[2:])
_CODE = (
    "The paper's public code scales M₂ and M₃ without scaling their sensitivities, floors σk and γs at 0.1 and leaves"
    " out the noise on e8 in configurations 2 and 3; it also picks the split of ε by the true error. Here every noise"
    " reaches the output, at the scale its formula asks for, and splits are fixed beforehand."
)
_VI = (
    " DP variational inference as published scales the statistic of a whole minibatch down to the size of one document,"
    " so that little of it is left beside the noise; clipping every document instead, which is proven, keeps it."
)
_LARGE_ALPHA = (
    "At α₀ = 1000 every document mixes all topics alike, and T is a small difference of large terms: with consistent"
    " scaling even the fit without noise is far off, as its dotted line shows. "
)
_CHOSEN = (
    "The print gives neither vocabulary nor document length: 100 words, 100 tokens a document, topics from a Dirichlet"
    " law with parameter 0.1."
)


def _figure_2(
    letter: str, *, alpha0: float, n_documents: int, reports: str, why: str, claims: tuple[Claim, ...]
) -> Preset:
    simulation = Simulation(n_documents=n_documents, n_words=100, n_topics=3, alpha0=alpha0, mean_length=100, seed=1)
    where = f"α₀ = {alpha0:g}, N = {n_documents:,}"
    return Preset(
        name=f"figure-2{letter}",
        title=f"Figure 2{letter}: error against ε at {where}",
        kind=Kind.SWEEP,
        reports=reports,
        differs=why + _CODE + _VI,
        chosen=_CHOSEN,
        claims=claims,
        sweep=Sweep(
            settings=(Setting(name=where, source=simulation, n_topics=3, alpha0=alpha0),),
            methods=METHODS,
            epsilons=EPSILONS,
            delta=1e-7,
            repeats=5,
        ),
    )


def _figure_4(letter: str, *, n_topics: int, printed: int) -> Preset:
    place = "" if n_topics == printed else f" in place of {printed}"
    run_instead = f" So few documents carry no {printed} topics: k = {n_topics} is run." if place else ""
    return Preset(
        name=f"figure-4{letter}",
        title=f"Figure 4{letter}: perplexity on real text, k = {n_topics}{place}",
        kind=Kind.SWEEP,
        reports=(
            f"On Wikipedia with k = {printed} and ε from 0.001 to 1 the spectral method is reported to lose less"
            " perplexity than DP variational inference at the same ε."
        ),
        differs=(
            "Ten thousand short docstrings are far fewer than Wikipedia's articles, and noise falls as 1/N: below ε = 1"
            " hardly anything rises above it, whatever the method. Perplexity is taken here on documents held out of"
            " training, by document completion. Above 1,000, the number of words, a method does worse than guessing all"
            " words alike: its topics are noise, and it is sure of them. " + _CODE + _VI
        ),
        chosen=(
            "Wikipedia is not shipped: the run is on the docstrings of the installed Python packages, 1,000 words."
            f"{run_instead} To run a dump of your own, upload it as a public corpus and switch this figure to it, or"
            " name its file in a spec for `dplda sweep`. The corrected configuration 2 is left out:"
            " with so many topics it takes longest by far, and its noise leaves nothing of them."
        ),
        claims=(_BEATS_VI,),
        sweep=Sweep(
            settings=(Setting(name=f"docstrings, k = {n_topics}", source=Embedded(), n_topics=n_topics, alpha0=1.0),),
            methods=tuple(method for method in METHODS if method.text != _SLOW),
            epsilons=SMALL_EPSILONS,
            delta=1e-7,
            repeats=2,
        ),
        measure="perplexity",
        log_epsilon=True,
    )


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        _figure_2(
            "a",
            alpha0=0.1,
            n_documents=100_000,
            reports=(
                "Configuration 2 is reported best at small ε and configuration 1 at larger ε, configurations 3 and 4"
                " worst, and all of them better than DP variational inference; the axis ends at 6 = 2k."
            ),
            why="",
            claims=(
                Claim(
                    "configuration 2 beats configuration 1 at the smallest ε", PUBLISHED[1:2], PUBLISHED[:1], "first"
                ),
                Claim("configuration 1 beats configuration 2 at the largest ε", PUBLISHED[:1], PUBLISHED[1:2], "last"),
                _LAST_WORST,
                _BEATS_VI,
            ),
        ),
        _figure_2(
            "b",
            alpha0=1000.0,
            n_documents=1000,
            reports="With so few documents and a large α₀ configuration 2 is reported best; the axis ends at 2.",
            why=_LARGE_ALPHA,
            claims=(_TWO_BEST, _BEATS_VI),
        ),
        _figure_2(
            "c",
            alpha0=1000.0,
            n_documents=100_000,
            reports="Configuration 1 is reported best, configuration 2 on a par or worse; the axis ends at 6 = 2k.",
            why=_LARGE_ALPHA,
            claims=(_ONE_BEST, _BEATS_VI),
        ),
        Preset(
            name="figure-3a",
            title="Figure 3a: the k-th eigenvalue of M₂ against α₀",
            kind=Kind.PAIR_SPECTRUM,
            reports="The k-th singular value of M₂ is reported to grow with α₀, to about 1.5.",
            differs=(
                "That is M₂ multiplied by α₀(α₀ + 1). The unscaled M₂, which the sensitivities belong to, shrinks as"
                " 1/(α₀ + 1); and what counts is the eigenvalue over the sensitivity, which falls in either scaling."
            ),
            chosen="The print gives N = 100,000; 50 words and k = 3 are our choice, median over twenty populations.",
        ),
        Preset(
            name="figure-3b",
            title="Figure 3b: the smallest eigenvalue gap of T against k",
            kind=Kind.TENSOR_GAPS,
            reports="At α₀ = 1000 the smallest gap between eigenvalues of T is reported to grow with k.",
            differs=(
                "More topics put more eigenvalues side by side. At α₀ = 1000 what a corpus of this size shows of T is"
                " sampling noise, and noise does spread its eigenvalues: a gap that grows with k can come from there."
            ),
            chosen=(
                "N = 100,000 as printed; 100 words, 100 tokens a document and α that differ by a factor of at most 3"
                " are our choice."
            ),
        ),
        _figure_4("a", n_topics=25, printed=25),
        _figure_4("b", n_topics=50, printed=100),
        _figure_4("c", n_topics=100, printed=500),
        Preset(
            name="park-figure-1",
            title="Park et al., Figure 1: perplexity against ε for five σ and three minibatch sizes",
            kind=Kind.BATCHES,
            reports=(
                "On 400,000 Wikipedia articles, in one epoch, larger minibatches gave lower perplexity, and the moments"
                " accountant a far smaller ε than strong composition for the same noise."
            ),
            differs=(
                "The noise is relative to the minibatch, and ours are a quarter of theirs because the corpus is. Their"
                " moments accountant looks at few orders only; later accountants give a smaller ε for the very same"
                " runs. Their clipping of the batch's statistic bounds one document's pull only up to a factor of two:"
                " the proven variant clips every document instead."
            ),
            chosen=(
                "Wikipedia is not shipped: 100,000 simulated documents of 50 words, d = 500, k = 10, the same five σ"
                " and the same three sampling rates; perplexity on held-out documents by document completion."
            ),
            measure="perplexity",
        ),
        Preset(
            name="park-table-1",
            title="Park et al., Table 1: top words of private and non-private topics",
            kind=Kind.WORDS,
            reports=(
                "At ε = 2.44 topics under the moments accountant keep part of their words and those under strong"
                " composition hardly any, with ever smaller probabilities."
            ),
            differs=(
                "Four hundred thousand articles carry more noise than ten thousand docstrings do. The same ε asks for"
                " less noise under an exact accountant than under the one in the paper." + _VI
            ),
            chosen="The docstrings of the installed Python packages, 1,000 words, k = 10, δ = 0.0001, one epoch.",
        ),
    )
}
"""Every preset by name, in the order of the papers."""
