"""Whatever is given for an argument of the public functions: they work, or refuse in a sentence of their own."""

import io
import math
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial

import numpy as np
import pandas as pd
import pytest

import dplda
from dplda import Corpus, Plan, flow, topic_error
from dplda.core.errors import DpldaError
from dplda.corpus import Selection, Simulation, Tokenisation, simulate
from dplda.methods.dpvi.settings import VariationalSettings
from tests.tiny_corpora import random_rows

COUNTS = random_rows(0, 20, 6, 12, 3)
TOPICS = np.full((2, 6), 1 / 6)
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
    "a gap": pd.NA,
    "a type": int,
    "an object": object(),
}


@cache
def met() -> Corpus:
    lines = io.BytesIO(b"green tea with milk\nblack tea with milk\n" * 30)
    return dplda.load(("cups.txt", lines), label="public", n_words=None)


def counted(**given: object) -> Corpus:
    usual = {"matrix": COUNTS, "vocabulary": None, "label": "public", "name": "x"}
    return Corpus.from_counts(**(usual | given))


def selected(**given: object) -> Corpus:
    usual = {"corpus": met(), "selection": Selection(listed=("tea", "milk"))}
    return dplda.select_words(**(usual | given))


CALLS: dict[str, tuple[Callable[..., object], tuple[str, ...]]] = {
    "Corpus.from_counts": (
        counted,
        ("matrix", "vocabulary", "label", "vocabulary_source", "persons"),
    ),
    "Plan": (
        partial(Plan, **{"configuration": "adaptive", "epsilon": 3.0}),
        (
            "configuration",
            "epsilon",
            "delta",
            "split",
            "clip_quantile",
            "first_words",
            "calibration",
            "law",
            "chosen",
        ),
    ),
    "Selection": (Selection, ("n_words", "epsilon", "delta", "listed")),
    "Simulation": (
        Simulation,
        ("n_documents", "n_words", "n_topics", "alpha0", "mean_length", "lengths", "newspaper"),
    ),
    "Tokenisation": (
        Tokenisation,
        ("pattern", "lowercase", "min_letters", "stop_words", "pre_tokenised"),
    ),
    "VariationalSettings": (
        VariationalSettings,
        ("sampling_rate", "longest", "bound", "decay", "accountant", "word_steps"),
    ),
    "flow.leaks": (flow.leaks, ("noised",)),
    "select_words": (selected, ("corpus", "selection")),
    "simulate": (
        partial(
            simulate,
            **{
                "n_documents": 10,
                "n_words": 6,
                "n_topics": 2,
                "alpha0": 0.5,
                "mean_length": 9,
                "seed": 0,
            },
        ),
        ("n_documents", "n_words", "n_topics", "alpha0", "mean_length", "seed", "lengths"),
    ),
    "topic_error": (
        partial(topic_error, **{"truth": TOPICS, "estimate": TOPICS}),
        ("truth", "estimate"),
    ),
}


@pytest.mark.parametrize(
    ("name", "argument"), [(name, each) for name, (_, those) in CALLS.items() for each in those]
)
def test_public_functions_work_or_refuse_whatever_an_argument_is(name: str, argument: str) -> None:
    call, _ = CALLS[name]
    for value in ABSURD.values():
        with suppress(DpldaError):
            call(**{argument: value})
