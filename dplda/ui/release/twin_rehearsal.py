"""The rehearsal of a release on a twin: an invented newspaper of the same public size."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dplda import figures
from dplda.core.errors import DpldaError
from dplda.corpus import Corpus
from dplda.corpus.simulation.real_word_twin import RealWordTwin
from dplda.evaluation.themes import find_themes
from dplda.experiments.experiment import Experiment
from dplda.figures.topics.lanes import fitted_lane, lane_as_found
from dplda.methods.base.method import FitResult
from dplda.methods.base.prior_source import PriorKind, PriorSource
from dplda.methods.look_then_add import FIRST_SHARE
from dplda.methods.refined.prior.prior_files import prior_from_source
from dplda.methods.refined.prior.prior_mixtures import require_known_words
from dplda.methods.refined.refined_methods import refined_with
from dplda.methods.registry import parse_method_spec
from dplda.release.verdict.outcome import judge_themes
from dplda.release.verdict.verdict import Readability
from dplda.release.workflow.draft import Draft
from dplda.ui.literal import literal
from dplda.ui.release import public_knowledge, verdict_view
from dplda.ui.state import cache, session
from dplda.ui.state.keys import Key
from dplda.ui.state.link import SEEDS

PlanChoice: TypeAlias = Callable[[Experiment], Experiment]
"""Draws the choice between one release and two; from the experiment in one to the chosen one."""

WORDS_SHOWN = 6
"""Words shown of a topic."""

HOW_TO_READ = "Bold: the theme's own word. Italic: another word."
"""Below the words."""

SAME_SEEDS = (
    "Your seed words are not the newspaper's. As many leading words of its sections take their"
    " place."
)
CLEARER_THAN_REAL = (
    "The verdict above is the safer guess: real documents are often less clear than this newspaper,"
    " and their words are picked with noise."
)
KNOWN_WORDS = (
    "The verdict above is the safer guess: public knowledge fits this newspaper's words better than"
    " those of real documents."
)
ONE_DRAW = (
    "The verdict above is the better guess: it rests on hundreds of runs, and this is a single one."
    " New noise shows others."
)
UNKNOWN_TABLE = "Your table knows no word of the newspaper, so this rehearsal leaves it out."
TWIN_HELP = (
    "An invented newspaper with as many sections as you ask for topics, and your public numbers."
    " A theme counts as found if five of a topic's ten leading words are its own. Words are not"
    " picked with noise here."
)


def rehearse_on_twin(draft: Draft, choose_plan: PlanChoice, place: DeltaGenerator) -> None:
    """Draw the release as it would be on a twin: how many themes it finds, and the topics.

    Public knowledge of the owner is replaced by as much on the twin.
    A button draws new noise. A plan of two releases adds what the first finds, and what one release
    with all ε finds. Where the rehearsal finds more or less than the verdict expects, a sentence
    says which of the two to believe.
    The function returns early where drawing the twin or a fit was canceled; what is drawn until
    then stays.

    Args:
        draft: the decisions so far.
        choose_plan: draws the choice between one release and two.
        place: beside these choices, for the button.
    """
    twin = draft.twin(verdict_view.read_texts())
    corpus = cache.simulated(twin)
    if corpus is None:
        return
    experiment_in_one_release = _with_known_prior(draft.request.experiment, corpus, twin)
    experiment = choose_plan(experiment_in_one_release)
    rehearsed_fit = cache.fit(corpus, experiment)
    if rehearsed_fit is None:
        return
    n_themes = len(twin.themes)
    is_found = _look_for_themes(twin, rehearsed_fit, corpus.vocabulary)
    n_found = sum(is_found)
    st.header(
        f"Of {n_themes} themes in an invented newspaper you would find {n_found}",
        anchor=False,
        help=TWIN_HELP,
    )
    draw_new_noise(experiment, place)
    has_two_releases = experiment is not experiment_in_one_release
    if has_two_releases and not _draw_stages(corpus, experiment_in_one_release, twin):
        return
    which_to_believe = _compare_with_verdict(
        draft,
        judge_themes(n_found, n_themes),
        has_prior=experiment.method.prior is not None,
    )
    if which_to_believe:
        st.markdown(which_to_believe)
    _draw_topics(corpus, experiment, rehearsed_fit, twin, is_found)
    st.caption(literal(" ".join([HOW_TO_READ, *_describe_fit(rehearsed_fit)])))


def _compare_with_verdict(draft: Draft, rehearsed: Readability, *, has_prior: bool) -> str:
    """A sentence on which to believe, where a rehearsal differs from the verdict; else empty.

    Empty, too, if there is no verdict.

    Args:
        draft: the release that is rehearsed.
        rehearsed: what its rehearsal found.
        has_prior: whether the rehearsal had public knowledge.
    """
    verdict = verdict_view.foresee_draft(draft)
    if verdict is None or verdict.readability is rehearsed:
        return ""
    if rehearsed.rank < verdict.readability.rank:
        return ONE_DRAW
    return KNOWN_WORDS if has_prior else CLEARER_THAN_REAL


def _look_for_themes(
    twin: RealWordTwin, result: FitResult, vocabulary: Sequence[str]
) -> tuple[bool, ...]:
    """Whether a fit finds each of the twin's themes, by its evidence where it has some."""
    theme_words = [theme.words for theme in twin.themes]
    return find_themes(result.topics, vocabulary, theme_words, result.evidence)


