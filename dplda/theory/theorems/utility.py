"""``utility_bound``: the bounds of the paper's Theorems 10 to 13 and the documents they need."""

from dataclasses import dataclass

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.methods.configurations.plan import Plan
from dplda.theory.theorems.at_budget import at_budget, check_bounded, documents_needed
from dplda.theory.theorems.readings import Bound, PaperReading
from dplda.theory.theorems.spectrum import Spectrum


@dataclass(frozen=True, slots=True)
class UtilityBound(Bound):
    """The bound of a plan, and the number of documents that would make it informative.

    Attributes:
        enough_documents: smallest N at which the bound is below √2, everything else fixed.
    """

    enough_documents: int


def utility_bound(
    plan: Plan,
    *,
    n_documents: int,
    spectrum: Spectrum,
    reading: PaperReading | None = PaperReading.RECOMMENDED,
) -> UtilityBound:
    """The paper's bound on every topic's L2 error under a plan, term by term.

    An expression of the paper, not a theorem: ``dplda.theory.theorems.bounds`` lists what is
    unproven.

    Args:
        plan: of configuration 1, 2, 3 or 4, as published.
        spectrum: of the corpus (``from_fit``) or of a population (``from_population``). A bound
            from the exact spectrum of a sensitive corpus must stay with its curator.
        n_documents: ``N``, at least 3.
        reading: which print, with hidden constants set to 1; None for the appendix's explicit
            constants.

    Raises:
        InputError: the paper has no theorem for the plan, or an argument is of another type.
        NoFiniteNoise: a private lower bound is 0, two topics are equally large, or noise on M2
            reaches σk.

    Source:
        Theorems 10 to 13, with ε and δ split and summed as in the paper.

    Example:
        >>> import dplda
        >>> from dplda.theory.theorems.spectrum import from_fit
        >>> corpus = dplda.simulate(
        ...     n_documents=2000, n_words=20, n_topics=2, alpha0=0.1, mean_length=30, seed=0
        ... )
        >>> spectrum = from_fit(dplda.SpectralLDA(2, alpha0=0.1).fit(corpus).fit_)
        >>> plan = dplda.Plan("config-1", epsilon=5.0, calibration="as published")
        >>> bound = dplda.utility_bound(plan, n_documents=corpus.n_documents, spectrum=spectrum)
        >>> bound.source, bound.vacuous
        ('Theorem 10', True)
        >>> for term in bound.terms:
        ...     print(f"{term.name} ({', '.join(term.edges)}): {term.value:.2g}")
        direction of the factors (e3, e4): 2.9
        unwhitening (e8): 0.055
        size of the factors (e3, e4, e8): 3
        >>> dplda.utility_bound(plan, n_documents=bound.enough_documents, spectrum=spectrum).vacuous
        False
    """
    checks.instance("plan", plan, Plan)
    checks.instance("spectrum", spectrum, Spectrum)
    check_bounded(plan)
    if reading is not None and not isinstance(reading, PaperReading):
        raise InputError(
            "reading", "a PaperReading, or None for explicit constants", "something else"
        )
    n_documents = checks.integer_at_least("n_documents", n_documents, 3)
    enough_documents = documents_needed(plan, spectrum, reading=reading)
    bound = at_budget(plan, spectrum, n_documents=n_documents, reading=reading)
    return UtilityBound(bound.source, bound.reading, bound.terms, enough_documents)
