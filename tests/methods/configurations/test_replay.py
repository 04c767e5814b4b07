"""Everything after a release is a function of releases: a neighbour fed with the same answers gives the same topics."""

import dataclasses

import numpy as np
import pytest

from dplda import Corpus, Plan
from dplda.corpus import Label
from dplda.methods.chain.pipeline import Fit
from tests.methods.configurations.replay import Watched, recorded, replayed
from tests.methods.configurations.variants import CORPUS, ENTRIES, EPSILON, Entry, every_variant
from tests.privacy.sources import seeded
from tests.tiny_corpora import only

SEED = 5
RECORDED: dict[str, tuple[Fit, Watched]] = {}
SCALE_FROM_DOCUMENTS = {"config-4"}  # its sensitivity contains σ1 as it is: one more reason why it proves nothing

DOCUMENTS = {
    "one word": only(0, CORPUS.n_words, 10_000),
    "empty": np.zeros(CORPUS.n_words, dtype=int),
    "every word": np.ones(CORPUS.n_words, dtype=int),
}
some_document = pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)


def original(entry: Entry) -> tuple[Fit, Watched]:
    if str(entry) not in RECORDED:
        RECORDED[str(entry)] = recorded(CORPUS, entry.plan(), seed=SEED, noise=seeded(SEED))
    return RECORDED[str(entry)]


def neighbour(document: np.ndarray) -> Corpus:
    rows = CORPUS.counts.toarray()
    rows[7] = document
    return Corpus.from_counts(rows, label=Label.PUBLIC, name="neighbour")


def same_answers(entry: Entry, corpus: Corpus) -> tuple[Fit, Watched]:
    answers = original(entry)[1].answers()
    return replayed(corpus, entry.plan(), answers, seed=SEED, noise=seeded(0))


@every_variant
@some_document
def test_a_neighbour_with_the_same_answers_gives_the_same_fit_bit_by_bit(entry: Entry, document: np.ndarray) -> None:
    honest, before = original(entry)
    found, after = same_answers(entry, neighbour(document))
    # every mechanism was shown another value, so the comparison means something
    assert [call.label for call in after.calls] == [call.label for call in before.calls]
    for one, other in zip(before.calls, after.calls, strict=True):
        unmoved = np.array_equal(one.shown, other.shown)
        assert not unmoved or one.label.words == "mean weight of a document", one.label
    np.testing.assert_array_equal(found.topics.words, honest.topics.words)
    np.testing.assert_array_equal(found.topics.alpha, honest.topics.alpha)
    np.testing.assert_array_equal(found.topics.mean_words, honest.topics.mean_words)
    np.testing.assert_array_equal(found.topics.eigenvalues, honest.topics.eigenvalues)
    np.testing.assert_array_equal(found.topics.overlap, honest.topics.overlap)
    assert numbers_in(found) == numbers_in(honest)
    if entry.proven:
        assert found.whitening is not None
        assert found.components is not None


def numbers_in(found: object) -> list[bytes]:
    """Every number and array that an object holds, at any depth, as bytes; what is not noisy would differ."""
    if isinstance(found, np.ndarray):
        return [found.tobytes()]
    if isinstance(found, bool | int | float | str | None):
        return [repr(found).encode()]
    if isinstance(found, list | tuple):
        return [part for item in found for part in numbers_in(item)]
    if dataclasses.is_dataclass(found):
        values = [getattr(found, field.name) for field in dataclasses.fields(found) if field.name != "releases"]
        return numbers_in(values)
    raise TypeError(type(found))


def differ(one: tuple[np.ndarray, ...], other: tuple[np.ndarray, ...]) -> bool:
    """Whether noise is drawn through another whitening."""
    return not all(np.array_equal(x, y) for x, y in zip(one, other, strict=True))


@every_variant
@some_document
def test_sensitivities_and_scales_are_functions_of_releases_too(entry: Entry, document: np.ndarray) -> None:
    """A scale that moves with a document would tell of it, and no theorem on fixed noise would hold."""
    _, before = original(entry)
    _, after = same_answers(entry, neighbour(document))
    moved = [
        one.label
        for one, other in zip(before.calls, after.calls, strict=True)
        if one.named != other.named or one.release.scale != other.release.scale or differ(one.others, other.others)
    ]
    assert bool(moved) == (entry.name in SCALE_FROM_DOCUMENTS), moved
    assert not (moved and entry.proven)


def test_a_document_changes_only_its_own_norms() -> None:
    """The counts behind a clip level move by one because one norm changes: given the directions, for triples too."""
    entry = next(entry for entry in ENTRIES if entry.name == "adaptive")
    _, before = original(entry)
    _, after = same_answers(entry, neighbour(DOCUMENTS["one word"]))
    for quantity in ("clip level of pair frequencies", "clip level of whitened triples"):
        assert np.sum(before.shown(quantity) != after.shown(quantity)) == 1


def test_no_document_is_above_the_ceiling_of_the_search() -> None:
    _, watched = recorded(CORPUS, Plan("adaptive", EPSILON), seed=SEED)
    searches = [call for call in watched.calls if call.method == "clip_level"]
    assert len(searches) == 2
    for call in searches:
        assert np.all(call.shown <= call.named["high"] * (1 + 2e-15))


@every_variant
def test_watching_a_fit_does_not_change_it(entry: Entry) -> None:
    again, _ = same_answers(entry, CORPUS)
    np.testing.assert_array_equal(again.topics.words, original(entry)[0].topics.words)
