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
from dplda.core.formatting import counted, harmless
from dplda.evaluation.relevance import TopicWords, choose_words, default_names
from dplda.release.artefact.artefact import Artefact
from dplda.release.verdict.outcome import judge_release

if TYPE_CHECKING:
    from sklearn.decomposition import LatentDirichletAllocation

N_LEADING_WORDS = 10
PSEUDO_COUNT = 1e6  # words that topics are taken to be counted in, where a package asks for counts
COLUMNS = ("topic", "name", "share", "rank", "word", "probability")
LEAST_TOPICS_ON_A_MAP = 2


def topic_names(artefact: Artefact) -> tuple[str, ...]:
    """Names of the topics of a release: its owner's, else the three words that describe it best."""
    usual_names = default_names(
        artefact.topics, artefact.word_frequencies, artefact.vocabulary, artefact.evidence
    )
    own_names = artefact.names or (None,) * len(usual_names)
    return tuple(own or usual for own, usual in zip(own_names, usual_names, strict=True))


def topic_words(artefact: Artefact) -> TopicWords:
    """The words that describe each topic of a release, and those of several topics."""
    return choose_words(artefact.topics, artefact.word_frequencies, artefact.evidence)


def leading_words(artefact: Artefact, n_words: int) -> tuple[tuple[str, ...], ...]:
    """The words that describe each topic of a release, the best first."""
    word_choice = topic_words(artefact)
    return tuple(
        tuple(artefact.vocabulary[word] for word in word_choice.of_topic(topic, n_words))
        for topic in range(len(artefact.topics))
    )


def topics_as_csv(artefact: Artefact) -> str:
    """Write topics as CSV: one row per topic and word, the most probable word first.

    Its columns are ``COLUMNS``; topics and ranks count from 1, and shares and probabilities are not
    rounded. Words of probability 0 are left out. Names and words that look like formulas get an
    apostrophe.
    """
    csv_file = io.StringIO()
    writer = csv.writer(csv_file, lineterminator="\n")
    writer.writerow(COLUMNS)
    names_of_topics = topic_names(artefact)
    for topic, word_probabilities in enumerate(artefact.topics):
        topic_share = float(artefact.topic_shares[topic])
        for rank, word_id in enumerate(np.argsort(-word_probabilities, kind="stable"), start=1):
            if word_probabilities[word_id] > 0:
                writer.writerow(
                    (
                        topic + 1,
                        harmless(names_of_topics[topic]),
                        topic_share,
                        rank,
                        harmless(artefact.vocabulary[word_id]),
                        float(word_probabilities[word_id]),
                    )
                )
    return csv_file.getvalue()


def topics_as_json(artefact: Artefact) -> str:
    """Write documents' name, guarantee and topics as JSON.

    A topic has its number from 1, its name, its share, the ten words that describe it best, and the
    probability of each word where it is positive, the most probable first. Words that lead several
    topics stand before the topics, each with the number of topics that it leads.
    """
    shared_words = topic_words(artefact).shared_words
    leading_words_by_topic = leading_words(artefact, N_LEADING_WORDS)
    json_content = {
        "documents": artefact.documents,
        "guarantee": artefact.guarantee.in_words(),
        "words_of_several_topics": {
            artefact.vocabulary[shared_word.word]: shared_word.n_topics
            for shared_word in shared_words
        },
        "topics": [
            {
                "topic": topic + 1,
                "name": name,
                "share": float(artefact.topic_shares[topic]),
                "leading_words": leading_words_by_topic[topic],
                "words": {
                    artefact.vocabulary[word_id]: float(word_probabilities[word_id])
                    for word_id in np.argsort(-word_probabilities, kind="stable")
                    if word_probabilities[word_id] > 0
                },
            }
            for topic, (name, word_probabilities) in enumerate(
                zip(topic_names(artefact), artefact.topics, strict=True)
            )
        ],
    }
    return json.dumps(json_content, indent=1, ensure_ascii=False, allow_nan=False)


def summary(artefact: Artefact) -> str:
    """Describe a release in lines for a terminal.

    They are: number of topics, verdict, guarantee, shared words if there are any, and topics. A
    topic has its number, the name that its owner gave it if any, the ten words that describe it
    best, and its share. Topics without evidence are counted in the last line, and not shown; where
    no evidence was released, all are shown.
    """
    n_topics = len(artefact.topics)
    lines = [f"{counted(n_topics, 'topic')} of {artefact.documents}"]
    lines.append(judge_release(artefact).describe())
    lines.append(artefact.guarantee.in_words())
    shared_words_text = topic_words(artefact).describe_shared_words(artefact.vocabulary)
    if shared_words_text:
        lines.append(f"{shared_words_text}.")
    names_or_none = artefact.names or (None,) * n_topics
    leading_words_by_topic = leading_words(artefact, N_LEADING_WORDS)
    for topic in artefact.supported_topics:
        name_before_words = f"{names_or_none[topic]}: " if names_or_none[topic] else ""
        word_list = ", ".join(leading_words_by_topic[topic])
        share_text = f"{artefact.topic_shares[topic]:.0%}"
        lines.append(f"{topic + 1}. {name_before_words}{word_list} ({share_text})")
    n_unsupported = n_topics - len(artefact.supported_topics)
    if n_unsupported:
        lines.append(f"Not shown: {counted(n_unsupported, 'topic')} without evidence.")
    return "\n".join(lines)


