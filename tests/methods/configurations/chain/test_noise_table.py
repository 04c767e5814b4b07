import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplda.core.errors import InputError, NoFiniteNoise
from dplda.corpus.simulation.simulate import simulate
from dplda.methods.base.calibration import Calibration, NoiseLaw
from dplda.methods.base.problem import Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.chain.noise_table import edge_noise
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.methods.configurations.plan import Plan
from dplda.methods.configurations.sizes import GROUND_STATE
from dplda.privacy.noise.layouts import SymmetricTensor
from dplda.privacy.noise.whitened_layouts import WhitenedTriples
from dplda.spectral.corpus_statistics import CorpusStatistics, StatisticsCache
from dplda.spectral.whitening import noise_edge
from tests.privacy.sources import drawn, seeded

VARIANTS = [
    (name, calibration) for name, entry in REGISTRY.items() for calibration in entry.variants
]
BOUNDED = [
    (name, calibration)
    for name, calibration in VARIANTS
    if name in ("config-2", "config-3", "config-4")
]
N, D, K, ALPHA0 = 4000, 15, 3, 0.7
PUBLIC = {"n_documents": N, "n_words": D, "n_topics": K, "alpha0": ALPHA0}
TYPICAL = SimpleNamespace(
    pair_eigenvalues=np.array([0.06, 0.04, 0.03, 0.001]),
    tensor_eigenvalues=np.array([3.0, 2.2, 1.5]),
    largest_word=0.15,
    largest_pair=0.03,
)


def table(plan, spectrum=TYPICAL, **changed_numbers):
    return edge_noise(plan, spectrum=spectrum, **{**PUBLIC, **changed_numbers})


def row(rows, symbol):
    return next(candidate for candidate in rows if candidate.symbol == symbol)


@pytest.fixture(scope="module")
def corpus():
    return simulate(n_documents=N, n_words=D, n_topics=K, alpha0=ALPHA0, mean_length=40, seed=3)


@pytest.fixture(scope="module")
def sums(corpus):
    return StatisticsCache(corpus.counts)


@pytest.fixture(scope="module")
def spectrum(corpus, sums):
    fitted_run = fit_spectral(corpus, None, Problem(K, ALPHA0), Runtime(statistics=sums))
    word, pair = CorpusStatistics(
        sums, fitted_run.details.size.coefficients, keep_short=True
    ).largest_frequencies()
    return SimpleNamespace(
        pair_eigenvalues=fitted_run.details.whitening.spectrum,
        tensor_eigenvalues=fitted_run.details.components.eigenvalues,
        largest_word=word,
        largest_pair=pair,
    )


@pytest.mark.parametrize(("name", "calibration"), VARIANTS)
@pytest.mark.parametrize("split", ["default", "uneven"])
@pytest.mark.parametrize("seed", [0, 1])
def test_noise_table_equals_the_releases_of_a_fit(
    corpus, sums, spectrum, name, calibration, split, seed
):
    quantities = REGISTRY[name].variants[calibration].names
    raw = np.arange(1, len(quantities) + 1)
    uneven = tuple(zip(quantities, raw / np.sum(raw) * (1 - 1e-12), strict=True))
    plan = Plan(name, 300.0, split=() if split == "default" else uneven, calibration=calibration)
    fitted_run = fit_spectral(corpus, plan, Problem(K, ALPHA0), Runtime(seed, statistics=sums))
    known_values = {
        release.symbol: release.value for release in fitted_run.releases if not release.shape
    }
    rows = table(plan, spectrum, known=known_values)

    assert [found_row.symbol for found_row in rows] == [
        release.symbol for release in fitted_run.releases
    ]
    for found_row, release in zip(rows, fitted_run.releases, strict=True):
        assert found_row.edge == release.edge
        assert found_row.quantity == release.quantity
        assert found_row.law == release.mechanism
        assert found_row.mu == release.mu
        # A spectrum's last digits differ between a fit with a plan and one without; public numbers do not. What covers
        # the rounding of whitened sums depends on the whitening: below 1e-6 at this N.
        tolerance = {
            "μ, α": 1e-9,
            "T": 1e-6 * (name == "adaptive"),
            "E₃": 1e-6 * (calibration == "Laplace"),
        }.get(release.symbol, 0)
        assert found_row.sensitivity == pytest.approx(release.sensitivity, rel=tolerance, abs=0)
        assert found_row.scale == pytest.approx(release.scale, rel=tolerance, abs=0)
        assert found_row.noise_multiplier == pytest.approx(release.noise_multiplier, rel=1e-15)
        assert found_row.trouble == ""
        assert found_row.assumes == ""


@pytest.mark.parametrize(("name", "calibration"), VARIANTS)
def test_rows_name_every_quantity_of_the_split_once_with_its_share(name, calibration):
    variant = REGISTRY[name].variants[calibration]
    rows = table(Plan(name, 1.0, calibration=calibration))
    shares = {table_row.name: table_row.share for table_row in rows}
    share_of_counts = shares.pop("word counts", 0.0)
    assert (share_of_counts > 0) == (name == "adaptive")
    assert sorted(shares) == sorted(variant.names)
    assert shares == pytest.approx(
        {quantity: (1 - share_of_counts) * part for quantity, part in variant.default_split},
        rel=1e-12,
    )
    assert {table_row.status for table_row in rows} == {variant.status}
    assert {table_row.edge for table_row in rows} == set(REGISTRY[name].edges)
    for table_row in rows:
        assert table_row.why.endswith(".")
        assert table_row.signal >= 0
        assert table_row.noise > 0


