"""The flow of private variational inference: a loop that draws a random minibatch and releases it once per round."""

from dplda.flow import Arrow, Flow, Place, Side, Step
from dplda.methods.variational.minibatch_run import STATISTIC

MINIBATCHES = Flow(
    steps=(
        Step("corpus", "Documents", 0, 1),
        Step("minibatch", "Random minibatch", 1, 1),
        Step("mean", "Mean statistic", 2, 1),
        Step("topics", "Topics", 3, 1),
        Step("output", "Output", 4, 1),
    ),
    arrows=(
        Arrow(
            "documents",
            "corpus",
            "minibatch",
            "every document, by chance",
            "Each document is in it with probability ν, independently of the others. Which ones stays secret.",
            "n ∈ B with probability ν",
            road="by way of the minibatches",
            mark="B",
        ),
        Arrow(
            "clipped",
            "minibatch",
            "mean",
            "the documents' statistics",
            "How often every word was used by every topic, read with the topics of the last round. Each document, or"
            " as published the whole minibatch, is scaled down to a bound.",
            "s = c_w φ_wi",
            mark="s",
        ),
        Arrow(
            STATISTIC.edge,
            "mean",
            "topics",
            "the noisy mean statistic",
            "The mean over the minibatch, with noise on every entry. Nothing else of the documents is ever seen. If"
            " noise is large, the first minibatches only count words.",
            "s̄ = Σ s / S + noise",
            mark=STATISTIC.symbol,
        ),
        Arrow(
            "loop",
            "topics",
            "mean",
            "the topics, for the next minibatch",
            "A running mean of the releases gives the topics for the next minibatch.",
            "λ = η + max(0, running mean of N s̄)",
            mark="λ",
            note="many times",
            place=Place(out=Side.RIGHT, into=Side.RIGHT, lane=2.0),
        ),
        Arrow(
            "output",
            "topics",
            "output",
            "the topics of the last round",
            "The finished topics, each a distribution over words.",
            "λ / Σ λ",
            mark="λ",
        ),
    ),
    noised=(STATISTIC.edge,),
)
"""Both calibrations share this flow; they differ in what the noise proves."""
