"""The frame of a page with an experiment: its views, ε, documents, and what may be claimed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dplda.core.errors import DpldaError
from dplda.corpus import Corpus, Label
from dplda.experiments.experiment import Experiment
from dplda.methods.configurations.plan import budget_warnings
from dplda.methods.configurations.verdict import EdgeVerdict
from dplda.methods.registry import calibrations, parse_method
from dplda.privacy.accounting.groups import describe_ten_documents
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.release import Caveat, Guarantee, Status
from dplda.ui.literal import literal
from dplda.ui.shell import share, sidebar, topic_names, views
from dplda.ui.state import cache, link, session
from dplda.ui.state.keys import Key

WATERMARK = "Curator view: not a release"

_BADGES = {  # word, icon, color
    Status.PROVEN: ("Proven", "verified_user", "green"),
    Status.AS_PUBLISHED: ("As published: not proven", "menu_book", "orange"),
    Status.NOT_PRIVATE: ("Not private", "lock_open", "red"),
}
_REASONS = {  # what heads a claim's reasons
    Status.PROVEN: "Why this holds",
    Status.AS_PUBLISHED: "Why this is not proven",
    Status.NOT_PRIVATE: "Why this is not private",
}
_BREAKING: dict[Caveat, str] = {  # short enough to stand beside a title on a phone
    Caveat.SEED: "Seed not private",
    Caveat.VOCABULARY: "Word list not private",
    Caveat.SPLIT: "Split not private",
}


@dataclass(frozen=True, slots=True, eq=False)
class LoadedExperiment:
    """An experiment with its documents at hand, as a page shows it."""

    corpus: Corpus
    settings: Experiment

    @property
    def is_sensitive(self) -> bool:
        """Whether nothing derived from the corpus may leave this session."""
        return self.corpus.label is Label.SENSITIVE

    @property
    def watermark(self) -> str:
        """The watermark of figures; empty if anyone may see them."""
        return WATERMARK if self.is_sensitive else ""


@dataclass(frozen=True, slots=True, eq=False)
class Header:
    """The line and the claim above a view, which describe exactly what it shows."""

    line: tuple[str, ...]
    claim: Guarantee | EdgeVerdict | None = None
    on_documents: bool = True


@dataclass(frozen=True, slots=True)
class View:
    """One view of a place; ``own``: its parameters of the address; ``epsilon``: whether ε moves it."""

    title: str
    draw: Callable[[LoadedExperiment], None]
    describe: Callable[[LoadedExperiment], Header]
    own: tuple[str, ...] = ()
    epsilon: Callable[[], bool] = lambda: True


def describe_method(experiment: LoadedExperiment) -> Header:
    """The header of a page that shows the sidebar's method on the chosen documents."""
    settings, method = experiment.settings, experiment.settings.registered_method
    title = parse_method(method.name).title + (
        f", {method.scaling}" if len(calibrations(method.name)) > 1 else ""
    )
    title += ", own split" if settings.budget.split else ""
    draw = f"{'draw' if experiment.is_sensitive else 'noise seed'} {settings.seed}"
    claim = method.guarantee(experiment.corpus, settings.budget)
    numbers = (
        f"δ {link.delta_text(settings.budget.delta) if claim.delta else 0}",
        draw,
    )  # ε stands below
    model = (f"k {settings.problem.n_topics}", f"α₀ {settings.problem.alpha0:g}")
    return Header((*describe_documents(experiment), *model, title, *numbers), claim)


def describe_documents(experiment: LoadedExperiment) -> tuple[str, ...]:
    """The chosen documents, as parts of the header's line."""
    corpus = experiment.corpus
    number = f"N {corpus.n_documents:,}{' persons, each read as one document' if corpus.of_persons else ''}"
    return (f"**{literal(corpus.name)}** ({corpus.label})", number, f"d {corpus.n_words:,}")


def open_place(title: str, question: str, offered: Sequence[View]) -> None:
    """Draw a page: its head, ε if it affects the view, and the view that the address names."""
    with st.container(gap="xsmall"):
        head = st.container(horizontal=True, vertical_alignment="center", gap="small")
        head.title(title, anchor=False, help=question, width="content")
        left, right = st.columns([5, 4], vertical_alignment="bottom", gap="medium")
        with right:
            chosen = views.choose(title.lower(), [view.title for view in offered])
        view = next(view for view in offered if view.title == chosen)
        session.write({name: None for other in offered for name in other.own if other is not view})
        with left:
            odds = sidebar.draw_epsilon() if view.epsilon() else None
        about = st.container(
            gap="xsmall"
        )  # whatever stands in it, what is below stays in its place
    view.draw(_experiment(head, odds, about, view.describe))


