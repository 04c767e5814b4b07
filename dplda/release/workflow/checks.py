"""Checks of a request before its charge, by public numbers and the machine's memory alone."""

from dplda.core import checks
from dplda.core.errors import InputError, NotReleasable
from dplda.corpus import Corpus, Selection
from dplda.corpus.corpus import VocabularySource
from dplda.experiments.experiment import Experiment
from dplda.methods.base.problem import Origin, ProblemSize
from dplda.methods.configurations.chain.memory import check_memory, total_memory
from dplda.methods.refined.prior.prior_files import prior_from_source
from dplda.methods.refined.prior.prior_mixtures import require_known_words
from dplda.methods.registry import releasable_methods
from dplda.privacy.noise.exact import MIN_NOISE_STD, max_tv_slack
from dplda.privacy.noise.exact_normals import NOISE_STD_LIMIT
from dplda.privacy.noise.fixed_point import MAX_DOCUMENTS, count_resolution, grid_resolution
from dplda.privacy.release import Status
from dplda.privacy.word_selection.selection import (
    MAX_WORD_CHARACTERS,
    is_selectable,
    round_noise,
)
from dplda.release.ledger.ledger import LONGEST_NAME, PERSON
from dplda.release.workflow.request import LARGEST_NOISE_FACTOR as LARGEST_NOISE_FACTOR
from dplda.release.workflow.request import Request

MEMORY_SHARE = 0.75
"""Part of the machine's memory for a fit; the rest is for documents, so it reveals nothing."""


def check_request(rows: Corpus, request: Request) -> None:
    """Refuse what cannot be released, by the request and public facts on the documents alone.

    Args:
        rows: the documents, with what is protected as rows (``protected_rows``).
        request: the request.

    Raises:
        NotReleasable: the method, the vocabulary, the split, the number of documents or the size of
            its noise cannot be released.
        InputError: a number or a text is out of its range.
    """
    _check_method(request.experiment)
    check_vocabulary(rows, request.selection)
    _check_budget(request)
    if rows.n_documents > MAX_DOCUMENTS:
        raise NotReleasable(
            f"there are more than {MAX_DOCUMENTS:,} documents", "Release some of them."
        )
    _check_title(request.title)
    _check_size(rows, request)
    _check_prior(rows, request)
    _check_noise(rows, request)


def check_vocabulary(corpus: Corpus, selection: Selection | None) -> None:
    """Refuse a vocabulary that reveals something about the documents.

    Args:
        corpus: the documents as they were read.
        selection: how words are selected of every word met; None for a fixed vocabulary.

    Raises:
        NotReleasable: the words were taken from the documents, or selected before.
        InputError: words are to be selected, but the documents were read over a fixed list; or a
            word of the list fits in no file.
    """
    vocabulary_source = corpus.vocabulary_source
    needed_source = VocabularySource.FIXED
    if selection is not None:
        needed_source = VocabularySource.MET
    if vocabulary_source is VocabularySource.SELECTED:
        raise NotReleasable(
            "the words were already selected, with simulated noise", "Read the documents again."
        )
    if selection is not None and vocabulary_source is VocabularySource.FIXED:
        raise InputError(
            "corpus", "over every word met", "over a fixed list", "Read them with n_words=None."
        )
    if vocabulary_source is not needed_source:
        raise NotReleasable(
            "the vocabulary was taken from the documents, and a release would publish it",
            "Read them again with common English words, your own word list, or words selected"
            " privately.",
        )
    public_words = corpus.vocabulary if selection is None else selection.listed
    if not all(is_selectable(word) for word in public_words):
        raise InputError(
            "every word of the list",
            f"text of 1 to {MAX_WORD_CHARACTERS} characters",
            "another one",
            "Leave it out: no file can hold it.",
        )


def protected_rows(corpus: Corpus, unit: str) -> Corpus:
    """The documents as they were read, or joined into one row a person, whichever is protected.

    Args:
        corpus: the documents.
        unit: ``document`` or ``person``.

    Raises:
        NotReleasable: persons are protected and no column names them, or documents are protected
            and each person's were joined.
    """
    corpus = corpus.as_read
    if corpus.of_persons:
        if unit == PERSON:
            return corpus
        raise NotReleasable(
            "each person's documents were joined into one", "Read them again without persons."
        )
    if unit != PERSON:
        return corpus
    if corpus.persons is None:
        raise NotReleasable(
            "its dataset protects persons, and no column names the authors",
            "Read them again and name the column that holds their authors.",
        )
    return corpus.by_person()


