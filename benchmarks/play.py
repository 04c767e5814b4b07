"""Computes what the page Play shows and writes it to ``assets/play``: topics, an attacker's runs; half an hour."""

import argparse
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, replace
from datetime import date
from functools import cache, partial
from itertools import islice, product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from scipy.sparse import csr_array, vstack

from benchmarks.rerun import Row
from dplda.attacks.game import GameRun, best_score, play_runs, shared_runs
from dplda.attacks.neighbour_pairs import Pair
from dplda.core.types import Counts, Matrix, Vector, silent
from dplda.corpus import Corpus, Simulation
from dplda.corpus.simulation.newspaper import read_newspaper
from dplda.evaluation.distance import NEAR
from dplda.evaluation.relevance import choose_words
from dplda.experiments.storage.identity import code_version
from dplda.lessons.play.shipped_numbers import GAME, NUMBERS
from dplda.methods.base.method import FitResult
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.refined.documents.document_blocks import DocumentBlock
from dplda.methods.refined.documents.documents import Documents
from dplda.methods.refined.stages import run as run_of_refined
from dplda.methods.registry import parse_method
from dplda.privacy.accounting import gaussian
from dplda.privacy.noise.sources import NoNoise
from dplda.spectral.topics import match

SIMULATION = Simulation(
    n_documents=10_000, n_words=300, n_topics=6, alpha0=0.1, mean_length=60, newspaper="english"
)
METHOD = "refined"
DELTA = 1e-7
STOPS = (0.1, 0.2, 0.3, 0.5, 1.0, 3.0, 10.0)
WRITER = "Maya"
LETTER = (  # of nobody: written for this page
    "My knee hurts since the fall. The doctor at the clinic says the bone needs an operation, then"
    " long rest. At night the pain is so great that I take a tablet to sleep. Please, not a word of"
    " this to the coach: he would begin the final with a substitute, and it is my last match with"
    " the team."
)
GAME_PAIR = "turn"
GAME_EPSILON = 1.0
GAME_RUNS = 100  # of each method: heaps of known runs, and new ones to guess
MATCHES = ("config-2/as published", "adaptive")
SHOWN = 5  # leading words of a topic
ROUNDS = 300  # runs of the attacked method at each stop
CHUNK = 25  # of them with one seed


def counted_words(vocabulary: Sequence[str]) -> list[str]:
    """The letter's words that the method counts, in the order of the text."""
    known_words = set(vocabulary)
    return [word for word in re.findall("[a-z]+", LETTER.lower()) if word in known_words]


class Letters(Pair):
    """The newspaper's letters, the first of them ours, and the same with another in its place."""

    @staticmethod
    @cache
    def corpora() -> tuple[Corpus, Corpus]:
        """With the letter, and with a copy of the one that is least like it instead: an attacker's best chance."""
        simulated = SIMULATION.draw()
        words = counted_words(simulated.vocabulary)
        letter = np.array([[words.count(word) for word in simulated.vocabulary]])
        rows = [csr_array(letter.astype(simulated.counts.dtype)), simulated.counts[1:]]
        counts = csr_array(vstack(rows))
        norms = np.sqrt(np.asarray(counts.multiply(counts).sum(axis=1)).ravel())
        likeness = (counts @ counts[[0]].toarray()[0]) / np.maximum(norms, 1e-9)
        least_like = counts[[int(np.argmin(likeness))]]
        other_counts = csr_array(vstack([least_like, counts[1:]]))
        return replace(simulated, counts=counts), replace(simulated, counts=other_counts)


LETTERS = Letters("The first letter", "", (), (), (), SIMULATION.n_topics)


class _OtherLetters:
    """All letters but the first, which both neighbours share; what they add to a step is summed once for both."""

    def __init__(self, counts: Counts, n_topics: int) -> None:
        self._documents = Documents(counts, n_topics)
        self._sums: dict[bytes, Matrix] = {}

    def contributions(
        self, topics: Matrix, weights: Vector, prior: Vector, clip_norm: float
    ) -> Matrix:
        """Their sum."""
        key = topics.tobytes() + weights.tobytes() + prior.tobytes()
        if key not in self._sums:
            if len(self._sums) > 100:  # of runs before
                self._sums.clear()
            self._sums[key] = self._documents.sum_contributions(
                topics, weights, prior=prior, clip_norm=clip_norm
            )
        return self._sums[key]

    def word_counts(self, clip_norm: float) -> Vector:
        """Theirs."""
        return self._documents.sum_word_counts(clip_norm=clip_norm)

    def total(self, part: Callable[[DocumentBlock], Matrix], shape: tuple[int, int]) -> Matrix:
        """Of anything else that is added up."""
        return self._documents.sum_blocks(part, shape)


