"""A Python script that repeats a run through the public interface."""

from collections.abc import Sequence
from dataclasses import asdict

from dplda.core.errors import InputError
from dplda.core.versions import VERSION
from dplda.corpus import Corpus, Label, Simulation
from dplda.corpus.corpus import VocabularySource
from dplda.experiments.settings import CorpusKind, Settings
from dplda.methods.configurations.plan import Plan

INSTALL = """# Needs dplda {0}. Install it in a checkout of that version: pip install .
# Or run this file with its wheel: uv run --with ./dplda-{0}-py3-none-any.whl THIS_FILE.py"""
YOUR_FILE = "path/to/your/documents"
ONE_THREAD = (
    "import os\n\n"
    'for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):\n'
    '    os.environ[name] = "1"  # set before NumPy is imported: dplda uses its own threads'
)

_SHOW = """for number, topic in enumerate(topics, start=1):
    leading = [corpus.vocabulary[i] for i in topic.argsort()[::-1][:8]]
    print(number, ", ".join(leading))"""
_REPORT = """page = dplda.report_html(
    model, corpus.vocabulary, documents=corpus.name, n_documents=corpus.n_documents{names}
)
with open("report.html", "w", encoding="utf-8") as file:
    file.write(page)"""


def script(
    settings: Settings,
    corpus: Corpus,
    kind: CorpusKind,
    simulation: Simulation | None = None,
    names: Sequence[str | None] = (),
) -> str:
    """A script that gives the same topics, bit for bit on the same machine; the reader fills in paths."""
    if corpus.label is Label.SENSITIVE:  # the script would hold its digest and words
        raise InputError(
            "corpus",
            "simulated or public for a script",
            "a sensitive one",
            "Release its topics instead.",
        )
    title = "Repeat a run of dplda: the same topics bit for bit on the same machine, equal up to rounding elsewhere."
    kept = _REPORT.format(names=f", names={list(names)!r}" if names else "")
    head = f'{INSTALL.format(VERSION)}\n"""{title}"""'
    parts = [
        head,
        ONE_THREAD,
        "import dplda",
        _documents(corpus, kind, simulation),
        _fit(settings),
        _SHOW,
    ]
    if corpus.truth is not None and len(corpus.truth.topics) == settings.problem.n_topics:
        parts.append("print(dplda.topic_error(corpus.truth.topics, topics))")
    if _estimator(settings):
        parts.append(kept)
    return "\n\n".join(parts) + "\n"


def _documents(corpus: Corpus, kind: CorpusKind, simulation: Simulation | None) -> str:
    if kind is CorpusKind.SIMULATED and simulation is not None:
        drawn = {**asdict(simulation), "lengths": str(simulation.lengths)}
        made = _call("dplda.simulate", drawn)
    elif kind is CorpusKind.EMBEDDED:
        made = "dplda.python_docs()"
    else:
        facts: dict[str, object] = {"label": str(corpus.label), "name": corpus.name}
        if corpus.vocabulary_source is VocabularySource.FROM_DATA:
            facts["n_words"] = corpus.n_words
        else:
            facts["vocabulary"] = list(corpus.vocabulary)
        path = f"{YOUR_FILE!r},  # change this; for a table, add text=... with the column of the documents"
        made = _call("dplda.load", facts, path)
    same = f'if corpus.digest != "{corpus.digest}":\n    print("These are not the documents of the run.")'
    if corpus.selection is not None or corpus.of_persons:
        same = "# The run joined each person's documents, or selected words privately: this is the run's word list."
    if corpus.of_persons:
        made += '  # add person="..." above: the column that names the author\ncorpus = corpus.by_person()'
    return f"corpus = {made}\n{same}"


def _fit(settings: Settings) -> str:
    plan, estimator = settings.plan, _estimator(settings)
    spent: dict[str, object] = {"epsilon": settings.budget.epsilon, "delta": settings.budget.delta}
    if estimator is None:
        problem = f"Problem({settings.problem.n_topics!r}, {settings.problem.alpha0!r})"
        return (
            "from dplda.methods.problem import Budget, Problem\n"
            "from dplda.methods.registry import parse_method\n"
            "from dplda.methods.resources import Resources\n\n"
            f"problem, budget = {problem}, Budget({settings.budget.epsilon!r}, {settings.budget.delta!r})\n"
            f"method, resources = parse_method({settings.method.key!r}), Resources({settings.seed!r})\n"
            "found = method.fit(corpus, problem, budget, resources)\n"
            "print(found.guarantee.in_words())\ntopics = found.topics.words"
        )
    model: dict[str, object] = {"alpha0": settings.problem.alpha0, "random_state": settings.seed}
    k = f"{settings.problem.n_topics},"
    if plan is not None:
        said = f"plan = {_plan(plan)}\n" + _call(
            f"model = dplda.{estimator}", model, k, "plan=plan,"
        )
    else:
        calibration = (
            {} if settings.method.scaling is None else {"calibration": str(settings.method.scaling)}
        )
        said = _call(f"model = dplda.{estimator}", model | spent | calibration, k)
    return (
        f"{said}\nmodel.fit(corpus)\nprint(model.guarantee_.in_words())\ntopics = model.components_"
    )


def _estimator(settings: Settings) -> str | None:
    if settings.plan is not None:
        return "SpectralLDA"
    return {"refined": "RefinedLDA", "dp-vi": "DPVariationalLDA"}.get(settings.method.name)


def _plan(plan: Plan) -> str:
    short = Plan(plan.configuration, plan.epsilon, plan.delta)
    if plan == short:
        return _call(
            "dplda.Plan", {"epsilon": plan.epsilon, "delta": plan.delta}, f"{plan.configuration!r},"
        )
    return f"dplda.Plan.from_json({plan.to_json()!r})"


def _call(called: str, named: dict[str, object], *first: str) -> str:
    lines = [*first, *(f"{name}={value!r}," for name, value in named.items())]
    return f"{called}(\n" + "".join(f"    {line}\n" for line in lines) + ")"
