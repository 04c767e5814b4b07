"""Whatever is given for an argument of the public functions: they work, or refuse in a sentence of their own."""

import inspect
import io
import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator

import dplda
from dplda.core.errors import DpldaError
from dplda.corpus import Corpus, Limits, Selection, Simulation, Tokenisation
from dplda.methods.dpvi.accounting import Accountant
from dplda.methods.dpvi.settings import VariationalSettings
from dplda.methods.refined.plan.constants import RefinedConstants
from dplda.theory.theorems.spectrum import Spectrum, from_fit
from tests.tiny_corpora import random_rows

COUNTS = random_rows(0, 20, 6, 12, 3)
TOPICS = np.full((2, 6), 1 / 6)
CORPUS = dplda.simulate(n_documents=60, n_words=12, n_topics=2, alpha0=0.5, mean_length=20, seed=0)
TWO_STEPS = VariationalSettings(sampling_rate=1.0, epochs=2.0, accountant=Accountant.CLASSIC)
SETTINGS = (Selection, Simulation, Tokenisation, Limits, VariationalSettings, RefinedConstants)
"""Classes beside those of ``dplda.__all__`` whose objects are arguments of public functions."""

ABSURD: dict[str, object] = {
    "None": None,
    "True": True,
    "zero": 0,
    "minus one": -1,
    "three as a float": 3.0,
    "a half": 0.5,
    "many": 10**11,
    "very many": 10**30,
    "large": 1e300,
    "small": 1e-300,
    "NaN": math.nan,
    "infinity": math.inf,
    "complex": 1j,
    "a fraction": Fraction(1, 3),
    "a decimal": Decimal("1.5"),
    "a word": "bogus",
    "no text": "",
    "half a character": "\ud800",
    "bytes": b"x",
    "a list": [1],
    "no list": [],
    "a tuple": (),
    "a dictionary": {},
    "a set": set(),
    "no axes": np.array(3),
    "one axis": np.array([1, 2]),
    "objects": np.array([None]),
    "a table": pd.DataFrame({"a": [1]}),
    "more than memory": range(10**9),
    "rows of different lengths": [[1, 2], [3]],
    "itself": (ITSELF := []),
    "more digits than a float": 10**400,
    "complex numbers": np.full((20, 12), 1j),
    "a short integer": np.uint8(3),
    "a long text with a line end": "x\n" * 10_000,
    "a gap": pd.NA,
    "a type": int,
    "an object": object(),
}
ITSELF.append(ITSELF)
MAX_CHARACTERS = 600  # of a refusal


@cache
def cups() -> Corpus:
    lines = io.BytesIO(b"green tea with milk\nblack tea with milk\n" * 30)
    return dplda.load(("cups.txt", lines), label="public", n_words=None)


@cache
def spectral_model() -> dplda.SpectralLDA:
    return dplda.SpectralLDA(2, alpha0=0.5).fit(CORPUS)


@cache
def refined_model() -> dplda.RefinedLDA:
    return dplda.RefinedLDA(2, alpha0=0.5, epsilon=30.0).fit(CORPUS)


@cache
def spectrum() -> Spectrum:
    return from_fit(spectral_model().fit_)


def load(**arguments: object) -> Corpus:
    lines = io.BytesIO(b"green tea with milk\nblack tea with milk\nmilk without tea\n")
    return dplda.load(**({"source": ("cups.txt", lines), "label": "public"} | arguments))


def with_labels() -> Corpus:
    table = io.BytesIO(b"text,part\ngreen tea,a\nblack tea,b\nmilk tea,a\n")
    return dplda.load(("cups.csv", table), label="public", groups=["part"])


@cache
def released_file() -> Path:
    """A released file, made with a ledger of its own."""
    return next((Path(__file__).parent / "release" / "before" / "releases").glob("*.dplda.json"))


def load_with(settings: type, keyword: str) -> Callable[..., object]:
    """Reading with the settings that are made of the given arguments."""
    return lambda **arguments: load(**{keyword: settings(**arguments)})


def fit(estimator: type[BaseEstimator], **arguments: object) -> BaseEstimator:
    return estimator(**({"n_topics": 2} | arguments)).fit(CORPUS)


