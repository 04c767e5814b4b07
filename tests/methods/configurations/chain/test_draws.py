"""Which draws share their noise: none on sensitive documents, those of one method on simulated and public ones."""

from collections import defaultdict

import numpy as np
import pytest
from scipy import stats

from dplda import Corpus, DPVariationalLDA, Plan, SpectralLDA
from dplda.core.errors import NoFiniteNoise, NoTopics
from dplda.corpus import Label
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.methods.dpvi.accounting import Accountant
from dplda.methods.dpvi.private_variational import MEMBERS, run_variational
from dplda.methods.dpvi.settings import VariationalSettings
from dplda.privacy.noise.keys import NoiseKind, Secret, SecretKey
from dplda.privacy.noise.sources import SimulatedNoise
from dplda.privacy.release import Caveat, Release, Status
from tests.asking import called
from tests.methods.configurations.variants import ENTRIES
from tests.privacy.sources import seeded
from tests.statistical.laws import histogram_cells
from tests.tiny_corpora import corpus_of, topical_corpus

ROWS = topical_corpus(1, n_documents=1000).counts.toarray()
SENSITIVE = Corpus.from_counts(ROWS, label=Label.SENSITIVE, name="mail", vocabulary_source="fixed")
PUBLIC = corpus_of(ROWS)
QUICK = VariationalSettings(sampling_rate=0.25, epochs=1.0, accountant=Accountant.CLASSIC)
EPSILONS = (500.0, 1000.0, 1e6)


@pytest.fixture
def numbers(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[np.ndarray]]:
    """All numbers that any source draws, by law."""
    drawn_numbers: dict[str, list[np.ndarray]] = defaultdict(list)
    for law in ("normals", "laplaces"):
        honest = getattr(SimulatedNoise, law)

        def watched(self, of, size, honest=honest, law=law):
            numbers_of_draw = honest(self, of, size)
            drawn_numbers[law].append(numbers_of_draw)
            return numbers_of_draw

        monkeypatch.setattr(SimulatedNoise, law, watched)
    return drawn_numbers


def test_noise_on_sensitive_documents_never_repeats(
    numbers: dict[str, list[np.ndarray]],
) -> None:
    """Every configuration, calibration, ε, quantity and both estimators, with the default seed throughout."""
    for entry in ENTRIES:
        for epsilon in EPSILONS:
            try:
                SpectralLDA(3, plan=entry.plan(epsilon)).fit(SENSITIVE)
            except (NoTopics, NoFiniteNoise):
                continue
    for epsilon in (1.0, 5.0):
        for calibration in (Calibration.CORRECTED, Calibration.PUBLISHED):
            DPVariationalLDA(3, epsilon=epsilon, calibration=calibration, settings=QUICK).fit(
                SENSITIVE
            )
    for law, parts in numbers.items():
        all_numbers = np.concatenate(parts)
        assert len(all_numbers) > 15_000, law
        assert len(np.unique(all_numbers)) == len(all_numbers), law


def pair_average(
    epsilon: float,
    secret: Secret | None = None,
    corpus: Corpus = SENSITIVE,
    seed: int = 0,
    k: int = 3,
) -> Release:
    """That of a run, in a session that keeps one secret."""
    result = fit_spectral(
        corpus, Plan("shared-moment", epsilon), Problem(k, 1.0), Runtime(seed, secret=secret)
    )
    return next(release for release in result.releases if release.symbol == "E₂")


def topical_pairs() -> np.ndarray:
    """The un-noised pair average of the documents."""
    rows = ROWS.astype(float)
    length = rows.sum(axis=1)
    weights = 1 / (length * (length - 1))
    return ((rows.T * weights) @ rows - np.diag(weights @ rows)) / len(rows)


def test_common_noise_would_be_found_out() -> None:
    """The same on public documents, where noise is common across ε: the mix is the exact average."""
    first_release, second_release = (
        pair_average(epsilon, corpus=PUBLIC) for epsilon in (500.0, 1000.0)
    )
    guess = (
        second_release.scale * first_release.value - first_release.scale * second_release.value
    ) / (second_release.scale - first_release.scale)
    np.testing.assert_allclose(guess, topical_pairs(), atol=1e-12)


CHANGES = {
    "another ε": {"epsilon": 501.0},
    "another number of topics": {"k": 4},
    "another draw": {"seed": 1},
    "another document": {
        "corpus": Corpus.from_counts(
            np.vstack([ROWS[1:], ROWS[:1] + 1]),
            label=Label.SENSITIVE,
            name="mail",
            vocabulary_source="fixed",
        )
    },
    "another session": {"secret": Secret(b"another session")},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_pair_average_is_redrawn_only_when_something_changes(
    change: dict[str, object],
) -> None:
    secret = Secret()
    arguments = {"epsilon": 500.0, "secret": secret}
    first_release, repeated_release, changed_release = (
        pair_average(**(arguments | further_arguments)) for further_arguments in ({}, {}, change)
    )
    np.testing.assert_array_equal(first_release.value, repeated_release.value)
    exact = topical_pairs()
    cells = [
        histogram_cells(release.value - exact) / release.scale
        for release in (first_release, changed_release)
    ]
    correlation = stats.pearsonr(*cells).statistic
    assert abs(correlation) < 6 / np.sqrt(len(cells[0]))


def test_minibatches_of_sensitive_documents_are_drawn_from_the_secret() -> None:
    """Another run takes other documents though the seed is the same; on public documents the seed takes them."""
    arguments = {"epsilon": 5.0, "settings": QUICK}
    first_value, second_value = (
        called(run_variational, SENSITIVE, **arguments).releases[0].value for _ in range(2)
    )
    assert np.all(first_value != second_value)
    np.testing.assert_array_equal(
        *(called(run_variational, PUBLIC, **arguments).releases[0].value for _ in range(2))
    )

    def members(corpus: Corpus, epsilon: str) -> float:
        key = Runtime(secret=SECRET).make_noise_key(
            corpus, method=("dp-vi", "corrected"), choices=(epsilon,)
        )
        return float(key.generator(MEMBERS).random())

    assert members(SENSITIVE, "1.0") != members(SENSITIVE, "2.0")
    assert members(PUBLIC, "1.0") == members(PUBLIC, "2.0")


SECRET = Secret(b"a session")


def test_guarantee_on_sensitive_documents_with_a_chosen_seed_is_not_private() -> None:
    plan = Plan("adaptive", 1000.0)
    seeded_guarantee = fit_spectral(
        SENSITIVE, plan, Problem(3, 1.0), Runtime(noise=seeded(0))
    ).guarantee
    assert seeded_guarantee.status is Status.NOT_PRIVATE
    assert Caveat.SEED in seeded_guarantee.caveats
    honest = fit_spectral(SENSITIVE, plan, Problem(3, 1.0))
    assert honest.guarantee.status is Status.PROVEN
    assert {release.noise for release in honest.releases} == {NoiseKind.SECRET}
    keyed = fit_spectral(
        SENSITIVE, plan, Problem(3, 1.0), Runtime(noise=SimulatedNoise(SecretKey(())))
    )
    assert keyed.guarantee.status is Status.PROVEN
    variational = run_variational(
        SENSITIVE, Problem(3, 1.0), Budget(5.0, 1e-7), Runtime(noise=seeded(0)), settings=QUICK
    )
    assert variational.guarantee.status is Status.NOT_PRIVATE