class _LetterApart:
    """``Documents``, but for the last bits of sums: the first one's part is added to that of the others."""

    def __init__(self, other_letters: _OtherLetters, counts: Counts, n_topics: int) -> None:
        self.n_documents, self.n_words = counts.shape
        self.n_topics = n_topics
        self._others = other_letters
        self._letter = Documents(counts[[0]], n_topics)

    def sum_contributions(
        self, topics: Matrix, weights: Vector, *, prior: Vector, clip_norm: float, grid_step: float
    ) -> Matrix:
        letter_sum = self._letter.sum_contributions(
            topics, weights, prior=prior, clip_norm=clip_norm
        )
        return letter_sum + self._others.contributions(topics, weights, prior, clip_norm)

    def sum_word_counts(self, *, clip_norm: float, grid_step: float) -> Vector:
        return self._letter.sum_word_counts(clip_norm=clip_norm) + self._others.word_counts(
            clip_norm
        )

    def sum_blocks(self, part: Callable[[DocumentBlock], Matrix], shape: tuple[int, int]) -> Matrix:
        return self._letter.sum_blocks(part, shape) + self._others.total(part, shape)


def play_attacks(epsilon: float, seed: int, count: int = CHUNK) -> list[GameRun]:
    """Runs with the letter or without it, as a coin falls, seen by whoever knows all but the coin and the noise.

    Args:
        epsilon: of the attacked method.
        seed: of coins and noise.
        count: number of runs.
    """
    other_letters = _OtherLetters(SIMULATION.draw().counts[1:], SIMULATION.n_topics)
    method = parse_method(METHOD)
    with patch.object(run_of_refined, "Documents", partial(_LetterApart, other_letters)):
        runs = play_runs(method, Budget(epsilon, DELTA), LETTERS, seed=seed)
        return list(islice(runs, count))


def learn_topics(epsilon: float | None, *, with_letter: bool) -> list[dict[str, object]]:
    """Each section's topic at one stop, without noise at None.

    Its leading words, which of them are the section's own, and how far it is from the truth.
    """
    corpus, _ = LETTERS.corpora()
    assert corpus.truth is not None
    result = _fit(epsilon, with_letter=with_letter)
    topics = result.topics.words
    chosen_words = choose_words(topics, result.topics.mean_words, result.evidence)
    rows = match(corpus.truth.topics, topics).tolist()
    sections = read_newspaper(SIMULATION.newspaper).sections[: SIMULATION.n_topics]
    learned_sections = []
    for section, row, true_topic in zip(sections, rows, corpus.truth.topics, strict=True):
        topic = topics[row]
        leading = chosen_words.of_topic(row, SHOWN)
        words = [corpus.vocabulary[word_id] for word_id in leading]
        learned_sections.append(
            {
                "words": words,
                "shares": [round(float(topic[word_id]), 4) for word_id in leading],
                "own": [word in section.words for word in words],
                "error": round(float(np.sum(np.abs(topic - true_topic))), 4),
            }
        )
    return learned_sections


def topics_differ() -> bool:
    """Whether topics without noise differ with the letter and without it: then who knows the rest knows it."""
    with_letter = _fit(None, with_letter=True)
    without_letter = _fit(None, with_letter=False)
    return not np.array_equal(with_letter.topics.words, without_letter.topics.words)


def stop(epsilon: float | None, runs: Sequence[GameRun]) -> dict[str, object]:
    """All that is shown at one stop.

    Args:
        epsilon: None without noise.
        runs: the attacked ones; without noise, for their coins alone.
    """
    numbers: dict[str, object] = {
        "epsilon": epsilon,
        "with": learn_topics(epsilon, with_letter=True),
        "without": learn_topics(epsilon, with_letter=False),
        "was_in": [run.used_first for run in runs],
    }
    if epsilon is None:
        assert topics_differ()
        return numbers | {"right": 1.0, "scores": None}
    mu = gaussian.mu_for(epsilon, DELTA)
    return numbers | {
        "right": round(best_score(np.array([run.loss for run in runs]))[0], 4),
        "scores": [round(run.loss / mu, 3) for run in runs],
    }


