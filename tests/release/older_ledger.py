"""A ledger as the first versions wrote it: the table lists the kinds of entries and has no format."""

import sqlite3
from contextlib import closing

from dplda.release.ledger.folder import LEDGER, Folder

OLD_SCHEMA = """
CREATE TABLE entries (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    at TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('declared', 'lowered', 'charged', 'documents')),
    dataset TEXT NOT NULL,
    epsilon INTEGER NOT NULL CHECK (typeof(epsilon) = 'integer' AND epsilon >= 0),
    delta INTEGER NOT NULL CHECK (typeof(delta) = 'integer' AND delta >= 0),
    detail TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE
);
CREATE UNIQUE INDEX declared_once ON entries (dataset) WHERE kind = 'declared';
CREATE TRIGGER never_changed BEFORE UPDATE ON entries
    BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
CREATE TRIGGER never_removed BEFORE DELETE ON entries
    BEGIN SELECT RAISE(ABORT, 'entries are never removed'); END;
CREATE VIEW amounts AS SELECT number, dataset, kind, epsilon, delta,
    json_extract(noted, '$.adds[0]') AS squares, json_extract(noted, '$.adds[1]') AS passing,
    json_extract(noted, '$.adds[2]') AS apart, json_extract(noted, '$.caps[1]') AS most_squares,
    json_extract(noted, '$.caps[2]') AS most_passing, json_extract(noted, '$.caps[3]') AS most_apart
    FROM (SELECT *, iif(detail LIKE '{%' AND json_valid(detail), detail, '{}') AS noted FROM entries);
CREATE TRIGGER within_caps AFTER INSERT ON entries
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
PRAGMA journal_mode = WAL;
"""


def make_older(folder: Folder) -> None:
    """Put the entries of a ledger into a table of the first format; their hashes stay as they are."""
    path = folder.path / LEDGER
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT * FROM entries ORDER BY number").fetchall()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for part in folder.path.glob(f"{LEDGER}*"):
        part.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(OLD_SCHEMA)
        connection.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        connection.commit()
    path.chmod(0o600)


def format_of(folder: Folder) -> int:
    """The format's number as the file has it."""
    with closing(sqlite3.connect(folder.path / LEDGER)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])
