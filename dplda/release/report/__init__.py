"""``report_html``: a private run for people who will never open the app, as one file that asks for nothing else."""

from collections.abc import Sequence

from dplda.methods.estimators import FittedTopics
from dplda.release.report.page import page
from dplda.release.report.released import released_by


def report_html(
    model: FittedTopics,
    vocabulary: Sequence[str],
    *,
    documents: str = "the documents",
    n_documents: int | None = None,
    names: Sequence[str | None] = (),
) -> str:
    """A private fit as one HTML page: topics, a map of them, what is promised, how to read ε, limits, noise.

    The page stands on its own: no script, no request, readable in print, on a phone and aloud. It is a function of
    released values and of what is given here, so that it is as private as the topics are.

    Args:
        model: fitted, with noise.
        vocabulary: the ``d`` words, in the order of the model's columns.
        documents: what they are called.
        n_documents: ``N``, which replacing a document leaves as it is; None where it is not to be said.
        names: of the topics, in the order of the model's rows; None, or nothing, for three relevant words.

    Returns:
        The page, to be saved as UTF-8.

    Raises:
        NotFittedError: the model has not been fitted.
        InputError: it was fitted without noise, or words or names that do not fit it.

    Example:
        >>> import dplda
        >>> corpus = dplda.simulate(n_documents=2000, n_words=30, n_topics=2, alpha0=0.5, mean_length=30, seed=0)
        >>> model = dplda.RefinedLDA(2, alpha0=0.5, epsilon=3.0).fit(corpus)
        >>> page = dplda.report_html(model, corpus.vocabulary, documents="letters", names=("weather", None))
        >>> "weather" in page, "://" in page, "<script" in page
        (True, False, False)
    """
    return page(released_by(model, vocabulary, documents=documents, n_documents=n_documents, names=names))


__all__ = ["report_html"]
