"""Attacks and sabotages of every method in the registry, or the reason why it has none."""

from functools import lru_cache

from dplda.attacks.audit import sabotage as ways
from dplda.attacks.audit.attack import Attack
from dplda.attacks.audit.minibatches import VARIATIONAL
from dplda.attacks.audit.neighbours import WORD_OR_OTHER
from dplda.attacks.audit.promise import MOST, promised
from dplda.attacks.audit.sabotage import Sabotage
from dplda.attacks.audit.worst_cases import ATTACKS
from dplda.core.errors import NotReleasable
from dplda.methods.full_batch_methods import refined
from dplda.methods.full_batch_vi.recipe import Recipe
from dplda.methods.method import Method
from dplda.methods.registry import METHODS, parse_method
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.release import Guarantee, Status


def _attack(method: Method, title: str, edge: str, stream: str = "") -> Attack:
    return Attack(method=method, name=title, title=title, edge=edge, pair=WORD_OR_OTHER, stream=stream, reads_bits=True)


def _refined(words_share: float, steps: int) -> Method:
    return refined(Recipe(border=0.0, infeasible=1e9, plenty=1e-30, words_share=words_share, steps=steps))


REFINED = (
    _attack(_refined(MOST, 1), "word counts", "words", "words clipped word counts"),
    _attack(_refined(1 - MOST, 1), "a step", "steps", "steps clipped statistic of a step"),
    _attack(_refined(0.25, 3), "a whole run", "all"),
)
UNIGRAM = (_attack(parse_method("private-unigram"), "word counts", "words"),)
KNOWN = (*REFINED, *UNIGRAM, *VARIATIONAL, *ATTACKS)


def attacks(method: Method) -> tuple[Attack, ...]:
    """The audited releases of a method, each with its worst neighbors; empty where none are known."""
    return tuple(attack for attack in KNOWN if attack.method.text == method.text)


def audited_methods() -> dict[str, Method]:
    """Methods with an audit, by name."""
    return {text: method for text, method in METHODS.items() if attacks(method)}


def not_audited() -> dict[str, str]:
    """Reasons why the other methods have no audit, by name."""
    return {text: _why(method) for text, method in METHODS.items() if not attacks(method)}


def _why(method: Method) -> str:
    match method.status:
        case Status.NOT_PRIVATE:
            return "it promises nothing"
        case Status.AS_PUBLISHED:
            return "its published proof has a known gap, so there is no promise to test"
        case Status.PROVEN:
            return "its worst-case neighbors are not known yet"


@lru_cache(maxsize=64)
def not_releasable(method: Method) -> str:
    """The refusal of a run with a release's noise; empty where it can be audited."""
    try:
        for attack in attacks(method):
            attack.seen(promised(10.0, exact=True), 1)
    except NotReleasable as refusal:
        return str(refusal)
    return ""


def sabotages(method: Method, promise: Guarantee) -> dict[str, Sabotage]:
    """Ways to break a method's promise, by name."""
    known = attacks(method)
    edges = dict.fromkeys(attack.edge for attack in known if attack.edge != "all")
    found = [ways.HALF, ways.PUBLISHED, ways.REUSED, *map(ways.without, edges)]
    if any(attack.reads_bits for attack in known):
        found.append(ways.LAST_BITS)
    if known == VARIATIONAL:
        found.append(ways.EVERYONE)
    if promise.adjacency is Adjacency.REPLACE_PERSON:
        found.append(ways.BY_DOCUMENT)
    return {way.name: way for way in found}
