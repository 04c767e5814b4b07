"""A table of topic shares that is explored: by which groups, and at which ε."""

from dataclasses import dataclass

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.corpus.group_columns import LONGEST_LABEL

FIRST_COLUMN = ""
USUAL_EPSILON = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class SharesChoice:
    """Topic shares by group that are asked for beside the topics.

    Attributes:
        column: of the documents' labels; empty for the first one.
        epsilon: ε of the table alone; its δ is that of the topics.

    Raises:
        InputError: ε is not above 0, or the name is no short text.
    """

    column: str = FIRST_COLUMN
    epsilon: float = USUAL_EPSILON

    def __post_init__(self) -> None:
        checks.text("column", self.column)
        if len(self.column) > LONGEST_LABEL:
            limit = f"at most {LONGEST_LABEL} characters"
            raise InputError("column", limit, f"{len(self.column):,}")
        checks.epsilon(self.epsilon)