def _describe_fit(result: FitResult) -> list[str]:
    """List sentences on evidence and on public knowledge, each if there is any.

    The evidence is that of the fit alone, without null runs.
    """
    sentences = []
    if result.evidence is not None:
        evidence_numbers = result.evidence.released_numbers()  # a rehearsal does not wait for runs
        sentences.append(evidence_numbers.describe("these"))
    if result.prior is not None:
        sentences.append(result.prior.in_words())
    return sentences


def draw_new_noise(experiment: Experiment, place: DeltaGenerator) -> None:
    """Draw a button that repeats the rehearsal with the next seed of noise.

    Args:
        experiment: as rehearsed.
        place: of the button.
    """
    next_seed = (experiment.seed + 1) % SEEDS[1]
    place.button(
        "New noise",
        icon=":material/casino:",
        key=Key.REROLL,
        on_click=session.put,
        args=(Key.SEED, next_seed),
    )


def _draw_stages(corpus: Corpus, experiment_in_one_release: Experiment, twin: RealWordTwin) -> bool:
    """Draw how many themes a first release alone finds, and one with all ε.

    The first release has the share ``FIRST_SHARE`` of ε, and all of δ.

    Returns False, and draws nothing, if a fit was canceled.
    """
    budget = experiment_in_one_release.budget
    first_epsilon = FIRST_SHARE * budget.epsilon
    first_release = replace(
        experiment_in_one_release, budget=replace(budget, epsilon=first_epsilon)
    )
    n_found_by_stage = []
    for experiment in (first_release, experiment_in_one_release):
        fit_of_stage = cache.fit(corpus, experiment)
        if fit_of_stage is None:
            return False
        theme_words = [theme.words for theme in twin.themes]
        n_found_by_stage.append(
            sum(find_themes(fit_of_stage.topics, corpus.vocabulary, theme_words))
        )
    st.markdown(
        f"A first release at ε = {first_epsilon:g} would find {n_found_by_stage[0]}."
        f" One with all ε finds {n_found_by_stage[1]}."
    )
    return True


def _draw_topics(
    corpus: Corpus,
    experiment: Experiment,
    result: FitResult,
    twin: RealWordTwin,
    is_found: Sequence[bool],
) -> None:
    """Draw a table of themes: whether each is found, and words of its topic beside its own.

    Args:
        corpus: the twin's documents, so that their themes are known.
        experiment: as rehearsed.
        result: its fit.
        twin: public numbers of the documents, with the themes.
        is_found: whether the fit finds each theme.
    """
    truth = corpus.truth
    assert truth is not None  # a twin has one
    noisy_lane = fitted_lane(
        f"ε = {experiment.budget.epsilon:g}",
        result.topics,
        truth.topics,
        evidence=result.evidence,
        has_prior=result.prior_topics is not None,
    )
    themes = twin.themes
    st.html(
        figures.theme_table(
            (noisy_lane, lane_as_found("its own words", truth.topics)),
            corpus.vocabulary,
            [theme.words for theme in themes],
            titles=[theme.title for theme in themes],
            is_found=is_found,
            n_shown=WORDS_SHOWN,
        )
    )


def _with_known_prior(experiment: Experiment, corpus: Corpus, twin: RealWordTwin) -> Experiment:
    """Give the experiment public knowledge of the twin's words, as much as the owner has.

    Seed words are replaced by as many of the sections' own, with a caption. A table that cannot be
    read, or that knows no word of the twin, is dropped with a message: the plain method comes back.
    Otherwise the experiment comes back as it is.
    """
    prior_source = experiment.method.prior
    if prior_source is None:
        return experiment
    if prior_source.kind is PriorKind.SEEDS:
        st.caption(SAME_SEEDS)
        seed_source = _seeds_of_sections(prior_source, twin)
        is_trusted = experiment.method.prior_is_trusted
        return replace(experiment, method=refined_with(seed_source, trusted=is_trusted).spec)
    try:
        prior_table = prior_from_source(prior_source, experiment.problem.n_topics)
        require_known_words(prior_table, corpus.vocabulary)
    except DpldaError:
        st.info(UNKNOWN_TABLE)
        return replace(experiment, method=parse_method_spec(public_knowledge.PLAIN))
    return experiment


def _seeds_of_sections(prior: PriorSource, twin: RealWordTwin) -> PriorSource:
    """As many seed words for as many themes as an owner typed, from the twin's sections.

    The first line stands for the first theme, and so on. Lines beyond the twin's themes are left
    out.
    """
    typed_lines = [line for line in prior.content.splitlines() if line.strip()]
    seed_lines = []
    for typed_line, theme in zip(typed_lines, twin.themes, strict=False):
        typed_words = typed_line.partition(":")[2].replace(",", " ").split()
        n_words = len(typed_words)
        seed_lines.append(f"{theme.title}: {', '.join(list(theme.words)[:n_words])}")
    return PriorSource(PriorKind.SEEDS, "\n".join(seed_lines), "")
