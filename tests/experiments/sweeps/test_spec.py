"""Specs: limits, identity, and their TOML text."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplda.core.errors import InputError
from dplda.corpus import Label, LengthLaw, Simulation
from dplda.experiments.specs.spec import noise_seed
from dplda.experiments.sweeps import Embedded, FileSource, Setting, Sweep
from dplda.methods.configurations import REGISTRY
from dplda.methods.registry import METHODS, parse_method
from tests.experiments.sweeps import tiny_sweeps

PRINTABLE = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=20)
NAME = PRINTABLE.filter(lambda text: text.isprintable() and text[0] not in "=+-@")
POSITIVE = st.floats(1e-3, 100)


@st.composite
def sources(draw) -> Simulation | Embedded | FileSource:
    kind = draw(st.sampled_from(["simulation", "embedded", "file"]))
    n_words = draw(st.integers(10, 3000))
    if kind == "embedded":
        return Embedded(n_words, draw(st.integers(3, 1_000_000)))
    if kind == "file":
        text, vocabulary, words = (draw(st.none() | PRINTABLE) for _ in range(3))
        return FileSource(draw(PRINTABLE), Label.PUBLIC, text, n_words, vocabulary, words)
    lengths, seed = draw(st.sampled_from(LengthLaw)), draw(st.integers(0, 2**31 - 1001))
    return Simulation(
        draw(st.integers(3, 10_000)), n_words, 3, draw(POSITIVE), 50, lengths, draw(POSITIVE), seed
    )


@st.composite
def sweeps(draw) -> Sweep:
    settings = [
        Setting(
            name,
            draw(sources()),
            3,
            draw(POSITIVE),
            tuple(draw(st.lists(POSITIVE, max_size=3, unique=True))),
            draw(st.none() | st.floats(1e-12, 0.49)),
        )
        for name in draw(st.lists(NAME, min_size=1, max_size=3, unique=True))
    ]
    methods = [
        parse_method(text)
        for text in draw(st.lists(st.sampled_from(list(METHODS)), min_size=1, unique=True))
    ]
    splits = [
        (method.key, REGISTRY[method.name].variants[method.scaling].default_split)
        for method in methods
        if method.quantities and draw(st.booleans())
    ]
    return Sweep(
        settings,
        methods,
        tuple(draw(st.lists(POSITIVE, min_size=1, max_size=4, unique=True))),
        draw(st.floats(1e-12, 0.49)),
        repeats=draw(st.integers(1, 9)),
        corpora=draw(st.integers(1, 9)),
        seed=draw(st.integers(0, 2**31 - 1)),
        splits=tuple(splits),
        held_out=draw(st.floats(0.01, 0.9)),
    )


@given(sweeps())
def test_text_is_read_back(sweep) -> None:
    reread_sweep = Sweep.from_toml(sweep.to_toml())
    assert reread_sweep == sweep
    assert reread_sweep.digest == sweep.digest


SPEC = """
methods = ["unnoised", "config-1"]
epsilons = [1, 3.0]

