"""The rehearsal of a release on documents that need no protection."""

from dataclasses import dataclass, replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dplda.core.formatting import digits
from dplda.core.types import Matrix
from dplda.corpus import Corpus, Label, load
from dplda.evaluation import topic_error
from dplda.evaluation.distance import NEAR
from dplda.experiments.experiment import Experiment
from dplda.figures.topics.lanes import fitted_lane, lane_as_found
from dplda.methods.base.method import FitResult
from dplda.methods.look_then_add import FIRST_SHARE
from dplda.release.ledger.ledger import PERSON
from dplda.release.workflow.draft import Draft
from dplda.ui.literal import literal
from dplda.ui.release import public_knowledge, verdict_view
from dplda.ui.release.twin_rehearsal import PlanChoice, draw_new_noise, rehearse_on_twin
from dplda.ui.shell import views, word_bars
from dplda.ui.state import cache
from dplda.ui.state.keys import Key
from dplda.ui.upload.file_preview import cached_preview
from dplda.ui.upload.reading_choice import choose_reading

ONCE, LOOK = "one release", "look, then add"
TWIN, PUBLIC = "an invented newspaper", "a public file"
TOPICS_SHOWN, WORDS_SHOWN = 6, 5
TOPICS_IN_A_ROW = 3  # each beside its reference
REHEARSAL_HELP = "These documents need no protection. Your settings are those of the release."


@dataclass(frozen=True, slots=True, eq=False)
class _Reference:
    """Topics that rehearsed ones are compared with; they are no secret of these documents.

    Attributes:
        topics: shape (k, d).
        title: what they are called above their words.
        phrase: what they are called in a sentence.
    """

    topics: Matrix
    title: str
    phrase: str


def rehearse(draft: Draft) -> None:
    """Draw the verdict, the choice between a twin and public documents, and the outcome on them.

    The verdict rests on public numbers, not on a rehearsal. For public documents that are not read
    yet, only their upload follows the choice.
    """
    verdict_view.draw(draft)
    choices_place = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
    with choices_place:
        chosen_documents = views.choose_one(
            "Rehearse, free, on", (TWIN, PUBLIC), key=Key.RELEASE_TWIN, help=REHEARSAL_HELP
        )
    choose_plan = partial(_choose_plan, choices_place)
    if chosen_documents == TWIN:
        rehearse_on_twin(draft, choose_plan, choices_place)
        return
    corpus = _read_public_documents(draft)
    if corpus is not None:
        _draw_outcome(draft, corpus, choose_plan, choices_place)


def _read_public_documents(draft: Draft) -> Corpus | None:
    """Draw an upload of public documents, and read them as the draft's documents are read.

    The word list is the draft's, or their own most common words, as many as will be selected.
    Persons are joined if they are protected. None while a file or an answer is missing, or if
    reading was canceled.
    """
    file = public_knowledge.draw_kept_file("Public documents", Key.RELEASE_PUBLIC)
    if file is None:
        return None
    reading = choose_reading(file, prefers_persons=draft.unit == PERSON)
    if reading.missing:
        return None
    selection = draft.request.selection
    read_documents = partial(
        reading.bind(load, file),
        person=reading.person,
        label=Label.PUBLIC,
        vocabulary=None if selection else draft.corpus.vocabulary,
        n_words=selection.n_words if selection else None,
    )
    corpus = cached_preview(
        "rehearsal", file, read_documents, reading, draft.corpus.digest, selection
    )
    if corpus is None or draft.unit != PERSON:
        return corpus
    return corpus.by_person()


def _draw_outcome(
    draft: Draft, corpus: Corpus, choose_plan: PlanChoice, place: DeltaGenerator
) -> None:
    """Draw the verdict on a rehearsed release, and its topics next to true or noiseless ones.

    A plan of two releases adds the error after the first, and that of one release with all ε.
    The function returns early where a fit was canceled; what is drawn until then stays.
    A button for other noise is drawn in ``place``.
    """
    experiment_in_one_release = draft.request.experiment
    experiment = choose_plan(experiment_in_one_release)
    reference = _find_reference(corpus, experiment)
    if reference is None:
        return
    rehearsed_fit = cache.fit(corpus, experiment)
    if rehearsed_fit is None:
        return
    error = topic_error(reference.topics, rehearsed_fit.topics.words).l1_mean
    draw_new_noise(experiment, place)
    _draw_verdict(draft, error, reference)
    if experiment is not experiment_in_one_release and not _draw_stages(
        corpus, experiment_in_one_release, reference
    ):
        return
    _draw_topics(corpus, experiment, rehearsed_fit, reference)


