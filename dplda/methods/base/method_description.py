"""Description of a method, without the functions that run it."""

from dataclasses import dataclass

from dplda.evaluation.colours import Style
from dplda.flow import Flow
from dplda.methods.base.calibration import Scaling
from dplda.methods.base.method_names import FamilyName, MethodGroup, short_title
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.prior_source import PriorSource
from dplda.privacy.release import Status


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MethodDescription:
    """Description of a method: names, status, style, and what it needs.

    Attributes:
        spec: the value that names it. A method made with other constants has that of the usual one.
        family: its name without a calibration.
        status: whether its guarantee is proven, as published, or none.
        style: color, letter and marker in figures.
        summary: what it does, in a sentence or two; may be empty.
        suffix: text after the family's title that tells its calibration from the others; may be
            empty.
        is_recommended: whether it is its name's calibration for new visitors.
        needs_epsilon: whether it adds noise, so that it takes a budget.
        noiseless_twin: text of the method that, without noise, gives the topics shown with its own.
        quantities: names of the released values among which its budget is split; empty without a
            choice.
        flow: its flow from documents to topics, with the edges that carry noise; None without a
            picture.
        is_releasable: whether its noise is Gaussian on sums over documents alone, so that exact
            noise works.
        needs_pair_matrix: whether a fit may hold a noisy d×d table of word pairs.
        supports_out_of_core: whether documents on disk stay there; else they are read into memory.
        uses_minibatches: whether noise goes on sums over random minibatches, whose budgets do not
            add up as μ².
        clipping_depends_on_epsilon: whether its topics without noise may still depend on ε.
        documentation: modules, classes and functions whose docstrings explain and prove it, in
            order.
    """

    spec: MethodSpec
    family: FamilyName
    status: Status
    style: Style
    summary: str = ""
    suffix: str = ""
    is_recommended: bool = True
    needs_epsilon: bool = True
    noiseless_twin: str = "unnoised"
    quantities: tuple[str, ...] = ()
    flow: Flow | None = None
    is_releasable: bool = False
    needs_pair_matrix: bool = False
    supports_out_of_core: bool = False
    uses_minibatches: bool = False
    clipping_depends_on_epsilon: bool = True
    documentation: tuple[object, ...] = ()

    @property
    def key(self) -> str:
        """Its written form in specs and tables."""
        return self.spec.text

    @property
    def name(self) -> str:
        """Its written form without a calibration, which the methods of one name share."""
        share = self.spec.first_share
        return self.spec.name if share is None else self.spec.text

    @property
    def scaling(self) -> Scaling | None:
        """Calibration or law of its noise; None for a method without a choice."""
        return self.spec.scaling

    @property
    def prior_source(self) -> PriorSource | None:
        """Public knowledge that it uses; None for none."""
        return self.spec.prior

    @property
    def prior_is_trusted(self) -> bool:
        """Whether public knowledge is used without asking the documents."""
        return self.spec.prior_is_trusted

    @property
    def title(self) -> str:
        """Its name in headings and legends, which no other method has."""
        return self.family.title + self.suffix

    @property
    def short_title(self) -> str:
        """The title where room is short, as beside a line."""
        return short_title(self.title)

    @property
    def label(self) -> str:
        """Title and meaning, as lists show it."""
        meaning = self.family.meaning
        return f"{self.title} · {meaning}" if meaning else self.title

    @property
    def group(self) -> MethodGroup:
        """Heading under which lists show it."""
        return self.family.group
