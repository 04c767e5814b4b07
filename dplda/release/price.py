"""What a release would cost and what it would promise, in words, before anything is charged."""

from collections.abc import Iterator

from dplda.corpus import Corpus
from dplda.plan import HIGH_EPSILON
from dplda.privacy.odds import one_in, plainly
from dplda.privacy.release import short
from dplda.release.ledger import PERSON, Balance
from dplda.release.make import Request


def price(corpus: Corpus, request: Request, balance: Balance, unit: str) -> tuple[str, ...]:
    """Sentences to be read before a release is confirmed; of public numbers alone.

    Args:
        corpus: whose documents are what is protected.
        request: frozen.
        balance: of its dataset.
        unit: what a document of the corpus is: one, or all of a ``person``.
    """
    return tuple(_said(corpus, request, balance, unit))


def _said(corpus: Corpus, request: Request, balance: Balance, unit: str) -> Iterator[str]:
    one, (epsilon, delta) = request.settings, balance.left
    yield (
        f"{one.n_topics} topics of {corpus.n_documents:,} {unit}s over a fixed list of {corpus.n_words:,} words, by"
        f" {one.method.title.lower()}, as {request.title!r}."
    )
    yield f"It costs ε = {one.epsilon:g} and δ = {short(one.delta)} of {request.dataset!r}, for good."
    after = (epsilon - one.epsilon, delta - one.delta)
    if min(after) < 0:
        yield f"That is more than is left: ε = {epsilon:.6g} and δ = {delta:.3g}."
    else:
        yield f"Left before: ε = {epsilon:.6g}, δ = {delta:.3g}. Left after: ε = {after[0]:.6g}, δ = {after[1]:.3g}."
    if unit == PERSON:
        yield (
            "One person is protected with all documents, which are read as one; how many persons there are is public."
            " Nobody is protected from what others wrote of them."
        )
    else:
        yield (
            "One document is protected; how many there are is public. Somebody who wrote m of them is protected less:"
            " together they count as ε times m, and δ grows faster."
        )
    yield f"{plainly(one.epsilon, one.delta, unit)} δ is {one_in(one.delta)}."
    if one.delta * corpus.n_documents >= 1:
        yield f"δ is no smaller than 1/N = {1 / corpus.n_documents:.2g}: showing a {unit} whole would be within it."
    if one.epsilon > HIGH_EPSILON:
        yield f"ε is above {HIGH_EPSILON:g}, which protects hardly anything."
