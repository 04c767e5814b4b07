"""What would leave with the sidebar's settings, its price, a confirmation, and the receipt."""

from collections.abc import Callable

import streamlit as st

from dplda.cli.release import receipt_lines
from dplda.core import demo
from dplda.core.errors import DpldaError
from dplda.release.folder import Folder, UnwrittenError, default_path
from dplda.release.kept import stored
from dplda.release.ledger import DOCUMENT, Ledger
from dplda.release.make import check, protected
from dplda.release.price import price
from dplda.release.released_file import SUFFIX, write
from dplda.release.report.page import page as report
from dplda.release.report.released import released_from
from dplda.release.request import Receipt, Request
from dplda.ui.literal import literal
from dplda.ui.release import job, ledger_view
from dplda.ui.shell import downloads, frame
from dplda.ui.shell.frame import Experiment, Header
from dplda.ui.state.keys import Key


def header(experiment: Experiment) -> Header:
    """The documents; what would be released of them stands on the page itself."""
    return Header(frame.of_documents(experiment), on_documents=False)


def draw(experiment: Experiment) -> None:
    """The page below its head."""
    if demo.is_on():
        st.info(demo.REFUSAL, icon=":material/public:")
        return
    try:
        ledger = Ledger(Folder()) if default_path().exists() else None
        _release(experiment, ledger)
        ledger_view.draw(ledger, Request("", "", experiment.settings, experiment.corpus.selection).cost[0])
    except DpldaError as error:
        st.error(literal(str(error)))


def _release(experiment: Experiment, ledger: Ledger | None) -> None:
    st.header("What would be released", anchor=False)
    datasets = () if ledger is None else ledger.datasets()
    dataset, title = "", "the documents"
    if datasets:  # drawn without options, it would keep none
        first, second = st.columns(2)
        dataset = first.selectbox(
            "Dataset",
            datasets,
            key=Key.RELEASE_DATASET,
            help="The ledger's name for these documents: the same each time, whatever the file is called.",
        )
        title = second.text_input(
            "What they are called in public",
            value=title,
            max_chars=80,
            key=Key.RELEASE_TITLE,
            help="Stands on everything that is made of the release.",
        )
    request = Request(dataset, title, experiment.settings, experiment.corpus.selection)
    unit = ledger.protects(dataset) if ledger and dataset else DOCUMENT
    try:
        rows = protected(experiment.corpus, unit)
        check(rows, request)
    except DpldaError as refusal:
        st.warning(literal(str(refusal)), icon=":material/block:")
        st.page_link(
            "pages/explore.py",
            label="Read documents, over a list of words",
            icon=":material/upload_file:",
            query_params={"view": "documents"},
        )
        st.caption("Try your choices on simulated or public documents of the same size first: that costs nothing.")
        return
    if ledger is None or not dataset:
        st.info("Declare a dataset below: its name, and the most that may ever be spent on it.")
        return
    under_way: job.ReleaseJob | None = st.session_state.get(Key.RELEASE_JOB)
    if under_way is None or under_way.said != request.said():
        before = stored(experiment.corpus, request, Folder())
        if before is not None:
            _receipt(before)
            return
    balance = ledger.balance(dataset)
    st.markdown("\n".join(f"- {literal(said)}" for said in price(rows, request, balance, unit)))
    epsilon, delta = request.cost
    affordable = balance.affords(epsilon=epsilon, delta=delta)
    accepted = st.checkbox(
        "I have read the price. It is charged for good before any noise is drawn, whatever happens then.",
        key=f"{Key.RELEASE_ACCEPTED}.{request.said()}",
        disabled=not affordable,
    )
    if st.button("Release", type="primary", disabled=not (accepted and affordable), key=Key.RELEASE_NOW):
        under_way = st.session_state[Key.RELEASE_JOB] = job.begin(experiment.corpus, request)
    if under_way is not None and under_way.said == request.said():
        try:
            _receipt(job.watch(under_way))
        except UnwrittenError as lost:
            st.error(literal(str(lost)))
            content = lost.content
            _file(lambda: content)


def _receipt(receipt: Receipt) -> None:
    with st.container(border=True):
        st.subheader("Receipt", anchor=False)
        st.markdown("\n".join(f"- {literal(said)}" for said in receipt_lines(receipt)))
        with st.container(horizontal=True):
            downloads.report(lambda: report(released_from(receipt.artefact)))
            _file(lambda: write(receipt.artefact))


def _file(content: Callable[[], bytes]) -> None:
    said = "dplda report makes a page of it."
    downloads.save("The released file", content, f"release{SUFFIX}", icon="download", key=Key.RELEASE_SAVE, help=said)
