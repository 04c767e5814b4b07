"""Documents as reading 1 had them, beside those of today: counted a second time, in a plain way."""

import io
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array, save_npz

from dplda.corpus import Corpus, Label, Limits, Tokenisation, VocabularySource, load
from dplda.corpus.words.reading import FIRST_READING, READING
from dplda.corpus.words.tokenisation import fixed_list
from dplda.corpus.words.vocabulary import number_of
from tests.corpus.test_letters import KOREAN, ODD

LINES = "tea milk tea\nmilk the tea ha\nof tea milk river\n"
TEXTS = st.lists(
    st.text(st.sampled_from(ODD.replace("\n", "").replace("\ud83d", "")), max_size=30), max_size=5
)
KINDS = [
    Tokenisation(),
    Tokenisation(min_letters=1, lowercase=False),
    Tokenisation(stop_words=("TEA", "ｗ", "ﬁ")),
    Tokenisation(pattern=r"\w+"),
    Tokenisation(pre_tokenised=True, min_letters=2),
]


def read(text: str, **options) -> Corpus:
    return load(("a.txt", io.BytesIO(text.encode())), **{"label": Label.SENSITIVE} | options)


def plainly(
    text: str, tokenisation: Tokenisation, vocabulary: list[str] | None, longest: int
) -> Corpus:
    """Reading 1, document by document."""
    reading = tokenisation.former_reading
    lines = text.removesuffix("\n").split("\n")
    counts = []
    for line in lines:
        (words,) = reading.words([reading.clean(line)])
        counts.append(Counter(words[:longest]))
    word_counts = Counter(word for count in counts for word in count)
    left_out = reading.stop_words()
    met = sorted(
        (word for word in word_counts if word.lower() not in left_out),
        key=lambda word: (-word_counts[word], word),
    )
    word_list = met if vocabulary is None else reading.listed(vocabulary)
    matrix = np.array([[count[word] for word in word_list] for count in counts])
    source = VocabularySource.MET if vocabulary is None else VocabularySource.FIXED
    return Corpus(csr_array(matrix), tuple(word_list), Label.SENSITIVE, "a.txt", source)


@pytest.mark.parametrize("tokenisation", KINDS, ids=str)
@pytest.mark.parametrize("vocabulary", [None, ["tea", "milk", "oﬃce", "office", "ｗater"]])
@settings(max_examples=60, deadline=None)
@given(texts=TEXTS)
def test_former_reading_is_what_a_plain_count_gives(tokenisation, vocabulary, texts) -> None:
    text = "".join(f"{line}\n" for line in texts) + LINES
    vocabulary_options = {"n_words": None} if vocabulary is None else {"vocabulary": vocabulary}
    corpus = read(
        text,
        tokenisation=tokenisation,
        limits=Limits(max_words_per_document=4),
        **vocabulary_options,
    )
    former_reading = corpus.readings[-1]
    assert former_reading.digest == plainly(text, tokenisation, vocabulary, longest=4).digest
    numbers = [number_of(line) for line in text.removesuffix("\n").split("\n")]
    assert former_reading.texts.tolist() == numbers


def test_texts_that_read_alike_have_no_former_reading() -> None:
    plain = "green tea with milk\nblack tea, it's “hot”…\nmilk\u00a0& tea\n"
    former = read(plain).former
    assert former is None or former.digest == read(plain).digest
    assert read("green tea\nblack tea\nmilk tea\n").former is None
    assert read(KOREAN).former is not None


def test_former_reading_is_of_sensitive_documents_that_want_it() -> None:
    assert read(KOREAN, label=Label.PUBLIC).former is None
    assert read(KOREAN, former=False).former is None
    corpus = read(KOREAN)
    assert (corpus.reading, corpus.former.reading) == (READING, FIRST_READING)


def test_file_of_counts_has_a_former_reading_where_its_words_are_others(tmp_path) -> None:
    save_npz(
        tmp_path / "counts.npz", csr_array(np.array([[1, 2, 3, 0], [0, 1, 1, 1], [2, 0, 5, 1]]))
    )
    words = tmp_path / "words.txt"
    words.write_text("oﬃce\ntea\nmilk\noffice\n", "utf-8")
    options = {"label": Label.SENSITIVE, "words": words, "n_words": None}
    corpus = load(tmp_path / "counts.npz", **options)
    assert dict(zip(corpus.vocabulary, corpus.counts.sum(axis=0).tolist(), strict=True)) == {
        "milk": 9,
        "office": 5,
        "tea": 3,
    }
    assert set(corpus.former.vocabulary) == {"milk", "tea", "oﬃce", "office"}
    words.write_text("river\ntea\nmilk\noffice\n", "utf-8")
    assert load(tmp_path / "counts.npz", **options).former is None


def test_list_with_a_word_in_two_spellings_has_it_once() -> None:
    word_list = fixed_list(["oﬃce", "tea", "office"])
    assert tuple(word_list) == ("office", "tea")
    assert word_list.former == ("oﬃce", "tea", "office")
