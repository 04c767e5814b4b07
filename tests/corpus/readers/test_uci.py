"""UCI bags of words: by hand, against the same documents as text, and every broken line refused by its number."""

import gzip
import io
import re

import numpy as np
import pytest
from scipy.sparse import csr_array

from dplda.core.errors import CorpusError, ReadError
from dplda.corpus import Label, Limits, VocabularySource, load
from dplda.corpus.count_matrix import thin_documents
from dplda.corpus.counts_readers import matrices

WORDS = ["wolves", "hunt", "deer", "the", "graze", "ox", "Deer", "x-ray"]
ENTRIES = ["1 1 2", "1 2 1", "1 4 9", "2 3 1", "2 5 1", "2 6 4", "2 7 3", "4 1 1", "4 8 7"]


def bag(entries=ENTRIES, n_documents=4, n_words=8, n_entries=None):
    header = [n_documents, n_words, len(entries) if n_entries is None else n_entries]
    return "\n".join([*map(str, header), *entries, ""]).encode()


def read(data, words=WORDS, name="docword.farm.txt", **options):
    word_file = ("vocab.farm.txt", io.BytesIO("\n".join(words).encode()))
    return load((name, io.BytesIO(data)), words=word_file, label=Label.PUBLIC, **options)


def test_uci_bag_has_its_counts_in_order_of_frequency():
    corpus = read(bag())
    assert corpus.vocabulary == ("wolves", "deer", "graze", "hunt"), (
        "by documents, then by the alphabet"
    )
    assert corpus.counts.toarray().tolist() == [
        [2, 0, 0, 1],
        [0, 4, 1, 0],
        [0, 0, 0, 0],
        [1, 0, 0, 0],
    ]
    assert corpus.vocabulary_source is VocabularySource.FROM_DATA


def test_uci_bag_records_its_intake():
    corpus = read(bag())
    intake = corpus.intake
    assert (intake.n_read, intake.n_short, intake.n_duplicates, intake.n_truncated) == (4, 2, 0, 0)
    assert (intake.n_tokens, intake.n_tokens_kept, intake.n_words_met) == (18, 9, 4)
    assert intake.n_repeated_entries == 0


def test_uci_counts_give_the_corpus_of_the_same_text():
    rng = np.random.default_rng(0)
    words = ["wolf", "deer", "moose", "badger", "heron", "and", "otter", "lynx", "bear", "because"]
    rows = rng.poisson(0.7, (60, len(words)))
    text = "\n".join(" ".join(np.repeat(words, row)) for row in rows)
    entries = [f"{n + 1} {i + 1} {rows[n, i]}" for n, i in zip(*np.nonzero(rows), strict=True)]
    order = rng.permutation(len(entries))
    shuffled = [entries[i] for i in order]
    for options in ({}, {"n_words": 4}, {"vocabulary": ["bear", "unicorn", "and"]}):
        from_text = load(("notes.txt", io.BytesIO(text.encode())), label=Label.PUBLIC, **options)
        for word_list in (entries, shuffled):
            from_bag = read(bag(word_list, len(rows), len(words)), words, **options)
            assert from_bag.digest == from_text.digest
            assert from_bag.vocabulary_source is from_text.vocabulary_source
            assert (from_bag.intake.n_tokens, from_bag.intake.n_short) == (
                from_text.intake.n_tokens,
                from_text.intake.n_short,
            )


def test_uci_file_is_read_with_the_word_list_of_its_name(tmp_path):
    expected = read(bag()).digest
    for name, list_name in (("docword.txt", "vocab.txt"), ("docword.farm.txt", "vocab.farm.txt")):
        (tmp_path / name).write_bytes(bag())
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(bag()))
        (tmp_path / list_name).write_text("\n".join(WORDS))
        for path in (tmp_path / name, str(tmp_path / f"{name}.gz")):
            assert load(path, label=Label.PUBLIC).digest == expected


def test_uci_file_of_any_name_is_read_with_a_given_word_list(tmp_path):
    (tmp_path / "counts.txt").write_bytes(bag())
    (tmp_path / "words.txt").write_text("\n".join(WORDS))
    corpus = load(tmp_path / "counts.txt", words=tmp_path / "words.txt", label=Label.PUBLIC)
    assert corpus.digest == read(bag()).digest


def test_uci_file_beside_a_packed_word_list_is_read_with_it(tmp_path):
    (tmp_path / "docword.farm.txt").write_bytes(bag())
    (tmp_path / "vocab.farm.txt.gz").write_bytes(gzip.compress("\n".join(WORDS).encode()))
    corpus = load(tmp_path / "docword.farm.txt", label=Label.PUBLIC)
    assert corpus.digest == read(bag()).digest


