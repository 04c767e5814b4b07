"""What is recorded and played: every proven method, continued releases, files, words, groups and tables of shares."""

import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from benchmarks.outside_audit.neighbors import N_TOPICS
from benchmarks.outside_audit.record_play import Declared, Outcome, Run, guarded
from dplda.attacks.audit.minibatches import Sampling
from dplda.corpus import Corpus, Label, Selection, VocabularySource
from dplda.experiments.experiment import Experiment, HeldDocuments
from dplda.methods.base.curator import Curator
from dplda.methods.base.method import FitResult, Method
from dplda.methods.base.previous_release import PreviousRelease
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.dpvi.private_variational import run_variational
from dplda.methods.dpvi.settings import VariationalSettings
from dplda.methods.registry import METHODS, parse_method
from dplda.methods.shares.document_topics import infer_document_topics
from dplda.methods.shares.group_selection import plan_group_selection, rows_naming_groups
from dplda.methods.shares.share_table import GroupedDocuments, release_table
from dplda.privacy.accounting import gaussian
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.named_quantity import stream_name
from dplda.privacy.noise.exact import ExactNoise, delta_of_noise
from dplda.privacy.noise.keys import SeedKey
from dplda.privacy.noise.sources import NoiseSource, SimulatedNoise
from dplda.privacy.release import Release, Status
from dplda.privacy.word_selection.selection import (
    WEIGHTS,
    SelectionOutcome,
    draw_selection,
    draw_selection_from_rows,
)
from dplda.privacy.word_selection.thresholds import MAX_WORDS_PER_ROW, selection_thresholds
from dplda.release.artefact.released_file import write_release
from dplda.release.ledger.ledger import LedgerEntry
from dplda.release.workflow.publish import make_artefact
from dplda.release.workflow.request import Request

