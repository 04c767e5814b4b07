"""Change of the whitened tensor by one document, and the paper's bound, against the number of documents."""

from dataclasses import dataclass
from typing import ClassVar

from dplda import figures
from dplda.core.errors import InputError
from dplda.core.types import Report
from dplda.lessons.views.picture import Picture, PictureView
from dplda.theory.gaps.counterexamples import UNIT, exchange, rotation

EXAMPLES = {"rotation": rotation, "exchange": exchange}
NUMBERS = tuple(UNIT * 10**power for power in range(6))


@dataclass(frozen=True)
class Turning(PictureView):
    """Change and bound against N.

    Attributes:
        example: ``rotation``, or ``exchange``, where eigenvalues have a gap.
        n_documents: highlighted ``N``, a multiple of 88.
    """

    number_meanings: ClassVar = {
        "change": "how far one document moves the whitened tensor",
        "published": "how far the paper says it can",
        "passed": "change over the paper's bound",
        "worse": "how many times larger that ratio is than with a tenth of the documents",
        "gap": "the gap between eigenvalues, in units of what one document can move them",
    }

    example: str = "rotation"
    n_documents: int = 8_800

    def __post_init__(self) -> None:
        if self.example not in EXAMPLES:
            raise InputError("example", f"one of {', '.join(EXAMPLES)}", self.example)
        if self.n_documents % (10 * UNIT) or self.n_documents <= 0:
            raise InputError("n_documents", f"a multiple of {10 * UNIT}", str(self.n_documents))

    def make_picture(self, seed: int, report: Report) -> Picture:
        """Compute both."""
        make = EXAMPLES[self.example]
        here, fewer, every = (
            make(self.n_documents),
            make(self.n_documents // 10),
            [make(n) for n in NUMBERS[1:]],
        )
        numbers = {
            "change": here.change,
            "published": here.published,
            "passed": here.ratio,
            "worse": here.ratio / fewer.ratio,
            "gap": here.gap,
        }
        xs, mark = [float(one.n_documents) for one in every], float(self.n_documents)
        allowed = [one.published for one in every]
        curves = {
            "what one letter does": [one.change for one in every],
            "what the paper allows": allowed,
        }
        title = f"One letter moves the result {here.ratio:,.0f} times as far as allowed, at N = {here.n_documents:,}"
        x, y = "number of letters N", "how far the result moves"
        return Picture(
            numbers,
            figures.lines(xs, curves, title=title, x_title=x, y_title=y, mark=mark, log_y=True),
        )
