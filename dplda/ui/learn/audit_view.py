"""A live audit: lower bounds climb toward the claim, in small steps of a fragment, with Stop."""

import math
import time
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from dplda import figures
from dplda.attacks.audit.audited import audited_methods, reasons_without_audit, sabotages_of
from dplda.attacks.audit.harness import AttackResult, Audit, Verdict
from dplda.attacks.audit.promise import make_promise
from dplda.attacks.audit.sabotage import HALF, HONEST, SAMPLED
from dplda.methods.registry import METHODS
from dplda.privacy.release import Guarantee
from dplda.ui.literal import literal
from dplda.ui.shell import figure_view, glossary
from dplda.ui.shell.method_list import choose_method
from dplda.ui.shell.views import choose_one
from dplda.ui.state.keys import Key
from dplda.ui.state.progress import time_left

SECONDS_BETWEEN_STEPS = 0.3
SECONDS_OF_RUNS = 0.12  # that a step spends on runs
BATCHES = 20
EPSILONS = (2.0, 5.0, 10.0)
# An audit that takes some seconds as a whole, of a method broken on purpose.
EASY_EPSILON = 10.0
BREAKABLE = "shared-moment/corrected"
BROKEN = HALF
VERDICT_TEXTS = {
    Verdict.HOLDS: ":green[**holds**]",
    Verdict.CAUGHT: ":red[**caught**]",
    Verdict.UNDECIDED: "**undecided**",
}
AUDIT_TERMS = "audit release sensitivity adjacency configuration as_published unigram"
MEANING = (
    "**A bound below the claim proves nothing**: only the proof protects. A bound above it proves"
    " that the method is less private than it says. Measuring random neighbors cannot replace the"
    f" proof: try the sabotage “{SAMPLED.title}” of Refined."
)


@dataclass(slots=True)
class LiveAudit:
    """An audit that a session watches.

    Attributes:
        request: name of the method, name of the sabotage, and the promise.
        audit: the audit, which runs in steps.
        is_running: whether it goes on with the next step.
        seconds: time that it took so far.
    """

    request: tuple[str, str, Guarantee]
    audit: Audit
    is_running: bool
    seconds: float = 0.0

    def toggle(self) -> None:
        """Stop the audit, or go on with it."""
        self.is_running = not self.is_running


def draw() -> None:
    """Draw the audit: chart, controls, and what cannot be audited; verdicts once all runs are done.

    A button above starts the audit of a method that is broken on purpose; a sentence names it while
    it is the one audited. While an audit runs, the chart is drawn again by itself.
    """
    st.button(
        f"Show me a broken method: {BROKEN.title.lower()}",
        icon=":material/heart_broken:",
        key=Key.AUDIT_BROKEN,
        on_click=_start_broken,
        help=f"Breaks a proven method on purpose and audits it. {BROKEN.says}",
    )
    note_place = st.container()
    chart_place = st.container()
    live_audit = _choose_audit()
    if live_audit.request[:2] == (BREAKABLE, BROKEN.name):
        broken_title = audited_methods()[BREAKABLE].title
        with note_place:
            st.markdown(f"Audited now: **{broken_title}**, broken on purpose. {BROKEN.says}")
    with chart_place:
        seconds_between_steps = SECONDS_BETWEEN_STEPS if live_audit.is_running else None
        draw_step = st.fragment(_draw_step, run_every=seconds_between_steps, key=Key.AUDIT_PART)
        draw_step(live_audit.is_running)
    if live_audit.audit.done:
        verdict_rows = [_row(live_audit.audit, result) for result in live_audit.audit.results]
        figure_view.draw_table(verdict_rows, "release")
    st.markdown(MEANING)
    _draw_reasons_without_audit()


def _draw_reasons_without_audit() -> None:
    """Draw an expander with each reason why methods cannot be audited, and their titles."""
    titles_by_reason: dict[str, list[str]] = {}
    for method_key, reason in reasons_without_audit().items():
        titles_by_reason.setdefault(reason, []).append(METHODS[method_key].title)
    with st.expander("What the audit cannot attack, and why", icon=":material/gavel:"):
        reason_lines = [
            f"- {' · '.join(titles_of_reason)}: {reason_text}."
            for reason_text, titles_of_reason in titles_by_reason.items()
        ]
        st.markdown("\n".join(reason_lines))