def shipped(runs: dict[float, list[GameRun]]) -> dict[str, object]:
    """The file's content."""
    corpus = SIMULATION.draw()
    sections = read_newspaper(SIMULATION.newspaper).sections[: SIMULATION.n_topics]
    return {
        "code": code_version(),
        "computed": date.today().isoformat(),
        "simulation": asdict(SIMULATION),
        "method": METHOD,
        "delta": DELTA,
        "sections": [section.title for section in sections],
        "writer": WRITER,
        "letter": LETTER,
        "counted_words": sorted(set(counted_words(corpus.vocabulary))),
        "stops": [stop(epsilon, runs[epsilon or STOPS[0]]) for epsilon in (*STOPS, None)],
    }


def game() -> dict[str, object]:
    """Content of the game's file: runs of two methods on two collections, one letter apart."""
    mu = gaussian.mu_for(GAME_EPSILON, DELTA)
    matches = []
    for method in MATCHES:
        runs = shared_runs(method, GAME_PAIR, GAME_EPSILON, DELTA, GAME_RUNS, silent)
        matches.append(
            {
                "method": method,
                "right": round(best_score(np.array([run.loss for run in runs]))[0], 4),
                "scores": [round(max(-9.0, min(9.0, run.loss / mu)), 3) for run in runs],
                "used_first": [run.used_first for run in runs],
            }
        )
    return {"pair": GAME_PAIR, "epsilon": GAME_EPSILON, "delta": DELTA, "matches": matches}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Whether the attacker's runs are kept."""
    parser.add_argument(
        "--topics-only", action="store_true", help="keep the attacker's runs; a minute"
    )


def run(*, topics_only: bool) -> Iterator[Row]:
    """One row a stop: how often the attacker is right, and how many sections are found."""
    content = with_new_topics() if topics_only else with_new_runs()
    write(content)
    stops = content["stops"]
    assert isinstance(stops, list)
    for stop_numbers in stops:
        yield {
            "epsilon": stop_numbers["epsilon"] or "none",
            "right": stop_numbers["right"],
            "found": sum(topic["error"] < NEAR for topic in stop_numbers["with"]),
        }


def with_new_topics() -> dict[str, Any]:
    """The file's content, with topics found anew and the attacker's runs as they are."""
    content: dict[str, Any] = json.loads(NUMBERS.read_text("utf-8"))
    for stop_numbers in content["stops"]:
        epsilon = stop_numbers["epsilon"]
        stop_numbers["with"] = learn_topics(epsilon, with_letter=True)
        stop_numbers["without"] = learn_topics(epsilon, with_letter=False)
    return content


def with_new_runs() -> dict[str, Any]:
    """The file's content, all of it computed anew; writes the game's file too."""
    write(game(), GAME)
    seeds_and_epsilons = list(product(range(ROUNDS // CHUNK), STOPS))
    seeds, epsilons = zip(*seeds_and_epsilons, strict=True)
    runs: dict[float, list[GameRun]] = {epsilon: [] for epsilon in STOPS}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for epsilon, chunk in zip(epsilons, pool.map(play_attacks, epsilons, seeds), strict=True):
            runs[epsilon] += chunk
    return shipped(runs)


def write(content: dict[str, object], path: Path = NUMBERS) -> None:
    """Writes a file of numbers."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content, ensure_ascii=False, allow_nan=False) + "\n", "utf-8")


@cache
def _fit(epsilon: float | None, *, with_letter: bool) -> FitResult:
    """A run with the letter or with another in its place; without noise at None."""
    corpus, other_corpus = LETTERS.corpora()
    runtime = Runtime(noise=NoNoise()) if epsilon is None else Runtime()
    return parse_method(METHOD).fit(
        corpus if with_letter else other_corpus,
        Problem(SIMULATION.n_topics, SIMULATION.alpha0),
        Budget(epsilon or STOPS[-1], DELTA),
        runtime,
    )
