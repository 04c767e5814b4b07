"""Every kind of release that can be asked for: what was paid for is read, reported, continued and found again."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dplda.core.errors import CorpusError, InputError, NoTopics, NotReleasable
from dplda.corpus import Corpus, Label, Selection, VocabularySource
from dplda.methods.base.prior_source import PriorKind, PriorSource
from dplda.methods.refined.refined_methods import refined_with
from dplda.methods.registry import releasable_methods
from dplda.privacy.release import Caveat
from dplda.release.artefact.released_file import read_release, write_release
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import DOCUMENT, PERSON, Ledger
from dplda.release.report.page import render_report
from dplda.release.report.released import contents_of_release
from dplda.release.workflow.perform import release
from dplda.release.workflow.receipt import Receipt
from dplda.release.workflow.request import Request
from tests.asking import settings_of
from tests.tiny_corpora import topical_corpus

KNOWN = topical_corpus(0, n_documents=300, n_words=16)
WORDS = ("tea", "milk", "music", "game", *KNOWN.vocabulary[4:])
SEEDS = PriorSource(PriorKind.SEEDS, "one: tea, milk\ntwo: music, game")
METHODS = (*releasable_methods(), *(refined_with(SEEDS, trusted=each) for each in (True, False)))
LISTS = {
    "a fixed list": None,
    "a short public list": WORDS[:4],
    "a public list of every word": WORDS,
    "no public list": (),
}
PAID_WITHOUT_TOPICS = (NoTopics, CorpusError, InputError)  # said by released values, after a charge


def documents(words: tuple[str, ...] | None) -> Corpus:
    """Documents by persons, over a fixed list of words or over every word met."""
    source = VocabularySource.FIXED if words is None else VocabularySource.MET
    persons = np.arange(KNOWN.n_documents) // 2
    return Corpus(KNOWN.counts, WORDS, Label.SENSITIVE, "letters", source, persons=persons)


@st.composite
def requests(draw: st.DrawFn) -> tuple[Request, str]:
    """A request and what its dataset protects."""
    word_list = draw(st.sampled_from(list(LISTS.values())))
    n_words = draw(st.sampled_from([5, len(WORDS), 10_000]))
    n_topics = draw(st.sampled_from([2, 3]))
    epsilon = draw(st.sampled_from([0.1, 1.0, 3.0]))
    method = draw(st.sampled_from(METHODS))
    asks = settings_of(method, n_topics=n_topics, epsilon=epsilon, delta=1e-6)
    caveats = draw(st.sampled_from([(), (Caveat.LOOKED,)]))
    unit = draw(st.sampled_from([DOCUMENT, PERSON]))
    selection = None
    if word_list is not None:
        word_epsilon = draw(st.sampled_from([0.1, 1.0, 3.0]))
        selection = Selection(n_words, word_epsilon, 1e-8, listed=word_list)
    return Request("mail", "letters", asks, selection, caveats), unit


def check_receipt(receipt: Receipt, corpus: Corpus, request: Request, folder: Folder) -> None:
    """Check that a file is read as it was written, makes a report, and is found by its own request."""
    file = receipt.path.read_bytes()
    assert write_release(read_release(file, receipt.path.name)) == file
    assert "<html" in render_report(contents_of_release(read_release(file, receipt.path.name)))
    repeated_receipt = release(corpus, request, folder)
    assert not repeated_receipt.charged
    assert repeated_receipt.path.read_bytes() == file


@given(asks=requests())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_release_of_any_request_comes_back_from_its_file(
    asks: tuple[Request, str],
) -> None:
    request, unit = asks
    corpus = documents(request.selection and request.selection.listed)
    with TemporaryDirectory() as path:
        folder = Folder(Path(path) / "releases")
        Ledger(folder).declare("mail", epsilon=90.0, delta=1e-4, protects=unit)
        try:
            receipt = release(corpus, request, folder)
        except PAID_WITHOUT_TOPICS:
            return
        except NotReleasable:
            assert Ledger(folder).balance("mail").added_up == (0, 0)
            return
        check_receipt(receipt, corpus, request, folder)
        if request.experiment.registered_method.fit_continued is None:
            return
        parent = read_release(receipt.path.read_bytes(), "parent")
        continuation = request.continuing(parent, 1.5 * parent.guarantee.claimed_epsilon)
        try:
            continued = release(corpus, continuation, folder)
        except NotReleasable:
            return
        check_receipt(continued, corpus, continuation, folder)


def test_release_without_a_word_off_the_list_is_read(tmp_path: Path) -> None:
    """No word weighs enough at ε = 0.1, so the weights of words that passed are an array of no numbers."""
    corpus = documents(LISTS["a short public list"])
    folder = Folder(tmp_path / "releases")
    Ledger(folder).declare("mail", epsilon=9.0, delta=1e-5)
    asks = settings_of(releasable_methods()[0], n_topics=2, epsilon=1.0, delta=1e-6)
    selection = Selection(10_000, 0.1, 1e-8, listed=WORDS[:4])
    request = Request("mail", "letters", asks, selection)
    receipt = release(corpus, request, folder)
    assert [value.shape for value in receipt.artefact.noisy_values[:2]] == [(0,), (0,)]
    check_receipt(receipt, corpus, request, folder)


@pytest.mark.parametrize("word", ["x" * 201, "half \ud83d", ""])
def test_release_over_a_list_with_a_word_that_no_file_can_hold_is_refused(
    word: str, tmp_path: Path
) -> None:
    """Before it is charged; it was charged, and the file could not be written or read."""
    folder = Folder(tmp_path / "releases")
    Ledger(folder).declare("mail", epsilon=9.0, delta=1e-5)
    asks = settings_of(releasable_methods()[0], n_topics=2, epsilon=1.0, delta=1e-6)
    words = (word, *WORDS[1:])
    documents_of_fixed_words = Corpus(
        KNOWN.counts, words, Label.SENSITIVE, "letters", VocabularySource.FIXED, reading=1
    )
    met = documents(())
    selection_with_list = Selection(100, 1.0, 1e-8, listed=words)
    for corpus, selection in ((documents_of_fixed_words, None), (met, selection_with_list)):
        with pytest.raises(InputError, match="every word of the list must be text of 1 to 200"):
            release(corpus, Request("mail", "letters", asks, selection), folder)
    assert Ledger(folder).balance("mail").added_up == (0, 0)
