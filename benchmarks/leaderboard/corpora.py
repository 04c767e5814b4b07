"""Corpora of the leaderboard: simulated ones by recipe, and 20 Newsgroups where it lies on this machine.

Public corpora are never in the repository. ``DPLDA_CORPORA`` names a folder in which ``20ng`` holds a bag of words with
labels, or the file that

    python -m benchmarks.leaderboard.corpora FOLDER

downloads by way of scikit-learn, which checks its SHA-256. ``wikipedia_lead/docs.jsonl.gz``, if it is there, is the
public text for it; else the embedded docstrings are.
"""

import gzip
import json
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

import dplda
from benchmarks.group_shares import N_TOPICS
from benchmarks.leaderboard.clusters import PublicVectors
from benchmarks.leaderboard.grouped_corpus import GroupedCorpus, fit_public
from dplda.core.types import Matrix
from dplda.corpus import Corpus, Label
from dplda.corpus.counts import canonical_counts
from dplda.corpus.simulation.drawn_groups import DISTRICT
from dplda.evaluation import hold_out
from dplda.methods.shares.groups import GroupAxis, Groups

VARIABLE = "DPLDA_CORPORA"
N_SEEDS = 3
N_DOCUMENTS = 10_000
N_WORDS = 300
MEAN_LENGTH = 60
SIMULATED_ALPHA0 = 0.5
REAL_WORDS = 1_000
N_SHARED_TOPICS = 5  # of the public documents' ten topics, that the private ones have too
N_MEMBERS = 300  # documents of the attack, to which topics are fitted
N_OTHERS = 900  # documents of the attack, to which none are fitted
LABEL_KEY = "label"
TEXT_KEY = "text"


@dataclass(frozen=True, eq=False)
class Setting:
    """Documents to fit, documents held out, groups, and public documents.

    Attributes:
        name: of the corpus.
        documents: to fit, with their groups, and those held out.
        public: documents that cost nothing, over the same words or others.
        truth: topics that the documents were drawn from, (k, d); None for real text.
    """

    name: str
    documents: GroupedCorpus
    public: Corpus
    truth: Matrix | None

    @cached_property
    def reference(self) -> Matrix:
        """Topics by which signs of differences are judged: the truth, or those of a fit without noise."""
        return fit_public(self.documents.train) if self.truth is None else self.truth

    @cached_property
    def true_table(self) -> Matrix:
        """Shares of the reference's topics by group, without noise."""
        return self.documents.table(self.reference)

    @cached_property
    def public_topics(self) -> Matrix:
        """Topics of the public documents over the words of the private ones, each word above 0."""
        words = self.documents.train.vocabulary
        columns = {word: column for column, word in enumerate(self.public.vocabulary)}
        shared = [columns.get(word, -1) for word in words]
        counts = self.public.counts.tocsc()[:, np.maximum(shared, 0)].tolil()
        counts[:, np.flatnonzero(np.array(shared) < 0)] = 0
        corpus = Corpus.from_counts(
            canonical_counts(counts.tocsr()), vocabulary=words, label=Label.PUBLIC, name="public"
        )
        topics = fit_public(corpus)
        return np.asarray(0.999 * topics + 0.001 / topics.shape[1])

    @cached_property
    def vectors(self) -> PublicVectors:
        """Vectors of documents that public text teaches."""
        return PublicVectors(self.public)


