"""The ledger: an append-only record of privacy budgets, charged before any noise is drawn.

One table of entries: a dataset is declared with a budget, which may only fall; releases are charged to it, and
documents are noted as its own. Triggers refuse to change or remove an entry, or to exceed or raise a budget; there are
no refunds. Every entry carries a keyed hash of itself and the one before, and the file ``head`` names the last one.
Without the folder's key, changed, dropped or restored entries are noticed before anything is written. Only receipts and
files kept elsewhere reveal an older copy of the whole folder.

The file ``head`` holds new entries before the table does. They count already, and the next writer adds them first, so a
kill neither loses a charge nor looks like an older ledger.

Gaussian releases add up as their noise does, within caps that the first of them fixes (``privacy.spending``): its entry
holds the caps, and every entry what it adds. Entries without that, as earlier versions wrote all of them, count by
basic composition: their ε and δ are taken off the budget before the caps are fixed.
"""

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass, replace
from datetime import UTC, datetime
from functools import reduce

from dplda.core.errors import DpldaError, InputError
from dplda.corpus.words.vocabulary import normalised
from dplda.privacy.odds import remaining, short
from dplda.privacy.spending import Box, Spending, Totals
from dplda.release.balance import DELTA_UNITS, EPSILON_UNITS, Balance, added, units_of
from dplda.release.folder import LEDGER, PRIVATE_FILE, Folder

HEAD = "head"  # the file that names the last entry and holds pending ones
PATIENCE = 60.0  # seconds for others to finish writing
LONGEST_NAME = 80
FIRST = "0" * 64
NO_HEAD = "the file head, which names the last entry, is missing"
DOCUMENT, PERSON = "document", "person"
HOW = "Declare one: dplda ledger declare NAME --epsilon 3."

SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    at TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('declared', 'lowered', 'charged', 'documents')),
    dataset TEXT NOT NULL,
    epsilon INTEGER NOT NULL CHECK (typeof(epsilon) = 'integer' AND epsilon >= 0),
    delta INTEGER NOT NULL CHECK (typeof(delta) = 'integer' AND delta >= 0),
    detail TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE
);
CREATE UNIQUE INDEX IF NOT EXISTS declared_once ON entries (dataset) WHERE kind = 'declared';
CREATE TRIGGER IF NOT EXISTS never_changed BEFORE UPDATE ON entries
    BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
CREATE TRIGGER IF NOT EXISTS never_removed BEFORE DELETE ON entries
    BEGIN SELECT RAISE(ABORT, 'entries are never removed'); END;
CREATE TRIGGER IF NOT EXISTS in_order BEFORE INSERT ON entries
    WHEN NEW.number <> 1 + (SELECT coalesce(max(number), 0) FROM entries)
    BEGIN SELECT RAISE(ABORT, 'entries are numbered one after the other'); END;
CREATE TRIGGER IF NOT EXISTS caps_only_fall BEFORE INSERT ON entries
    WHEN NEW.kind = 'lowered' AND EXISTS (
        SELECT 1 FROM entries WHERE dataset = NEW.dataset AND kind IN ('declared', 'lowered')
            AND (epsilon < NEW.epsilon OR delta < NEW.delta))
    BEGIN SELECT RAISE(ABORT, 'a cap can only be lowered'); END;
CREATE VIEW IF NOT EXISTS amounts AS SELECT number, dataset, kind, epsilon, delta,
    json_extract(noted, '$.adds[0]') AS squares, json_extract(noted, '$.adds[1]') AS passing,
    json_extract(noted, '$.adds[2]') AS apart, json_extract(noted, '$.caps[1]') AS most_squares,
    json_extract(noted, '$.caps[2]') AS most_passing, json_extract(noted, '$.caps[3]') AS most_apart
    FROM (SELECT *, iif(detail LIKE '{%' AND json_valid(detail), detail, '{}') AS noted FROM entries);
CREATE TRIGGER IF NOT EXISTS within_caps AFTER INSERT ON entries
    WHEN NEW.kind = 'charged' AND NOT coalesce((
        SELECT min(iif(kind = 'charged', NULL, epsilon))
                >= sum(iif(kind = 'charged' AND (squares IS NULL OR number = NEW.number), epsilon, 0))
            AND min(iif(kind = 'charged', NULL, delta))
                >= sum(iif(kind = 'charged' AND (squares IS NULL OR number = NEW.number), delta, 0))
            AND (max(most_squares) IS NULL OR (
                (SELECT squares FROM amounts WHERE number = NEW.number) IS NOT NULL
                AND sum(squares) <= min(most_squares) AND sum(passing) <= min(most_passing)
                AND sum(apart) <= min(most_apart)))
        FROM amounts WHERE dataset = NEW.dataset AND kind <> 'documents'), 0)
    BEGIN SELECT RAISE(ABORT, 'the cap would be passed'); END;
