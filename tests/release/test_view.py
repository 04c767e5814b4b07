"""The public view: a function of one file, in a process where nothing that reads documents can be imported."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dplda import cli, launch
from dplda.release.artefact import Artefact, Drawn, Promise, read, write
from dplda.ui.view import guard
from dplda.ui.view.page import VARIABLE, topics_csv

ROOT = Path(__file__).resolve().parents[2]
WORDS = ("=cmd", "<b>bold</b>", "$x$", "tea", "milk", "sugar")


@pytest.fixture
def artefact() -> Artefact:
    rng = np.random.default_rng(0)
    words = rng.dirichlet(np.full(6, 0.5), 3)
    return Artefact(
        documents="letters *to* nobody",
        n_documents=1000,
        method="Refined",
        alpha0=1.0,
        n_topics=3,
        vocabulary=WORDS,
        words=words,
        mean_words=np.mean(words, axis=0),
        shares=np.array([0.5, 0.3, 0.2]),
        lower=words * 0.9,
        upper=np.minimum(1, words * 1.1),
        told_apart=np.array([9.0, 8.0, 1.0]),
        drawn=(Drawn("clipped word counts", (6,), "Gaussian on every coordinate", 2.8, 14.0, 0.2, 1),),
        promise=Promise(1.0, 1e-7, "replace one document", "Mechanism proven: …", ("one", "two")),
        charge="ab" * 32,
        released="2026-01-01T00:00:00.000+00:00",
        versions={"dplda": "0.1.0"},
    )


@pytest.fixture
def shown(artefact: Artefact, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    file = tmp_path / "letters.dplda.json"
    file.write_bytes(write(artefact))
    monkeypatch.setenv(VARIABLE, str(file))
    return AppTest.from_file(str(launch.VIEW), default_timeout=240).run()


def said(app: AppTest) -> str:
    tables = [frame.value.to_csv() for frame in app.dataframe]
    return "\n".join([*(m.value for m in app.markdown), *(m.value for m in app.caption), *tables])


def test_it_shows_what_is_in_the_file_and_its_controls_show_it_otherwise(shown: AppTest) -> None:
    assert not shown.exception
    assert shown.title[0].value == r"Topics of letters \*to\* nobody"
    assert "3 topics were asked for; 2 can be told apart." in said(shown)
    assert "guesses right 74 times in 100" in said(shown)
    assert "(ε = 1, δ = 1e-7)-differentially private when one document is replaced" in said(shown)
    assert "Nobody has signed this file" in said(shown)
    assert hashlib.sha256(Path(os.environ[VARIABLE]).read_bytes()).hexdigest() in said(shown)
    before = said(shown)
    shown.slider(key="view.many").set_value(3)
    shown.slider(key="view.relevance").set_value(0.3)
    shown.selectbox(key="view.word").set_value("tea")
    after = shown.run()
    assert not after.exception
    assert said(after) != before
    assert len(after.dataframe[0].value) == 3


def test_the_same_file_gives_the_same_page_wherever_it_lies(shown: AppTest, artefact: Artefact, tmp_path, monkeypatch):
    other = tmp_path / "another" / "copy.dplda.json"
    other.parent.mkdir()
    (other.parent / "corpus.txt").write_text("xylophonic")
    other.write_bytes(write(artefact))
    monkeypatch.setenv(VARIABLE, str(other))
    again = AppTest.from_file(str(launch.VIEW), default_timeout=240).run()
    assert said(again) == said(shown)
    assert "xylophonic" not in said(again)


def test_a_file_that_is_none_is_said_in_a_sentence(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "nothing.json"))
    app = AppTest.from_file(str(launch.VIEW), default_timeout=240).run()
    assert not app.exception
    assert "nothing" in app.error[0].value
    assert cli.main(["view", str(tmp_path / "nothing.json")]) == 2
    assert "nothing.json" in capsys.readouterr().err


def test_words_that_a_spreadsheet_would_compute_are_marked(artefact: Artefact) -> None:
    table = topics_csv(artefact)
    assert "'=cmd" in table
    assert "\n=cmd" not in table
    assert {line.split(",")[0] for line in table.splitlines()[1:]} == {"1", "2"}


def test_in_the_public_process_nothing_else_of_the_project_can_be_imported(artefact: Artefact, tmp_path: Path) -> None:
    """A process under the guard draws the page, and then tries every other module there is."""
    file = tmp_path / "letters.dplda.json"
    file.write_bytes(write(artefact))
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted((ROOT / "dplda").rglob("*.py"))
    ]
    others = [name for name in modules if name not in guard.ALLOWED and name != guard.__name__]
    assert {"dplda.corpus.readers.load", "dplda.release.ledger", "dplda.methods", "dplda.fitting.sums"} <= set(others)
    code = f"""
import json, sys
from dplda.ui.view import guard
guard.install()
from streamlit.testing.v1 import AppTest
app = AppTest.from_file({str(launch.VIEW)!r}, default_timeout=240).run()
refused = []
for name in {others!r}:
    try:
        __import__(name)
    except ImportError as error:
        refused += [name] if "no place in the public view" in str(error) else []
loaded = [name for name in sys.modules if name.partition(".")[0] == "dplda"]
print(json.dumps([not app.exception, app.title[0].value, refused, loaded]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, VARIABLE: str(file)},
        capture_output=True,
        text=True,
        check=True,
    )
    drawn, title, refused, loaded = json.loads(done.stdout.splitlines()[-1])
    assert drawn
    assert title.startswith("Topics of")
    assert refused == others
    assert set(loaded) <= guard.ALLOWED | {guard.__name__}


def test_the_guard_does_not_come_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ImportError, match="no place in the public view"):
        guard.install()  # this process has imported the rest long ago
    assert not any(isinstance(finder, guard.Guard) for finder in sys.meta_path)


def test_the_command_starts_the_public_server_and_no_other(artefact: Artefact, tmp_path: Path, monkeypatch) -> None:
    started = {}

    def serve(port: int | None, **given: object) -> int:
        started.update(given)
        return 0

    file = tmp_path / "letters.dplda.json"
    file.write_bytes(write(artefact))
    monkeypatch.setattr(launch, "serve", serve)
    assert cli.main(["view", str(file), "--no-open"]) == 0
    assert started["program"] == ("dplda.ui.view.server", str(launch.VIEW))
    assert started["more"] == {VARIABLE: str(file)}
    assert read(write(artefact), "a file").documents == artefact.documents
