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
# Files that draw from the operating system: their draws are seeded in tests, or may differ in every run.
DIFFERENT_IN_EVERY_RUN = ("dplda/methods/fitted_topics.py", "tests/privacy/test_exact_normals.py")
SYSTEM_DRAWS = ("secrets", "opendp")
SYSTEM_SOURCES = (
    "dplda/privacy/noise/exact.py",
    "dplda/privacy/noise/exact_normals.py",
    "dplda/privacy/noise/keys.py",
)


def global_state(source: Source) -> Iterator[str]:
    for line, name in source.imports():
        if name.split(".")[0] == "random":
            yield f"{source.path}:{line}: the random module draws from global state"
        if name.startswith("numpy.random.") and name.split(".")[2] not in EXPLICIT:
            yield f"{source.path}:{line}: {name} draws from global state"
    called_ids = {id(call.func) for call in source.calls()}
    for node in source.nodes():
        if isinstance(node, ast.Attribute) and node.attr not in EXPLICIT:
            if node.attr == "RandomState" and id(node) not in called_ids:
                continue  # named as a type, of what a caller may bring
            owner = node.value
            if isinstance(owner, ast.Attribute) and ast.unparse(owner) in (
                "np.random",
                "numpy.random",
            ):
                yield f"{source.path}:{node.lineno}: np.random.{node.attr} draws from global state"
    for call in source.calls():
        argument_names = {keyword.arg for keyword in call.keywords}
        if (
            isinstance(call.func, ast.Attribute)
            and call.func.attr == "rvs"
            and "random_state" not in argument_names
        ):
            yield f"{source.path}:{call.lineno}: rvs without random_state draws from global state"


def noise_elsewhere(source: Source) -> Iterator[str]:
    if not source.inside(*PRIVATE) or source.path == THE_ONE_PLACE:
        return
    for node in source.nodes():
        if isinstance(node, ast.Attribute) and CONTINUOUS_NOISE.fullmatch(node.attr):
            yield f"{source.path}:{node.lineno}: {node.attr} is drawn outside {THE_ONE_PLACE}"


def without_seed(source: Source) -> Iterator[str]:
    if source.path in DIFFERENT_IN_EVERY_RUN:
        return
    for call in source.calls():
        name = ast.unparse(call.func).rpartition(".")[2]
        seeds = [*call.args, *(keyword.value for keyword in call.keywords)]
        is_unseeded = all(isinstance(seed, ast.Constant) and seed.value is None for seed in seeds)
        if name in EXPLICIT and name != "Generator" and is_unseeded:
            yield f"{source.path}:{call.lineno}: {name} without a seed differs in every run"


def system_elsewhere(source: Source) -> Iterator[str]:
    """Draws of noise from the operating system that ``tests/seeded_noise.py`` would not replace."""
    if not source.inside("dplda/privacy/", "dplda/methods/"):
        return
    if source.path in SYSTEM_SOURCES:
        return
    for line, name in source.imports():
        if name.split(".")[0] in SYSTEM_DRAWS or name == "os.urandom":
            yield f"{source.path}:{line}: {name} draws noise that tests cannot seed"
    for call in source.calls():
        if ast.unparse(call.func) == "os.urandom":
            yield f"{source.path}:{call.lineno}: os.urandom draws noise that tests cannot seed"


RULES = (
    Rule(
        "no generator without a seed",
        without_seed,
        bad=(
            ("tests/test_x.py", "import numpy as np\nrng = np.random.default_rng()"),
            ("benchmarks/x.py", "import numpy as np\nrng = np.random.default_rng(seed=None)"),
            (
                "dplda/corpus/words.py",
                "from numpy.random import SeedSequence\nseeds = SeedSequence()",
            ),
        ),
        good=(
            ("tests/test_x.py", "import numpy as np\nrng = np.random.default_rng(0)"),
            ("tests/test_x.py", "import numpy as np\nrng = np.random.default_rng([seed, 1])"),
        ),
    ),
    Rule(
        "noise of the operating system comes from places that tests seed",
        system_elsewhere,
        bad=(
            ("dplda/privacy/noise/sources.py", "import os\nx = os.urandom(8)"),
            ("dplda/privacy/word_selection/selection.py", "from secrets import randbits"),
            (
                "dplda/methods/shares/share_table.py",
                "from opendp.measurements import make_gaussian",
            ),
        ),
        good=(
            ("dplda/privacy/noise/keys.py", "import secrets"),
            ("dplda/release/workflow/perform.py", "import secrets"),
        ),
    ),
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