DROP TRIGGER IF EXISTS never_overspent;
"""


class LedgerError(DpldaError):
    """A refusal of the ledger."""


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A line of the ledger.

    Attributes:
        number: from 1.
        at: when, in UTC, ISO 8601.
        kind: ``declared``, ``lowered``, ``charged`` or ``documents``.
        epsilon, delta: in units of 1e-9 and 1e-18.
    """

    number: int
    at: str
    kind: str
    dataset: str
    epsilon: int
    delta: int
    detail: str
    hash: str


class Ledger:
    """The ledger of a folder; several processes may use it at once, because every call opens it again."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._path = folder.path / LEDGER
        try:
            os.close(
                os.open(self._path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
            )  # a mode that SQLite's other files share
        except OSError as error:
            raise LedgerError(
                f"The ledger cannot be opened: {error.strerror}. Check the release folder."
            ) from None
        with self._opened() as connection:
            connection.executescript(SCHEMA)

    def declare(
        self, dataset: str, *, epsilon: float, delta: float, protects: str = DOCUMENT
    ) -> LedgerEntry:
        """Declare a dataset's privacy budget, the most that all its releases may use; rounded down.

        Args:
            dataset: its name, 1 to 80 printable characters.
            protects: a ``document``, or a ``person`` with everything they wrote; this never changes.

        Raises:
            LedgerError: the name is invalid, taken, or reads like another.
        """
        if protects not in (DOCUMENT, PERSON):
            raise LedgerError(f"A guarantee protects a {DOCUMENT} or a {PERSON}.")
        cap = units_of(epsilon, delta, up=False)
        if cap[0] == 0:
            raise InputError("the cap of ε", f"at least {1 / EPSILON_UNITS:g}", f"{epsilon:g}")
        with self._writing() as entries:
            check_name(dataset, [entry.dataset for entry in entries if entry.kind == "declared"])
            return self._append(entries, "declared", dataset, cap, protects)

    def lower(self, dataset: str, *, epsilon: float, delta: float) -> LedgerEntry:
        """Lower a privacy budget, permanently.

        Raises:
            LedgerError: it would rise, or there is no such dataset.
        """
        cap = units_of(epsilon, delta, up=False)
        with self._writing() as entries:
            held = _held(entries, dataset)
            if any(new > old for new, old in zip(cap, held.cap, strict=True)):
                most = f"ε = {remaining(held.cap[0] / EPSILON_UNITS)}, δ = {remaining(held.cap[1] / DELTA_UNITS)}"
                raise LedgerError(
                    f"The budget of {dataset!r} can only be lowered. Choose at most {most}."
                )
            box = held.lowered(cap).box
            return self._append(
                entries, "lowered", dataset, cap, json.dumps({"caps": box}) if box else ""
            )

    def charge(
        self,
        dataset: str,
        *,
        epsilon: float,
        delta: float,
        detail: str,
        documents: str | None = None,
        spending: Spending | None = None,
    ) -> LedgerEntry:
        """Charge a release to a dataset, permanently; the charge is on disk when this returns.

        Args:
            epsilon, delta: of the release by itself, rounded up.
            detail: what it was for; a JSON object where ``spending`` is given.
            spending: of Gaussian noise; None for any other mechanism, whose ε and δ are added up.
            documents: a note of the documents that belong to the dataset from now on.

        Raises:
            LedgerError: too little is left, the dataset is unknown, or the ledger was changed; then nothing is charged
                or noted. If the disk fails meanwhile, it may count as charged.
        """
        price = units_of(epsilon, delta, up=True)
        with self._writing() as entries:
            held = _held(entries, dataset)
            after = held.after(epsilon=epsilon, delta=delta, spending=spending)
            if after is None:
                left = held.left_in_words(spending, delta)
                cost = f"ε = {short(epsilon)} and δ = {short(delta)}"
                why = held.lacking(epsilon=epsilon, delta=delta, spending=spending)
                raise LedgerError(f"{dataset!r} has {left} left; this would cost {cost}. {why}")
            if spending is not None and after.box is not None:
                begun = {} if held.box else {"caps": after.box}
                detail = json.dumps(
                    {"adds": after.box.price(spending)} | begun | json.loads(detail)
                )
            if documents is not None:
                self._append(entries, "documents", dataset, (0, 0), documents)
            return self._append(entries, "charged", dataset, price, detail)

    def balance(self, dataset: str) -> Balance:
        """The privacy budget of a dataset.

        Raises:
            LedgerError: there is no such dataset.
        """
        return _held(self.entries(), dataset)

    def protects(self, dataset: str) -> str:
        """What a dataset's releases protect: a ``document`` or a ``person``.

        Raises:
            LedgerError: there is no such dataset.
        """
        self.balance(dataset)
        return next(entry.detail for entry in self.entries(dataset) if entry.kind == "declared")

    def datasets(self) -> tuple[str, ...]:
        """All datasets, in the order of their declaration."""
        return tuple(entry.dataset for entry in self.entries() if entry.kind == "declared")

    def entries(self, dataset: str | None = None) -> tuple[LedgerEntry, ...]:
        """All entries in order, or those of one dataset, with pending ones."""
        with self._opened() as connection:
            held, pending, _ = self._read(connection)
        return tuple(entry for entry in (*held, *pending) if dataset in (None, entry.dataset))

    def faults(self) -> tuple[str, ...]:
        """Everything wrong with the ledger: changed or removed entries and broken rules; empty if all is well."""
        try:
            with self._opened() as connection:
                held, pending, end = self._read(connection)
                problems = [
                    str(row[0])
                    for row in connection.execute("PRAGMA integrity_check")
                    if row[0] != "ok"
                ]
        except LedgerError as error:
            return (str(error),)
        said = (
            *(f"the file is damaged: {problem}" for problem in problems),
            *self._wrong((*held, *pending)),
        )
        return said or ((end,) if end else ())

    def _wrong(self, entries: Sequence[LedgerEntry]) -> Iterator[str]:
        before = FIRST
        held: dict[str, Balance] = {}
        for place, entry in enumerate(entries, start=1):
            if entry.number != place:
                yield f"entry {place} is missing"
                return
            if entry.hash != self._hash(before, entry):
                yield f"entry {place} was changed, or the one before it"
                return
            before, name = entry.hash, entry.dataset
            held[name] = _counted(held.get(name, Balance((0, 0))), entry)
            if entry.kind == "charged" and held[name].exceeded:
                yield f"entry {place} exceeds the budget of {name!r}"

    def _read(
        self, connection: sqlite3.Connection
    ) -> tuple[list[LedgerEntry], list[LedgerEntry], str]:
        """Entries of the ledger, pending ones of the file head, and what is wrong with that file.

        The file is read first, so the ledger holds at least what the file names.
        """
        try:
            text: bytes | None = (self._folder.path / HEAD).read_bytes()
        except FileNotFoundError:
            text = None
        except OSError:
            text = b""
        try:
            held = [
                LedgerEntry(*row)
                for row in connection.execute("SELECT * FROM entries ORDER BY number")
            ]
        except (TypeError, UnicodeDecodeError):
            raise LedgerError(
                "The ledger cannot be used: its entries cannot be read. Restore it from a copy."
            ) from None
        if text is None:
            return held, [], NO_HEAD if held else ""
        try:
            number, last, *rows, signed = json.loads(text)
            pending = [LedgerEntry(*row) for row in rows]
        except (ValueError, TypeError):
            return held, [], "the file head, which names the last entry, is damaged"
        if signed != self._sign_head(number, last, pending):
            return held, [], "the file head, which names the last entry, was changed"
        hashes = [FIRST, *(entry.hash for entry in held)]
        if number >= len(hashes) or hashes[number] != last:
            return held, [], f"entry {number} is missing: this is an old copy of the ledger"
        if len(held) == number:
            return held, pending, ""
        end = next((one.number for one in pending if one.hash not in hashes), None)
        return (
            held,
            [],
            "" if end is None else f"entry {end} is missing: this is an old copy of the ledger",
        )

    def _sign_head(self, number: int, last: str, pending: Sequence[LedgerEntry]) -> str:
        named = (f"{number}", f"{last}", *(json.dumps(astuple(entry)) for entry in pending))
        return self._folder.sign(b"head", *(part.encode() for part in named))

    def _append(
        self,
        entries: list[LedgerEntry],
        kind: str,
        dataset: str,
        amounts: tuple[int, int],
        detail: str,
    ) -> LedgerEntry:
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        bare = LedgerEntry(len(entries) + 1, at, kind, dataset, *amounts, detail, "")
        entry = replace(bare, hash=self._hash(entries[-1].hash if entries else FIRST, bare))
        entries.append(entry)
        return entry

    def _hash(self, before: str, entry: LedgerEntry) -> str:
        *said, _ = astuple(entry)
        return self._folder.sign(b"entry", before.encode(), json.dumps(said, default=repr).encode())

    @contextmanager
    def _writing(self) -> Iterator[list[LedgerEntry]]:
        """All entries, for one writer at a time to add to; at the end all additions are on disk, or none."""
        with self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                held, pending, end = self._read(connection)
                entries = [*held, *pending]
                if end or any(self._wrong(entries)):
                    raise LedgerError(
                        "The ledger was changed from outside, so it accepts no entry. Run dplda ledger verify."
                    )
                yield entries
                new = entries[len(held) :]
                for entry in new:
                    connection.execute(
                        "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", astuple(entry)
                    )
                number, last = (held[-1].number, held[-1].hash) if held else (0, FIRST)
                signed = self._sign_head(number, last, new)
                self._folder.write(
                    HEAD, json.dumps([number, last, *map(astuple, new), signed]).encode()
                )
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(
                sqlite3.connect(self._path, timeout=PATIENCE, isolation_level=None)
            ) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")
                yield connection
        except sqlite3.Error as error:
            raise LedgerError(
                f"The ledger cannot be used: {error}. Set DPLDA_RELEASES to another folder."
            ) from None


def check_name(dataset: str, others: Sequence[str]) -> None:
    """Refuse an invalid name of a dataset, or one that reads like another."""
    if (
        not 1 <= len(dataset) <= LONGEST_NAME
        or not dataset.isprintable()
        or dataset != dataset.strip()
    ):
        raise LedgerError(f"A dataset's name must have 1 to {LONGEST_NAME} printable characters.")
    for name in others:
        if _read_as(name) == _read_as(dataset):
            raise LedgerError(
                f"There is a budget {name!r} already. Choose it for the same documents, or another name."
            )


def noted_in(entry: LedgerEntry) -> dict[str, object]:
    """The JSON object in the detail of a charge or a lowered budget; empty where there is none."""
    if entry.kind not in ("charged", "lowered") or not entry.detail.startswith("{"):
        return {}
    try:
        return dict(json.loads(entry.detail))
    except (ValueError, TypeError):
        raise _changed(entry) from None


def _changed(entry: LedgerEntry) -> LedgerError:
    return LedgerError(f"Entry {entry.number} of the ledger was changed. Run dplda ledger verify.")


def _held(entries: Sequence[LedgerEntry], dataset: str) -> Balance:
    mine = [entry for entry in entries if entry.dataset == dataset]
    if not any(entry.kind == "declared" for entry in mine):
        raise LedgerError(f"There is no dataset {dataset!r}. {HOW}")
    return reduce(_counted, mine, Balance((0, 0)))


def _counted(before: Balance, entry: LedgerEntry) -> Balance:
    """The balance with one more entry, whether it fits or not."""
    amounts = (entry.epsilon, entry.delta)
    if entry.kind == "declared":
        return Balance(amounts)
    if entry.kind == "documents":
        return before
    begun, adds = _numbers(entry, "caps"), _numbers(entry, "adds")
    box = Box(begun[0], *map(int, begun[1:])) if begun else None
    if entry.kind == "lowered":
        lower = before.lowered(amounts)
        return replace(lower, box=box or lower.box)
    spent = added(before.spent, amounts)
    if not adds:
        return replace(before, spent=spent, basic=added(before.basic, amounts))
    return replace(
        before, spent=spent, box=before.box or box, used=before.used.plus(Totals(*map(int, adds)))
    )


def _numbers(entry: LedgerEntry, name: str) -> list[float]:
    found = noted_in(entry).get(name, [])
    if not isinstance(found, list) or not all(isinstance(one, int | float) for one in found):
        raise _changed(entry)
    return found


def _read_as(name: str) -> str:
    """A form that is equal for names that look the same."""
    return normalised("NFKC", name).casefold()
