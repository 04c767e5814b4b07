"""Every configuration with its noise dropped, halved or doubled on one release, or passed by: a named check kills it.

Three checks. ``as_declared``: what a mechanism added is its source's draws at the declared scale. ``as_planned``: the
declared scale is sensitivity over share of the budget, formulas written out a second time. ``only_answers``: topics do
not change when documents do and the answers are the same. The law of the draws at a declared scale is tested on the
mechanisms (tests/privacy/test_mechanisms.py).
"""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.stats import norm

from dplda import Corpus
from dplda.corpus import Label
from dplda.flow import Edge
from dplda.methods.base.calibration import Calibration, NoiseLaw
from dplda.methods.base.problem import Problem
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.chain.spectral_methods import fit_spectral
from dplda.methods.configurations.route import Route
from dplda.privacy import sensitivity
from dplda.privacy.accounting.gaussian import mu_for
from dplda.privacy.mechanisms import Mechanisms
from dplda.privacy.release import Release
from dplda.spectral.cumulants import Coefficients
from tests.methods.configurations.replay import Watched, recorded
from tests.methods.configurations.test_every_edge import draws, every_release
from tests.methods.configurations.variants import CORPUS, ENTRIES, Entry, every_variant
from tests.privacy.sources import TamperedNoise, seeded
from tests.tiny_corpora import repeated_word

SEED = 2
biggest = cache(
    lambda: fit_spectral(CORPUS, None, Problem(3, 1.0)).details.whitening.spectrum[0]
)  # of the pair moment, un-noised


def as_declared(watched: Watched) -> list[bool]:
    """Of every release: whether an honest mechanism, asked for the same on zeros, draws the noise that was added."""
    honest = Mechanisms(seeded(SEED))
    results = []
    for call in watched.calls:
        if call.method == "clip_level":
            expected = honest.clip_level(call.label, call.shown, **call.named)
            results.append(expected == call.answer)
            continue
        zeros = np.zeros_like(call.shown) if np.ndim(call.shown) else 0.0
        drawn_noise = getattr(honest, call.method)(call.label, zeros, *call.others, **call.named)
        scale = max(np.max(np.abs(call.shown)), np.max(np.abs(drawn_noise)))
        results.append(
            bool(np.allclose(call.answer - call.shown, drawn_noise, rtol=1e-6, atol=1e-12 * scale))
        )
    return results


def as_planned(entry: Entry, watched: Watched) -> list[bool]:
    """Of every release: whether its scale is the stated one; above it only by what covers rounding."""
    n, scales = CORPUS.n_documents, [release.scale for release in watched.releases]
    planned_scales = stated_scales(
        entry,
        watched.releases,
        n=n,
        d=CORPUS.n_words,
        k=3,
        alpha0=1.0,
        largest_eigenvalue=biggest(),
    )
    return [
        1 - 1e-9 <= scale / planned_scale <= 1 + 1e-6
        for scale, planned_scale in zip(scales, planned_scales, strict=True)
    ]


def only_answers(entry: Entry) -> bool:
    """Whether a neighbour with the same answers gives the same topics, and noise of the same law."""
    rows = CORPUS.counts.toarray()
    rows[7] = repeated_word(0, CORPUS.n_words, 10_000)
    neighbour = Corpus.from_counts(rows, label=Label.PUBLIC, name="neighbour")
    honest, watched = recorded(CORPUS, entry.plan(), seed=SEED)
    fitted_run, replayed = recorded(
        neighbour, entry.plan(), seed=SEED, noise=seeded(0), answers=watched.answers()
    )
    pairs = [
        (fitted_run.topics.words, honest.topics.words),
        (fitted_run.topics.alpha, honest.topics.alpha),
    ]
    for call, replayed_call in zip(watched.calls, replayed.calls, strict=True):
        for x, y in zip(call.others, replayed_call.others, strict=True):
            pairs.append(
                (getattr(x, "whitener", 0), getattr(y, "whitener", 0))
            )  # what the noise is seen through
    return all(np.array_equal(x, y) for x, y in pairs)


@every_variant
def test_honest_configurations_pass_all_three_checks(entry: Entry) -> None:
    _, watched = recorded(CORPUS, entry.plan(), seed=SEED, noise=TamperedNoise(SEED))
    assert all(as_declared(watched))
    assert all(as_planned(entry, watched)), as_planned(entry, watched)
    assert only_answers(entry)


@every_release
def test_noise_that_is_dropped_halved_or_doubled_on_one_release_is_not_as_declared(
    entry: Entry, release: int
) -> None:
    """For that release, and for it alone; counts behind a clip level may give the same level with other noise."""
    for factor in (0.0, 0.5, 0.9, 1.1, 2.0):
        source = TamperedNoise(SEED, dict.fromkeys(draws(entry)[release], factor))
        _, watched = recorded(CORPUS, entry.plan(), seed=SEED, noise=source)
        scales_hold = as_declared(watched)
        if (
            watched.calls[release].method != "clip_level"
        ):  # its counts: tests/privacy/test_clip_level.py
            assert not scales_hold[release], factor
        assert all(scales_hold[:release] + scales_hold[release + 1 :]), factor


