import json
import re

import pytest
from google.protobuf.json_format import MessageToDict

from dplda.ui.shell import glossary
from dplda.ui.state.keys import Key
from dplda.ui.state.session import DocumentSource
from dplda.ui.upload import file_preview
from dplda.ui.upload.form import VocabularyChoice
from tests.corpus.readers.test_archives import zipped
from tests.pages.conftest import go, written

SMALL = {"v": "1", "corpus": "simulated_2000_60_4_1_60_poisson_0.1_0", "k": "2", "alpha0": "1"}
FREE_OF_DATA = ("privacy.flow", "noise-shares.bars")  # drawn from the plan alone, for Refined
CANARY = "zanzibarcanary"
WORDS = ("apple", "banana", "cherry", "stone", "river", "mountain", CANARY, "cloud")


def documents(n: int = 60) -> bytes:
    lines = [" ".join(WORDS[(i * j) % len(WORDS)] for j in range(1, 12)) for i in range(n)]
    return "\n".join([*lines, "a b", "", lines[0]]).encode()


@pytest.fixture
def app(open_page):
    return open_page("documents", SMALL)


ONE_DOCUMENT = re.compile(
    r"(?i)(?<!read as )\b(one|any|no|single|replaced) (replaced )?document\b.{40}"
)


def protected_documents(app) -> list[str]:
    """Whatever speaks of one document where a person is protected, tips and texts for who cannot see too."""
    protos = (
        getattr(element, "proto", None) for block in (app.main, app.sidebar) for element in block
    )
    page_json = " ".join(
        json.dumps(MessageToDict(proto), ensure_ascii=False) for proto in protos if proto
    )
    for entry in glossary.entries().values():  # which is the same whatever is protected
        for part in (entry.says, entry.exactly):
            page_json = page_json.replace(json.dumps(part, ensure_ascii=False)[1:-1], "")
    return [match.group() for match in ONE_DOCUMENT.finditer(page_json)]


def bring(app, name: str, content: bytes) -> None:
    """Choose a file, whose form may have to be opened."""
    app.button_group(key=Key.SOURCE).set_value(DocumentSource.FILE).run()
    app.file_uploader(key=f"{Key.FILE}.0").set_value((name, content, "text/plain")).run()
    assert not app.exception


FROM_DATA = VocabularyChoice.FROM_DATA


def upload(
    app,
    content,
    *,
    name="notes.txt",
    label="public",
    words=FROM_DATA,
    column="",
    person="",
    word_list="",
) -> None:
    bring(app, name, content)
    app.radio(key=f"{Key.LABEL}.0").set_value(label).run()
    app.selectbox(key=f"{Key.VOCABULARY}.{label}").set_value(words).run()
    if word_list:
        app.text_area(key=f"{Key.WORD_LIST}.0").set_value(word_list).run()
    if column:
        app.selectbox(key=f"{Key.COLUMN}.{name}").set_value(column).run()
    if person:
        app.selectbox(key=f"{Key.PERSON}.{name}").set_value(person).run()
    assert not app.button(key=Key.READ).disabled
    app.button(key=Key.READ).click().run()
    assert not app.exception, [problem.value for problem in app.exception]


def test_simulating_uses_the_new_documents_on_every_page(app) -> None:
    app.button_group(key=Key.SOURCE).set_value(DocumentSource.SIMULATED).run()
    app.number_input(key=f"{Key.SIMULATE}.n_documents").set_value(1_000_000)
    app.button(key=Key.SIMULATE_NOW).click().run()
    assert "30,000,000" in app.error[0].value.replace("\\", ""), "too many words"
    assert "N 2,000" in written(app)
    app.number_input(key=f"{Key.SIMULATE}.n_documents").set_value(300)
    app.number_input(key=f"{Key.SIMULATE}.n_words").set_value(40)
    app.button(key=Key.SIMULATE_NOW).click().run()
    assert not app.exception
    assert "N 300 · d 40" in written(app)
    go(app, "topics")
    assert "N 300 · d 40" in written(app)


