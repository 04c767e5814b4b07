"""Mistakes of privacy written into a copy of the source, one at a time, and the tests that must notice each.

A mutant replaces text that occurs once in a file of the package. The tests named beside it run on the copy: if one
fails, the mutant is killed; if all pass, it is alive and the tests have a gap. The copy without any mutant runs all of
these tests first, so that a kill means something. Whoever rewrites a line that a mutant replaces rewrites it here too
(tests/privacy/test_source_mutants.py names it).
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("dplda", "tests", "benchmarks", "assets", "pages", "app.py", "pyproject.toml")
NOT_COPIED = shutil.ignore_patterns("__pycache__", "results", "*.pyc")
TESTS_FAILED = 1  # exit code of pytest; others mean that tests could not run
TIME_LIMIT = 600  # seconds for the tests of one mutant

Row = dict[str, str | int | float]


@dataclass(frozen=True, slots=True)
class Edit:
    """Text of one file that is replaced.

    Attributes:
        path: of the file, from the root of the project.
        original: text that occurs there.
        replacement: text in its place.
        occurrence: which of several occurrences is replaced, from 0.
        n_occurrences: how often the original occurs.
    """

    path: str
    original: str
    replacement: str
    occurrence: int = 0
    n_occurrences: int = 1


@dataclass(frozen=True, slots=True)
class SourceMutant:
    """A mistake of privacy, and who must notice it.

    Attributes:
        name: the mistake in words.
        edits: what is replaced in the source.
        tests: files of tests, of which at least one test must fail.
    """

    name: str
    edits: tuple[Edit, ...]
    tests: tuple[str, ...]


def _mutant(name: str, path: str, original: str, replacement: str, *tests: str) -> SourceMutant:
    """A mutant of one line."""
    return SourceMutant(name, (Edit(path, original, replacement),), tests)


_WHOLE = "dplda/privacy/noise/fixed_point.py"
_EXACT = "dplda/privacy/noise/exact.py"
_SENSITIVITY = "dplda/privacy/sensitivity.py"
_SPENDING = "dplda/privacy/accounting/budget_caps.py"
_PARTITION = "dplda/privacy/word_selection/thresholds.py"
_MECHANISMS = "dplda/privacy/mechanisms.py"
_DOCUMENTS = "dplda/methods/refined/documents/documents.py"
_SHARE_TABLE = "dplda/methods/shares/share_table.py"
_PRIOR_TEST = "dplda/methods/refined/stages/prior_test.py"
_STATISTICS = "dplda/methods/configurations/chain/whole_number_statistics.py"

_CUT = "truncate_to_grid("
_ROUND = "(lambda parts, step: np.rint(parts / step))("

_TESTS_OF_EXACT = "tests/privacy/test_exact.py"
_TESTS_OF_STATISTICS = "tests/methods/configurations/chain/test_whole_number_statistics.py"
_TESTS_OF_SUMS = "tests/methods/refined/test_fixed_point_sums.py"
_TESTS_OF_SHARES = "tests/methods/shares/test_share_table.py"
_TESTS_OF_PRICE = "tests/release/test_word_selection_price.py"
_TESTS_OF_SPENDING = "tests/privacy/test_spending.py"
_TESTS_OF_WORDS = "tests/privacy/test_partition.py"
_TESTS_OF_EDGES = "tests/privacy/test_edge_sensitivities.py"
_TESTS_OF_SCALES = "tests/methods/configurations/test_mutants.py"
_TESTS_OF_REPLAY = "tests/attacks/test_replayed_results.py"


def _rounding_mutants(path: str, tests: str) -> Iterator[SourceMutant]:
    """A mutant for each place where a file cuts parts to whole numbers: it rounds them."""
    text = (ROOT / path).read_text("utf-8")
    cut_positions = [match.start() for match in re.finditer(re.escape(_CUT), text)]
    for occurrence, position in enumerate(cut_positions):
        text_before = text[:position]
        function = re.findall(r"def (\w+)\(", text_before)[-1]
        function_start = text_before.rindex(f"def {function}(")
        n_earlier = text_before[function_start:].count(_CUT)
        ordinal = f", part {n_earlier + 1}" if n_earlier else ""
        edit = Edit(path, _CUT, _ROUND, occurrence, len(cut_positions))
        yield SourceMutant(f"{function}{ordinal} rounds, and has to cut", (edit,), (tests,))


ROUNDED = (
    _mutant(
        "parts are rounded, not cut",
        _WHOLE,
        "np.trunc(steps, out=steps)",
        "np.rint(steps, out=steps)",
        _TESTS_OF_EXACT,
    ),
    _mutant(
        "no margin for the rounding of a norm",
        _WHOLE,
        "parts * (ROUNDING_MARGIN / step)",
        "parts * (1.0 / step)",
        _TESTS_OF_EXACT,
    ),
    *_rounding_mutants(_DOCUMENTS, _TESTS_OF_SUMS),
    *_rounding_mutants(_SHARE_TABLE, _TESTS_OF_SHARES),
    _mutant(
        "a person's documents count as one person each",
        _SHARE_TABLE,
        "1 / np.maximum(n_of_person, 1.0)[documents.persons]",
        "np.ones(len(documents.persons))",
        _TESTS_OF_SHARES,
    ),
    *_rounding_mutants(_STATISTICS, _TESTS_OF_STATISTICS),
    _mutant(
        "weights of words are rounded, not cut",
        "dplda/privacy/word_selection/row_weights.py",
        "math.isqrt(steps_per_weight**2 // n_words)",
        "round(steps_per_weight / math.sqrt(n_words))",
        _TESTS_OF_WORDS,
    ),
)
"""Rounding makes some parts longer than the norm that noise is scaled to."""

UNPRICED = (
    _mutant(
        "a request prices γ at nothing",
        "dplda/release/workflow/request.py",
        "            selection_spending.selection_failure,",
        "            0.0,",
        _TESTS_OF_PRICE,
    ),
    _mutant(
        "the budget does not add up γ",
        _SPENDING,
        "Fraction(spending.selection_failure) * SLACK_UNITS",
        "Fraction(0)",
        _TESTS_OF_PRICE,
    ),
    _mutant(
        "prices are rounded down",
        _SPENDING,
        "math.ceil(squared_mu * SQUARED_MU_UNITS)",
        "math.floor(squared_mu * SQUARED_MU_UNITS)",
        _TESTS_OF_SPENDING,
    ),
    _mutant(
        "τ is priced without its factor 1 + e^ε",
        _SPENDING,
        "(1 + Fraction(exponential)) * ",
        "",
        _TESTS_OF_SPENDING,
    ),
    _mutant(
        "a lower cap on ε leaves the old one",
        _SPENDING,
        "squared_mu=min(squared_mu, self.squared_mu)",
        "squared_mu=self.squared_mu",
        _TESTS_OF_SPENDING,
    ),
    _mutant(
        "the distance of exact noise is not counted",
        _EXACT,
        "self._tv_slack_left -= tv_slack",
        "self._tv_slack_left -= 0.0",
        _TESTS_OF_EXACT,
    ),
    _mutant(
        "δ is spent twice, on noise and on its distance",
        _EXACT,
        "(1 - RESERVED_DELTA_SHARE) * delta * (1 - 1e-15)",
        "delta",
        _TESTS_OF_EXACT,
        _TESTS_OF_SPENDING,
    ),
    _mutant(
        "the largest μ stands for all",
        "dplda/privacy/accounting/gaussian.py",
        "math.sqrt(math.fsum(mu**2 for mu in mus))",
        "max(mus)",
        "tests/privacy/test_gaussian.py",
    ),
    _mutant(
        "δ of a selection is spent on both of its parts",
        _PARTITION,
        "gaussian.mu_for(selection.epsilon, (1 - SELECTION_FAILURE_SHARE) * delta)",
        "gaussian.mu_for(selection.epsilon, delta)",
        _TESTS_OF_WORDS,
    ),
    _mutant(
        "the threshold leaves out the largest weight of a word",
        _PARTITION,
        "1 + second_std * deviations + STEP_MARGIN",
        "second_std * deviations + STEP_MARGIN",
        _TESTS_OF_WORDS,
    ),
    _mutant(
        "an answer is used before it is kept",
        "dplda/privacy/noise/kept_answers.py",
        "self._store.keep_answer(answer_label, answer)",
        "pass",
        "tests/privacy/test_kept_answers.py",
    ),
    _mutant(
        "kept answers are not counted",
        "dplda/privacy/noise/kept_answers.py",
        "self._exact.admit(coordinates, scale, spread, stream)",
        "pass",
        "tests/privacy/test_kept_answers.py",
    ),
    _mutant(
        "the secret is no part of its noise",
        "dplda/privacy/noise/keys.py",
        "return _generator(words, self._bytes)",
        'return _generator(words, b"")',
        "tests/privacy/test_keys.py",
    ),
)
"""Something that costs privacy is paid for by nothing."""

TOO_SMALL = (
    _mutant(
        "√2 is forgotten for weights of words",
        _SENSITIVITY,
        "math.sqrt(2) * (1 + 2**-52)",
        "1.0 * (1 + 2**-52)",
        _TESTS_OF_WORDS,
        _TESTS_OF_EDGES,
    ),
    _mutant(
        "√2 is forgotten for word counts",
        _SENSITIVITY,
        "math.sqrt(2) * clip_norm + slack",
        "clip_norm + slack",
        _TESTS_OF_SCALES,
    ),
    _mutant(
        "√2 is forgotten for word frequencies",
        _SENSITIVITY,
        "math.sqrt(2) * word_norm / n_documents",
        "word_norm / n_documents",
        _TESTS_OF_SCALES,
    ),
    _mutant(
        "√2 is forgotten for pairs",
        _SENSITIVITY,
        "2 * clip / n_documents\n\n\ndef triple_histogram(",
        "math.sqrt(2) * clip / n_documents\n\n\ndef triple_histogram(",
        _TESTS_OF_SCALES,
    ),
    _mutant(
        "√2 is forgotten for whole numbers",
        _WHOLE,
        "NON_NEGATIVE_DISTANCE = math.sqrt(2) * (1 + 2**-52)",
        "NON_NEGATIVE_DISTANCE = 1.0",
        _TESTS_OF_EXACT,
        _TESTS_OF_SUMS,
    ),
    _mutant(
        "parts of both signs are taken for non-negative ones",
        _WHOLE,
        "ANY_SIGN_DISTANCE = 2.0",
        "ANY_SIGN_DISTANCE = math.sqrt(2)",
        _TESTS_OF_EXACT,
        _TESTS_OF_STATISTICS,
    ),
    _mutant(
        "several counts are taken for one",
        _SENSITIVITY,
        "return math.sqrt(n_queries)",
        "return 1.0",
        "tests/privacy/test_clip_level.py",
        "tests/privacy/test_sensitivity.py",
    ),
    _mutant(
        "a tensor's sides are taken for one",
        _SENSITIVITY,
        "3 * slope * pair * unfolding / lowered_eigenvalue",
        "slope * pair * unfolding / lowered_eigenvalue",
        _TESTS_OF_SCALES,
    ),
    _mutant(
        "word counts are not clipped",
        _DOCUMENTS,
        "counts = block.counts * clip_factors(norms, clip_norm)[:, None]",
        "counts = block.counts * 1.0",
        "tests/methods/refined/test_documents.py",
    ),
    _mutant(
        "all noise is half as large",
        _MECHANISMS,
        "return sensitivity_ / budget * (1 + 1e-15)",
        "return sensitivity_ / budget / 2",
        "tests/privacy/test_mechanisms.py",
    ),
)
"""Noise is smaller than the theorem asks for."""

_NOISELESS = (
    "layout.array(value.numbers * value.unit)"
    " if isinstance(value, FixedPointSum) else np.array(value)"
)
_END_OF_GAUSSIAN = "mu=mu,\n        )\n        return noisy\n"

UNNOISED = (
    SourceMutant(
        "the prior test is decided without noise",
        (
            Edit(
                _PRIOR_TEST,
                "    return MAX_PRIOR_ADVANTAGE * float(noisy_total[0])",
                '    sums = getattr(clipped_sum.value, "numbers", clipped_sum.value)\n'
                '    sums = sums * getattr(clipped_sum.value, "unit", 1.0)\n'
                "    release_prior_advantage.noiseless = (\n"
                "        MAX_PRIOR_ADVANTAGE * float(sums[0]) / n_documents\n"
                "    )\n"
                "    return MAX_PRIOR_ADVANTAGE * float(noisy_total[0])",
            ),
            Edit(
                _PRIOR_TEST,
                "was_accepted = advantage > threshold",
                "was_accepted = release_prior_advantage.noiseless > threshold",
            ),
        ),
        (_TESTS_OF_REPLAY,),
    ),
    *(
        _mutant(
            f"{quantity} go on without noise",
            _MECHANISMS,
            _END_OF_GAUSSIAN,
            _END_OF_GAUSSIAN.replace(
                "noisy\n", f'noisy if quantity.edge != "{edge}" else {_NOISELESS}\n'
            ),
            _TESTS_OF_REPLAY,
        )
        for quantity, edge in (
            ("word counts", "words"),
            ("advantages of a table", "gate"),
            ("steps", "steps"),
            ("gains", "evidence"),
        )
    ),
)
"""A value or a decision flows on as it was before noise."""

SOURCE_MUTANTS = (*ROUNDED, *UNPRICED, *TOO_SMALL, *UNNOISED)


def run_source_mutants() -> Iterator[Row]:
    """A row for the source as it is, then one for each mutant.

    Yields:
        The mutant, killed or alive, the test that killed it, and seconds.

    Raises:
        RuntimeError: tests fail on the source as it is, or could not run on a mutant.
    """
    with tempfile.TemporaryDirectory() as path:
        copy = Path(path)
        copy_project(copy)
        all_tests = tuple(dict.fromkeys(test for mutant in SOURCE_MUTANTS for test in mutant.tests))
        unchanged = _result_of("the source as it is", copy, all_tests)
        if unchanged["result"] != "alive":
            raise RuntimeError(f"tests fail without a mutant: {unchanged['killed_by']}")
        yield unchanged
        for mutant in SOURCE_MUTANTS:
            originals = {edit.path: (copy / edit.path).read_text("utf-8") for edit in mutant.edits}
            for edit in mutant.edits:
                apply_edit(copy, edit)
            yield _result_of(mutant.name, copy, mutant.tests)
            for name, text in originals.items():
                (copy / name).write_text(text, "utf-8")


def copy_project(copy: Path) -> None:
    """Copy what tests need into a folder that exists."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=NOT_COPIED)
        else:
            shutil.copy(source, copy / name)


