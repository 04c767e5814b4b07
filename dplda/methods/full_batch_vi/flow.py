"""The flow of a refinement: word counts once, an optional spectral start, and a loop that releases every round."""

from dataclasses import replace

from dplda.flow import SPECTRAL, Arrow, Edge, Flow, Place, Side, Step
from dplda.methods.configurations.sizes import Quantity
from dplda.methods.full_batch_vi.recipe import Recipe

WORDS = Quantity(
    "word counts",
    "z₁",
    "clipped word counts",
    "words",
    why=(
        "Each document's counts are scaled down to length at most C. Two non-negative vectors of that length are at"
        " most √2 C apart."
    ),
)
STATISTIC = Quantity(
    "statistic",
    "S",
    "clipped statistic of a step",
    "steps",
    why=(
        "A document's part in a step is scaled down to length at most C, whatever was released before. Two"
        " non-negative matrices of that length are at most √2 C apart."
    ),
)


GATE = Quantity(
    "advantage",
    "G",
    "advantage of a table",
    "gate",
    why="A document says at most 1 nat for or against a table, so replacing one moves the sum by at most 2.",
)
GAIN = Quantity(
    "gains",
    "L",
    "gains over word frequencies",
    "evidence",
    why=(
        "A document's gain counts from −1 to 1, and its length from 0 to 1. Its gains by topic are a vector of length"
        " √5/2 at most. So two documents are at most √10 apart."
    ),
)


def _of_start(edge: Edge, place: Place, start: str, end: str) -> Arrow:
    return replace(SPECTRAL.arrow(edge), optional=True, place=place, start=start, end=end)


_RECIPE = Recipe()

