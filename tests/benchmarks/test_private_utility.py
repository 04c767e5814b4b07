"""The command on a toy corpus, its sections on toy settings, and what they hold."""

import json
from dataclasses import replace

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks.utility.claims import judge_claim
from benchmarks.utility.report import rows_of
from benchmarks.utility.sections import ENDS, documents, sections
from dplda.corpus import Simulation
from dplda.experiments.sweeps import Setting, Store, run
from dplda.methods.registry import METHODS
from tests.experiments.sweeps import tiny_sweeps

GIVEN = documents(["Bags=docword.txt.gz", "Mail=a.jsonl.gz"], text="body")
SLOW = {"vi", "config-1", "config-2", "shared-moment"}  # for a test
TOY = Setting(
    "toy",
    Simulation(n_documents=100, n_words=12, n_topics=2, mean_length=20),
    n_topics=2,
    alpha0=1.0,
)


def test_utility_gate_covers_private_methods_without_a_prior_of_these_texts() -> None:
    unigram_claim, *rival_claims = sections(GIVEN, repeats=5)["text"].claims
    private_keys = {method.key for method in METHODS.values() if method.needs_epsilon}
    assert {method.key for method in unigram_claim.methods} == private_keys - {
        "private-unigram",
        "refined-english",
    }
    assert unigram_claim.rival.key == "private-unigram"
    assert [claim.rival.name for claim in rival_claims] == ["adaptive", "dp-vi"]


@pytest.mark.parametrize("name", ["text", "limits"])
def test_section_says_everything_of_a_toy(name, tmp_path) -> None:
    section = sections(GIVEN, repeats=2)[name]
    compared_keys = {
        method.key for claim in section.claims for method in (*claim.methods, claim.rival)
    }
    assert compared_keys <= {method.key for method in section.sweep.methods}
    methods = tuple(method for method in section.sweep.methods if method.name not in SLOW)
    epsilons = ENDS[:1] + ENDS[-1:] if name == "limits" else (3.0,)
    small = {
        "settings": (TOY,),
        "methods": methods,
        "epsilons": epsilons,
        "repeats": 1,
        "corpora": 2,
        "delta": 1e-3,
    }
    sweep = replace(section.sweep, **small)
    store = Store(sweep, tmp_path)
    run(sweep, store)
    frame = store.frame()
    assert not frame["failed"].any()
    verdicts = [verdict for claim in section.claims for verdict in judge_claim(frame, claim)]
    rows = list(rows_of(frame, verdicts))
    kinds = sum(len(epsilons) if method.needs_epsilon else 1 for method in sweep.methods)
    assert len(rows) == kinds + len(verdicts)
    assert {row["method"] for row in rows} == {method.key for method in sweep.methods}
    assert {row["claim"] for row in rows if "claim" in row} == {
        claim.words for claim in section.claims
    }
    json.dumps(rows, allow_nan=False)


def test_utility_command_computes_each_cell_once(tmp_path, monkeypatch, capsys) -> None:
    toy = tiny_sweeps.write_documents(tmp_path / "toy.txt")
    monkeypatch.setattr(benchmarks, "RESULTS", tmp_path / "results")
    options = f"--only limits --corpus Toy={toy} --words 50 --embedded-words 0 --repeats 2 --store {tmp_path}"
    monkeypatch.setattr("benchmarks.utility.sections.TOPICS", 2)
    monkeypatch.setattr("sys.argv", ["benchmarks", "private-utility", *options.split()])
    benchmarks.main()
    capsys.readouterr()
    (file,) = (tmp_path / "results").iterdir()
    assert file.name == "private-utility-limits.json"
    rows = json.loads(file.read_text("utf-8"))["rows"]
    assert {row["method"] for row in rows} == {"refined", "refined-no-noise", "private-unigram"}
    assert all(row["n"] == (1 if row["epsilon"] is None else 2) for row in rows)
    benchmarks.main()
    assert "16/17" not in capsys.readouterr().err, "finished cells are not computed again"
