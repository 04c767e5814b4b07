"""Archives, folders and several files: one corpus, each rule of safety by its name."""

import io
import os
import stat
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest

from dplda.core.errors import CorpusError, ReadError
from dplda.corpus import Label, Limits, load
from dplda.corpus.files import sources

TEXTS = {
    "a/1": b"wolves hunt\ndeer",
    "a/2.txt": b"deer graze",
    "b/3.txt": b"wolves howl",
    "b/empty": b"",
}
CSV = b"who,text\nann,wolves hunt\nbo,deer graze\nann,wolves howl\n"
COUNTS, WORDS = b"3\n2\n4\n1 1 2\n1 2 1\n2 1 1\n3 2 5\n", b"wolves\ndeer\n"


def zipped(files, **options) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", **options) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def read(content: bytes, name: str, **options):
    return load((name, io.BytesIO(content)), label=Label.PUBLIC, **options)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, content in TEXTS.items():
        path = tmp_path / "letters" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path / "letters"


def test_folder_of_texts_is_one_corpus(tree) -> None:
    corpus = load(tree, label=Label.PUBLIC)
    assert (corpus.name, corpus.n_documents, corpus.intake.n_files) == ("letters", 4, 4)
    assert corpus.counts[:, [corpus.vocabulary.index("deer")]].toarray().ravel().tolist() == [
        1,
        1,
        0,
        0,
    ]


def test_archive_of_texts_is_the_corpus_of_their_folder(tree) -> None:
    corpus = load(tree, label=Label.PUBLIC)
    for content, name in [
        (zipped(TEXTS), "letters.zip"),
        (zipped(TEXTS, compression=zipfile.ZIP_DEFLATED), "LETTERS.ZIP"),
        (zipped(TEXTS, compression=zipfile.ZIP_LZMA), "letters.zip"),
        (zipped(TEXTS, compression=zipfile.ZIP_BZIP2), "letters.zip"),
    ]:
        assert read(content, name).digest == corpus.digest


def test_list_of_texts_is_the_corpus_of_their_folder(tree) -> None:
    corpus = load(tree, label=Label.PUBLIC)
    several = [(name, io.BytesIO(content)) for name, content in TEXTS.items()]
    assert load(several, label=Label.PUBLIC).digest == corpus.digest
    paths = [tree / name for name in TEXTS]
    assert load(paths, label=Label.PUBLIC).digest == corpus.digest
    assert load(paths, label=Label.PUBLIC).name == "1 and 3 more"


def test_text_file_alone_is_read_by_lines() -> None:
    assert read(zipped({"all.txt": b"wolves\ndeer\nelk\n"}), "a.zip").n_documents == 3


def test_tables_in_archives_keep_their_columns() -> None:
    corpus_of_table = read(CSV, "mail.csv", person="who")
    assert (
        read(zipped({"mail.csv": CSV}), "mail.zip", person="who").digest == corpus_of_table.digest
    )
    twice = read(zipped({"a.csv": CSV, "b.csv": CSV}), "mail.zip", person="who")
    assert twice.persons.tolist() == [0, 1, 0, 0, 1, 0]
    with pytest.raises(ReadError, match=r"mail\.zip/c\.csv, row 2"):
        read(zipped({"a.csv": CSV, "c.csv": b"who,text\n1,2,3\n"}), "mail.zip")


def test_archive_with_files_of_no_known_kind_counts_them_as_dropped() -> None:
    files = {
        **TEXTS,
        "picture.png": b"\x89PNG",
        "__MACOSX/x.txt": b"no",
        ".DS_Store": b"no",
        "Thumbs.db": b"no",
    }
    corpus = read(zipped(files), "a.zip")
    assert (corpus.n_documents, corpus.intake.n_files, corpus.intake.n_files_dropped) == (4, 4, 1)


def test_archive_of_no_known_kind_alone_is_refused() -> None:
    with pytest.raises(CorpusError, match="holds no documents"):
        read(zipped({"picture.png": b"\x89PNG"}), "a.zip")


