"""A reader added as one function and one ending is found wherever files are read or offered."""

import gzip
import io
from collections.abc import Iterator
from itertools import groupby

import pytest

from dplda.core.errors import ReadError
from dplda.corpus import Label, load
from dplda.corpus.files.file import File
from dplda.corpus.readers.formats import READERS
from dplda.corpus.readers.table import Columns, Document
from dplda.ui.state.keys import Key
from dplda.ui.state.session import DocumentSource

SMALL = {"v": "1", "corpus": "simulated_300_30_3_1_40_poisson_0.1_0", "k": "3", "alpha0": "1"}
TEXT = b"green tea\nwith milk\n\nblack tea\nwith milk\n\nmilk\nwithout tea\n"
ROWS = [[1, 1], [1, 1], [1, 1]]


def paragraphs(file: File, columns: Columns) -> Iterator[Document]:
    """A toy: a document a paragraph."""
    for blank, lines in groupby(file.lines(), key=lambda line: not line.strip()):
        if not blank:
            yield Document(" ".join(lines))


@pytest.fixture(autouse=True)
def _one_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(READERS, ".para", paragraphs)


@pytest.mark.parametrize("name", ["cups.para", "CUPS.PARA", "cups.para.gz"])
def test_new_reader_reads_files_of_its_ending(name: str) -> None:
    content = gzip.compress(TEXT) if name.endswith(".gz") else TEXT
    corpus = load((name, io.BytesIO(content)), label=Label.PUBLIC, vocabulary=["tea", "milk"])
    assert corpus.counts.toarray().tolist() == ROWS
    assert (
        load(
            ("cups.txt", io.BytesIO(TEXT)), label=Label.PUBLIC, vocabulary=["tea", "milk"]
        ).n_documents
        == 8
    )


def test_labels_that_a_new_reader_does_not_read_are_refused() -> None:
    with pytest.raises(ReadError, match=r"^cups\.para: such a file has no columns to group"):
        load(("cups.para", io.BytesIO(TEXT)), label=Label.PUBLIC, groups=["cup"])


def test_new_reader_is_offered_by_the_upload_form(open_page, monkeypatch) -> None:
    """Read in this process, since a toy is in no other."""
    place_of_patch = "dplda.ui.upload.file_preview.run_in_process"
    monkeypatch.setattr(
        place_of_patch,
        lambda work, watch, *, reports=False: work(report=watch) if reports else work(),
    )
    app = open_page("documents", SMALL)
    app.button_group(key=Key.SOURCE).set_value(DocumentSource.FILE).run()
    app.file_uploader(key=f"{Key.FILE}.0").set_value(("letters.xyz", b"a letter", "")).run()
    assert ".para" in app.error[0].value, "what no reader has is refused with what can be read"
    form = app.file_uploader(key=f"{Key.FILE}.0")
    form.set_value(("cups.para", (TEXT + b"\n") * 20, "text/plain")).run()
    app.radio(key=f"{Key.LABEL}.0").set_value("public").run()
    app.button(key=Key.READ).click().run()
    assert not app.exception
    assert any("**60** documents read" in text.value for text in app.markdown)
