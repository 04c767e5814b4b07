"""How words are selected privately: public numbers, chosen beforehand."""

from dataclasses import dataclass, field

from dplda.core import checks

MOST_PER_UNIT = 10_000


@dataclass(frozen=True, slots=True)
class Selection:
    """Words are taken that enough documents hold, by noisy numbers; ``dplda.privacy.partition`` says what that costs.

    Attributes:
        n_words: ``d``, how many words to take at most.
        per_unit: ``w``, how many distinct words of a document, or of a person, count.
        listed: whether words come from a public list, where no part of δ is for a threshold; ``select_words`` says so.

    Example:
        >>> from dplda.corpus import Selection
        >>> Selection(n_words=500, epsilon=0.2)
        Selection(n_words=500, per_unit=64, epsilon=0.2, delta=1e-08)
    """

    n_words: int = 1000
    per_unit: int = 64
    epsilon: float = 0.5
    delta: float = 1e-8
    listed: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        checks.integer_at_least("n_words", self.n_words, 2)
        checks.integer_between("per_unit", self.per_unit, 1, MOST_PER_UNIT)
        checks.epsilon(self.epsilon)
        checks.delta(self.delta)
