"""Cases for verdicts: settings drawn at random, and what releases with them gave.

A case has settings over the ranges that owners use. On a twin, themes are known: a theme is found if five of a topic's
ten leading words, as they are shown, are its own. The twins' share of common words varies, as that of texts does. On a
corpus, topics with evidence count: those whose released part in the gain is beyond the noise. A report asks for more:
beyond what documents without topics have, which takes ten more runs. Half of the twins are persons with a geometric
number of documents, fitted with the mixing of all of these, as Release does.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

import dplda
from dplda.corpus import Corpus, Label
from dplda.corpus.simulation.real_word_twin import RealWordTwin
from dplda.evaluation.themes import find_themes
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.algorithm import fit_refined
from dplda.methods.refined.prior.prior_files import load_english_prior
from dplda.release.verdict.request_numbers import ExpectedTexts
from dplda.release.verdict.signal_strength import MAX_LENGTH, PublicNumbers

TWINS = "twins"
DOCSTRINGS = "docstrings"  # the corpus that comes with the program
DELTA = 1e-7
MAX_WORK = 1.5e7  # rows · words · topics of a case, so that it takes a second or two
MAX_CHECKED_SECONDS = 40.0  # longest time of a case with runs without topics
N_CHECKED_FITS = 11  # of such a case
MAX_TWIN_SECONDS = 22.0  # likewise of a twin, whose spectral start takes longest over many words
N_READ_WORDS = 7000


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Public numbers, and what a release with them gave.

    Attributes:
        kind: twins, or the name of a corpus.
        seed: of the settings, the documents and the noise.
        numbers: as the verdict reads them.
        fraction: themes found, but no more than topics with evidence, as others are shown nowhere; or topics with
            evidence; over k.
        fraction_supported: topics of a corpus that documents without topics do not have as well, over k; None where this
            was not asked.
        is_table_alone: whether the topics are the table's own, which a report calls weak at best.
    """

    kind: str
    seed: int
    numbers: PublicNumbers
    fraction: float
    fraction_supported: float | None = None
    is_table_alone: bool = False


