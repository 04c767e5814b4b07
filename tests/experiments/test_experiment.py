"""The value of an experiment: its written forms agree, it names its results, and its fit is its method's own."""

import json
import pickle
from dataclasses import replace

import numpy as np
import pytest

from dplda.core.errors import InputError
from dplda.corpus import Corpus, Label, Simulation
from dplda.experiments.experiment import (
    CorpusKind,
    Experiment,
    HeldDocuments,
    fit,
    kind_of_source,
)
from dplda.experiments.run_card import read_card, run_card
from dplda.experiments.run_script import script
from dplda.experiments.sources import Embedded
from dplda.experiments.specs.spec import Sweep
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.previous_release import PreviousRelease
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.base.runtime import Runtime
from dplda.methods.configurations.plan import Plan
from dplda.methods.registry import parse_method, parse_method_spec
from dplda.privacy.accounting.gaussian import mu_for
from dplda.ui.state import link

SIMULATION = Simulation(n_documents=400, n_words=20, n_topics=3, mean_length=30, seed=4)
CONFIGURATION_2 = MethodSpec(name="config-2", scaling=Calibration.PUBLISHED)
SPLIT = (("σk", 0.1), ("e6", 0.523), ("e8", 0.377))


def experiment(method: str = "refined", **changes) -> Experiment:
    plain = Experiment(
        corpus=SIMULATION,
        method=parse_method_spec(method),
        problem=Problem(3, 0.5),
        budget=Budget(8.0, 1e-6),
        seed=7,
    )
    return replace(plain, **changes)


def with_split() -> Experiment:
    return replace(experiment(), method=CONFIGURATION_2, budget=Budget(2.0, 1e-6, SPLIT))


EVERY = [experiment(text) for text in ("refined", "adaptive", "dp-vi/as published")]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return SIMULATION.draw()


@pytest.mark.parametrize("written", [*EVERY, with_split()], ids=lambda one: one.method.text)
def test_link_of_an_experiment_is_read_back_equal(written) -> None:
    address = {name: text for name, text in link.query(written).items() if text}
    assert link.read(address) == written


@pytest.mark.parametrize("source", [SIMULATION, Embedded(), HeldDocuments(), link.TEACHING])
def test_link_of_every_source_is_read_back_equal(source) -> None:
    address = {name: text for name, text in link.query(experiment(corpus=source)).items() if text}
    assert link.read(address).corpus == source


@pytest.mark.parametrize("text", ["refined", "adaptive"])
def test_card_of_an_experiment_is_read_back_equal(text, corpus) -> None:
    written_experiment = experiment(text)
    assert (
        read_card(run_card(fit(written_experiment, corpus), written_experiment, corpus)).experiment
        == written_experiment
    )


def test_card_of_a_split_is_read_back_equal(corpus) -> None:
    shares = (0.01, 0.01, 0.08, 0.6, 0.02, 0.28)
    names = experiment("adaptive").registered_method.quantities
    budget = Budget(80.0, 1e-6, tuple(zip(names, shares, strict=True)))
    written_experiment = experiment("adaptive", budget=budget)
    assert (
        read_card(run_card(fit(written_experiment, corpus), written_experiment, corpus)).experiment
        == written_experiment
    )


def test_card_says_what_the_link_says(corpus) -> None:
    written_experiment = experiment()
    card = json.loads(run_card(fit(written_experiment, corpus), written_experiment, corpus))
    address = link.query(written_experiment)
    assert card["corpus"]["kind"] == str(address["corpus"]).partition("_")[0]
    assert card["seed"] == int(str(address["seed"]))
    assert f"{card['epsilon']:g}" == address["epsilon"]


def test_script_names_method_seed_budget(corpus) -> None:
    code = script(experiment("private-unigram"), corpus)
    assert "parse_method('private-unigram'), Resources(7)" in code
    assert "Budget(8.0, 1e-06)" in code


SPEC = """
methods = ["unnoised", "config-2/as published"]
epsilons = [2.0]
delta = 1e-6
repeats = 2
corpora = 2
seed = 3

[splits."config-2/as published"]
"σk" = 0.1
e6 = 0.523
e8 = 0.377

[[settings]]
name = "small"
n_topics = 3
alpha0 = 0.5

[settings.simulation]
n_documents = 400
n_words = 20
n_topics = 3
mean_length = 30
seed = 4
"""


def test_cell_of_a_spec_is_the_experiment_of_its_numbers() -> None:
    sweep = Sweep.from_toml(SPEC)
    cell = next(cell for cell in sweep.cells() if cell.corpus == 1 and cell.repeat == 1)
    described = sweep.experiment_for(cell)
    assert described.corpus == replace(SIMULATION, seed=5)
    assert replace(described, corpus=SIMULATION, seed=7) == with_split()


def test_cells_without_noise_have_no_budget() -> None:
    sweep = Sweep.from_toml(SPEC)
    described = sweep.experiment_for(next(sweep.cells()))
    assert described.budget == Budget()


