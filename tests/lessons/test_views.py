"""Numbers of lessons by another route than the picture takes."""

import math
import re

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import norm

import dplda
from dplda.attacks.game import play_runs
from dplda.attacks.neighbour_pairs import PAIRS
from dplda.core.errors import DpldaError
from dplda.corpus import LengthLaw, Simulation
from dplda.lessons import Pick, Picture
from dplda.lessons.lesson import Guess
from dplda.lessons.views import VIEWS
from dplda.methods.base.problem import Budget
from dplda.methods.registry import parse_method
from dplda.privacy.accounting import gaussian
from dplda.spectral.corpus_statistics import StatisticsCache
from tests.asking import asked
from tests.lessons.shelf import read_class, read_lessons

COUNTED = {"kept", "leaks", "cuts"}  # words or paths of a picture


def shows(picture: Picture, question: Pick | Guess) -> bool:
    """Whether a picture says the number that is asked for, to two digits, or two numbers of which it is the ratio."""
    if isinstance(question, Pick) or question.number_name in COUNTED:
        return True
    shown_numbers = re.findall(r"\d(?:[\d,.]*\d)?", picture.figure.title or picture.figure.alt)
    shown_values = [
        float(number.replace(",", "")) / (100 if question.is_percent else 1)
        for number in shown_numbers
    ]
    ratios = [
        value / divisor
        for value in shown_values
        for divisor in shown_values
        if divisor and not question.is_percent
    ]
    return any(
        value == pytest.approx(picture.numbers[question.number_name], rel=0.05)
        for value in shown_values + ratios
    )


def numbers(name: str, seed: int = 0, **settings) -> dict[str, float]:
    return dict(VIEWS[name](**settings).make_picture(seed, lambda share, line: None).numbers)


def test_odds_view_equals_hand_computed_values() -> None:
    odds = numbers("odds", epsilon=math.log(3), delta=1e-3, n_documents=500, before=0.2)
    assert odds["times"] == 3
    assert numbers("odds", epsilon=1.0)["times"] == 2.72
    mu = brentq(  # of Gaussian noise at this ε and δ; 0.76 is what the pair alone allows
        lambda mu: (
            norm.cdf(mu / 2 - math.log(3) / mu) - 3 * norm.cdf(-mu / 2 - math.log(3) / mu) - 1e-3
        ),
        0.01,
        5,
    )
    assert odds["allowed"] == math.ceil(100 * norm.cdf(mu / 2)) / 100 == 0.59
    raised = norm.cdf(norm.ppf(0.2 + 1e-3) + mu) + 1e-3  # 0.6 is what the pair alone allows
    assert odds["after"] == math.ceil(1000 * raised) / 1000
    assert odds["struck"] == pytest.approx(0.5)


def test_noise_of_several_releases_is_that_of_one_times_a_root() -> None:
    noise = numbers("accounts", count=5, epsilon=2.0, delta=1e-6)
    assert noise["alone"] == pytest.approx(math.sqrt(5))
    mu = gaussian.mu_for(2.0, 1e-6)
    assert noise["each"] == pytest.approx(gaussian.epsilon_for(mu / math.sqrt(5), 1e-6))
    classic = math.sqrt(2 * math.log(1.25 / (1e-6 / 5))) / (2.0 / 5)
    assert noise["paper"] == pytest.approx(classic * mu / math.sqrt(5))
    assert noise["true"] == pytest.approx(gaussian.epsilon_for(math.sqrt(5) / classic, 1e-6))


def test_adding_view_saves_what_separate_releases_cost_more() -> None:
    costs = numbers("adding", first=0.5, second=1.0, total=2.0, delta=1e-6)
    mu = [gaussian.mu_for(epsilon, 1e-6) for epsilon in (0.5, 1.0, 2.0)]
    assert gaussian.delta_of(
        costs["anew"], math.sqrt(sum(single_mu**2 for single_mu in mu))
    ) == pytest.approx(1e-6)
    assert gaussian.mu_for(costs["missing"], 1e-6) ** 2 + mu[0] ** 2 == pytest.approx(mu[2] ** 2)
    assert (costs["left"], costs["summed"]) == (1.5, 3.5)
    assert costs["saved"] == pytest.approx(1 - 2 / costs["anew"])