REFINED = Flow(
    steps=(
        Step("corpus", "Documents", 0, 1),
        Step("M2", "Pair moment M₂", 1, 2, optional=True),
        Step("counts", "Clipped counts", 1, 1),
        Step("spectrum", "Spectrum U, Σ", 2, 2, optional=True),
        Step("unigram", "Private unigram p", 2, 1),
        Step("tensor", "Whitened tensor T", 3, 2.3, optional=True),
        Step("expected", "Expected counts", 3, 0),
        Step("start", "Topics to start from", 4, 2),
        Step("topics", "Topics", 5, 1),
        Step("output", "Output", 6, 1),
    ),
    arrows=(
        Arrow(
            "counts",
            "corpus",
            "counts",
            "the documents' word counts",
            "How often each word occurs in each document; long documents are scaled down, so none weighs much.",
            "c min(1, C/‖c‖)",
            road="by way of the word counts",
            mark="c",
        ),
        Arrow(
            WORDS.edge,
            "counts",
            "unigram",
            "the noisy word counts",
            "Word counts of all documents, released once. They give the private unigram and every word's weight in a"
            " step. They also decide whether a spectral start is bought, and how the rest of the budget is shared.",
            "z₁ = Σₙ cₙ min(1, C/‖cₙ‖) + noise",
            mark=WORDS.symbol,
        ),
        Arrow(
            "unigram",
            "unigram",
            "start",
            "the private unigram",
            "Released word frequencies: topics start near them and are shrunk toward them.",
            "p = shrunk z₁/Σ z₁",
            mark="p",
            place=Place(into=Side.RIGHT, marker=0.17),
        ),
        _of_start(Edge.E0, Place(out=Side.LEFT, enters=0.16, marker=0.66), "corpus", "M2"),
        _of_start(Edge.E2, Place(), "M2", "spectrum"),
        replace(
            _of_start(Edge.E3, Place(out=Side.LEFT, leaves=0.1, enters=-0.31, marker=0.6), "corpus", "tensor"),
            road="by way of the triple moment",
        ),
        _of_start(Edge.E4, Place(leaves=-0.2, enters=0.1), "spectrum", "tensor"),
        replace(
            _of_start(Edge.E5, Place(leaves=0.36, enters=0.36), "spectrum", "start"),
            road="by the pair moment's leading directions",
        ),
        _of_start(Edge.E6, Place(leaves=-0.08, enters=-0.38), "tensor", "start"),
        Arrow(
            "start",
            "start",
            "topics",
            "the topics to start from",
            "Without a spectral start: the word frequencies, shuffled at random. With one: its topics. The word"
            " frequencies and weights come along.",
            "A₀ = spectral topics, or p times independent gamma numbers",
            mark="A₀",
            place=Place(leaves=0.15, enters=-0.2),
        ),
        Arrow(
            "documents",
            "corpus",
            "expected",
            "every document, in every step",
            "Each document is read with the topics of the last step: which topic each of its words came from.",
            "φ_wi ∝ exp(ψ(γ_i)) A_iw",
            road="by way of the expected counts",
            mark="φ",
            place=Place(out=Side.RIGHT, marker=0.66),
        ),
        Arrow(
            STATISTIC.edge,
            "expected",
            "topics",
            "the noisy expected counts",
            "How often each topic used each word, over all documents. Each document's part is clipped. Every step"
            " releases this with noise, and gets more of the budget than the step before. Steps are averaged.",
            "S = Σₙ clipped (c_w φ_wi u_w) + noise",
            mark=STATISTIC.symbol,
            note=f"{_RECIPE.steps_after_start} or {_RECIPE.steps} times",
            place=Place(leaves=-0.3, enters=0.2, marker=0.45),
        ),
        Arrow(
            "loop",
            "topics",
            "expected",
            "the topics, for the next step",
            "The mean of the releases, every cell shrunk toward the private unigram by its known noise: documents are"
            " read with them in the next step.",
            "A_iw ∝ E[cell | mean of releases]",
            mark="A",
            place=Place(out=Side.RIGHT, into=Side.BELOW, enters=0.3, marker=0.45),
        ),
        Arrow(
            "output",
            "topics",
            "output",
            "the topics of the last step",
            "The finished topics, each a distribution over words.",
            "A",
            mark="A",
        ),
        Arrow(
            GAIN.edge,
            "expected",
            "output",
            "the evidence",
            "How much better the finished topics explain each document than word frequencies, and each topic's part in"
            " it. Two noisy sums, released once, after the last step.",
            "L = Σₙ gain of document n, cut to ±B, + noise",
            road="by way of the evidence",
            mark=GAIN.symbol,
            place=Place(out=Side.RIGHT, into=Side.RIGHT, lane=2.62, marker=0.55),
        ),
        Arrow(
            "weigh",
            "start",
            "output",
            "the spectral topics, weighed",
            "After a spectral start, its topics are averaged with the refined ones, weighted by their known errors. On"
            " real text they count for almost nothing.",
            "A + ω (W − A)",
            mark="W",
            optional=True,
            place=Place(into=Side.LEFT, leaves=-0.1, marker=0.4),
        ),
    ),
    noised=(WORDS.edge, Edge.E2, Edge.E6, STATISTIC.edge, GAIN.edge),
)
"""One budget over all noised edges; a run without a spectral start skips the optional ones."""

WITH_TABLE = replace(
    REFINED,
    arrows=(
        *REFINED.arrows,
        Arrow(
            GATE.edge,
            "expected",
            "start",
            "the documents' answer to the table",
            "How much better a public table of topics explains the documents than the same table with its words"
            " shuffled, released with noise. Below 0.4 the table is left out.",
            "G = Σₙ gain of the table, cut to ±1, + noise",
            road="by way of the table's advantage",
            mark=GATE.symbol,
            optional=True,
            place=Place(out=Side.LEFT, into=Side.ABOVE, enters=0.25, marker=0.5),
        ),
    ),
    noised=(WORDS.edge, GATE.edge, Edge.E2, Edge.E6, STATISTIC.edge, GAIN.edge),
)
"""The same with a table of public knowledge, which the documents let in or not."""

UNIGRAM = Flow(
    steps=(
        Step("corpus", "Documents", 0, 1),
        Step("counts", "Clipped counts", 1, 1),
        Step("unigram", "Private unigram p", 2, 1),
        Step("output", "Output", 3, 1),
    ),
    arrows=(
        REFINED.arrow("counts"),
        replace(
            REFINED.arrow(WORDS.edge),
            meaning="Word counts of all documents, released once with the whole budget.",
        ),
        replace(
            REFINED.arrow("unigram"),
            end="output",
            meaning="Released word frequencies, used for every topic.",
            place=Place(),
        ),
    ),
    noised=(WORDS.edge,),
)
"""Only the first release of a refinement."""
