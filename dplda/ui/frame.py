"""What every page has: heading, sidebar, corpus, the experiment in one line, the guarantee, the banner."""

from dataclasses import dataclass
from functools import partial
from typing import Literal

import streamlit as st

from dplda.corpus import Corpus, Label
from dplda.errors import DpldaError
from dplda.guarantees import guarantee_of
from dplda.privacy.release import Guarantee, Status
from dplda.report import Settings, run_card
from dplda.ui import cached, link, session, sidebar
from dplda.ui.text import literal

WATERMARK = "Curator view: not a release"

_BADGES: dict[Status, tuple[str, str, Literal["green", "orange", "red"]]] = {
    Status.PROVEN: ("Mechanism proven", ":material/verified_user:", "green"),
    Status.AS_PUBLISHED: ("As published", ":material/menu_book:", "orange"),
    Status.NOT_PRIVATE: ("Not private", ":material/lock_open:", "red"),
}


@dataclass(frozen=True, slots=True, eq=False)
class Experiment:
    """What a page shows: a corpus under settings.

    Attributes:
        corpus: the one chosen.
        settings: the sidebar's.
    """

    corpus: Corpus
    settings: Settings

    @property
    def sensitive(self) -> bool:
        """Whether nothing derived from the corpus may leave this session."""
        return self.corpus.label is Label.SENSITIVE

    @property
    def watermark(self) -> str:
        """What figures carry; empty where they may be shown to anyone."""
        return WATERMARK if self.sensitive else ""


def is_dark() -> bool:
    """Whether the page's ground is dark."""
    return st.context.theme.type == "dark"


def open_page(title: str, subtitle: str) -> Experiment:
    """Draw all that stands above a page's own content. Ends the run where there is no corpus to show.

    Args:
        title: of the page.
        subtitle: one sentence below it.
    """
    st.title(title, anchor=False)
    st.caption(subtitle)
    settings = sidebar.settings()
    for notice in session.take_notices():
        st.info(literal(notice), icon=":material/info:")
    try:
        corpus = cached.corpus()
    except DpldaError as error:
        st.error(literal(str(error)))
        corpus = None
    if corpus is None:
        sidebar.share(settings, None)
        st.stop()
    session.write_link(settings.plan)
    sidebar.warnings(settings, corpus.n_documents)
    experiment = Experiment(corpus, settings)
    sidebar.share(settings, None if experiment.sensitive else partial(_card, experiment, session.choice()))
    if experiment.sensitive:
        banner()
    experiment_line(experiment)
    guarantee(guarantee_of(settings.plan, corpus, ()))
    return experiment


def banner() -> None:
    """Say that this page is for the curator's eyes."""
    st.warning(
        f"**{WATERMARK}.** This corpus is declared sensitive: everything here depends on its documents without"
        " protection, so nothing can be saved. What you choose after looking (k, α₀, configuration) depends on"
        " them too: try choices on a simulated or public corpus first.",
        icon=":material/visibility_lock:",
    )


def experiment_line(experiment: Experiment) -> None:
    """The whole experiment in one line."""
    corpus, settings = experiment.corpus, experiment.settings
    plan = settings.plan
    parts = (
        f"**{literal(corpus.name)}** ({corpus.label})",
        f"N {corpus.n_documents:,}",
        f"d {corpus.n_words:,}",
        f"k {settings.n_topics}",
        f"α₀ {settings.alpha0:g}",
        sidebar.plan_title(plan),
        f"ε {link.epsilon_text(plan.epsilon)}",
        f"δ {link.delta_text(plan.delta)}",
        f"draw {settings.seed}" if experiment.sensitive else f"noise seed {settings.seed}",
    )
    st.markdown(" · ".join(parts))


def guarantee(promise: Guarantee) -> None:
    """Badges for the mechanism and for each thing that sets this draw apart, the same in words, what it rests on."""
    word, icon, colour = _BADGES[promise.mechanism]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.badge(word, icon=icon, color=colour if promise.status is promise.mechanism else "gray")
        for caveat in promise.caveats:
            st.badge(
                f"{caveat[:1].upper()}{caveat[1:]}",
                icon=":material/warning:" if caveat.breaks else ":material/casino:",
                color="red" if caveat.breaks else "gray",
            )
        st.markdown(promise.in_words())
    with st.expander("What this rests on", icon=":material/foundation:"):
        for assumption in promise.rests_on:
            st.markdown(f"- {assumption[:1].upper()}{assumption[1:]}")


def _card(experiment: Experiment, chosen: session.Choice) -> str:
    fit = cached.fit_now(experiment.corpus, experiment.settings)
    return run_card(fit, experiment.corpus, chosen.kind, chosen.simulation, seed=experiment.settings.seed)
