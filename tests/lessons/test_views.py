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
    written = re.findall(r"\d(?:[\d,.]*\d)?", picture.figure.title or picture.figure.alt)
    said = [
        float(number.replace(",", "")) / (100 if question.is_percent else 1) for number in written
    ]
    ratios = [one / other for one in said for other in said if other and not question.is_percent]
    return any(
        one == pytest.approx(picture.numbers[question.number_name], rel=0.05)
        for one in said + ratios
    )


def numbers(name: str, seed: int = 0, **settings) -> dict[str, float]:
    return dict(VIEWS[name](**settings).make_picture(seed, lambda share, line: None).numbers)


def test_odds_by_hand() -> None:
    found = numbers("odds", epsilon=math.log(3), delta=1e-3, n_documents=500, before=0.2)
    assert found["times"] == 3
    assert numbers("odds", epsilon=1.0)["times"] == 2.72
    mu = brentq(  # of Gaussian noise at this ε and δ; 0.76 is what the pair alone allows
        lambda mu: (
            norm.cdf(mu / 2 - math.log(3) / mu) - 3 * norm.cdf(-mu / 2 - math.log(3) / mu) - 1e-3
        ),
        0.01,
        5,
    )
    assert found["allowed"] == math.ceil(100 * norm.cdf(mu / 2)) / 100 == 0.59
    raised = norm.cdf(norm.ppf(0.2 + 1e-3) + mu) + 1e-3  # 0.6 is what the pair alone allows
    assert found["after"] == math.ceil(1000 * raised) / 1000
    assert found["struck"] == pytest.approx(0.5)


def test_noise_of_several_releases_is_that_of_one_times_a_root() -> None:
    found = numbers("accounts", count=5, epsilon=2.0, delta=1e-6)
    assert found["alone"] == pytest.approx(math.sqrt(5))
    mu = gaussian.mu_for(2.0, 1e-6)
    assert found["each"] == pytest.approx(gaussian.epsilon_for(mu / math.sqrt(5), 1e-6))
    classic = math.sqrt(2 * math.log(1.25 / (1e-6 / 5))) / (2.0 / 5)
    assert found["paper"] == pytest.approx(classic * mu / math.sqrt(5))
    assert found["true"] == pytest.approx(gaussian.epsilon_for(math.sqrt(5) / classic, 1e-6))


def test_adding_view_saves_what_separate_releases_cost_more() -> None:
    found = numbers("adding", first=0.5, second=1.0, total=2.0, delta=1e-6)
    mu = [gaussian.mu_for(epsilon, 1e-6) for epsilon in (0.5, 1.0, 2.0)]
    assert gaussian.delta_of(
        found["anew"], math.sqrt(sum(each**2 for each in mu))
    ) == pytest.approx(1e-6)
    assert gaussian.mu_for(found["missing"], 1e-6) ** 2 + mu[0] ** 2 == pytest.approx(mu[2] ** 2)
    assert (found["left"], found["summed"]) == (1.5, 3.5)
    assert found["saved"] == pytest.approx(1 - 2 / found["anew"])


def test_clipping_view_has_its_least_error_at_the_best_clip() -> None:
    found = numbers("clipping", clip=80.0)
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
    assert found["bias"] == pytest.approx(lengths.mean() - np.minimum(lengths, 80).mean())
    assert found["noise"] == pytest.approx(0.08 / gaussian.mu_for(0.5, 1e-5))
    assert found["best_error"] <= found["error"]
    assert found["moved"] == pytest.approx(
        found["best"] / numbers("clipping", epsilon=0.05)["best"]
    )
    assert numbers("clipping", clip=found["best"])["error"] == pytest.approx(found["best_error"])