USERS = {
    "count": {"clip level of pair frequencies", "clip level of whitened triples"},
    "word_counts": {"clipped word counts"},
    "mass": {"mean weight of a document"},
    "word_average": {"word average"},
    "pair_average": {"pair average"},
    "tensor_average": {"whitened triple average"},
    "triple_histogram": {"triple average, seen whitened"},
    "histogram_l1": {"word average", "pair average"},
    "triple_histogram_l1": {"triple average, seen whitened"},
    "pair_moment_eigenvalue": {"k-th eigenvalue of M2", "gap after the k-th eigenvalue"},
    "largest_frequency": {"largest word frequency", "largest pair frequency"},
    "direct_pair_moment": {"pair moment"},
    "direct_triple_moment": set(),
    "unfolding_bound": set(),
    "aligned_tensor": set(),
}
IN_THE_TENSOR = {"whitened tensor in a private frame"}


@pytest.mark.parametrize("factor", [0.9, 1.1])
@pytest.mark.parametrize("function", USERS)
def test_sensitivity_ten_percent_off_is_not_as_planned(
    function: str, factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In some configuration, and only in releases that rest on it."""
    honest = getattr(sensitivity, function)
    monkeypatch.setattr(sensitivity, function, lambda **arguments: factor * honest(**arguments))
    wrong = set()
    for entry in ENTRIES:
        if entry.proven:
            _, watched = recorded(CORPUS, entry.plan(), seed=SEED)
            is_as_planned = as_planned(entry, watched)
            wrong |= {
                r.quantity
                for r, right in zip(watched.releases, is_as_planned, strict=True)
                if not right
            }
    assert wrong
    assert USERS[function] <= wrong <= USERS[function] | IN_THE_TENSOR


def test_mutants_cover_every_sensitivity() -> None:
    public = {
        name for name, x in vars(sensitivity).items() if callable(x) and not name.startswith("_")
    }
    assert public - {"rounding", "eigensolver"} == set(USERS) | {
        "word_weights",
        "bounded_numbers",
    }  # test_partition.py, test_refine.py


@every_variant
def test_route_that_spends_twice_the_epsilon_is_not_as_planned(
    entry: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The route is given twice the plan's ε; a run whose budget is proven then ends with nothing to claim."""
    honest_route = entry.variant.route

    def generous(shape, budget, mechanisms):
        return honest_route(shape, replace(budget, epsilon=2 * budget.epsilon), mechanisms)

    swap(entry, generous, monkeypatch)
    if entry.proven:
        with pytest.raises(RuntimeError, match="exceed the plan's budget"):
            recorded(CORPUS, entry.plan(), seed=SEED)
        return
    _, watched = recorded(CORPUS, entry.plan(), seed=SEED)
    assert not any(as_planned(entry, watched))


EDGES = [*(edge.value for edge in Edge if hasattr(Route, edge.value)), "triples"]


@every_variant
def test_route_that_bypasses_a_noisy_value_is_caught(
    entry: Entry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The release is made and counted, and what flows on is the value without noise."""
    honest_route, killed = entry.variant.route, []
    for edge in EDGES:
        if not noised(entry, edge):
            continue

        def passing_by(shape, plan, mechanisms, edge=edge):
            route = honest_route(shape, plan, mechanisms)
            honest = getattr(route, edge)
            setattr(route, edge, bypass(edge, honest, route))
            return route

        with monkeypatch.context() as patch:
            swap(entry, passing_by, patch)
            assert not only_answers(entry), edge
        killed.append(edge)
    assert len(killed) >= len(REGISTRY[entry.name].edges)


def bypass(edge: str, honest: Callable[..., object], route: Route) -> Callable[..., object]:
    if edge == "triples":
        base = Route.triples

        def triples(source, whitening, pairs):
            honest(source, whitening, pairs)
            return base(route, source, whitening, pairs)

        return triples

    def method(value, *arguments):
        honest(value, *arguments)
        return value

    return method


def noised(entry: Entry, method: str) -> bool:
    """Whether a method makes a release that flows on; where a proof needs the statistics, ``triples`` noises e6."""
    edges = REGISTRY[entry.name].edges
    noises_e6_in_triples = Edge.E6 in edges and entry.variant.route.e6 is Route.e6
    if method == "triples":
        return Edge.E3 in edges or noises_e6_in_triples
    if method == Edge.E6 and noises_e6_in_triples:
        return False
    return method in edges


def swap(entry: Entry, route: Callable[..., Route], patch: pytest.MonkeyPatch) -> None:
    """Puts another route in an entry's place."""
    honest_variant = entry.variant
    mutant = replace(honest_variant, route=route)
    patch.setitem(REGISTRY[entry.name].variants, entry.calibration, mutant)


def stated_scales(
    entry: Entry,
    releases: tuple[Release, ...],
    *,
    n: int,
    d: int,
    k: int,
    alpha0: float,
    largest_eigenvalue: float,
) -> list[float]:
    """Scale of the noise in every release; earlier releases are public to later ones."""
    plan = entry.plan()
    share = dict(entry.variant.default_split)
    if entry.name == "adaptive":
        squared = (2 * d / (n * mu_for(plan.epsilon, plan.delta))) ** 2
        share = {name: part / (1 + squared) for name, part in share.items()} | {
            "word counts": squared / (1 + squared)
        }
    epsilon, delta = plan.epsilon, plan.delta
    c, root2 = Coefficients(alpha0), math.sqrt(2)
    value = {release.quantity: release.value for release in releases}

    def gaussian(quantity: str, sensitivity: float, part_of_delta: float = 1.0) -> float:
        return sensitivity / (math.sqrt(share[quantity]) * mu_for(epsilon, part_of_delta * delta))

    def laplace(quantity: str, sensitivity: float) -> float:
        return sensitivity / (share[quantity] * epsilon)

    def classic(quantity: str, sensitivity: float) -> float:
        part = share[quantity]
        return sensitivity * math.sqrt(2 * math.log(1.25 / (part * delta))) / (part * epsilon)

    def lower(quantity: str, words: str) -> float:
        epsilon_1, delta_1 = share[quantity] * epsilon, share[quantity] * delta
        return value[words] - 2 / (n * epsilon_1) * math.log(1 / (2 * delta_1))

    match entry.name, entry.calibration:
        case "adaptive", Calibration.CORRECTED:
            c2, c3 = (
                value["clip level of pair frequencies"],
                value["clip level of whitened triples"],
            )
            return [
                gaussian("word counts", root2 * 2),
                gaussian("pair clip", 3.0),
                gaussian("pairs", 2 * c2 / n),
                gaussian("words", root2 * min(1, math.sqrt(root2 * c2)) / n),
                gaussian("mass", 1 / n),
                gaussian("triple clip", 3.0),
                gaussian("triples", 2 * c3 / n),
            ]
        case "shared-moment" | "config-1", Calibration.CORRECTED:
            names = [
                "pairs",
                "words",
                "mass",
                *(["pairs for W†"] if entry.name == "config-1" else []),
                "triples",
            ]
            return [gaussian(name, 1 / n if name == "mass" else root2 / n) for name in names]
        case "config-1", NoiseLaw.LAPLACE:
            names = ["words", "mass", "pairs", "pairs for W†", "triples"]
            return [laplace(name, 1 / n if name == "mass" else 2 / n) for name in names]
        case "config-1", Calibration.PUBLISHED:
            return [classic(edge, 1 / n) for edge in ("e4", "e8", "e3")]
        case "config-2", Calibration.CORRECTED:
            return _aligned(gaussian, value, c, n, delta)
        case "config-2", Calibration.PUBLISHED:
            sigma = lower("σk", "k-th singular value of M2")
            return [
                classic("e8", 1 / n),
                laplace("σk", 1 / n),
                classic("e6", k**1.5 / (n * sigma**1.5)),
            ]
    if entry.name not in ("config-3", "config-4"):
        pytest.fail(
            f"{entry}: write the scales of its noise here, from its proof and not from its code"
        )
    sigma = lower("σk", "k-th singular value of M2")
    gamma = lower("γs", "a quarter of the smallest eigenvalue gap of T")
    factor = k**2 / (gamma * n * sigma**1.5)
    bounds = [laplace("σk", 1 / n), laplace("γs", 1 / n)]
    if entry.name == "config-3":
        return [classic("e8", 1 / n), *bounds, classic("e7", factor)]
    return [*bounds, classic("e9", factor * math.sqrt(largest_eigenvalue))]


def _aligned(gaussian, value, c: Coefficients, n: int, delta: float) -> list[float]:
    """Theorem 5′ with private bounds at their δ/40 quantiles."""
    operator = 1.0001 * ((1 + c.a) + math.sqrt(2 * (1 + c.a**2))) / (2 * n)
    scales = [gaussian("σk", operator, 0.9), gaussian("gap", 2 * operator, 0.9)]
    scales += [gaussian(name, 1 / n, 0.9) for name in ("largest word", "largest pair")]
    z = norm.isf(delta / 40)
    s = value["k-th eigenvalue of M2"] - z * scales[0] - operator
    g = value["gap after the k-th eigenvalue"] - z * scales[1] - operator
    m1, m2 = (
        value[f"largest {kind} frequency"] + z * scale
        for kind, scale in zip(("word", "pair"), scales[2:], strict=True)
    )
    b, third = abs(c.b), n / (n - 1) * n / (n - 2) * c.c
    unfolding = math.sqrt(m1 * m2) * (1 + b * n / (n - 1)) + m1**1.5 * (2 * b * n / (n - 1) + third)
    pair = math.sqrt(2 + 4 * c.a**2) / n
    root_form = math.sqrt(2) + 2 * math.sqrt(3) * b + 3 * math.sqrt(2) * math.hypot(b, c.c)
    triple = min(root_form, 2 + 12 * b + 6 * c.c) / n
    slope = max(0.5 * s**-1.5, 1 / (math.sqrt(s) * g))
    tensor = triple * s**-1.5 + 3 * slope * pair * unfolding / s
    return [gaussian("e8", pair, 0.9), *scales, gaussian("e6", tensor, 0.9)]