def test_seeds_of_cells_differ_by_corpus_or_repeat_alone() -> None:
    sweep = Sweep.from_toml(SPEC)
    seeds = {(cell.corpus, cell.repeat): sweep.experiment_for(cell).seed for cell in sweep.cells()}
    assert len(set(seeds.values())) == len(seeds) == 4


def test_plan_of_a_configuration_is_made_from_its_budget() -> None:
    assert with_split().plan == Plan(
        "config-2", 2.0, 1e-6, split=SPLIT, calibration=Calibration.PUBLISHED
    )
    assert experiment().plan is None


def test_experiment_of_a_plan_gives_it_back() -> None:
    plan = with_split().plan
    assert plan is not None
    assert Experiment.of_plan(plan, corpus=SIMULATION, problem=Problem(3, 0.5), seed=7) == (
        with_split()
    )


def test_fit_takes_the_seed_of_its_experiment(corpus) -> None:
    by_experiment = fit(experiment(), corpus, Runtime(seed=99))
    method = experiment().registered_method
    by_method = method.fit(corpus, Problem(3, 0.5), Budget(8.0, 1e-6), Runtime(seed=7))
    np.testing.assert_array_equal(by_experiment.topics.words, by_method.topics.words)


def test_experiments_on_equal_documents_are_one_key(corpus) -> None:
    own_name = replace(corpus, name="other")
    assert experiment().on_documents(corpus) == experiment().on_documents(own_name)
    assert hash(experiment().on_documents(corpus)) == hash(experiment().on_documents(own_name))


def test_documents_of_another_label_are_another_key(corpus) -> None:
    sensitive = Corpus.from_counts(corpus.counts, label=Label.SENSITIVE, name="mail")
    assert experiment().on_documents(corpus) != experiment().on_documents(sensitive)


def test_experiment_is_small_when_it_is_sent(corpus) -> None:
    placed = experiment().on_documents(corpus)
    assert pickle.loads(pickle.dumps(placed)) == placed
    assert len(pickle.dumps(placed)) < 2_000


def test_noiseless_experiment_keeps_the_budget_where_it_sets_the_clipping() -> None:
    adaptive = parse_method_spec("adaptive")
    assert experiment().without_noise(adaptive).budget == Budget(8.0, 1e-6)


@pytest.mark.parametrize("text", ["refined", "unnoised"])
def test_noiseless_experiment_is_the_same_for_every_budget_otherwise(text) -> None:
    first_experiment, second_experiment = (
        experiment(budget=Budget(epsilon, 1e-6), seed=5) for epsilon in (1.0, 2.0)
    )
    spec = parse_method_spec(text)
    assert first_experiment.without_noise(spec) == second_experiment.without_noise(spec)


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        (SIMULATION, CorpusKind.SIMULATED),
        (Embedded(), CorpusKind.EMBEDDED),
        (HeldDocuments(), CorpusKind.UPLOADED),
    ],
)
def test_kind_of_source_is_its_written_name(source, kind) -> None:
    assert kind_of_source(source) is kind


def test_fit_runs_the_method_that_it_is_given(corpus) -> None:
    noiseless_experiment = experiment("unnoised", budget=Budget())
    unlisted = replace(
        noiseless_experiment.registered_method,
        fit=lambda *arguments: replace(
            noiseless_experiment.registered_method.fit(*arguments), releases=("mine",)
        ),
    )
    assert fit(noiseless_experiment, corpus, method=unlisted).releases == ("mine",)


def test_fit_given_an_earlier_release_continues_it(corpus) -> None:
    first_experiment = experiment()
    state = fit(first_experiment, corpus).state
    previous = PreviousRelease(state, mu_for(8.0, 1e-6), None, "key")
    second = replace(first_experiment, budget=Budget(9.0, 1e-6))
    by_experiment = fit(second, corpus, previous=previous)
    by_method = first_experiment.registered_method.fit_continued(
        previous, corpus, second.problem, second.budget, Runtime(seed=7)
    )
    np.testing.assert_array_equal(by_experiment.topics.words, by_method.topics.words)


def test_fit_of_a_method_that_continues_nothing_refuses_an_earlier_release(corpus) -> None:
    state = fit(experiment(), corpus).state
    previous = PreviousRelease(state, 0.1, None, "key")
    with pytest.raises(InputError, match="can continue a release"):
        fit(experiment("adaptive"), corpus, previous=previous)


def test_sweep_of_an_experiment_takes_its_problem_delta_seed() -> None:
    methods = [parse_method("refined")]
    sweep = Sweep.of_experiment(
        experiment(), name="own", source=SIMULATION, methods=methods, epsilons=[8.0], repeats=1
    )
    (cell,) = sweep.cells()
    of_cell = sweep.experiment_for(cell)
    assert sweep.seed == 7
    assert replace(of_cell, seed=7) == experiment()