def _check_method(experiment: Experiment) -> None:
    """Refuse a method that cannot be released or is not proven."""
    method = experiment.registered_method
    if method.is_releasable and method.status is Status.PROVEN:
        return
    names = " or ".join(releasable.name for releasable in releasable_methods())
    raise NotReleasable(f"{method.title} is not proven in exact arithmetic", f"Choose {names}.")


def _check_budget(request: Request) -> None:
    """Refuse a split chosen on these documents, and an ε, δ or total δ out of range."""
    budget = request.experiment.budget
    if budget.chosen is Origin.DOCUMENTS:
        raise NotReleasable(
            "the budget's split was chosen on these documents",
            "Use the method's own split, or tune it on simulated documents.",
        )
    checks.epsilon(budget.epsilon)
    checks.delta(budget.delta)
    _, total_delta = request.total
    checks.delta(total_delta, "δ of words and topics")


def _check_title(title: str) -> None:
    if not (title.strip() and len(title) <= LONGEST_NAME and title.isprintable()):
        limit_text = f"1 to {LONGEST_NAME} printable characters, not only spaces"
        raise InputError("the title", limit_text, f"{len(title)} characters")


def _check_size(rows: Corpus, request: Request) -> None:
    """Refuse numbers out of range, more topics than words, and a fit too large for this machine.

    At least 2 topics are needed. Only a method with a pair matrix can be too large.
    """
    problem = request.experiment.problem
    n_words = request.n_words(rows)
    checks.integer_between("n_topics", problem.n_topics, 2, n_words)
    checks.alpha0(problem.alpha0)
    if request.experiment.registered_method.needs_pair_matrix:
        size = ProblemSize(rows.n_documents, n_words, problem.n_topics, problem.alpha0)
        check_memory(size, is_private=True, free=MEMORY_SHARE * total_memory())


def _check_prior(rows: Corpus, request: Request) -> None:
    """Refuse a public table that knows no word of the list.

    With selected words only a trusted table is refused, by the public list; a table that is not
    trusted may turn out useless anyway. Without a table or a list nothing is refused.

    Raises:
        InputError: the table knows none of the words.
    """
    method = request.experiment.method
    if method.prior is None:
        return
    prior = prior_from_source(method.prior, request.experiment.problem.n_topics)
    listed_words = rows.vocabulary
    if request.selection is not None:
        listed_words = ()
        if method.prior_is_trusted:
            listed_words = request.selection.listed
    if listed_words:
        require_known_words(prior, listed_words)


def _check_noise(rows: Corpus, request: Request) -> None:
    """Refuse noise too fine for its grid, too far from Gaussian noise, or too wide for 64 bits.

    Checked are the noise of the topics and that of each round in which words are selected. The
    distance from Gaussian noise includes that of the releases that are continued.

    Raises:
        NotReleasable: it is one of these.
    """
    n_documents = rows.n_documents
    grid_noise_std = grid_resolution(n_documents) / request.mu
    finest_noise_std = min(grid_noise_std, count_resolution(n_documents) / request.mu)
    if request.selection is not None:
        noise_of_rounds = [
            noise_std for _, noise_std in round_noise(request.selection, n_documents)
        ]
        if max(noise_of_rounds) >= NOISE_STD_LIMIT:
            raise NotReleasable(
                "noise on words would be too wide for 64 bits", "Choose a larger ε for the words."
            )
        finest_noise_std = min(finest_noise_std, *noise_of_rounds)
    tv_slack = request.spending(rows).tv_slack + request.previous_tv_slack
    if finest_noise_std < MIN_NOISE_STD or tv_slack > max_tv_slack(*request.total):
        raise NotReleasable(
            "noise would be too fine for its grid at this ε and δ", "Choose a smaller ε."
        )
    if grid_noise_std * LARGEST_NOISE_FACTOR >= NOISE_STD_LIMIT:
        raise NotReleasable(
            "noise would be too wide for 64 bits at this ε and δ", "Choose a larger ε."
        )
