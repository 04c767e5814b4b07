"""Files as owners have them: from a table, a document or an old text to a corpus, by the form alone."""

import re

import pytest

from dplda.ui.state.keys import Key
from dplda.ui.state.session import DocumentSource
from dplda.ui.upload.form import VocabularyChoice
from tests.corpus.readers.samples import pdf, word, workbook
from tests.corpus.readers.test_archives import zipped
from tests.pages.conftest import written

SMALL = {"v": "1", "corpus": "simulated_2000_60_4_1_60_poisson_0.1_0", "k": "2", "alpha0": "1"}
WORDS = [
    a + b
    for a in ("gover", "tele", "micro", "photo", "auto")
    for b in ("nova", "graph", "tion", "mental")
]
MESSAGES = [
    " ".join(WORDS[(i * j) % (j + 1)] for j in range(1, 20)) for i in range(2000)
]  # some words are rare


@pytest.fixture
def bring(open_page):
    """A function that chooses a file, and says who may see it."""

    def bring(name: str, content: bytes, label: str = "public"):
        app = open_page("documents", SMALL)
        app.button_group(key=Key.SOURCE).set_value(DocumentSource.FILE).run()
        app.file_uploader(key=f"{Key.FILE}.0").set_value((name, content, "")).run()
        return app.radio(key=f"{Key.LABEL}.0").set_value(label).run()

    return bring


PICTURE = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
UNREADABLE = {
    "empty.txt": (b"", "empty.txt is empty: it has 0 bytes. Save it again"),
    "empty.csv": (b"", "is empty"),
    "empty.zip": (b"", "is empty"),
    "empty.docx": (b"", "is empty"),
    "mark.txt": (b"\xef\xbb\xbf", "holds no documents"),
    "blank.txt": (b"\n\n \n", "No words were found"),
    "header.csv": (b"id,text\n", "holds 0 documents"),
    "two.txt": (b"wolves\nfoxes\n", "holds 2 documents, and topics need at least 3"),
    "photo.png": (PICTURE, "a picture, which dplda does not read"),
    "photo.jpg": (b"\xff\xd8\xff\xe0", "a picture, which dplda does not read"),
    "photo.txt": (PICTURE, "this is a picture, not text"),
    "photo.csv": (PICTURE, "this is a picture, not text"),
    "talk.mp3": (b"ID3\x03", "a recording, which dplda does not read"),
    "talk.pptx": (b"PK\x03\x04", "slides, which dplda does not read. Save them as .pdf."),
    "old.xls": (b"\xd0\xcf\x11\xe0", "Save it as .xlsx"),
    "tool.exe": (b"MZ", "dplda does not read files that end in .exe. Known are .csv"),
    "packed.7z": (b"7z", "an archive of another kind than zip"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_upload_of_an_unreadable_file_is_refused_when_chosen(open_page, name) -> None:
    content, reason = UNREADABLE[name]
    app = open_page("documents", SMALL)
    app.button_group(key=Key.SOURCE).set_value(DocumentSource.FILE).run()
    app.file_uploader(key=f"{Key.FILE}.0").set_value((name, content, "")).run()
    assert not app.exception
    assert reason in " ".join(error.value.replace("\\", "") for error in app.error)
    assert app.button(key=Key.READ).disabled


RARE = [
    f"government taxes school weather {''.join(chr(97 + int(c)) for c in str(i))}zq"
    for i in range(1000, 4000)
]


def read(app) -> str:
    assert not app.error, [error.value for error in app.error]
    app.button(key=Key.READ).click().run()
    assert not app.exception
    return written(app)


def test_upload_of_a_workbook_finds_its_message_column(bring) -> None:
    rows = [
        ["No", "From", "Message"],
        *([i, f"user{i % 900}", text] for i, text in enumerate(MESSAGES)),
    ]
    app = bring("mail.xlsx", workbook(rows))
    assert app.selectbox(key=f"{Key.COLUMN}.mail.xlsx").value == "Message"
    shown_table = app.table[0].value
    assert (next(iter(shown_table.columns)), len(shown_table)) == ("Message", 3)
    assert "N 2,000 · d 20" in read(app)


@pytest.mark.parametrize(
    ("label", "words", "rows"),
    [
        ("public", VocabularyChoice.FROM_DATA, MESSAGES),
        ("public", VocabularyChoice.LIST, MESSAGES),
        ("sensitive", VocabularyChoice.ENGLISH, RARE),
    ],
)
def test_reading_keeps_the_share_of_words_that_was_promised(bring, label, words, rows) -> None:
    """By default, of a public corpus its own words without noise, and of a sensitive one those of a fixed list."""
    app = bring("mail.txt", "\n".join(rows).encode(), label)
    vocabulary_box = app.selectbox(key=f"{Key.VOCABULARY}.{label}")
    assert (vocabulary_box.value == words) == (words != VocabularyChoice.LIST)
    vocabulary_box.set_value(words).run()
    if words == VocabularyChoice.FROM_DATA:
        app.number_input(key=f"{Key.SELECT_WORDS}.{words}").set_value(3).run()
    if words == VocabularyChoice.LIST:
        app.text_area(key=f"{Key.WORD_LIST}.0").set_value("\n".join(["weather", *WORDS[:5]])).run()
    (promised_share,) = re.findall(r"keep\w* (\d+%) of the words", written(app))
    assert promised_share not in ("0%", "100%")
    assert re.findall(r"keeps (\d+%) of the words", read(app)) == [promised_share]


def test_documents_of_an_office_are_read_from_one_archive(bring) -> None:
    first_document, second_document, three = (
        pdf("wolves hunt deer"),
        word("wolves howl at night"),
        word("deer graze at night"),
    )
    assert "N 3 · d 6" in read(
        bring(
            "files.zip",
            zipped({"a.pdf": first_document, "b.docx": second_document, "c.docx": three}),
        )
    )
    assert [
        "several files in one zip archive" in error.value
        for error in bring("a.pdf", first_document).error
    ] == [True]


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "utf-16-le", "utf-16-be"])
def test_text_that_is_not_utf_8_is_read_in_the_encoding_that_the_owner_picks(
    bring, encoding
) -> None:
    rows = (
        "id,body\n"
        + "7,Où est passé l'été dernier à Besançon\u00a0? Les élèves l'ont oublié.\n" * 9
    )
    app = bring("mail.csv", rows.encode(encoding))
    (choice,) = [radio for radio in app.radio if radio.key.startswith(Key.ENCODING)]
    assert (choice.value, len(app.error)) == (None, 0)
    assert "Still needed: the right spelling." in written(app)
    assert len(set(choice.options)) == len(choice.options), "no two read alike"
    right = "cp1252" if encoding == "latin-1" else encoding
    assert "passé l\\'été" in choice.format_func(right)
    choice.set_value(right).run()
    assert app.selectbox(key=f"{Key.COLUMN}.mail.csv").value == "body"
    assert "Besançon" in app.table[0].value.iloc[0, 0]
    assert "N 9" in read(app)


