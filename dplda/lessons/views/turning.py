"""Change of the whitened tensor by one document, and the paper's bound, over N."""

from dataclasses import dataclass
from typing import ClassVar

from dplda import figures
from dplda.core.errors import InputError
from dplda.core.types import Report
from dplda.lessons.views.picture import Picture, PictureView
from dplda.theory.gaps.counterexamples import UNIT, exchange, rotation

EXAMPLES = {"rotation": rotation, "exchange": exchange}
DOCUMENTS = tuple(UNIT * 10**power for power in range(1, 6))
"""Numbers of documents at which change and bound are drawn."""


@dataclass(frozen=True)
class Turning(PictureView):
    """Change and bound against N.

    Attributes:
        example: ``rotation``, or ``exchange``, where eigenvalues have a gap.
        n_documents: highlighted ``N``, a multiple of 880.
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
        """Compute change and bound at this N, a tenth of it and ``DOCUMENTS``; uses no seed.

        The curves are drawn at ``DOCUMENTS`` only. A tenth of N only enters the number ``worse``.
        """
        make_example = EXAMPLES[self.example]
        own_example = make_example(self.n_documents)
        smaller_example = make_example(self.n_documents // 10)
        drawn_examples = [make_example(n_documents) for n_documents in DOCUMENTS]
        numbers = {
            "change": own_example.change,
            "published": own_example.published,
            "passed": own_example.ratio,
            "worse": own_example.ratio / smaller_example.ratio,
            "gap": own_example.gap,
        }
        figure = figures.lines(
            [float(example.n_documents) for example in drawn_examples],
            {
                "what one letter does": [example.change for example in drawn_examples],
                "what the paper allows": [example.published for example in drawn_examples],
            },
            title=(
                f"One letter moves the result {own_example.ratio:,.0f} times as far as allowed,"
                f" at N = {own_example.n_documents:,}"
            ),
            x_title="number of letters N",
            y_title="how far the result moves",
            mark=float(self.n_documents),
            log_y=True,
        )
        return Picture(numbers, figure)
