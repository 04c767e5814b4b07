"""A process of the pool that is ready before anybody waits for a fit."""

from dataclasses import replace

from dplda.core.errors import DpldaError
from dplda.methods.registry import parse_method_spec
from dplda.ui.state import cache, first_look, first_visit, fits, link
from dplda.ui.state.cache import POOL

SPECTRAL = parse_method_spec("adaptive")  # reads the sums that the configurations read


def warm_process() -> None:
    """Start a process, and let it import and sum what first fits of the first documents need.

    Those are a first look at topics, and the configurations. Somebody who asks for a fit meanwhile
    goes ahead. Nothing is kept but in that process; a failure is left to who asks next.
    """
    corpus = first_visit.first_documents()
    experiment = link.read({})
    fits_to_make = (
        (first_look.documents_to_look_at(corpus), experiment),
        (corpus, replace(experiment, method=SPECTRAL)),
    )
    try:
        for documents, experiment_to_fit in fits_to_make:
            shared_documents = cache.shared_documents(documents, cache.caches(documents))
            POOL.run(
                fits.fit_in_process,
                shared_documents,
                experiment_to_fit,
                None,
                None,
                is_urgent=False,
            )
    except DpldaError:
        return