def needed(app) -> str:
    """What stands beside the button, which waits as long as anything does."""
    captions = [
        caption.value for caption in app.caption if caption.value.startswith("Still needed: ")
    ]
    assert app.button(key=Key.READ).disabled == bool(captions)
    return " ".join(captions)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("[x](javascript)**b**$a$.txt", b"", "\\[x\\]\\(javascript\\)\\*\\*b"),
        ("table.csv", b"id,body\n" + b"1,apple\n" * 5 + b"1,apple,2\n", "row 7"),
        ("a.xlsx", b"PK damaged", "not a zip archive"),
        ("two.txt", b"green tea\nblack tea\n", "holds 2 documents, and topics need at least 3"),
        ("none.txt", b"a b\n" * 5, "No words were found"),
        ("noise.txt", bytes(range(256)), "a zero byte"),
    ],
)
def test_bad_file_is_refused_once_before_reading(app, name, content, reason) -> None:
    bring(app, name, content)
    app.radio(key=f"{Key.LABEL}.0").set_value("public").run()
    assert [reason in error.value for error in app.error] == [True]
    assert needed(app)


def test_upload_form_names_what_is_still_needed(app) -> None:
    app.button_group(key=Key.SOURCE).set_value(DocumentSource.FILE).run()
    assert needed(app) == "Still needed: a file, and who may see the documents."
    bring(app, "notes.txt", documents())
    assert app.radio(key=f"{Key.LABEL}.0").value is None
    assert needed(app) == "Still needed: who may see the documents."
    app.radio(key=f"{Key.LABEL}.0").set_value("sensitive").run()
    app.selectbox(key=f"{Key.VOCABULARY}.sensitive").set_value(VocabularyChoice.LIST).run()
    assert needed(app) == "Still needed: a word list."


def test_upload_form_of_few_sensitive_documents_proposes_the_english_list(app) -> None:
    bring(app, "notes.txt", documents())
    app.radio(key=f"{Key.LABEL}.0").set_value("sensitive").run()
    assert app.selectbox(key=f"{Key.VOCABULARY}.sensitive").value == VocabularyChoice.ENGLISH
    assert (
        "63 documents are too few to find words that are not on the list. Expect none."
        in written(app)
    )


def test_sensitive_corpus_over_a_fixed_word_list_stays_proven(app) -> None:
    upload(
        app, documents(), label="sensitive", words=VocabularyChoice.LIST, word_list="\n".join(WORDS)
    )
    text = written(app)
    assert "Curator view: not a release" in text
    assert "**63** documents read" in text
    assert "**2** documents with fewer than 3" in text
    assert "d 8" in text
    assert "fixed beforehand" in text
    go(app, "noise")
    text = written(app)
    assert "Curator view: not a release" in text
    assert "Proven" in text


def test_upload_preview_of_a_table_escapes_markup(app) -> None:
    bring(app, "mail.csv", b'id,"**b** [x](y)"\n' + b'1,"=cmd $a$ <b>"\n' * 3)
    shown_table = app.table[0].value
    assert list(shown_table.columns) == [r"\*\*b\*\* \[x\]\(y\)", "id"], "the documents first"
    assert shown_table.iloc[0, 0] == r"\=cmd \$a\$ \<b\>"
    names = ["a", "a", "", "text", *(f"c{i}" for i in range(9))]
    row = ",".join("x" * len(names)) + "\n"
    bring(app, "wide.csv", (",".join(names) + "\n" + row * 3).encode())
    assert list(app.table[0].value.columns) == [
        r"a \(column 1\)",
        r"a \(column 2\)",
        "column 3",
        "text",
    ]
    assert app.selectbox(key=f"{Key.COLUMN}.wide.csv").value is None
    assert "the column of the documents" in needed(app)