BUDGET = Budget(8.0, 1e-6)
AMPLE = Budget(1000.0, 1e-6)  # for methods that refuse few documents at a small ε
SAMPLED_BUDGET = Budget(0.5, 1e-6)
PROBLEM = Problem(N_TOPICS, 1.0)
FEW_STEPS = VariationalSettings(sampling_rate=0.5, epochs=2.0, word_steps=1)
FIRST_SHARE = 1 / 3
PLACES = ("north", "south", "east", "west")
MakeMechanisms = Callable[[NoiseSource], Mechanisms]
PROVEN = {key: method for key, method in METHODS.items() if method.status is Status.PROVEN}
CONTINUED = ("refined", "refined-english", "private-unigram")
RELEASED = ("refined", "refined-english", "private-unigram", "adaptive/corrected")
ENTRY = LedgerEntry(
    number=1,
    at="2026-01-01T00:00:00.000+00:00",
    kind="charged",
    dataset="mail",
    epsilon=1,
    delta=1,
    detail="{}",
    hash="ab" * 32,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Something that is released.

    Attributes:
        name: what it is.
        method: key of the method behind it; empty for none.
        run: makes it of a corpus and a source of noise.
        budget: ε and δ that it promises.
        exact: whether its noise is that of a release.
        unit: what is protected, as in ``Neighbors.corpora``.
        label: of the corpora.
        skips_alike: whether words that one document alone names are left to another check.
    """

    name: str
    method: str = ""
    run: Run
    budget: Budget = BUDGET
    exact: bool = False
    unit: str = "document"
    label: Label = Label.PUBLIC
    skips_alike: bool = False

    @property
    def title(self) -> str:
        """The case in words."""
        noise = "exact" if self.exact else "simulated"
        return f"{self.name}, {self.unit}, {noise}"

    def make_noise(self, side: int) -> NoiseSource:
        """Noise of its kind, another draw on each side."""
        if self.exact:
            return ExactNoise(epsilon=self.budget.epsilon, delta=self.budget.delta)
        return SimulatedNoise(SeedKey(side))


def every_case() -> Iterator[Case]:
    """All of them, one after the other."""
    for key, method in PROVEN.items():
        for unit in ("document", "person"):
            yield method_case(key, method, unit=unit)
        if method.flow is not None and not method.uses_minibatches:
            yield method_case(key, method, budget=AMPLE)
    for key in RELEASED:
        yield method_case(key, METHODS[key], exact=True)
    for key in CONTINUED:
        run = guarded(partial(_continue, METHODS[key]))
        yield Case(name="continued", method=key, run=run)
    for key in RELEASED:
        yield Case(
            name="released file",
            method=key,
            run=guarded(partial(_release_file, key)),
            exact=True,
            label=Label.SENSITIVE,
        )
    yield from _selection_cases()
    for unit in ("document", "documents of persons"):
        for exact in (False, True):
            run = guarded(_share_table)
            yield Case(name="table of shares", run=run, exact=exact, unit=unit)


def method_case(
    key: str,
    method: Method,
    *,
    exact: bool = False,
    unit: str = "document",
    budget: Budget = BUDGET,
    make_mechanisms: MakeMechanisms = Mechanisms,
) -> Case:
    """One fit of a method.

    Args:
        key: of the method.
        method: what is run.
        exact: whether its noise is that of a release.
        unit: what is protected.
        budget: ε and δ; random minibatches take ``SAMPLED_BUDGET``.
        make_mechanisms: its mechanisms; others than usual to break it on purpose.
    """
    if method.uses_minibatches:
        run = guarded(_fit_in_few_steps)
        return Case(name="fit", method=key, run=run, budget=SAMPLED_BUDGET, unit=unit)
    noise_budget = budget
    if exact:
        noise_budget = replace(budget, delta=delta_of_noise(budget.delta))
    run = guarded(partial(_fit, method, noise_budget, make_mechanisms))
    return Case(name="fit", method=key, run=run, budget=budget, exact=exact, unit=unit)


def _fit(
    method: Method,
    budget: Budget,
    make_mechanisms: MakeMechanisms,
    corpus: Corpus,
    noise: NoiseSource,
) -> Outcome:
    """A fit of three topics, as bytes and declared releases."""
    runtime = Runtime(3, noise, make_mechanisms=make_mechanisms)
    result = method.fit(corpus, PROBLEM, budget, runtime)
    return Outcome(_bytes_of(result), _declared(result.releases))


def _fit_in_few_steps(corpus: Corpus, noise: NoiseSource) -> Outcome:
    runtime = Runtime(3, noise, make_mechanisms=partial(Sampling, FEW_STEPS.sampling_rate))
    result = run_variational(corpus, PROBLEM, SAMPLED_BUDGET, runtime, settings=FEW_STEPS)
    return Outcome(_bytes_of(result), _declared(result.releases))


def _continue(method: Method, corpus: Corpus, noise: NoiseSource) -> Outcome:
    """A first release for a third of ε, and the one that continues it, together."""
    first_budget = replace(BUDGET, epsilon=FIRST_SHARE * BUDGET.epsilon)
    first_result = method.fit(corpus, PROBLEM, first_budget, Runtime(3, noise))
    assert first_result.state is not None
    assert method.fit_continued is not None
    prior_use = first_result.prior
    previous = PreviousRelease(
        first_result.state,
        gaussian.mu_for(first_budget.epsilon, first_budget.delta),
        first_result.evidence,
        "first",
        prior_was_tested=prior_use is not None and prior_use.asked,
    )
    result = method.fit_continued(previous, corpus, PROBLEM, BUDGET, Runtime(4, noise))
    releases = (*first_result.releases, *result.releases)
    return Outcome(_bytes_of(first_result) + _bytes_of(result), _declared(releases))


def _release_file(key: str, corpus: Corpus, noise: NoiseSource) -> Outcome:
    """A released file as bytes, of a fit with the noise of a release."""
    method = parse_method(key)
    experiment = Experiment(
        corpus=HeldDocuments(), method=method.spec, problem=PROBLEM, budget=BUDGET
    )
    budget = replace(BUDGET, delta=delta_of_noise(BUDGET.delta))
    result = method.fit(corpus, PROBLEM, budget, Runtime(0, noise))
    file = write_release(make_artefact(result, corpus, Request("mail", "mail", experiment), ENTRY))
    return Outcome(file, _declared(result.releases))


def _selection_cases() -> Iterator[Case]:
    """Words by noisy sums, with and without a list, and groups.

    Neighbors here name words that others have. What one document alone names is not released but with the failure
    probability of the theorem, which ``tests/privacy/test_partition.py`` checks by another route.
    """
    public_words = ("rain", "snow")
    for name, selection in (
        ("words", Selection(6, 4.0, 1e-6)),
        ("words, with a list", Selection(8, 4.0, 1e-6, public_words)),
        ("words, of a long list", Selection(2, 4.0, 1e-6, (*public_words, "wind", "hail"))),
    ):
        budget = Budget(selection.epsilon, selection.delta)
        run = guarded(partial(_select_words, selection))
        yield Case(name=name, run=run, budget=budget, exact=True, skips_alike=True)
    selection = plan_group_selection(4, epsilon=BUDGET.epsilon, delta=BUDGET.delta)
    budget = Budget(selection.epsilon, selection.delta)
    run = guarded(partial(_select_groups, selection))
    yield Case(name="groups", run=run, budget=budget, exact=True, skips_alike=True)


def _select_words(selection: Selection, corpus: Corpus, noise: NoiseSource) -> Outcome:
    """Words selected from those that occur in the documents."""
    documents = Corpus(
        corpus.counts, corpus.vocabulary, Label.SENSITIVE, "words", VocabularySource.MET
    )
    outcome = draw_selection(documents, selection, noise=noise)
    return _selected(outcome, selection, MAX_WORDS_PER_ROW)


def _select_groups(selection: Selection, corpus: Corpus, noise: NoiseSource) -> Outcome:
    rows = rows_naming_groups(_labels_of(corpus), None, corpus.n_documents)
    outcome = draw_selection_from_rows(rows, selection, noise)
    return _selected(outcome, selection, rows.max_words_per_row)


def _selected(outcome: SelectionOutcome, selection: Selection, max_words: int) -> Outcome:
    """The words and weights of a selection, and its two rounds."""
    thresholds = selection_thresholds(selection, max_words_per_row=max_words)
    rounds = tuple(
        Declared(
            stream=stream_name(WEIGHTS),
            sensitivity=thresholds.sensitivity,
            scale=thresholds.sensitivity / selection_round.mu,
        )
        for selection_round in (thresholds.first, thresholds.second)
    )
    return Outcome(pickle.dumps((outcome.words, outcome.weights.tobytes())), rounds)


def _share_table(corpus: Corpus, noise: NoiseSource) -> Outcome:
    """A noisy table of topic shares in four groups."""
    rng = np.random.default_rng(5)
    topics = rng.dirichlet(np.full(corpus.n_words, 0.3), size=N_TOPICS)
    documents = GroupedDocuments(
        infer_document_topics(corpus.counts, topics, np.full(N_TOPICS, 1 / N_TOPICS)),
        np.array([PLACES.index(label) for label in _labels_of(corpus)]),
        len(PLACES),
        corpus.persons,
    )
    mechanisms = Mechanisms(noise)
    mu = gaussian.mu_for(BUDGET.epsilon, delta_of_noise(BUDGET.delta))
    table = release_table(mechanisms, documents, mu=mu)
    return Outcome(table.tobytes(), _declared(mechanisms.releases))


def _labels_of(corpus: Corpus) -> list[str]:
    """A group for each document, by its most frequent word: replacing it moves it to another group."""
    counts = corpus.counts.toarray()
    return [PLACES[int(word) % len(PLACES)] for word in np.argmax(counts, axis=1)]


def _declared(releases: tuple[Release, ...]) -> tuple[Declared, ...]:
    return tuple(map(Declared.of, releases))


def _bytes_of(result: FitResult) -> bytes:
    """All that a fit gives out; not what only the curator may see."""
    return pickle.dumps(replace(result, curator=Curator()))