def test_the_pull_of_a_letter_is_that_of_averages_of_whole_collections() -> None:
    """The largest pull is between neighbouring collections, and below the bound that the worst pair attains."""
    found = numbers("pull", n_documents=200)
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
        other = counts.copy()
        other[0] = counts[i]
        pulls.append(1e6 * np.linalg.norm(average(other) - base))
    assert max(pulls) <= found["largest"] * (1 + 1e-9)
    assert found["largest"] < found["bound"]
    assert 0.5 * found["typical"] < np.median(pulls) < 2 * found["typical"]
    assert found["bound"] == pytest.approx(1e6 * math.sqrt(2) / 200)


@pytest.mark.parametrize("lesson", [*read_lessons(), *read_class()], ids=lambda lesson: lesson.name)
def test_sentences_are_true_of_any_draw(lesson) -> None:
    """Each step says within which numbers its adjectives hold; six draws, of seeds that nobody chose, keep to them."""
    for step in lesson.steps:
        assert step.true_ranges
        for seed in (0, 101, 202, 303, 404, 505) if step.after.depends_on_seed else (0,):
            found = (picture := step.after.make_picture(seed, lambda share, line: None)).numbers
            assert step.describe_exceptions(found) == (), (step.title, seed)
            assert shows(picture, step.question), (step.title, seed)
        name, (low, high) = next(iter(step.true_ranges.items()))
        beyond = low - 1 if math.isfinite(low) else high + 1
        assert step.describe_exceptions({**found, name: beyond})[0].startswith(
            step.after.number_meanings[name]
        )


def test_who_was_in_view_differs_between_seeds_by_the_own_run_alone() -> None:
    """The score is the same for every seed, a run is not; and that run's chance is the loss of a whole run."""
    one, other = (numbers("who was in", seed, runs=10) for seed in (1, 2))
    assert {name for name in one if one[name] != other[name]} - {"other_letter"} == {"yours"}
    mine = next(play_runs(parse_method("adaptive"), Budget(1.0, 1e-7), PAIRS["turn"], seed=2))
    assert one["yours"] == pytest.approx(
        1 / (1 + math.exp(-mine.loss if mine.used_first else mine.loss))
    )


def test_topics_view_shows_the_error_of_its_private_topics() -> None:
    settings = {"n_documents": 3000, "n_words": 60, "n_topics": 3, "epsilon": 2.0}
    found = numbers("topics", seed=5, **settings)
    corpus = Simulation(
        n_documents=3000, n_words=60, n_topics=3, alpha0=0.1, mean_length=60, newspaper="english"
    ).draw()
    given = asked(
        n_topics=3, alpha0=0.1, seed=5, epsilon=2.0, statistics=StatisticsCache(corpus.counts)
    )
    words = parse_method("adaptive").fit(corpus, *given).topics.words
    truth = corpus.truth.topics
    assert found["error"] == pytest.approx(dplda.topic_error(truth, words).l1_mean)
    best = [
        max(len({*np.argsort(-true)[:5]} & {*np.argsort(-row)[:5]}) for row in words)
        for true in truth
    ]
    assert found["kept"] == pytest.approx(sum(best) / 15)
    assert numbers("topics", seed=6, **settings)["error"] != found["error"], "another draw"


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
    found = numbers("districts", n_documents=400)
    spread = math.hypot(1 / found["letters_north"], 1 / found["letters_south"])
    noise = (found["north"] - found["south"]) / (norm.ppf(0.95) + norm.ppf(0.9)) / spread
    again = numbers("districts", n_documents=400, epsilon=found["needed"])
    assert again["noise"] == pytest.approx(noise, rel=1e-6)
    assert again["power"] == pytest.approx(0.9, abs=0.08), "smoothing is left out of the rule"
    assert found["power"] < 0.3


def test_districts_have_the_same_noise_whatever_their_number() -> None:
    two, four = (numbers("districts", n_districts=n_districts) for n_districts in (2, 4))
    assert two["noise"] == four["noise"] == pytest.approx(math.sqrt(2) / gaussian.mu_for(0.3, 1e-7))
    assert two["together"] == pytest.approx(1.0533, abs=1e-3)