def test_uci_file_without_a_word_list_is_refused(tmp_path):
    (tmp_path / "docword.farm.txt").write_bytes(bag())
    with pytest.raises(ReadError, match=r"vocab\.farm\.txt: No such file"):
        load(tmp_path / "docword.farm.txt", label=Label.PUBLIC)
    with pytest.raises(ReadError, match="without its list of words"):
        load(("docword.txt", io.BytesIO(bag())), label=Label.PUBLIC)


BAD = """0 1 1;5 1 1;1 0 1;1 9 1;1 1 0;1 1 2147483648;1 1 -2;-1 1 2;1 1 1.5;1 1 2.0;1 1 10000000000
1 1 99999999999999999999;1 1 nan;1 1 inf;1 1 canary;1 1 ٣;1 1;1 1 1 1;1,1,1"""


@pytest.mark.parametrize("entry", re.split("[;\n]", BAD))
@pytest.mark.parametrize("at_once", [2, 100_000])
def test_bad_lines_are_refused_by_number(entry, at_once, monkeypatch):
    monkeypatch.setattr(matrices, "_BLOCK_LINES", at_once)
    with pytest.raises(
        ReadError, match="not a document from 1 to 4, a word from 1 to 8 and a count from 1"
    ) as caught:
        read(bag([*ENTRIES[:4], entry, *ENTRIES[4:]]))
    assert caught.value.row == 8
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize("at_once", [1, 2, 100_000])
def test_white_space_is_no_error(at_once, monkeypatch):
    monkeypatch.setattr(matrices, "_BLOCK_LINES", at_once)
    loose = bag(
        [ENTRIES[0].replace(" ", "\t"), f"  {ENTRIES[1]} ", "", *ENTRIES[2:], "", ""],
        n_entries=len(ENTRIES),
    )
    assert read(loose).digest == read(bag()).digest
    assert (
        read(bag().rstrip()).digest
        == read(bag().replace(b"\n", b"\r\n")).digest
        == read(bag()).digest
    )
    with pytest.raises(ReadError, match="not a document") as caught:
        read(bag(["1 1 1", "", "1 2 1", "", "1 1 -1"]))
    assert caught.value.row == 8


def test_uci_header_that_does_not_hold_is_refused():
    with pytest.raises(ReadError, match="9 entries where the header declares 10"):
        read(bag(n_entries=10))
    with pytest.raises(ReadError, match="more entries than the 7 declared") as caught:
        read(bag(n_entries=7))
    assert caught.value.row == 11
    for row, header in enumerate((b"four\n8\n9\n", b"4\n-8\n9\n", b"4\n8\n9 1\n"), start=1):
        with pytest.raises(ReadError, match="and nothing else") as caught:
            read(header + b"1 1 1\n")
        assert caught.value.row == row
    with pytest.raises(ReadError, match="this line must hold the number of documents"):
        read(b"")
    for broken in (bag([], 0), bag([], 4, 0)):
        with pytest.raises(CorpusError, match="declares no"):
            read(broken)


@pytest.mark.parametrize("longest", [1, 7, 100, 999])
def test_long_document_keeps_the_shares_of_its_words(longest):
    letters = "abcdefghij"
    words = [
        f"{first_letter}{second_letter}{three}"
        for first_letter in letters
        for second_letter in letters
        for three in letters
    ]
    counts = np.random.default_rng(0).integers(1, 9, 1000)
    long = [f"1 {column} {count}" for column, count in enumerate(counts, start=1)]
    corpus = read(
        bag([*long, "2 1 1"], 3, 1000),
        words,
        vocabulary=words,
        limits=Limits(max_words_per_document=longest),
    )
    kept_counts = corpus.counts.toarray()[0]
    assert kept_counts.sum() == longest
    assert np.abs(kept_counts - counts * longest / counts.sum()).max() < 1
    assert np.abs(kept_counts[:500].sum() - longest * counts[:500].sum() / counts.sum()) < 1, (
        "no column before another"
    )


def test_shares_are_whole_numbers_whose_products_leave_64_bits():
    thin, n_long = thin_documents(csr_array(np.full((1, 430_000), 2**31 - 1, np.int32)), 10_000)
    assert (thin.sum(), thin.data.min(), thin.data.max(), n_long) == (10_000, 0, 1, 1)


def test_uci_word_list_that_does_not_fit_is_refused():
    for words, problem in (
        (WORDS[:-1], "fewer words than the 8"),
        ([*WORDS, "elk"], "more words than the 8"),
        ([*WORDS[:2], "", *WORDS[2:-1]], "an empty line where a word is needed"),
        ([*WORDS[:7], "hunt"], "a word that is listed before"),
    ):
        with pytest.raises(ReadError, match=problem) as caught:
            read(bag(), words)
        assert caught.value.source == "vocab.farm.txt"
        assert "hunt" not in str(caught.value)
    assert read(bag(), [*WORDS, "", " "]).digest == read(bag()).digest
