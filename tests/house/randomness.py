"""Where chance may come from."""

import ast
import re
from collections.abc import Iterator

from tests.house.source import Rule, Source

# What numpy.random offers besides its hidden global state.
EXPLICIT = {
    "Generator",
    "default_rng",
    "SeedSequence",
    "BitGenerator",
    "PCG64",
    "PCG64DXSM",
    "Philox",
    "SFC64",
}
CONTINUOUS_NOISE = re.compile(
    "(standard_|multivariate_)?(normal|exponential)|laplace|gumbel|logistic|geometric|rvs"
)
PRIVATE = (
    "dplda/privacy/",
    "dplda/methods/configurations/",
)
THE_ONE_PLACE = "dplda/privacy/noise/sources.py"


def global_state(source: Source) -> Iterator[str]:
    for line, name in source.imports():
        if name.split(".")[0] == "random":
            yield f"{source.path}:{line}: the random module draws from global state"
        if name.startswith("numpy.random.") and name.split(".")[2] not in EXPLICIT:
            yield f"{source.path}:{line}: {name} draws from global state"
    made = {id(call.func) for call in source.calls()}
    for node in source.nodes():
        if isinstance(node, ast.Attribute) and node.attr not in EXPLICIT:
            if node.attr == "RandomState" and id(node) not in made:
                continue  # named as a type, of what a caller may bring
            owner = node.value
            if isinstance(owner, ast.Attribute) and ast.unparse(owner) in (
                "np.random",
                "numpy.random",
            ):
                yield f"{source.path}:{node.lineno}: np.random.{node.attr} draws from global state"
    for call in source.calls():
        given = {keyword.arg for keyword in call.keywords}
        if (
            isinstance(call.func, ast.Attribute)
            and call.func.attr == "rvs"
            and "random_state" not in given
        ):
            yield f"{source.path}:{call.lineno}: rvs without random_state draws from global state"


def noise_elsewhere(source: Source) -> Iterator[str]:
    if not source.inside(*PRIVATE) or source.path == THE_ONE_PLACE:
        return
    for node in source.nodes():
        if isinstance(node, ast.Attribute) and CONTINUOUS_NOISE.fullmatch(node.attr):
            yield f"{source.path}:{node.lineno}: {node.attr} is drawn outside {THE_ONE_PLACE}"


RULES = (
    Rule(
        "no global random state",
        global_state,
        bad=(
            ("dplda/corpus/simulation/simulate.py", "import random"),
            ("tests/test_x.py", "import numpy as np\nnp.random.seed(0)"),
            ("dplda/spectral/tensor.py", "import numpy\nx = numpy.random.RandomState(0)"),
            ("tests/test_x.py", "from scipy import stats\nx = stats.norm.rvs(size=3)"),
        ),
        good=(
            (
                "tests/test_x.py",
                "import numpy as np\nrng = np.random.default_rng(0)\nrng.normal(size=3)",
            ),
            (
                "tests/test_x.py",
                "from scipy import stats\nx = stats.norm.rvs(size=3, random_state=rng)",
            ),
        ),
    ),
    Rule(
        "one place draws privacy noise",
        noise_elsewhere,
        bad=(
            (
                "dplda/methods/configurations/chain/pipeline.py",
                "def fit(rng):\n    return rng.normal()",
            ),
        ),
        good=(
            ("dplda/privacy/noise/sources.py", "def f(rng):\n    return rng.normal()"),
            (
                "dplda/methods/configurations/chain/pipeline.py",
                "from dplda.privacy import noise\ny = noise.gaussian(x, rng=rng)",
            ),
        ),
    ),
)
