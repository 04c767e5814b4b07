"""The frame of a page with an experiment: its views, ε, documents, and what may be claimed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dplda.core.errors import DpldaError
from dplda.corpus import Corpus, Label
from dplda.experiments.experiment import Experiment
from dplda.methods.base.problem import Budget
from dplda.methods.configurations.plan import budget_warnings
from dplda.methods.configurations.verdict import EdgeVerdict
from dplda.privacy.release import Guarantee
from dplda.ui.literal import literal
from dplda.ui.shell import claim_view, share, sidebar, topic_names, views
from dplda.ui.state import cache, link, session

WATERMARK = "Curator view: not a release"
CURATOR_WARNING = (
    f"**{WATERMARK}.** What you see here depends on sensitive documents without protection, so you"
    " cannot save it. What you choose after looking (k, α₀, method) depends on them too. Try"
    " choices on simulated documents first."
)


@dataclass(frozen=True, slots=True, eq=False)
class LoadedExperiment:
    """An experiment with its documents at hand, as a page shows it.

    Attributes:
        corpus: the documents.
        experiment: method, problem, budget, seed, and where the documents come from.
    """

    corpus: Corpus
    experiment: Experiment

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
    """The line and the claim above a view, which describe exactly what it shows.

    Attributes:
        line: parts of the line, as Markdown.
        claim: what may be claimed; None where each thing shown has a claim of its own.
        on_documents: whether the view shows something that depends on the documents.
    """

    line: tuple[str, ...]
    claim: Guarantee | EdgeVerdict | None = None
    on_documents: bool = True


def _always() -> bool:
    return True


def _as_it_is(experiment: Experiment) -> Experiment:
    return experiment


@dataclass(frozen=True, slots=True)
class View:
    """One view of a place.

    Attributes:
        title: on its button.
        draw: draws the view.
        describe: makes its header.
        own_parameters: parameters of the address that other views do not have.
        has_epsilon: whether ε moves it.
        complete: adds to the experiment what only this view asks for.
    """

    title: str
    draw: Callable[[LoadedExperiment], None]
    describe: Callable[[LoadedExperiment], Header]
    own_parameters: tuple[str, ...] = ()
    has_epsilon: Callable[[], bool] = _always
    complete: Callable[[Experiment], Experiment] = _as_it_is


@dataclass(frozen=True, slots=True, eq=False)
class _FramePlaces:
    """Places of a page's frame, which are filled once the documents are at hand.

    Attributes:
        head: beside the title.
        promise: below ε; None where ε does not move the view.
        messages: above the view.
    """

    head: DeltaGenerator
    promise: DeltaGenerator | None
    messages: DeltaGenerator


def describe_method(loaded: LoadedExperiment) -> Header:
    """Make the header of a page that shows the sidebar's method: its settings and its guarantee.

    The settings leave out ε, which stands below them. Their δ is 0 where the guarantee has none.
    The seed is called a draw on sensitive documents.
    """
    experiment = loaded.experiment
    guarantee = experiment.registered_method.guarantee(loaded.corpus, experiment.budget)
    delta_text = "0"
    if guarantee.delta:
        delta_text = link.delta_text(experiment.budget.delta)
    seed_name = "draw" if loaded.is_sensitive else "noise seed"
    settings_line = (
        *describe_documents(loaded),
        f"k {experiment.problem.n_topics}",
        f"α₀ {experiment.problem.alpha0:g}",
        _method_title(experiment),
        f"δ {delta_text}",  # ε stands below
        f"{seed_name} {experiment.seed}",
    )
    return Header(settings_line, guarantee)


def _method_title(experiment: Experiment) -> str:
    """The method's title, and a note on an own split."""
    title = experiment.registered_method.title
    if experiment.budget.split:
        title += ", own split"
    return title


def describe_documents(loaded: LoadedExperiment) -> tuple[str, ...]:
    """Describe the documents in use for a header: name with label, N, and d.

    If documents are persons, says that each is read as one document.
    """
    corpus = loaded.corpus
    n_documents_text = f"N {corpus.n_documents:,}"
    if corpus.of_persons:
        n_documents_text += " persons, each read as one document"
    return (
        f"**{literal(corpus.name)}** ({corpus.label})",
        n_documents_text,
        f"d {corpus.n_words:,}",
    )


