"""A live audit: lower bounds climb toward the claim, in small steps of a fragment, with a Stop button."""

import math
import time
from dataclasses import dataclass

import streamlit as st

from dplda import figures
from dplda.attacks.audit.audited import audited_methods, reasons_without_audit, sabotages_of
from dplda.attacks.audit.harness import AttackResult, Audit, Verdict
from dplda.attacks.audit.promise import make_promise
from dplda.attacks.audit.sabotage import HALF, HONEST, SAMPLED
from dplda.methods.registry import METHODS, parse_method
from dplda.privacy.release import Guarantee
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, glossary
from dplda.ui.shell.views import choose_one
from dplda.ui.state.keys import Key
from dplda.ui.state.progress import time_left

TICK, SHARE = 0.3, 0.12  # seconds between two steps, and of each that is spent on runs
BATCHES = 20
EPSILONS = (2.0, 5.0, 10.0)
EASY, BREAKABLE, BROKEN = (
    10.0,
    "shared-moment/corrected",
    HALF,
)  # the whole audit takes some seconds
ICONS = {
    Verdict.HOLDS: ":green[**holds**]",
    Verdict.CAUGHT: ":red[**caught**]",
    Verdict.UNDECIDED: "**undecided**",
}


@dataclass(slots=True)
class Live:
    """What a session watches: an audit of a method, a sabotage and a promise."""

    of: tuple[str, str, Guarantee]
    audit: Audit
    running: bool
    seconds: float = 0.0  # spent so far


def draw() -> None:
    """Draw the chart, the controls, the verdicts at the end, and what an audit cannot show."""
    st.button(
        f"Show me a broken method: {BROKEN.title.lower()}",
        icon=":material/heart_broken:",
        key=Key.AUDIT_BROKEN,
        on_click=_break,
        help=f"Breaks a proven method on purpose and audits it. {BROKEN.says}",
    )
    told, picture = st.container(), st.container()
    live = _live()
    if live.of[:2] == (BREAKABLE, BROKEN.name):
        title = parse_method(audited_methods()[BREAKABLE].name).title
        with told:
            st.markdown(f"Audited now: **{title}**, broken on purpose. {BROKEN.says}")
    with picture:
        st.fragment(_part, run_every=TICK if live.running else None, key=Key.AUDIT_PART)(
            live.running
        )
    if live.audit.done:
        figure_view.draw_table((_row(live.audit, tried) for tried in live.audit.results), "release")
    st.markdown(
        "**A bound below the claim proves nothing**: only the proof protects. A bound above it proves that the method"
        " is less private than it says. Measuring random neighbors cannot replace the proof: try the sabotage"
        f" “{SAMPLED.title}” of Refined."
    )
    reasons: dict[str, list[str]] = {}
    for text, why in reasons_without_audit().items():
        reasons.setdefault(why, []).append(METHODS[text].title)
    with st.expander("What the audit cannot attack, and why", icon=":material/gavel:"):
        st.markdown("\n".join(f"- {' · '.join(titles)}: {why}." for why, titles in reasons.items()))


def _live() -> Live:
    """The audit that the controls ask for, started over when they change."""
    known = audited_methods()
    first, second, third = st.columns([3, 2, 3], vertical_alignment="bottom")
    text = first.selectbox(
        "Method",
        list(known),
        index=list(known).index("adaptive/corrected"),
        format_func=lambda name: ", ".join(
            filter(None, (parse_method(known[name].name).title, known[name].scaling))
        ),
        key=Key.AUDIT_METHOD,
        help=glossary.with_terms(
            "Methods whose worst-case neighbors are known.",
            "audit release sensitivity adjacency configuration as_published unigram",
        ),
        persist_state="session",
    )
    with second:
        epsilon = choose_one(
            "Claimed ε",
            EPSILONS,
            first=EASY,
            format_func=lambda value: f"{value:g}",
            key=Key.AUDIT_EPSILON,
            help="A small ε needs many more runs.",
        )
    ways = sabotages_of(known[text], make_promise(epsilon))
    name = third.selectbox(
        "Sabotage",
        ["", *ways],
        format_func=lambda way: ways[way].title if way in ways else "None: the method as it is",
        key=f"{Key.AUDIT_SABOTAGE}.{text}",
        help="Break the promise on purpose, and see whether the audit finds it.",
    )
    live: Live | None = st.session_state.get(Key.AUDIT_LIVE)
    if live is None or live.of != (text, name, make_promise(epsilon)):
        with st.spinner("Computing how many runs this takes …"):
            live = _begun(
                text, name, epsilon, running=live is not None and (live.running or live.audit.done)
            )
    return live


