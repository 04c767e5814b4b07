"""The leaderboard: its format refuses what does not fit, its rows are what the page says, and others can be scored."""

import copy
import json

import numpy as np
import pytest

import dplda
from benchmarks.leaderboard import command, corpora, page
from benchmarks.leaderboard.contenders import rows
from benchmarks.leaderboard.corpora import Setting
from benchmarks.leaderboard.entries import check_results, pack_results, read_results
from benchmarks.leaderboard.grouped_corpus import GroupedCorpus
from dplda.core.errors import InputError
from dplda.methods.shares.groups import GroupAxis, Groups

RESULT = {
    "corpus": "simulated",
    "task": "recovery",
    "epsilon": 1.0,
    "values": [0.5, 0.25, 0.75],
    "refused": 0,
}
FILE = {
    "format": "dplda-leaderboard",
    "version": 1,
    "protocol": 1,
    "entries": [
        {
            "method": "Another",
            "reference": "Somebody, 2026",
            "promise": {"unit": "document", "proof": "proven", "words": "one document, proven"},
            "uses_public_text": False,
            "results": [RESULT],
        }
    ],
}


def changed(*path: str | int, value: object) -> dict:
    content = copy.deepcopy(FILE)
    place = content
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return content


def test_file_of_results_is_read(tmp_path) -> None:
    path = tmp_path / "another.json"
    path.write_text(json.dumps(FILE))
    (result,) = read_results(path)
    assert (result.method, result.mean, result.is_comparable) == ("Another", 0.5, True)


BROKEN = {
    "another format": (changed("format", value="x"), "results.json, format"),
    "another protocol": (changed("protocol", value=2), "of protocol 1, got protocol 2"),
    "no entries": (changed("entries", value=[]), "results.json, entries"),
    "unknown task": (changed("entries", 0, "results", 0, "task", value="x"), "results/0/task"),
    "no ε": (changed("entries", 0, "results", 0, "epsilon", value=0), "results/0/epsilon"),
    "a seed is missing": (
        changed("entries", 0, "results", 0, "values", value=[0.5]),
        "a number or a refusal for each of 3 seeds",
    ),
    "an error above 2": (
        changed("entries", 0, "results", 0, "values", value=[0.5, 0.5, 2.5]),
        "finite and from 0 to 2",
    ),
    "the same twice": (
        changed("entries", 0, "results", value=[RESULT, RESULT]),
        "without repetitions",
    ),
    "a promise without words": (
        changed("entries", 0, "promise", value={"unit": "document", "proof": "proven"}),
        "promise",
    ),
    "a list": ([], "the whole file"),
}


@pytest.mark.parametrize(("content", "place"), BROKEN.values(), ids=BROKEN)
def test_file_that_does_not_fit_is_refused_with_its_place(content, place) -> None:
    with pytest.raises(InputError) as error:
        list(check_results(content, "results.json"))
    assert place in str(error.value)


def test_results_file_that_is_no_json_is_refused(tmp_path) -> None:
    (tmp_path / "a.json").write_text("{")
    with pytest.raises(InputError, match="must be JSON"):
        read_results(tmp_path / "a.json")


def test_leaderboard_page_is_what_the_results_say() -> None:
    assert page.PAGE.read_text("utf-8") == page.make_page(), "python -m benchmarks leaderboard"


def test_leaderboard_section_has_a_measurement_for_every_row() -> None:
    names = [row.name for row in rows()]
    for section in command.SECTIONS:
        text = (page.RESULTS / f"leaderboard-{section}.json").read_text("utf-8")
        measured_rows = json.loads(text)["rows"]
        assert list(dict.fromkeys(row["method"] for row in measured_rows)) == names
        assert list(check_results(pack_results(rows(), measured_rows), section))


def test_leaderboard_page_says_where_refined_loses() -> None:
    text = page.PAGE.read_text("utf-8")
    losses = text.partition("## Where Refined loses")[2].partition("\n## ")[0]
    assert losses.count("\n| ") >= 3, "a head, its line, and a row"


@pytest.fixture(scope="module")
def small() -> Setting:
    corpus = dplda.simulate(
        n_documents=400, n_words=40, n_topics=10, alpha0=0.5, mean_length=30, seed=0
    )
    groups = Groups((GroupAxis(("East", "North", "South", "West")),))
    labels = corpus.labels_in("district")
    documents = GroupedCorpus(corpus, corpus.counts[:50], groups, groups.rows_of([labels]))
    return Setting("simulated", documents, corpus, corpus.truth.topics)


def test_topics_of_others_are_scored_beside_the_documents(small, tmp_path, monkeypatch) -> None:
    """The true topics have no error; a seed without a file is a refusal."""
    monkeypatch.setattr(
        command, "cases", lambda section: iter([(small, 0, None), (small, 1, None)])
    )
    command.write_case((small, 0, None), tmp_path / "simulated-0")
    words = (tmp_path / "simulated-0" / "documents-words.txt").read_text().split()
    table = "\n".join(
        [",".join(words), *(",".join(map(repr, row)) for row in small.truth.tolist())]
    )
    (tmp_path / "simulated-0" / "topics-3.csv").write_text(table + "\n")
    row_of_task = {
        (row["task"], row["epsilon"]): row for row in command.score_section("simulated", tmp_path)
    }
    assert row_of_task["recovery", 3.0]["values"] == [pytest.approx(0, abs=1e-12)]
    assert row_of_task["recovery", 3.0]["refused"] == 1
    assert row_of_task["recovery", 1.0]["refused"] == 2
    assert row_of_task["signs", 3.0]["values"][0] > 0.5


def test_written_documents_leave_out_truth_as_well_as_documents_held_out(small, tmp_path) -> None:
    command.write_case((small, 0, None), tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {
        *("documents.npz", "documents-words.txt", "public.npz", "public-words.txt", "groups.txt")
    }


def test_download_writes_documents_that_are_read_with_their_labels(tmp_path, monkeypatch) -> None:
    fetched = {
        "data": ["tea milk sugar tea milk sugar", "rain wind snow rain wind snow"] * 20,
        "target": np.array([0, 1] * 20),
        "target_names": ["kitchen", "weather"],
    }
    monkeypatch.setattr(
        "sklearn.datasets.fetch_20newsgroups", lambda **_: type("Bunch", (), fetched)
    )
    corpora.download(tmp_path)
    setting = corpora.twenty_newsgroups(tmp_path)
    assert setting.documents.groups.labels == ("kitchen", "weather", "other")
    assert setting.documents.train.n_documents == 36