def test_clipping_view_has_its_least_error_at_the_best_clip() -> None:
    clipping = numbers("clipping", clip=80.0)
    lengths = (
        Simulation(
            n_documents=1000,
            n_words=50,
            n_topics=2,
            lengths=LengthLaw.LOG_NORMAL,
            newspaper="english",
        )
        .draw()
        .lengths
    )
    assert clipping["bias"] == pytest.approx(lengths.mean() - np.minimum(lengths, 80).mean())
    assert clipping["noise"] == pytest.approx(0.08 / gaussian.mu_for(0.5, 1e-5))
    assert clipping["best_error"] <= clipping["error"]
    assert clipping["moved"] == pytest.approx(
        clipping["best"] / numbers("clipping", epsilon=0.05)["best"]
    )
    assert numbers("clipping", clip=clipping["best"])["error"] == pytest.approx(
        clipping["best_error"]
    )


def test_pull_of_a_letter_is_that_of_averages_of_whole_collections() -> None:
    """The largest pull is between neighbouring collections, and below the bound that the worst pair attains."""
    pull = numbers("pull", n_documents=200)
    counts = (
        Simulation(
            n_documents=200,
            n_words=100,
            n_topics=4,
            alpha0=0.1,
            mean_length=60,
            newspaper="english",
        )
        .draw()
        .counts.toarray()
        .astype(float)
    )

    def average(rows: np.ndarray) -> np.ndarray:
        lengths = rows.sum(axis=1)
        pairs = sum(
            (np.outer(c, c) - np.diag(c)) / (n * (n - 1))
            for c, n in zip(rows, lengths, strict=True)
        )
        upper = np.triu(pairs / len(rows), 1)
        return np.diag(np.diag(pairs)) / len(rows) + 2 * upper

    base = average(counts)
    pulls = []
    for i in range(1, 60):
        other_counts = counts.copy()
        other_counts[0] = counts[i]
        pulls.append(1e6 * np.linalg.norm(average(other_counts) - base))
    assert max(pulls) <= pull["largest"] * (1 + 1e-9)
    assert pull["largest"] < pull["bound"]
    assert 0.5 * pull["typical"] < np.median(pulls) < 2 * pull["typical"]
    assert pull["bound"] == pytest.approx(1e6 * math.sqrt(2) / 200)


@pytest.mark.parametrize("lesson", [*read_lessons(), *read_class()], ids=lambda lesson: lesson.name)
def test_sentences_are_true_of_any_draw(lesson) -> None:
    """Each step says within which numbers its adjectives hold; six draws, of seeds that nobody chose, keep to them."""
    for step in lesson.steps:
        assert step.true_ranges
        for seed in (0, 101, 202, 303, 404, 505) if step.answer_view.depends_on_seed else (0,):
            numbers_of_draw = (
                picture := step.answer_view.make_picture(seed, lambda share, line: None)
            ).numbers
            assert step.describe_exceptions(numbers_of_draw) == (), (step.title, seed)
            assert shows(picture, step.question), (step.title, seed)
        name, (low, high) = next(iter(step.true_ranges.items()))
        beyond = low - 1 if math.isfinite(low) else high + 1
        assert step.describe_exceptions({**numbers_of_draw, name: beyond})[0].startswith(
            step.answer_view.number_meanings[name]
        )