def _choose_plan(place: DeltaGenerator, experiment_in_one_release: Experiment) -> Experiment:
    """Draw the choice to spend the budget at once or in two releases, and return the experiment.

    For two releases, the method's ``first_share`` is ``FIRST_SHARE``; else the argument itself is
    returned.
    A method that cannot be continued, or that uses public knowledge, gets no choice: nothing is
    drawn.
    """
    method = experiment_in_one_release.registered_method
    can_take_two_releases = (
        method.fit_continued is not None and experiment_in_one_release.method.prior is None
    )
    if not can_take_two_releases:
        return experiment_in_one_release
    with place:
        plan = views.choose_one("Plan", (ONCE, LOOK), key=Key.RELEASE_PLAN)
    if plan == ONCE:
        return experiment_in_one_release
    return replace(
        experiment_in_one_release,
        method=replace(experiment_in_one_release.method, first_share=FIRST_SHARE),
    )


def _find_reference(corpus: Corpus, experiment: Experiment) -> _Reference | None:
    """True topics where they are known, else those without noise; None if that was canceled."""
    if corpus.truth is not None:
        return _Reference(corpus.truth.topics, "true", "the true ones")
    noiseless = cache.noiseless_twin(corpus, experiment)
    if noiseless is None:
        return None
    return _Reference(noiseless.topics.words, "without noise", "those without noise")


def _draw_verdict(draft: Draft, error: float, reference: _Reference) -> None:
    """Draw whether topics are near the reference.

    They are near if the error is below ``NEAR``. If they are not, a sentence says that fewer
    topics, public knowledge where there is none, or a larger ε may help.

    Args:
        draft: the release that is rehearsed.
        error: mean L1 error of the topics.
        reference: the topics that the error is about.
    """
    nearness_word = "near" if error < NEAR else "not near"
    st.header(
        f"On {PUBLIC}, topics are {nearness_word} {reference.phrase}: their mean error is"
        f" {digits(error, 2)}",
        anchor=False,
    )
    if error >= NEAR:
        prior_remedy = ""
        if not draft.request.experiment.method.prior:
            prior_remedy = ", public knowledge"
        st.markdown(
            f"Below {NEAR:g} counts as near; 2 is the maximum. Fewer topics{prior_remedy} or a"
            " larger ε"
            " may help."
        )


def _draw_stages(
    corpus: Corpus, experiment_in_one_release: Experiment, reference: _Reference
) -> bool:
    """Draw the mean L1 error of a first release alone, and of one with all ε.

    The first release has the share ``FIRST_SHARE`` of ε, and all of δ.

    Returns False, and draws nothing, if a fit was canceled.
    """
    budget = experiment_in_one_release.budget
    first_epsilon = FIRST_SHARE * budget.epsilon
    first_release = replace(
        experiment_in_one_release, budget=replace(budget, epsilon=first_epsilon)
    )
    fits = [
        cache.fit(corpus, experiment) for experiment in (first_release, experiment_in_one_release)
    ]
    error_texts = [
        digits(topic_error(reference.topics, fit.topics.words).l1_mean, 2)
        for fit in fits
        if fit is not None
    ]
    if len(error_texts) < len(fits):
        return False
    st.markdown(
        f"A first release at ε = {first_epsilon:g} has an error of {error_texts[0]}."
        f" One with all ε has {error_texts[1]}."
    )
    return True


def _draw_topics(
    corpus: Corpus,
    experiment: Experiment,
    result: FitResult,
    reference: _Reference,
) -> None:
    """Draw, as bars, words of the first ``TOPICS_SHOWN`` topics beside those of the reference.

    Error bars are worked out with progress, if the method has them. Above stand sentences on
    evidence and on public knowledge, as far as the method has them. Evidence is told by its
    released numbers alone: no runs on simulated documents are made.
    """
    evidence = result.evidence
    noisy_lane = fitted_lane(
        f"ε = {experiment.budget.epsilon:g}",
        result.topics,
        reference.topics,
        uncertainty=cache.ranges(corpus, experiment, result),
        evidence=evidence,
        has_prior=result.prior_topics is not None,
    )
    if evidence is not None:
        evidence_numbers = evidence.released_numbers()  # a rehearsal does not wait for runs
        st.markdown(evidence_numbers.describe("these"))
    if result.prior is not None:
        st.markdown(literal(result.prior.in_words()))
    word_bars.draw_topic_bars(
        (noisy_lane, lane_as_found(reference.title, reference.topics)),
        corpus.vocabulary,
        n_shown=WORDS_SHOWN,
        n_places=TOPICS_SHOWN,
        key="release.rehearsed",
        in_a_row=TOPICS_IN_A_ROW,
    )
