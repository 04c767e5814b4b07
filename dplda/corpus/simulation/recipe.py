"""A corpus to be drawn, as data: checked, hashable, drawn on demand."""

from dataclasses import asdict, dataclass

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.corpus.corpus import Corpus
from dplda.corpus.simulation.newspaper import read_newspaper
from dplda.corpus.simulation.simulate import LengthLaw, simulate

MOST_TOKENS = 30_000_000  # of a simulated corpus: seconds to draw, some hundred megabytes


@dataclass(frozen=True, slots=True)
class Simulation:
    """Arguments of ``dplda.simulate``, within limits that keep a corpus in memory.

    ``N`` is at most 1,000,000, ``d`` 3,000 (with noise on every pair of words, d² numbers are held), ``k`` 100, ``L``
    10,000 and ``N·L`` 30 million.

    Example:
        >>> from dplda.corpus import Simulation
        >>> simulation = Simulation(n_documents=100, n_words=20, n_topics=2, mean_length=30)
        >>> simulation.n_tokens
        3000
        >>> simulation.draw().digest == simulation.draw().digest
        True
    """

    n_documents: int = 20_000
    n_words: int = 500
    n_topics: int = 5
    alpha0: float = 1.0
    mean_length: int = 100
    lengths: LengthLaw = LengthLaw.POISSON
    topic_concentration: float = 0.1
    seed: int = 0
    newspaper: str = ""

    def __post_init__(self) -> None:
        for name, value, low, high in (
            ("number of documents N", self.n_documents, 3, 1_000_000),
            ("vocabulary size d", self.n_words, 2, 3_000),
            ("number of true topics k", self.n_topics, 2, min(100, self.n_words)),
            ("mean length L", self.mean_length, 1, 10_000),
            ("seed of the documents", self.seed, 0, 2**31 - 1),
        ):
            checks.integer_between(name, value, low, high)
        checks.between("true α0", self.alpha0, 1e-4, 1e4, open_ends=False)
        checks.between("topic concentration", self.topic_concentration, 1e-3, 100, open_ends=False)
        if self.newspaper:
            read_newspaper(self.newspaper).vocabulary(n_words=self.n_words, n_topics=self.n_topics)
        if self.n_tokens > MOST_TOKENS:
            fix = "Take fewer or shorter documents, or simulate from Python."
            raise InputError("N · L", f"at most {MOST_TOKENS:,} words in all", f"{self.n_tokens:,}", fix)

    @property
    def n_tokens(self) -> int:
        """``N·L``, words expected in all."""
        return self.n_documents * self.mean_length

    def draw(self) -> Corpus:
        """Draw the corpus that these numbers describe; the same numbers draw the same corpus."""
        return simulate(**asdict(self))
