"""Adversarial neighbours of refinement: given the same answers, no release moves further than its sensitivity says."""

from itertools import combinations

import numpy as np
import pytest

from dplda import Corpus
from dplda.methods.full_batch_vi import documents as module
from dplda.methods.full_batch_vi.documents import Documents
from dplda.methods.full_batch_vi.recipe import Recipe
from dplda.methods.problem import Budget, Problem
from dplda.privacy.mechanisms import Mechanisms
from tests.asking import refine
from tests.tiny_corpora import corpus_of, only, random_rows

D = 8
FREE, BOUGHT = Recipe(border=0.0, steps=4), Recipe(border=1e9, steps_after_start=3)
REST = random_rows(1, 40, D, 12)
DOCUMENTS = {
    "empty": np.zeros(D, dtype=np.int64),
    "one word": only(0, D, 1),
    "the first word, 10,000 times": only(0, D, 10_000),
    "the last word, 10,000 times": only(D - 1, D, 10_000),
    "every word, 100 times": np.full(D, 100),
    "two words": only(2, D, 30) + only(5, D, 30),
}
PAIRS = list(combinations(DOCUMENTS, 2))


def corpus(document: str) -> Corpus:
    return corpus_of(np.vstack([REST, DOCUMENTS[document]]))


def reached(monkeypatch: pytest.MonkeyPatch, one: str, two: str, recipe: Recipe) -> dict[str, list[float]]:
    """How far apart the values shown to the mechanisms are, over their sensitivity, by quantity and in order."""
    shown: list[tuple[str, np.ndarray, float]] = []
    answers: list[object] = []
    honest = {name: getattr(Mechanisms, name) for name in ("gaussian", "clip_level")}

    def gaussian(mechanisms, of, value, layout, *, sensitivity, mu):
        shown.append((of.words, np.array(layout.coordinates(value)), sensitivity))
        return answered(honest["gaussian"](mechanisms, of, value, layout, sensitivity=sensitivity, mu=mu))

    def clip_level(mechanisms, *given, **named):
        return answered(honest["clip_level"](mechanisms, *given, **named))

    def answered(value):
        if again is not None:
            return next(again)
        answers.append(value)
        return value

    found = []
    with monkeypatch.context() as patch:
        patch.setattr(Mechanisms, "gaussian", gaussian)
        patch.setattr(Mechanisms, "clip_level", clip_level)
        for document in (one, two):
            again = iter(answers) if found else None
            refine(corpus(document), Problem(2, 0.5), Budget(50.0, 1e-6), recipe=recipe)
            found.append(shown)
            shown = []
    ratios: dict[str, list[float]] = {}
    for (words, first, sensitivity), (_, other, allowed) in zip(*found, strict=True):
        assert sensitivity == allowed
        ratios.setdefault(words, []).append(float(np.linalg.norm(first - other)) / sensitivity)
    return ratios


@pytest.mark.parametrize("recipe", [FREE, BOUGHT], ids=["free start", "spectral start"])
def test_no_release_moves_further_than_its_sensitivity_and_some_move_as_far(
    monkeypatch: pytest.MonkeyPatch, recipe: Recipe
) -> None:
    largest: dict[str, float] = {}
    for one, two in PAIRS:
        for words, ratios in reached(monkeypatch, one, two, recipe).items():
            assert max(ratios) <= 1, (words, one, two)
            largest[words] = max(largest.get(words, 0.0), *ratios)
    assert largest["clipped word counts"] > 1 - 1e-6
    assert largest["clipped statistic of a step"] > 1 - 1e-6


FAR = ("the first word, 10,000 times", "the last word, 10,000 times")


def unbounded(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(module, "factors", lambda norms, bound: np.ones_like(norms))


def doubled(patch: pytest.MonkeyPatch) -> None:
    honest = Documents.contributions
    patch.setattr(Documents, "contributions", lambda *given, bound, **named: honest(*given, bound=2 * bound, **named))


def undersold(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Documents, "sensitivity", lambda self, bound: bound)


@pytest.mark.parametrize("mutate", [unbounded, doubled, undersold])
def test_a_mutant_moves_further(monkeypatch: pytest.MonkeyPatch, mutate) -> None:
    mutate(monkeypatch)
    assert max(reached(monkeypatch, *FAR, FREE)["clipped statistic of a step"]) > 1.4
