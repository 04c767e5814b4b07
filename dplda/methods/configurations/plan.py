"""A plan: everything that changes a guarantee, and nothing else."""

import json
import math
from dataclasses import asdict, dataclass, replace

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.methods.base.calibration import Calibration, NoiseLaw
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.problem import Budget, Origin, portions_of
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.variant import Variant
from dplda.methods.denoising.word_frequencies import MIN_SHARE
from dplda.privacy.accounting.odds import allows_whole_documents

HIGH_EPSILON = 10.0
SMALLEST_DELTA = 1e-305  # shares of a smaller one round to 0
LARGEST_FIRST_WORDS = 0.99  # largest share of the budget for word counts
ROUNDING = 1e-12
"""Tolerance of a sum of shares; a run that spends more than its plan loses its guarantee."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Which edges get noise and how much.

    Attributes:
        configuration: name in the registry.
        epsilon: ε > 0 of the whole run.
        delta: δ in (0, 0.5) of the whole run.
        split: pairs (quantity, fraction of μ²), positive, summing to 1; empty for the
            configuration's own.
        clip_quantile: fraction of documents with unclipped pair frequencies, in (0, 1]; None
            chooses by public numbers.
        first_words: fraction of the budget for word counts before the split, in [10⁻⁶, 0.99], or
            0; None as above.
        calibration: of the noise; None for the recommended one. A variant's ``scaling`` is read
            too.
        law: distribution of the noise; None as above.
        chosen: origin of the split; choosing it on the documents voids the guarantee.

    Example:
        >>> import dplda
        >>> plan = dplda.Plan("adaptive", epsilon=1.0, delta=1e-7)
        >>> print(plan.variant.status, plan.variant.names)
        proven ('pair clip', 'mass', 'words', 'pairs', 'triple clip', 'triples')
        >>> dplda.Plan.from_json(plan.to_json()) == plan
        True
    """

    configuration: str
    epsilon: float
    delta: float = 1e-7
    split: tuple[tuple[str, float], ...] = ()
    clip_quantile: float | None = None
    first_words: float | None = None
    calibration: Calibration | None = None
    law: NoiseLaw | None = None
    chosen: Origin = Origin.BEFOREHAND

    def __post_init__(self) -> None:
        """Check every field; set the calibration and law of the first variant that fits.

        Without either, that is the recommended one. Fractions of a split become floats, and
        ``chosen`` an ``Origin``.
        """
        self._check_configuration()
        checks.plain(self)
        self._check_types()
        checks.epsilon(self.epsilon)
        checks.delta(self.delta)
        checks.at_least("delta", self.delta, SMALLEST_DELTA)
        if self.clip_quantile is not None:
            checks.share("clip_quantile", self.clip_quantile)
        variant = self._find_variant()
        self._check_first_words(variant)
        # The fields are frozen; these two are None until the recommended variant is known.
        object.__setattr__(self, "calibration", variant.calibration)
        object.__setattr__(self, "law", variant.law)
        object.__setattr__(self, "chosen", checks.one_of("chosen", self.chosen, Origin))
        is_split_empty = self.split is None or (isinstance(self.split, tuple) and not self.split)
        if not is_split_empty:
            object.__setattr__(self, "split", _checked_split(self.split, variant.names))

    def _check_configuration(self) -> None:
        """Refuse an unregistered configuration; for refined, the refusal names its class."""
        name: object = self.configuration
        if isinstance(name, str) and name in REGISTRY:
            return
        hint = ""
        if isinstance(name, str) and name == "refined":
            hint = " (refinement has no edges to choose: RefinedLDA)"
        raise InputError(
            "configuration", "one of " + ", ".join(sorted(REGISTRY)), f"another name{hint}"
        )

    def _check_types(self) -> None:
        """Refuse a calibration or law that is neither a string nor None.

        Refuses a negative ``clip_quantile`` or ``first_words``, too.
        """
        variant_choices: tuple[object, ...] = (self.calibration, self.law)
        for variant_choice in variant_choices:
            if not isinstance(variant_choice, str | None):
                raise self._no_such_variant(f"a value of type {type(variant_choice).__name__}")
        if self.clip_quantile is not None:
            checks.at_least("clip_quantile", self.clip_quantile, 0)
        if self.first_words is not None:
            checks.at_least("first_words", self.first_words, 0)

    def _find_variant(self) -> Variant:
        """The first variant with this calibration and law, where they are given.

        The calibration may also be a variant's scaling.

        Raises:
            InputError: the configuration has none.
        """
        for variant in REGISTRY[self.configuration].variants.values():
            calibration_fits = self.calibration in (None, variant.calibration, variant.scaling)
            law_fits = self.law in (None, variant.law)
            if calibration_fits and law_fits:
                return variant
        raise self._no_such_variant(str(self.calibration if self.law is None else self.law))

    def _no_such_variant(self, got: str) -> InputError:
        scalings = ", ".join(REGISTRY[self.configuration].variants)
        return InputError("calibration", f"one of {scalings} for {self.configuration}", got)

    def _check_first_words(self, variant: Variant) -> None:
        """Refuse a fraction for first word counts that the variant does not allow.

        None passes. Refuses all else, 0 too, where the variant never releases word counts first.
        Elsewhere 0 passes, and releases none.

        Raises:
            InputError: the fraction is refused.
        """
        if self.first_words is None:
            return
        if not variant.extra_releases:
            raise InputError("first_words", f"None for {self.configuration}", str(self.first_words))
        smallest_allowed = MIN_SHARE if self.first_words else 0.0
        checks.between(
            "first_words", self.first_words, smallest_allowed, LARGEST_FIRST_WORDS, open_ends=False
        )

    @property
    def variant(self) -> Variant:
        """The chosen variant of the chosen configuration."""
        for variant in REGISTRY[self.configuration].variants.values():
            if (variant.calibration, variant.law) == (self.calibration, self.law):
                return variant
        raise LookupError("a plan's variant was taken out of the registry")

    @property
    def method(self) -> str:
        """Key of the registry's method for this plan."""
        return f"{self.configuration}/{self.variant.scaling}"

    @property
    def budget(self) -> Budget:
        """The budget as given, for an experiment that is read from a written plan.

        Configuration, calibration and law are no part of it.
        """
        return Budget(
            epsilon=self.epsilon,
            delta=self.delta,
            split=self.split,
            first_words=self.first_words,
            clip_quantile=self.clip_quantile,
            chosen=self.chosen,
        )

    @property
    def divided(self) -> Budget:
        """The budget with its split: the configuration's own where none was given.

        For users of the library; a run reads the plan itself.
        """
        return replace(self.budget, split=self.split or self.variant.default_split)

    @property
    def portions(self) -> dict[str, float]:
        """Fraction of the budget for each quantity by name: the configuration's own if none given.

        With it a run reads the plan itself as its budget.
        """
        return portions_of(self.split or self.variant.default_split)

    def to_json(self) -> str:
        """Write the plan as JSON text; ``from_json`` reads it back to an equal plan."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Plan":
        """Read a plan from its JSON text.

        Raises:
            InputError: it is not the JSON of a plan, or no such plan is allowed.
        """
        try:
            plan_fields = json.loads(text)
            split_pairs = plan_fields.pop("split", ())
            split = tuple((str(name), float(fraction)) for name, fraction in split_pairs)
            return cls(split=split, **plan_fields)
        except InputError:
            raise
        except (TypeError, ValueError, AttributeError) as error:
            raise InputError("plan", "JSON of a plan", "something else") from error


def plan_of_method(method: MethodSpec, budget: Budget) -> Plan | None:
    """Make the noise plan of a method at a budget; None if it is no variant of a configuration.

    Raises:
        InputError: a number or the split of the budget is refused.
    """
    configuration = REGISTRY.get(method.name)
    if configuration is None:
        return None
    variant: Variant | None = configuration.recommended
    if method.scaling is not None:
        variant = configuration.variants.get(method.scaling)
    if variant is None:
        return None
    return Plan(
        configuration=method.name,
        epsilon=budget.epsilon,
        delta=budget.delta,
        split=budget.split,
        clip_quantile=budget.clip_quantile,
        first_words=budget.first_words,
        calibration=variant.calibration,
        law=variant.law,
        chosen=budget.chosen,
    )


def budget_warnings(epsilon: float, delta: float, *, n_documents: int) -> tuple[str, ...]:
    """Warn of budgets that are allowed but rarely wise; sentences, none for a usual one.

    Of a δ that is not below 1/N, and of an ε above ``HIGH_EPSILON``.
    """
    warnings = []
    if allows_whole_documents(delta, n_documents):
        warnings.append(
            f"δ = {delta:g} is not below 1/N = {1 / n_documents:.1e}: it would allow publishing one"
            " whole document now and then."
        )
    if epsilon > HIGH_EPSILON:
        warnings.append(
            f"ε = {epsilon:g} is above {HIGH_EPSILON:g}: in the worst case it promises almost"
            " nothing."
        )
    return tuple(warnings)


def _checked_split(
    split: tuple[tuple[str, float], ...], quantities: tuple[str, ...]
) -> tuple[tuple[str, float], ...]:
    """Check a split, and return it in its order, with fractions as floats.

    Fractions may sum to less than 1.

    Raises:
        InputError: it has other quantities or one twice, a fraction that is not above 0, or a sum
            above 1.
    """
    requirement = "one fraction for each of " + ", ".join(quantities)
    try:
        fractions = dict((name, fraction) for name, fraction in split)
    except (TypeError, ValueError):
        raise InputError("split", requirement, f"a value of type {type(split).__name__}") from None
    if len(fractions) != len(split) or set(fractions) != set(quantities):
        raise InputError("split", requirement, f"{len(split)} entries")
    for name, fraction in fractions.items():
        checks.positive(f"split of {name}", fraction)
    sum_of_fractions = math.fsum(fractions.values())
    if sum_of_fractions > 1 + ROUNDING:
        raise InputError("split", "fractions that sum to at most 1", f"{sum_of_fractions:g}")
    return tuple((name, float(fraction)) for name, fraction in split)
