"""A released file as a model: in every package that it is exported to, the same topics."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import dplda
from dplda.cli.main import main
from dplda.core.errors import CorpusError, InputError, ReadError
from dplda.release.artefact.released_file import read_release_file
from dplda.release.reuse import exports
from dplda.release.reuse.released_model import ReleasedModel
from dplda.release.workflow.perform import release
from tests.release.conftest import asked

RELEASES = Path(__file__).parents[1] / "before" / "releases"
WITH_WORDS = RELEASES / "1599952c08a15991d968acfa04daac5c.dplda.json"
"""A release of an earlier version, whose words are English."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory, corpus) -> Path:
    from dplda.release.ledger.folder import Folder
    from dplda.release.ledger.ledger import Ledger

    folder = Folder(tmp_path_factory.mktemp("reuse") / "releases")
    Ledger(folder).declare("mail", epsilon=10.0, delta=1e-5)
    return release(corpus, asked(epsilon=5.0), folder).path


@pytest.fixture(scope="module")
def model(path: Path) -> ReleasedModel:
    return dplda.open_release(path)


@pytest.fixture
def released_words() -> ReleasedModel:
    return dplda.open_release(WITH_WORDS)


def test_open_release_has_the_topics_of_the_file(model, path: Path) -> None:
    artefact = read_release_file(path)
    np.testing.assert_array_equal(model.components_, artefact.topics)
    np.testing.assert_allclose(model.alpha_.sum(), artefact.alpha0)
    assert model.guarantee_ == artefact.guarantee
    assert "Proven" in repr(model)


