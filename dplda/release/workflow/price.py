"""The price of a release and its promise, in sentences, before anything is charged."""

import math
from collections.abc import Iterator

from dplda.corpus import Corpus
from dplda.methods.configurations.plan import HIGH_EPSILON
from dplda.methods.refined.plan.noise_forecast import KEPT, forecast_releases
from dplda.methods.refined.plan.quantities import STATISTIC
from dplda.methods.refined.prior.prior_files import prior_from_source
from dplda.privacy.accounting.groups import describe_ten_documents
from dplda.privacy.accounting.odds import (
    allows_whole_documents,
    format_odds,
    format_rounded_up,
)
from dplda.privacy.accounting.risk import risk_of
from dplda.privacy.word_selection.thresholds import TYPICAL_WORDS, rows_needed
from dplda.release.ledger.balance import PLANNED_ONLY, Balance
from dplda.release.ledger.ledger import PERSON
from dplda.release.workflow.journal.progress import Progress
from dplda.release.workflow.request import Request
from dplda.release.workflow.status import NEW_REQUEST, RequestStatus

PAID_BEFORE = {
    Progress.UNFINISHED: (
        "This release was interrupted after it was charged. Finishing it uses no more of the"
        " budget."
    ),
    Progress.WITHOUT_TOPICS: (
        "This was released before, and no topics were found. Asking again says the same and uses no"
        " more of the budget. Change a setting to try something else."
    ),
}
"""The price of a request that was charged before, by its progress."""

FORMER_FILES = (
    "An earlier version of dplda released documents under this budget. It read some mail, Word and"
    " PDF files and workbooks in another way. What it released of these is charged again."
)
"""Said before the first charge of this version, because the readers of these files have changed."""


def describe_use(rows: Corpus, request: Request, balance: Balance) -> str:
    """Describe what share of the budget the release uses, or would use if it has no room.

    The sentence names the data set, the share in whole percent, rounded up, and the ε and δ that
    are charged. It does not say what is left.
    """
    charged_epsilon, charged_delta = request.cost
    spending = request.spending(rows)
    budget_share = balance.share_of_budget(
        epsilon=charged_epsilon, delta=charged_delta, spending=spending
    )
    balance_after = balance.after_release(
        epsilon=charged_epsilon, delta=charged_delta, spending=spending
    )
    percent_text = f"{math.ceil(100 * budget_share)}%"
    cost_text = (
        f"ε = {format_rounded_up(charged_epsilon, 3)}, δ = {format_rounded_up(charged_delta, 3)}"
    )
    share_text = f"{percent_text} of the budget of “{request.dataset}”"
    if balance_after is None:
        return f"This would use {share_text} ({cost_text})."
    return f"This uses {share_text}, permanently ({cost_text})."


def describe_terms(rows: Corpus, request: Request, unit: str) -> tuple[str, ...]:
    """Describe the contents of a release, then what its guarantee means, in a text each.

    If a new release selects its words, a third text between them divides ε.

    Args:
        rows: the documents, with what is protected as rows.
        request: the request.
        unit: what is protected: a ``document`` or a ``person``.
    """
    experiment = request.experiment
    promised_epsilon, promised_delta = request.total
    contents_sentence = (
        f"{experiment.problem.n_topics} topics of {rows.n_documents:,} {unit}s over"
        f" {_describe_words(rows, request, unit)}, by {experiment.registered_method.title},"
        f" as {request.title!r}."
    )
    privacy_risk = risk_of(
        promised_epsilon, promised_delta, is_gaussian=_is_gaussian(rows, request)
    )
    promise_text = f"{privacy_risk.describe(unit)} δ is {format_odds(promised_delta)}."
    selection = request.selection
    if selection is None or request.previous is not None:
        return contents_sentence, promise_text
    division_text = (
        "Picking words and finding topics both use the budget"
        f" (ε = {format_rounded_up(selection.epsilon)} and"
        f" ε = {format_rounded_up(experiment.budget.epsilon)}, together"
        f" ε = {format_rounded_up(promised_epsilon, 3)}). If too few words are found, no topics"
        " come out but the budget is spent."
    )
    return contents_sentence, division_text, promise_text


def _is_gaussian(rows: Corpus, request: Request) -> bool:
    """Whether all noise of the topics is Gaussian, as that of selected words is."""
    experiment = request.experiment
    return experiment.registered_method.guarantee(rows, experiment.budget).is_gaussian