def as_sklearn(artefact: Artefact) -> "LatentDirichletAllocation":
    """Make a fitted ``LatentDirichletAllocation`` with these topics, as after no iterations.

    Its topic weights are probabilities times ``PSEUDO_COUNT``; its prior of a document's topics is
    α₀/k for each.
    """
    from sklearn.decomposition import LatentDirichletAllocation

    n_topics, n_words = artefact.topics.shape
    prior_of_topic = artefact.alpha0 / n_topics
    model = LatentDirichletAllocation(n_components=n_topics, doc_topic_prior=prior_of_topic)
    model.components_ = PSEUDO_COUNT * artefact.topics
    model.exp_dirichlet_component_ = artefact.topics.copy()
    model.doc_topic_prior_ = prior_of_topic
    model.topic_word_prior_ = 1 / n_topics
    model.n_features_in_ = n_words
    model.n_batch_iter_ = 1
    model.n_iter_ = 0
    model.bound_ = float("nan")
    return model


def as_gensim(artefact: Artefact) -> object:
    """Make a gensim ``LdaModel`` with these topics.

    Its α is α₀ times the topics' shares, at least 1e-6. Its topic-word counts are probabilities
    times ``PSEUDO_COUNT``.

    Raises:
        InputError: gensim is not installed.
    """
    dictionary = _require("gensim.corpora", "gensim").Dictionary()
    dictionary.token2id = {word: word_id for word_id, word in enumerate(artefact.vocabulary)}
    dictionary.id2token = dict(enumerate(artefact.vocabulary))
    gensim_model = _require("gensim.models", "gensim").LdaModel(
        id2word=dictionary,
        num_topics=len(artefact.topics),
        alpha=np.maximum(artefact.alpha0 * artefact.topic_shares, 1e-6).tolist(),
        eta=1e-6,
        dtype=np.float64,
    )
    gensim_model.state.sstats = PSEUDO_COUNT * artefact.topics
    gensim_model.sync_state()
    untyped_model: object = gensim_model
    return untyped_model


def as_pyldavis(artefact: Artefact) -> object:
    """Prepare data for pyLDAvis, as if each topic had one document of its own.

    A document is as long as its topic's share says. Topics keep their order. Warnings of pyLDAvis
    are not shown.

    Raises:
        InputError: there are fewer than two topics, or pyLDAvis is not installed.
    """
    n_topics = len(artefact.topics)
    if n_topics < LEAST_TOPICS_ON_A_MAP:
        raise InputError("topics on a map", "at least 2", f"{n_topics}")
    package = _require("pyLDAvis", "pyLDAvis")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own libraries' future
        prepared_data: object = package.prepare(
            topic_term_dists=artefact.topics,
            doc_topic_dists=np.eye(n_topics),
            doc_lengths=PSEUDO_COUNT * artefact.topic_shares,
            vocab=list(artefact.vocabulary),
            term_frequency=PSEUDO_COUNT * artefact.word_frequencies,
            sort_topics=False,
            n_jobs=1,
        )
    return prepared_data


def naming_prompt(artefact: Artefact, n_words: int) -> str:
    """Write a prompt that asks a language model to name the topics by their most relevant words.

    Words of several topics are listed first, as those that name none.

    Args:
        artefact: the release.
        n_words: leading words of each topic.
    """
    topic_lines = [
        f"{topic}. {', '.join(leading_words_of_topic)}"
        for topic, leading_words_of_topic in enumerate(leading_words(artefact, n_words), start=1)
    ]
    shared_words_text = topic_words(artefact).describe_shared_words(artefact.vocabulary)
    if shared_words_text:
        topic_lines.insert(0, f"{shared_words_text}. These words name no topic.\n")
    return "\n".join(
        (
            f"Below are {len(artefact.topics)} topics of “{artefact.documents}”, each by the words"
            " that describe it best.",
            "Noise was added for privacy, so a word or two of a topic may not belong to it.",
            "Give each topic a name of at most four words that says what its documents are about.",
            "Where the words do not fit together, write “unclear”. Answer with one numbered line"
            " for each topic.",
            "",
            *topic_lines,
        )
    )


def _require(module: str, package: str) -> ModuleType:
    """Import and return a module of an optional package, which only this export needs.

    Raises:
        InputError: it is not installed, with the command that installs it.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        fix = f"Run: pip install {package}"
        raise InputError(package, "installed for this export", "not installed", fix) from None
