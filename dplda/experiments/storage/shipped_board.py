"""Answers on the board of configurations that ship with the program, for the documents it opens on.

``assets/board/teaching.npz`` holds the topics that each method found at every step of ε, and the
spectrum without noise. ``python -m benchmarks board`` writes it. A test fits some of them anew.
"""

import json
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import numpy as np

from dplda.core import assets
from dplda.core.types import Matrix
from dplda.corpus import Corpus, Label
from dplda.evaluation.relevance import N_LEADING_WORDS
from dplda.experiments.configuration_board import BoardAnswer
from dplda.experiments.experiment import Experiment
from dplda.theory.theorems.spectrum import Spectrum

PATH = assets.folder() / "board" / "teaching.npz"
REFUSED = -1  # in place of the number of topics found
NO_WORD = -1  # in place of the index of a word, after a topic's last one


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ShippedBoard:
    """Answers of several methods on the same documents.

    Attributes:
        settings: documents, problem, δ and seed of every answer, as ``describe_settings`` writes.
        answers: by the text of the method and ε.
        noiseless: shape (k, d), spectral topics without noise.
        spectrum: of the documents without noise.
    """

    settings: str
    answers: Mapping[tuple[str, float], BoardAnswer]
    noiseless: Matrix
    spectrum: Spectrum

    def find_answer(self, corpus: Corpus, experiment: Experiment) -> BoardAnswer | None:
        """The answer of an experiment on these documents; None if it is not one of these."""
        if not self.has_settings(corpus, experiment) or experiment.budget.split:
            return None
        method_text = experiment.method.text
        epsilon = float(experiment.budget.epsilon)
        return self.answers.get((method_text, epsilon))

    def has_settings(self, corpus: Corpus, experiment: Experiment) -> bool:
        """Whether answers are on these documents, with this problem, δ and seed."""
        return self.settings == describe_settings(corpus, experiment)


def describe_settings(corpus: Corpus, experiment: Experiment) -> str:
    """Write all that answers of the board depend on, but the method and ε, as JSON.

    All documents that are not simulated give the same text: their digest is left empty.
    """
    is_simulated = corpus.label is Label.SIMULATED
    facts = {
        "documents": corpus.digest if is_simulated else "",
        "problem": asdict(experiment.problem),
        "delta": experiment.budget.delta,
        "seed": experiment.seed,
    }
    return json.dumps(facts)


def write_shipped_board(board: ShippedBoard, path: Path = PATH) -> None:
    """Write a board as arrays over methods and ε, both sorted.

    Topics are rounded to single precision. A method that refused has ``REFUSED`` for its number of
    topics, and so has a pair of method and ε without an answer. The first 400 characters of a
    refusal are kept, and 8 of its bound. With the answers go the settings, the topics without noise
    and the spectrum.

    Args:
        board: the answers to write.
        path: of the file, which is replaced. Its folder is made, but not the folder's parent.
    """
    methods = sorted({method for method, _ in board.answers})
    epsilons = sorted({epsilon for _, epsilon in board.answers})
    grid_shape = (len(methods), len(epsilons))
    topic_word_probabilities = np.zeros((*grid_shape, *board.noiseless.shape), dtype=np.float32)
    n_found = np.full(grid_shape, REFUSED)
    n_noiseless_topics = len(board.noiseless)
    leading_words_shape = (*grid_shape, n_noiseless_topics, N_LEADING_WORDS)
    leading_words = np.full(leading_words_shape, NO_WORD, dtype=np.int32)
    refused_bound_texts = np.full(grid_shape, "", dtype="<U8")
    refusal_texts = np.full(grid_shape, "", dtype="<U400")
    for (method, epsilon), answer in board.answers.items():
        grid_place = methods.index(method), epsilons.index(epsilon)
        refused_bound_texts[grid_place] = answer.refused_bound
        refusal_texts[grid_place] = answer.refusal
        if answer.words is not None:
            topic_word_probabilities[grid_place] = answer.words
            n_found[grid_place] = answer.n_found
        for topic, word_ids in enumerate(answer.leading_words):
            leading_words[(*grid_place, topic, slice(len(word_ids)))] = word_ids
    spectrum = board.spectrum
    path.parent.mkdir(exist_ok=True)
    np.savez_compressed(
        path,
        allow_pickle=False,
        settings=np.array(board.settings),
        methods=np.array(methods),
        epsilons=np.array(epsilons),
        words=topic_word_probabilities,
        n_found=n_found,
        leading_words=leading_words,
        refused_bounds=refused_bound_texts,
        refusals=refusal_texts,
        noiseless=board.noiseless,
        pair_eigenvalues=spectrum.pair_eigenvalues,
        tensor_eigenvalues=spectrum.tensor_eigenvalues,
        largest_frequencies=np.array([spectrum.largest_word, spectrum.largest_pair]),
    )


@cache
def read_shipped_board(path: Path = PATH) -> ShippedBoard | None:
    """The shipped board, read once; None if it is missing or damaged."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            return _read_arrays(dict(stored))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None


def _read_arrays(arrays: dict[str, np.ndarray]) -> ShippedBoard:
    """Make a board from the arrays of its file, by their names.

    The spectrum's α₀ is read from the settings.

    Raises:
        KeyError: an array is missing.
    """
    settings = str(arrays["settings"])
    answers = {}
    for row, method in enumerate(arrays["methods"].tolist()):
        for column, epsilon in enumerate(arrays["epsilons"].tolist()):
            answers[method, epsilon] = _read_answer(arrays, row, column)
    noiseless_topics = arrays["noiseless"]
    largest_word_frequency, largest_pair_frequency = arrays["largest_frequencies"].tolist()
    spectrum = Spectrum(
        n_words=noiseless_topics.shape[1],
        alpha0=float(json.loads(settings)["problem"]["alpha0"]),
        pair_eigenvalues=arrays["pair_eigenvalues"],
        tensor_eigenvalues=arrays["tensor_eigenvalues"],
        largest_word=largest_word_frequency,
        largest_pair=largest_pair_frequency,
    )
    return ShippedBoard(
        settings=settings, answers=answers, noiseless=noiseless_topics, spectrum=spectrum
    )


def _read_answer(arrays: dict[str, np.ndarray], row: int, column: int) -> BoardAnswer:
    """Read the answer of the method in a row at the ε in a column: topics, or why it refused.

    Each topic's word probabilities are scaled to sum to one. Only topics that were found have
    leading words, given as indices.
    """
    n_found = int(arrays["n_found"][row, column])
    if n_found == REFUSED:
        return BoardAnswer(
            words=None,
            refused_bound=str(arrays["refused_bounds"][row, column]),
            refusal=str(arrays["refusals"][row, column]),
        )
    topics = arrays["words"][row, column].astype(np.float64)
    topics /= np.sum(topics, axis=1, keepdims=True)
    leading_word_ids = tuple(
        tuple(word_id for word_id in word_ids if word_id != NO_WORD)
        for word_ids in arrays["leading_words"][row, column].tolist()[:n_found]
    )
    return BoardAnswer(words=topics, n_found=n_found, leading_words=leading_word_ids)