def test_counts_come_with_their_words(app) -> None:
    counts = "30\n4\n60\n" + "".join(
        f"{i} {1 + i % 4} 2\n{i} {1 + (i + 1) % 4} 1\n" for i in range(1, 31)
    )
    bring(app, "docword.txt", counts.encode())
    assert "Put both files in one zip archive" in app.error[0].value
    assert "a zip archive with both files" in needed(app)
    upload(
        app,
        zipped({"docword.txt": counts.encode(), "vocab.txt": b"wolves\ndeer\nhunt\ngraze\n"}),
        name="kos.zip",
    )
    assert "N 30 · d 4" in written(app)


def test_upload_with_own_word_rules_reads_words_by_them(app) -> None:
    lines = "\n".join(f"A{i % 5} tea New-York of" for i in range(30)).encode()
    bring(app, "notes.txt", lines)
    app.toggle(key=Key.WORDS_ARE).set_value(True)
    app.number_input(key=Key.LEAST_LETTERS).set_value(2)
    app.text_input(key=Key.OWN_STOP_WORDS).set_value("TEA")
    upload(app, lines)
    assert "N 30 · d 7" in written(app), "a0 to a4, new-york and of"


@pytest.mark.parametrize("page", ["documents", "topics", "noise"])
def test_pages_of_a_sensitive_corpus_mark_results_as_curator_view(app, page, figure) -> None:
    upload(app, documents(), label="sensitive")
    if page != "documents":
        go(app, page)
    assert not app.exception
    assert CANARY not in written(app)
    assert any("Curator view: not a release" in warning.value for warning in app.warning)
    banner = "Not private" if page == "documents" else "Vocabulary from the documents: not private"
    assert banner in written(app)
    assert "green-badge" not in written(app)
    assert not app.get("download_button")
    assert not app.dataframe
    for chart in drawn_of_documents(app):
        notes = figure(app, chart.key)["layout"]["annotations"]
        assert any("Curator view" in note["text"] for note in notes)
        assert '"displayModeBar": false' in chart.proto.config


def test_bars_of_a_configuration_on_a_sensitive_corpus_are_the_curators(app, figure) -> None:
    """Their colors compare noise with topics of the documents, unlike those of a plan alone."""
    upload(app, documents(), label="sensitive")
    app.session_state[Key.CONFIGURATION] = "adaptive"
    go(app, "noise")
    charts = {chart.key for chart in app.get("plotly_chart")}
    assert {Key.GRAPH, "noise-shares.bars"} <= charts
    for key in charts:
        notes = figure(app, key)["layout"].get("annotations", [])
        assert any("Curator view" in note.get("text", "") for note in notes), key


def drawn_of_documents(app) -> list:
    """Charts that depend on documents, of a draw that has some.

    A secret keys the noise: one draw in twenty leaves no topic of 63 documents, ten in a row with a chance of 1e-13.
    """
    for _ in range(10):
        charts = [chart for chart in app.get("plotly_chart") if chart.key not in FREE_OF_DATA]
        if charts:
            return charts
        assert "All 2 topics are lost in noise" in written(app)
        app.button(key=Key.REROLL).click().run()
    raise AssertionError("no draw of ten found a topic")


def test_shared_caches_hold_nothing_of_a_sensitive_corpus(app, open_page) -> None:
    from dplda.ui.state.cache import shared_caches

    upload(app, documents(), label="sensitive")
    go(app, "topics")
    shared = shared_caches()
    for cache in (shared.corpora, shared.counts, shared.fits):
        for value, _ in cache._entries.values():
            assert getattr(getattr(value, "shape", None), "n_documents", 0) != 63
            assert getattr(value, "n_documents", 0) != 63
            sums = getattr(value, "statistics", None)
            assert sums is None or sums.counts.shape[0] != 63


