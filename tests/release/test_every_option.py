"""Every kind of release that can be asked for: what was paid for is read, reported, continued and found again."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dplda.core.errors import CorpusError, InputError, NoTopics, NotReleasable
from dplda.corpus import Corpus, Label, Selection, VocabularySource
from dplda.corpus.group_columns import LabelRoll
from dplda.methods.base.method import Method
from dplda.methods.base.prior_source import PriorKind, PriorSource
from dplda.methods.base.problem import Origin
from dplda.methods.refined.refined_methods import refined_with
from dplda.methods.registry import releasable_methods
from dplda.methods.shares.groups import GroupAxis, Groups
from dplda.privacy.release import Caveat
from dplda.release.artefact.released_file import read_release, write_release
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import DOCUMENT, PERSON, Ledger, LedgerError
from dplda.release.report.page import render_report
from dplda.release.report.released import contents_of_release
from dplda.release.shares.perform import NoGroupFoundError, release_shares
from dplda.release.shares.request import SharesRequest
from dplda.release.shares.shares_file import AxisSource, read_shares, write_shares
from dplda.release.workflow.perform import release
from dplda.release.workflow.receipt import Receipt
from dplda.release.workflow.request import Request
from tests.asking import settings_of
from tests.seeded_noise import zero_noise
from tests.tiny_corpora import topical_corpus

KNOWN = topical_corpus(0, n_documents=300, n_words=16)
WORDS = ("tea", "milk", "music", "game", *KNOWN.vocabulary[4:])
SEEDS = PriorSource(PriorKind.SEEDS, "one: tea, milk\ntwo: music, game")
DISTRICTS = Groups((GroupAxis(("north", "south")),))
CHOSEN_DISTRICTS = Groups((GroupAxis.to_select(2),))
LISTS = {
    "a fixed list": None,
    "a short public list": WORDS[:4],
    "a public list of every word": WORDS,
    "no public list": (),
}
PAID_WITHOUT_TOPICS = (NoTopics, CorpusError, InputError)  # said by released values, after a charge


def table_of(n_topics: int) -> PriorSource:
    """A table of a file: three words that lead one of its topics each, in turn."""
    rows = (
        [word, *("9" if topic == place % n_topics else "0.5" for topic in range(n_topics))]
        for place, word in enumerate(WORDS[:6])
    )
    header = ["word", *(f"topic {topic}" for topic in range(n_topics))]
    table = "\n".join(",".join(row) for row in (header, *rows))
    return PriorSource(PriorKind.FILE, table, "a table of <ours>")


def methods_for(n_topics: int) -> tuple[Method, ...]:
    """Every method that can be released, and every kind of public knowledge, trusted and tested."""
    tables = [
        refined_with(source, trusted=is_trusted)
        for source in (SEEDS, PriorSource(), table_of(n_topics))
        for is_trusted in (True, False)
    ]
    return (*releasable_methods(), *tables)


def documents(words: tuple[str, ...] | None) -> Corpus:
    """Documents by persons, over a fixed list of words or over every word met."""
    source = VocabularySource.FIXED if words is None else VocabularySource.MET
    persons = np.arange(KNOWN.n_documents) // 2
    labels = LabelRoll("district")
    for place in range(KNOWN.n_documents):
        labels.add(("north", "south", "")[place % 3])
    corpus = Corpus(KNOWN.counts, WORDS, Label.SENSITIVE, "letters", source, persons=persons)
    return replace(corpus, group_columns=(labels.column(),))


@st.composite
def requests(draw: st.DrawFn) -> tuple[Request, str]:
    """A request and what its dataset protects."""
    word_list = draw(st.sampled_from(list(LISTS.values())))
    n_words = draw(st.sampled_from([5, len(WORDS), 10_000]))
    n_topics = draw(st.sampled_from([2, 3]))
    method = draw(st.sampled_from(methods_for(n_topics)))
    split: tuple[tuple[str, float], ...] = ()
    if method.quantities and draw(st.booleans()):
        split = tuple((name, 0.9 / len(method.quantities)) for name in method.quantities)
    asks = settings_of(
        method,
        n_topics=n_topics,
        alpha0=draw(st.sampled_from([0.05, 1.0, 900.0])),
        epsilon=draw(st.sampled_from([0.1, 1.0, 3.0, 8.0])),
        delta=draw(st.sampled_from([1e-9, 1e-6])),
        split=split,
        chosen=draw(st.sampled_from([Origin.BEFOREHAND, Origin.REFERENCE])),
        first_words=draw(st.sampled_from([None, 0.05])),
        clip_quantile=draw(st.sampled_from([None, 0.9])),
    )
    title = draw(st.sampled_from(["letters", "Überall <b>, “x”"]))
    caveats = draw(st.sampled_from([(), (Caveat.LOOKED,)]))
    unit = draw(st.sampled_from([DOCUMENT, PERSON]))
    selection = None
    if word_list is not None:
        word_epsilon = draw(st.sampled_from([0.1, 1.0, 3.0]))
        selection = Selection(n_words, word_epsilon, 1e-8, listed=word_list)
    return Request("mail", title, asks, selection, caveats), unit


def check_receipt(receipt: Receipt, corpus: Corpus, request: Request, folder: Folder) -> None:
    """Check that a file is read as it was written, makes a report, and is found by its own request."""
    file = receipt.path.read_bytes()
    assert write_release(read_release(file, receipt.path.name)) == file
    assert "<html" in render_report(contents_of_release(read_release(file, receipt.path.name)))
    repeated_receipt = release(corpus, request, folder)
    assert not repeated_receipt.charged
    assert repeated_receipt.path.read_bytes() == file


def check_shares(receipt: Receipt, corpus: Corpus, groups: Groups, folder: Folder) -> None:
    """Check that topics give a table of shares, or are refused or said to have no group."""
    parent = read_release(receipt.path.read_bytes(), "parent")
    sources = (AxisSource("district"),)
    request = SharesRequest("mail", parent, groups, sources, epsilon=0.3, delta=1e-6)
    n_charges = len(Ledger(folder).entries())
    try:
        shares_receipt = release_shares(corpus, request, folder)
    except NoGroupFoundError:
        return
    except (NotReleasable, LedgerError):
        assert len(Ledger(folder).entries()) == n_charges
        return
    file = shares_receipt.path.read_bytes()
    assert write_shares(read_shares(file, "table")) == file
    repeated_receipt = release_shares(corpus, request, folder)
    assert not repeated_receipt.charged
    assert repeated_receipt.path.read_bytes() == file


@given(asks=requests(), groups=st.sampled_from([DISTRICTS, CHOSEN_DISTRICTS]))
@settings(max_examples=18, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_release_of_any_request_comes_back_from_its_file(
    asks: tuple[Request, str], groups: Groups
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
        check_shares(receipt, corpus, groups, folder)
        if request.experiment.registered_method.fit_continued is None:
            return
        parent = read_release(receipt.path.read_bytes(), "parent")
        continuation = request.continuing(parent, 1.5 * parent.guarantee.claimed_epsilon)
        try:
            continued = release(corpus, continuation, folder)
        except (NotReleasable, LedgerError):
            return
        check_receipt(continued, corpus, continuation, folder)


def test_release_without_a_word_off_the_list_is_read(tmp_path: Path) -> None:
    """No word weighs enough at ε = 0.1, so the weights of words that passed are an array of no numbers.

    Noise is zero, as with noise a word passes in one of some twenty draws.
    """
    corpus = documents(LISTS["a short public list"])
    folder = Folder(tmp_path / "releases")
    Ledger(folder).declare("mail", epsilon=9.0, delta=1e-5)
    asks = settings_of(releasable_methods()[0], n_topics=2, epsilon=1.0, delta=1e-6)
    selection = Selection(10_000, 0.1, 1e-8, listed=WORDS[:4])
    request = Request("mail", "letters", asks, selection)
    with zero_noise():
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