@dataclass(frozen=True, slots=True)
class Call:
    """A public function with arguments that it accepts, one of which is replaced.

    Attributes:
        function: what is called, with keywords alone.
        usual: functions that make the accepted arguments.
        arguments: names of the arguments that are replaced.
    """

    function: Callable[..., object]
    usual: dict[str, Callable[[], object]]
    arguments: tuple[str, ...]

    def with_usual_arguments(self) -> object:
        return self.function(**{name: make() for name, make in self.usual.items()})

    def with_value(self, argument: str, value: object) -> object:
        usual = {name: make() for name, make in self.usual.items() if name != argument}
        return self.function(**usual, **{argument: value})


def always(value: object) -> Callable[[], object]:
    return lambda: value


def call(function: Callable[..., object], arguments: str, **usual: object) -> Call:
    """A call whose accepted arguments are values, or functions without a name that make them."""
    makers = {
        name: value if getattr(value, "__name__", "") == "<lambda>" else always(value)
        for name, value in usual.items()
    }
    return Call(function, makers, tuple(arguments.split()))


CALLS: dict[str, Call] = {
    "Corpus": call(
        Corpus,
        "counts vocabulary label name vocabulary_source truth intake persons of_persons selection"
        " origin texts reading former group_columns",
        counts=COUNTS,
        vocabulary=tuple("abcdef"),
        label="public",
        name="x",
        vocabulary_source="fixed",
    ),
    "Corpus.by_person": call(lambda: replace(CORPUS, persons=np.arange(60)).by_person(), ""),
    "Corpus.from_counts": call(
        Corpus.from_counts,
        "matrix vocabulary label name vocabulary_source persons",
        matrix=COUNTS,
        label="public",
        name="x",
    ),
    "Corpus.labels_in": call(
        lambda **arguments: with_labels().labels_in(**arguments), "column", column="part"
    ),
    "Corpus.in_memory": call(lambda: CORPUS.in_memory(), ""),
    "DPVariationalLDA": call(
        partial(fit, dplda.DPVariationalLDA),
        "n_topics alpha0 epsilon delta calibration settings random_state",
        settings=TWO_STEPS,
    ),
    "FittedTopics.fit": call(
        lambda **arguments: dplda.SpectralLDA(2).fit(**arguments), "X y", X=CORPUS
    ),
    "FittedTopics.leading_words": call(
        lambda **arguments: spectral_model().leading_words(**arguments), "n_words"
    ),
    "FittedTopics.perplexity": call(
        lambda **arguments: spectral_model().perplexity(**arguments), "X background", X=CORPUS
    ),
    "FittedTopics.score": call(
        lambda **arguments: spectral_model().score(**arguments), "X y", X=CORPUS
    ),
    "FittedTopics.transform": call(
        lambda **arguments: spectral_model().transform(**arguments), "X", X=CORPUS
    ),
    "Limits": call(
        load_with(Limits, "limits"),
        "max_bytes max_documents max_field_chars max_distinct_words max_words_per_document"
        " max_seconds max_seconds_per_megabyte",
    ),
    "Plan": call(
        dplda.Plan,
        "configuration epsilon delta split clip_quantile first_words calibration law chosen",
        configuration="adaptive",
        epsilon=3.0,
    ),
    "Plan.from_json": call(
        dplda.Plan.from_json, "text", text=dplda.Plan("adaptive", epsilon=3.0).to_json()
    ),
    "Plan.to_json": call(lambda: dplda.Plan("adaptive", 3.0).to_json(), ""),
    "RefinedConstants": call(
        lambda **arguments: dplda.RefinedLDA(2, recipe=RefinedConstants(**arguments)).fit(CORPUS),
        "clip_norm word_share low_noise noise_where_topics_are_infeasible max_start_noise"
        " min_start_share max_noisy_start_share tolerable_moment_noise largest_start_share"
        " low_start_noise n_steps budget_growth_exponent initial_alpha0_cap averaging_weight"
        " misfit_tolerance max_evidence_share prior_only_noise prior_test_share",
    ),
    "RefinedLDA": call(
        partial(fit, dplda.RefinedLDA),
        "n_topics alpha0 epsilon delta recipe prior trust_prior random_state",
    ),
    "Selection": call(Selection, "n_words epsilon delta listed"),
    "Simulation": call(
        Simulation,
        "n_documents n_words n_topics alpha0 mean_length lengths topic_concentration seed"
        " newspaper",
    ),
    "SpectralLDA": call(
        partial(fit, dplda.SpectralLDA), "n_topics alpha0 plan refine random_state"
    ),
    "Tokenisation": call(
        load_with(Tokenisation, "tokenisation"),
        "pattern lowercase min_letters stop_words pre_tokenised",
    ),
    "VariationalSettings": call(
        lambda **arguments: dplda.DPVariationalLDA(
            2, settings=VariationalSettings(**arguments)
        ).fit(CORPUS),
        "sampling_rate epochs longest bound batch_bound offset decay topic_prior spread tolerance"
        " most_iterations accountant word_steps words_bound clipping halves_minibatches",
        sampling_rate=1.0,
        epochs=2.0,
        accountant=Accountant.CLASSIC,
    ),
    "alpha0_of_person": call(
        dplda.alpha0_of_person, "alpha0 documents_per_person", alpha0=0.1, documents_per_person=3.0
    ),
    "audit_topics": call(
        dplda.audit_topics,
        "topics members others delta error seed",
        topics=np.full((2, 12), 1 / 12),
        members=CORPUS.counts[:20],
        others=CORPUS.counts[20:],
    ),
    "edge_noise": call(
        dplda.edge_noise,
        "plan n_documents n_words n_topics alpha0 spectrum known mean_length",
        plan=dplda.Plan("adaptive", epsilon=3.0),
        n_documents=60,
        n_words=12,
        n_topics=2,
        alpha0=0.5,
        spectrum=lambda: spectrum(),
    ),
    "flow.Flow": call(
        dplda.flow.Flow,
        "steps arrows noised",
        steps=dplda.flow.SPECTRAL.steps,
        arrows=dplda.flow.SPECTRAL.arrows,
    ),
    "flow.Flow.arrow": call(dplda.flow.SPECTRAL.arrow, "edge", edge="e2"),
    "flow.Flow.in_order": call(dplda.flow.SPECTRAL.in_order, "edges", edges=("e2",)),
    "flow.is_cut": call(dplda.flow.is_cut, "noised flow", noised=("e2",)),
    "flow.leak_sentences": call(dplda.flow.leak_sentences, "noised flow", noised=("e2",)),
    "flow.leaks": call(dplda.flow.leaks, "noised flow", noised=("e2",)),
    "flow.minimal_cuts": call(dplda.flow.minimal_cuts, "flow"),
    "flow.paths": call(dplda.flow.paths, "flow"),
    "load": call(
        load,
        "source text person groups by_file label name vocabulary n_words limits encoding words tokenisation"
        " former report",
    ),
    "open_release": call(dplda.open_release, "path", path=lambda: released_file()),
    "python_docs": call(dplda.python_docs, "n_words n_documents"),
    "report_html": call(
        dplda.report_html,
        "model vocabulary documents n_documents names",
        model=lambda: refined_model(),
        vocabulary=CORPUS.vocabulary,
    ),
    "select_words": call(
        dplda.select_words,
        "corpus selection noise",
        corpus=lambda: cups(),
        selection=Selection(listed=("tea", "milk")),
    ),
    "simulate": call(
        dplda.simulate,
        "n_documents n_words n_topics alpha0 mean_length seed lengths topic_concentration"
        " equal_alpha newspaper",
        n_documents=10,
        n_words=6,
        n_topics=2,
        alpha0=0.5,
        mean_length=9,
        seed=0,
    ),
    "topic_shares": call(
        dplda.topic_shares,
        "model corpus groups public_groups epsilon delta is_ordered random_state",
        model=lambda: refined_model(),
        corpus=CORPUS,
        groups=("north", "south") * 30,
        public_groups=("north", "south"),
        epsilon=1.0,
    ),
    "topic_error": call(dplda.topic_error, "truth estimate", truth=TOPICS, estimate=TOPICS),
    "utility_bound": call(
        dplda.utility_bound,
        "plan n_documents spectrum reading",
        plan=dplda.Plan("config-1", epsilon=5.0, calibration="as published"),
        n_documents=60,
        spectrum=lambda: spectrum(),
    ),
}