def describe_price(
    rows: Corpus,
    request: Request,
    balance: Balance,
    unit: str,
    status: RequestStatus = NEW_REQUEST,
) -> Iterator[str]:
    """Yield the consequences to read before confirming a release.

    Warnings come first: files that are read in another way than before, a public table that noise
    will not let the documents change, and the total with the previous release. Then come cost,
    budget, protection, choices, public knowledge and weak numbers. A request that was charged
    before gets one sentence on that alone.

    Args:
        rows: the documents, with what is protected as rows.
        request: the request.
        balance: of its dataset.
        unit: what is protected: a ``document`` or a ``person``.
        status: where the request stands.
    """
    if status.progress is not None:
        yield PAID_BEFORE[status.progress]
        return
    if status.follows_former_reading and request.previous is None:
        yield FORMER_FILES
    if _keeps_prior(rows, request):
        yield _describe_kept_prior(request)
    if request.previous is not None:
        yield _describe_total(request)
    yield describe_use(rows, request, balance)
    yield from _describe_balance(rows, request, balance)
    yield from _describe_protection(request, unit)
    yield _describe_choices(request)
    yield from _describe_public_knowledge(rows, request)
    yield from _describe_weakness(rows, request, unit)


def _describe_kept_prior(request: Request) -> str:
    """Explain that noise is too large for documents to change the table, and what that means.

    It *may be* too large if a new release selects its words first. A continued release has
    another consequence than a new one.
    """
    consequence_sentence = "Topics without words of their own are plain word frequencies."
    if request.previous is not None:
        consequence_sentence = "More budget only makes word frequencies more exact."
    verb = "is"
    if request.selection is not None and request.previous is None:
        verb = "may be"  # fewer words than expected have less noise
    return (
        f"The noise {verb} too large for your documents to change what public knowledge says."
        f" {consequence_sentence}"
    )


def _describe_total(request: Request) -> str:
    """Sentences on what a release and the one that it continues promise together."""
    total_epsilon, total_delta = request.total
    total_text = f"ε = {format_rounded_up(total_epsilon)}, δ = {format_rounded_up(total_delta)}"
    return (
        f"Old and new releases together promise {total_text} if this total was chosen"
        " before the first release. You pay only what is missing."
    )


def _describe_balance(rows: Corpus, request: Request, balance: Balance) -> Iterator[str]:
    """Yield sentences on the budget before and after the release.

    If there were earlier releases, another one is on all together. If the budget has no room,
    one sentence says instead what release would have room, and why this one has not.
    """
    charged_epsilon, charged_delta = request.cost
    spending = request.spending(rows)
    balance_after = balance.after_release(
        epsilon=charged_epsilon, delta=charged_delta, spending=spending
    )
    if balance_after is None:
        remaining_text = balance.describe_remaining_for(
            spending, epsilon=charged_epsilon, delta=charged_delta
        )
        explained_shortage = balance.explain_refusal(
            epsilon=charged_epsilon, delta=charged_delta, spending=spending
        )
        yield (
            f"That is more than the {balance.percent_left}% that is left: {remaining_text} at most."
            f" {explained_shortage}"
        )
        return
    yield (
        f"{balance.percent_left}% of the budget is left before this release,"
        f" {balance_after.percent_left}% after it. Percentages add up; values of ε do not, because"
        " each release has its own noise."
    )
    if any(balance.added_up):
        total_text = balance_after.describe_total()
        yield f"With earlier releases this counts as {total_text}. {PLANNED_ONLY}"


def _describe_protection(request: Request, unit: str) -> Iterator[str]:
    """Yield sentences on who is protected, and what is public.

    If documents are protected, the last one is on somebody who wrote several.
    """
    if unit == PERSON:
        yield (
            "Each person is protected with everything they wrote, but not from what others wrote"
            " about them. How many persons there are is public."
        )
        return
    yield "Each document is protected. How many there are is public."
    promised_epsilon, promised_delta = request.total
    risk_text_of_ten_documents = describe_ten_documents(
        promised_epsilon, promised_delta, gaussian_fit=request.selection is None
    )
    yield f"Somebody who wrote several is protected less: {risk_text_of_ten_documents}."


def _describe_choices(request: Request) -> str:
    """State how settings were chosen, as the release will.

    Lists the caveats if results on the documents were seen; else what the owner confirms to have
    chosen without that; for a continued release also that its total ε is limited by the budget.
    """
    if request.caveats:
        caveat_sentences = " ".join(
            f"{caveat[:1].upper()}{caveat[1:]}." for caveat in request.caveats
        )
        return f"The release will say: {caveat_sentences}"
    words_phrase = "word list" if request.selection is None else "way to pick words"
    choices_phrase = f"{words_phrase}, the method, k, α₀, ε and δ"
    limit_sentence = ""
    if request.previous is not None:
        choices_phrase = f"{words_phrase}, the method, k, α₀ and δ"
        limit_sentence = (
            " Only the budget's own limit holds if you chose the total ε after a release."
        )
    return (
        f"The release will say that its owner chose the {choices_phrase} without looking at results"
        " on the documents. Do not release if that is not true. Looking at earlier releases is"
        f" fine.{limit_sentence}"
    )