def test_upload_of_thai_text_is_read_from_a_column_with_cut_words(bring) -> None:
    row = "ฉันกินข้าวที่บ้านกับเพื่อน,ฉัน กิน ข้าว ที่ บ้าน กับ เพื่อน\n"
    app = bring("thai.csv", f"text,cut\n{row * 9}".encode())
    (warning,) = app.warning
    assert "Choose a column in which spaces already separate" in warning.value
    app.selectbox(key=f"{Key.COLUMN}.thai.csv").set_value("cut").run()
    assert not app.warning
    assert "N 9 · d 7" in read(app)


def test_upload_with_half_an_emoji_is_read_as_shown(bring) -> None:
    rows = (r"river water flood \ud83d", r"riv\udc00er garden", r"\ud83d\ude00 boat lake")
    content = "".join(f'{{"te\\ud83dxt": "{row}", "id": 1}}\n' for row in rows * 2)
    app = bring("mail.jsonl", content.encode())
    app.selectbox(key=f"{Key.COLUMN}.mail.jsonl").set_value("te\ufffdxt").run()
    assert app.table[0].value.iloc[0, 0] == "river water flood \ufffd"
    assert "N 6" in read(app)


def test_upload_of_a_nameless_column_warns_of_odd_rows(bring) -> None:
    rows = "".join(f"R_{i},river water flood {word}\n" for i, word in enumerate(WORDS))
    app = bring("survey.csv", f"ResponseId,\nResponse ID,Your own words\n{rows}".encode())
    assert app.selectbox(key=f"{Key.COLUMN}.survey.csv").value == "column 2"
    (warning,) = app.warning
    assert warning.value.startswith("1 row in the form of further headings")
    assert f"N {len(WORDS) + 1}" in read(app)