def public_objects() -> Iterator[tuple[str, object]]:
    """Every public name with what it stands for; those of a module with the module's name."""
    for name in dplda.__all__:
        value = getattr(dplda, name)
        if inspect.ismodule(value):
            yield from ((f"{name}.{inner}", getattr(value, inner)) for inner in value.__all__)
        else:
            yield name, value
    yield from ((settings.__name__, settings) for settings in SETTINGS)


def public_functions() -> Iterator[tuple[str, Callable[..., object]]]:
    """Public functions, constructors and methods.

    Python looks up members of enumerations, and scikit-learn has the methods that it lends: those are not ours.
    """
    for name, value in public_objects():
        is_enumeration = inspect.isclass(value) and issubclass(value, Enum)
        if not callable(value) or is_enumeration:
            continue
        yield name, value
        if not inspect.isclass(value) or value in SETTINGS:
            continue
        for owner in inspect.getmro(value):
            if owner.__module__.startswith("dplda."):
                prefix = name if owner is value else owner.__name__
                for method in vars(owner):
                    if not method.startswith("_") and callable(getattr(value, method)):
                        yield f"{prefix}.{method}", getattr(value, method)


def arguments_of(function: Callable[..., object]) -> tuple[str, ...]:
    return tuple(name for name in inspect.signature(function).parameters if name != "self")


