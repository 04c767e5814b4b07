"""A reload is another session with the same address: what it cannot find again is said."""

from dataclasses import replace

import numpy as np
import pytest

from dplda.core.errors import InputError
from dplda.corpus import Corpus, Intake, Label, Selection, VocabularySource, disk_cache
from dplda.experiments.settings import CorpusKind
from dplda.ui.state import address, kept_uploads, link, session
from dplda.ui.state.keys import Key


def corpus_of(label: Label, source: VocabularySource = VocabularySource.FIXED, seed: int = 0) -> Corpus:
    counts = np.random.default_rng(seed).poisson(1.0, (40, 30))
    words = tuple(f"canary{i}" for i in range(30))
    given = Selection() if source is VocabularySource.SELECTED else None
    return Corpus(
        Corpus.from_counts(counts, label=label, name="mine").counts, words, label, "mine", source, selection=given
    )


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv(disk_cache.FOLDER_VARIABLE, str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("source", VocabularySource)
def test_a_public_corpus_is_found_again_as_it_was(source, cache) -> None:
    corpus = corpus_of(Label.PUBLIC, source)
    assert kept_uploads.keep(corpus)
    found = kept_uploads.find(kept_uploads.name_of(corpus))
    assert found is not None
    assert (found.digest, found.label, found.name) == (corpus.digest, Label.PUBLIC, "mine")
    assert found.vocabulary_source is source, "it is part of the guarantee"
    other = corpus.digest[:32] + ("" if source is VocabularySource.FROM_DATA else "-data")
    assert kept_uploads.find(other) is None


def test_whose_documents_they_are_is_found_again(cache) -> None:
    alone = corpus_of(Label.PUBLIC)
    corpus = replace(alone, persons=np.arange(40) // 2)
    assert kept_uploads.keep(corpus)
    found = kept_uploads.find(kept_uploads.name_of(corpus))
    assert found is not None
    assert found.n_persons == 20
    assert found.digest == corpus.digest != alone.digest
    rows = corpus.by_person()
    kept_uploads.keep(rows)
    again = kept_uploads.find(kept_uploads.name_of(rows))
    assert again is not None
    assert (again.of_persons, again.n_documents) == (True, 20)


def test_a_sensitive_corpus_never_reaches_the_disk(cache) -> None:
    with pytest.raises(InputError, match="public"):
        kept_uploads.keep(corpus_of(Label.SENSITIVE))
    assert list(cache.rglob("*")) == []


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "0" * 32, "0" * 31 + "/", "x" * 32])
def test_no_other_name_reaches_a_file(name, cache) -> None:
    assert kept_uploads.find(name) is None


def test_a_changed_file_is_not_taken(cache) -> None:
    mine, other = corpus_of(Label.PUBLIC), corpus_of(Label.PUBLIC, seed=1)
    for corpus in (mine, other):
        kept_uploads.keep(corpus)
    files = [cache / "uploads" / f"corpus-{kept_uploads.name_of(corpus)}.npz" for corpus in (mine, other)]
    files[0].write_bytes(files[1].read_bytes())
    assert kept_uploads.find(kept_uploads.name_of(mine)) is None


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_a_flipped_bit_is_not_taken(suffix, cache) -> None:
    corpus = replace(corpus_of(Label.PUBLIC), intake=Intake(40, 1, 2, 3, 4, 1200, 1100, 30))
    kept_uploads.keep(corpus)
    (file,) = cache.rglob(f"*{suffix}")
    content, rng = file.read_bytes(), np.random.default_rng(0)
    for place in rng.choice(len(content), 60):
        flipped = bytearray(content)
        flipped[place] ^= 1 << rng.integers(8)
        file.write_bytes(flipped)
        found = kept_uploads.find(kept_uploads.name_of(corpus))
        assert found is None or (found.digest, found.name, found.intake) == (corpus.digest, "mine", corpus.intake)
    file.write_bytes(content)
    assert kept_uploads.find(kept_uploads.name_of(corpus)) is not None


@pytest.mark.parametrize("page", ["topics", "docs"])
def test_a_folder_that_cannot_be_written_to_is_said_on_pages(page, open_page, monkeypatch, tmp_path) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(disk_cache.FOLDER_VARIABLE, str(tmp_path / "file" / "cache"))
    app = open_page(page, {"v": "2", link.CORPUS_KEY: "simulated_500_30_3_1_40_poisson_0.1_0", "k": "3"})
    assert "Not a directory" in app.warning[0].value
    monkeypatch.setenv(disk_cache.FOLDER_VARIABLE, str(tmp_path / "cache"))
    app.run()
    assert not any("Nothing can be kept" in each.value for each in app.warning)


def test_the_folder_is_bounded(cache, monkeypatch) -> None:
    corpora = [corpus_of(Label.PUBLIC, seed=seed) for seed in range(4)]
    kept_uploads.keep(corpora[0])
    size = next(cache.rglob("*.npz")).stat().st_size
    monkeypatch.setattr(kept_uploads, "MOST", 2 * size + corpora[0].counts.nnz * 8)
    for corpus in corpora[1:]:
        kept_uploads.keep(corpus)
    there = [kept_uploads.find(kept_uploads.name_of(corpus)) is not None for corpus in corpora]
    assert there[-1]
    assert not there[0]
    assert len(list(cache.rglob("*.json"))) == sum(there)


def test_a_reload_finds_public_documents(open_page, cache) -> None:
    corpus = corpus_of(Label.PUBLIC)
    kept_uploads.keep(corpus)
    app = open_page("documents", {link.CORPUS_KEY: link.UPLOADED + kept_uploads.name_of(corpus), "k": "3"})
    assert app.session_state[Key.UPLOADED].digest == corpus.digest
    assert not app.info


@pytest.mark.parametrize(
    ("text", "said"),
    [(link.LOST, "kept in memory"), (link.UPLOADED + "0" * 32, "no longer kept on this machine")],
)
def test_what_a_reload_loses_is_said_once(text, said, open_page, cache) -> None:
    app = open_page("topics", {link.CORPUS_KEY: text, "k": "3"})
    assert said in app.info[0].value
    assert app.number_input(key=Key.N_TOPICS).value == 3
    app.run()
    assert not app.info


@pytest.mark.parametrize("label", [Label.PUBLIC, Label.SENSITIVE])
def test_the_address_names_what_a_reload_needs_and_nothing_else(label, open_page, cache) -> None:
    corpus = corpus_of(label)
    app = open_page("documents")
    app.session_state[Key.UPLOADED] = corpus
    app.session_state[Key.CHOICE] = session.Choice(CorpusKind.UPLOADED)
    app.run()
    wanted = link.LOST if label is Label.SENSITIVE else link.UPLOADED + kept_uploads.name_of(corpus)
    assert app.query_params[link.CORPUS_KEY] == wanted


def test_what_error_curves_show_is_in_the_address(open_page, monkeypatch) -> None:
    app = open_page("error_curves", {link.SHOWN_KEY: "figure-4a"})
    assert app.selectbox(key=Key.CURVES_SHOWN).value == "figure-4a"
    app.selectbox(key=Key.CURVES_SHOWN).select("figure-2b").run()
    assert app.query_params[link.SHOWN_KEY] == "figure-2b"
    monkeypatch.setattr(address, "LATE", -1)
    app.query_params[link.SHOWN_KEY] = "figure-4a"  # as Back does
    assert app.run().selectbox(key=Key.CURVES_SHOWN).value == "figure-4a"
    assert open_page("error_curves", {link.SHOWN_KEY: "<b>"}).selectbox(key=Key.CURVES_SHOWN).value == "My settings"
