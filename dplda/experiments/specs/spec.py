"""The specification of a sweep, as frozen data: settings × methods × ε × corpora × repeats."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from itertools import product
from typing import TypeAlias

import numpy as np

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.corpus import Simulation
from dplda.experiments.experiment import Experiment
from dplda.experiments.sources import Source, numbered_source
from dplda.experiments.specs import spec_text
from dplda.experiments.specs.run_counts import RunCounts, checked_run_counts, draws_on_corpus
from dplda.experiments.specs.setting import Setting, grid_of
from dplda.methods.base.method import Method
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.configurations.plan import plan_of_method
from dplda.methods.registry import parse_method

Split: TypeAlias = tuple[tuple[str, float], ...]
MOST_CELLS = 20_000
_LARGEST_SEED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Cell:
    """One number to compute.

    Attributes:
        setting: documents, and public numbers.
        method: the method that runs.
        epsilon: its ε; None without noise.
        corpus: number of the setting's corpus, from 0.
        repeat: number of the draw of noise, from 0.
    """

    setting: Setting
    method: Method
    epsilon: float | None
    corpus: int
    repeat: int


@dataclass(frozen=True)
class Sweep:
    """Everything that a sweep computes.

    All private methods run at the same (ε, δ), replacing one document.

    Attributes:
        settings: documents, each with the public numbers that methods are given.
        methods: the methods, distinct.
        epsilons, delta: for settings without their own; ε distinct, above 0.
        repeats: draws of noise on every corpus, from 1.
        corpora: corpora drawn for every simulated setting, from 1; other settings have one.
        seed: of noise, held-out documents and scoring; documents have the seed of their simulation.
        splits: pairs (text of a method, its split of the budget); other methods use their own
            split.
        held_out: share of real documents kept for scoring, in (0, 0.9].
        runs: pairs (text of a slow method, its runs at one ε over all corpora, from 1); others run
            ``repeats`` times on every corpus.
    """

    settings: tuple[Setting, ...]
    methods: tuple[Method, ...]
    epsilons: tuple[float, ...] = ()
    delta: float = 1e-7
    repeats: int = 1
    corpora: int = 1
    seed: int = 0
    splits: tuple[tuple[str, Split], ...] = ()
    held_out: float = 0.1
    runs: RunCounts = ()

    def __post_init__(self) -> None:
        """Refuse fields out of range, no or repeated settings or methods, and too many cells.

        Splits and runs of methods that the sweep does not have are refused, too, and a setting
        without ε for private methods. Numbers become floats, lists tuples.
        """
        object.__setattr__(self, "settings", tuple(self.settings))
        object.__setattr__(self, "methods", tuple(self.methods))
        object.__setattr__(self, "epsilons", grid_of(self.epsilons))
        _check_distinct("settings", [setting.name for setting in self.settings])
        _check_distinct("methods", [method.key for method in self.methods])
        checks.delta(self.delta)
        object.__setattr__(self, "delta", float(self.delta))
        checks.integer_between("repeats", self.repeats, 1, 1000)
        checks.integer_between("corpora", self.corpora, 1, 1000)
        checks.integer_between("seed", self.seed, 0, _LARGEST_SEED)
        checks.positive("held_out", self.held_out)
        checks.between("held_out", self.held_out, 0, 0.9, open_ends=False)
        object.__setattr__(self, "held_out", float(self.held_out))
        object.__setattr__(self, "splits", self._checked_splits())
        object.__setattr__(self, "runs", checked_run_counts(self.runs, self.methods))
        for setting in self.settings:
            self._check_setting(setting)
        if self.n_cells > MOST_CELLS:
            advice = "Use fewer values of ε, fewer repeats, or several sweeps."
            cell_factors = "settings × methods × ε × corpora × repeats"
            raise InputError(
                cell_factors, f"at most {MOST_CELLS:,} cells", f"{self.n_cells:,}", advice
            )

    @property
    def n_cells(self) -> int:
        """Number of cells, as ``cells`` yields them.

        A private method has one for each corpus, ε and draw. A method without noise has at most
        one for each corpus, whatever ε there are.
        """
        n_cells = 0
        for setting, method in product(self.settings, self.methods):
            n_epsilons = len(self.epsilons_of(setting)) if method.needs_epsilon else 1
            for corpus in range(self.n_corpora(setting)):
                n_cells += n_epsilons * self.n_draws(setting, method, corpus)
        return n_cells

    @cached_property
    def digest(self) -> str:
        """SHA-256 in hexadecimal of what it computes; independent of how the spec was written.

        Without ``runs`` it is the digest that the sweep had before there were ``runs``.
        """
        spec_content: dict[str, object] = {
            field.name: getattr(self, field.name) for field in fields(self)
        }
        spec_content["methods"] = [method.key for method in self.methods]
        spec_content["splits"] = {method_text: dict(split) for method_text, split in self.splits}
        spec_content["runs"] = dict(self.runs)
        if not self.runs:
            del spec_content["runs"]  # an empty one names the sweeps that had no such choice
        spec_content["settings"] = [_setting_content(setting) for setting in self.settings]
        # 1 and 1.0 are one value.
        content_with_floats = json.loads(json.dumps(spec_content), parse_int=float)
        content_text = json.dumps(content_with_floats, sort_keys=True)
        return hashlib.sha256(content_text.encode()).hexdigest()

    @classmethod
    def from_toml(cls, text: str) -> "Sweep":
        """A sweep from TOML text; `dplda.experiments.specs.spec_text` shows one."""
        return cls.from_table(spec_text.parse(text))

    @classmethod
    def from_table(cls, table: Mapping[str, object]) -> "Sweep":
        """Make a sweep from a parsed TOML table.

        Raises:
            InputError: a key is unknown or missing, or a value is refused.
        """
        sweep_fields = dict(table)
        if "settings" in table:
            settings = spec_text.as_list(table["settings"], "settings")
            sweep_fields["settings"] = [spec_text.read_setting(setting) for setting in settings]
        if "methods" in table:
            method_texts = spec_text.as_list(table["methods"], "methods")
            sweep_fields["methods"] = [parse_method(text) for text in method_texts]
        if "splits" in table:
            splits = spec_text.as_table(table["splits"], "splits")
            sweep_fields["splits"] = [
                (text, tuple(spec_text.as_table(split, "a split").items()))
                for text, split in splits.items()
            ]
        if "runs" in table:
            sweep_fields["runs"] = tuple(spec_text.as_table(table["runs"], "runs").items())
        return spec_text.build(cls, sweep_fields, "the sweep")

    def to_toml(self) -> str:
        """Write the sweep as TOML text; ``from_toml`` reads it back to an equal sweep."""
        toml_lines = [f"methods = {spec_text.as_text([method.key for method in self.methods])}"]
        for field_name in ("epsilons", "delta", "repeats", "corpora", "seed", "held_out"):
            toml_lines.append(f"{field_name} = {spec_text.as_text(getattr(self, field_name))}")
        for method_text, split in self.splits:
            toml_lines += ["", f"[splits.{spec_text.as_text(method_text)}]"]
            toml_lines += [
                f"{spec_text.as_text(field_name)} = {spec_text.as_text(share)}"
                for field_name, share in split
            ]
        if self.runs:
            toml_lines += ["", "[runs]"]
            toml_lines += [
                f"{spec_text.as_text(method_text)} = {n_runs}" for method_text, n_runs in self.runs
            ]
        for setting in self.settings:
            toml_lines += ["", *spec_text.setting_rows(setting)]
        return "\n".join(toml_lines) + "\n"

    @classmethod
    def of_experiment(
        cls,
        experiment: Experiment,
        *,
        name: str,
        source: Source,
        methods: Sequence[Method],
        epsilons: Sequence[float],
        repeats: int,
    ) -> "Sweep":
        """Make the sweep around one experiment: its k, α0, δ and seed, at other ε and methods.

        The experiment's own split of the budget is left out.

        Args:
            experiment: what the sweep starts from.
            name: of its only setting.
            source: documents of the sweep: the experiment's own, or others in their place.
            methods: the methods, distinct.
            epsilons: distinct, above 0.
            repeats: draws of noise, from 1.

        Raises:
            InputError: it cannot run; says what to change.
        """
        setting = Setting(
            name=name,
            source=source,
            n_topics=experiment.problem.n_topics,
            alpha0=experiment.problem.alpha0,
        )
        return cls(
            settings=(setting,),
            methods=tuple(methods),
            epsilons=tuple(epsilons),
            delta=experiment.budget.delta,
            repeats=repeats,
            seed=experiment.seed,
        )

    def epsilons_of(self, setting: Setting) -> tuple[float, ...]:
        """The ε grid of a setting."""
        return setting.epsilons or self.epsilons

    def delta_of(self, setting: Setting) -> float:
        """δ of a setting."""
        return self.delta if setting.delta is None else setting.delta

    def n_corpora(self, setting: Setting) -> int:
        """Number of corpora of a setting: more than one only if simulated."""
        return self.corpora if isinstance(setting.source, Simulation) else 1

    def n_draws(self, setting: Setting, method: Method, corpus: int) -> int:
        """Draws of a method's noise on a corpus; at most one for a method without noise.

        A method in ``runs`` has its runs spread over the corpora, so that a corpus may have none.
        """
        return draws_on_corpus(
            corpus,
            n_runs=dict(self.runs).get(method.key),
            n_corpora=self.n_corpora(setting),
            repeats=self.repeats if method.needs_epsilon else 1,
        )

    def cells(self) -> Iterator[Cell]:
        """Every cell in the order of computing.

        By corpus, setting, methods without ε, then repeat, ε and method.
        """
        for corpus, setting in product(range(self.corpora), self.settings):
            if corpus < self.n_corpora(setting):
                yield from self._cells_of(setting, corpus)

    def _cells_of(self, setting: Setting, corpus: int) -> Iterator[Cell]:
        """Yield the cells of one corpus: methods without ε, then every draw, ε and other method.

        A method with fewer runs than others has no cells beyond its own draws.
        """
        noisy_methods = [method for method in self.methods if method.needs_epsilon]
        for method in self.methods:
            if not method.needs_epsilon and self.n_draws(setting, method, corpus):
                yield Cell(setting, method, None, corpus, 0)
        n_draws = {method: self.n_draws(setting, method, corpus) for method in noisy_methods}
        draws_in_order = product(range(self.repeats), self.epsilons_of(setting), noisy_methods)
        for repeat, epsilon, method in draws_in_order:
            if repeat < n_draws[method]:
                yield Cell(setting, method, epsilon, corpus, repeat)

    def experiment_for(self, cell: Cell) -> Experiment:
        """Make the experiment that a cell is.

        Its budget is split as the sweep says for the cell's method; a cell without ε gets the
        default ε and δ. Its noise seed depends only on the sweep's seed, the corpus and the repeat,
        so all ε and methods see the same random numbers.
        """
        budget_split = dict(self.splits).get(cell.method.key, ())
        budget = Budget(split=budget_split)
        if cell.epsilon is not None:
            budget = Budget(cell.epsilon, self.delta_of(cell.setting), budget_split)
        return Experiment(
            corpus=numbered_source(cell.setting.source, cell.corpus),
            method=cell.method.spec,
            problem=Problem(cell.setting.n_topics, cell.setting.alpha0),
            budget=budget,
            seed=noise_seed(self, corpus=cell.corpus, repeat=cell.repeat),
        )

    def _checked_splits(self) -> tuple[tuple[str, Split], ...]:
        """Check the splits: pairs of their method's text and shares, fractions as floats.

        Raises:
            InputError: a method is none of the sweep's, splits no budget or is named twice, or a
                split is refused.
        """
        checked_splits = []
        for method_text, split in self.splits:
            method = parse_method(method_text)
            if method not in self.methods:
                raise InputError("splits", "of methods of the sweep", f"one of {method.key}")
            shares = tuple((str(name), share) for name, share in split)
            plan = plan_of_method(method.spec, Budget(1.0, 1e-6, shares))  # refuses names and sums
            if plan is None:
                raise InputError(
                    "splits", f"left out for {method.key}, which does not split its budget", "one"
                )
            checked_splits.append(
                (method.key, tuple((name, float(share)) for name, share in shares))
            )
        if checked_splits:
            _check_distinct("splits", [method_text for method_text, _ in checked_splits])
        return tuple(checked_splits)

    def _check_setting(self, setting: Setting) -> None:
        """Refuse a setting without ε for private methods, or a simulation with too large a seed.

        Corpora of a simulation have seeds of their own: the setting's, and the next ones.
        """
        if any(method.needs_epsilon for method in self.methods) and not self.epsilons_of(setting):
            raise InputError(
                "epsilons", "at least one value for private methods", f"none for {setting.name}"
            )
        if isinstance(setting.source, Simulation):
            last_corpus_seed = setting.source.seed + self.corpora - 1
            seed_label = f"last document seed of {setting.name}"
            checks.integer_between(seed_label, last_corpus_seed, 0, _LARGEST_SEED)


def noise_seed(sweep: Sweep, *, corpus: int, repeat: int) -> int:
    """Seed of a run's noise and of its random starts, in [0, 2³²).

    It depends only on the sweep's seed, the corpus and the repeat, so all ε and methods see the
    same random numbers.

    Args:
        sweep: the sweep, whose seed counts alone.
        corpus: number of the setting's corpus, from 0.
        repeat: number of the draw of noise, from 0.
    """
    seed_sequence = np.random.SeedSequence([sweep.seed, corpus, repeat])
    return int(seed_sequence.generate_state(1)[0])


def _setting_content(setting: Setting) -> dict[str, object]:
    source = {"kind": type(setting.source).__name__, **asdict(setting.source)}
    return {**asdict(setting), "source": source}


def _check_distinct(field: str, names: Sequence[str]) -> None:
    """Refuse no names at all, and a name that occurs twice; the error calls them ``field``."""
    if not names:
        raise InputError(field, "at least one", "none")
    name, n_times = Counter(names).most_common(1)[0]
    if n_times > 1:
        raise InputError(field, "distinct", f"{name} {n_times} times")