def test_membership_view_differs_between_seeds_by_the_own_run_alone() -> None:
    """The score is the same for every seed, a run is not; and that run's chance is the loss of a whole run."""
    first_numbers, second_numbers = (numbers("who was in", seed, runs=10) for seed in (1, 2))
    assert {name for name in first_numbers if first_numbers[name] != second_numbers[name]} - {
        "other_letter"
    } == {"yours"}
    mine = next(play_runs(parse_method("adaptive"), Budget(1.0, 1e-7), PAIRS["turn"], seed=2))
    assert first_numbers["yours"] == pytest.approx(
        1 / (1 + math.exp(-mine.loss if mine.used_first else mine.loss))
    )


def test_topics_view_shows_the_error_of_its_private_topics() -> None:
    settings = {"n_documents": 3000, "n_words": 60, "n_topics": 3, "epsilon": 2.0}
    numbers_shown = numbers("topics", seed=5, **settings)
    corpus = Simulation(
        n_documents=3000, n_words=60, n_topics=3, alpha0=0.1, mean_length=60, newspaper="english"
    ).draw()
    fit_arguments = asked(
        n_topics=3, alpha0=0.1, seed=5, epsilon=2.0, statistics=StatisticsCache(corpus.counts)
    )
    words = parse_method("adaptive").fit(corpus, *fit_arguments).topics.words
    truth = corpus.truth.topics
    assert numbers_shown["error"] == pytest.approx(dplda.topic_error(truth, words).l1_mean)
    best = [
        max(len({*np.argsort(-true_topic)[:5]} & {*np.argsort(-row)[:5]}) for row in words)
        for true_topic in truth
    ]
    assert numbers_shown["kept"] == pytest.approx(sum(best) / 15)
    assert numbers("topics", seed=6, **settings)["error"] != numbers_shown["error"], "another draw"


def test_regimes_view_compares_cells_with_more_documents_or_epsilon() -> None:
    base = numbers("regimes")
    assert base["error_documents"] == pytest.approx(
        numbers("regimes", n_documents=100_000)["error"]
    )
    assert base["error_epsilon"] == pytest.approx(numbers("regimes", epsilon=5.0)["error"])
    assert base["rather"] == pytest.approx(base["gain_documents"] / base["gain_epsilon"])


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("who was in", {"pair": "nobody"}),
        ("who was in", {"method": "unnoised"}),
        ("topics", {"method": "magic"}),
        ("topics", {"n_topics": 99}),
        ("turning", {"n_documents": 100}),
        ("clipping", {"clip": -1.0}),
        ("noise", {"method": "refined"}),
        ("pull", {"n_documents": 10}),
        ("odds", {"before": 1.0}),
        ("accounts", {"count": 0}),
        ("adding", {"second": 0.1}),
        ("regimes", {"epsilon": 0.0}),
    ],
)
def test_settings_out_of_range_are_refused_when_the_lesson_is_read(name, settings) -> None:
    with pytest.raises(DpldaError):
        VIEWS[name](**settings)


def test_districts_need_as_much_epsilon_as_the_normal_law_says() -> None:
    power_here = numbers("districts", n_documents=400)
    spread = math.hypot(1 / power_here["letters_north"], 1 / power_here["letters_south"])
    noise = (power_here["north"] - power_here["south"]) / (norm.ppf(0.95) + norm.ppf(0.9)) / spread
    power_there = numbers("districts", n_documents=400, epsilon=power_here["needed"])
    assert power_there["noise"] == pytest.approx(noise, rel=1e-6)
    assert power_there["power"] == pytest.approx(0.9, abs=0.08), "smoothing is left out of the rule"
    assert power_here["power"] < 0.3


def test_districts_have_the_same_noise_whatever_their_number() -> None:
    two_districts, four = (numbers("districts", n_districts=n_districts) for n_districts in (2, 4))
    assert (
        two_districts["noise"]
        == four["noise"]
        == pytest.approx(math.sqrt(2) / gaussian.mu_for(0.3, 1e-7))
    )
    assert two_districts["together"] == pytest.approx(1.0533, abs=1e-3)
