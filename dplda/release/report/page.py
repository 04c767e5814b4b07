"""The page itself: what was found, what it may be trusted for, what is promised, how it was made."""

import math
from collections.abc import Iterator

import numpy as np

from dplda.core.formatting import COVERAGE, WITHOUT_TOPICS, counted, differing
from dplda.evaluation.divergence import jensen_shannon
from dplda.evaluation.relevance import most_probable
from dplda.evaluation.scaling import classical_scaling
from dplda.figures import theme
from dplda.privacy.odds import LADDER, best_guess, in_hundred, odds, one_in, plainly, short
from dplda.privacy.release import Guarantee, Status
from dplda.release.report import style
from dplda.release.report.markup import bar, bullets, plane, table, text, word
from dplda.release.report.released import Released

WORDS_SHOWN = 10

HIDES = "to hide each single one; how far that goes is said below."
OF_DOCUMENTS = (
    "The promise is about one document. Somebody who wrote several of them is protected less: m documents together"
    " count as ε times m, and δ grows faster."
)
OF_PERSONS = (
    "The promise is about one person and all they wrote, which is read as one document. It does not hide what others"
    " wrote of them."
)
LIMITS = (
    "A topic is a list of word frequencies that a computer found; what it means, and its name where somebody gave it"
    " one, is a reading by people.",
    OF_DOCUMENTS,
    "The promise does not hide what holds of the documents as a whole. It also does not undo what is already known from"
    " elsewhere.",
    "Every further private result on the same documents is paid for on top of this one: at worst their ε add up.",
)


def page(run: Released) -> str:
    """A run as one HTML page; the same run gives the same bytes."""
    title = f"Topics of {run.documents}"
    body = "".join((_head(run, title), _topics(run), _map(run), _promise(run), _reading(run), _limits(run), _made(run)))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{text(title)}</title><style>{style.CSS}</style></head><body><main>{body}</main></body></html>\n"
    )


