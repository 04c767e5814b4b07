"""The guarantee of a run, from its plan, releases and corpus."""

import math

from dplda.corpus.corpus import Label, Selection, VocabularySource
from dplda.corpus.on_disk import AnyCorpus
from dplda.methods.base.problem import Origin
from dplda.methods.configurations.plan import Plan
from dplda.methods.configurations.variant import NoiseLaw
from dplda.privacy import gaussian
from dplda.privacy.adjacency import Adjacency, Assumption
from dplda.privacy.noise.exact import MOST_DISCRETE
from dplda.privacy.noise.keys import NoiseKind
from dplda.privacy.odds import short, shows_whole
from dplda.privacy.partition import MOST_NAMED, together
from dplda.privacy.release import Caveat, Guarantee, Release, Status

SELECTED = "The vocabulary was selected privately"
KEYED = frozenset(
    {NoiseKind.SEEDED, NoiseKind.SECRET, NoiseKind.EXACT}
)  # kinds with the promised distribution

_SIMULATED = "The noise is simulated in floating point: good for exploring, not for publishing."
_SEED = "It is drawn from a seed, and anyone who knows the seed can remove it."
_SECRET = (
    "It is drawn from a secret that is kept only in memory and used once. A different plan, different documents or"
    " another draw get different noise."
)
_EXACT = (
    "The noise is drawn exactly, from the operating system's random numbers, onto sums of whole numbers: the discrete"
    f" Gaussian of the OpenDP library, and on more than {MOST_DISCRETE:,} numbers at once normal numbers that are"
    " rounded. It has no seed, and no low bits that could give anything away."
)
_VOCABULARY = "The vocabulary was taken from the documents. It is part of the output, and nothing protects it."
_SPLIT = "The budget's split was chosen on these documents, and no noise protects that choice."
_REFERENCE = "The budget's split was chosen on simulated documents of the same size."


def guarantee_of(plan: Plan | None, corpus: AnyCorpus, releases: tuple[Release, ...]) -> Guarantee:
    """The guarantee of a run made or to come; refuses releases beyond the plan's budget."""
    if plan is None:
        return no_promise()
    if plan.variant.status is Status.PROVEN and all(release.noise in KEYED for release in releases):
        _check_spending(plan, releases)
    return claim(
        corpus,
        releases,
        status=plan.variant.status,
        rests_on=plan.variant.rests_on,
        epsilon=plan.epsilon,
        delta=_delta(plan, releases),
        chosen=plan.chosen,
        gaussian_fit=plan.variant.law is NoiseLaw.GAUSSIAN and plan.variant.status is Status.PROVEN,
    )


def claim(
    corpus: AnyCorpus,
    releases: tuple[Release, ...],
    *,
    status: Status,
    rests_on: tuple[str, ...],
    epsilon: float,
    delta: float,
    chosen: Origin = Origin.BEFOREHAND,
    gaussian_fit: bool = False,
) -> Guarantee:
    """A guarantee for a mechanism, with the caveats of this draw's noise, vocabulary and choices.

    Without ``releases`` it is that of a run to come, whose noise is keyed as the corpus requires. ``gaussian_fit``: the
    mechanism is as private as the Gaussian one, so that privately selected words add squares of budgets, not ε and δ.
    """
    if status is Status.NOT_PRIVATE:
        return not_private(rests_on[0])
    if not all(release.noise in KEYED for release in releases):
        return not_private("the noise was switched off or came from an unknown source.")
    exact = bool(releases) and all(release.noise is NoiseKind.EXACT for release in releases)
    sensitive = corpus.label is Label.SENSITIVE
    seeded = (
        any(release.noise is NoiseKind.SEEDED for release in releases)
        if releases
        else not sensitive
    )
    sentences, caveats = _assumed(rests_on, corpus), []
    if sensitive and seeded:
        caveats.append(Caveat.SEED)
    if corpus.vocabulary_source in (VocabularySource.FROM_DATA, VocabularySource.MET):
        caveats.append(Caveat.VOCABULARY)
        sentences.append(_VOCABULARY)
    if corpus.selection is not None:
        sentences.append(_selected(corpus.selection, corpus.unit))
        epsilon, delta = together(
            corpus.selection, epsilon=epsilon, delta=delta, gaussian_fit=gaussian_fit
        )
    if chosen is Origin.DOCUMENTS:
        caveats.append(Caveat.SPLIT)
        sentences.append(_SPLIT)
    if chosen is Origin.REFERENCE:
        sentences.append(_REFERENCE)
    if shows_whole(delta, corpus.n_documents):
        caveats.append(Caveat.DELTA)
    drawn = (_EXACT,) if exact else (_SIMULATED, _SEED if seeded else _SECRET)
    return Guarantee(
        mechanism=status,
        claimed_epsilon=epsilon,
        claimed_delta=delta,
        caveats=tuple(caveats) if exact else (*caveats, Caveat.SIMULATED),
        adjacency=Adjacency.REPLACE_PERSON if corpus.of_persons else Adjacency.REPLACE_ONE,
        rests_on=(*sentences, *drawn),
        releasable=exact
        and status is Status.PROVEN
        and not any(caveat.breaks for caveat in caveats),
    )


def no_promise(*_: object) -> Guarantee:
    """That of a method without noise, whatever it is given."""
    return not_private("no noise was added.")


def not_private(reason: str) -> Guarantee:
    """A guarantee of no privacy, with the reason."""
    return Guarantee(
        Status.NOT_PRIVATE, math.inf, 1.0, (), Adjacency.REPLACE_ONE, (reason,), releasable=False
    )


def _assumed(rests_on: tuple[str, ...], corpus: AnyCorpus) -> list[str]:
    """Assumptions worded for the corpus' unit; where persons are protected, their neighbors come first."""
    if corpus.of_persons:
        rests_on = (
            Assumption.NEIGHBOURS,
            *(one for one in rests_on if one is not Assumption.NEIGHBOURS),
        )
    selected = corpus.selection is not None
    return [
        one.of(corpus.unit, selected=selected) if isinstance(one, Assumption) else one
        for one in rests_on
    ]


def _selected(selection: Selection, unit: str) -> str:
    listed = (
        f" Words of a public list of {len(selection.listed):,} need no threshold."
        if selection.listed
        else ""
    )
    return (
        f"{SELECTED}: a {unit} gives each of its n words 1/√n, for at most {MOST_NAMED}"
        f" words. A first round drops words whose noisy sum leaves them no chance. A second one picks words whose noisy"
        f" sum passes a threshold.{listed} The promise covers words and topics together. The words"
        f" alone cost ε = {short(selection.epsilon)} and δ = {short(selection.delta)}."
    )


def _delta(plan: Plan, releases: tuple[Release, ...]) -> float:
    if not releases:
        return 0.0 if plan.variant.law is NoiseLaw.LAPLACE else plan.delta
    return plan.delta if any(release.mu for release in releases) else 0.0


def _check_spending(plan: Plan, releases: tuple[Release, ...]) -> None:
    pure = math.fsum(release.pure_epsilon for release in releases)
    if pure:
        if pure > plan.epsilon * (1 + 1e-12) or any(release.mu for release in releases):
            raise RuntimeError(f"releases of ε = {pure:g} exceed the plan's budget")
        return
    spent = gaussian.compose([release.mu for release in releases])
    if spent > gaussian.mu_for(plan.epsilon, (1 - plan.variant.failure) * plan.delta) * (1 + 1e-12):
        raise RuntimeError(f"releases of μ = {spent:g} exceed the plan's budget")