def test_open_release_refuses_a_file_that_was_damaged(path: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.json"
    damaged.write_bytes(path.read_bytes().replace(b'"alpha0": 1.0', b'"alpha0": 2.0'))
    with pytest.raises(ReadError, match="damaged"):
        dplda.open_release(damaged)


def test_transform_gives_shares_of_words(model, corpus) -> None:
    shares = model.transform(corpus)
    has_words = corpus.lengths > 0
    np.testing.assert_allclose(shares[has_words].sum(axis=1), 1)
    np.testing.assert_array_equal(model.transform(corpus.counts), shares)


def test_transform_refuses_counts_of_another_number_of_words(model) -> None:
    with pytest.raises(CorpusError, match="The counts have 2 columns"):
        model.transform(np.ones((3, 2), dtype=int))


def test_transform_of_shuffled_words_counts_the_known_ones(model, corpus) -> None:
    order = np.random.default_rng(0).permutation(corpus.n_words)
    words = tuple(f"new{column}" if column < 5 else corpus.vocabulary[column] for column in order)
    shuffled = replace(corpus, counts=corpus.counts[:, order], vocabulary=words)
    without = corpus.counts.toarray()
    without[:, :5] = 0
    np.testing.assert_allclose(model.transform(shuffled), model.transform(without), atol=1e-12)


def test_transform_refuses_documents_without_any_word_of_the_release(model, corpus) -> None:
    words = tuple(f"new{column}" for column in range(corpus.n_words))
    with pytest.raises(CorpusError, match="no word of the release"):
        model.transform(replace(corpus, vocabulary=words))


def test_read_takes_new_documents_over_the_words_of_the_release(
    released_words: ReleasedModel, tmp_path: Path
) -> None:
    words = released_words.vocabulary_
    new_documents = tmp_path / "new.txt"
    new_documents.write_text(
        "\n".join([f"{words[0]} {words[1]}", words[-1], f"{words[2]} nothing"])
    )
    shares = released_words.transform(released_words.read(new_documents))
    assert shares.shape == (3, len(released_words.components_))
    np.testing.assert_allclose(shares.sum(axis=1), 1)


def test_sklearn_model_has_the_same_topics(model, corpus) -> None:
    exported = model.to_sklearn()
    topics = exported.components_ / exported.components_.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(topics, model.components_, atol=1e-12)
    shares = exported.transform(corpus.counts)
    assert np.mean(np.argmax(shares, axis=1) == np.argmax(model.transform(corpus), axis=1)) > 0.9


def test_gensim_model_has_the_same_topics(model, corpus) -> None:
    exported = model.to_gensim()
    np.testing.assert_allclose(exported.get_topics(), model.components_, atol=1e-5)
    likely = exported.show_topic(0, topn=1)[0][0]
    assert likely == model.vocabulary_[int(np.argmax(model.components_[0]))]
    document = corpus.counts[[0]]
    words = list(zip(document.indices.tolist(), document.data.tolist(), strict=True))
    shares = dict(exported.get_document_topics(words, minimum_probability=0))
    assert sum(shares.values()) == pytest.approx(1, abs=1e-3)


def test_pyldavis_of_a_model_has_the_released_topic_sizes(model, path: Path) -> None:
    import pyLDAvis

    prepared_view = model.to_pyldavis()
    shares = read_release_file(path).topic_shares
    sizes = prepared_view.topic_coordinates["Freq"].to_numpy()
    np.testing.assert_allclose(sizes, 100 * shares / shares.sum(), rtol=1e-6)
    assert "ldavis" in pyLDAvis.prepared_data_to_html(prepared_view)


def test_export_to_a_missing_package_is_refused_with_its_install_command(
    model, monkeypatch
) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(exports.importlib, "import_module", missing)
    with pytest.raises(InputError, match="pip install pyLDAvis"):
        model.to_pyldavis()
    with pytest.raises(InputError, match="pip install gensim"):
        model.to_gensim()


def test_csv_has_every_word_of_every_topic(model) -> None:
    rows = list(csv.DictReader(io.StringIO(model.to_csv())))
    assert len(rows) == int(np.count_nonzero(model.components_))
    total = sum(float(row["probability"]) for row in rows)
    assert total == pytest.approx(len(model.components_))


def test_json_of_a_model_has_names_with_the_guarantee(model) -> None:
    content = json.loads(model.to_json())
    assert [topic["name"] for topic in content["topics"]] == list(model.names_)
    assert content["guarantee"] == model.guarantee_.in_words()


def test_naming_prompt_holds_released_words_alone(model) -> None:
    prompt = model.naming_prompt(n_words=3)
    last_line = prompt.splitlines()[-1]
    words = last_line.partition(". ")[2].split(", ")
    assert set(words) <= set(model.vocabulary_)
    numbered = [line for line in prompt.splitlines() if line[:1].isdigit()]
    assert [line.partition(".")[0] for line in numbered] == ["1", "2", "3"]


def test_apply_writes_a_row_for_each_document(
    released_words: ReleasedModel, tmp_path: Path, capsys
) -> None:
    words = released_words.vocabulary_
    documents = tmp_path / "new.csv"
    documents.write_text("\n".join(["text", *(f"{word} {words[0]}" for word in words[:5])]))
    command = ["apply", str(WITH_WORDS), str(documents), "--out", str(tmp_path / "shares.csv")]
    assert main(command) == 0
    rows = (tmp_path / "shares.csv").read_text().splitlines()
    assert len(rows) == 6
    assert "not protected" in capsys.readouterr().err


def test_leading_words_of_a_release_begin_with_its_default_names(model) -> None:
    words = model.leading_words(4)
    assert [", ".join(row[:3]) for row in words] == list(model.names_)
    content = json.loads(model.to_json())
    assert [tuple(topic["leading_words"][:4]) for topic in content["topics"]] == list(words)


def test_summary_shows_supported_topics_by_their_leading_words(model) -> None:
    lines = model.summary.splitlines()
    assert lines[0] == "3 topics of letters"
    assert model.guarantee_.in_words() in lines
    supported_lines = [line for line in lines if line[:2] in ("1.", "2.", "3.")]
    for line in supported_lines:
        topic = int(line[0]) - 1
        assert ", ".join(model.leading_words()[topic]) in line
    n_unsupported = len(model.components_) - len(supported_lines)
    assert any("without evidence" in line for line in lines) is bool(n_unsupported)
