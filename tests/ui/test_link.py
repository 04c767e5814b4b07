from urllib.parse import parse_qs, urlencode

import pytest

from dplda.corpus import Simulation
from dplda.experiments.experiment import Experiment
from dplda.experiments.sources import Embedded
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.problem import Problem
from dplda.methods.configurations.plan import Plan
from dplda.methods.registry import calibrations, parse_method, private_methods
from dplda.ui.state import link
from tests.asking import settings_of

EXPERIMENT = Experiment.of_plan(
    Plan("adaptive", 0.5, 1e-6), corpus=Embedded(), problem=Problem(7, 0.3), seed=12
)


def test_link_names_only_settings_that_differ_from_the_defaults() -> None:
    query_given = {name: text for name, text in link.query(EXPERIMENT).items() if text}
    query = {name: values[0] for name, values in parse_qs(urlencode(query_given)).items()}
    assert query == {
        "corpus": "docstrings",
        "configuration": "adaptive",
        "epsilon": "0.5",
        "delta": "1e-6",
        "k": "7",
        "alpha0": "0.3",
        "seed": "12",
    }
    assert link.complaints(query) == ()
    assert not any(link.query(link.read({})).values())


@pytest.mark.parametrize(
    "simulation", [Simulation(), Simulation(n_documents=100, alpha0=0.01, topic_concentration=2)]
)
def test_link_of_a_simulated_corpus_reads_back(simulation) -> None:
    assert link.read_simulation(link.corpus_text(simulation)) == simulation


@pytest.mark.parametrize(
    "text", ["", "simulated", "simulated_1_2_3_4_5_poisson_6_7", "simulated_a_b_c_d_e_f_g_h", "x"]
)
def test_link_with_a_bad_corpus_reads_as_none(text) -> None:
    assert link.read_simulation(text) is None


UNUSABLE = {
    "epsilon": ("0.11", "nan"),
    "delta": ("1e-99",),
    "k": ("<b>9</b>", "1"),
    "alpha0": ("inf",),
    "seed": ("-1",),
    "configuration": ("unheard of",),
    "calibration": ("published", "unheard of"),
    "split": (
        "500_500",
        "10_10_60_650_20_251",
        "1_19_60_650_20_250",
        "a_b_c_d_e_f",
        "-10_30_60_650_20_250",
    ),
    "edges": ("e0_e99", "e0__e6"),
    "corpus": ("simulated_x",),
    "names": ("x" * 61, "x\n" * 40, "\n".join(["𝛼" * 50] * 40)),
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in UNUSABLE.items() for value in values]
)
def test_unusable_link_part_is_named_without_its_value(name, value) -> None:
    (complaint,) = link.complaints({"v": "1", name: value})
    assert name in complaint
    assert value not in complaint


def test_link_of_another_version_is_complained_of() -> None:
    assert "another version" in link.complaints({"v": "99"})[0]
    assert link.complaints({}) == ()


def test_link_of_version_1_without_a_method_means_adaptive() -> None:
    assert link.method_in({"v": "1"}).name == "adaptive"
    assert link.method_in({}).name == link.method_in({"v": "2"}).name == "refined"
    assert link.complaints({"v": "1"}) == ()


def address_of(experiment: Experiment) -> dict[str, str]:
    address = {name: text for name, text in link.query(experiment).items() if text}
    assert link.read(address) == experiment
    return address


@pytest.mark.parametrize("name", [method.name for method in private_methods()])
def test_link_of_every_calibration_reads_back(name) -> None:
    for method in calibrations(name).values():
        address = address_of(settings_of(method, n_topics=3, alpha0=1.0, epsilon=1.0, delta=1e-7))
        assert link.complaints(address) == ()
        assert link.method_in(address) is method


def test_link_of_an_own_split_reads_back_as_the_same_plan() -> None:
    split = (("σk", 0.1), ("e6", 0.523), ("e8", 0.377))
    plan = Plan("config-2", 1.0, split=split, calibration=Calibration.PUBLISHED)
    query = address_of(Experiment.of_plan(plan, corpus=Embedded(), problem=Problem(3, 1.0), seed=0))
    assert (query["calibration"], query["split"]) == ("published", "100_523_377")
    assert link.complaints(query) == ()
    method = link.method_in(query)
    assert method is parse_method("config-2/as published")
    split_read = link.read_split(method, query["split"])
    assert split_read is not None
    assert split_read.shares == split
