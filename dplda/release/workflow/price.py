"""What a release uses and promises, in sentences, before anything is charged."""

import math
from collections.abc import Iterator

from dplda.corpus import Corpus
from dplda.methods.configurations.plan import HIGH_EPSILON
from dplda.methods.refined.noise_forecast import KEPT, forecast_releases
from dplda.methods.refined.quantities import STATISTIC
from dplda.privacy.accounting.groups import describe_ten_documents
from dplda.privacy.accounting.odds import (
    allows_whole_documents,
    describe_best_guess,
    format_odds,
    format_rounded_up,
)
from dplda.privacy.word_selection.thresholds import TYPICAL_WORDS, rows_needed
from dplda.release.ledger.balance import PLANNED_ONLY, Balance
from dplda.release.ledger.ledger import PERSON
from dplda.release.workflow.journal.progress import Progress
from dplda.release.workflow.request import Request

PAID_BEFORE = {
    Progress.UNFINISHED: (
        "This release was interrupted after it was charged. Finishing it uses no more of the budget."
    ),
    Progress.WITHOUT_TOPICS: (
        "This was released before, and no topics were found. Asking again says the same and uses no"
        " more of the budget. Change a setting to try something else."
    ),
}
"""The price of a request that was charged before, by what became of it."""


FORMER_FILES = (
    "An earlier version of dplda released documents under this budget. It read mailboxes, Word files,"
    " PDF files and columns of persons in another way. What it released of them is charged again."
)
"""Said before the first charge of this version, because the readers of these files have changed."""


def describe_use(corpus: Corpus, request: Request, balance: Balance) -> str:
    """The first sentence: how much of the budget the release uses."""
    epsilon, delta = request.cost
    share = balance.share_of_budget(epsilon=epsilon, delta=delta, spending=request.spending(corpus))
    enough = (
        balance.after_release(epsilon=epsilon, delta=delta, spending=request.spending(corpus))
        is not None
    )
    uses, ever = ("uses", ", permanently") if enough else ("would use", "")
    return (
        f"This {uses} {math.ceil(100 * share)}% of the budget of “{request.dataset}”{ever}"
        f" (ε = {format_rounded_up(epsilon, 3)}, δ = {format_rounded_up(delta, 3)})."
    )


def describe_terms(corpus: Corpus, request: Request, unit: str) -> tuple[str, ...]:
    """What the release contains and promises, in full."""
    one, words = request.settings, request.selection
    topics = (
        f"{one.problem.n_topics} topics of {corpus.n_documents:,} {unit}s over {_words(corpus, request, unit)}, by"
        f" {one.registered_method.title}, as {request.title!r}."
    )
    promised = f"{describe_best_guess(*request.total, unit)} δ is {format_odds(request.total[1])}."
    if words is None or request.previous is not None:
        return topics, promised
    both = (
        f"Words and topics both count: picking words uses ε = {format_rounded_up(words.epsilon)} and finding topics"
        f" ε = {format_rounded_up(one.budget.epsilon)}, together ε = {format_rounded_up(request.total[0], 3)}."
        " If too few words are found, no topics come out but the budget is spent."
    )
    return topics, both, promised


