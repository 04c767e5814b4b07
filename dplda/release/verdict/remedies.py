"""Changes of a release that would improve its verdict, one at a time or two together."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from dplda.release.verdict.signal_strength import PublicNumbers
from dplda.release.verdict.verdict import Readability, foresee
from dplda.release.verdict.word_count import min_words

MAX_EPSILON = 5.0
"""Largest ε that is offered; more protects next to nothing."""

FRACTIONS_OF_WORDS = (0.5, 0.3, 0.2, 0.1, 0.05, 0.03)
FEWEST_TOPICS = 3


@dataclass(frozen=True, slots=True)
class Remedy:
    """Changes of a release, and the verdict that they lead to.

    Attributes:
        numbers: public numbers after the change.
        readability: the verdict on them.
        n_words: a new number of listed words; None where it stays.
        n_topics: a new number of topics; None where it stays.
        epsilon: a new budget; None where it stays.
        protects_documents: whether documents are protected in place of persons.
        drops_table: whether public knowledge is left out.
    """

    numbers: PublicNumbers
    readability: Readability
    n_words: int | None = None
    n_topics: int | None = None
    epsilon: float | None = None
    protects_documents: bool = False
    drops_table: bool = False

    def describe(self) -> str:
        """List the changed settings, as part of a sentence; empty for none."""
        setting_texts = []
        if self.epsilon is not None:
            setting_texts.append(f"ε = {self.epsilon:g}")
        if self.n_words is not None:
            setting_texts.append(f"a list of {self.n_words:,} words")
        if self.n_topics is not None:
            setting_texts.append(f"{self.n_topics} topics")
        if self.protects_documents:
            setting_texts.append("protect documents, not persons")
        if self.drops_table:
            setting_texts.append("no public knowledge")
        return " and ".join(setting_texts)


def find_remedies(
    numbers: PublicNumbers,
    *,
    epsilons: Iterable[float],
    n_documents: int | None = None,
    can_change_words: bool = True,
) -> tuple[Remedy, ...]:
    """Find the smallest changes of a setting that improve a verdict, each alone.

    The settings are ε (up to ``MAX_EPSILON``), the number of words, that of topics, no public
    table, and documents protected in place of persons. Pairs of a larger ε and the shortest word
    list are tried where no single change makes topics readable, and the number of words may
    change; the best pair comes last, if it beats every single one.

    Args:
        numbers: public numbers of the release.
        epsilons: values of ε that may be chosen, ascending.
        n_documents: number of documents, where persons are protected and the owner may protect
            documents instead; None where not.
        can_change_words: whether the number of words may be chosen.

    Returns:
        For each kind of change, in the order above, the smallest one that reaches the best verdict
        it can; kinds that improve nothing are left out. Empty where topics are readable already.
    """
    current_readability = foresee(numbers).readability
    if current_readability is Readability.READABLE:
        return ()
    smaller_word_limits = _fewer_words(numbers) if can_change_words else ()
    larger_epsilons = [
        new_value for new_value in epsilons if numbers.epsilon < new_value <= MAX_EPSILON
    ]
    remedies = [
        _best(
            current_readability,
            (Change(epsilon=new_value) for new_value in larger_epsilons),
            numbers,
        ),
        _best(
            current_readability,
            (Change(n_words=new_value) for new_value in smaller_word_limits),
            numbers,
        ),
        _best(
            current_readability,
            (Change(n_topics=new_value) for new_value in _fewer_topics(numbers)),
            numbers,
        ),
        _best(
            current_readability, [Change(drops_table=True)] if numbers.has_table else [], numbers
        ),
    ]
    if n_documents is not None:
        remedies.append(_best(current_readability, [Change(n_documents=n_documents)], numbers))
    single_remedies = tuple(remedy for remedy in remedies if remedy is not None)
    best_single_readability = max(
        (remedy.readability for remedy in single_remedies), key=_rank, default=current_readability
    )
    if best_single_readability is Readability.READABLE or not smaller_word_limits:
        return single_remedies
    pairs_of_changes = (
        Change(epsilon=new_value, n_words=smaller_word_limits[-1]) for new_value in larger_epsilons
    )
    pair_remedy = _best(best_single_readability, pairs_of_changes, numbers)
    return single_remedies if pair_remedy is None else (*single_remedies, pair_remedy)


@dataclass(frozen=True, slots=True)
class Change:
    """New values of public numbers; None for what stays.

    Attributes:
        n_words: number of listed words.
        n_topics: number of topics.
        epsilon: budget of the topics.
        n_documents: number of documents, which are protected in place of persons.
        drops_table: whether public knowledge is left out.
    """

    n_words: int | None = None
    n_topics: int | None = None
    epsilon: float | None = None
    n_documents: int | None = None
    drops_table: bool = False

    def apply(self, numbers: PublicNumbers) -> PublicNumbers:
        """The numbers with the changed settings in place of their own; others stay.

        Where documents are protected in place of persons, a row is one document.
        """
        if self.n_documents is not None:
            numbers = replace(numbers, n_rows=self.n_documents, documents_per_row=1.0)
        return replace(
            numbers,
            n_words=self.n_words or numbers.n_words,
            n_topics=self.n_topics or numbers.n_topics,
            epsilon=self.epsilon or numbers.epsilon,
            has_table=numbers.has_table and not self.drops_table,
        )


def _best(here: Readability, changes: Iterable[Change], numbers: PublicNumbers) -> Remedy | None:
    """The first of the changes with the best foreseen verdict; None if none beats ``here``.

    Args:
        here: verdict of the numbers as they are.
        changes: in order of preference.
        numbers: that each change is applied to.
    """
    best_remedy: Remedy | None = None
    for change in changes:
        changed_numbers = change.apply(numbers)
        readability = foresee(changed_numbers).readability
        if readability.rank <= (here if best_remedy is None else best_remedy.readability).rank:
            continue
        best_remedy = Remedy(
            changed_numbers,
            readability,
            n_words=change.n_words,
            n_topics=change.n_topics,
            epsilon=change.epsilon,
            protects_documents=change.n_documents is not None,
            drops_table=change.drops_table,
        )
    return best_remedy


def _rank(readability: Readability) -> int:
    return readability.rank


def _fewer_words(numbers: PublicNumbers) -> tuple[int, ...]:
    """Smaller numbers of words, largest first, down to what the topics need."""
    fewest = min_words(numbers.n_topics)
    sizes = (round_down(fraction * numbers.n_words) for fraction in FRACTIONS_OF_WORDS)
    candidates = dict.fromkeys(max(size, fewest) for size in sizes)
    return tuple(size for size in candidates if size < numbers.n_words)


def _fewer_topics(numbers: PublicNumbers) -> Iterator[int]:
    """Smaller numbers of topics, largest first."""
    return iter(range(numbers.n_topics - 1, FEWEST_TOPICS - 1, -1))


def round_down(number: float) -> int:
    """A number of words, rounded down to two digits."""
    whole = int(number)
    unit = int(10 ** max(0, len(str(whole)) - 2))
    return whole // unit * unit