def _choose_audit() -> LiveAudit:
    """Draw the controls, and return the audit that they ask for.

    Returns the audit in the session if it is of these settings. Otherwise begins a new one, which
    runs at once if the old one was running or done.
    """
    method_column, epsilon_column, sabotage_column = st.columns(
        [3, 2, 3], vertical_alignment="bottom"
    )
    with method_column:
        method_name = _choose_method()
    with epsilon_column:
        claimed_epsilon = choose_one(
            "Claimed ε",
            EPSILONS,
            first=EASY_EPSILON,
            format_func=lambda value: f"{value:g}",
            key=Key.AUDIT_EPSILON,
            help="A small ε needs many more runs.",
        )
    with sabotage_column:
        sabotage_name = _choose_sabotage(method_name, claimed_epsilon)
    current_audit: LiveAudit | None = st.session_state.get(Key.AUDIT_LIVE)
    if current_audit is not None and current_audit.request == (
        method_name,
        sabotage_name,
        make_promise(claimed_epsilon),
    ):
        return current_audit
    was_started = current_audit is not None and (
        current_audit.is_running or current_audit.audit.done
    )
    with st.spinner("Computing how many runs this takes …"):
        return _begin(method_name, sabotage_name, claimed_epsilon, is_running=was_started)


def _choose_method() -> str:
    """Draw the choice of a method with its calibration; return its key among audited methods.

    At first it is the corrected adaptive configuration.
    """
    methods = audited_methods()
    st.session_state.setdefault(Key.AUDIT_METHOD, "adaptive/corrected")
    help_text = glossary.with_terms("Methods whose worst-case neighbors are known.", AUDIT_TERMS)
    return choose_method(
        "Method",
        methods.values(),
        key=Key.AUDIT_METHOD,
        option_of=lambda method: method.key,
        text_of=lambda method: method.title,
        help_text=help_text,
    )


def _choose_sabotage(method_name: str, epsilon: float) -> str:
    """Draw the choice of a way to break this method, and return its name; empty for none."""
    sabotages = sabotages_of(audited_methods()[method_name], make_promise(epsilon))

    def describe_sabotage(name: str) -> str:
        if name not in sabotages:
            return "None: the method as it is"
        return sabotages[name].title

    return st.selectbox(
        "Sabotage",
        ["", *sabotages],
        format_func=describe_sabotage,
        key=f"{Key.AUDIT_SABOTAGE}.{method_name}",
        help="Break the promise on purpose, and see whether the audit finds it.",
    )


def _start_broken() -> None:
    """Set the controls to a sabotage that is caught at once, and start."""
    st.session_state[Key.AUDIT_METHOD] = BREAKABLE
    st.session_state[Key.AUDIT_EPSILON] = EASY_EPSILON
    st.session_state[f"{Key.AUDIT_SABOTAGE}.{BREAKABLE}"] = BROKEN.name
    _begin(BREAKABLE, BROKEN.name, EASY_EPSILON, is_running=True)


def _begin(method_name: str, sabotage_name: str, epsilon: float, *, is_running: bool) -> LiveAudit:
    """Prepare an audit, keep it in the session, and return it.

    A name that is no sabotage of this method means none.
    """
    method = audited_methods()[method_name]
    promise = make_promise(epsilon)
    sabotage = sabotages_of(method, promise).get(sabotage_name, HONEST)
    audit = Audit(method, promise, sabotage=sabotage, batches=BATCHES)
    live_audit = LiveAudit((method_name, sabotage_name, promise), audit, is_running)
    st.session_state[Key.AUDIT_LIVE] = live_audit
    return live_audit


def _draw_step(has_timer: bool) -> None:
    """Make some more runs, for ``SECONDS_OF_RUNS`` at most, and draw the results of all so far.

    Nothing is run if the audit is stopped or done. The time that passed, at least
    ``SECONDS_BETWEEN_STEPS``, is added to the audit's seconds in any case. The page is run again if
    the audit starts or stops.

    Args:
        has_timer: whether this fragment is run again by itself.
    """
    live_audit: LiveAudit = st.session_state[Key.AUDIT_LIVE]
    started_at = time.monotonic()
    while _can_go_on(live_audit) and time.monotonic() < started_at + SECONDS_OF_RUNS:
        live_audit.audit.step()
    live_audit.seconds += max(SECONDS_BETWEEN_STEPS, time.monotonic() - started_at)
    _draw_bounds(live_audit)
    live_audit.is_running = _can_go_on(live_audit)
    if live_audit.is_running != has_timer:
        st.rerun()


def _can_go_on(live_audit: LiveAudit) -> bool:
    return live_audit.is_running and not live_audit.audit.done