def test_counts_come_with_their_words_in_one_upload(tmp_path) -> None:
    counts_with_words = {"kos/docword.txt": COUNTS, "kos/vocab.txt": WORDS}
    corpus = read(zipped(counts_with_words), "kos.zip")
    assert corpus.counts.toarray().tolist() == [[1, 2], [0, 1], [5, 0]]
    assert corpus.vocabulary == ("deer", "wolves")
    chosen_files = [
        (Path(name).name, io.BytesIO(content)) for name, content in counts_with_words.items()
    ]
    assert load(chosen_files, label=Label.PUBLIC).digest == corpus.digest
    chosen_files = [
        (Path(name).name, io.BytesIO(content))
        for name, content in reversed(counts_with_words.items())
    ]
    assert load(chosen_files, label=Label.PUBLIC).digest == corpus.digest
    for name, content in counts_with_words.items():
        (tmp_path / Path(name).name).write_bytes(content)
    assert load(tmp_path, label=Label.PUBLIC).digest == corpus.digest


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"docword.txt": COUNTS}, "without its list of words"),
        (
            {"docword.txt": COUNTS, "vocab.txt": WORDS, "more.txt": b"x"},
            "1 files of counts and 2 others",
        ),
        (
            {"docword.a.txt": COUNTS, "docword.b.txt": COUNTS, "vocab.txt": WORDS},
            "2 files of counts and 1 others",
        ),
    ],
)
def test_counts_with_too_little_or_too_much_beside_them_are_refused(files, reason) -> None:
    with pytest.raises(ReadError, match=reason):
        read(zipped(files), "kos.zip")


def linked() -> bytes:
    info = zipfile.ZipInfo("link.txt")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return zipped({**TEXTS, info: "/etc/passwd"})


def encrypted() -> bytes:
    content = bytearray(zipped({"a.txt": b"wolves"}))
    for signature in (b"PK\x03\x04", b"PK\x01\x02"):
        content[content.index(signature) + (6 if signature == b"PK\x03\x04" else 8)] |= 1
    return bytes(content)


NAMES = {
    "points outside the archive": ("../evil.txt", "..\\evil.txt"),
    "an absolute path": ("/etc/passwd", "C:\\evil.txt"),
    "an archive within the archive": ("inner.zip", "inner.tar.gz", "inner.txt.gz"),
}


@pytest.mark.parametrize(
    ("content", "name", "reason"),
    [
        *(
            (zipped({**TEXTS, name: b"canary"}), "bad.zip", rule)
            for rule, names in NAMES.items()
            for name in names
        ),
        *(
            (b"canary", name, "an archive of another kind than zip")
            for name in ("a.tar", "A.TGZ", "a.tar.bz2")
        ),
        (
            zipped({"b.txt": b"one", "a.txt": b"two"}).replace(b"b.txt", b"a.txt"),
            "bad.zip",
            "two members of the same",
        ),
        (linked(), "bad.zip", "a link instead of a file"),
        (encrypted(), "bad.zip", "an encrypted member"),
    ],
)
def test_archive_with_a_forbidden_member_is_refused_by_its_rule(content, name, reason) -> None:
    with pytest.raises(ReadError, match=reason) as caught:
        read(content, name)
    assert "canary" not in str(caught.value)


def test_folder_with_links_or_pipes_reads_files_alone(tree) -> None:
    digest_before = load(tree, label=Label.PUBLIC).digest
    (tree / "out.txt").symlink_to("/etc/passwd")
    (tree / "loop").symlink_to(tree)
    os.mkfifo(tree / "pipe.txt")
    assert load(tree, label=Label.PUBLIC).digest == digest_before


def test_bombs_are_refused_before_they_go_off() -> None:
    bomb = zipped(
        {f"{i}.txt": bytes(20_000_000) for i in range(2)}, compression=zipfile.ZIP_DEFLATED
    )
    tracemalloc.start()
    with pytest.raises(ReadError, match=r"bomb\.zip: its content is more than 100 times larger"):
        read(bomb, "bomb.zip")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000
    noise = np.random.default_rng(0).integers(97, 123, 3000).astype(np.uint8).tobytes()
    with pytest.raises(ReadError, match="more than 5,000 bytes"):
        read(zipped({"a": noise, "b": noise}), "a.zip", limits=Limits(max_bytes=5_000))


def test_archive_of_too_many_members_is_refused(monkeypatch) -> None:
    monkeypatch.setattr(sources, "MAX_MEMBERS", 3)
    with pytest.raises(ReadError, match="more than 3 members"):
        read(zipped(TEXTS), "a.zip")


def test_archive_among_several_files_is_refused() -> None:
    with pytest.raises(ReadError, match="an archive among several files"):
        load(
            [("a.txt", io.BytesIO(b"x")), ("b.zip", io.BytesIO(zipped(TEXTS)))], label=Label.PUBLIC
        )
