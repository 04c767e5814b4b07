"""Writes ``benchmarks/RESULTS.md``: every measured table, from the rows in ``benchmarks/results`` and never by hand."""

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from benchmarks import paper_claims
from dplda.methods.registry import METHODS

HERE = Path(__file__).parent
Entry = Callable[[pd.Series], str]


def _plain(value: object) -> str:
    """A value of a result as text: three digits, or whole from a thousand on; empty if it is missing."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, list):
        return "–".join(_plain(part) for part in (min(value), max(value)))
    if isinstance(value, float):
        return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return str(value)


@dataclass(frozen=True, slots=True)
class Table:
    """How rows of one file become one table, or one for each value of a column.

    Attributes:
        file: of the rows, without its ending.
        title: heading.
        words: what was measured, and how to read it.
        rows: columns that name a line; all columns but those dropped where there is no ``across``.
        across: column whose values head the other columns; empty for a flat table.
        entry: what stands in a cell of a table with ``across``.
        column_of_tables: column, a table for each of whose values.
        only: which rows are in it.
        drop: columns that a flat table leaves out.
    """

    file: str
    title: str
    words: str
    rows: tuple[str, ...] = ()
    across: str = ""
    entry: Entry = field(default=lambda row: _plain(row["value"]))
    column_of_tables: str = ""
    only: Callable[[pd.DataFrame], pd.Series] | None = None
    drop: tuple[str, ...] = ()


def _cell(row: pd.Series) -> str:
    """Median of a cell, and coherence where there is any."""
    if not row["n"]:
        return "refused" if row["n_refused"] else "failed"
    digits = ",.0f" if row["measure"] == "perplexity" else ".3g"
    numbers = [f"{row['median']:{digits}}"]
    if not pd.isna(row["npmi"]):
        numbers.append(f"{row['npmi']:.2f}")
    return " · ".join(numbers)


def _verdict(row: pd.Series) -> str:
    return f"{row['verdict']} {_plain(row['value'])} ± {_plain(row['error'])}"


def _predicted(row: pd.Series) -> str:
    """Predicted and measured error; brackets where there is no prediction."""
    measured_error = "refused" if pd.isna(row["l1"]) else f"{row['l1']:.2g}"
    prediction = "?" if pd.isna(row["expected"]) else f"{row['expected']:.2g}"
    if row["answer"] == "refused":
        prediction = "refused"
    elif row["answer"] == "not predicted":
        prediction = f"({prediction})"
    return f"{prediction} → {measured_error}"


def _cost(row: pd.Series) -> str:
    if pd.isna(row["cost_percent"]):
        return "not allowed"
    return f"{row['cost_percent']:+.1f} ± {row['error_percent']:.1f}"


def _measured(frame: pd.DataFrame) -> pd.Series:
    return frame["measure"].notna()


def _judged(frame: pd.DataFrame) -> pd.Series:
    return frame["claim"].notna()


LAST_COMMIT = "b293a92b"
"""Last commit with the programs whose tables stay and that nobody needs to run again."""
RETIRED = frozenset({"group-rival", "persons", "reading", "words"})
"""Files of rows whose program is gone."""

UTILITY = "medians over draws of noise; *refused* means that no draw gave a result"
TABLES = (
    Table(
        "private-utility-text",
        "Real text, every method",
        f"Held-out perplexity (lower is better) · NPMI of the ten leading words there; {UTILITY}. A tenth of the "
        "documents is held out, and one document is protected at δ = 1e-7. The column *none* has no noise.",
        ("method",), "epsilon", _cell, "setting", _measured,
    ),
    Table(
        "private-utility-text",
        "Real text, claims",
        "Ratios of perplexity (geometric mean ± standard error), paired over draws; two one-sided t tests at 5 % each.",
        ("setting", "method", "claim"), "epsilon", _verdict, "", _judged,
    ),
    Table(
        "private-utility-grid", "Real text, other k, α0 and d", f"Perplexity · NPMI; {UTILITY}.",
        ("method",), "epsilon", _cell, "setting", _measured,
    ),
    Table(
        "private-utility-limits", "Real text, towards no and infinite ε", f"Perplexity · NPMI; {UTILITY}.",
        ("method",), "epsilon", _cell, "setting", _measured,
    ),
    Table(
        "public-knowledge", "What public text is worth",
        "Held-out perplexity (lower is better) · NPMI of the ten leading words there; medians of three draws; 1,000 "
        "words and k = 10 unless said, one document protected at δ = 1e-7. Public text is Wikipedia's leads (the "
        "English table), and 20 Newsgroups for these. *Clusters*: vectors of documents learned on public text, private "
        "k-means, noisy word counts of each cluster; a document is of one cluster, or of several as in other rows. "
        "`benchmarks/leaderboard/clusters.py` says what was tuned; these rows were measured by commit b293a92b. "
        "*Refined + public table* is of an earlier rule; the next table has today's.",
        ("method",), "epsilon", lambda row: f"{row['perplexity']:,.0f} · {row['npmi']:.2f}", "setting",
    ),
    Table(
        "priors-useful", "Public knowledge, and evidence beside documents held out",
        "Perplexity and NPMI on documents held out, without a table and with it, medians of five draws; *let in*: by "
        "how many of them. *Gain* is that of the fitted documents without a table, in nats a word, ± *reach* at 95 %, as "
        "evidence has it before any comparison; beside it the same of documents held out. Words and topics as above.",
        drop=("section",),
    ),
    Table(
        "priors-useless", "Tables that say nothing about the documents",
        "How many of ten draws let them in, and what they cost in perplexity (geometric mean, paired). *Another's* are "
        "topics of docstrings, and of AP for these. All are of an earlier rule: what lets a table in is as it "
        "was, what it costs may differ today.",
        drop=("section", "draws", "commit"),
    ),
    Table(
        "lost-topics", "Topics with evidence beside a table",
        "Documents alone and beside a table that they were asked about (English; for Wikipedia's leads of 20 "
        "Newsgroups), means of topics with evidence, medians of perplexity and NPMI on documents held out, or mean "
        "numbers of themes of six. *Counted* runs have topics with evidence alone; *lost* keep fewer than half as many "
        "beside the table, *fewer* keep fewer at all, *more* gain some. *By noise*: two draws of documents alone, compared "
        "likewise. *Lost beyond noise*: the difference of both. *Sign test*: chance of so many fewer among all that differ, if "
        "a table changes nothing. *Table alone*: "
        "runs that end with the table's own topics.",
    ),
    Table(
        "priors-seeds", "Seed words",
        "Ten themes of five words on 20 Newsgroups, medians of five draws.",
        drop=("section",),
    ),
    Table(
        "priors-sections", "Six sections asked for as ten",
        "How many topics carry the gain, at ε = 1 (a newspaper of 10,000 letters over 300 words). Draws share the runs "
        "without topics that they are compared with.",
        drop=("section",),
    ),
    Table(
        "group-shares", "Topic shares by group",
        "20 Newsgroups: ten topics released at ε = 1, then tables of their shares in 20 groups, 25 of each ε, against "
        "the same table without noise. Errors in points; how often ranges of 90 % hold; and of comparisons said with "
        ".89, .95 and .98, how many are true.",
    ),
    Table(
        "group-corpora", "Topic shares on 200 simulated corpora",
        "Corpora of 2,000 to 20,000 documents, 3 to 8 topics and 3 to 20 groups, or times that walk. Topics are released "
        "at ε = 1. Errors in points, against the same table without noise, and against the true shares of the documents' "
        "words, where topics and inference err, too. Then as above.",
    ),
    Table(
        "group-rival", "Public topics, with only the table private",
        "20 Newsgroups at equal total ε, the shape of CTCL's histogram: topics of public text cost nothing, and all of ε "
        "goes to the table. Ours pays for topics and keeps a tenth of μ² for the table. *Signs right*: pairs of groups "
        "that truly differ by 5 points, ordered rightly, by topics matched to those that are fitted to the same documents "
        "without noise. *Sure*: said with .95 or more; *sure wrong*: which part of these is wrong. Two draws of noisy "
        "topics, twelve tables each.",
    ),
    Table(
        "held-out-gains", "Evidence, beside documents held out",
        "Gain a word in nats that evidence of *Refined* states for new documents, and that of up to 6,000 documents held "
        "out. *Before*: of the fitted documents, as it was stated once. *Within*: inside the interval of 90 %. *Too "
        "high*: by more than the larger of a third and two standard errors. 1,000 words, k = 10, δ = 1e-7.",
    ),
    Table(
        "held-out-gains-total", "The same, counted",
        "Of all fits above, and of those whose gain is called better, how many are within and too high.",
    ),
    Table(
        "held-out-table-gains", "Evidence beside a table, and documents held out",
        "As above, beside the English table, and for Wikipedia's leads beside one of 20 Newsgroups. Documents *refused* the "
        "table, made *steps* beside it, or have its topics *alone*. Here and above, what is stated is worked out from the released "
        "numbers of these fits with the later formula for clipped gains; four fits, measured with it, agree.",
    ),
    Table(
        "held-out-table-gains-total", "The same, counted",
        "Of fits beside a table, by what became of it.",
    ),
    Table(
        "held-out-without-topics", "Documents without topics, 1,000 of each corpus's lengths",
        "Of so many corpora drawn from its word frequencies, how many had a gain beyond noise, and how many are called "
        "better. Counted before a formula gave back what clipping takes from a gain; the next table has today's rules.",
    ),
    Table(
        "held-out-false-topics", "Topics with evidence where documents have none",
        "Corpora drawn from one word distribution over 300 invented words, 30 words a document, three documents a person "
        "(geometric); k = 6. *Significant*: the gain is beyond that of documents without topics, by a rule that holds in 99 "
        "of 100 corpora. *With evidence*: some topic has it; its share has a 95 % interval.",
    ),
    Table("held-out-false-topics-total", "All of these together", "As above."),
    Table(
        "held-out-words", "Words that describe topics",
        "Coherence (NPMI on documents held out) of ten leading words by probability, by a relevance of .6, and as they "
        "are chosen now, by topics above the noise and without null runs; *words above*: of several topics. Means over draws. Beside 1,797 documents Associated Press has "
        "450 held out: rarer words that do not meet there count as if they never met. So all documents judge them too.",
    ),
    Table(
        "private-utility-simulated", "Simulated documents, few words",
        f"Mean L1 error of topics (0 to 2); {UTILITY}. Documents of 100 words, 20 corpora.",
        ("setting", "method"), "epsilon", _cell, "", _measured,
    ),
    Table(
        "private-utility-simulated-large", "Simulated documents, many words",
        f"Mean L1 error of topics; {UTILITY}. Five corpora.",
        ("setting", "method"), "epsilon", _cell, "", _measured,
    ),
    Table(
        "prediction-shares", "Predictions where nothing was fitted",
        "Of 60 settings drawn at random over N, d, k, α0, length and ε: the part for which an error is predicted, and "
        "the part of these that lie within 25 % of the error measured. The picture is `results/prediction.svg`.",
    ),
    Table(
        "prediction-settings", "Predicted and measured",
        "Mean L1 error predicted → measured; in brackets where single runs differ so much that it is no prediction. "
        "*Louder*: by how much noise was reduced where N was taken smaller, to be affordable; 1 at its own N.",
        ("n_documents", "n_words", "n_topics", "alpha0", "mean_length", "epsilon", "louder"), "method", _predicted,
    ),
    Table(
        "prediction-winners", "The method named, and the best one measured",
        "*Right*: at most 1.1 times the smallest mean error, over seven draws of documents and noise; where it is too "
        "close to call, the best two are. A refusal counts as 2. Methods as published were drawn once: at no setting "
        "were they within a factor of two of the best.",
    ),
    Table(
        "prediction-twenties", "The method named, twenty settings at a time",
        "*Right* as above: by the mean error over seven draws, and by each draw alone. Settings that were fitted to "
        "have one draw. Fitted runs of *Refined* without a spectral start, or with α0 of 2 and more, are older than "
        "its evidence, and count as runs with the noise that topics had.",
    ),
    Table(
        "constants", "Constants of Refined, halved and doubled",
        "Cost in percent ± its standard error over draws with equal noise; positive is worse. *Simulated*: distance to the "
        "true topics; texts: held-out perplexity; constants of evidence: noise of the gain over the gain. Settings with a table, but for "
        "prior_only_noise, are of an earlier rule for when steps are made there. "
        "`assets/docs/constants.md` says what each does.",
        ("constant", "setting"), "change", _cost,
    ),
    Table(
        "verdict", "Verdicts before a release",
        "How often *readable* and *nothing* were right, how often *weak* stood, and how many readable (two thirds of the "
        "themes found) and empty outcomes (one sixth or less) were foretold, over settings drawn at random. Twins: invented "
        "newspapers of 300 to 100,000 documents or persons; themes that no topic with evidence shows are not found. Persons have a "
        "geometric number of documents and the α0 of all of these, as Release sets it. *Rules*: by which a row was counted. Of "
        "corpora (500 documents and more), themes are unknown, so topics count as reports count them: those that documents "
        "without topics do not have as well. Cases of which that takes longer than some 40 seconds, by a formula of public "
        "numbers, are left out, and of docstrings topics beyond the noise count. A table's own topics are nothing, as nothing of them comes from the documents; one "
        "line judges them as others. The formula was chosen among many with a look at all cases without a table but "
        "docstrings, so new cases may be worse.",
    ),
    Table(
        "verdict-outcomes", "Verdicts before a release, and what came of them",
        "Number of cases by verdict (lines) and outcome (columns).",
    ),
    Table(
        "verdict-held-out", "Verdicts before a release, on documents that borders were not fitted to",
        "The two borders of the signal were fitted to some cases without a table and judged on others. *20ng* is 20 "
        "Newsgroups, *ap* Associated Press.",
    ),
    Table(
        "verdict-held-out-tables", "Verdicts beside a table, on documents that its border was not fitted to",
        "The signal below which the table's own topics are expected was fitted to some cases with the English table and "
        "judged on others.",
    ),
    Table(
        "speed-20000-1000-10", "Time against other packages: N = 20,000, d = 1,000, k = 10",
        "Two threads each; a ratio is to our un-noised fit, timed before and after. Seeds are 0 unless said: "
        "topica's error depends on its seed. anchortopics (OTFR) takes as much processor time as ours, and has a larger "
        "error. Peak memory holds the drawing of the corpus, so only what exceeds it belongs to a package.",
        drop=("our_seconds", "load"),
    ),
    Table("speed-100000-1000-10", "N = 100,000, d = 1,000, k = 10", "As above; scikit-learn in batches was not run to its end.", drop=("our_seconds", "load")),
    Table("speed-100000-5000-50", "N = 100,000, d = 5,000, k = 50", "As above.", drop=("our_seconds", "load")),
    Table("speed-20-newsgroups-10000-20", "20 Newsgroups, d = 10,000, k = 20", "As above.",
          drop=("our_seconds", "load")),
    Table("speed-20000-1000-10-equal", "Time to an equal error", "Passes are doubled until the error is ours."),
    Table(
        "growth", "How cost grows with documents, words and topics",
        "Exponent of the last step of each number (N 40,000 → 160,000, d 2,000 → 4,000, k 20 → 40), and processor "
        "seconds at its largest value. The others stay at N = 20,000, d = 1,000, k = 10; 60 words, α0 = 0.1; "
        "so large an ε that each method does all of its work. Variational inference without noise visits a fixed "
        "number of documents, whatever N is.",
        ("method",), "axis", lambda row: f"{row['exponent']:.2f} ({row['most']:.2g} s)",
    ),
    Table("scale-documents", "More documents than memory holds", "Un-noised fit of stored counts."),
    Table(
        "scale-refined", "A million documents on disk, with noise",
        "`dplda fit FOLDER` within 1 GB of address space (d = 1,000, k = 10, 60 words a document, ε = 1). *Stored* is "
        "the size of the documents on disk; the peak counts Python and its libraries too.",
    ),
    Table("scale-engines", "Engines", "One fit by each engine."),
    Table("crowd", "A class at one server", "Seconds of a step; *own* means that everybody draws noise of their own."),
    Table(
        "frames", "Frames of Play while ε is dragged",
        "In a trace of Chromium without a graphics processor, beside a page that moves one square. *Wanted* frames have something "
        "to draw; of those *drawn*, the scripts of *in part* came too late. *Per 60*: drawn of 60 wanted.",
        drop=("load",),
    ),
    Table("rerun", "A step of ε, page by page", "Milliseconds. *New*: processor time of the server for a step not seen before, error bars and null runs included; *seen*: a step back. *Drawn*: from the key to the last change on the page. *Picture*: to the first figure of a page.", drop=("load",)),
    Table("reading", "Reading text", "Of one large file."),
    Table("release-charges", "Charging", "Milliseconds of one charge."),
    Table("release-releases", "Exact noise", "Time and error of a release beside the same fit for looking."),
    Table(
        "words", "Words picked with noise",
        "The share of all pairs of a document and a word of it that is kept (words off the list that are found), if "
        "words have the whole ε, in two rounds as today. *n_words* is how many are asked for; with fewer than listed, noise ranks the list.",
        ("corpus", "listed", "n_words", "delta"), "epsilon",
        lambda row: f"{row['pairs_kept']:.2f} ({row['words_off_the_list']:,})",
    ),
    Table("persons", "Persons instead of documents", "Median of the mean L1 error."),
    Table("mutants", "Sabotaged methods", "How many runs the audit needs to catch each.",
          drop=("runs_law", "runs_neighbours")),
    Table("mutants-source", "Mistakes written into the source", "Which test notices each."),
    Table("fuzz", "Hostile inputs", "Files, names, parameters and ends by force."),
    Table("docstrings", "The embedded documents", "Packages whose docstrings were counted."),
)  # fmt: skip


def run() -> Iterator[dict[str, str]]:
    """Writes the page; measures nothing, so there are no rows."""
    (HERE / "RESULTS.md").write_text(page(), "utf-8")
    return iter(())


def page() -> str:
    """The whole page in Markdown."""
    parts = [
        "# What was measured",
        "`python -m benchmarks results` writes this page from `benchmarks/results`; nobody edits it. Other names after "
        "`python -m benchmarks` measure one table anew; a line below a table names the commit that has the program if it "
        "is gone. Times depend on the machine, ratios much less.",
    ]
    for table in TABLES:
        path = HERE / "results" / f"{table.file}.json"
        if path.exists():
            content = json.loads(path.read_text("utf-8"))
            machine = content["machine"]
            parts += [
                f"## {table.title}",
                table.words,
                *_tables(table, pd.DataFrame(content["rows"])),
            ]
            parts.append(f"*{_origin(table.file, machine)}*")
    parts += [f"## {paper_claims.TITLE}", paper_claims.WORDS]
    parts.append(_markdown(paper_claims.HEADS, list(paper_claims.rows())))
    return "\n\n".join(parts) + "\n"


def _origin(file: str, machine: dict[str, str]) -> str:
    """File, date and machine of a table, and where its program is if it is gone."""
    origin = f"{file}.json, {machine['date']}, {machine['processors']} processors."
    if file in RETIRED:
        origin += f" `python -m benchmarks {file}` is in commit {LAST_COMMIT}."
    return origin


def _tables(table: Table, frame: pd.DataFrame) -> Iterator[str]:
    """One table, or one with a heading for each value of its column."""
    if table.only is not None:
        frame = frame[table.only(frame)]
    if not table.column_of_tables:
        yield _table(table, frame)
        return
    for value, rows in frame.groupby(table.column_of_tables, sort=False):
        title = f"{table.column_of_tables} = {value:g}" if isinstance(value, float) else value
        yield f"**{title}**"
        yield _table(table, rows)


def _table(table: Table, frame: pd.DataFrame) -> str:
    """A flat table, or one whose columns are the values of ``across``."""
    if not table.across:
        flat = frame.drop(columns=[name for name in table.drop if name in frame])
        cells = [[_plain(value) for value in row] for row in flat.astype(object).to_numpy()]
        return _markdown(list(flat), cells)
    columns = sorted(frame[table.across].dropna().unique())
    if frame[table.across].isna().any():
        columns = [None, *columns]
    lines: dict[tuple[object, ...], dict[float | None, str]] = {}
    for _, row in frame.iterrows():
        key = tuple(row[name] for name in table.rows)
        column = None if pd.isna(row[table.across]) else row[table.across]
        lines.setdefault(key, {})[column] = table.entry(row)
    heads = [*table.rows, *(_head(table.across, column) for column in columns)]
    cells = [
        [*map(_named, key), *(line.get(column, "") for column in columns)]
        for key, line in lines.items()
    ]
    return _markdown(heads, cells)


def _head(across: str, value: object) -> str:
    """Head of a column, whose rows have one value of ``across``, or none."""
    if value is None:
        return "none"
    if isinstance(value, str):
        return value
    return f"{across} {value:g}"


def _named(value: object) -> str:
    """A line's name: a method's title where it is a method's key."""
    method = METHODS.get(str(value))
    return _plain(value) if method is None else method.title


def _markdown(heads: list[str], cells: list[list[str]]) -> str:
    """A table in Markdown; symbols in place of names of columns."""
    lines = [heads, ["---"] * len(heads), *cells]
    signs = {"epsilon": "ε", "alpha0": "α0", "_": " "}
    for sign, plain in signs.items():
        lines[0] = [head.replace(sign, plain) for head in lines[0]]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines
    )