def test_upload_form_states_the_share_of_words_kept_before_reading(app) -> None:
    """And warned of below one half."""
    news = b"the government raised taxes and the president told reporters\n" * 40
    bring(app, "news.txt", news)
    app.radio(key=f"{Key.LABEL}.0").set_value("public").run()
    assert "These words keep 100% of the words" in " ".join(
        caption.value for caption in app.caption
    )
    app.selectbox(key=f"{Key.VOCABULARY}.public").set_value(VocabularyChoice.LIST).run()
    for word_list, message_part in (
        ("array\ndata\n", "None of these words"),
        ("tax cut\nmilk\n", "single words"),
    ):
        app.text_area(key=f"{Key.WORD_LIST}.0").set_value(word_list).run()
        assert [message_part in error.value for error in app.error] == [True]
        assert "word list" in needed(app)
    app.text_area(key=f"{Key.WORD_LIST}.0").set_value("array\ntaxes\n").run()
    (warning,) = app.warning
    assert "Your list keeps 17% of the words" in warning.value
    assert "Less than half" in warning.value


def test_documents_of_persons_are_spoken_of_as_persons(app) -> None:
    # the sum of weights of zyzzyvas is 1,800, which is 100 standard errors of its noise above the 111 that are asked
    rows = "".join(
        f"p{i % 1800},school music river zyzzyvas {CANARY if i == 7 else ''}\n" for i in range(3600)
    )
    upload(
        app,
        f"who,text\n{rows}".encode(),
        name="mail.csv",
        column="text",
        person="who",
        label="sensitive",
        words=VocabularyChoice.ENGLISH,
    )
    text = written(app)
    assert "N 1,800 persons, each read as one document" in text
    assert "selected privately, which costs ε = 0.5" in text
    assert CANARY not in text
    go(app, "noise")
    text = written(app)
    assert "when all documents of one person are replaced" in text
    assert "The promise covers words and topics together" in text
    assert "which of two equally likely persons was in" in text
    for method, sentence in (
        ("dp-vi", "One person adds at most"),
        ("refined", "one replaced person can move"),
    ):
        app.session_state[Key.CONFIGURATION] = method
        app.run()
        assert sentence in written(app)
        assert not protected_documents(app)
    for page in ("documents", "topics"):
        go(app, page)
        assert not protected_documents(app)


def test_upload_is_parsed_outside_the_server_process(app, monkeypatch) -> None:
    """Neither when it is looked into nor when it is read: a hostile one would hold the interpreter."""
    for name in ("files.sources.as_member", "readers.formats.as_member"):
        monkeypatch.setattr(
            f"dplda.corpus.{name}", lambda *arguments, **options: pytest.fail("read here")
        )
    rows = "green tea with milk,ann\nblack tea with milk,bob\nmilk without tea,cy\n"
    upload(app, f"text,who\n{rows * 20}".encode(), name="cups.csv", label="sensitive")
    assert "**60** documents read" in written(app)


@pytest.mark.parametrize("piece", ["rows", "kept"])
def test_looking_into_an_upload_can_be_cancelled(app, monkeypatch, piece) -> None:
    questions_asked, original_run = [], file_preview.run_in_process

    def noted(work, watch, **options):
        questions_asked.append(work.func.__name__)
        return original_run(work, watch, **options)

    monkeypatch.setattr(file_preview, "run_in_process", noted)
    bring(app, "cups.csv", b"text\ngovernment taxes\n" * 9)
    app.radio(key=f"{Key.LABEL}.0").set_value("public").run()
    assert questions_asked == ["encodings", "preview", "glance"]
    app.run()
    assert len(questions_asked) == 3
    (file,) = {glimpse[0][0] for glimpse in app.session_state[Key.GLIMPSED].values()}
    app.session_state[Key.CANCELLED] = f"{piece}.{file}"
    app.session_state[Key.GLIMPSED] = {
        k: glimpse for k, glimpse in app.session_state[Key.GLIMPSED].items() if k != piece
    }
    app.run()
    assert "This was canceled" in written(app)
    assert app.button(key=Key.READ).disabled == (piece == "rows")
    assert len(questions_asked) == 3
