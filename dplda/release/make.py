"""The way out: a frozen request is checked, charged, drawn with exact noise and kept; the same request again is free.

In this order, with nothing between: what cannot be released is refused before anything is charged; the charge is on the
disk before any noise is drawn; the file is written whole after. Whatever ends the program between costs the charge and
leaves nothing: there is no refund, since nobody can tell how much had been seen.
"""

import json
import math
from dataclasses import dataclass, replace
from pathlib import Path

from dplda import _check
from dplda._types import Report
from dplda.configurations.averages import PROVEN_RESTS_ON
from dplda.configurations.shape import Shape
from dplda.corpus import Corpus
from dplda.corpus.corpus import VocabularySource
from dplda.errors import InputError, NotReleasable
from dplda.fitting.memory import check_memory
from dplda.methods import Found, Means
from dplda.plan import Origin
from dplda.privacy import gaussian
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.exact import COARSEST, WIDEST, ExactNoise, delta_of_noise, distance, distance_allowed
from dplda.privacy.keys import NoiseKind
from dplda.privacy.release import Guarantee, Status
from dplda.privacy.whole import MOST_DOCUMENTS, counted_fineness, fineness
from dplda.release.artefact import SUFFIX, Artefact, Promise, read_file, write
from dplda.release.fingerprints import FAMILIAR, familiar, fingerprints
from dplda.release.folder import Folder
from dplda.release.ledger import DOCUMENT, LONGEST_NAME, PERSON, Entry, Ledger, LedgerError
from dplda.report.released import released
from dplda.run_card import installed_version
from dplda.settings import Settings

WITH_PAIRS = ("refined", "adaptive")  # whose fits hold a noisy pair moment, or may
RELEASABLE = (*WITH_PAIRS, "private-unigram")
"""Methods whose noise is Gaussian on sums over documents and on nothing else."""
SEED = 0  # public: of where topics and a decomposition start; no noise depends on it
PERSONS = (
    "Neighbouring corpora differ in all documents of one person, replaced by any others over the same vocabulary; a"
    " person's documents are read as one, and the number of persons is public."
)
MOST_COUNTS = 64  # at least as many counts as any of them
WIDENED = 2.0**14  # noise on a quantity with its square's part of μ²; none of these methods gives one less
MOST_STEPS = 32  # at least as many k×d tables as any of these methods releases


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for, frozen before anything is drawn.

    Attributes:
        dataset: the ledger's name for the documents.
        title: what they are called in public.
        settings: method, numbers of topics, α0, ε and δ; its seed is not looked at.
    """

    dataset: str
    title: str
    settings: Settings

    def said(self) -> str:
        """All of it that changes a result, as text."""
        one = self.settings
        plan = None if one.plan is None else one.plan.to_json()
        return json.dumps(
            [self.dataset, one.method.text, one.n_topics, repr(one.alpha0), repr(one.epsilon), repr(one.delta), plan]
        )


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a release left behind.

    Attributes:
        artefact: the release.
        path: its file.
        charged: whether it was paid for now; not where it was there already.
        left: ε and δ that the dataset has left, rounded down.
    """

    artefact: Artefact
    path: Path
    charged: bool
    left: tuple[float, float]


