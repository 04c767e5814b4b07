"""A configuration added in one file and one entry is found everywhere; nobody guesses what it does not say."""

import math

import numpy as np
import pytest

from dplda import Plan, edge_noise, simulate
from dplda.corpus import Simulation
from dplda.evaluation.colours import Style
from dplda.experiments.sweeps import Setting, Store, Sweep, run
from dplda.flow import Edge
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.method_names import FamilyName, MethodGroup
from dplda.methods.base.problem import Problem
from dplda.methods.configurations import REGISTRY, Configuration
from dplda.methods.configurations.chain import spectral_methods
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.methods.configurations.route import MomentRoute
from dplda.methods.configurations.sizes import Quantity, SignalNoise
from dplda.methods.configurations.variant import Variant, by_scaling
from dplda.methods.configurations.verdict import judge_edges
from dplda.methods.registry import METHODS, parse_method
from dplda.privacy.noise.layouts import SymmetricMatrix, SymmetricTensor
from dplda.privacy.release import Status
from dplda.spectral.population import Population
from dplda.spectral.statistics import PairMoment
from dplda.theory.prediction.expected import predicted_methods
from dplda.theory.theorems.spectrum import from_population
from dplda.ui.state.keys import Key
from tests.pages.conftest import written

SMALL = {
    "v": "1",
    "corpus": "simulated_2000_60_3_1_60_poisson_0.1_0",
    "k": "3",
    "alpha0": "1",
    "epsilon": "8",
}
MOMENT = Quantity(
    "moment",
    "Ж",
    "toy moment",
    Edge.E2,
    "It is a toy.",
    lambda noise, size: SignalNoise(7.0, noise, "toys"),
)
TENSOR = Quantity("cube", "Щ", "toy tensor", Edge.E3, "It is another toy.", rests_on=("moment",))


class ToyRoute(MomentRoute):
    """Noise on e2 and on what comes of e3, much too little of it."""

    def e2(self, pairs: PairMoment) -> PairMoment:
        matrix = pairs.matrix()
        noisy = self.mechanisms.gaussian(
            MOMENT, matrix, SymmetricMatrix(len(matrix)), sensitivity=1e-6, mu=1.0
        )
        return PairMoment(noisy)

    def triples(self, statistics, whitening, pairs):
        exact = super().triples(statistics, whitening, pairs)
        return self.mechanisms.gaussian(
            TENSOR, exact, SymmetricTensor(len(exact)), sensitivity=1e-6, mu=1.0
        )


TOY = Configuration(
    name="config-toy",
    family=FamilyName(title="Toy configuration", group=MethodGroup.OURS),
    edges=(Edge.E2, Edge.E3),
    summary="Toys get noise.",
    variants=by_scaling(
        Variant(
            Calibration.PUBLISHED,
            ((MOMENT, 0.5), (TENSOR, 0.5)),
            Status.AS_PUBLISHED,
            ("A toy.",),
            ToyRoute,
        )
    ),
    style=Style.at(len(METHODS), "Ж"),
)
POPULATION = Population(
    np.random.default_rng(0).dirichlet(np.full(60, 0.1), size=3), np.full(3, 1 / 3)
)


@pytest.fixture(autouse=True)
def _one_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REGISTRY, TOY.name, TOY)
    for method in spectral_methods.methods_for_configuration(TOY):
        monkeypatch.setitem(METHODS, method.key, method)


def test_new_configuration_has_noise_rows_in_its_own_words() -> None:
    rows = edge_noise(
        Plan("config-toy", 1.0),
        n_documents=2000,
        n_words=60,
        n_topics=3,
        alpha0=1.0,
        spectrum=from_population(POPULATION),
    )
    assert [(row.name, row.symbol, row.why) for row in rows] == [
        ("moment", "Ж", "It is a toy."),
        ("cube", "Щ", "It is another toy."),
    ]
    assert (rows[0].signal, rows[0].compares) == (7.0, "toys")
    assert math.isnan(rows[1].signal)


def test_new_configuration_has_no_predicted_error() -> None:
    assert not [text for text in predicted_methods() if "config-toy" in text]


def test_new_configuration_fits_with_an_as_published_claim() -> None:
    corpus = simulate(n_documents=500, n_words=30, n_topics=3, alpha0=1.0, mean_length=40, seed=0)
    fitted_run = fit_spectral(corpus, Plan("config-toy", 1.0), Problem(3, 1.0))
    assert [release.symbol for release in fitted_run.releases] == ["Ж", "Щ"]
    assert fitted_run.guarantee.status is Status.AS_PUBLISHED


def test_new_configuration_is_recognized_by_its_edges() -> None:
    assert (
        judge_edges(TOY.edges, {TOY.name: TOY} | REGISTRY).configuration == TOY.name
    )  # before others on the same edges


def test_new_configuration_runs_in_a_sweep(tmp_path) -> None:
    setting = Setting(
        "tiny", Simulation(n_documents=300, n_words=12, n_topics=2, mean_length=20), 2, 1.0
    )
    sweep = Sweep(settings=(setting,), methods=(parse_method("config-toy"),), epsilons=(1.0, 3.0))
    store = Store(sweep, tmp_path)
    run(sweep, store)
    frame = store.frame()
    assert set(frame["method"]) == {"config-toy/as published"}
    assert len(frame) == 2
    assert not any(frame["failed"])


@pytest.mark.parametrize("page", ["topics", "noise", "regimes"])
def test_new_configuration_is_shown_on_every_page(page: str, open_page) -> None:
    app = open_page(page, SMALL | {"configuration": "config-toy"})
    assert not app.error
    assert "Toy configuration" in app.selectbox(key=Key.CONFIGURATION).options
    text_shown = " ".join([written(app), *(table.value.to_string() for table in app.table)])
    if page in ("topics", "noise"):
        assert "Toy configuration" in text_shown
    if page == "noise":
        assert "Ж" in text_shown
        assert "Щ" in text_shown
