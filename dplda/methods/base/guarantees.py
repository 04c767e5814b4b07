"""Guarantees of runs, whatever the method: a mechanism's claim, and the caveats of one draw."""

import math
from dataclasses import dataclass

from dplda.corpus.corpus import Label, Selection, VocabularySource
from dplda.corpus.on_disk import AnyCorpus
from dplda.methods.base.problem import Origin
from dplda.privacy.accounting.odds import allows_whole_documents, format_rounded_up
from dplda.privacy.accounting.risk import Risk
from dplda.privacy.adjacency import Adjacency, Assumption
from dplda.privacy.noise.exact import MAX_DISCRETE_NUMBERS
from dplda.privacy.noise.keys import NoiseKind
from dplda.privacy.release import Caveat, Guarantee, Release, Status
from dplda.privacy.word_selection.thresholds import MAX_WORDS_PER_ROW, combine_with_fit

SELECTION_SENTENCE = "The vocabulary was selected privately"
"""First words of the sentence that a guarantee has where words were selected privately."""
TRUSTED_NOISE = frozenset({NoiseKind.SEEDED, NoiseKind.SECRET, NoiseKind.EXACT})
"""Kinds of noise that have the distribution a guarantee speaks of."""

_SIMULATED = "The noise is simulated in floating point: good for exploring, not for publishing."
_SEED = "It is drawn from a seed, and anyone who knows the seed can remove it."
_SECRET = (
    "It is drawn from a secret that is kept only in memory and used once. A different plan,"
    " different documents or another draw get different noise."
)
_EXACT = (
    "The noise is drawn exactly, from the operating system's random numbers, onto sums of whole"
    " numbers: the discrete Gaussian of the OpenDP library, and on more than"
    f" {MAX_DISCRETE_NUMBERS:,} numbers at once normal numbers that are rounded. It has no"
    " seed, and no low bits that could give anything away."
)
_VOCABULARY = (
    "The vocabulary was taken from the documents. It is part of the output, and nothing protects"
    " it."
)
_SPLIT = "The budget's split was chosen on these documents, and no noise protects that choice."
_REFERENCE = "The budget's split was chosen on simulated documents of the same size."


def state_guarantee(
    corpus: AnyCorpus,
    releases: tuple[Release, ...],
    *,
    status: Status,
    rests_on: tuple[str, ...],
    epsilon: float,
    delta: float,
    split_origin: Origin = Origin.BEFOREHAND,
    gaussian_fit: bool = False,
    risk_of_fit: Risk | None = None,
    adjacency: Adjacency = Adjacency.REPLACE_ONE,
) -> Guarantee:
    """State the guarantee of one run, with the caveats of its noise, vocabulary and choices.

    Args:
        corpus: documents of the run; their label, vocabulary and unit decide some caveats.
        releases: every noisy value that was drawn; empty for a run to come, whose noise gets the
            kind of key that the corpus requires.
        status: what is proven of the mechanism.
        rests_on: assumptions of the proof, sentences; for an unprivate method the reason first.
        epsilon: ε of the fit alone, without a private selection of words.
        delta: δ of the fit alone.
        split_origin: where the division of the budget comes from.
        gaussian_fit: whether the mechanism is exactly as private as one Gaussian mechanism, so
            that squares of budgets add up with a private selection's, in place of ε and δ.
        risk_of_fit: of the fit alone, by its privacy loss distribution; None where its noise is
            Gaussian, or nothing is proven. It does not hold with a private selection of words.
        adjacency: neighbors that ε is of, where every row is one document.

    Returns:
        A guarantee of no privacy if the status is ``NOT_PRIVATE`` or any noise is not of a trusted
        kind. Else ε and δ include those of a private selection of words. It is releasable if the
        noise is exact, the mechanism proven, and no caveat breaks privacy.
    """
    if status is Status.NOT_PRIVATE:
        return not_private_guarantee(rests_on[0])
    if not all(release.noise in TRUSTED_NOISE for release in releases):
        return not_private_guarantee("the noise was switched off or came from an unknown source.")
    noise = _describe_noise(corpus, releases)
    sentences = [*_word_assumptions(rests_on, corpus)]
    if corpus.vocabulary_source in _UNPROTECTED_VOCABULARIES:
        sentences.append(_VOCABULARY)
    if corpus.selection is not None:
        sentences.append(_describe_selection(corpus.selection, corpus.unit))
        epsilon, delta = combine_with_fit(
            corpus.selection, epsilon=epsilon, delta=delta, gaussian_fit=gaussian_fit
        )
    if split_origin is Origin.DOCUMENTS:
        sentences.append(_SPLIT)
    if split_origin is Origin.REFERENCE:
        sentences.append(_REFERENCE)
    caveats = _collect_caveats(corpus, noise, delta=delta, split_origin=split_origin)
    is_sound = not any(caveat.breaks_privacy for caveat in caveats)
    return Guarantee(
        mechanism=status,
        claimed_epsilon=epsilon,
        claimed_delta=delta,
        caveats=caveats,
        adjacency=Adjacency.REPLACE_PERSON if corpus.of_persons else adjacency,
        rests_on=(*sentences, *noise.sentences),
        releasable=noise.is_exact and status is Status.PROVEN and is_sound,
        is_gaussian=gaussian_fit and status is Status.PROVEN,
        risk_of_losses=risk_of_fit if corpus.selection is None else None,
    )