def letter(place: int) -> str:
    """A, B, …, Z, AA, …: a topic's letter by its place from 0."""
    return (letter(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)


def _head(run: Released, title: str) -> str:
    person = run.guarantee.adjacency.unit == "person"
    number = "" if run.n_documents is None else f"{run.n_documents:,} "
    size = f"the documents of {number}persons" if person else f"{number}documents"
    hidden = "so that hardly anything shows of a single one." if run.guarantee.status is Status.PROVEN else HIDES
    return (
        f"<header><h1>{text(title)}</h1><p>What {size} are about, found under differential privacy: random"
        f" noise was added to whatever was read off them, {hidden}</p>{_warning(run.guarantee)}</header>"
    )


def _warning(guarantee: Guarantee) -> str:
    """What sets this draw apart from the mechanism; the first thing to be read, and nothing of a release."""
    if guarantee.releasable:
        return ""
    said = [f"{caveat[:1].upper()}{caveat[1:]}." for caveat in guarantee.caveats]
    if guarantee.mechanism is Status.AS_PUBLISHED:
        said.insert(0, "The proof of this method, as published, has a known gap.")
    if not guarantee.releasable:
        said.append("This is not a release of protected documents.")
    return f'<p class="note"><strong>Before you read on.</strong> {text(" ".join(said))}</p>'


def _topics(run: Released) -> str:
    shown = run.readable
    hidden, missing = len(run.words) - len(shown), run.n_topics - len(run.words)
    asked = f"{run.n_topics} topics were asked for."
    if run.from_unigram is not None:
        said = f"{asked} {differing(len(shown), run.n_topics)}"
    elif missing:
        said = f"{asked} {counted(len(shown), 'direction rises', 'directions rise')} above the noise. {WITHOUT_TOPICS}"
    else:
        said = f"{asked} This method does not say of a topic how much of it is noise: read the words with care."
    longest = max((_reach(run, i) for i in shown), default=1.0)
    cards = "".join(_card(run, i, longest) for i in shown)
    return (
        f'<section aria-labelledby="topics"><h2 id="topics">Topics</h2><p>{said} Bars are as long as a word is'
        f' frequent in a topic.</p><div class="cards">{cards}</div>'
        f"{_unreadable(hidden, missing)}</section>"
    )


def _unreadable(hidden: int, missing: int) -> str:
    if not hidden and not missing:
        return ""
    if hidden:
        why = (
            f"{_topics_are(hidden)} not shown: taken together, the words are no further from those of all documents"
            " than the noise and other known errors would bring them."
        )
    else:
        why = f"{_topics_are(missing)} not shown: the noise hides what would tell them."
    return (
        f"<h3>Not readable at this ε</h3><p>{why} More documents, fewer topics or a weaker promise (a larger ε) could"
        " bring them out.</p>"
    )


def _topics_are(n: int) -> str:
    return f"{n} topic is" if n == 1 else f"{n} topics are"


def _reach(run: Released, topic: int) -> float:
    ends = run.words if run.upper is None else run.upper
    return float(np.max(ends[topic][most_probable(run.words[topic], WORDS_SHOWN)]))


def _card(run: Released, topic: int, longest: float) -> str:
    colour = theme.topic_colour(topic + 1)
    return (
        f'<article class="card"><h3>{_letter(topic)}{text(run.titles[topic])}</h3>'
        f'<p class="quiet">{run.shares[topic]:.0%} of all words</p>'
        f'<ol class="words">{"".join(_words(run, topic, longest, colour))}</ol></article>'
    )


def _letter(topic: int) -> str:
    colour = theme.topic_colour(topic + 1)
    return f'<span class="letter" style="background: {colour}{round(255 * style.OPACITY):02x}">{letter(topic)}</span>'


def _words(run: Released, topic: int, longest: float, colour: str) -> Iterator[str]:
    for index in most_probable(run.words[topic], WORDS_SHOWN):
        chance, ends, said = float(run.words[topic, index]), None, ""
        if run.lower is not None and run.upper is not None:
            ends = float(run.lower[topic, index]), float(run.upper[topic, index])
            said = f" ({100 * ends[0]:.1f}–{100 * ends[1]:.1f})"
        drawn = bar(chance, longest, colour, ends)
        yield (
            f"<li>{drawn}<span>{word(run.vocabulary[index])}</span>"
            f'<span class="chance">{100 * chance:.1f} %{said}</span></li>'
        )


def _map(run: Released) -> str:
    shown = run.readable
    if len(shown) < 2:
        return ""
    rows = run.words[list(shown)]
    distances = jensen_shannon(rows, rows)
    found = classical_scaling(distances)
    upper = np.triu_indices(len(shown), 1)
    near, far = (int(pick(distances[upper])) for pick in (np.argmin, np.argmax))
    pairs = [(shown[int(upper[0][pair])], shown[int(upper[1][pair])]) for pair in (near, far)]
    alike, apart = (f"{letter(i)} ({run.titles[i]}) and {letter(j)} ({run.titles[j]})" for i, j in pairs)
    said = f"Most alike are {alike}"
    said += "." if len(shown) == 2 else f"; furthest apart are {apart}."
    letters, titles = [letter(i) for i in shown], [run.titles[i] for i in shown]
    legend = "".join(f"<li>{_letter(i)}{text(run.titles[i])}</li>" for i in shown)
    return (
        '<section aria-labelledby="map"><h2 id="map">Map of topics</h2><figure>'
        f"{plane(found.points, run.shares[list(shown)], letters, titles)}"
        f'<figcaption id="map-said">Circles near each other use similar words; the area of a circle is its share of'
        f" all words. {text(said)} A flat map cannot show every distance: this one holds {found.shown:.0%} of them."
        f'</figcaption></figure><ul class="legend">{legend}</ul></section>'
    )


def _promise(run: Released) -> str:
    guarantee = run.guarantee
    return (
        '<section aria-labelledby="promise"><h2 id="promise">What is promised</h2>'
        f"<p>{text(_plainly(guarantee))}</p><p><strong>{text(guarantee.in_words())}</strong></p>"
        f"<h3>What this rests on</h3>{bullets(guarantee.rests_on)}</section>"
    )


def _plainly(guarantee: Guarantee) -> str:
    if guarantee.mechanism is Status.NOT_PRIVATE:
        return "Nothing is promised: whoever reads this may learn what stands in a single document."
    epsilon, delta = guarantee.claimed_epsilon, guarantee.claimed_delta
    said = plainly(epsilon, delta, guarantee.adjacency.unit)
    if guarantee.mechanism is Status.AS_PUBLISHED:
        return (
            f"As its authors meant it: {said[:1].lower()}{said[1:]} Their proof has a known gap, so do not rely on it."
        )
    if guarantee.status is Status.NOT_PRIVATE:
        return (
            f"The method by itself keeps this promise: {said[:1].lower()}{said[1:]} This run does not, as said above."
        )
    return said


def _reading(run: Released) -> str:
    claimed, delta = run.guarantee.claimed_epsilon, run.guarantee.claimed_delta
    ladder = sorted({*LADDER, claimed}) if math.isfinite(claimed) else list(LADDER)
    here = " (this report)" if run.guarantee.status is Status.PROVEN else " (claimed here)"
    rows = [
        (f"{short(one)}{here if one == claimed else ''}", odds(one), in_hundred(best_guess(one, delta)))
        for one in ladder
    ]
    unit = run.guarantee.adjacency.unit
    versions = "what one person wrote" if unit == "person" else "a document"
    columns = ("ε", "odds at most", f"a guess between two {unit}s is right at most")
    chance = (
        f"δ is how much probability may slip past the promise of ε, here {one_in(delta)}."
        if run.guarantee.mechanism is not Status.NOT_PRIVATE
        else ""
    )
    return (
        '<section aria-labelledby="reading"><h2 id="reading">How to read ε</h2>'
        f"<p>ε says how much a single {unit} may change the chances of what is seen. At ε = 0 nothing can be learned of"
        f" one. <em>Odds</em>: somebody who thought two versions of {versions} equally likely may afterwards hold one"
        f" for this many times likelier than the other, not more. {chance}</p>"
        f"{table('ε, and what it lets others guess', columns, rows)}</section>"
    )


def _limits(run: Released) -> str:
    person = run.guarantee.adjacency.unit == "person"
    said = [OF_PERSONS if person and limit is OF_DOCUMENTS else limit for limit in LIMITS]
    if run.lower is not None:
        said.append(
            f"Ranges behind percentages hold the value that noise and the choice of documents hide: {COVERAGE}. On real"
            " text the error can be larger."
        )
    return f'<section aria-labelledby="limits"><h2 id="limits">Limits</h2>{bullets(said)}</section>'


def _made(run: Released) -> str:
    unit = run.guarantee.adjacency.unit
    facts = [
        ("Method", run.method),
        (
            f"{unit.capitalize()}s",
            "not said" if run.n_documents is None else f"{run.n_documents:,}",
        ),
        ("Words in the vocabulary", f"{len(run.vocabulary):,}"),
        ("Topics asked for (k)", f"{run.n_topics}"),
        ("Mixing of topics (α₀)", f"{run.alpha0:g}"),
        ("Privacy loss (ε)", short(run.guarantee.claimed_epsilon)),
        ("Failure chance (δ)", short(run.guarantee.claimed_delta)),
        ("Protected", run.guarantee.adjacency.value),
    ]
    drawn = [
        (
            one.quantity + (f", {one.times} times" if one.times > 1 else ""),
            " × ".join(f"{size:,}" for size in one.shape) or "one number",
            f"{one.sensitivity:.3g}",
            f"{one.scale:.3g}",
        )
        for one in run.drawn
    ]
    signed = (
        " Nobody has signed this page: the released file, whose SHA-256 stands on its owner's receipt, makes it again."
    )
    again = signed if run.guarantee.releasable else " The run card, a file of its own, repeats the run."
    columns = (
        "what was released",
        "size",
        f"one {unit} moves it by at most",
        "size of the noise",
    )
    return (
        '<section aria-labelledby="made"><h2 id="made">How it was made</h2>'
        f"{table('The run', ('what', 'value'), facts)}{table('Every noisy value that was drawn', columns, drawn)}"
        '<p class="quiet">Everything on this page was worked out from these noisy values and from what was public'
        f" before.{again}</p></section>"
    )
