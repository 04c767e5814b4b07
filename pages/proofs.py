"""Proofs: what the paper proves, and what it does not."""

from dplda.ui import frame, proofs, proofs_factors

frame.open_page(
    "What the paper proves, and what it does not",
    "Each gap in plain words, with an example worked out live.",
    proofs.header,
)
proofs.introduction()
proofs.moments()
proofs.rotation()
proofs.exchange()
proofs.scaling()
proofs.spending()
proofs.bounds_below()
proofs_factors.order()
proofs_factors.bases()
proofs_factors.vacuous()
proofs.verdicts()
