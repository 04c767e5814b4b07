"""Released topics in the formats of other packages, of released values alone."""

import csv
import importlib
import io
import json
import warnings
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from dplda.core.errors import InputError
from dplda.core.formatting import harmless
from dplda.evaluation.relevance import default_names, leading, relevance
from dplda.release.artefact.artefact import Artefact

if TYPE_CHECKING:
    from sklearn.decomposition import LatentDirichletAllocation

PSEUDO_COUNT = 1e6  # words that topics are taken to be counted in, where a package asks for counts
COLUMNS = ("topic", "name", "share", "rank", "word", "probability")
LEAST_TOPICS_ON_A_MAP = 2


def topic_names(artefact: Artefact) -> tuple[str, ...]:
    """Names of the topics of a release: its owner's, else three leading words."""
    usual_names = default_names(artefact.topics, artefact.word_frequencies, artefact.vocabulary)
    own_names = artefact.names or (None,) * len(usual_names)
    return tuple(own or usual for own, usual in zip(own_names, usual_names, strict=True))


def topics_as_csv(artefact: Artefact) -> str:
    """Write topics as CSV: one row per topic and word, the most probable word first.

    Words of probability 0 are left out. Cells that look like formulas get an apostrophe.
    """
    csv_file = io.StringIO()
    writer = csv.writer(csv_file, lineterminator="\n")
    writer.writerow(COLUMNS)
    names = topic_names(artefact)
    for topic, word_probabilities in enumerate(artefact.topics):
        share = float(artefact.topic_shares[topic])
        for rank, word in enumerate(np.argsort(-word_probabilities, kind="stable"), start=1):
            if word_probabilities[word] > 0:
                leading_cells = (
                    harmless(names[topic]),
                    share,
                    rank,
                    harmless(artefact.vocabulary[word]),
                )
                writer.writerow((topic + 1, *leading_cells, float(word_probabilities[word])))
    return csv_file.getvalue()


def topics_as_json(artefact: Artefact) -> str:
    """Write documents' name, guarantee and topics as JSON.

    A topic has its name, its share and its words of positive probability, the most probable first.
    """
    content = {
        "documents": artefact.documents,
        "guarantee": artefact.guarantee.in_words(),
        "topics": [
            {
                "topic": topic + 1,
                "name": name,
                "share": float(artefact.topic_shares[topic]),
                "words": {
                    artefact.vocabulary[word]: float(word_probabilities[word])
                    for word in np.argsort(-word_probabilities, kind="stable")
                    if word_probabilities[word] > 0
                },
            }
            for topic, (name, word_probabilities) in enumerate(
                zip(topic_names(artefact), artefact.topics, strict=True)
            )
        ],
    }
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)


def as_sklearn(artefact: Artefact) -> "LatentDirichletAllocation":
    """Make a fitted ``LatentDirichletAllocation`` with these topics, as after no iterations."""
    from sklearn.decomposition import LatentDirichletAllocation

    n_topics, n_words = artefact.topics.shape
    prior = artefact.alpha0 / n_topics
    model = LatentDirichletAllocation(n_components=n_topics, doc_topic_prior=prior)
    model.components_ = PSEUDO_COUNT * artefact.topics
    model.exp_dirichlet_component_ = artefact.topics.copy()
    model.doc_topic_prior_ = prior
    model.topic_word_prior_ = 1 / n_topics
    model.n_features_in_ = n_words
    model.n_batch_iter_ = 1
    model.n_iter_ = 0
    model.bound_ = float("nan")
    return model


def as_gensim(artefact: Artefact) -> object:
    """Make a gensim ``LdaModel`` with these topics.

    Its α is α₀ times the topics' shares, at least 1e-6.

    Raises:
        InputError: gensim is not installed.
    """
    dictionary = _require("gensim.corpora", "gensim").Dictionary()
    dictionary.token2id = {word: column for column, word in enumerate(artefact.vocabulary)}
    dictionary.id2token = dict(enumerate(artefact.vocabulary))
    model = _require("gensim.models", "gensim").LdaModel(
        id2word=dictionary,
        num_topics=len(artefact.topics),
        alpha=np.maximum(artefact.alpha0 * artefact.topic_shares, 1e-6).tolist(),
        eta=1e-6,
        dtype=np.float64,
    )
    model.state.sstats = PSEUDO_COUNT * artefact.topics
    model.sync_state()
    untyped_model: object = model
    return untyped_model


def as_pyldavis(artefact: Artefact) -> object:
    """Prepared data of pyLDAvis; one document of each topic alone stands for all documents.

    Raises:
        InputError: there are fewer than two topics, or pyLDAvis is not installed.
    """
    n_topics = len(artefact.topics)
    if n_topics < LEAST_TOPICS_ON_A_MAP:
        raise InputError("topics on a map", "at least 2", f"{n_topics}")
    package = _require("pyLDAvis", "pyLDAvis")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own libraries' future
        prepared: object = package.prepare(
            topic_term_dists=artefact.topics,
            doc_topic_dists=np.eye(n_topics),
            doc_lengths=PSEUDO_COUNT * artefact.topic_shares,
            vocab=list(artefact.vocabulary),
            term_frequency=PSEUDO_COUNT * artefact.word_frequencies,
            sort_topics=False,
            n_jobs=1,
        )
    return prepared


def naming_prompt(artefact: Artefact, n_words: int) -> str:
    """Write a prompt that asks a language model to name the topics by their most relevant words.

    Args:
        artefact: the release.
        n_words: leading words of each topic.
    """
    scores = relevance(artefact.topics, artefact.word_frequencies)
    topic_list = [
        f"{topic}. "
        + ", ".join(artefact.vocabulary[word] for word in leading(topic_scores, n_words))
        for topic, topic_scores in enumerate(scores, start=1)
    ]
    return "\n".join(
        (
            f"Below are {len(topic_list)} topics of “{artefact.documents}”,"
            " each by its leading words.",
            "Noise was added for privacy, so a word or two of a topic may not belong to it.",
            "Give each topic a name of at most four words that says what its documents are about.",
            "Where the words do not fit together, write “unclear”. Answer with one numbered line"
            " for each topic.",
            "",
            *topic_list,
        )
    )


def _require(module: str, package: str) -> ModuleType:
    """A module of a package that dplda does not need itself.

    Raises:
        InputError: it is not installed, with the command that installs it.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        hint = f"Run: pip install {package}"
        raise InputError(package, "installed for this export", "not installed", hint) from None