def open_place(
    title: str, question: str, place_views: Sequence[View], *, unnamed_view: str = ""
) -> None:
    """Draw a page: its title, the choice of a view, ε if it affects the view, and the view.

    Parameters of the other views are removed from the address. Without documents, the run of the
    page stops before the view.

    Args:
        title: of the place.
        question: that the place answers, as help of the title.
        place_views: the views of the place, the usual one first.
        unnamed_view: the view that an address means which names an experiment and no view; empty
        for the first one.
    """
    with st.container(gap="xsmall"):
        title_row = st.container(horizontal=True, vertical_alignment="center", gap="small")
        title_row.title(title, anchor=False, help=question, width="content")
        view_titles = [view.title for view in place_views]
        view_title = views.choose(title.lower(), view_titles, unnamed=unnamed_view)
        open_view = next(view for view in place_views if view.title == view_title)
        _forget_parameters(view for view in place_views if view is not open_view)
        promise_place = sidebar.draw_epsilon() if open_view.has_epsilon() else None
        message_place = st.container(gap="xsmall")  # however many, what is below stays in its place
    places = _FramePlaces(head=title_row, promise=promise_place, messages=message_place)
    loaded = _load_experiment(places, open_view)
    _draw_header(loaded, open_view.describe(loaded), places)
    open_view.draw(loaded)


def _forget_parameters(closed_views: Iterable[View]) -> None:
    """Leave out of the address what only views that are closed would read."""
    session.write({name: None for view in closed_views for name in view.own_parameters})


def _load_experiment(places: _FramePlaces, open_view: View) -> LoadedExperiment:
    """Load the documents and settings that the controls ask for, and draw the session's notices.

    The address keeps the settings and topic names. A budget that promises little gets a warning.
    Without documents, draws the panel that shares the page, and stops the run of the page.
    """
    experiment = open_view.complete(sidebar.read_experiment())
    with places.messages:
        session.say_notices()
        corpus = _load_documents()
    if corpus is None:
        share.draw(experiment, None)
        st.stop()
    topic_names.read_from_address(corpus, experiment)
    session.write_link(experiment, topic_names.link_text(corpus, experiment))
    _warn_on_budget(experiment.budget, corpus.n_documents)
    return LoadedExperiment(corpus, experiment)


def _load_documents() -> Corpus | None:
    """Make or return the chosen documents; None if that failed, which is drawn, or was canceled."""
    try:
        return cache.corpus()
    except DpldaError as error:
        st.error(literal(str(error)))
        return None


def _warn_on_budget(budget: Budget, n_documents: int) -> None:
    """Draw warnings on ε and δ in the sidebar; none for a usual budget."""
    warnings = budget_warnings(budget.epsilon, budget.delta, n_documents=n_documents)
    with st.sidebar.container():  # however many there are, what is below stays in its place
        for warning in warnings:
            st.warning(warning, icon=":material/warning:")


def _draw_header(loaded: LoadedExperiment, header: Header, places: _FramePlaces) -> None:
    """Draw the header: its claim if it has one, its settings, and the panel that shares the page.

    What ε promises is written below the control of ε, if the view has one. A view on sensitive
    documents also gets a warning that only their curator may look at it.
    """
    share.draw(loaded.experiment, loaded.corpus)
    with places.head:
        if header.claim is not None:
            claim_view.draw_claim(header.claim)
        draw_line(header.line)
    if places.promise is not None:
        sidebar.write_promise(places.promise, header.claim)
    if loaded.is_sensitive and header.on_documents:
        with places.messages:
            st.warning(CURATOR_WARNING, icon=":material/visibility_lock:")


def draw_line(parts: tuple[str, ...]) -> None:
    """Draw the parts of the header's line in small print."""
    st.markdown(f":small[{' · '.join(parts)}]", width="content")