@pytest.mark.parametrize(("name", "calibration"), BOUNDED)
def test_noise_table_without_a_positive_lower_bound_says_so(
    corpus, sums, spectrum, name, calibration
):
    epsilon = (
        0.6 if calibration is Calibration.CORRECTED else 0.05
    )  # e8's noise must leave topics to be refused
    plan = Plan(name, epsilon, calibration=calibration)
    with pytest.raises(NoFiniteNoise):
        fit_spectral(corpus, plan, Problem(K, ALPHA0), Runtime(statistics=sums))
    rows = table(plan, spectrum)
    assert sorted(table_row.name for table_row in rows) == sorted(plan.variant.names)
    infeasible = rows[-1]
    assert (
        infeasible.trouble
        == "The private lower bound of σk comes out at 0 or below: no finite noise protects this."
    )
    assert math.isinf(infeasible.sensitivity)
    assert math.isinf(infeasible.scale)
    assert infeasible.signal_to_noise == 0
    for table_row in rows[:-1]:
        assert table_row.trouble == ""
        assert math.isfinite(table_row.scale)


@given(
    st.sampled_from(VARIANTS),
    st.floats(1e-6, 100),
    st.integers(3, 10**7),
    st.floats(0.05, 20),
    st.just(0.0) | st.floats(1e-4, 0.3),
)
@settings(max_examples=100, deadline=None)
def test_noise_table_of_any_plan_has_a_scale_or_a_trouble(
    variant, epsilon, n_documents, alpha0, scale
):
    """Without topics, too."""
    name, calibration = variant
    some = SimpleNamespace(
        **vars(TYPICAL) | {"pair_eigenvalues": scale * np.array([1, 0.6, 0.5, 0.1])}
    )
    if not scale:
        some.pair_eigenvalues, some.tensor_eigenvalues = (
            np.array([1e-3, 0.0, -1e-3, -2e-3]),
            np.zeros(K),
        )
    rows = table(
        Plan(name, epsilon, calibration=calibration), some, n_documents=n_documents, alpha0=alpha0
    )
    for table_row in rows:
        assert (table_row.trouble == "") == math.isfinite(table_row.scale)
        assert not math.isnan(table_row.signal_to_noise)
        assert table_row.scale == pytest.approx(table_row.sensitivity * table_row.noise_multiplier)


def test_clip_levels_are_estimates_unless_known(corpus, sums, spectrum):
    plan = Plan("adaptive", 3.0)
    guessed = table(plan, spectrum, mean_length=40)
    assert "C₂ = " in row(guessed, "E₂").assumes
    assert "C₃ = " in row(guessed, "T").assumes
    fitted_run = fit_spectral(corpus, plan, Problem(K, ALPHA0), Runtime(statistics=sums))
    for release in fitted_run.releases:
        assert row(guessed, release.symbol).scale == pytest.approx(
            release.scale, rel=1.0
        )  # within a factor of 2
    half = table(plan, spectrum, known={"C₂": 0.01, "C₃": 2.0})
    assert row(half, "E₂").sensitivity == pytest.approx(2 * 0.01 / N)
    assert row(half, "T").sensitivity == pytest.approx(2 * 2.0 / N)
    assert row(half, "E₂").assumes == ""


@pytest.mark.parametrize("name", ["config-1", "config-2", "config-3", "config-4"])
def test_delta_of_each_published_quantity_is_its_share_of_the_whole(name):
    """The private bounds of Procedure 1 have their own, with which they may fail."""
    rows = table(Plan(name, 3.0, 1e-6, calibration=Calibration.PUBLISHED))
    assert math.fsum(row.delta for row in rows) == pytest.approx(1e-6, rel=1e-12)
    for row in rows:
        assert row.delta / 1e-6 == pytest.approx(row.epsilon / 3.0, rel=1e-12)


@pytest.mark.parametrize(
    "plan", [Plan("config-1", 1.0), Plan("config-1", 1.0, calibration=NoiseLaw.LAPLACE)]
)
def test_delta_of_a_quantity_is_0_where_the_whole_is_not_divided(plan):
    assert all(row.delta == 0 for row in table(plan))


def test_noise_table_compares_a_pair_release_with_the_noise_edge():
    shared = row(table(Plan("shared-moment", 1.0)), "E₂")
    assert shared.signal == 0.03
    assert shared.noise == pytest.approx(noise_edge(D, shared.scale / 2))
    published = row(table(Plan("config-1", 1.0, calibration=Calibration.PUBLISHED)), "M₂")
    assert published.noise == pytest.approx(noise_edge(D, published.scale))
    pure = row(table(Plan("config-1", 1.0, calibration=NoiseLaw.LAPLACE)), "E₂")
    assert pure.noise == pytest.approx(noise_edge(D, math.sqrt(2) * pure.scale / 2))


