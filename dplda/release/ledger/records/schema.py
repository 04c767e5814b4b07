"""The table of entries: its rules, its format, and how an older one is brought up to date.

Triggers refuse to change or remove an entry, to exceed a budget or to raise it. They guard against
mistakes of this program; changes from outside are found by the entries' hashes.

The number of the format is SQLite's ``user_version``. Format 1, which had no number, listed the
kinds of entries in the table. Format 2 leaves them to the program, so that a later version can add
one. Rows and hashes are the same, so reading needs no conversion, and the first write converts.
"""

import sqlite3

from dplda.release.ledger.records.entry import LedgerEntry, LedgerError

FORMAT = 2
COLUMNS = "number, at, kind, dataset, epsilon, delta, detail, hash"

TABLE = """
CREATE TABLE {name} (
    number INTEGER PRIMARY KEY CHECK (number > 0),
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    dataset TEXT NOT NULL,
    epsilon INTEGER NOT NULL CHECK (typeof(epsilon) = 'integer' AND epsilon >= 0),
    delta INTEGER NOT NULL CHECK (typeof(delta) = 'integer' AND delta >= 0),
    detail TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE
)
"""
RULES = (
    "DROP TRIGGER IF EXISTS never_overspent",  # of the first versions, which added up ε
    "CREATE UNIQUE INDEX IF NOT EXISTS declared_once ON entries (dataset) WHERE kind = 'declared'",
    """
    CREATE TRIGGER IF NOT EXISTS never_changed BEFORE UPDATE ON entries
        BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END
    """,
    """
    CREATE TRIGGER IF NOT EXISTS never_removed BEFORE DELETE ON entries
        BEGIN SELECT RAISE(ABORT, 'entries are never removed'); END
    """,
    """
    CREATE TRIGGER IF NOT EXISTS in_order BEFORE INSERT ON entries
        WHEN NEW.number <> 1 + (SELECT coalesce(max(number), 0) FROM entries)
        BEGIN SELECT RAISE(ABORT, 'entries are numbered one after the other'); END
    """,
    """
    CREATE TRIGGER IF NOT EXISTS caps_only_fall BEFORE INSERT ON entries
        WHEN NEW.kind = 'lowered' AND EXISTS (
            SELECT 1 FROM entries WHERE dataset = NEW.dataset AND kind IN ('declared', 'lowered')
                AND (epsilon < NEW.epsilon OR delta < NEW.delta))
        BEGIN SELECT RAISE(ABORT, 'a cap can only be lowered'); END
    """,
    """
    CREATE VIEW IF NOT EXISTS amounts AS SELECT number, dataset, kind, epsilon, delta,
        json_extract(noted, '$.adds[0]') AS squares, json_extract(noted, '$.adds[1]') AS passing,
        json_extract(noted, '$.adds[2]') AS apart, json_extract(noted, '$.caps[1]') AS most_squares,
        json_extract(noted, '$.caps[2]') AS most_passing,
        json_extract(noted, '$.caps[3]') AS most_apart
        FROM (SELECT *, iif(detail LIKE '{%' AND json_valid(detail), detail, '{}') AS noted
            FROM entries)
    """,
    """
    CREATE TRIGGER IF NOT EXISTS within_caps AFTER INSERT ON entries
        WHEN NEW.kind = 'charged' AND NOT coalesce((
            SELECT min(iif(kind = 'charged', NULL, epsilon))
                    >= sum(iif(
                        kind = 'charged' AND (squares IS NULL OR number = NEW.number), epsilon, 0))
                AND min(iif(kind = 'charged', NULL, delta))
                    >= sum(iif(
                        kind = 'charged' AND (squares IS NULL OR number = NEW.number), delta, 0))
                AND (max(most_squares) IS NULL OR (
                    (SELECT squares FROM amounts WHERE number = NEW.number) IS NOT NULL
                    AND sum(squares) <= min(most_squares) AND sum(passing) <= min(most_passing)
                    AND sum(apart) <= min(most_apart)))
            FROM amounts
            WHERE dataset = NEW.dataset AND kind IN ('declared', 'lowered', 'charged')), 0)
        BEGIN SELECT RAISE(ABORT, 'the cap would be passed'); END
    """,
)


def read_entries(connection: sqlite3.Connection, first: int = 1) -> list[LedgerEntry]:
    """Read all entries of the table from number ``first`` on, in order.

    Empty if there is no table yet.

    Raises:
        LedgerError: they cannot be read, or a newer version of dplda wrote them.
    """
    _check_format(connection)
    if not _has_table(connection):
        return []
    try:
        query = f"SELECT {COLUMNS} FROM entries WHERE number >= ? ORDER BY number"
        table_rows = connection.execute(query, (first,)).fetchall()
        return [LedgerEntry(*row) for row in table_rows]
    except (TypeError, UnicodeDecodeError):
        raise LedgerError(
            "The ledger cannot be used: its entries cannot be read. Restore it from a copy."
        ) from None


def prepare_for_writing(connection: sqlite3.Connection) -> None:
    """Create the table and its triggers if missing, convert an older table, and note its format.

    Call it inside of the writer's transaction: entries are copied as they are, so a kill leaves
    either the old table or the new one. A table of a newer format is not refused here;
    ``read_entries`` does that.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if not _has_table(connection):
        connection.execute(TABLE.format(name="entries"))
    elif version < FORMAT:
        _convert(connection)
    if version < FORMAT:
        connection.execute(f"PRAGMA user_version = {FORMAT}")
    for statement in RULES:
        connection.execute(statement)


def append(connection: sqlite3.Connection, row: tuple[object, ...]) -> None:
    """Add one entry, its fields in the order of ``LedgerEntry``."""
    connection.execute(f"INSERT INTO entries ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)


def _convert(connection: sqlite3.Connection) -> None:
    """Replace an older table by one of today's format with the same entries.

    Triggers and views of the older table are dropped; ``prepare_for_writing`` makes the triggers
    anew, and notes the format. Call it inside of the writer's transaction: it commits nothing.
    """
    kinds_and_names_of_objects = connection.execute(
        "SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view')"
    ).fetchall()
    # Sorted, triggers come before the view that they ask.
    for object_kind, object_name in sorted(kinds_and_names_of_objects):
        connection.execute(
            'DROP {} "{}"'.format(object_kind.upper(), object_name.replace('"', '""'))
        )
    connection.execute(TABLE.format(name="converted"))
    connection.execute(f"INSERT INTO converted ({COLUMNS}) SELECT {COLUMNS} FROM entries")
    connection.execute("DROP TABLE entries")
    connection.execute("ALTER TABLE converted RENAME TO entries")


def _check_format(connection: sqlite3.Connection) -> None:
    """Refuse a table that a newer version of dplda wrote, with a ``LedgerError``."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > FORMAT:
        raise LedgerError(
            f"The ledger was written by a newer version of dplda (format {version}; this version"
            f" knows {FORMAT}). Use that version."
        )


def _has_table(connection: sqlite3.Connection) -> bool:
    query = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'entries'"
    return bool(connection.execute(query).fetchone()[0])
