"""Drafts of releases that were made before, from their files."""

from dplda.core.errors import DpldaError
from dplda.corpus import Corpus
from dplda.experiments.experiment import Experiment, HeldDocuments
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.problem import Budget, Problem
from dplda.methods.refined.refined_methods import refined_with
from dplda.methods.registry import parse_method_spec
from dplda.privacy.release import Caveat
from dplda.release.artefact.artefact import Artefact
from dplda.release.ledger.folder import Folder
from dplda.release.ledger.ledger import Ledger
from dplda.release.ledger.records.entry import LedgerEntry, noted_in
from dplda.release.workflow.draft import Draft
from dplda.release.workflow.release_store import latest_releases, load_prior, receipt_for
from dplda.release.workflow.request import Request


def reopen_draft(
    receipt_number: str | None, corpus: Corpus, caveats: tuple[Caveat, ...]
) -> Draft | None:
    """Make the draft of a release, or of the last one that continues it; None without a number.

    Its request holds the settings of the release, and as budget that of the topics alone. It
    selects no words and continues nothing.

    Args:
        receipt_number: of the release.
        corpus: the documents at hand.
        caveats: what was seen of them.

    Raises:
        DpldaError: it is not in the release folder, or its file is missing, damaged or forged.
    """
    if receipt_number is None:
        return None
    folder = Folder()
    charge = latest_releases(folder).get(receipt_number)
    if charge is None:
        raise DpldaError(
            "The release of this address is not in the release folder. Put its file back."
        )
    receipt = receipt_for(charge, folder)
    artefact = receipt.artefact
    experiment = Experiment(
        corpus=HeldDocuments(),
        method=_method_of(artefact, charge, folder),
        problem=Problem(artefact.n_topics, artefact.alpha0),
        budget=_budget_of_topics(artefact),
    )
    request = Request(charge.dataset, artefact.documents, experiment, caveats=caveats)
    return Draft(
        corpus=corpus,
        unit=Ledger(folder).protects(charge.dataset),
        datasets={charge.dataset: receipt.balance},
        request=request,
        new_budget=None,
        is_started=False,
        opened=receipt,
    )


def _budget_of_topics(artefact: Artefact) -> Budget:
    """ε and δ of the topics of a release, without those of selected words."""
    selected_words = artefact.selected_words
    if selected_words is not None:
        return Budget(selected_words.topics_epsilon, selected_words.topics_delta)
    return Budget(artefact.guarantee.claimed_epsilon, artefact.guarantee.claimed_delta)


def _method_of(artefact: Artefact, charge: LedgerEntry, folder: Folder) -> MethodSpec:
    """The method that the charge names, with the public knowledge that the folder keeps for it."""
    facts = noted_in(charge)
    prior = load_prior(artefact, folder)
    if prior is None:
        return parse_method_spec(facts.get("method"))
    return refined_with(prior, trusted=bool(facts.get("trusted"))).spec