def apply_edit(root: Path, edit: Edit) -> None:
    """Replace the text in a copy.

    Raises:
        RuntimeError: the original does not occur as often as it should.
    """
    path = root / edit.path
    parts = path.read_text("utf-8").split(edit.original)
    n_occurrences = len(parts) - 1
    if n_occurrences != edit.n_occurrences:
        raise RuntimeError(
            f"{edit.path}: {edit.original!r} occurs {n_occurrences} times, not {edit.n_occurrences}"
        )
    text_before = edit.original.join(parts[: edit.occurrence + 1])
    text_after = edit.original.join(parts[edit.occurrence + 1 :])
    path.write_text(text_before + edit.replacement + text_after, "utf-8")


def _result_of(name: str, copy: Path, tests: tuple[str, ...]) -> Row:
    """The row of one copy of the source."""
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(copy)}
    options = ("-q", "-x", "-n0", "-rfE", "--tb=no", "-p", "no:cacheprovider")
    finished = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *tests],
        cwd=copy,
        env=environment,
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
        check=False,
    )
    if finished.returncode not in (0, TESTS_FAILED):
        raise RuntimeError(f"{name}: tests could not run\n{finished.stdout}{finished.stderr}")
    failures = [line for line in finished.stdout.splitlines() if line.startswith("FAILED ")]
    killed_by = failures[0].removeprefix("FAILED ").split(" - ")[0] if failures else ""
    return {
        "section": "source",
        "mutant": name,
        "result": "killed" if failures else "alive",
        "killed_by": killed_by,
    }
