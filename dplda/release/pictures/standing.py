"""The ε of a release among those of registered deployments of differential privacy.

The facts are a copy of OpenDP's registry, kept with dplda; nothing is fetched.
"""

import json
import math
from collections import Counter
from dataclasses import dataclass
from functools import cache

from dplda.core import assets
from dplda.privacy.accounting.odds import format_rounded_up
from dplda.privacy.release import Guarantee, Status

WHOLE_PERSON = "person"
SINGLE_RECORD = "record"
NOT_STATED = "unknown"
WIDTH = 440  # of the picture, in its own units, like all that follow
MARGIN = 24.0
LABEL_WIDTH = 130.0  # of the text on this release
BASELINE = 112.0
RADIUS = 4.5
STEP = 10.0  # between dots of one ε
LOWEST = 0.1  # ε at the left end of the axis
HIGHEST = 100.0
TICKS = (0.1, 1.0, 10.0, 100.0)


@dataclass(frozen=True, slots=True)
class Deployment:
    """A registered deployment that states an ε.

    Attributes:
        name: of the deployment.
        unit: what it protects, in the registry's words.
        covers: how much of a person that is: ``person``, ``part of a person``, ``record``, or
            ``unknown``.
        epsilon: ε, above 0.
    """

    name: str
    unit: str
    covers: str
    epsilon: float


@dataclass(frozen=True, slots=True)
class Dot:
    """A deployment on the picture.

    Attributes:
        x: its place from the left, as text.
        y: its place from the top, as text.
        covers_person: whether it protects whole persons.
        title: its name, unit and ε.
    """

    x: str
    y: str
    covers_person: bool
    title: str


@dataclass(frozen=True, slots=True)
class RegistryStanding:
    """The place of a release among registered deployments.

    Attributes:
        sentence: how many have a larger ε.
        caption: how to read the picture, its source and date.
        dots: one for each deployment.
        here: place of this release from the left, as text.
        here_title: its ε.
        ticks: places and labels of the axis.
        width: of the picture.
        height: of the picture.
    """

    sentence: str
    caption: str
    dots: tuple[Dot, ...]
    here: str
    here_title: str
    ticks: tuple[tuple[str, str], ...]
    width: int = WIDTH
    height: int = 140

    @property
    def here_anchor(self) -> str:
        """SVG's ``text-anchor`` of the label of this release, so that no edge cuts it.

        ``start`` near the left edge, ``end`` near the right one, else ``middle``.
        """
        if float(self.here) < LABEL_WIDTH / 2:
            return "start"
        return "end" if float(self.here) > self.width - LABEL_WIDTH / 2 else "middle"

    @property
    def alt(self) -> str:
        """The picture in words."""
        listed = "; ".join(dot.title for dot in self.dots)
        return f"{self.here_title} among registered deployments. {listed}."


def stand_among_deployments(guarantee: Guarantee) -> RegistryStanding | None:
    """Place a release's ε among the deployments of OpenDP's registry.

    None unless its guarantee is proven.

    Args:
        guarantee: of everything that was released.
    """
    if guarantee.status is not Status.PROVEN:
        return None
    deployments, copied_on = registered_deployments()
    release_epsilon = guarantee.claimed_epsilon
    unit = guarantee.adjacency.unit
    return RegistryStanding(
        sentence=_describe_standing(release_epsilon, unit, deployments),
        caption=(
            "Each dot is a deployment in OpenDP's registry that states an ε. Filled: it protects"
            " whole persons. Open: a day, a month, an account, a record, or it does not say. The"
            f" line: this release. Facts copied on {copied_on}; the registry has the MIT license."
        ),
        dots=_place_dots(deployments),
        here=f"{_across(release_epsilon):.1f}",
        here_title=f"this: ε = {format_rounded_up(release_epsilon, 3)}",
        ticks=tuple((f"{_across(tick):.1f}", f"{tick:g}") for tick in TICKS),
    )


@cache
def registered_deployments() -> tuple[tuple[Deployment, ...], str]:
    """Read the copy of the registry, once in a process.

    Returns:
        Its deployments, all of which state an ε, in the order of the file (ascending ε), and the
        date of the copy, ISO 8601.
    """
    registry_path = assets.folder() / "registry" / "deployments.json"
    stored_registry = json.loads(registry_path.read_text("utf-8"))
    deployments = tuple(
        Deployment(
            name=stored_deployment["name"],
            unit=stored_deployment["unit"],
            covers=stored_deployment["covers"],
            epsilon=float(stored_deployment["epsilon"]),
        )
        for stored_deployment in stored_registry["deployments"]
    )
    return deployments, stored_registry["copied"]


def _describe_standing(epsilon: float, unit: str, deployments: tuple[Deployment, ...]) -> str:
    """Say how many registered deployments have a larger ε, and how many protect what.

    If the release protects persons, it counts the deployments that protect a whole person. Else it
    counts those that protect more than one document of a person. These are all but those that
    protect a single record or do not say.
    """
    n_deployments = len(deployments)
    n_larger = sum(deployment.epsilon > epsilon for deployment in deployments)
    release_phrase = f"ε = {format_rounded_up(epsilon, 3)} per {unit}:"
    if unit == WHOLE_PERSON:
        n_persons = sum(deployment.covers == WHOLE_PERSON for deployment in deployments)
        return (
            f"{release_phrase} of {n_deployments} registered deployments that state an ε,"
            f" {n_larger} promise less (a larger ε). Only {n_persons} of the {n_deployments}"
            " protect a whole person, as this release does."
        )
    n_record_or_unstated = sum(
        deployment.covers in (SINGLE_RECORD, NOT_STATED) for deployment in deployments
    )
    n_broader = n_deployments - n_record_or_unstated
    return (
        f"{release_phrase} of {n_deployments} registered deployments that state an ε, {n_larger}"
        f" have a larger one. But {n_broader} of the {n_deployments} protect more than one document"
        " of a person."
    )


def _place_dots(deployments: tuple[Deployment, ...]) -> tuple[Dot, ...]:
    """Place a dot above the axis for each deployment, in the order given.

    Places across are rounded to columns ``STEP`` apart; dots of one column stand on each other.
    """
    n_dots_in_column: Counter[int] = Counter()
    dots = []
    for deployment in deployments:
        dot_column = round(_across(deployment.epsilon) / STEP)
        y = BASELINE - RADIUS - 2 - STEP * n_dots_in_column[dot_column]
        n_dots_in_column[dot_column] += 1
        dots.append(
            Dot(
                x=f"{dot_column * STEP:.1f}",
                y=f"{y:.1f}",
                covers_person=deployment.covers == WHOLE_PERSON,
                title=f"{deployment.name}, {deployment.unit}: ε = {deployment.epsilon:g}",
            )
        )
    return tuple(dots)


def _across(epsilon: float) -> float:
    """Place of an ε on the logarithmic axis; beyond its ends, the end."""
    share = math.log(max(epsilon, LOWEST) / LOWEST) / math.log(HIGHEST / LOWEST)
    return MARGIN + min(share, 1.0) * (WIDTH - 2 * MARGIN)
