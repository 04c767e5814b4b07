"""The publishable part of a run: what a released file says of it, and what a continuation needs."""

from dataclasses import replace

from dplda.core.errors import NotReleasable
from dplda.core.versions import DRAWN_WITH, installed_version
from dplda.corpus import Corpus, Selection
from dplda.methods.base.guarantees import SELECTION_SENTENCE
from dplda.methods.base.method import FitResult
from dplda.privacy.adjacency import STATED
from dplda.privacy.noise.keys import NoiseKind
from dplda.privacy.release import Guarantee
from dplda.privacy.word_selection.thresholds import MAX_WORDS_PER_ROW, selection_thresholds
from dplda.release.artefact.artefact import Artefact, Findings, NoisyValueFacts
from dplda.release.artefact.findings import findings_of, name_by_themes, order_supported_first
from dplda.release.artefact.released_file import parent_of
from dplda.release.artefact.resumable import Resumable, SelectedWords
from dplda.release.ledger.records.entry import LedgerEntry, receipt_of
from dplda.release.workflow.request import Request


def make_artefact(
    fit: FitResult,
    rows: Corpus,
    request: Request,
    charge: LedgerEntry,
    *,
    with_intervals: bool = True,
) -> Artefact:
    """Make the release of a run: what may be published, under the guarantee of the whole chain.

    Names, merged topics and hidden topics of the release that it continues are kept. The release
    has no seal yet.

    Args:
        fit: result of the run.
        rows: the documents over the words of the release, with what is protected as rows.
        request: the request.
        charge: the ledger's entry that paid for it.
        with_intervals: whether intervals of words are worked out, which takes long.

    Raises:
        NotReleasable: the noise is not exact, or the guarantee has a caveat.
    """
    has_exact_noise = all(release.noise is NoiseKind.EXACT for release in fit.releases)
    if not fit.guarantee.releasable or not has_exact_noise:
        raise NotReleasable("this run's noise is not exact, or its guarantee has a caveat")
    experiment = request.experiment
    previous = request.previous
    topic_groups: tuple[tuple[int, ...], ...] = ()
    hidden_topics: tuple[tuple[int, ...], ...] = ()
    if previous is not None:
        topic_groups = previous.groups
        hidden_topics = previous.hidden
    findings = findings_of(
        fit,
        experiment.registered_method.title,
        experiment.problem.alpha0,
        vocabulary=rows.vocabulary,
        documents=request.title,
        n_documents=rows.n_documents,
        keeps_topic_order=previous is not None,
        with_intervals=with_intervals,
    )
    guarantee = _stated_guarantee(fit.guarantee, request)
    return Artefact(
        documents=findings.documents,
        n_documents=rows.n_documents,
        method=findings.method,
        alpha0=findings.alpha0,
        n_topics=findings.n_topics,
        vocabulary=findings.vocabulary,
        topics=findings.topics,
        word_frequencies=findings.word_frequencies,
        topic_shares=findings.topic_shares,
        lower=findings.lower,
        upper=findings.upper,
        evidence=findings.evidence,
        prior_topics=findings.prior_topics,
        prior_use=findings.prior_use,
        noisy_values=_all_noisy_values(findings, rows, request),
        guarantee=guarantee,
        receipt_number=receipt_of(charge) or "",
        released_at=charge.at,
        versions={program: installed_version(program) for program in DRAWN_WITH},
        guarantee_text=guarantee.in_words(),
        resumable=_resumable(fit, rows, request),
        names=_names(findings, request),
        groups=topic_groups,
        hidden=hidden_topics,
    )


def _names(findings: Findings, request: Request) -> tuple[str | None, ...]:
    """Names of topics: those of the release before, or of the themes of seed words."""
    if request.previous is not None:
        return request.previous.names
    return name_by_themes(findings, request.experiment.method.prior)


