"""Writes the page Leaderboard of the documentation from results, ours and others', and never by hand."""

import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.leaderboard.contenders import rows
from benchmarks.leaderboard.entries import (
    SUBMISSIONS,
    Result,
    check_results,
    pack_results,
    read_results,
)
from benchmarks.leaderboard.tasks import BY_NAME

PAGE = Path(__file__).parents[2] / "assets" / "docs" / "leaderboard.md"
RESULTS = Path(__file__).parents[1] / "results"
SECTIONS = ("simulated", "20-newsgroups", "attack")
OURS = "Refined"
CLEAR = 2.0  # standard errors of a difference, from which on it counts


def write_page() -> None:
    """Write the page from the files of results that are there."""
    PAGE.write_text(make_page(), "utf-8")


def make_page() -> str:
    """The page in Markdown."""
    files = [RESULTS / f"leaderboard-{section}.json" for section in SECTIONS]
    contents = [json.loads(file.read_text("utf-8")) for file in files if file.is_file()]
    measured_rows = [row for content in contents for row in content["rows"]]
    results = list(check_results(pack_results(rows(), measured_rows), "our results"))
    for submission in sorted(SUBMISSIONS.glob("*.json")):
        results += read_results(submission)
    dates = sorted({content["machine"]["date"] for content in contents})
    parts = [_introduction(results), HOW.format(dates=" to ".join(dict.fromkeys(dates)))]
    for corpus, title, words in CORPORA:
        corpus_results = [result for result in results if result.corpus == corpus]
        if corpus_results:
            parts += [f"## {title}", words, _table(corpus_results)]
    parts += [
        "## Where Refined loses",
        *_losses(results),
        "## What rows promise",
        _promises(results),
    ]
    parts += ["## Your results", OTHERS, "## What this does not show", LIMITS]
    return "\n\n".join(parts) + "\n"


def _introduction(results: Sequence[Result]) -> str:
    """The sentence that counts in how many columns *Refined* is best."""
    groups = _groups(results)
    n_best = sum(_best(group).method == OURS for group in groups)
    return (
        f"Among rows that protect one document with a proof and read no public text, *Refined* is best in {n_best} of"
        f" {len(groups)} columns. A table below says who is best in the others."
    )


HOW = (
    "`python -m benchmarks leaderboard` measures and writes this page ({dates}). Corpora, seeds and numbers of"
    " topics are fixed: ten topics, three seeds, δ = 1e-7. Topics and a table of their shares by group have ε together,"
    " nine tenths of μ² for topics; where topics are public, the table has all of it. A cell is the mean of three"
    " seeds ± its standard error. *Refused* means that a method gave no topics. Rows in italics do not protect one"
    " document with a proof, so their ε is not comparable."
)
CORPORA = (
    (
        "simulated",
        "Simulated documents",
        "9,000 documents of 60 words, 300 words, ten topics (α₀ = 0.5), and four districts that differ. Public text is"
        " 5,000 documents that share five of the ten topics. Recovery is the mean L1 error of topics (0 to 2). Perplexity"
        " is that of half of each document held out. Signs are pairs of districts that truly differ by 5 points, ordered"
        " rightly.",
    ),
    (
        "20 Newsgroups",
        "20 Newsgroups",
        "16,900 documents, the 1,000 most common words, 20 groups; a tenth is held out. Public text is Wikipedia's"
        " first paragraphs. Coherence is NPMI of ten leading words in documents held out. Signs are judged by topics of"
        " a fit without noise. Seeds change the noise and not the documents.",
    ),
    (
        "attack",
        "Attack",
        "Topics are fitted to 300 documents at ε = 3, and `dplda audit-topics` attacks them with 900 others. AUC is 0.5"
        " for a coin. The bound is a lower bound on ε: 0 means that this attack found nothing, and never that topics are"
        " private.",
    ),
)
OTHERS = (
    "1. `python -m benchmarks leaderboard --write FOLDER` writes the documents of every seed with their words and"
    " groups, and the public documents. `DPLDA_CORPORA` names the folder of real text; `python -m"
    " benchmarks.leaderboard.corpora FOLDER` downloads 20 Newsgroups.\n"
    "2. Fit ten topics with nine tenths of μ², and save them as `topics-1.csv` and `topics-3.csv` beside the documents"
    " ([formats](audits.md)).\n"
    "3. `python -m benchmarks leaderboard --score FOLDER` measures them.\n"
    "4. Put the numbers into a file as `benchmarks/leaderboard/schema.json` says, with your promise in words. `python"
    " -m benchmarks leaderboard --check FILE` checks it. A file in `benchmarks/leaderboard/submissions` is on this page"
    " after the next run."
)
LIMITS = (
    "- **Rows of other papers are in their shape, written by us.** Urania, CTCL, HDP-LDA and TopicDP did not run here."
    " Their own code may do better, and mistakes in ours are ours.\n"
    "- **One size of each corpus, and ten topics.** More documents help private topics, and fewer help public ones.\n"
    "- **Three seeds.** Differences within two standard errors are ties, and two standard errors of three seeds are a weak test.\n"
    "- **Refined + public text is of an earlier rule.** When steps are made beside a table was decided otherwise. On all"
    " of 20 Newsgroups perplexity beside the English table has changed by less than 0.5 % since.\n"
    "- **The attack reads topics alone,** on 300 documents of one kind. [Audits](audits.md) says what that leaves out."
)


