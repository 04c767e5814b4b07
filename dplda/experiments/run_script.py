"""A Python script that repeats a run through the public interface."""

from collections.abc import Sequence
from dataclasses import asdict

from dplda.core.errors import InputError
from dplda.core.versions import VERSION
from dplda.corpus import Corpus, Label, Simulation
from dplda.corpus.corpus import VocabularySource
from dplda.experiments.experiment import CorpusSource, Experiment
from dplda.experiments.explored_groups import list_groups
from dplda.experiments.shares_choice import SharesChoice
from dplda.experiments.sources import Embedded
from dplda.methods.configurations.plan import Plan

INSTALL = """# Needs dplda {0}. Install it in a checkout of that version: pip install .
# Or run this file with its wheel: uv run --with ./dplda-{0}-py3-none-any.whl THIS_FILE.py"""
YOUR_FILE = "path/to/your/documents"
ONE_THREAD = (
    "import os\n\n"
    'for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):\n'
    '    os.environ[name] = "1"  # set before NumPy is imported: dplda uses its own threads'
)
_TITLE = (
    "Repeat a run of dplda: the same topics bit for bit on the same machine,"
    " equal up to rounding elsewhere."
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
    experiment: Experiment,
    corpus: Corpus,
    topic_names: Sequence[str | None] = (),
) -> str:
    """Write a script that gives the same topics, bit for bit on the same machine.

    The reader fills in paths. The script prints the error if there is a truth of as many topics.
    Only for a method with an estimator, it makes the experiment's table of shares and a report.

    Args:
        topic_names: in the run's order; None for a topic without a name; empty for none at all.

    Raises:
        InputError: the corpus is sensitive, as the script would hold its digest and words.
    """
    if corpus.label is Label.SENSITIVE:
        advice = "Release its topics instead."
        raise InputError("corpus", "simulated or public for a script", "a sensitive one", advice)
    has_estimator = _estimator(experiment) is not None
    parts = [
        f'{INSTALL.format(VERSION)}\n"""{_TITLE}"""',
        ONE_THREAD,
        "import dplda",
        _documents(corpus, experiment.corpus),
        _fit_with_estimator(experiment) if has_estimator else _fit_with_method(experiment),
        _SHOW,
    ]
    n_topics = experiment.problem.n_topics
    if corpus.truth is not None and len(corpus.truth.topics) == n_topics:
        parts.append("print(dplda.topic_error(corpus.truth.topics, topics))")
    if has_estimator and experiment.shares is not None:
        parts.append(_shares(corpus, experiment.shares, experiment))
    if has_estimator:
        names_argument = f", names={list(topic_names)!r}" if topic_names else ""
        parts.append(_REPORT.format(names=names_argument))
    return "\n\n".join(parts) + "\n"


def _documents(corpus: Corpus, source: CorpusSource) -> str:
    """Write the lines that make or read the documents, and that compare them with those of the run.

    Documents are simulated, the embedded ones, or read from the user's file. Where persons'
    documents were joined, a line joins them again. If the digest differs, the script prints so
    and goes on; where documents were joined, or words selected privately, a note takes the place
    of the comparison.
    """
    if isinstance(source, Simulation):
        value_by_argument = {**asdict(source), "lengths": str(source.lengths)}
        call_text = _call("dplda.simulate", value_by_argument)
    elif isinstance(source, Embedded):
        call_text = "dplda.python_docs()"
    else:
        call_text = _load_call(corpus)
    if corpus.of_persons:
        person_comment = '# add person="..." above: the column that names the author'
        call_text += f"  {person_comment}\ncorpus = corpus.by_person()"
    if corpus.of_persons or corpus.selection is not None:
        comparison_text = (
            "# The run joined each person's documents, or selected words privately:"
            " this is the run's word list."
        )
    else:
        comparison_text = (
            f'if corpus.digest != "{corpus.digest}":\n'
            '    print("These are not the documents of the run.")'
        )
    return f"corpus = {call_text}\n{comparison_text}"


def _load_call(corpus: Corpus) -> str:
    """Call of ``dplda.load`` that reads a file of one's own into the words of this corpus.

    A vocabulary that was taken from the documents is taken anew, of the same size. Any other is
    written out in full.
    """
    value_by_argument: dict[str, object] = {"label": str(corpus.label), "name": corpus.name}
    if corpus.vocabulary_source is VocabularySource.FROM_DATA:
        value_by_argument["n_words"] = corpus.n_words
    else:
        value_by_argument["vocabulary"] = list(corpus.vocabulary)
    advice = "change this; for a table, add text=... with the column of the documents"
    return _call("dplda.load", value_by_argument, f"{YOUR_FILE!r},  # {advice}")