def describe_price(
    corpus: Corpus,
    request: Request,
    balance: Balance,
    unit: str,
    *,
    follows_former_reading: bool = False,
) -> Iterator[str]:
    """Consequences to read before confirming a release, from public numbers only; what makes it vain comes first.

    Args:
        follows_former_reading: whether an earlier version, which read files otherwise, charged this dataset.
    """
    cost = request.cost
    if follows_former_reading and request.previous is None:
        yield FORMER_FILES
    if _keeps_table(corpus, request):
        then = "Topics without words of their own are plain word frequencies."
        if request.previous is not None:
            then = "More budget only makes word frequencies more exact."
        sure = (
            "may be" if request.selection is not None and request.previous is None else "is"
        )  # fewer words, less noise
        yield f"The noise {sure} too large for your documents to change what public knowledge says. {then}"
    spending = request.spending(corpus)
    left = balance.after_release(epsilon=cost[0], delta=cost[1], spending=spending)
    if request.previous is not None:
        epsilon, delta = map(format_rounded_up, request.total)
        yield (
            f"Old and new releases together promise ε = {epsilon}, δ = {delta} if this total was chosen before the"
            " first release. You pay only what is missing."
        )
    yield describe_use(corpus, request, balance)
    if left is None:
        most = balance.describe_remaining_for(spending, epsilon=cost[0], delta=cost[1])
        why = balance.explain_refusal(epsilon=cost[0], delta=cost[1], spending=spending)
        yield f"That is more than the {balance.percent_left}% that is left: {most} at most. {why}"
    else:
        yield (
            f"{balance.percent_left}% of the budget is left before this release, {left.percent_left}% after it."
            " Percentages add up; values of ε do not, because each release has its own noise."
        )
        if any(balance.added_up):
            yield (f"With earlier releases this counts as {left.describe_total()}. {PLANNED_ONLY}")
    if unit == PERSON:
        yield (
            "Each person is protected with everything they wrote, but not from what others wrote about them. How many"
            " persons there are is public."
        )
    else:
        several = describe_ten_documents(*request.total, gaussian_fit=request.selection is None)
        yield "Each document is protected. How many there are is public."
        yield f"Somebody who wrote several is protected less: {several}."
    if request.caveats:
        yield f"The release will say: {' '.join(f'{one[:1].upper()}{one[1:]}.' for one in request.caveats)}"
    else:
        chosen = "word list" if request.selection is None else "way to pick words"
        later = (
            request.previous
            and " Only the budget's own limit holds if you chose the total ε after a release."
        )
        yield (
            f"The release will say that its owner chose the {chosen}, the method, k, α₀{'' if later else ', ε'} and δ"
            " without looking at results on the documents. Do not release if that is not true."
            f" Looking at earlier releases is fine.{later or ''}"
        )
    one, method = request.settings, request.settings.registered_method
    if method.prior_source is not None:
        yield f"The release will also say: {method.prior_source.assumption} Words taken from the documents would expose them."
        known = method.prior_source.load_prior(one.problem.n_topics).words
        selected = None if request.previous is not None else request.selection
        size = corpus.n_documents, selected.n_words if selected else corpus.n_words
        planned = (
            ()
            if method.forecast_noise is None
            else method.forecast_noise(one.problem, one.budget, *size)
        )
        if selected and selected.listed and set(known).isdisjoint(selected.listed):
            yield "No word of the table is on the public list, so the release may know none of them."
        if method.prior_is_trusted:
            yield "You trust the table: the topics have no error bars, and a wrong table can hide what documents say."
        elif any(row.when == KEPT for row in planned):
            yield "If noise hides what your documents add to the table, the topics have no error bars."
    if allows_whole_documents(request.total[1], corpus.n_documents):
        yield f"δ is at least 1/N = {1 / corpus.n_documents:.2g}, so the guarantee allows showing one whole {unit}."
    if request.total[0] > HIGH_EPSILON:
        yield f"ε is above {HIGH_EPSILON:g}: that protects almost nothing."


def _keeps_table(corpus: Corpus, request: Request) -> bool:
    """Whether a table is used, whatever the documents say, and no step will move topics away from it."""
    one, since = request.settings, request.previous
    state = since and since.resumable and since.resumable.state
    n_words = (
        len(since.vocabulary)
        if since
        else request.selection.n_words
        if request.selection
        else corpus.n_words
    )
    if not (state.prior_was_accepted if state else one.method.prior_is_trusted):
        return False
    planned = forecast_releases(
        one.problem, one.budget, corpus.n_documents, n_words, prior_is_trusted=True
    )
    return all(row.edge != STATISTIC.edge for row in planned)


def _words(corpus: Corpus, request: Request, unit: str) -> str:
    one = request.selection
    if one is not None and request.previous is not None:
        return f"the {len(request.previous.vocabulary):,} words of the release that it continues"
    if one is None:
        return f"a word list of {corpus.n_words:,} words"
    listed, needed = (
        f"a public list of {len(one.listed):,}, and other " if one.listed else "",
        rows_needed(one),
    )
    few = "; there are fewer, so expect none" if needed > corpus.n_documents else ""
    return (
        f"at most {one.n_words:,} words, selected privately: {listed}words that about"
        f" {needed:,.0f} {unit}s contain (if each contains {TYPICAL_WORDS} of them{few})"
    )
