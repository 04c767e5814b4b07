"""While somebody moves ε, the steps beside it are fitted: bit for bit what they would be, and never of secrets."""

from dataclasses import replace

import numpy as np
import pytest

from dplda.corpus import Corpus, Label, Simulation
from dplda.methods import Means, parse_method
from dplda.settings import Settings
from dplda.ui.shell import cache
from dplda.ui.shell.background import BACKGROUND, Background
from dplda.ui.shell.keys import Key
from dplda.ui.who import page

SMALL = {"corpus": "simulated_2000_60_4_1_60_poisson_0.1_0", "k": "4", "alpha0": "1", "epsilon": "3"}


@pytest.fixture
def wished(monkeypatch) -> list:
    """What was last wished for; nothing of it is made."""
    found = []
    monkeypatch.setattr(Background, "ahead", lambda self, wishes: found.append(list(wishes)))
    return found


@pytest.mark.parametrize("method", ["refined", "adaptive"])
def test_what_was_made_ahead_is_what_is_fitted(open_page, wished, method) -> None:
    app = open_page("topics", SMALL | {"configuration": method})
    assert not wished  # nobody moves ε yet
    app.select_slider(key=Key.EPSILON).set_value(4).run()
    ((key, make),) = wished.pop()  # one step up; the one below was seen
    made = make(lambda share, line: None)
    wished.clear()
    fits = cache._shared().fits
    corpus = cache.simulated(Simulation(2000, 60, 4, 1.0, 60, topic_concentration=0.1, seed=0))
    assert fits.get(key[0]) is made
    task = key[0][-2]
    assert task.epsilon == 5
    again = task.method.fit(corpus, task, Means())
    assert np.array_equal(made.topics.words, again.topics.words)
    for one, other in zip(made.releases, again.releases, strict=True):
        assert np.array_equal(np.asarray(one.value), np.asarray(other.value))

    def never(*args: object) -> None:
        raise AssertionError("fitted again")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BACKGROUND, "ask", never)
        app.select_slider(key=Key.EPSILON).set_value(5).run()  # answered from what is kept
    assert not app.exception
    assert [key[0][-2].epsilon for key, _ in wished.pop()] == [6]


def settings_of() -> Settings:
    return Settings(n_topics=4, alpha0=1.0, epsilon=3.0, delta=1e-7, method=parse_method("refined"))


@pytest.mark.parametrize(("seconds", "wishes"), [(0.5, 1), (cache.LONG + 1, 0), (None, 0)])
def test_only_what_is_short_is_made_ahead(seconds, wishes, monkeypatch) -> None:
    held = cache.Caches()
    monkeypatch.setattr(cache, "caches", lambda corpus: held)
    corpus = Corpus.from_counts(np.random.default_rng(0).poisson(1.0, (40, 30)), label=Label.PUBLIC, name="c")
    settings = settings_of()
    if seconds is not None:
        held.seconds.put(cache._like(corpus, settings.method, settings), seconds, 1)
    assert len(cache.ahead(corpus, settings, [4.0])) == wishes
    assert not cache.ahead(replace(corpus, label=Label.SENSITIVE), settings, [4.0])
    monkeypatch.setattr(cache, "FITS", 1000)
    assert not cache.ahead(corpus, settings, [4.0])


def test_who_was_in_wishes_for_both_sides(open_page, wished, monkeypatch) -> None:
    monkeypatch.setattr(page, "RUNS", 2)
    app = open_page("who_was_in", {"epsilon": "1"})
    assert not wished
    app.select_slider(key=Key.EPSILON).set_value(0.8).run()
    assert [key[1:4:2] for key, _ in wished[-1]] == [
        ("config-2/as published", 0.6),
        ("adaptive", 0.6),
        ("config-2/as published", 1.0),
        ("adaptive", 1.0),
    ]