def _stated_guarantee(guarantee: Guarantee, request: Request) -> Guarantee:
    """State the guarantee of a run with total ε and δ of the chain, and the caveats of the request.

    A chain also rests on the selection of its words. With caveats of the request, the sentence that
    settings were chosen without a look is left out.
    """
    promised_epsilon, promised_delta = request.total
    rests_on = guarantee.rests_on
    if request.previous is not None:
        rests_on = _with_selection_of(request.previous.guarantee, rests_on)
    if request.caveats:
        rests_on = tuple(sentence for sentence in rests_on if not sentence.startswith(STATED))
    return replace(
        guarantee,
        claimed_epsilon=promised_epsilon,
        claimed_delta=promised_delta,
        rests_on=rests_on,
        caveats=(*guarantee.caveats, *request.caveats),
    )


def _with_selection_of(previous: Guarantee, rests_on: tuple[str, ...]) -> tuple[str, ...]:
    """Sentences of a guarantee, those on the selection of words as the release before has them.

    The first release of a chain alone knows the list that words were selected from.
    """
    own_sentences = [
        sentence for sentence in rests_on if not sentence.startswith(SELECTION_SENTENCE)
    ]
    inherited_sentences = [
        sentence for sentence in previous.rests_on if sentence.startswith(SELECTION_SENTENCE)
    ]
    return (*own_sentences, *inherited_sentences)


def _all_noisy_values(
    findings: Findings, rows: Corpus, request: Request
) -> tuple[NoisyValueFacts, ...]:
    """Noisy values of the whole chain, in the order in which they were drawn."""
    if request.previous is not None:
        return (*request.previous.noisy_values, *findings.noisy_values)
    if request.selection is not None:
        return (*_word_weights(request.selection, rows), *findings.noisy_values)
    return findings.noisy_values


def _word_weights(selection: Selection, rows: Corpus) -> tuple[NoisyValueFacts, ...]:
    """Facts on the noisy weights of selected words, for each of the two rounds of selection.

    They count words of the release alone, which hides how many others there were. Words of a public
    list without ranks have no weight.
    """
    thresholds = selection_thresholds(selection)
    n_words_without_weight = (
        0 if selection.ranks else len(set(selection.listed).intersection(rows.vocabulary))
    )
    quantity_text = f"weights of words; a {rows.unit} gives 1/√n to each of its n"
    rounds = (
        (thresholds.first, f" ≤ {MAX_WORDS_PER_ROW}", "had a chance"),
        (thresholds.second, " that had a chance", "were taken"),
    )
    return tuple(
        NoisyValueFacts(
            quantity=quantity_text + words_phrase,
            shape=(rows.n_words - n_words_without_weight,),
            mechanism=f"Gaussian on every number; those above {noise.threshold:,.1f},"
            f" or on a public list, {outcome_phrase}",
            sensitivity=thresholds.sensitivity,
            scale=noise.noise_std,
            mu=noise.mu,
            times=1,
        )
        for noise, words_phrase, outcome_phrase in rounds
    )


def _resumable(fit: FitResult, rows: Corpus, request: Request) -> Resumable | None:
    """Make the state that a continuation needs; None for a method without one.

    The first release of a chain, or one after a release without a state, has its topics in
    published order and no parent; later ones keep the order, and name the release before them.
    The distance of exact noise from its law adds up over the chain; the budget of selected words
    is kept beside it.
    """
    if fit.state is None:
        return None
    if request.previous is None or request.previous.resumable is None:
        run_state = fit.state.reorder_topics(order_supported_first(fit))
        parent = None
    else:
        run_state = fit.state
        parent = parent_of(request.previous)
    return Resumable(
        state=run_state,
        tv_slack=request.spending(rows).tv_slack + request.previous_tv_slack,
        parent=parent,
        selected_words=_selected_words(request),
    )


def _selected_words(request: Request) -> SelectedWords | None:
    """The limit on selected words, and ε and δ of their selection and of the topics.

    None if words were not selected.
    """
    selection = request.selection
    if selection is None:
        return None
    budget = request.experiment.budget
    return SelectedWords(
        n_words=selection.n_words,
        epsilon=selection.epsilon,
        delta=selection.delta,
        topics_epsilon=budget.epsilon,
        topics_delta=budget.delta,
    )
