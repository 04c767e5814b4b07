"""A plan: everything that changes a guarantee, and nothing else."""

import json
import math
from dataclasses import asdict, dataclass, replace

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.methods.base.problem import Budget, Origin
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.variant import Calibration, NoiseLaw, Variant
from dplda.methods.denoising.word_frequencies import MIN_SHARE
from dplda.privacy.accounting.odds import allows_whole_documents

HIGH_EPSILON = 10.0
SMALLEST_DELTA = 1e-305  # shares of a smaller one round to 0
LARGEST_FIRST = 0.99  # largest share of the budget for word counts
ROUNDING = (
    1e-12  # tolerance of a sum of shares; a run that spends more than its plan loses its guarantee
)


@dataclass(frozen=True, slots=True)
class Plan:
    """Which edges get noise and how much.

    Attributes:
        epsilon, delta: ε > 0 and δ in (0, 0.5) of the whole run.
        split: pairs (quantity, fraction of μ²), positive, summing to 1; empty for the configuration's own.
        clip_quantile: fraction of documents with unclipped pair frequencies, in (0, 1]; None chooses by public numbers.
        first_words: fraction of the budget for word counts before the split, in [10⁻⁶, 0.99], or 0; None as above.
        calibration, law: of the noise; None for the recommended ones. A variant's ``scaling`` is read too.
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
        if not isinstance(self.configuration, str) or self.configuration not in REGISTRY:
            rival = (
                " (refinement has no edges to choose: RefinedLDA)"
                if isinstance(self.configuration, str) and self.configuration == "refined"
                else ""
            )
            raise InputError(
                "configuration", "one of " + ", ".join(sorted(REGISTRY)), f"another name{rival}"
            )
        checks.plain(self)
        self._check_kinds()
        checks.epsilon(self.epsilon)
        checks.delta(self.delta)
        checks.at_least("delta", self.delta, SMALLEST_DELTA)
        if self.clip_quantile is not None:
            checks.share("clip_quantile", self.clip_quantile)
        known = REGISTRY[self.configuration].variants
        fitting = [
            one
            for one in known.values()
            if self.calibration in (None, one.calibration, one.scaling)
            and self.law in (None, one.law)
        ]
        if not fitting:
            got = self.calibration if self.law is None else self.law
            raise InputError(
                "calibration", "one of " + ", ".join(known) + f" for {self.configuration}", str(got)
            )
        if self.first_words is not None:
            if not fitting[0].extra_releases:
                raise InputError(
                    "first_words", f"None for {self.configuration}", str(self.first_words)
                )
            least = MIN_SHARE if self.first_words else 0.0
            checks.between("first_words", self.first_words, least, LARGEST_FIRST, open_ends=False)
        object.__setattr__(self, "calibration", fitting[0].calibration)
        object.__setattr__(self, "law", fitting[0].law)
        object.__setattr__(self, "chosen", checks.one_of("chosen", self.chosen, Origin))
        if self.split is not None and (not isinstance(self.split, tuple) or self.split):
            self._check_split(self.variant.names)

    def _check_kinds(self) -> None:
        known = REGISTRY[self.configuration].variants
        for name in ("calibration", "law"):
            value: object = getattr(self, name)
            if not isinstance(value, str | None):
                limit = "one of " + ", ".join(known) + f" for {self.configuration}"
                raise InputError("calibration", limit, f"a value of type {type(value).__name__}")
        for name in ("clip_quantile", "first_words"):
            if getattr(self, name) is not None:
                checks.at_least(name, getattr(self, name), 0)

    def _check_split(self, quantities: tuple[str, ...]) -> None:
        limit = "one fraction for each of " + ", ".join(quantities)
        try:
            fractions = {name: fraction for name, fraction in self.split}
        except (TypeError, ValueError):
            raise InputError(
                "split", limit, f"a value of type {type(self.split).__name__}"
            ) from None
        if len(fractions) != len(self.split) or set(fractions) != set(quantities):
            raise InputError("split", limit, f"{len(self.split)} entries")
        for name, fraction in fractions.items():
            checks.positive(f"split of {name}", fraction)
        object.__setattr__(
            self, "split", tuple((name, float(fraction)) for name, fraction in self.split)
        )
        total = math.fsum(fractions.values())
        if total > 1 + ROUNDING:
            raise InputError("split", "fractions that sum to at most 1", f"{total:g}")

    @property
    def variant(self) -> Variant:
        """The chosen variant of the chosen configuration."""
        known = REGISTRY[self.configuration].variants.values()
        return next(
            one for one in known if (one.calibration, one.law) == (self.calibration, self.law)
        )

    @property
    def method(self) -> str:
        """Text of the registry's method for this plan."""
        return f"{self.configuration}/{self.variant.scaling}"

    @property
    def budget(self) -> Budget:
        """The budget as given."""
        return Budget(
            self.epsilon, self.delta, self.split, self.first_words, self.clip_quantile, self.chosen
        )

    @property
    def divided(self) -> Budget:
        """The budget with its split: the configuration's own where none was given."""
        return replace(self.budget, split=self.split or self.variant.default_split)

    def to_json(self) -> str:
        """The plan as JSON text; ``from_json`` reads it back to an equal plan."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Plan":
        """A plan from its JSON text."""
        try:
            fields = json.loads(text)
            split = tuple(
                (str(name), float(fraction)) for name, fraction in fields.pop("split", ())
            )
            return cls(split=split, **fields)
        except InputError:
            raise
        except (TypeError, ValueError, AttributeError) as error:
            raise InputError("plan", "JSON of a plan", "something else") from error


def budget_warnings(epsilon: float, delta: float, *, n_documents: int) -> tuple[str, ...]:
    """Warnings about budgets that are allowed but rarely wise."""
    found = []
    if allows_whole_documents(delta, n_documents):
        found.append(
            f"δ = {delta:g} is not below 1/N = {1 / n_documents:.1e}: it would allow publishing one whole document now"
            " and then."
        )
    if epsilon > HIGH_EPSILON:
        found.append(
            f"ε = {epsilon:g} is above {HIGH_EPSILON:g}: in the worst case it promises almost nothing."
        )
    return tuple(found)