def simulated(seed: int, *, n_documents: int = N_DOCUMENTS, n_words: int = N_WORDS) -> Setting:
    """Ten topics over 300 words, districts that favor some, and public documents that share half of the topics.

    Args:
        seed: of documents, public documents and their topics.
        n_documents: with those that are held out.
        n_words: of the vocabulary.
    """
    settings = {"n_topics": N_TOPICS, "alpha0": SIMULATED_ALPHA0, "mean_length": MEAN_LENGTH}
    corpus = dplda.simulate(n_documents=n_documents, n_words=n_words, seed=100 + seed, **settings)
    assert corpus.truth is not None
    other_corpus = dplda.simulate(n_documents=3, n_words=n_words, seed=200 + seed, **settings)
    assert other_corpus.truth is not None
    topics = np.vstack(
        [corpus.truth.topics[:N_SHARED_TOPICS], other_corpus.truth.topics[N_SHARED_TOPICS:]]
    )
    rng = np.random.default_rng(300 + seed)
    shares = rng.dirichlet(np.full(N_TOPICS, SIMULATED_ALPHA0 / N_TOPICS), size=n_documents // 2)
    counts = rng.multinomial(MEAN_LENGTH, shares @ topics)
    public = Corpus.from_counts(
        counts, vocabulary=corpus.vocabulary, label=Label.PUBLIC, name="public"
    )
    labels = corpus.labels_in(DISTRICT)
    return Setting("simulated", _grouped(corpus, labels), public, corpus.truth.topics)


def twenty_newsgroups(folder: Path) -> Setting:
    """20 Newsgroups with its groups, and public text."""
    place = folder / "20ng"
    bag = place / "docword.txt.gz"
    if bag.is_file():
        corpus = dplda.load(bag, label=Label.PUBLIC, n_words=REAL_WORDS)
        labels = (place / "labels.txt").read_text("utf-8").splitlines()
    else:
        corpus = dplda.load(
            place / "docs.jsonl.gz",
            text=TEXT_KEY,
            groups=(LABEL_KEY,),
            label=Label.PUBLIC,
            n_words=REAL_WORDS,
        )
        labels = corpus.labels_in(LABEL_KEY)
    leads = folder / "wikipedia_lead" / "docs.jsonl.gz"
    public = dplda.python_docs()
    if leads.is_file():
        public = dplda.load(leads, text=TEXT_KEY, label=Label.PUBLIC, n_words=8 * REAL_WORDS)
    return Setting("20 Newsgroups", _grouped(corpus, labels), public, None)


def _grouped(corpus: Corpus, labels: list[str]) -> GroupedCorpus:
    """Documents with their groups; a tenth of them are held out."""
    groups = Groups((GroupAxis(tuple(sorted(set(labels)))),))
    parts = hold_out(corpus, fraction=0.1, seed=0)
    is_train = np.ones(len(labels), dtype=bool)
    is_train[parts.rows] = False
    return GroupedCorpus(parts.train, parts.test, groups, groups.rows_of([labels])[is_train])


def attacked(seed: int) -> tuple[Setting, Matrix]:
    """Few documents that topics are fitted to, as a setting, and counts of others."""
    setting = simulated(50 + seed, n_documents=round((N_MEMBERS + N_OTHERS) / 0.9) + 1)
    counts = setting.documents.train.counts
    members = Corpus.from_counts(
        counts[:N_MEMBERS],
        vocabulary=setting.documents.train.vocabulary,
        label=Label.SIMULATED,
        name="members",
    )
    documents = GroupedCorpus(
        members,
        setting.documents.test,
        setting.documents.groups,
        setting.documents.rows[:N_MEMBERS],
    )
    other_documents = counts[N_MEMBERS : N_MEMBERS + N_OTHERS]
    return Setting("attack", documents, setting.public, setting.truth), other_documents


def download(folder: Path) -> None:
    """Download 20 Newsgroups by way of scikit-learn, headers and quotes removed, into ``folder/20ng``."""
    from sklearn.datasets import fetch_20newsgroups

    fetched = fetch_20newsgroups(
        data_home=folder / "downloads", subset="all", remove=("headers", "footers", "quotes")
    )
    place = folder / "20ng"
    place.mkdir(parents=True, exist_ok=True)
    with gzip.open(place / "docs.jsonl.gz", "wt", encoding="utf-8") as file:
        for text, target in zip(fetched.data, fetched.target, strict=True):
            row = {TEXT_KEY: text, LABEL_KEY: fetched.target_names[target]}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    download(Path(sys.argv[1]))