def test_table_of_calls_holds_every_argument_of_every_public_function() -> None:
    table = {name: case.arguments for name, case in CALLS.items()}
    assert table == {name: arguments_of(function) for name, function in public_functions()}


@pytest.mark.parametrize("name", CALLS)
def test_public_function_with_its_usual_arguments_works(name: str) -> None:
    CALLS[name].with_usual_arguments()


@pytest.mark.timeout(120)  # a value that freezes its function fails
@pytest.mark.parametrize(
    ("name", "argument"),
    [(name, argument) for name, case in CALLS.items() for argument in case.arguments],
)
def test_public_function_with_any_value_of_an_argument_works_or_refuses(
    name: str, argument: str
) -> None:
    for value in ABSURD.values():
        try:
            CALLS[name].with_value(argument, value)
        except DpldaError as refusal:
            sentence = str(refusal)
            assert sentence.isprintable()
            assert len(sentence) < MAX_CHARACTERS


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        ("edge_noise", "n_documents"),
        ("edge_noise", "n_words"),
        ("utility_bound", "n_documents"),
        ("simulate", "mean_length"),
    ],
)
@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int32])
def test_short_integer_counts_as_the_number_that_it_is(
    name: str, argument: str, kind: type
) -> None:
    case = CALLS[name]
    number = case.usual[argument]()
    assert_equal(case.with_value(argument, kind(number)), case.with_usual_arguments())


def assert_equal(value: object, other_value: object) -> None:
    if isinstance(value, Corpus):
        assert value.digest == other_value.digest
    else:
        assert repr(value) == repr(other_value)


@pytest.mark.parametrize("n_documents", [np.uint8(200), np.int8(100)])
def test_simulation_of_short_integers_has_as_many_words(n_documents: int) -> None:
    simulation = Simulation(n_documents=n_documents, mean_length=np.uint8(100))
    assert simulation.n_tokens == int(n_documents) * 100


def test_vocabulary_without_an_end_is_refused() -> None:
    with pytest.raises(DpldaError, match="vocabulary must be a list of 2 to 1,000,000 words"):
        load(vocabulary=(f"word{'a' * (number % 7)}" for number in itertools.count()))
    with pytest.raises(DpldaError, match="got one text"):
        load(vocabulary="tea milk")


def test_pattern_of_a_megabyte_is_refused() -> None:
    with pytest.raises(DpldaError, match="at most 10,000 characters, got one of 1,000,000"):
        Tokenisation(pattern="x" * 1_000_000)
