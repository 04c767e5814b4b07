"""Whatever a fit is given, it finds topics on the simplex or refuses in its own words: nothing bare escapes."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from dplda import DPVariationalLDA, Plan, RefinedLDA, SpectralLDA
from dplda.core.errors import DpldaError, NoTopics
from dplda.methods.configurations import REGISTRY

VARIANTS = [
    (name, variant)
    for name, configuration in REGISTRY.items()
    for variant in configuration.variants.values()
]
EPSILONS = [1.0, 10.0, 1e3, 1e12, 1e-12, 0.0, -1.0, np.nan, np.inf, 1e300, 1e-300, "1", None]
DELTAS = [1e-7, 0.5, 1 - 1e-12, 1e-300, 5e-324, 0.0, 1.0, np.nan]
ALPHAS = [1.0, 0.1, 10.0, 1e12, 1e-12, 0.0, np.nan, np.inf, 1e300, 1e-300, "1", None]
TOPICS = [2, 3, 1, 0, 30, 10**30, 2.0, "2", None]


@st.composite
def matrices(draw: st.DrawFn) -> np.ndarray:
    """Counts without order, repeated, of one word, too short, too few, or very large."""
    n, d = draw(st.sampled_from([1, 3, 5, 50])), draw(st.sampled_from([1, 2, 5, 30]))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    kinds = {
        "usual": lambda: rng.poisson(2, (n, d)),
        "short": lambda: rng.poisson(0.3, (n, d)),
        "empty": lambda: np.zeros((n, d), dtype=np.int64),
        "all alike": lambda: np.ones((n, d), dtype=np.int64),
        "pairs only": lambda: np.eye(n, d, dtype=np.int64) * 2,
        "one huge count": lambda: np.eye(n, d, dtype=np.int64) * (2**31 - 1),
        "one document repeated": lambda: np.repeat(rng.poisson(2, (1, d)), n, axis=0),
        "huge": lambda: rng.integers(0, 10**8, (n, d)),
    }
    return kinds[draw(st.sampled_from(sorted(kinds)))]()


@settings(
    max_examples=80, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
@given(
    matrices(),
    st.sampled_from([None, "refined", "variational", *VARIANTS]),
    st.sampled_from(TOPICS[:1] * 9 + TOPICS),
    *(st.sampled_from(values[:3] * 5 + values) for values in (ALPHAS, EPSILONS, DELTAS)),
)
def test_topics_on_the_simplex_or_a_refusal(
    counts, method, n_topics, alpha0, epsilon, delta
) -> None:
    try:
        if method == "refined":
            model = RefinedLDA(n_topics, alpha0=alpha0, epsilon=epsilon, delta=delta)
        elif method == "variational":
            model = DPVariationalLDA(n_topics, alpha0=alpha0, epsilon=epsilon, delta=delta)
        else:
            plan = method and Plan(
                method[0], epsilon, delta, calibration=method[1].calibration, law=method[1].law
            )
            model = SpectralLDA(n_topics, alpha0=alpha0, plan=plan)
        topics = model.fit(counts).components_
    except DpldaError:
        return
    assert np.min(topics) >= 0
    np.testing.assert_allclose(np.sum(topics, axis=1), 1)
    assert np.all(np.isfinite(model.alpha_))


@pytest.mark.parametrize("name", ["config-2", "config-3", "config-4"])
def test_published_configurations_refuse_documents_without_pairs(
    name: str,
) -> None:
    """Documents of two words have no pairs at all, and σk of their moment is 0."""
    short_documents = csr_array(np.tile(np.eye(5, dtype=np.int64) * 2, (4, 1)))
    plan = Plan(name, 1e6, calibration="as published")
    with pytest.raises(NoTopics, match="no eigenvalue of the pair moment is above zero"):
        SpectralLDA(2, plan=plan).fit(short_documents)