def check(corpus: Corpus, request: Request) -> None:
    """Refuses what cannot be released; a function of public numbers, and of how much memory is free.

    Raises:
        NotReleasable: and why.
        InputError: a number out of range, or more words than memory is free for.
    """
    one = request.settings
    if one.method.name not in RELEASABLE or one.method.status is not Status.PROVEN:
        raise NotReleasable(
            f"{one.method.title} is not proven in exact arithmetic", f"Choose {' or '.join(RELEASABLE)}."
        )
    if corpus.vocabulary_source is not VocabularySource.FIXED:
        raise NotReleasable(
            "the vocabulary was taken from the documents, and is part of what would leave",
            "Give a list of words that was fixed beforehand.",
        )
    if one.chosen is Origin.DOCUMENTS:
        raise NotReleasable(
            "the budget's split was chosen on these documents", "Take the method's own, or tune it on simulated ones."
        )
    if not math.isfinite(one.epsilon) or one.epsilon <= 0 or not 0 < one.delta < 1:
        raise InputError("ε and δ", "above 0, and δ below 1", f"ε = {one.epsilon:g}, δ = {one.delta:g}")
    _check.epsilon(one.epsilon)
    if corpus.n_documents > MOST_DOCUMENTS:
        raise NotReleasable(f"there are more than {MOST_DOCUMENTS:,} documents", "Release a part of them.")
    if not 1 <= len(request.title) <= LONGEST_NAME or not request.title.isprintable():
        raise InputError("the title", f"1 to {LONGEST_NAME} printable characters", f"{len(request.title)} characters")
    d, k = corpus.n_words, one.n_topics
    _check.integer_at_least("n_topics", k, 2)
    _check.between("n_topics", k, 2, d, open_ends=False)
    _check.alpha0(one.alpha0)
    if one.method.name in WITH_PAIRS:
        check_memory(Shape(corpus.n_documents, d, k, one.alpha0), private=True)
    cells = d * (d + 1) // 2 + MOST_STEPS * (k + 1) * d + k * (k + 1) * (k + 2)
    mu = gaussian.mu_for(one.epsilon, delta_of_noise(one.delta))
    finest, counted = fineness(corpus.n_documents) / mu, counted_fineness(corpus.n_documents) / mu
    apart = distance(cells, finest) + distance(MOST_COUNTS, counted)
    if min(finest, counted) < COARSEST or apart > distance_allowed(one.epsilon, one.delta):
        raise NotReleasable("noise would be too fine for its grid at this ε and δ", "Choose a smaller ε.")
    if finest * WIDENED > WIDEST:
        raise NotReleasable("noise would be too wide for 64 bits at this ε and δ", "Choose a larger ε.")


def protected(corpus: Corpus, unit: str) -> Corpus:
    """The corpus whose documents are what is protected: as it is, or with every person's documents read as one.

    Raises:
        NotReleasable: persons are to be protected, and nothing says whose the documents are.
    """
    if unit != PERSON:
        return corpus
    if corpus.persons is None:
        raise NotReleasable(
            "its dataset protects persons, and nothing says whose the documents are",
            "Name the column that holds persons when the documents are read.",
        )
    return corpus.by_person()


def release(corpus: Corpus, request: Request, folder: Folder, *, report: Report | None = None) -> Receipt:
    """Releases topics, or hands out what the same request gave before.

    Args:
        corpus: the documents.
        request: frozen.
        folder: of ledger and releases.
        report: told the fraction done and the step; whoever gives up here has paid.

    Raises:
        NotReleasable: see ``check``; nothing was charged.
        LedgerError: the dataset is unknown, has too little left, or the documents are another one's; likewise.
        FolderError: the release cannot be written; it was charged.
        DpldaError: whatever a fit refuses; it was charged.

    Guarantee:
        The file is (ε, δ)-differentially private when one document is replaced (``privacy.exact``, and the method's own
        proof); where the dataset protects persons, when all documents of one are, which replaces one row of
        ``by_person``. All releases charged to a dataset together are (Σε, Σδ)-differentially private in the same sense.
    """
    ledger = Ledger(folder)
    unit = ledger.protects(request.dataset)
    rows = protected(corpus, unit)
    check(rows, request)
    stored = _stored(corpus, request, folder, ledger)
    if stored is not None:
        return stored
    _claim_documents(corpus, request.dataset, folder, ledger)
    one = request.settings
    entry = ledger.charge(request.dataset, epsilon=one.epsilon, delta=one.delta, detail=_detail(rows, request, unit))
    task = replace(one, seed=SEED, delta=delta_of_noise(one.delta))
    noise = ExactNoise(epsilon=one.epsilon, delta=one.delta)
    found = one.method.fit(rows, task, Means(noise=noise, report=report))
    artefact = artefact_of(found, rows, request, entry, unit=unit)
    path = folder.write(_name(corpus, request, folder), write(artefact))
    return Receipt(artefact, path, True, ledger.balance(request.dataset).left)


