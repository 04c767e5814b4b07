"""What a release would cost and what it would promise, in words, before anything is charged."""

from collections.abc import Iterator

from dplda.corpus import Corpus, VocabularySource
from dplda.plan import HIGH_EPSILON
from dplda.privacy.odds import one_in, plainly
from dplda.privacy.partition import threshold
from dplda.privacy.release import short
from dplda.privacy.several import of_several
from dplda.release.ledger import PERSON, Balance
from dplda.release.request import Request


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
    one, (epsilon, delta), cost = request.settings, balance.left, request.cost
    yield (
        f"{one.n_topics} topics of {corpus.n_documents:,} {unit}s over {_words(corpus, request, unit)}, by"
        f" {one.method.title.lower()}, as {request.title!r}."
    )
    yield f"It costs ε = {cost[0]:g} and δ = {short(cost[1])} of {request.dataset!r}, for good."
    if request.selection is not None:
        yield (
            f"That is for words and topics together: words alone cost ε = {request.selection.epsilon:g} and"
            f" δ = {short(request.selection.delta)}, topics alone ε = {one.epsilon:g} and δ = {short(one.delta)}. How"
            " many words are found is released too; where they are too few for topics, they were paid for."
        )
    after = (epsilon - cost[0], delta - cost[1])
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
            f"One document is protected; how many there are is public. Somebody who wrote several is protected less:"
            f" {of_several(*cost, gaussian_fit=request.selection is None)}."
        )
    yield f"{plainly(*cost, unit)} δ is {one_in(cost[1])}."
    if cost[1] * corpus.n_documents >= 1:
        yield f"δ is no smaller than 1/N = {1 / corpus.n_documents:.2g}: showing a {unit} whole would be within it."
    if cost[0] > HIGH_EPSILON:
        yield f"ε is above {HIGH_EPSILON:g}, which protects hardly anything."


def _words(corpus: Corpus, request: Request, unit: str) -> str:
    listed = corpus.vocabulary_source is VocabularySource.FIXED
    if request.selection is None:
        return f"a fixed list of {corpus.n_words:,} words"
    one = request.selection
    from_where = f"a fixed list of {corpus.n_words:,}" if listed else "all that occur"
    wanted = "" if listed else f", if about {threshold(one).threshold:,.0f} {unit}s or more hold them"
    return (
        f"at most {one.n_words:,} words selected privately from {from_where}{wanted}; of a {unit},"
        f" {one.per_unit:,} of them count"
    )