def _experiment(
    head: DeltaGenerator,
    odds: DeltaGenerator | None,
    about: DeltaGenerator,
    describe: Callable[[LoadedExperiment], Header],
) -> LoadedExperiment:
    """The experiment that the controls ask for, described in the head; stops the run if there are no documents."""
    settings = sidebar.read_experiment()
    with about:
        session.say_notices()
        try:
            corpus = cache.corpus()
        except DpldaError as error:
            st.error(literal(str(error)))
            corpus = None
    if corpus is None:
        share.draw(settings, None)
        st.stop()
    topic_names.read_from_address(corpus, settings)
    session.write_link(settings, topic_names.link_text(corpus, settings))
    spent = settings.budget
    with st.sidebar.container():  # however many there are, what is below stays in its place
        for warning in budget_warnings(spent.epsilon, spent.delta, n_documents=corpus.n_documents):
            st.warning(warning, icon=":material/warning:")
    experiment = LoadedExperiment(corpus, settings)
    header = describe(experiment)
    share.draw(settings, corpus)
    with head:
        if isinstance(header.claim, Guarantee):
            draw_guarantee(header.claim)
        elif header.claim is not None:  # edges of no plan
            st.markdown(
                status_badge(Status.NOT_PRIVATE)
                if header.claim.leak
                else _badge("No claim", "help", "gray")
            )
        draw_line(header.line)
    if odds is not None:
        sidebar.write_promise(odds, header.claim)
    with about:
        if experiment.is_sensitive and header.on_documents:
            st.warning(
                f"**{WATERMARK}.** What you see here depends on sensitive documents without protection, so you cannot"
                " save it. What you choose after looking (k, α₀, method) depends on them too. Try choices on simulated"
                " documents first.",
                icon=":material/visibility_lock:",
            )
    return experiment


def draw_line(parts: tuple[str, ...]) -> None:
    """Draw the parts of the header's line in small print."""
    st.markdown(f":small[{' · '.join(parts)}]", width="content")


def status_badge(status: Status) -> str:
    """The badge of a status."""
    return _badge(*_BADGES[status])


def draw_guarantee(promise: Guarantee) -> None:
    """Draw the claim as a badge, of the mechanism unless a caveat breaks it, with words and reasons on click."""
    word, icon, colour = _BADGES[promise.mechanism]
    mechanism = _badge(word, icon, colour if promise.status is promise.mechanism else "gray")
    breaking = [
        _badge(_BREAKING[caveat], "warning", "red")
        for caveat in promise.caveats
        if caveat.breaks_privacy
    ]
    with st.popover(" ".join(breaking or [mechanism]), type="tertiary", key=Key.CLAIM, wrap=True):
        st.markdown(mechanism)
        for caveat in promise.caveats:
            warns = ("warning", "red" if caveat.breaks_privacy else "orange")
            look = ("casino", "gray") if caveat is Caveat.SIMULATED else warns
            st.markdown(_badge(f"{caveat[:1].upper()}{caveat[1:]}", *look))
        st.markdown(promise.in_words())
        if promise.status is Status.PROVEN and promise.adjacency is Adjacency.REPLACE_ONE:
            several = describe_ten_documents(promise.epsilon, promise.delta, gaussian_fit=False)
            st.markdown(
                f"This protects one document: {several}. To protect each person as a whole, choose a column of persons."
            )
        is_broken = promise.status is not promise.mechanism  # by what surrounds the mechanism
        reasons = "What the mechanism rests on" if is_broken else _REASONS[promise.mechanism]
        st.markdown(f"**{reasons}**")
        st.markdown(
            "\n".join(
                f"- {assumption[:1].upper()}{assumption[1:]}" for assumption in promise.rests_on
            )
        )


def _badge(word: str, icon: str, colour: str) -> str:
    return f":{colour}-badge[:material/{icon}: {word}]"