def artefact_of(found: Found, corpus: Corpus, request: Request, entry: Entry, *, unit: str = DOCUMENT) -> Artefact:
    """What of a run may leave.

    Args:
        found: with exact noise.
        corpus: that was fitted, its documents being what is protected.
        request: frozen.
        entry: of the ledger, that paid for it.
        unit: what a document of the corpus is.

    Raises:
        NotReleasable: noise of another kind than exact, or a guarantee with a caveat.
    """
    if not found.guarantee.releasable or any(one.noise is not NoiseKind.EXACT for one in found.releases):
        raise NotReleasable("this run's noise is not exact, or its guarantee has a caveat")
    settings = request.settings
    run = released(
        found, settings, vocabulary=corpus.vocabulary, documents=request.title, n_documents=corpus.n_documents
    )
    guarantee = replace(found.guarantee, claimed_delta=settings.delta)
    if unit == PERSON:
        guarantee = of_persons(guarantee)
    return Artefact(
        documents=request.title,
        n_documents=corpus.n_documents,
        method=run.method,
        alpha0=settings.alpha0,
        n_topics=run.n_topics,
        vocabulary=run.vocabulary,
        words=run.words,
        mean_words=run.mean_words,
        shares=run.shares,
        lower=run.lower,
        upper=run.upper,
        told_apart=run.told_apart,
        drawn=run.drawn,
        promise=Promise(
            epsilon=guarantee.epsilon,
            delta=guarantee.delta,
            protected=guarantee.adjacency.value,
            in_words=guarantee.in_words(),
            rests_on=guarantee.rests_on,
        ),
        charge=entry.hash,
        released=entry.at,
        versions={name: installed_version(name) for name in ("dplda", "opendp", "numpy", "scipy")},
    )


def of_persons(guarantee: Guarantee) -> Guarantee:
    """The guarantee of a run on a corpus whose documents are all documents of a person each."""
    of_one, *others = guarantee.rests_on
    if of_one != PROVEN_RESTS_ON[0]:
        raise RuntimeError("a guarantee begins with what its neighbours are")
    return replace(guarantee, adjacency=Adjacency.REPLACE_PERSON, rests_on=(PERSONS, *others))


def _name(corpus: Corpus, request: Request, folder: Folder) -> str:
    """Of a request's file: the same for the same documents and request, and telling nothing of them."""
    return folder.sign(b"request", corpus.digest.encode(), request.said().encode())[:32] + SUFFIX


def _stored(corpus: Corpus, request: Request, folder: Folder, ledger: Ledger) -> Receipt | None:
    path = folder.path / _name(corpus, request, folder)
    if not path.exists():
        return None
    artefact = read_file(path)
    return Receipt(artefact, path, False, ledger.balance(request.dataset).left)


def _detail(corpus: Corpus, request: Request, unit: str) -> str:
    one = request.settings
    said = {"method": one.method.text, "topics": one.n_topics, f"{unit}s": corpus.n_documents, "title": request.title}
    return json.dumps(said)


def _claim_documents(corpus: Corpus, dataset: str, folder: Folder, ledger: Ledger) -> None:
    """Notes the documents as this dataset's, unless they are another one's."""
    ledger.balance(dataset)  # there is such a dataset
    found, noted = fingerprints(corpus, folder), False
    for entry in ledger.entries():
        if entry.kind != "documents":
            continue
        known = tuple(json.loads(entry.detail))
        share = familiar(found, known)
        if entry.dataset == dataset:
            noted = noted or found == known
        elif share >= FAMILIAR:
            raise LedgerError(
                f"About {share:.0%} of these documents belong to {entry.dataset!r}: release them under that name, or"
                " take them out."
            )
    if not noted:
        ledger.note(dataset, json.dumps(found))
