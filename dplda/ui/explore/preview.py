"""Where the plan in force stands: noise on every quantity, and, for who asks, the bound."""

from dataclasses import dataclass, replace

from dplda.methods.chain.noise_table import EdgeNoise, edge_noise
from dplda.methods.configurations import Calibration
from dplda.methods.configurations.sizes import Shape
from dplda.methods.plan import Plan
from dplda.theory.prediction.curves import ErrorCurve, bound_curve
from dplda.theory.theorems.readings import PaperReading
from dplda.ui.shell.frame import Experiment
from dplda.ui.state import cache
from dplda.ui.state.cache import Noiseless
from dplda.ui.state.link import EPSILONS

STEPS = tuple(map(float, EPSILONS))


@dataclass(frozen=True, slots=True, eq=False)
class Preview:
    """What is known of a plan on a corpus without running it."""

    plan: Plan
    shape: Shape
    noiseless: Noiseless
    rows: tuple[EdgeNoise, ...]

    @property
    def epsilon(self) -> float:
        """ε of the plan."""
        return self.plan.epsilon


def preview(experiment: Experiment, plan: Plan) -> Preview | None:
    """Work it out; None where the fit was cancelled."""
    corpus, settings = experiment.corpus, experiment.settings
    noiseless = cache.noiseless(corpus, settings)
    if noiseless is None:
        return None
    rows = edge_noise(
        plan,
        n_documents=corpus.n_documents,
        n_words=corpus.n_words,
        n_topics=settings.problem.n_topics,
        alpha0=settings.problem.alpha0,
        spectrum=noiseless.spectrum,
        mean_length=noiseless.mean_length,
    )
    shape = Shape(corpus.n_documents, corpus.n_words, settings.problem.n_topics, settings.problem.alpha0)
    return Preview(plan, shape, noiseless, rows)


def bounded(
    experiment: Experiment,
    noiseless: Noiseless,
    plan: Plan,
    configuration: str,
    reading: PaperReading | None = PaperReading.RECOMMENDED,
) -> ErrorCurve:
    """The bound of a published configuration against ε, at the plan's split where it is that very plan."""
    published = published_plan(plan, configuration)
    return cache.curve(
        experiment.corpus,
        experiment.settings,
        ("bounded", replace(published, epsilon=1.0), reading),
        lambda: bound_curve(
            published,
            noiseless.spectrum,
            n_documents=experiment.corpus.n_documents,
            reading=reading,
            epsilons=STEPS,
        ),
    )


def published_plan(plan: Plan, configuration: str) -> Plan:
    """A published configuration at the plan's ε and δ, divided as the plan divides them where it is that very one."""
    published = Plan(configuration, plan.epsilon, plan.delta, calibration=Calibration.PUBLISHED)
    return replace(published, split=plan.split) if plan.variant is published.variant else published
