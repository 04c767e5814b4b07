"""Copied Python gives the very topics of the run, for every method and every kind of corpus."""

import contextlib
import io
from pathlib import Path

import numpy as np
import pytest

import dplda
from dplda.core.errors import InputError
from dplda.corpus import Corpus, Label, Simulation
from dplda.experiments.experiment import Experiment, HeldDocuments
from dplda.experiments.run_script import YOUR_FILE, script
from dplda.experiments.sources import Embedded
from dplda.methods.base.problem import Origin
from dplda.methods.registry import METHODS, parse_method
from tests.asking import fitted_by, settings_of

ROOT = Path(__file__).resolve().parents[2]
SIMULATION = Simulation(n_documents=3000, n_words=20, n_topics=3, mean_length=30, seed=1)
PRIVATE = [text for text, method in METHODS.items() if method.needs_epsilon]
LEAVES, BESIDE = ("green", "black", "white"), ("milk", "sugar", "lemon")
TEXT = "\n".join(f"{LEAVES[i % 3]} tea with {BESIDE[i % 2]}" for i in range(200))


def settings(text: str, **changes) -> Experiment:
    arguments = {"n_topics": 3, "alpha0": 0.7, "seed": 5, "epsilon": 20.0, "delta": 1e-6}
    arguments |= {"corpus": SIMULATION} | changes
    return settings_of(parse_method(text), **arguments)


def ran(code: str, folder: Path) -> dict[str, object]:
    """The names that a script leaves behind."""
    variables_left: dict[str, object] = {}
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()) as output:
        exec(compile(code, "run.py", "exec"), variables_left)
    return variables_left | {"said": output.getvalue()}


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return SIMULATION.draw()


@pytest.mark.parametrize("text", PRIVATE)
def test_run_script_of_a_method_repeats_its_topics_to_the_last_bit(
    text, corpus, tmp_path, monkeypatch
) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "7")
    run_settings = settings(
        text, epsilon=1.0 if text.startswith("dp-vi") else 20.0
    )  # whose noise is found sooner
    fitted_run = fitted_by(run_settings, corpus)
    variables = ran(script(run_settings, corpus), tmp_path)
    assert np.array_equal(variables["topics"], fitted_run.topics.words)
    assert fitted_run.guarantee.in_words() in variables["said"]
    assert "not the documents" not in variables["said"]
    assert variables["os"].environ["OPENBLAS_NUM_THREADS"] == "1", "sums have threads of their own"
    if "model" in variables:
        assert (tmp_path / "report.html").read_text("utf-8").startswith("<!DOCTYPE html>")


def test_run_script_of_an_own_split_repeats_the_run(corpus, tmp_path) -> None:
    names = parse_method("adaptive").quantities
    split = tuple((name, 1 / len(names)) for name in names)
    run_settings = settings("adaptive", split=split, chosen=Origin.DOCUMENTS)
    variables = ran(script(run_settings, corpus), tmp_path)
    assert np.array_equal(variables["topics"], fitted_by(run_settings, corpus).topics.words)
    assert variables["plan"] == run_settings.plan
    usual = settings("adaptive")
    assert not np.array_equal(variables["topics"], fitted_by(usual, corpus).topics.words)


@pytest.mark.parametrize("vocabulary", [None, ("tea", "milk", "sugar", "naïve")])
def test_run_script_of_a_file_notices_other_documents(vocabulary, tmp_path) -> None:
    path = tmp_path / "my cups.txt"
    path.write_text(TEXT, "utf-8")
    corpus = dplda.load(path, label=Label.PUBLIC, vocabulary=vocabulary, n_words=4)
    run_settings = settings("refined", n_topics=2, corpus=HeldDocuments())
    code = script(run_settings, corpus)
    variables = ran(code.replace(YOUR_FILE, str(path)), tmp_path)
    assert variables["corpus"].digest == corpus.digest
    assert np.array_equal(variables["topics"], fitted_by(run_settings, corpus).topics.words)
    path.write_text(TEXT + "\ntea tea tea", "utf-8")
    assert "not the documents" in ran(code.replace(YOUR_FILE, str(path)), tmp_path)["said"]


def test_run_script_of_the_embedded_corpus_repeats_its_topics(tmp_path) -> None:
    """By a process of its own: a sweep's script, tests/experiments/sweeps/test_script.py."""
    corpus, run_settings = dplda.python_docs(), settings("adaptive", epsilon=3.0, corpus=Embedded())
    variables = ran(script(run_settings, corpus), tmp_path)
    assert np.array_equal(variables["topics"], fitted_by(run_settings, corpus).topics.words)


def test_names_of_topics_are_quoted(corpus, tmp_path) -> None:
    ran(
        script(settings("refined"), corpus, ("a\"'\\", None, None)),
        tmp_path,
    )
    assert "a&#34;&#39;\\" in (tmp_path / "report.html").read_text("utf-8")


def test_run_script_of_a_sensitive_corpus_is_refused() -> None:
    corpus = Corpus.from_counts([[1, 2], [2, 1], [3, 3]], label=Label.SENSITIVE, name="mail")
    with pytest.raises(InputError, match="sensitive"):
        script(settings("refined", corpus=HeldDocuments()), corpus)
