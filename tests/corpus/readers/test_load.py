"""What every format shares, and the bad input that a person meets first."""

import io
import tracemalloc

import numpy as np
import pytest

import dplda
from dplda.core.errors import InputError, ReadError
from dplda.corpus import Label, Limits, VocabularySource, load

TEXT = "wolves hunt deer\n\nthe wolves, the wolves!\ndeer graze\nwolves hunt deer\n"


def read(content, name="notes.txt", **options):
    data = content.encode() if isinstance(content, str) else content
    return load((name, io.BytesIO(data)), label=Label.SENSITIVE, **options)


def test_load_of_a_path_gives_the_corpus_of_its_open_file(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text(TEXT)
    from_path = load(path, label=Label.PUBLIC)
    assert load(str(path), label=Label.PUBLIC).digest == from_path.digest == read(TEXT).digest


def test_load_of_a_path_takes_its_name_unless_another_is_given(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text(TEXT)
    from_path = load(path, label=Label.PUBLIC)
    assert from_path.name == "notes.txt"
    assert from_path.label is Label.PUBLIC
    assert load(path, label=Label.PUBLIC, name="Notes").name == "Notes"


def test_load_counts_each_word_in_each_document():
    corpus = read(TEXT)
    assert corpus.vocabulary == ("deer", "wolves", "hunt", "graze"), (
        "by documents, then by the alphabet"
    )
    assert corpus.counts.toarray().tolist() == [
        [1, 1, 1, 0], [0, 0, 0, 0], [0, 2, 0, 0], [1, 0, 0, 1], [1, 1, 1, 0],
    ]  # fmt: skip
    assert corpus.vocabulary_source is VocabularySource.FROM_DATA


def test_load_records_the_intake_of_a_text():
    corpus = read(TEXT)
    intake = corpus.intake
    assert (intake.n_read, intake.n_short, intake.n_duplicates) == (5, 3, 1)
    assert (intake.n_tokens, intake.n_tokens_kept, intake.n_words_met) == (12, 10, 4)
    assert (intake.n_truncated, intake.n_control_removed) == (0, 0)


def test_fixed_vocabulary_is_taken_in_its_order_with_stop_words():
    corpus = read(TEXT, vocabulary=["the", "Wolves", "unicorn"])
    assert corpus.vocabulary == ("the", "wolves", "unicorn")
    assert corpus.vocabulary_source is VocabularySource.FIXED
    assert corpus.counts.toarray()[2].tolist() == [2, 2, 0]
    assert corpus.counts.shape == (5, 3)


def test_huge_document_is_cut_to_its_first_words():
    limits = Limits(max_words_per_document=5)
    corpus = read("deer " * 4 + "wolf elk " * 100_000 + "\nwolf\nelk\ndeer\n", limits=limits)
    assert corpus.lengths.tolist() == [5, 1, 1, 1]
    assert corpus.intake.n_truncated == 1
    assert corpus.counts.toarray()[0, corpus.vocabulary.index("deer")] == 4


def test_size_is_watched_where_the_file_cannot_tell():
    class Pipe(io.BytesIO):
        def seekable(self):
            return False

    with pytest.raises(
        ReadError, match=r"more than 3 distinct words, .* or give a fixed vocabulary"
    ):
        read(TEXT, limits=Limits(max_distinct_words=3))
    with pytest.raises(ReadError, match="more than 20 bytes"):
        load(("notes.txt", Pipe(TEXT.encode())), label=Label.PUBLIC, limits=Limits(max_bytes=20))
    assert load(("notes.txt", Pipe(TEXT.encode())), label=Label.PUBLIC).n_documents == 5


@pytest.mark.parametrize("field", Limits.__dataclass_fields__)
@pytest.mark.parametrize("value", [0, -1, 1.5, float("nan")])
def test_limits_out_of_range_are_refused(field, value):
    with pytest.raises(InputError, match=field):
        Limits(**{field: value})


def test_parameters_are_checked_before_the_file():
    with pytest.raises(InputError, match="n_words"):
        load("missing.txt", label=Label.PUBLIC, n_words=1)
    with pytest.raises(InputError, match="vocabulary"):
        load("missing.txt", label=Label.PUBLIC, vocabulary=["one word too many"])


@pytest.mark.parametrize("name", ["notes.jsonl", "notes.JSONL", "notes.ndjson", "notes.json"])
def test_json_lines_are_known_by_suffix(name):
    rows = '{"text": "wolves hunt"}\n{"text": "deer graze"}\n{"text": "wolves graze"}\n'
    assert read(rows, name).n_documents == 3


class Stream(io.RawIOBase):
    """A file of many short documents that exists only while it is read."""

    def __init__(self, n_documents):
        words = np.array(["wolf", "deer", "moose", "badger", "heron", "otter", "lynx", "bear"])
        lines = [" ".join(words[np.random.default_rng(i).integers(0, 8, 7)]) for i in range(1000)]
        self._block = ("\n".join(lines) + "\n").encode()
        self._left = n_documents // 1000

    def readable(self):
        return True

    def read(self, size=-1):
        if not self._left:
            return b""
        self._left -= 1
        return self._block


def test_load_of_a_long_text_reports_progress_within_memory_of_its_counts():
    reports = []
    tracemalloc.start()
    corpus = load(
        ("notes.txt", Stream(50_000)),
        label=Label.PUBLIC,
        report=lambda *progress: reports.append(progress),
    )
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (corpus.n_documents, corpus.counts.sum()) == (50_000, 350_000)
    assert len(reports) > 20
    assert reports[-1] == (1.0, "Read 50,000 documents")
    stored_bytes = (
        corpus.counts.data.nbytes + corpus.counts.indices.nbytes + corpus.counts.indptr.nbytes
    )
    # blocks, their selection, the corpus, 64-bit work for one block of a million words
    assert peak < 4 * stored_bytes + 60 * 2**20


@pytest.mark.parametrize("option", ["encoding", "text", "person", "name", "label"])
@pytest.mark.parametrize("value", [3, 3.5, True, [], b"utf-8", np.array([1, 2])], ids=str)
def test_options_of_another_type_are_refused_in_a_sentence(option: str, value: object) -> None:
    lines = io.BytesIO(b"green tea with milk\nblack tea with milk\nmilk without tea\n")
    usual = {"label": "public", "vocabulary": ["tea", "milk", "sugar"]}
    with pytest.raises(InputError, match=option):
        dplda.load(("cups.txt", lines), **(usual | {option: value}))