[[settings]]
name = "a"
n_topics = 3
alpha0 = 1
[settings.simulation]
n_documents = 1_000
n_topics = 3
"""
DRAWN = SPEC[SPEC.index("[settings.simulation]") :].rstrip()


@pytest.mark.parametrize(
    ("original_text", "changed_text"),
    [
        ("[1, 3.0]", "[3.0, 1]"),
        ('"config-1"', '"config-1/as published"'),
        ("1_000", "1_001"),
        ("alpha0 = 1\n", "alpha0 = 2\n"),
        ("epsilons", "seed = 1\nepsilons"),
    ],
)
def test_digest_of_a_spec_changes_with_what_is_computed(original_text, changed_text) -> None:
    assert (
        Sweep.from_toml(SPEC.replace(original_text, changed_text)).digest
        != Sweep.from_toml(SPEC).digest
    )


@pytest.mark.parametrize(
    ("original_text", "changed_text", "message"),
    [
        ("epsilons", "colour = 1\nepsilon", "colour, epsilon"),
        (
            "[settings.simulation]",
            "shape = 1\n[settings.simulation]",
            "keys of a setting .* got shape",
        ),
        (
            "[settings.simulation]",
            "[settings.embedded]\n[settings.simulation]",
            "a setting must be .* got 2 of them",
        ),
        ('name = "a"\n', "", "no name"),
        ("epsilons = [1, 3.0]", "epsilons = 1", "epsilons must be a list"),
        ("epsilons = [1, 3.0]", "epsilons = [1, 1.0]", "distinct"),
        ("epsilons = [1, 3.0]", "", "epsilons must be at least one value"),
        (
            "epsilons",
            "repeats = 2001\nepsilons",
            "repeats must be a number between 1 and 1000, .* got 2001",
        ),
        ("epsilons", "delta = 1.0\nepsilons", "delta must be"),
        ("epsilons", "held_out = 0\nepsilons", "held_out must be"),
        (
            "epsilons",
            "settings = 3\nepsilons",
            "TOML text, got something else at line 6, column 11",
        ),
        ("n_documents = 1_000", 'lengths = "odd"', "lengths must be one of poisson"),
        (
            "n_topics = 3\nalpha0",
            "n_topics = 4\nalpha0",
            "n_topics of a must be a number between 3 and 3",
        ),
        ('"config-1"', '"config-9"', "method must be"),
        ('"config-1"', '"unnoised"', "methods must be distinct"),
        ('methods = ["unnoised", "config-1"]', "methods = []", "methods must be at least one"),
        ('name = "a"', 'name = "=1+1"', "name of a setting"),
        ("[[settings]]", "[settings]", "settings must be a list"),
        (DRAWN, '[settings.file]\npath = "x.csv"', "file must be complete, got no label"),
        (
            DRAWN,
            '[settings.file]\npath = "x.csv"\nlabel = "sensitive"',
            r"label must be public .* no privacy budget covers",
        ),
    ],
)
def test_spec_out_of_limits_is_refused_with_the_reason(
    original_text, changed_text, message
) -> None:
    assert original_text in SPEC
    with pytest.raises(InputError, match=message):
        Sweep.from_toml(SPEC.replace(original_text, changed_text, 1))


def test_spec_of_enormous_text_is_refused() -> None:
    with pytest.raises(InputError, match="at most 10,000,000 characters"):
        Sweep.from_toml("#" * 10_000_001)


def test_spec_with_too_many_cells_is_refused() -> None:
    grid = tuple(range(1, 21))
    assert tiny_sweeps.sweep("adaptive", epsilons=grid, repeats=1000).n_cells == 20_000
    with pytest.raises(InputError, match="at most 20,000 cells, got 20,001"):
        tiny_sweeps.sweep("adaptive", "unnoised", epsilons=grid, repeats=1000)


def test_splits_are_those_that_a_plan_accepts() -> None:
    base = tiny_sweeps.sweep("shared-moment", "unnoised")
    own_split = REGISTRY["shared-moment"].variants["corrected"].default_split
    assert replace(base, splits=(("shared-moment", own_split),)).splits == (
        (base.methods[0].key, own_split),
    )
    for text, split in (
        ("shared-moment", own_split[:1]),
        ("shared-moment", tuple((name, 0.9) for name, _ in own_split)),
        ("adaptive", own_split),
        ("unnoised", ()),
    ):
        with pytest.raises(InputError):
            replace(base, splits=((text, split),))


def test_order_is_corpus_setting_exact_methods_repeat_epsilon_method() -> None:
    sweep = tiny_sweeps.sweep("adaptive", "unnoised", "config-1", corpora=2)
    cells_seen = [
        f"{cell.corpus} {cell.method.name} {cell.repeat} {cell.epsilon}" for cell in sweep.cells()
    ]
    private = [
        f"{method} 0 {epsilon}" for epsilon in (1.0, 8.0) for method in ("adaptive", "config-1")
    ]
    first_cells = ["unnoised 0 None", *private, "adaptive 1 1.0"]
    assert cells_seen[:6] == [f"0 {cell}" for cell in first_cells]
    assert cells_seen[9] == "1 unnoised 0 None"


def test_noise_seeds_are_those_written_down() -> None:
    """A change here changes every stored number: raise the version of the package with it."""
    sweep = tiny_sweeps.sweep(seed=7)
    seeds = [noise_seed(sweep, corpus=c, repeat=r) for c in (0, 1) for r in (0, 1)]
    assert seeds == [2083679832, 2028854884, 369571992, 582607262]
    assert len({noise_seed(sweep, corpus=c, repeat=r) for c in range(30) for r in range(30)}) == 900