def _describe_public_knowledge(rows: Corpus, request: Request) -> Iterator[str]:
    """Yield sentences on a public table: what the release will state, and its risks.

    Nothing without a table. The risks are a table without a word of the public list, a trusted
    table, and one that documents may not be able to change.
    """
    experiment = request.experiment
    method = experiment.registered_method
    if method.prior_source is None:
        return
    yield (
        f"The release will also say: {method.prior_source.assumption} Words taken from the"
        " documents would expose them."
    )
    new_selection = None if request.previous is not None else request.selection
    table_words = set(prior_from_source(method.prior_source, experiment.problem.n_topics).words)
    if new_selection and new_selection.listed and table_words.isdisjoint(new_selection.listed):
        yield "No word of the table is on the public list, so the release may know none of them."
    if method.prior_is_trusted:
        yield (
            "You trust the table: the topics have no error bars, and a wrong table can hide what"
            " documents say."
        )
    elif _may_keep_table(rows, request):
        yield "If noise hides what your documents add to the table, the topics have no error bars."


def _may_keep_table(rows: Corpus, request: Request) -> bool:
    """Whether a run may leave a table as it is, by its forecast; False for a method without one."""
    experiment = request.experiment
    forecast = experiment.registered_method.forecast_noise
    if forecast is None:
        return False
    n_words = rows.n_words if request.previous is not None else request.n_words(rows)
    planned_releases = forecast(experiment.problem, experiment.budget, rows.n_documents, n_words)
    return any(release.when == KEPT for release in planned_releases)


def _describe_weakness(rows: Corpus, request: Request, unit: str) -> Iterator[str]:
    """Yield sentences on a δ or an ε that protects little; nothing if neither is large.

    A δ of 1/N or more allows showing a whole document; an ε is large above ``HIGH_EPSILON``.
    """
    promised_epsilon, promised_delta = request.total
    if allows_whole_documents(promised_delta, rows.n_documents):
        yield (
            f"δ is at least 1/N = {1 / rows.n_documents:.2g}, so the guarantee allows showing one"
            f" whole {unit}."
        )
    if promised_epsilon > HIGH_EPSILON:
        yield f"ε is above {HIGH_EPSILON:g}: that protects almost nothing."


def _keeps_prior(rows: Corpus, request: Request) -> bool:
    """Whether a public table decides the topics whatever the documents say.

    That is so if the table is used, and no variational step is planned at this noise. A new release
    uses a trusted table, a continued one a table that was accepted before.
    """
    experiment = request.experiment
    previous = request.previous
    prior_is_used = experiment.method.prior_is_trusted
    n_words = request.n_words(rows)
    if previous is not None:
        n_words = len(previous.vocabulary)
        if previous.resumable is not None:
            prior_is_used = previous.resumable.state.prior_was_accepted
    if not prior_is_used:
        return False
    planned_releases = forecast_releases(
        experiment.problem,
        experiment.budget,
        rows.n_documents,
        n_words,
        prior_is_trusted=True,
    )
    return all(release.edge != STATISTIC.edge for release in planned_releases)


def _describe_words(rows: Corpus, request: Request, unit: str) -> str:
    """Describe the words of the release, as part of a sentence: how many, and how selected.

    A fixed word list and the words of a continued release are only counted. Selected words come
    with the number of documents that a word needs if each has ``TYPICAL_WORDS``, and a warning if
    there are fewer.
    """
    selection = request.selection
    if selection is None:
        return f"a word list of {rows.n_words:,} words"
    if request.previous is not None:
        n_words = len(request.previous.vocabulary)
        return f"the {n_words:,} words of the release that it continues"
    list_phrase = ""
    if selection.listed:
        list_phrase = f"a public list of {len(selection.listed):,}, and other "
    n_rows_needed = rows_needed(selection)
    warning_clause = ""
    if n_rows_needed > rows.n_documents:
        warning_clause = "; there are fewer, so expect none"
    return (
        f"at most {selection.n_words:,} words, selected privately: {list_phrase}words that about"
        f" {n_rows_needed:,.0f} {unit}s contain (if each contains {TYPICAL_WORDS} of"
        f" them{warning_clause})"
    )