class CaseStore:
    """Cases that were run, in a file of one JSON object a line, so that none is run twice.

    Args:
        path: the file, which may be missing; None to keep nothing.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = path.read_text("utf-8").splitlines() if path is not None and path.exists() else []
        rows = [json.loads(line) for line in lines]
        self._cases = {
            (row["kind"], row["seed"], row["table"]): _read_case(row["case"]) for row in rows
        }

    def holds(self, kind: str, seed: int, *, has_table: bool) -> bool:
        """Whether this case was run, or was found to take too long.

        Args:
            kind: ``TWINS``, or the name of a corpus.
            seed: of the case.
            has_table: whether it has the English table.
        """
        return (kind, seed, has_table) in self._cases

    def case(self, kind: str, seed: int, *, has_table: bool) -> Case | None:
        """A case that was run; None if it would take too long.

        Args:
            kind: ``TWINS``, or the name of a corpus.
            seed: of the case.
            has_table: whether it has the English table.

        Raises:
            KeyError: it was not run.
        """
        return self._cases[kind, seed, has_table]

    def add(self, kind: str, seed: int, case: Case | None, *, has_table: bool) -> None:
        """Keep a case.

        Args:
            kind: ``TWINS``, or the name of a corpus.
            seed: of the case.
            case: with its outcome; None for one that would take too long.
            has_table: whether it has the English table.
        """
        self._cases[kind, seed, has_table] = case
        if self._path is not None:
            row = {"kind": kind, "seed": seed, "table": has_table, "case": case and asdict(case)}
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


def twin_cases(n_cases: int, store: CaseStore, *, has_table: bool) -> Iterator[Case]:
    """Cases of simulated documents, but for those that would take long.

    Args:
        n_cases: cases to draw.
        store: of cases that were run.
        has_table: whether they have the English table.
    """
    for seed in range(n_cases):
        if not store.holds(TWINS, seed, has_table=has_table):
            store.add(TWINS, seed, run_twin(seed, has_table=has_table), has_table=has_table)
        case = store.case(TWINS, seed, has_table=has_table)
        if case is not None:
            yield case


def corpus_cases(
    path: str, n_cases: int, store: CaseStore, *, has_table: bool, is_checked: bool = False
) -> Iterator[Case]:
    """Cases of a corpus, but for those that would take long; it is read if any was not run yet.

    Args:
        path: of the corpus, in a folder with its name; ``DOCSTRINGS`` for these.
        n_cases: cases to draw.
        store: of cases that were run.
        has_table: whether they have the English table.
        is_checked: whether runs without topics are made where they can matter.
    """
    kind = name_of(path)
    missing = [seed for seed in range(n_cases) if not store.holds(kind, seed, has_table=has_table)]
    if missing:
        corpus = _read(path)
        for seed in missing:
            case = run_part(kind, corpus, seed, has_table=has_table, is_checked=is_checked)
            store.add(kind, seed, case, has_table=has_table)
    for seed in range(n_cases):
        case = store.case(kind, seed, has_table=has_table)
        if case is not None:
            yield case


def name_of(path: str) -> str:
    """The name of a corpus: that of its folder."""
    return path if path == DOCSTRINGS else Path(path).parent.name


def _read(path: str) -> Corpus:
    if path == DOCSTRINGS:
        return dplda.python_docs(n_words=3000, n_documents=17_000)
    options = {"text": "text"} if path.endswith("jsonl.gz") else {}
    return dplda.load(path, label=Label.PUBLIC, n_words=N_READ_WORDS, **options)


def run_twin(seed: int, *, has_table: bool) -> Case | None:
    """A case of simulated documents; None if it would take long."""
    rng = np.random.default_rng([31, seed])
    documents_per_row = 1.0 if rng.random() < 0.5 else float(rng.uniform(1.5, 6))
    n_topics = int(_log_uniform(rng, 2, 20.99))
    numbers = PublicNumbers(
        n_rows=int(_log_uniform(rng, 300, 100_000)),
        n_words=int(_log_uniform(rng, 100, 10_000)),
        n_topics=n_topics,
        alpha0=float(rng.choice([0.1, 0.1, 0.3, 1.0])),
        epsilon=_log_uniform(rng, 0.3, 10),
        delta=DELTA,
        mean_length=_log_uniform(rng, 8, 150),
        documents_per_row=documents_per_row,
        has_table=has_table,
    )
    if _work(numbers) > MAX_WORK or _seconds(numbers) > MAX_TWIN_SECONDS:
        return None
    twin = RealWordTwin(
        n_rows=numbers.n_rows,
        n_words=numbers.n_words,
        n_topics=n_topics,
        alpha0=numbers.alpha0,
        mean_length=numbers.mean_length,
        documents_per_row=documents_per_row,
        common_share=float(rng.uniform(0.3, 0.5)),
        seed=seed,
    )
    corpus = twin.draw()
    result = _fit(corpus, numbers, seed)
    themes = [theme.words for theme in twin.themes]
    theme_was_found = find_themes(result.topics, corpus.vocabulary, themes, result.evidence)
    return Case(
        kind=TWINS,
        seed=seed,
        numbers=numbers,
        fraction=min(sum(theme_was_found) / n_topics, _fraction_beyond_noise(result)),
        is_table_alone=_is_table_alone(result),
    )


def run_part(
    kind: str, corpus: Corpus, seed: int, *, has_table: bool, is_checked: bool
) -> Case | None:
    """A case of some documents of a corpus, over its most common words; None if it would take long.

    Args:
        kind: name of the corpus.
        corpus: all of its documents.
        seed: of settings, documents and noise.
        has_table: whether the case has the English table.
        is_checked: whether its topics are compared with those of documents without topics.
    """
    rng = np.random.default_rng([37, seed])
    n_rows = min(corpus.n_documents, int(_log_uniform(rng, 500, 20_000)))
    n_words = min(corpus.n_words, int(_log_uniform(rng, 200, N_READ_WORDS)))
    rows = rng.choice(corpus.n_documents, n_rows, replace=False)
    document_frequency = np.asarray((corpus.counts > 0).sum(axis=0)).ravel()
    columns = np.argsort(-document_frequency, kind="stable")[:n_words]
    counts = corpus.counts[rows][:, columns]
    numbers = PublicNumbers(
        n_rows=n_rows,
        n_words=n_words,
        n_topics=int(_log_uniform(rng, 3, 20.99)),
        alpha0=float(rng.choice([0.1, 1.0])),
        epsilon=_log_uniform(rng, 0.3, 10),
        delta=DELTA,
        mean_length=max(1.0, float(counts.sum() / n_rows)),
        has_table=has_table,
    )
    seconds = N_CHECKED_FITS * _seconds_of_fit(numbers)
    if _work(numbers) > MAX_WORK or (is_checked and seconds > MAX_CHECKED_SECONDS):
        return None
    vocabulary = tuple(corpus.vocabulary[column] for column in columns)
    part = Corpus.from_counts(counts, vocabulary=vocabulary, label=Label.PUBLIC, name="part")
    result = _fit(part, numbers, seed)
    fraction = _fraction_beyond_noise(result)
    fraction_supported = None
    if is_checked:
        fraction_supported = _fraction_supported(result)
    return Case(
        kind=kind,
        seed=seed,
        numbers=numbers,
        fraction=fraction,
        fraction_supported=fraction_supported,
        is_table_alone=_is_table_alone(result),
    )


def _fraction_beyond_noise(result: FitResult) -> float:
    """Share of topics whose part in the gain is beyond the noise; 0 without evidence."""
    evidence = result.evidence
    return sum(evidence.is_above_noise) / len(evidence.by_topic) if evidence is not None else 0.0


def _fraction_supported(result: FitResult) -> float:
    """Topics that a report calls borne out; runs without topics are made only where they can matter."""
    fraction = _fraction_beyond_noise(result)
    evidence = result.evidence
    if fraction <= 1 / 6 or evidence is None or evidence.check is None:
        return fraction
    return len(evidence.check.supported_topics) / len(evidence.by_topic)


def _is_table_alone(result: FitResult) -> bool:
    """Whether the documents let the table in, and no step changed its topics."""
    prior_use = result.prior
    return prior_use is not None and prior_use.used and not prior_use.stepped


def _fit(corpus: Corpus, numbers: PublicNumbers, seed: int) -> FitResult:
    """A run of *Refined* with the public numbers of a case."""
    return fit_refined(
        corpus,
        Problem(numbers.n_topics, _alpha0_of_rows(numbers)),
        Budget(numbers.epsilon, DELTA),
        Runtime(seed=seed),
        prior=load_english_prior(numbers.n_topics) if numbers.has_table else None,
    )


def _alpha0_of_rows(numbers: PublicNumbers) -> float:
    """Mixing of topics in a document, or in all documents of a person, as Release sets it."""
    texts = ExpectedTexts(numbers.mean_length, numbers.documents_per_row)
    return texts.alpha0_of_person(numbers.alpha0)


def _read_case(fields: dict[str, object] | None) -> Case | None:
    if fields is None:
        return None
    numbers = PublicNumbers(**fields.pop("numbers"))
    return Case(numbers=numbers, **fields)


def _work(numbers: PublicNumbers) -> float:
    """Rows times words a row times topics, to which the time of a step is proportional."""
    length = min(numbers.mean_length * numbers.documents_per_row, MAX_LENGTH)
    return numbers.n_rows * length * numbers.n_topics


def _seconds(numbers: PublicNumbers) -> float:
    """About the time that a twin takes: to draw its words and to fit them."""
    n_drawn = numbers.n_rows * numbers.documents_per_row * numbers.mean_length
    return n_drawn / 2e6 + _seconds_of_fit(numbers)


def _seconds_of_fit(numbers: PublicNumbers) -> float:
    """About the time that a fit takes: of its steps, and of a spectral start over d words."""
    return _work(numbers) / 2e6 + 0.6 * (numbers.n_words / 1000) ** 2


def _log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))