def _break() -> None:
    """Set the controls to a sabotage that is caught at once, and start."""
    st.session_state[Key.AUDIT_METHOD], st.session_state[Key.AUDIT_EPSILON] = BREAKABLE, EASY
    st.session_state[f"{Key.AUDIT_SABOTAGE}.{BREAKABLE}"] = BROKEN.name
    _begun(BREAKABLE, BROKEN.name, EASY, running=True)


def _begun(text: str, way: str, epsilon: float, *, running: bool) -> Live:
    method, promise = audited_methods()[text], make_promise(epsilon)
    sabotage = sabotages_of(method, promise).get(way, HONEST)
    live = Live(
        (text, way, promise), Audit(method, promise, sabotage=sabotage, batches=BATCHES), running
    )
    st.session_state[Key.AUDIT_LIVE] = live
    return live


def _part(ticks: bool) -> None:
    """Do some runs and draw all so far; the page is run again when the audit starts or stops."""
    live: Live = st.session_state[Key.AUDIT_LIVE]
    began = time.monotonic()
    while live.running and not live.audit.done and time.monotonic() < began + SHARE:
        live.audit.step()
    live.seconds += max(TICK, time.monotonic() - began)
    _picture(live)
    live.running = live.running and not live.audit.done
    if live.running != ticks:
        st.rerun()


def _picture(live: Live) -> None:
    audit = live.audit
    lines = [
        figures.BoundLine(
            tried.attack.name,
            tuple(tried.runs),
            tuple(tried.epsilons(audit.promise)),
            tried.attack.as_epsilon(tried.claimed_loss, audit.promise),
        )
        for tried in audit.results
    ]
    figure = figures.audit_bounds(
        lines, title=_finding(audit), runs=audit.runs, epsilon=audit.promise.epsilon
    )
    figure_view.draw(figure, Key.AUDIT_PICTURE, tools=False)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Done"
            if audit.done
            else "Stop"
            if live.running
            else "Go on"
            if audit.fraction
            else "Start",
            icon=":material/stop_circle:" if live.running else ":material/play_arrow:",
            type="secondary" if live.running else "primary",
            key=Key.AUDIT_STOP,
            on_click=setattr,
            args=(live, "running", not live.running),
            disabled=audit.done,
        )
        rest = time_left(live.seconds, audit.fraction) if live.running else ""
        st.progress(
            audit.fraction, text=f"{audit.runs:,} runs of each release on each neighbor{rest}"
        )


def _row(audit: Audit, tried: AttackResult) -> dict[str, str]:
    if tried.refusal:
        return {
            "release": literal(tried.attack.title),
            "verdict": f"refused: {literal(tried.refusal)}",
        }
    least = audit.smallest_factor_found(tried)
    return {
        "release": literal(tried.attack.title),
        "verdict": ICONS[audit.verdict(tried)],
        "ε, at least": f"{tried.attack.as_epsilon(tried.lower, audit.promise):.3g}",
        "finds noise too small": f"{least:.1f} ×" if math.isfinite(least) else "not yet",
        "neighbors / sensitivity": f"{tried.search.largest_ratio:.4f}",
        f"noise / declared {'size' if tried.noise_fit.laplace else 'variance'}": f"{tried.noise_fit.relative_size:.3f}",
    }


def _finding(audit: Audit) -> str:
    if caught := [tried for tried in audit.results if tried.lower > tried.claimed_loss]:
        worst = max(caught, key=lambda tried: tried.lower / tried.claimed_loss)
        bound, claim = worst.attack.as_epsilon(worst.lower, audit.promise), audit.promise.epsilon
        return f"Caught in {worst.attack.name}: ε is at least {bound:.3g}, where {claim:.3g} was claimed"
    if not audit.done:
        return (
            "No bound has reached the claim so far"
            if audit.fraction
            else "How far will the bounds climb?"
        )
    found = next((tried for tried in audit.results if audit.verdict(tried) is Verdict.CAUGHT), None)
    if found is None:
        return "Nothing found: no bound reaches the claim"
    why = (
        "its noise is not as declared" if found.search.holds else "neighbors exceed its sensitivity"
    )
    return f"Caught in {found.attack.name}: {why}"
