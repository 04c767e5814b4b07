"""Public documents that were uploaded, kept on disk under their digest, so that a reload finds them again."""

import json
import re
import zlib
from dataclasses import asdict
from pathlib import Path

import numpy as np

from dplda.core.errors import DpldaError, InputError
from dplda.corpus import Corpus, Intake, Label, Selection, VocabularySource, disk_cache

MOST = 1_000_000_000  # bytes on disk; the oldest go first
_ENDS = {
    VocabularySource.FIXED: "",
    VocabularySource.FROM_DATA: "-data",
    VocabularySource.MET: "-met",
    VocabularySource.SELECTED: "-selected",
}
_NAME = re.compile(f"[0-9a-f]{{32}}({'|'.join(_ENDS.values())})")


def name_of(corpus: Corpus) -> str:
    """What a corpus is kept under: its digest, and where its words come from, which that leaves out."""
    return corpus.digest[:32] + _ENDS[corpus.vocabulary_source]


def keep(corpus: Corpus) -> bool:
    """Write counts, words and what came in; the file's texts are not kept."""
    if corpus.label is not Label.PUBLIC:
        raise InputError("corpus", "public to be kept on disk", f"a {corpus.label} one")
    about = {
        "name": corpus.name,
        "intake": None if corpus.intake is None else asdict(corpus.intake),
        "persons": None if corpus.persons is None else corpus.persons.tolist(),
        "of_persons": corpus.of_persons,
        "selection": None if corpus.selection is None else asdict(corpus.selection),
    }
    try:
        _folder().mkdir(parents=True, exist_ok=True)
        said = json.dumps(about)
        _path(name_of(corpus), ".json").write_text(f"{_checksum(said)}\n{said}", "utf-8")
        _make_room(corpus.counts.nnz * 8)
    except OSError:
        return False
    table = disk_cache.WordCounts(corpus.counts, corpus.vocabulary)
    return disk_cache.save(f"{_folder().name}/{_path(name_of(corpus), '.npz').name}", table)


def find(name: str) -> Corpus | None:
    """The corpus kept under a name; None where there is none, or it is no longer what was written."""
    if not _NAME.fullmatch(name):
        return None
    table = disk_cache.load(f"{_folder().name}/{_path(name, '.npz').name}")
    if table is None:
        return None
    source = next(source for source, end in _ENDS.items() if name[32:] == end)
    try:
        checksum, said = _path(name, ".json").read_text("utf-8").split("\n")
        if checksum != _checksum(said):
            return None
        about = json.loads(said)
        intake = None if about["intake"] is None else Intake(**about["intake"])
        named, persons = str(about["name"]), about.get("persons")
        whose = None if persons is None else np.array(persons, dtype=np.int64)
        given = about.get("selection")
        corpus = Corpus(
            table.counts,
            table.words,
            Label.PUBLIC,
            named,
            source,
            intake=intake,
            persons=whose,
            of_persons=bool(about.get("of_persons")),
            selection=None if given is None else Selection(**given),
        )
    except (OSError, ValueError, KeyError, TypeError, DpldaError):
        return None
    return corpus if name_of(corpus) == name else None


def _checksum(said: str) -> str:
    return f"{zlib.crc32(said.encode()):08x}"


def _make_room(size: int) -> None:
    """Forget the oldest until so many bytes more fit."""
    kept = sorted(_folder().glob("corpus-*.npz"), key=lambda path: path.stat().st_mtime)
    total = size + sum(path.stat().st_size for path in kept)
    for path in kept:
        if total <= MOST:
            return
        total -= path.stat().st_size
        path.unlink(missing_ok=True)
        path.with_suffix(".json").unlink(missing_ok=True)


def _folder() -> Path:
    return disk_cache.folder() / "uploads"


def _path(name: str, suffix: str) -> Path:
    return _folder() / f"corpus-{name}{suffix}"
