"""No shipped text says what is not known: that documents have topics, or that intervals hold at their level."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from dplda.cli import main
from dplda.core.formatting import COVERAGE, STAYS_MEASURED, WITHOUT_TOPICS
from dplda.corpus import Corpus
from dplda.methods.registry import parse_method
from dplda.release.report.page import render_report
from dplda.release.report.released import report_contents
from tests.asking import fitted_by, settings_of
from tests.house.source import ROOT, project
from tests.tiny_corpora import corpus_of

RETIRED = re.compile(
    r"told[ _-]apart|tells? topics apart|(of|all) (\{[^}]*\}|\d+) topics (are |can be )?(found|read)"
    r"|topics (that )?rise above|wins in|wins there|predicted to do best|least predicted error is that"
    r"|is predicted best|who comes second"
)
NINETY = re.compile(r"(?i)\b90[ \u00a0]?% intervals?|\bat 90[ \u00a0]?%|hold the truth \d")
LEFT_BEHIND = ("dplda/release/artefact/", "told_apart")  # a key of older files, no sentence
TEXTS = (*ROOT.glob("*.md"), *(ROOT / "assets").rglob("*.md"), *(ROOT / "assets").rglob("*.toml"))


def shipped() -> Iterator[tuple[str, str]]:
    """Where, and what: sources whole, with names, comments and docstrings, and every text beside them."""
    for file in project("dplda", "pages", "benchmarks"):
        path, key = LEFT_BEHIND
        yield file.path, file.text.replace(key, "") if file.path.startswith(path) else file.text
    for path in TEXTS:
        text = path.read_text("utf-8")
        if path.name == "CHANGELOG.md":  # where they are quoted, to take them back
            text = re.sub(r"### Claims taken back.*?(?=\n### )", "", text, flags=re.DOTALL)
        yield str(path.relative_to(ROOT)), text


def joined(text: str) -> str:
    """Lines in one, so that a break hides nothing; neither does the seam of two literals."""
    return re.sub(r"\s+", " ", re.sub(r"[\"']\s*\n\s*f?[\"']", "", text))


def test_shipped_texts_use_no_retired_claim() -> None:
    text_of_path = dict(shipped())
    assert {"app.py", "README.md", "assets/docs/glossary.toml", "dplda/cli/fit.py"} <= set(
        text_of_path
    )
    claims = [
        f"{path}: {match.group()}"
        for path, text in text_of_path.items()
        for match in RETIRED.finditer(joined(text))
    ]
    assert not claims


def test_coverage_of_intervals_is_stated_from_one_place() -> None:
    """Products' sentences take it from one place; texts that cannot repeat it word for word."""
    for path, text in shipped():
        assert not NINETY.search(joined(text)), path
    holders = [file.path for file in project("dplda", "pages") if COVERAGE in joined(file.text)]
    assert holders == ["dplda/core/formatting.py"]
    using = {file.path for file in project("dplda") if "COVERAGE" in file.text}
    assert "dplda/ui/explore/closer_views.py" in using
    glossary = tomllib.loads((ROOT / "assets" / "docs" / "glossary.toml").read_text("utf-8"))
    assert COVERAGE in glossary["interval"]["exactly"]
    assert COVERAGE in (ROOT / "README.md").read_text("utf-8")


def test_measured_stays_are_stated_from_one_place() -> None:
    holders = [file.path for file in project("dplda") if STAYS_MEASURED in joined(file.text)]
    assert holders == ["dplda/core/formatting.py"]
    using = {file.path for file in project("dplda") if "STAYS_MEASURED" in file.text}
    assert {"dplda/release/report/texts.py", "dplda/ui/shell/word_bars.py"} <= using


@pytest.fixture(scope="module")
def plain() -> Corpus:
    """Documents drawn from one word distribution."""
    rng = np.random.default_rng(1)
    return corpus_of(rng.multinomial(60, rng.dirichlet(np.ones(200)), size=6000))


def test_report_on_documents_without_topics_claims_none(plain: Corpus) -> None:
    settings = settings_of(
        parse_method("refined"), n_topics=10, alpha0=1.0, epsilon=3.0, delta=1e-7, seed=0
    )
    result = fitted_by(settings, plain)
    facts = report_contents(
        result, settings, vocabulary=plain.vocabulary, documents="x", n_documents=6000
    )
    report_text = re.sub(r"<[^>]+>", "", render_report(facts))
    assert "the documents" in report_text
    reservations = (
        "Noise hides whether topics explain",
        "None of the 10 topics has a part",
        "Together, topics may explain the documents no more closely than word frequencies.",
        WITHOUT_TOPICS,
    )
    assert any(reservation in report_text for reservation in reservations)
    assert "better than word frequencies" not in report_text
    assert not RETIRED.search(report_text)


@pytest.mark.parametrize(
    "words",
    [
        ("t.csv", "--method", "refined", "--epsilon", "1e-9"),
        ("t.csv", "--method", "adaptive", "--epsilon", "1e9"),
        ("t.csv", "--method", "unnoised"),
        ("t.html", "--method", "refined", "--epsilon", "1e-9"),
    ],
)
def test_fit_command_counts_no_topics(words: tuple[str, ...], tmp_path: Path, capsys) -> None:
    documents, out = tmp_path / "documents.txt", tmp_path / words[0]
    documents.write_text("tea milk sugar rain tea\n" * 300)
    options = ["-k", "2", "--alpha0", "1", "--label", "public", "--out", str(out)]
    assert main.main(["fit", str(documents), *words[1:], *options]) == 0
    output = capsys.readouterr().out
    assert output.startswith("300 documents, vocabulary of 4 words. ")
    assert not RETIRED.search(output)
    assert "2 topics" not in output
