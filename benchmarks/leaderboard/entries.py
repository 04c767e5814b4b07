"""The format of results, ours and others', and its reader, which checks what it reads.

A file names its protocol: numbers of another protocol are not comparable, and are refused. A number is one seed's, in
the order of the seeds; a seed that the method refused has none.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import jsonschema

from benchmarks.leaderboard.contenders import Row as ContenderRow
from benchmarks.leaderboard.corpora import N_SEEDS
from dplda.core.errors import InputError
from dplda.core.safe_open import file_name, text_of

PROTOCOL = 1
SCHEMA = Path(__file__).with_name("schema.json")
SUBMISSIONS = Path(__file__).with_name("submissions")
FIX = "benchmarks/leaderboard/schema.json is the format."
Rows = list[dict[str, object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Numbers of one method in one task.

    Attributes:
        method: its name.
        promise: whom its ε protects, and on what that rests, in words.
        is_comparable: whether one document is protected, with a proof.
        uses_public_text: whether it reads public documents.
        corpus: of the task.
        task: one of the tasks.
        epsilon: of topics and table together.
        values: one number for each seed that was not refused.
        n_refused: seeds that the method refused.
    """

    method: str
    promise: str
    is_comparable: bool
    uses_public_text: bool
    corpus: str
    task: str
    epsilon: float
    values: tuple[float, ...]
    n_refused: int

    @property
    def mean(self) -> float:
        """Mean over seeds; nan if all were refused."""
        return math.fsum(self.values) / len(self.values) if self.values else math.nan


def read_results(path: Path) -> list[Result]:
    """Read a file of results, and check all of it.

    Raises:
        ReadError: it cannot be read.
        InputError: it is not of the format or the protocol, or a number is missing or out of range; the error names
            the place.
    """
    name = file_name(path)
    try:
        content = json.loads(text_of(path))
    except (ValueError, RecursionError):
        raise InputError(name, "JSON", "something else", FIX) from None
    return list(check_results(content, name))


def check_results(content: object, name: str) -> Iterator[Result]:
    """Check results in the format, and yield them one by one.

    Args:
        content: of a file, as JSON has it.
        name: how errors call it.
    """
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))
    problem = jsonschema.exceptions.best_match(validator.iter_errors(content))
    if problem is not None:
        place = "/".join(map(str, problem.absolute_path)) or "the whole file"
        raise InputError(f"{name}, {place}", "as the schema says", f"a {problem.validator}", FIX)
    assert isinstance(content, dict)
    if content["protocol"] != PROTOCOL:
        got = f"protocol {content['protocol']}"
        raise InputError(name, f"of protocol {PROTOCOL}", got, "Measure again with this version.")
    keys: set[tuple[object, ...]] = set()
    for entry in content["entries"]:
        for facts in entry["results"]:
            result = _result(entry, facts)
            key = (result.method, result.corpus, result.task, result.epsilon)
            if key in keys:
                raise InputError(name, "without repetitions", f"{result.task} twice", FIX)
            keys.add(key)
            _check_numbers(result, name)
            yield result


def _result(entry: Mapping[str, object], facts: Mapping[str, object]) -> Result:
    """One result of an entry; the schema has checked both."""
    promise = entry["promise"]
    assert isinstance(promise, dict)
    values = facts["values"]
    assert isinstance(values, list)
    return Result(
        method=str(entry["method"]),
        promise=str(promise["words"]),
        is_comparable=promise["unit"] in ("document", "person") and promise["proof"] == "proven",
        uses_public_text=bool(entry["uses_public_text"]),
        corpus=str(facts["corpus"]),
        task=str(facts["task"]),
        epsilon=float(str(facts["epsilon"])),
        values=tuple(map(float, values)),
        n_refused=int(str(facts["refused"])),
    )


RANGES = {
    "recovery": (0.0, 2.0),
    "perplexity": (1.0, math.inf),
    "coherence": (-1.0, 1.0),
    "signs": (0.0, 1.0),
    "attack AUC": (0.0, 1.0),
    "attack ε": (0.0, math.inf),
}


def _check_numbers(result: Result, name: str) -> None:
    """Refuse results without a number or a refusal for each seed, or with one that no task can give."""
    place = f"{name}: {result.task} of {result.method}"
    if len(result.values) + result.n_refused != N_SEEDS:
        got = f"{len(result.values)} numbers and {result.n_refused} refusals"
        raise InputError(place, f"a number or a refusal for each of {N_SEEDS} seeds", got, FIX)
    low, high = RANGES[result.task]
    if not all(math.isfinite(value) and low <= value <= high for value in result.values):
        raise InputError(place, f"finite and from {low:g} to {high:g}", "another number", FIX)


def pack_results(rows: Iterable[ContenderRow], measured_rows: Rows) -> dict[str, object]:
    """Put measured rows into the format.

    Args:
        rows: the methods.
        measured_rows: with ``method``, ``corpus``, ``task``, ``epsilon``, ``values`` and ``refused``.
    """
    entries = []
    for row in rows:
        rows_of_method = [facts for facts in measured_rows if facts["method"] == row.name]
        if rows_of_method:
            names = ("corpus", "task", "epsilon", "values", "refused")
            entries.append(
                {
                    "method": row.name,
                    "reference": "",
                    "promise": {"unit": row.unit, "proof": row.proof, "words": row.promise},
                    "uses_public_text": row.uses_public_text,
                    "results": [{name: facts[name] for name in names} for facts in rows_of_method],
                }
            )
    return {
        "format": "dplda-leaderboard",
        "version": 1,
        "protocol": PROTOCOL,
        "entries": entries,
    }
