"""A corpus that may be released, a request and a folder to release it in."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dplda.corpus import Corpus, Label, VocabularySource
from dplda.methods.base.prior_source import PriorKind, PriorSource
from dplda.methods.refined.refined_methods import refined_with
from dplda.methods.registry import parse_method
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.workflow.request import Request
from tests.asking import settings_of
from tests.few_runs import few_runs
from tests.release.command_lines import CANARY
from tests.tiny_corpora import topical_corpus


def asked(method: str = "refined", **changes) -> Request:
    settings_by_name = {"n_topics": 3, "alpha0": 1.0, "epsilon": 1.0, "delta": 1e-6} | changes
    return Request("mail", "letters", settings_of(parse_method(method), **settings_by_name))


def with_seeds(
    seeds: str = "one: w0000, w0001", *, epsilon: float, is_trusted: bool = True
) -> Request:
    method = refined_with(PriorSource(PriorKind.SEEDS, seeds), trusted=is_trusted).spec
    request = asked(epsilon=epsilon)
    return replace(request, experiment=replace(request.experiment, method=method))


@pytest.fixture(autouse=True, scope="module")
def one_run(request: pytest.FixtureRequest) -> Iterator[None]:
    """Ranges and comparisons are of one further run or two, unless a module wants more."""
    with few_runs(getattr(request.module, "TOPICS", 1)):
        yield


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    simulated = topical_corpus(0)
    words = (*simulated.vocabulary[:-1], "tea")  # one that the English table knows
    return Corpus(simulated.counts, words, Label.SENSITIVE, "letters", VocabularySource.FIXED)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    release_folder = Folder(tmp_path / "releases")
    Ledger(release_folder).declare("mail", epsilon=3.0, delta=1e-5)
    return release_folder


@pytest.fixture
def letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A file of documents with a canary in one, a list of words, and a folder for releases: arguments of a release."""
    monkeypatch.setenv("DPLDA_RELEASES", str(tmp_path / "releases"))
    rng = np.random.default_rng(0)
    words = np.array(["kettle", "milk", "sugar", "lemon", "spoon"])
    lines = [" ".join(rng.choice(words, 20, p=row)) for row in rng.dirichlet(np.full(5, 0.3), 500)]
    lines[7] += f" {CANARY}"
    (tmp_path / "letters.txt").write_text("\n".join(lines), "utf-8")
    (tmp_path / "words.txt").write_text("\n".join(words), "utf-8")
    dataset_options = [
        "--dataset",
        "mail",
        "--title",
        "tea",
        "--words",
        str(tmp_path / "words.txt"),
    ]
    dataset_options += ["--method", "private-unigram"]
    return [
        "release",
        str(tmp_path / "letters.txt"),
        *dataset_options,
        "--topics",
        "2",
        "--epsilon",
        "1",
        "--delta",
        "1e-6",
    ]
