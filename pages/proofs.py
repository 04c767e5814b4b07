"""Proofs: what the paper proves, and what it does not."""

from dplda.ui.proofs import factors_view, page
from dplda.ui.shell import frame

frame.open_page(
    "What is proven",
    "What the paper proves, and what it does not. Each gap in plain words, with an example worked out live.",
    page.header,
)
page.verdicts()
page.moments()
page.rotation()
page.exchange()
page.scaling()
page.spending()
page.bounds_below()
factors_view.order()
factors_view.bases()
factors_view.vacuous()