def no_noise_guarantee(*_: object) -> Guarantee:
    """State the guarantee of a method without noise, whatever it is given."""
    return not_private_guarantee("no noise was added.")


def not_private_guarantee(reason: str) -> Guarantee:
    """State that nothing is promised: ε is infinite and δ is 1.

    Args:
        reason: why, a clause that ends in a full stop.
    """
    return Guarantee(
        Status.NOT_PRIVATE, math.inf, 1.0, (), Adjacency.REPLACE_ONE, (reason,), releasable=False
    )


_UNPROTECTED_VOCABULARIES = (VocabularySource.FROM_DATA, VocabularySource.MET)


@dataclass(frozen=True, slots=True)
class _NoiseFacts:
    """Where a run's noise comes from: from a seed, and drawn exactly, or neither."""

    is_seeded: bool
    is_exact: bool

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences on the noise for a guarantee: exact, or simulated by a seed or by a secret."""
        if self.is_exact:
            return (_EXACT,)
        return (_SIMULATED, _SEED if self.is_seeded else _SECRET)


def _describe_noise(corpus: AnyCorpus, releases: tuple[Release, ...]) -> _NoiseFacts:
    """Facts of the noise that was drawn: seeded if one release is, exact if all are.

    A run to come simulates its noise, with a seed unless its documents are sensitive.
    """
    if not releases:
        return _NoiseFacts(is_seeded=corpus.label is not Label.SENSITIVE, is_exact=False)
    kinds = {release.noise for release in releases}
    return _NoiseFacts(
        is_seeded=NoiseKind.SEEDED in kinds,
        is_exact=kinds == {NoiseKind.EXACT},
    )


def _collect_caveats(
    corpus: AnyCorpus, noise: _NoiseFacts, *, delta: float, split_origin: Origin
) -> tuple[Caveat, ...]:
    """Caveats of the noise, word list, split and δ, in the order in which badges show them.

    Noise of a seed is one for sensitive documents alone. ``delta`` includes a private selection's.
    """
    conditions = {
        Caveat.SEED: corpus.label is Label.SENSITIVE and noise.is_seeded,
        Caveat.VOCABULARY: corpus.vocabulary_source in _UNPROTECTED_VOCABULARIES,
        Caveat.SPLIT: split_origin is Origin.DOCUMENTS,
        Caveat.DELTA: allows_whole_documents(delta, corpus.n_documents),
        Caveat.SIMULATED: not noise.is_exact,
    }
    return tuple(caveat for caveat, holds in conditions.items() if holds)


def _word_assumptions(rests_on: tuple[str, ...], corpus: AnyCorpus) -> list[str]:
    """Put the assumptions of a proof into sentences about the corpus' unit.

    Reasons that are sentences already stay. For persons, the sentence on their neighbors comes
    first and takes the place of that on documents.
    """
    if corpus.of_persons:
        other_reasons = (reason for reason in rests_on if reason is not Assumption.NEIGHBOURS)
        rests_on = (Assumption.NEIGHBOURS, *other_reasons)
    was_selected = corpus.selection is not None
    return [
        reason.sentence_for(corpus.unit, selected=was_selected)
        if isinstance(reason, Assumption)
        else reason
        for reason in rests_on
    ]


def _describe_selection(selection: Selection, unit: str) -> str:
    """Sentences on how words were selected privately, with the ε and δ of the words alone.

    If there is a public list, says how many words it has.
    """
    list_sentence = ""
    if selection.listed:
        list_sentence = f" Words of a public list of {len(selection.listed):,} need no threshold."
    return (
        f"{SELECTION_SENTENCE}: a {unit} gives each of its n words 1/√n, for at most"
        f" {MAX_WORDS_PER_ROW} words. A first round drops words whose noisy sum leaves them no"
        " chance. A second one picks words whose noisy sum passes a"
        f" threshold.{list_sentence} The promise covers words and topics together. The words alone"
        f" cost ε = {format_rounded_up(selection.epsilon)}"
        f" and δ = {format_rounded_up(selection.delta)}."
    )