def _fit_with_method(experiment: Experiment) -> str:
    """Write the lines that fit by a method without an estimator, and print its guarantee.

    They keep the topics as ``topics``.
    """
    problem = experiment.problem
    budget = experiment.budget
    return (
        "from dplda.methods.problem import Budget, Problem\n"
        "from dplda.methods.registry import parse_method\n"
        "from dplda.methods.resources import Resources\n\n"
        f"problem, budget = Problem({problem.n_topics!r}, {problem.alpha0!r}),"
        f" Budget({budget.epsilon!r}, {budget.delta!r})\n"
        f"method, resources = parse_method({experiment.method.text!r}),"
        f" Resources({experiment.seed!r})\n"
        "found = method.fit(corpus, problem, budget, resources)\n"
        "print(found.guarantee.in_words())\ntopics = found.topics.words"
    )


def _fit_with_estimator(experiment: Experiment) -> str:
    """Write the lines that fit by scikit-learn's interface, print the guarantee and keep topics.

    A plan is written first if there is one; without one ε, δ and perhaps the scaling are given.
    """
    plan = experiment.plan
    budget = experiment.budget
    scaling = experiment.method.scaling
    value_by_argument: dict[str, object] = {
        "alpha0": experiment.problem.alpha0,
        "random_state": experiment.seed,
    }
    constructor = f"model = dplda.{_estimator(experiment)}"
    n_topics_line = f"{experiment.problem.n_topics},"
    if plan is not None:
        model_lines = f"plan = {_plan(plan)}\n" + _call(
            constructor, value_by_argument, n_topics_line, "plan=plan,"
        )
    else:
        value_by_argument |= {"epsilon": budget.epsilon, "delta": budget.delta}
        if scaling is not None:
            value_by_argument["calibration"] = str(scaling)
        model_lines = _call(constructor, value_by_argument, n_topics_line)
    return (
        f"{model_lines}\nmodel.fit(corpus)\n"
        "print(model.guarantee_.in_words())\ntopics = model.components_"
    )


def _shares(corpus: Corpus, shares: SharesChoice, experiment: Experiment) -> str:
    """Write the lines that make the table of topic shares by group, and print it.

    The groups are listed as the page has them; dates become months or years, as that list does.
    """
    explored_groups = list_groups(corpus, shares.column)
    (axis,) = explored_groups.groups.axes
    script_lines = [f"labels = corpus.labels_in({explored_groups.column!r})"]
    if explored_groups.is_time:
        is_of_months = len(axis.labels[0]) > len("2025")
        period_function_name = "month_of" if is_of_months else "year_of"
        script_lines.insert(
            0, f"from dplda.methods.shares.time_labels import {period_function_name}\n"
        )
        script_lines.append(f"labels = [{period_function_name}(label) for label in labels]")
    value_by_argument: dict[str, object] = {
        "epsilon": shares.epsilon,
        "delta": experiment.budget.delta,
        "is_ordered": explored_groups.is_time,
        "random_state": experiment.seed,
    }
    script_lines.append(f"groups = {list(axis.labels)!r}  # a release needs a public list")
    script_lines.append(
        _call("shares = dplda.topic_shares", value_by_argument, "model, corpus, labels, groups,")
    )
    script_lines.append("for group, row in zip(shares.groups, shares.shares):")
    script_lines.append('    print(group, *(f"{share:.0%}" for share in row))')
    return "\n".join(script_lines)


def _estimator(experiment: Experiment) -> str | None:
    """Name of the estimator of its method; None if it has none."""
    if experiment.plan is not None:
        return "SpectralLDA"
    by_method = {"refined": "RefinedLDA", "dp-vi": "DPVariationalLDA"}
    return by_method.get(experiment.registered_method.name)


def _plan(plan: Plan) -> str:
    if plan == Plan(plan.configuration, plan.epsilon, plan.delta):
        value_by_argument: dict[str, object] = {"epsilon": plan.epsilon, "delta": plan.delta}
        return _call("dplda.Plan", value_by_argument, f"{plan.configuration!r},")
    return f"dplda.Plan.from_json({plan.to_json()!r})"


def _call(function: str, value_by_argument: dict[str, object], *leading_lines: str) -> str:
    """A call, one argument a line."""
    lines = [*leading_lines, *(f"{name}={value!r}," for name, value in value_by_argument.items())]
    return f"{function}(\n" + "".join(f"    {line}\n" for line in lines) + ")"
