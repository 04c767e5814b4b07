"""Attacks and sabotages of every method in the registry, or the reason why it has none."""

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from dplda.attacks.audit import sabotage as ways
from dplda.attacks.audit.attack import Attack
from dplda.attacks.audit.minibatches import VARIATIONAL
from dplda.attacks.audit.neighbours import BORNE_OUT_OR_NOT, FOR_OR_AGAINST_A_TABLE, WORD_OR_OTHER
from dplda.attacks.audit.promise import ATTACKED_SHARE, make_promise
from dplda.attacks.audit.sabotage import Sabotage
from dplda.attacks.audit.worst_cases import ATTACKS
from dplda.core.errors import NotReleasable
from dplda.methods.base.method import Method
from dplda.methods.denoising.word_frequencies import MIN_SHARE
from dplda.methods.refined.plan.constants import RefinedConstants
from dplda.methods.refined.prior.topic_prior import TopicPrior
from dplda.methods.refined.refined_methods import refined
from dplda.methods.registry import METHODS, parse_method
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.release import Guarantee, Status


def _attack(method: Method, title: str, edge: str, stream: str = "") -> Attack:
    """Make an attack on one stream of a method's releases, or on all, by documents of one word.

    It reads last bits.
    """
    return Attack(
        method=method,
        name=title,
        title=title,
        edge=edge,
        pair=WORD_OR_OTHER,
        stream=stream,
        reads_bits=True,
    )


def _refined(words_share: float, steps: int, evidence: float = MIN_SHARE) -> Method:
    """Refined without a start: word counts, steps and evidence alone take the budget."""
    constants = RefinedConstants(
        max_start_noise=0.0,
        noise_where_topics_are_infeasible=1e9,
        low_noise=1e-30,
        word_share=words_share / (1 - evidence),
        n_steps=steps,
        max_evidence_share=evidence,
    )
    return refined(constants)


_THEMES = np.repeat(np.eye(2), 6, axis=1)  # of twelve words; a thirteenth is in both
_COUNTS_OF_THEMES = np.full(12, 1e6)
_WEIGHTED_THEMES = 3e6 * _THEMES
_ANSWERS = {
    "words clipped word counts": np.append(_COUNTS_OF_THEMES, 1e9),
    "steps clipped statistic of a step": np.column_stack([_WEIGHTED_THEMES, [5e8, 5e8]]),
}
_SHARE_OF_OTHERS = 1 - ATTACKED_SHARE
_EVIDENCE_ALONE = _refined(words_share=_SHARE_OF_OTHERS / 2, steps=1, evidence=ATTACKED_SHARE)
_EVIDENCE = Attack(
    method=_EVIDENCE_ALONE,
    name="evidence",
    title="evidence",
    edge="evidence",
    pair=BORNE_OUT_OR_NOT,
    stream="evidence gains over word frequencies",
    answers=_ANSWERS,
    sensitivity_per_part=math.sqrt(10 / 3.25),
    attained_share=0.995,
)


def _prior_of_two_themes(n_topics: int, words: tuple[str, ...]) -> TopicPrior:
    """A table that knows the first twelve words, each of one theme; a table of two topics."""
    ratios = np.exp(9 * _THEMES)
    return TopicPrior("two themes", "audits", words[:12], ratios)


_REFINED_FOR_GATE = refined(
    RefinedConstants(
        prior_test_share=ATTACKED_SHARE,
        max_evidence_share=MIN_SHARE,
        max_start_noise=0.0,
        n_steps=1,
    ),
    _prior_of_two_themes,
)
_GATE = Attack(
    method=replace(parse_method("refined-english"), fit=_REFINED_FOR_GATE.fit),
    name="table",
    title="table",
    edge="gate",
    pair=FOR_OR_AGAINST_A_TABLE,
    stream="gate advantage of a table",
    answers=_ANSWERS,
    sensitivity_per_part=2.0,
)