def _draw_bounds(live_audit: LiveAudit) -> None:
    """Draw the bounds over the runs so far, the button that starts or stops, and the progress.

    The time left is shown only while the audit runs.
    """
    audit = live_audit.audit
    bound_lines = [
        figures.BoundLine(
            result.attack.name,
            tuple(result.runs),
            tuple(result.epsilons(audit.promise)),
            result.attack.as_epsilon(result.claimed_loss, audit.promise),
        )
        for result in audit.results
    ]
    figure = figures.audit_bounds(
        bound_lines, title=_finding(audit), runs=audit.runs, epsilon=audit.promise.epsilon
    )
    figure_view.draw(figure, Key.AUDIT_PICTURE, has_save_button=False)
    with st.container(horizontal=True, vertical_alignment="center"):
        _draw_button(live_audit)
        time_text = ""
        if live_audit.is_running:
            time_text = time_left(live_audit.seconds, audit.fraction)
        progress_text = f"{audit.runs:,} runs of each release on each neighbor{time_text}"
        st.progress(audit.fraction, text=progress_text)


def _draw_button(live_audit: LiveAudit) -> None:
    """Draw the button that stops or continues the audit; disabled once all runs are done."""
    button_icon = ":material/play_arrow:"
    button_type: Literal["primary", "secondary"] = "primary"
    if live_audit.is_running:
        button_icon = ":material/stop_circle:"
        button_type = "secondary"
    st.button(
        _button_label(live_audit),
        icon=button_icon,
        type=button_type,
        key=Key.AUDIT_STOP,
        on_click=live_audit.toggle,
        disabled=live_audit.audit.done,
    )


def _button_label(live_audit: LiveAudit) -> str:
    """Label of the button that stops, starts or goes on, or says that all runs are done."""
    if live_audit.audit.done:
        return "Done"
    if live_audit.is_running:
        return "Stop"
    return "Go on" if live_audit.audit.fraction else "Start"


def _row(audit: Audit, result: AttackResult) -> dict[str, str]:
    """Make the cells of one release: the verdict, the bound on ε, and what they rest on.

    That is how much too small its noise could be without being found, how close neighbors come to
    its sensitivity, and how large its noise is. A refused release has its refusal alone.
    """
    release_title = literal(result.attack.title)
    if result.refusal:
        return {"release": release_title, "verdict": f"refused: {literal(result.refusal)}"}
    smallest_factor = audit.smallest_factor_found(result)
    factor_text = "not yet"
    if math.isfinite(smallest_factor):
        factor_text = f"{smallest_factor:.1f} ×"
    noise_fit = result.noise_fit
    noise_measure = "size" if noise_fit.laplace else "variance"
    return {
        "release": release_title,
        "verdict": VERDICT_TEXTS[audit.verdict(result)],
        "ε, at least": f"{result.attack.as_epsilon(result.lower, audit.promise):.3g}",
        "finds noise too small": factor_text,
        "neighbors / sensitivity": f"{result.search.largest_ratio:.4f}",
        f"noise / declared {noise_measure}": f"{noise_fit.relative_size:.3f}",
    }


def _finding(audit: Audit) -> str:
    """Write the chart's title: the bound with the largest ratio to its claim, if one is above it.

    Otherwise the final finding once all runs are done; before, that no bound has reached the claim,
    or a question if nothing was run.
    """
    above_claim = [result for result in audit.results if result.lower > result.claimed_loss]
    if above_claim:
        worst_result = max(above_claim, key=lambda result: result.lower / result.claimed_loss)
        lower_bound = worst_result.attack.as_epsilon(worst_result.lower, audit.promise)
        claimed_epsilon = audit.promise.epsilon
        release_name = worst_result.attack.name
        return (
            f"Caught in {release_name}: ε is at least {lower_bound:.3g},"
            f" where {claimed_epsilon:.3g} was claimed"
        )
    if audit.done:
        return _final_finding(audit)
    if audit.fraction:
        return "No bound has reached the claim so far"
    return "How far will the bounds climb?"


def _final_finding(audit: Audit) -> str:
    """State what an audit with no bound above the claim caught, or that it found nothing.

    For the first release that was caught, says whether its noise or its sensitivity is not as
    declared.
    """
    caught_results = [result for result in audit.results if audit.verdict(result) is Verdict.CAUGHT]
    if not caught_results:
        return "Nothing found: no bound reaches the claim"
    first_caught = caught_results[0]
    broken_declaration = "its noise is not as declared"
    if not first_caught.search.holds:
        broken_declaration = "neighbors exceed its sensitivity"
    return f"Caught in {first_caught.attack.name}: {broken_declaration}"
