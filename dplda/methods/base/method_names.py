"""Names of methods: the one place that pages, charts, reports and the command line take them from.

A family is a method with all its calibrations. A calibration that is not the family's usual one, or
whose noise is only as published, has a suffix wherever it is named, so no two methods share a name.
"""

from dataclasses import dataclass
from enum import StrEnum

from dplda.privacy.release import Status

PAPER_AUTHORS = "DeCarolis, Ram, Esmaeili, Wang and Huang (2020)"
"""Authors of the paper whose four configurations these are."""
PAPER_IS = f"*The paper* is {PAPER_AUTHORS}."
"""A sentence that says which paper is meant, where it is first spoken of."""
RIVAL_AUTHORS = "Park, Foulds, Chaudhuri and Welling (2016)"
"""Authors of DP variational inference, the paper's rival."""
LONGEST = 16
"""Letters of a name beside a line, where no shorter one is listed."""
SHORT_SUFFIXES = {
    ", as published, each document": ", each document",
    ", authors' code, unscaled": ", unscaled",
    ", authors' code": ", authors",
}
"""Calibrations beside a line, where a phone has no room for more; the longer ones first."""


class MethodGroup(StrEnum):
    """Heading under which lists show a method, in the order of the lists."""

    PAPER = "The paper's four"
    OURS = "Ours"
    RIVALS = "Rivals"
    NOISELESS = "Without noise"


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyName:
    """Name of a method without its calibration.

    Attributes:
        title: in headings and sentences.
        group: heading in lists.
        meaning: where its noise goes, in a few words; may be empty.
        short_title: beside a line of a chart; empty where the title is short enough.
    """

    title: str
    group: MethodGroup
    meaning: str = ""
    short_title: str = ""

    @property
    def label(self) -> str:
        """Title and meaning, as lists show them: ``Configuration 4 · noise on the topics``."""
        return f"{self.title} · {self.meaning}" if self.meaning else self.title


def _paper_configuration(number: int, meaning: str) -> FamilyName:
    """Name a configuration of the paper by its number; ``meaning`` is as in ``FamilyName``."""
    return FamilyName(
        title=f"Configuration {number}",
        group=MethodGroup.PAPER,
        meaning=meaning,
        short_title=f"Config. {number}",
    )


FAMILY_NAMES: dict[str, FamilyName] = {
    "config-1": _paper_configuration(1, "noise on pairs and triples"),
    "config-2": _paper_configuration(2, "noise on the whitened tensor"),
    "config-3": _paper_configuration(3, "noise on the factors"),
    "config-4": _paper_configuration(4, "noise on the topics"),
    "refined": FamilyName(title="Refined", group=MethodGroup.OURS, meaning="noise on every step"),
    "refined-english": FamilyName(
        title="Refined + English", group=MethodGroup.OURS, meaning="public text"
    ),
    "adaptive": FamilyName(
        title="Adaptive", group=MethodGroup.OURS, meaning="noise on pairs, then on the tensor"
    ),
    "shared-moment": FamilyName(
        title="Shared moment", group=MethodGroup.OURS, meaning="noise on pairs once, and on triples"
    ),
    "dp-vi": FamilyName(
        title="DP variational inference",
        group=MethodGroup.RIVALS,
        meaning="noise on minibatches",
        short_title="DP-VI",
    ),
    "private-unigram": FamilyName(
        title="Private unigram",
        group=MethodGroup.RIVALS,
        meaning="noise on word counts",
        short_title="Priv. unigram",
    ),
    "unnoised": FamilyName(title="Spectral, no noise", group=MethodGroup.NOISELESS),
    "unnoised-refined": FamilyName(title="Refined, no noise", group=MethodGroup.NOISELESS),
    "vi": FamilyName(title="Variational inference", group=MethodGroup.NOISELESS, short_title="VI"),
    "unigram": FamilyName(title="Unigram", group=MethodGroup.NOISELESS),
}
"""Names of the listed families, by the name that specs and addresses use."""


def calibration_suffix(scaling: str, *, status: Status, is_recommended: bool) -> str:
    """Text after a family's title that tells this calibration from the others.

    Args:
        scaling: calibration or law of the noise, as written.
        status: of its guarantee.
        is_recommended: whether the family's name alone means it.

    Returns:
        Empty for a recommended calibration that is not merely as published.
    """
    is_usual = is_recommended and status is not Status.AS_PUBLISHED
    return "" if is_usual else f", {scaling}"


def short_title(title: str) -> str:
    """A title short enough to fit beside a line, its suffix included.

    A family's short title takes the place of its title; a family's title without a suffix stays
    whole. Any other title of more than ``LONGEST`` characters is cut to so many, the last one an
    ellipsis.
    """
    for family in FAMILY_NAMES.values():
        if family.short_title and title.startswith(family.title):
            return family.short_title + title.removeprefix(family.title)
    is_listed = any(title == family.title for family in FAMILY_NAMES.values())
    if is_listed or len(title) <= LONGEST:
        return title
    return title[: LONGEST - 1] + "…"


def name_beside_line(title: str) -> str:
    """Short title of a method for the end of its line; the hover text has the whole title."""
    name = short_title(title)
    for suffix, short_suffix in SHORT_SUFFIXES.items():
        if name.endswith(suffix):
            return name.removesuffix(suffix) + short_suffix
    return name