def test_noise_table_compares_a_tensor_release_with_the_ground_state():
    """1.657 √k, as published of the spherical three-spin model; seen whitened, ``Σ σ_i⁻³`` stands for k."""
    stretch = math.sqrt(float(np.sum(TYPICAL.pair_eigenvalues[:K] ** -3.0)))
    unit = row(table(Plan("config-2", 300.0)), "T")
    assert unit.noise == pytest.approx(1.657 * math.sqrt(K) * unit.scale, rel=1e-12)
    cells = row(table(Plan("shared-moment", 1.0)), "E₃")
    assert cells.noise == pytest.approx(1.657 * stretch * cells.scale / math.sqrt(6), rel=1e-12)
    moment = row(table(Plan("config-1", 1.0, calibration=Calibration.PUBLISHED)), "M₃")
    mirrored = math.sqrt(6 * D**2 / ((D + 1) * (D + 2)))
    assert moment.noise == pytest.approx(1.657 * stretch * mirrored * moment.scale, rel=1e-12)


def top(layout, k: int, scale: float, shift: float) -> float:
    """The median of the largest values over unit vectors of three draws: steepest ascent from many starts."""
    rng, tops = np.random.default_rng(k), []
    for seed in range(3):
        tensor = drawn(seeded(seed), layout, np.zeros((k, k, k)), scale)
        x = rng.standard_normal((50, k))
        for _ in range(100):
            x /= np.linalg.norm(x, axis=1, keepdims=True)
            x = np.einsum("ijl,nj,nl->ni", tensor, x, x, optimize=True) + shift * x  # an ascent
        x /= np.linalg.norm(x, axis=1, keepdims=True)
        tops.append(np.max(np.einsum("ijl,ni,nj,nl->n", tensor, x, x, x, optimize=True)))
    return float(np.median(tops))


@pytest.mark.parametrize("k", [5, 40])
def test_largest_value_of_tensor_noise_grows_as_predicted(k):
    """Within finite-size effects."""
    assert top(SymmetricTensor(k), k, 1.0, 2 * math.sqrt(k)) == pytest.approx(
        GROUND_STATE * math.sqrt(k), rel=0.2
    )


def test_whitened_noise_is_predicted_within_a_factor():
    k, d = 6, 60
    sigma = np.geomspace(0.05, 0.01, k)
    W = np.linalg.qr(np.random.default_rng(0).standard_normal((d, k)))[0] / np.sqrt(sigma)
    some = SimpleNamespace(
        pair_eigenvalues=np.append(sigma, 0.0),
        tensor_eigenvalues=np.ones(k),
        largest_word=0.1,
        largest_pair=0.02,
    )
    rows = edge_noise(
        Plan("shared-moment", 1.0), n_documents=N, n_words=d, n_topics=k, alpha0=1.0, spectrum=some
    )
    predicted = row(rows, "E₃")
    measured_noise = top(WhitenedTriples(W), k, predicted.scale, shift=2 * predicted.noise)
    assert predicted.noise / 2 < measured_noise < predicted.noise * 1.2


@pytest.mark.parametrize(
    ("name", "eigenvalues", "symbol"),
    [
        ("config-3", {"tensor_eigenvalues": np.full(K, 2.0)}, "γs"),
        ("config-4", {"tensor_eigenvalues": np.full(K, 2.0)}, "γs"),
        ("config-2", {"pair_eigenvalues": np.array([0.06, 0.04, 0.03, 0.03])}, "gap"),
    ],
)
def test_equal_eigenvalues_leave_no_bound_of_their_gap(name, eigenvalues, symbol):
    last_row = table(Plan(name, 100.0), SimpleNamespace(**{**vars(TYPICAL), **eigenvalues}))[-1]
    assert f"bound of {symbol}" in last_row.trouble
    assert math.isinf(last_row.scale)


@pytest.mark.parametrize(
    "changed_arguments",
    [
        {"n_documents": 2},
        {"n_words": 1},
        {"n_topics": 1},
        {"n_topics": D + 1},
        {"alpha0": 0.0},
        {"mean_length": 0},
        {
            "plan": Plan("config-1", 1.0, calibration=NoiseLaw.LAPLACE),
            "n_words": 5000,
        },  # no cells for so many
        {"known": {"C₇": 1.0}},
        {"known": {"C₂": math.nan}},
        {"known": {"C₂": 0.0}},
        {"spectrum": SimpleNamespace(**{**vars(TYPICAL), "pair_eigenvalues": np.ones(K)})},
        {
            "spectrum": SimpleNamespace(
                **{**vars(TYPICAL), "pair_eigenvalues": np.full(K + 1, np.nan)}
            )
        },
        {"spectrum": SimpleNamespace(**{**vars(TYPICAL), "tensor_eigenvalues": np.empty(0)})},
    ],
)
def test_noise_table_with_arguments_out_of_range_is_refused(changed_arguments):
    with pytest.raises(InputError):
        table(**{"plan": Plan("adaptive", 1.0)} | changed_arguments)
