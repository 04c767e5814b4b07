"""``report_html``: the report of a fitted estimator, whose library takes seconds to import."""

from collections.abc import Sequence

from sklearn.utils.validation import check_is_fitted

from dplda.core import checks
from dplda.methods.configurations.chain.spectral_details import SpectralDetails
from dplda.methods.fitted_topics import FittedTopics
from dplda.release.artefact.findings import findings_of
from dplda.release.report.page import render_report
from dplda.release.report.released import with_topic_names


def report_html(
    model: FittedTopics,
    vocabulary: Sequence[str],
    *,
    documents: str = "the documents",
    n_documents: int | None = None,
    names: Sequence[str | None] = (),
) -> str:
    """A private fit as one HTML page: topics, their map, guarantee, how to read ε, limits, noise.

    The page needs no script and makes no request. It depends only on released values and on these
    arguments, so it is as private as the topics.

    Args:
        model: fitted, with noise.
        vocabulary: the ``d`` words, in the order of the model's columns.
        documents: name of the documents.
        n_documents: ``N``; None to leave it out.
        names: of the topics, in the order of the model's rows; None for three relevant words.

    Raises:
        NotFittedError: the model has not been fitted.
        InputError: it was fitted without noise, words or names do not fit it, or an argument is of
            another type.

    Example:
        >>> import dplda
        >>> corpus = dplda.simulate(
        ...     n_documents=2000, n_words=30, n_topics=2, alpha0=0.5, mean_length=30, seed=0
        ... )
        >>> model = dplda.RefinedLDA(2, alpha0=0.5, epsilon=3.0).fit(corpus)
        >>> page = dplda.report_html(
        ...     model, corpus.vocabulary, documents="letters", names=("weather", None)
        ... )
        >>> "weather" in page, "://" in page, "<script" in page
        (True, False, False)
    """
    checks.instance("model", model, FittedTopics)
    checks.texts("vocabulary", vocabulary)
    checks.text("documents", documents)
    if n_documents is not None:
        checks.integer_at_least("n_documents", n_documents, 1)
    checks.texts("names", names, may_hold_none=True)
    check_is_fitted(model, "components_")
    fit = model.fit_
    method_title = type(model).__name__
    if isinstance(fit.details, SpectralDetails) and fit.details.plan is not None:
        method_title = f"Spectral, {fit.details.plan.configuration}"
    findings = findings_of(
        fit,
        method_title,
        model.alpha0,
        vocabulary=vocabulary,
        documents=documents,
        n_documents=n_documents,
    )
    return render_report(with_topic_names(fit, findings, names))
