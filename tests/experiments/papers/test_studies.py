"""Studies: figures and tables that are no sweeps, in small."""

import math

import numpy as np
import pytest

from dplda.core.types import silent
from dplda.corpus import Corpus, Label, Simulation, python_docs
from dplda.experiments.papers import top_words
from dplda.experiments.papers.minibatches import (
    SCALINGS,
    Minibatches,
    fit_one_epoch,
    one_epoch,
    strong_composition_epsilon,
)
from dplda.experiments.papers.presets import STUDIES
from dplda.experiments.papers.spectra import PairSpectrum, TensorGaps
from dplda.experiments.papers.study import script_for_study, study_text
from dplda.experiments.papers.top_words import NOISELESS, SpectralWords, VariationalWords
from dplda.methods.base.problem import Problem


def test_pair_spectrum_scales_only_what_the_moment_does() -> None:
    study = PairSpectrum(n_documents=1000, alphas=(1.0, 100.0), n_populations=2)
    frame = study.run(silent)
    assert len(frame) == 8
    np.testing.assert_allclose(
        frame["scaled"], frame["sigma_k"] * frame["alpha0"] * (frame["alpha0"] + 1)
    )
    medians = frame[frame["topics"] == "bursty"].groupby("alpha0")[["sigma_k", "scaled"]].median()
    assert medians["sigma_k"].is_monotonic_decreasing
    assert medians["scaled"].is_monotonic_increasing


def test_tensor_gaps_of_populations_are_those_of_their_parameters() -> None:
    study = TensorGaps(
        n_documents=2000, n_words=30, topics=(3, 5), alpha0=10.0, n_populations=4, n_corpora=2
    )
    gaps = study.run(silent).groupby(["n_topics", "source"])["gap"].agg(["size", "min", "max"])
    assert gaps.loc[(3, "population"), "size"] == 4
    assert (gaps.xs("population", level="source")["min"] > 0).all()
    sorted_gaps = gaps.xs("corpus", level="source")["max"].dropna()
    assert (sorted_gaps >= 0).all()


def test_rising_gap_leaves_out_the_last_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    eigenvalues = np.array([3.0, 1.0, 9.0, 4.5])
    monkeypatch.setattr(TensorGaps, "_fitted_eigenvalues", lambda *_: iter([eigenvalues]))
    study = TensorGaps(n_words=10, topics=(4,), n_populations=0)
    gaps = study.run(silent).set_index("source")["gap"]
    assert gaps["rising"] == -2.0


def test_minibatches_run_has_two_draws_of_each_cell_beside_one_run_without_noise() -> None:
    study = Minibatches(
        n_documents=400,
        n_words=30,
        n_topics=3,
        noise_multipliers=(6.0,),
        sampling_rates=(0.05, 0.1),
    )
    frame = study.run(silent)
    assert frame["calibration"].value_counts().to_dict() == {
        "corrected": 4,
        "as published": 4,
        "as published, each document": 4,
        "": 1,
    }
    assert np.isfinite(frame["perplexity"]).all()
    assert np.isfinite(frame["bound"]).all()
    private = frame[frame["calibration"] != ""]
    assert (private["exact"] < private["epsilon"]).all()
    assert (private["epsilon"] < private["strong"]).all()


@pytest.mark.parametrize("scaling", SCALINGS)
def test_fit_one_epoch_draws_the_noise_of_its_schedule(scaling) -> None:
    schedule = one_epoch(4.0, 0.1)
    corpus = Simulation(n_documents=300, n_words=20, n_topics=3, mean_length=20).draw()
    result = fit_one_epoch(corpus, Problem(3, 1.0), schedule, delta=1e-4, seed=0, scaling=scaling)
    assert sum(release.steps for release in result.releases) == schedule.steps
    for release in result.releases:
        assert release.noise_multiplier == pytest.approx(4.0, rel=1e-3)


def test_strong_composition_of_one_step_on_all_documents_is_checked_by_hand() -> None:
    """One step, no sampling: ε₀ of a Gaussian, then ε₀(e^ε₀ − 1) + √(2 ln(1/δ''))·ε₀, at its best."""
    from dplda.privacy.accounting import gaussian

    delta = 1e-4
    by_hand = []
    for share in np.linspace(0, 1, 26)[1:-1]:
        epsilon_alone = gaussian.epsilon_for(1 / 20, share * delta)
        slack = math.sqrt(2 * math.log(1 / ((1 - share) * delta)))
        by_hand.append(epsilon_alone * math.expm1(epsilon_alone) + slack * epsilon_alone)
    composed_epsilon = strong_composition_epsilon(one_epoch(20.0, 1.0), delta)
    assert composed_epsilon == pytest.approx(min(by_hand), rel=1e-9)


def test_spectral_words_of_configuration_2_without_noise_are_the_noiseless_ones() -> None:
    study = SpectralWords(
        methods=("unnoised", "config-2/authors' code"), n_words=250, n_topics=3, n_shown_words=5
    )
    frame = study.run(silent)
    words = frame.groupby("column")["word"].agg(list)
    assert len(words[NOISELESS]) == 15
    assert words.drop(NOISELESS).iloc[0] == words[NOISELESS]


def test_spectral_words_leave_out_a_method_that_refuses() -> None:
    study = SpectralWords(methods=("unnoised", "config-3/as published"), n_words=250, n_topics=3)
    assert set(study.run(silent)["column"]) == {NOISELESS}


def test_variational_words_have_more_noise_under_strong_composition(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    docstrings = python_docs(n_words=200)
    few_documents = Corpus.from_counts(
        docstrings.counts[:500], docstrings.vocabulary, label=Label.PUBLIC, name="few"
    )
    monkeypatch.setattr(top_words, "python_docs", lambda n_words: few_documents)
    study = VariationalWords(
        epsilon=0.55, published_sigma=3.0, n_words=200, n_topics=3, n_shown_words=4
    )
    frame = study.run(silent)
    sigmas = frame.groupby("column")["sigma"].first()
    assert sigmas["moments accountant, each document"] == 3.0
    assert sigmas["strong composition, each document"] > 6
    assert sigmas["proven, one document replaced"] < 3.0
    assert frame.groupby("column").size().eq(12).all()


@pytest.mark.parametrize("study", STUDIES.values(), ids=list(STUDIES))
def test_study_text_names_every_setting(study) -> None:
    text = study_text(study)
    assert text.startswith(f"# {type(study).__name__}\n")
    assert study_text(type(study)()) == text


def test_script_for_study_prints_its_rows(capsys: pytest.CaptureFixture[str]) -> None:
    script = script_for_study("figure-3a", version="1")
    exec(compile(script, "script", "exec"), {"__name__": "__main__"})
    printed = capsys.readouterr().out
    assert printed.splitlines()[0] == "topics,alpha0,population,sigma_k,scaled,ratio"
    assert len(printed.splitlines()) == 1 + 2 * 9 * 20