def _groups(results: Sequence[Result]) -> list[list[Result]]:
    """Comparable results of one column each; of the attack there are none, as all of its bounds are lower ones."""
    without_public_text = [result for result in results if not result.uses_public_text]
    return list(_comparable_columns(without_public_text).values())


def _comparable_columns(results: Sequence[Result]) -> dict[tuple[str, str, float], list[Result]]:
    """Results of rows that protect one document with a proof, by corpus, task and ε, without the attack."""
    columns: dict[tuple[str, str, float], list[Result]] = {}
    for result in results:
        if result.is_comparable and result.values and result.corpus != "attack":
            key = (result.corpus, result.task, result.epsilon)
            columns.setdefault(key, []).append(result)
    return columns


def _best(group: Sequence[Result]) -> Result:
    """The result with the best mean, of one column."""
    choose = min if BY_NAME[group[0].task].lower_is_better else max
    return choose(group, key=lambda result: result.mean)


def _table(results: Sequence[Result]) -> str:
    """Results of one corpus: a line for each method, a column for each task and ε."""
    columns = list(dict.fromkeys((result.task, result.epsilon) for result in results))
    by_method: dict[str, dict[tuple[str, float], Result]] = {}
    for result in results:
        by_method.setdefault(result.method, {})[result.task, result.epsilon] = result
    columns.sort(key=lambda column: (list(BY_NAME).index(column[0]), column[1]))
    heads = ["", *(f"{task}, ε = {epsilon:g}" for task, epsilon in columns)]
    lines = []
    for method, by_column in by_method.items():
        is_comparable = next(iter(by_column.values())).is_comparable
        name = method if is_comparable else f"*{method}*"
        lines.append([name, *(_cell(by_column.get(column)) for column in columns)])
    return _markdown(heads, lines)


def _cell(result: Result | None) -> str:
    """Mean and standard error over seeds; empty for no result."""
    if result is None:
        return ""
    if not result.values:
        return "refused"
    digits = BY_NAME[result.task].digits
    mean_and_error = f"{result.mean:,.{digits}f} ± {_error(result):,.{digits}f}"
    if result.n_refused:
        return f"{mean_and_error} ({result.n_refused} refused)"
    return mean_and_error


def _error(result: Result) -> float:
    """Standard error of the mean; 0 of a single number."""
    n = len(result.values)
    if n < 2:
        return 0.0
    return math.sqrt(math.fsum((value - result.mean) ** 2 for value in result.values) / (n - 1) / n)


def _losses(results: Sequence[Result]) -> list[str]:
    """Columns in which another row that protects one document with a proof is best, public text or not."""
    lines = []
    for (corpus, name, epsilon), group in _comparable_columns(results).items():
        digits = BY_NAME[name].digits
        best = _best(group)
        ours = next((result for result in group if result.method == OURS), None)
        if best.method == OURS or ours is None:
            continue
        lines.append(
            [
                f"{corpus}, {name} at ε = {epsilon:g}",
                best.method + (", reads public text" if best.uses_public_text else ""),
                f"{best.mean:,.{digits}f} against {ours.mean:,.{digits}f}",
                "yes" if _is_clear(best, ours) else "a tie",
            ]
        )
    return [
        "Columns in which another row that protects one document with a proof has a better mean. It is clear where the"
        " mean difference over seeds is more than two of its standard errors.",
        _markdown(["column", "best", "numbers", "clear"], lines),
    ]


def _is_clear(rival: Result, ours: Result) -> bool:
    """Whether two rows differ by more than their noise, seed by seed; not if either was refused."""
    if rival.n_refused or ours.n_refused or len(ours.values) < 2:
        return False
    pairs = zip(ours.values, rival.values, strict=True)
    differences = [our_value - rival_value for our_value, rival_value in pairs]
    mean = math.fsum(differences) / len(differences)
    squares = math.fsum((difference - mean) ** 2 for difference in differences)
    standard_error = math.sqrt(squares / (len(differences) - 1) / len(differences))
    return abs(mean) > CLEAR * standard_error


def _promises(results: Sequence[Result]) -> str:
    """What the ε of each row protects, and which rows read public text."""
    facts = dict.fromkeys(
        (result.method, result.promise, "yes" if result.uses_public_text else "")
        for result in results
    )
    return _markdown(["row", "its ε protects", "public text"], map(list, facts))


def _markdown(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    table = [heads, ["---"] * len(heads), *lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in table)