_COUNTS_ALONE = _refined(words_share=ATTACKED_SHARE, steps=1)
_STEP_ALONE = _refined(words_share=1 - ATTACKED_SHARE - MIN_SHARE, steps=1)
_THREE_STEPS = _refined(words_share=0.25, steps=3)
_CONTINUED = _attack(_THREE_STEPS, "a continued release", "all")

REFINED = (
    _attack(_COUNTS_ALONE, "word counts", "words", stream="words clipped word counts"),
    _attack(_STEP_ALONE, "a step", "steps", stream="steps clipped statistic of a step"),
    _attack(_THREE_STEPS, "a whole run", "all"),
    _EVIDENCE,
    replace(_CONTINUED, first_share=0.9, reads_bits=False),
)
_COUNTS = _attack(parse_method("private-unigram"), "word counts", "words")
_CHAIN = replace(
    _COUNTS,
    name="continued",
    title="a continued release",
    edge="all",
    first_share=0.9,
    reads_bits=False,
)
UNIGRAM = (_COUNTS, _CHAIN)
KNOWN = (*REFINED, _GATE, *UNIGRAM, *VARIATIONAL, *ATTACKS)


def attacks_on(method: Method) -> tuple[Attack, ...]:
    """Audited releases of a method, each with its worst neighbors; empty where none are known."""
    return tuple(attack for attack in KNOWN if attack.method.key == method.key)


def audited_methods() -> dict[str, Method]:
    """Methods with an audit, by name."""
    methods_by_text = METHODS.items()
    return {text: method for text, method in methods_by_text if attacks_on(method)}


def reasons_without_audit() -> dict[str, str]:
    """Reasons why the other methods have no audit, by name."""
    methods_by_text = METHODS.items()
    return {text: _why(method) for text, method in methods_by_text if not attacks_on(method)}


def _why(method: Method) -> str:
    """Why a method has no audit, as a clause that follows from its status."""
    match method.status:
        case Status.NOT_PRIVATE:
            return "it promises nothing"
        case Status.AS_PUBLISHED:
            return "its published proof has a known gap, so there is no promise to test"
        case Status.PROVEN:
            return "its worst-case neighbors are not known yet"


@lru_cache(maxsize=64)
def why_not_releasable(method: Method) -> str:
    """Why a run with a release's noise cannot be audited; empty if it can.

    Makes a run of each attack on both neighbors, and returns the first refusal of its noise.

    Raises:
        DpldaError: a run was refused for another reason than ``NotReleasable``.
    """
    try:
        for attack in attacks_on(method):
            attack.sample_scores(make_promise(10.0, exact=True), 1)
    except NotReleasable as refusal:
        return str(refusal)
    return ""


def sabotages_of(method: Method, promise: Guarantee) -> dict[str, Sabotage]:
    """List the ways to break a method's promise that an attack on it could notice, by name.

    Half the noise, the published sensitivity and a reused seed are always listed; no noise on an
    edge, for every attacked edge.

    Those for last bits, samples, two releases, minibatches and persons only where there are any.
    ``HONEST`` is not listed.
    """
    attacks = attacks_on(method)
    sabotages = [ways.HALF, ways.PUBLISHED, ways.REUSED]
    attacked_edges = dict.fromkeys(attack.edge for attack in attacks)
    for edge in attacked_edges:
        if edge != "all":
            sabotages.append(ways.drop_noise_on(edge))
    if any(attack.reads_bits for attack in attacks):
        sabotages.append(ways.LAST_BITS)
    if attacks in (REFINED, UNIGRAM):
        sabotages.append(ways.SAMPLED)
    if any(attack.first_share for attack in attacks):
        sabotages += [ways.UNPAID, ways.AGAIN]
    if attacks == VARIATIONAL:
        sabotages.append(ways.EVERYONE)
    if promise.adjacency is Adjacency.REPLACE_PERSON:
        sabotages.append(ways.BY_DOCUMENT)
    return {way.name: way for way in sabotages}
